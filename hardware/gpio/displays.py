"""Displays of four digits with a TM1637: they show what is entered at a seat, or its hidden counts.

A display faces its owner, behind a hood if people like (docs/build/lights-displays-buzzers.md). The entry for
an envelope is shown until OK; when the envelope is filled, the display is blank.
A display shows nothing of the game unasked, so there is nothing else to hide.

    from hardware.gpio.displays import Tm1637Display
    from hardware.devices import open_header_pins

    display = Tm1637Display(clock=23, data=24, pins=open_header_pins())
    display.show("  12")

Commands and segments come from the package `python-tm1637`; this module replaces only the sending of a byte.
The package asks libgpiod for the lines itself, drives the data line while the chip answers on it, and never
looks at the answer. This module releases the line for the answer, so that it notices a missing display.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from gpiod.line import Value
from gpiozero import GPIODevice
from gpiozero.exc import GPIOZeroError
from tm1637 import TM1637

from hardware.device_drivers import SeatPanel
from hardware.gpio.pin_claims import PinFactory, PinOutputDriver
from hardware.signals import DeviceFound, DeviceLost, Inbox
from hardware.wiring.sections import Display

CLOCK_EDGE_INTERVAL_SECONDS = 10e-6
"""Time between two edges of the clock; cheap modules have capacitors on both lines."""
MAX_BRIGHTNESS = 7


def busy_wait(seconds: float) -> None:
    """Waits without sleeping, because a sleep of microseconds takes ten times as long."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class DisplayNotResponding(OSError):
    """Raised when the chip doesn't acknowledge a byte: it is missing, or has no power."""


class _DisplayLines:
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

    def drive_low(self, number: int) -> None:
        """Drives a line low."""
        self._devices[number].pin.output_with_state(False)

    def release_line(self, number: int) -> None:
        """Releases a line: it is high unless somebody else pulls it down."""
        pin = self._devices[number].pin
        pin.function = "input"
        if pin.pull != "up":
            pin.pull = "up"

    def is_high(self, number: int) -> bool:
        """Returns whether the level of a line is high."""
        return bool(self._devices[number].pin.state)

    def release(self) -> None:
        """Frees both lines."""
        while self._devices:
            self._devices.popitem()[1].close()


class Tm1637Display(TM1637):  # type: ignore[misc]  # the package ships no types
    """The display at two pins; raises OSError or GPIOZeroError if the pins can't be used.

    Writing raises `DisplayNotResponding` while no chip answers. `pause` waits between two edges.
    """

    def __init__(self, clock: int, data: int, pins: Any, pause: Callable[[float], None] = busy_wait) -> None:
        # The package's own `__init__` takes any chip with these lines: on a Pi 5 not always the header's.
        self.clk, self.dio = clock, data
        self._pause = pause
        self._brightness = MAX_BRIGHTNESS
        self._lines = _DisplayLines((clock, data), pins)

    def close(self) -> None:
        """Releases the pins; the display goes on showing its text."""
        self._lines.release()

    def __del__(self) -> None:
        """Does nothing, because the package's own method fails after a failed `__init__`."""

    def _write_byte(self, byte: int) -> None:
        for bit in range(8):
            self._send_clock_edge(is_high=False)
            self._lines.set_value(self.dio, Value(byte >> bit & 1))
            self._send_clock_edge(is_high=True)
        # A released line keeps its level at first. To release it high while the clock is high, or low once
        # the clock is low, never makes an edge that would end the transfer.
        if byte >> 7:
            self._lines.release_line(self.dio)
        self._send_clock_edge(is_high=False)
        if not byte >> 7:
            self._lines.release_line(self.dio)
        self._send_clock_edge(is_high=True)
        is_missing = self._lines.is_high(self.dio)
        self._send_clock_edge(is_high=False)
        self._lines.drive_low(self.dio)
        if is_missing:
            raise DisplayNotResponding(f"no display answers at GPIO{self.clk} and GPIO{self.dio}")

    def _send_clock_edge(self, *, is_high: bool) -> None:
        self._lines.set_value(self.clk, Value.ACTIVE if is_high else Value.INACTIVE)
        self._pause(CLOCK_EDGE_INTERVAL_SECONDS)


DIGIT_COUNT = 4
BLANK_TEXT = " " * DIGIT_COUNT
OVERFLOW_TEXT = "-" * DIGIT_COUNT


class Displays(PinOutputDriver):
    """Driver of the wired displays.

    A display whose chip doesn't answer is lost too, and tried again at each new panel. A change takes a few
    milliseconds, in the thread that shows it.
    """

    def __init__(self, sections: Sequence[Display], inbox: Inbox, *, pins: Callable[[], PinFactory]) -> None:
        super().__init__(sections, inbox, pins=pins)
        self._display_by_seat: dict[int, Tm1637Display] = {}
        self._text_by_seat: dict[int, str] = {}

    def show_panel(self, seat_number: int, panel: SeatPanel) -> None:
        """Shows what is entered at a seat, the entry of its panel, on the display of the seat."""
        text = format_four_digits_or_dashes(panel.entry)
        if seat_number not in self._display_by_seat or self._text_by_seat.get(seat_number) == text:
            return
        did_respond, responds = seat_number in self._text_by_seat, self._write(seat_number, text)
        if did_respond != responds:
            device = self._section_by_seat[seat_number].device_name
            self._inbox.put(DeviceFound(device) if responds else DeviceLost(device, "silent"))

    def close(self) -> None:
        """Blanks all displays and releases the pins."""
        self._claims.stop_and_wait()
        while self._display_by_seat:
            seat = next(iter(self._display_by_seat))
            self._write(seat, BLANK_TEXT)
            self._display_by_seat.pop(seat).close()

    def _take_pins(self, section: Display) -> DeviceLost | None:
        display = Tm1637Display(section.clock, section.data, self._pins())
        try:
            display.show(BLANK_TEXT)
        except (OSError, GPIOZeroError):
            return DeviceLost(section.device_name, "silent")
        else:
            self._text_by_seat[section.seat] = BLANK_TEXT
            return None
        finally:
            self._display_by_seat[section.seat] = display  # from now on another thread uses it

    def _write(self, seat: int, text: str) -> bool:
        """Writes to a display; returns whether the chip answered."""
        try:
            self._display_by_seat[seat].show(text)
        except (OSError, GPIOZeroError):
            self._text_by_seat.pop(seat, None)
            return False
        self._text_by_seat[seat] = text
        return True


def format_four_digits_or_dashes(entry: str) -> str:
    """Formats an entry for four digits; a number that is too long becomes dashes.

    The entry is as keypads show it: `12`, `2.3`. Of several numbers, the one that is being entered is shown
    after its position: `2- 3`. Nobody should trust half of a number.
    """
    *earlier_numbers, current_number = entry.split(".")
    if earlier_numbers:
        current_number = f"{len(earlier_numbers) + 1}-{current_number:>2}"
    return f"{current_number:>{DIGIT_COUNT}}" if len(current_number) <= DIGIT_COUNT else OVERFLOW_TEXT
