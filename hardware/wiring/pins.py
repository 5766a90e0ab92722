"""The pins of a Raspberry Pi's 40-pin header, by both of their numbers.

    from hardware.wiring.pins import pin

    print(pin("BOARD11"))  # GPIO17 (physical pin 11)

It knows names and places and touches no metal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.errors import UserError
from companion.files import toml
from companion.texts import Say, say

ON_THE_BOARD = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8,
    15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip  # a table of the header
"""The physical pin of each GPIO that may be used; GPIO0 and GPIO1 belong to the memory of a HAT."""
AT = {physical: gpio for gpio, physical in ON_THE_BOARD.items()}
POWER: Mapping[int, str] = {
    **dict.fromkeys((1, 17), "3.3 V"),
    **dict.fromkeys((2, 4), "5 V"),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "ground"),
    **dict.fromkeys((27, 28), "GPIO0/GPIO1"),
}
PULLED_UP = (2, 3)
"""GPIOs with a resistor to 3.3 V on the board."""

I2C = {2: "SDA", 3: "SCL"}
UART = {14: "TXD", 15: "RXD"}
SPI: Mapping[int, Mapping[int, str]] = {
    0: {9: "MISO", 10: "MOSI", 11: "SCLK"},
    1: {19: "MISO", 20: "MOSI", 21: "SCLK"},
}
CHIP_SELECT: Mapping[int, tuple[int, ...]] = {0: (8, 7), 1: (18, 17, 16)}
"""The select line of each device of a bus, in the order of their numbers."""

ROLES: Mapping[int, str] = {
    **{number: f"I²C {use}" for number, use in I2C.items()},
    **{number: f"UART {use}" for number, use in UART.items()},
    **{number: f"SPI{bus} {use}" for bus, uses in SPI.items() for number, use in uses.items()},
    **{number: f"SPI{bus} CE{at}" for bus, pins in CHIP_SELECT.items() for at, number in enumerate(pins)},
}
"""What a GPIO does beside being on or off, where that is switched on."""

ALLOWED_PINS = say('a name from "GPIO2" to "GPIO27", or "BOARD" and the number of the physical pin')
DIGITS = re.compile("[0-9]{1,9}")
_NAME = re.compile(r"(GPIO|BOARD)([1-9][0-9]?|0)")


class NoPin(UserError, ValueError):
    """A text or number that names no pin; its text says why."""


class Pin(int):
    """A pin by its GPIO number, which is how it is written: `GPIO17`."""

    @property
    def physical(self) -> int:
        """Where it is on the header, from 1 to 40."""
        return ON_THE_BOARD[self]

    def __str__(self) -> str:
        return f"GPIO{int(self)}"

    __repr__ = __str__


def pin(written: object) -> Pin:
    """The pin that is meant by `"GPIO17"` or `"BOARD11"`; raises `NoPin`."""
    is_number = type(written) is int or (isinstance(written, str) and DIGITS.fullmatch(written))
    if is_number:
        raise NoPin(_both_readings(int(str(written))))
    found = _NAME.fullmatch(written) if isinstance(written, str) else None
    if found is None:
        raise NoPin(say("{written} is not a pin", written=toml.quote_value(written)))
    number = int(found[2])
    if found[1] == "BOARD":
        if number in POWER:
            raise NoPin(say("BOARD{number} is {what}", number=number, what=POWER[number]))
        number = AT.get(number, -1)
    if number not in ON_THE_BOARD:
        raise NoPin(say("{written} is not a pin", written=found[0]))
    return Pin(number)


def _both_readings(number: int) -> Say:
    """What a bare number could mean: nobody knows which of the two was counted."""
    if number not in ON_THE_BOARD:
        return say('{number} is not a pin; write "GPIO…" or "BOARD…"', number=number)
    return say(
        '{number} can mean two pins: "GPIO{number}" is the physical pin {physical}, '
        '"BOARD{number}" is {other}',
        number=number,
        physical=ON_THE_BOARD[number],
        other=f"GPIO{AT[number]}" if number in AT else POWER[number],
    )
