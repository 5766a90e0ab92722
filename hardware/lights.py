"""The seats' lights at the pins of the header: on, off or blinking, nothing else."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from gpiozero import LED, RGBLED
from gpiozero.exc import GPIOZeroError

from hardware.buttons import Pins
from hardware.panel import Light as State
from hardware.panel import Panel
from hardware.wiring.sections import Light

BLINK = 0.25
"""Seconds on, and as many off."""


class Lights:
    """The wired lights; starts with `start`, ends with `close`.

    A light whose pin can't be had stays dark, and the game goes on.
    """

    def __init__(self, wired: Sequence[Light], pins: Callable[[], Pins]) -> None:
        self._wired = wired
        self._pins = pins
        self._lamps: dict[int, Any] = {}
        self._shown: dict[int, State] = {}

    def start(self) -> None:
        """Takes the pins."""
        with contextlib.suppress(OSError, ImportError, GPIOZeroError):
            factory = self._pins()
            for light in self._wired:
                self._lamps[light.seat] = _lamp(light, factory)

    def show(self, seat: int, panel: Panel) -> None:
        """From now on that seat's light does what the panel says."""
        lamp, state = self._lamps.get(seat), panel.light
        if lamp is None or self._shown.get(seat, "off") == state:
            return
        self._shown[seat] = state
        if state == "blink":
            lamp.blink(BLINK, BLINK)
        elif state == "on":
            lamp.on()
        else:
            lamp.off()

    def close(self) -> None:
        """Puts all out and gives the pins back."""
        for lamp in self._lamps.values():
            lamp.close()


def _lamp(light: Light, factory: Pins) -> Any:
    pins = [int(pin) for pin in light.pins.values()]
    if len(pins) == 1:
        return LED(pins[0], pin_factory=factory)
    return RGBLED(*pins, pwm=False, pin_factory=factory)
