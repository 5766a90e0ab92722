"""One TM1637 with its four digits, on any pins of gpiozero.

    from hardware.gpio.four_digits import FourDigits
    from hardware.gpio.taking import header_pins

    digits = FourDigits(clock=23, data=24, pins=header_pins())
    digits.show("  12")

Commands and segments come from the package `python-tm1637`; what is replaced is how a byte goes out.
The package asks libgpiod for the lines itself, drives the data line while the chip answers on it, and
never looks at that answer. Here the line is let go for the answer, so that a display that isn't there
is noticed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from gpiod.line import Value
from gpiozero import GPIODevice
from tm1637 import TM1637

HALF = 10e-6
"""Seconds between two edges of the clock: cheap modules have capacitors on both lines."""
BRIGHTEST = 7


def hold(seconds: float) -> None:
    """Does nothing for so long: to sleep for microseconds takes ten times as many."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class NoAnswer(OSError):
    """The chip didn't acknowledge a byte: there is none, or it has no power."""


class _Lines:
    """Two pins of gpiozero with the interface of libgpiod's request, as the package expects it."""

    def __init__(self, numbers: tuple[int, ...], pins: Any) -> None:
        self._devices: dict[int, Any] = {}
        try:
            for number in numbers:
                self._devices[number] = GPIODevice(number, pin_factory=pins)
                self._devices[number].pin.output_with_state(True)
        except BaseException:
            self.release()
            raise

    def set_value(self, number: int, value: Value) -> None:
        """Drives a line."""
        self._devices[number].pin.state = value is Value.ACTIVE

    def drive(self, number: int) -> None:
        """From now on that line is driven, low to begin with."""
        self._devices[number].pin.output_with_state(False)

    def let_go(self, number: int) -> None:
        """From now on that line is high, unless somebody else pulls it down."""
        pin = self._devices[number].pin
        pin.function = "input"
        if pin.pull != "up":
            pin.pull = "up"

    def is_high(self, number: int) -> bool:
        """What the line says."""
        return bool(self._devices[number].pin.state)

    def release(self) -> None:
        """Gives the lines back."""
        while self._devices:
            self._devices.popitem()[1].close()


class FourDigits(TM1637):  # type: ignore[misc]  # the package ships no types
    """The display at two pins. Raises OSError or GPIOZeroError where it can't have them.

    `NoAnswer` comes from whatever is written while no chip is there.
    `pause` is what waits between two edges.
    """

    def __init__(self, clock: int, data: int, pins: Any, pause: Callable[[float], None] = hold) -> None:
        # The package's own start takes any chip that gives these lines: on a Pi 5 not always the header's.
        self.clk, self.dio = clock, data
        self._pause = pause
        self._brightness = BRIGHTEST
        self._lines = _Lines((clock, data), pins)

    def close(self) -> None:
        """Gives the pins back; what is shown stays."""
        self._lines.release()

    def __del__(self) -> None:
        """The package's own would fail where the start failed."""

    def _write_byte(self, byte: int) -> None:
        for at in range(8):
            self._edge(high=False)
            self._lines.set_value(self.dio, Value(byte >> at & 1))
            self._edge(high=True)
        # A line let go keeps its level at first: high while the clock is high, or low once it is low,
        # is never an edge that would end the transfer.
        if byte >> 7:
            self._lines.let_go(self.dio)
        self._edge(high=False)
        if not byte >> 7:
            self._lines.let_go(self.dio)
        self._edge(high=True)
        is_missing = self._lines.is_high(self.dio)
        self._edge(high=False)
        self._lines.drive(self.dio)
        if is_missing:
            raise NoAnswer(f"no display answers at GPIO{self.clk} and GPIO{self.dio}")

    def _edge(self, *, high: bool) -> None:
        self._lines.set_value(self.clk, Value.ACTIVE if high else Value.INACTIVE)
        self._pause(HALF)
