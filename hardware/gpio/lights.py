"""The lights of seats at the pins of the header: dark, steady or blinking.

- dark: nothing is asked of this seat, or its envelope is filled;
- steady: the table waits for this seat;
- blinking: the last answer here was refused, until the next press; never while envelopes are filled, because
  a refusal may tell what was entered.

A single LED shows this in its own colour, three LEDs in the colour of the seat. Each pin is on or off: to mix
finer colours, Python would have to switch it hundreds of times a second (docs/adr/0016).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpiozero import LED, RGBLED
from gpiozero.exc import GPIOZeroError

from hardware.gpio.pin_claims import PinFactory, PinOutputs
from hardware.panel import SeatPanel
from hardware.signals import DeviceLost, Inbox
from hardware.wiring.sections import Light

BLINK_SECONDS = 0.25
"""Time for which a blinking light is on, and then off."""

LED_COLOURS: Mapping[str, tuple[int, int, int]] = {
    "orange": (1, 1, 0),
    "sky": (0, 1, 1),
    "green": (0, 1, 0),
    "vermilion": (1, 0, 0),
    "purple": (1, 0, 1),
    "indigo": (0, 0, 1),
    "lemon": (1, 1, 0),
    "rose": (1, 0, 1),
    "cocoa": (1, 0, 0),
    "mint": (0, 1, 0),
}
"""Red, green and blue for the colour of a seat: the nearest colour that three pins can make.

The first five colours look different from each other; there are no more lights than five.
"""
UNKNOWN_SEAT_COLOUR = (1, 1, 1)


class Lights(PinOutputs):
    """The wired lights."""

    def __init__(self, wired: Sequence[Light], inbox: Inbox, *, pins: Callable[[], PinFactory]) -> None:
        super().__init__(wired, inbox, pins=pins)
        self._lamps: dict[int, Any] = {}
        self._shown: dict[int, tuple[str, str]] = {}

    def show_panel(self, seat: int, panel: SeatPanel) -> None:
        """Switches the light of a seat to what the panel says."""
        lamp, state = self._lamps.get(seat), (panel.light, panel.colour)
        if lamp is None or self._shown.get(seat) == state:
            return
        self._shown[seat] = state
        try:
            _switch_lamp(lamp, panel)
        except (OSError, GPIOZeroError):
            # This is the game's thread: it goes on without the light.
            del self._lamps[seat]
            self._inbox.put(DeviceLost(self._wired[seat].device_name, "no_pins"))

    def close(self) -> None:
        """Switches all lights off and frees the pins."""
        self._claims.close()
        while self._lamps:
            lamp = self._lamps.popitem()[1]
            lamp.off()  # a pin that is given back may keep its level
            lamp.close()

    def _take_pins(self, light: Light) -> None:
        self._lamps[light.seat] = _open_lamp(light, self._pins())


def _switch_lamp(lamp: Any, panel: SeatPanel) -> None:
    if panel.light == "off":
        lamp.off()
    elif isinstance(lamp, RGBLED):
        colour = LED_COLOURS.get(panel.colour, UNKNOWN_SEAT_COLOUR)
        if panel.light == "blink":
            lamp.blink(BLINK_SECONDS, BLINK_SECONDS, on_color=colour)
        else:
            lamp.color = colour
    elif panel.light == "blink":
        lamp.blink(BLINK_SECONDS, BLINK_SECONDS)
    else:
        lamp.on()


def _open_lamp(light: Light, factory: PinFactory) -> Any:
    pins = [int(pin) for pin in light.pins.values()]
    if len(pins) == 1:
        return LED(pins[0], pin_factory=factory)
    return RGBLED(*pins, pwm=False, pin_factory=factory)
