"""A TM1637 with four digits, bit by bit at its two lines, as its data sheet (V2.4) describes it.

    from hardware.gpio.four_digits import FourDigits
    from hardware.simulated.pins import SimulatedPins, StillClock
    from hardware.simulated.tm1637 import SimulatedTM1637

    pins = SimulatedPins(StillClock())
    chip = SimulatedTM1637(pins.pin(23), pins.pin(24))
    FourDigits(23, 24, pins).show("  12")
    print(chip.text)

Start, bytes with their lowest bit first, an acknowledgement on the data line from the eighth fall of the
clock to the ninth, stop; six registers of segments, addresses counted up or fixed, brightness.
It reads no keys.
"""

from __future__ import annotations

from typing import Any

GRIDS = 6
DIGITS = 4
BITS = 8
DATA, DISPLAY, ADDRESS = 0b01, 0b10, 0b11
"""The two highest bits of a command."""
FIXED = 0x04
ON = 0x08

GLYPHS = {
    0x00: " ", 0x3F: "0", 0x06: "1", 0x5B: "2", 0x4F: "3", 0x66: "4",
    0x6D: "5", 0x7D: "6", 0x07: "7", 0x7F: "8", 0x6F: "9", 0x40: "-",
}  # fmt: skip  # a table
"""What people read in a digit; the lowest bit is its top segment, then clockwise, the middle last."""


class SimulatedTM1637:
    """The chip at two simulated pins; it has power when made."""

    def __init__(self, clock: Any, data: Any) -> None:
        self._clock, self._data = clock, data
        self._was = self._levels
        self._power_up()
        self.fights = 0
        """How often somebody drove the data line high against the chip."""
        clock.watchers.append(self._look)
        data.watchers.append(self._look)

    @property
    def segments(self) -> tuple[int, ...]:
        """What glows of each of the four digits."""
        return tuple(self._registers[:DIGITS]) if self._is_on else (0,) * DIGITS

    @property
    def text(self) -> str:
        """What people read, a character a digit; `?` for a digit that is none."""
        return "".join(GLYPHS.get(each, "?") for each in self.segments)

    @property
    def brightness(self) -> int:
        """From 0 to 7; -1 while it is dark."""
        return self._brightness if self._is_on else -1

    def unplug(self) -> None:
        """It loses power: it is dark, says nothing, and forgets everything."""
        self._has_power = False
        self._is_on = False
        self._data.pull_down(self, is_down=False)

    def plug_in(self) -> None:
        """It has power again, and shows nothing until it is told to."""
        self._power_up()

    def _power_up(self) -> None:
        self._has_power = True
        self._is_on = False
        self._brightness = 0
        self._registers = bytearray(GRIDS)
        self._address, self._is_fixed = 0, False
        self._listening = False
        self._begin()

    def _begin(self) -> None:
        self._bits: list[bool] = []
        self._is_first = True

    @property
    def _levels(self) -> tuple[bool, bool]:
        return bool(self._clock.state), bool(self._data.state)

    def _look(self) -> None:
        (clock, data), (clock_was, data_was) = self._levels, self._was
        self._was = clock, data
        if not self._has_power:
            return
        if clock and clock_was and data != data_was:
            self._listening = not data  # data may only move while the clock is low, but to start and to stop
            self._begin()
        elif self._listening and clock and not clock_was:
            self._rise(data=data)
        elif self._listening and clock_was and not clock:
            self._fall()

    def _rise(self, *, data: bool) -> None:
        if len(self._bits) < BITS:
            self._bits.append(data)
        elif self._data.function == "output" and data:
            self.fights += 1

    def _fall(self) -> None:
        if self._data.is_pulled_by(self):
            self._data.pull_down(self, is_down=False)
            self._take(sum(bit << at for at, bit in enumerate(self._bits)))
            self._bits, self._is_first = [], False
        elif len(self._bits) == BITS:
            self._data.pull_down(self, is_down=True)

    def _take(self, byte: int) -> None:
        kind = byte >> 6
        if not self._is_first:
            if self._address < GRIDS:
                self._registers[self._address] = byte
            self._address += not self._is_fixed
        elif kind == DATA:
            self._is_fixed = bool(byte & FIXED)
        elif kind == DISPLAY:
            self._is_on, self._brightness = bool(byte & ON), byte & 0x07
        elif kind == ADDRESS:
            self._address = byte & 0x0F
