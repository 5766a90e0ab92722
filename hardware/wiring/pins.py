"""The pins of a Raspberry Pi's 40-pin header, by both of their numbers.

    from hardware.wiring.pins import parse_pin

    print(parse_pin("BOARD11"))  # GPIO17 (physical pin 11)

This module has only names and numbers, and touches no pin.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.errors import UserError
from companion.files import toml
from companion.texts import Say, say

PHYSICAL_PIN_OF_GPIO = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8,
    15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip  # a table of the header
"""Physical pin of each usable GPIO.

GPIO0 and GPIO1 are missing, because they belong to the memory of a HAT.
"""
GPIO_OF_PHYSICAL_PIN = {physical: gpio for gpio, physical in PHYSICAL_PIN_OF_GPIO.items()}
"""Usable GPIO at each physical pin."""
USE_BY_FIXED_PIN: Mapping[int, str] = {
    **dict.fromkeys((1, 17), "3.3 V"),
    **dict.fromkeys((2, 4), "5 V"),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "ground"),
    **dict.fromkeys((27, 28), "GPIO0/GPIO1"),
}
"""Physical pins that no device can choose, with what each pin is."""
PULLED_UP_GPIOS = (2, 3)
"""GPIOs with a pull-up resistor to 3.3 V on the board."""

I2C_PINS = {2: "SDA", 3: "SCL"}
UART_PINS = {14: "TXD", 15: "RXD"}
SPI_PINS: Mapping[int, Mapping[int, str]] = {
    0: {9: "MISO", 10: "MOSI", 11: "SCLK"},
    1: {19: "MISO", 20: "MOSI", 21: "SCLK"},
}
CHIP_SELECT_GPIOS_BY_BUS: Mapping[int, tuple[int, ...]] = {0: (8, 7), 1: (18, 17, 16)}
"""Chip select GPIOs of each SPI bus, in the order of its devices."""

ROLE_BY_GPIO: Mapping[int, str] = {
    **{number: f"I²C {signal}" for number, signal in I2C_PINS.items()},
    **{number: f"UART {signal}" for number, signal in UART_PINS.items()},
    **{
        number: f"SPI{bus} {signal}"
        for bus, signals in SPI_PINS.items()
        for number, signal in signals.items()
    },
    **{
        number: f"SPI{bus} CE{device}"
        for bus, pins in CHIP_SELECT_GPIOS_BY_BUS.items()
        for device, number in enumerate(pins)
    },
}
"""Special function of each GPIO, such as `I²C SDA`, if that function is switched on."""

ALLOWED_PINS_TEXT = say('a name from "GPIO2" to "GPIO27", or "BOARD" and the number of the physical pin')
DIGITS_PATTERN = re.compile("[0-9]{1,9}")
_PIN_NAME = re.compile(r"(GPIO|BOARD)([1-9][0-9]?|0)")


class InvalidPin(UserError, ValueError):
    """A text or number that names no pin; the error's text says why."""


class Pin(int):
    """A pin of the header by its GPIO number, written as `GPIO17`."""

    @property
    def physical_number(self) -> int:
        """Number of the pin on the header, from 1 to 40."""
        return PHYSICAL_PIN_OF_GPIO[self]

    def __str__(self) -> str:
        return f"GPIO{int(self)}"

    __repr__ = __str__


def parse_pin(value: object) -> Pin:
    """Parses a pin such as `"GPIO17"` or `"BOARD11"`; raises `InvalidPin`."""
    is_number = type(value) is int or (isinstance(value, str) and DIGITS_PATTERN.fullmatch(value))
    if is_number:
        raise InvalidPin(_explain_bare_number(int(str(value))))
    match = _PIN_NAME.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise InvalidPin(say("{written} is not a pin", written=toml.quote_value(value)))
    number = int(match[2])
    if match[1] == "BOARD":
        if number in USE_BY_FIXED_PIN:
            raise InvalidPin(say("BOARD{number} is {what}", number=number, what=USE_BY_FIXED_PIN[number]))
        number = GPIO_OF_PHYSICAL_PIN.get(number, -1)
    if number not in PHYSICAL_PIN_OF_GPIO:
        raise InvalidPin(say("{written} is not a pin", written=match[0]))
    return Pin(number)


def _explain_bare_number(number: int) -> Say:
    """Returns a text with the two pins that a bare number may mean, or says that it means none."""
    if number not in PHYSICAL_PIN_OF_GPIO:
        return say('{number} is not a pin; write "GPIO…" or "BOARD…"', number=number)
    return say(
        '{number} can mean two pins: "GPIO{number}" is the physical pin {physical}, '
        '"BOARD{number}" is {other}',
        number=number,
        physical=PHYSICAL_PIN_OF_GPIO[number],
        other=f"GPIO{GPIO_OF_PHYSICAL_PIN[number]}"
        if number in GPIO_OF_PHYSICAL_PIN
        else USE_BY_FIXED_PIN[number],
    )
