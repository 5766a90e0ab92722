"""The seats' lights at the pins of the header: dark, steady or blinking.

- dark: nothing is asked of this seat, or its envelope is in;
- steady: the table waits for this seat;
- blinking: what was entered here wasn't understood, until the next press; never while envelopes are
  filled, since what is refused may tell of what was entered.

An LED shows it in its own colour, three in the seat's. Each pin is on or off: to mix finer colours Python
would have to switch it hundreds of times a second (docs/adr/0016).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpiozero import LED, RGBLED
from gpiozero.exc import GPIOZeroError

from hardware.gpio.taking import Outputs, Pins
from hardware.inbox import Inbox
from hardware.panel import Panel
from hardware.signals import Lost
from hardware.wiring.sections import Light

BLINK = 0.25
"""Seconds on, and as many off."""

MIXED: Mapping[str, tuple[int, int, int]] = {
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
"""Red, green and blue for the colour of a seat: the nearest that three pins can make.

Each is another for the first five colours, which are as many as there are lights.
"""
WHITE = (1, 1, 1)


class Lights(Outputs):
    """The wired lights."""

    def __init__(self, wired: Sequence[Light], inbox: Inbox, *, pins: Callable[[], Pins]) -> None:
        super().__init__(wired, inbox, pins=pins)
        self._lamps: dict[int, Any] = {}
        self._shown: dict[int, tuple[str, str]] = {}

    def show(self, seat: int, panel: Panel) -> None:
        """From now on that seat's light does what the panel says."""
        lamp, state = self._lamps.get(seat), (panel.light, panel.colour)
        if lamp is None or self._shown.get(seat) == state:
            return
        self._shown[seat] = state
        try:
            _shine(lamp, panel)
        except (OSError, GPIOZeroError):
            # This is the game's thread: it goes on without the light.
            del self._lamps[seat]
            self._inbox.put(Lost(self._wired[seat].device, "no_pins"))

    def close(self) -> None:
        """Puts all out and gives the pins back."""
        self._taking.close()
        while self._lamps:
            lamp = self._lamps.popitem()[1]
            lamp.off()  # a pin that is given back may keep its level
            lamp.close()

    def _take(self, light: Light) -> None:
        self._lamps[light.seat] = _lamp(light, self._pins())


def _shine(lamp: Any, panel: Panel) -> None:
    if panel.light == "off":
        lamp.off()
    elif isinstance(lamp, RGBLED):
        colour = MIXED.get(panel.colour, WHITE)
        if panel.light == "blink":
            lamp.blink(BLINK, BLINK, on_color=colour)
        else:
            lamp.color = colour
    elif panel.light == "blink":
        lamp.blink(BLINK, BLINK)
    else:
        lamp.on()


def _lamp(light: Light, factory: Pins) -> Any:
    pins = [int(pin) for pin in light.pins.values()]
    if len(pins) == 1:
        return LED(pins[0], pin_factory=factory)
    return RGBLED(*pins, pwm=False, pin_factory=factory)
