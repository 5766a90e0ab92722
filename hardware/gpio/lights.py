"""The lights of seats at the pins of the header: dark, steady or blinking.

- dark: nothing is asked of this seat, or its envelope is filled;
- steady: the table waits for this seat;
- blinking: the last answer of this seat was refused, until the next press; never while envelopes are filled,
  because a refusal may reveal the entry.

A single LED shows the state in its own colour, three LEDs in the colour of the seat. Each pin is on or off:
to mix finer colours, Python would have to switch a pin hundreds of times a second (docs/adr/0016).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpiozero import LED, RGBLED
from gpiozero.exc import GPIOZeroError

from hardware.device_drivers import BLINK_HALF_PERIOD_SECONDS, SeatPanel
from hardware.gpio.pin_claims import PinFactory, PinOutputDriver
from hardware.signals import DeviceLost, Inbox
from hardware.wiring.sections import Light

RGB_BY_SEAT_COLOUR: Mapping[str, tuple[int, int, int]] = {
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
"""The nearest colour to each seat's colour that three pins can make: red, green and blue on or off.

The first five colours look different from each other; there are at most five lights.
"""
UNKNOWN_SEAT_COLOUR = (1, 1, 1)


class Lights(PinOutputDriver):
    """Driver of the wired lights."""

    def __init__(self, sections: Sequence[Light], inbox: Inbox, *, pins: Callable[[], PinFactory]) -> None:
        super().__init__(sections, inbox, pins=pins)
        self._lamp_by_seat: dict[int, Any] = {}
        self._state_by_seat: dict[int, tuple[str, str]] = {}

    def show_panel(self, seat_number: int, panel: SeatPanel) -> None:
        """Sets the light of a seat to the state and colour in the panel."""
        lamp, state = self._lamp_by_seat.get(seat_number), (panel.light, panel.seat_colour)
        if lamp is None or self._state_by_seat.get(seat_number) == state:
            return
        self._state_by_seat[seat_number] = state
        try:
            _switch_lamp(lamp, panel)
        except (OSError, GPIOZeroError):
            # The game's thread must not end: the game goes on without the light.
            del self._lamp_by_seat[seat_number]
            self._inbox.put(DeviceLost(self._section_by_seat[seat_number].device_name, "no_pins"))

    def close(self) -> None:
        """Switches all lights off and releases the pins."""
        self._claims.stop_and_wait()
        while self._lamp_by_seat:
            lamp = self._lamp_by_seat.popitem()[1]
            lamp.off()  # a pin that is given back may keep its level
            lamp.close()

    def _take_pins(self, light: Light) -> None:
        self._lamp_by_seat[light.seat] = _open_lamp(light, self._pins())


def _switch_lamp(lamp: Any, panel: SeatPanel) -> None:
    if panel.light == "off":
        lamp.off()
    elif isinstance(lamp, RGBLED):
        colour = RGB_BY_SEAT_COLOUR.get(panel.seat_colour, UNKNOWN_SEAT_COLOUR)
        if panel.light == "blink":
            lamp.blink(BLINK_HALF_PERIOD_SECONDS, BLINK_HALF_PERIOD_SECONDS, on_color=colour)
        else:
            lamp.color = colour
    elif panel.light == "blink":
        lamp.blink(BLINK_HALF_PERIOD_SECONDS, BLINK_HALF_PERIOD_SECONDS)
    else:
        lamp.on()


def _open_lamp(light: Light, factory: PinFactory) -> Any:
    pins = [int(pin) for pin in light.pins.values()]
    if len(pins) == 1:
        return LED(pins[0], pin_factory=factory)
    return RGBLED(*pins, pwm=False, pin_factory=factory)
