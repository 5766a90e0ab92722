"""The real package for TM1637 displays, on a simulated chip that sees every edge of its two lines."""

from __future__ import annotations

import pytest
from gpiozero.exc import GPIOPinInUse
from tm1637 import TM1637

from hardware.gpio.displays import CLOCK_EDGE_INTERVAL_SECONDS, DisplayNotResponding, Tm1637Display
from hardware.simulated.pins import ManualClock, SimulatedPins, SimulatedTM1637

CLOCK, DATA = 23, 24


class Display:
    """A display that is wired, and its driver."""

    def __init__(self) -> None:
        self.pins = SimulatedPins(ManualClock())
        self.chip = SimulatedTM1637(self.pins.pin(CLOCK), self.pins.pin(DATA))
        self.pauses: list[float] = []
        self.digits = Tm1637Display(CLOCK, DATA, self.pins, self.pauses.append)


@pytest.fixture
def display() -> Display:
    """A display with power that shows nothing yet."""
    return Display()


@pytest.mark.parametrize("text", ["    ", "   0", "1234", "5678", "9-10", "----"])
def test_what_is_written_is_read(display: Display, text: str) -> None:
    """Every digit, dash and blank, after the chip acknowledged each byte."""
    display.digits.show(text)
    assert display.chip.text == text
    assert display.chip.brightness == 7


def test_the_segments_are_those_of_the_data_sheet(display: Display) -> None:
    """Lowest bit at the top, then clockwise, the middle last; the second digit's highest bit is the colon."""
    display.digits.show("1 8", sep=True)
    assert display.chip.lit_segments_by_digit == (0b0000110, 0b10000000, 0b1111111, 0)
    assert display.chip.text == "1?8 "


def test_a_chip_with_power_is_dark_until_it_is_told(display: Display) -> None:
    """As after every start of a table."""
    assert display.chip.text == "    "
    assert display.chip.brightness == -1


def test_the_data_line_is_never_driven_against_the_chip(display: Display) -> None:
    """It is let go for each answer; the package by itself drives it, as this chip notices."""
    display.digits.show("8888")
    assert display.chip.drive_conflicts == 0
    stock = _Stock(display.digits)
    stock.show("8888")
    assert display.chip.text == "8888"
    assert display.chip.drive_conflicts > 0


class _Stock(TM1637):  # type: ignore[misc]  # the package ships no types
    """The package as it is, on the same two lines."""

    def __init__(self, ours: Tm1637Display) -> None:
        self.clk, self.dio, self._lines, self._brightness = ours.clk, ours.dio, ours._lines, 7

    def __del__(self) -> None:
        """The lines are another's."""


def test_a_display_that_is_not_there_is_noticed(display: Display) -> None:
    """Nothing acknowledges the first byte, and the error names both pins."""
    display.chip.unplug()
    with pytest.raises(DisplayNotResponding, match="GPIO23 and GPIO24"):
        display.digits.show("1234")
    display.chip.plug_in()
    display.digits.show("1234")
    assert display.chip.text == "1234"


def test_only_the_display_that_is_meant_changes() -> None:
    """Two displays, each at its own pins."""
    pins = SimulatedPins(ManualClock())
    chips = [SimulatedTM1637(pins.pin(at), pins.pin(at + 1)) for at in (5, 22)]
    Tm1637Display(22, 23, pins, lambda _: None).show("  12")
    assert [chip.text for chip in chips] == ["    ", "  12"]


def test_an_address_that_stands_still_is_written_again_and_again(display: Display) -> None:
    """The chip's other way of counting addresses, and registers that no digit has."""
    lines = display.digits
    for command, *data in ((0x44,), (0xC1, 0x06, 0x5B), (0xC9, 0x7F), (0x8F,)):
        lines._start()
        for byte in (command, *data):
            lines._write_byte(byte)
        lines._stop()
    assert display.chip.text == " 2  "


def test_a_pin_is_let_go_if_the_other_can_not_be_had(display: Display) -> None:
    """A display that fails to start holds nothing."""
    with pytest.raises(GPIOPinInUse):
        Tm1637Display(17, DATA, display.pins, display.pauses.append)
    Tm1637Display(17, 27, display.pins, display.pauses.append).close()


def test_edges_have_time_between_them(display: Display) -> None:
    """A few microseconds after each of the clock's, by a pause that comes from outside."""
    display.digits.show("1234")
    assert len(display.pauses) == 7 * (9 * 2 + 1)
    assert set(display.pauses) == {CLOCK_EDGE_INTERVAL_SECONDS}


def test_lines_are_given_back_once(display: Display) -> None:
    """Closing twice is fine, and another may have the pins."""
    display.digits.close()
    display.digits.close()
    Tm1637Display(CLOCK, DATA, display.pins, display.pauses.append).show("   1")
    assert display.chip.text == "   1"
