"""What in hardware.toml doesn't go together: a thing named twice, a pin that two devices need.

Pure: it sees the wiring and no machine (that is `hardware.machine`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from companion.words import Text, say
from hardware.pins import CHIP_SELECT, PULLED_UP, SPI, UART, Pin
from hardware.wiring.errors import wiring_error
from hardware.wiring.sections import (
    SCHEMES,
    Buttons,
    Buzzer,
    Keypad,
    Light,
    Numpad,
    Reader,
    Section,
    Wiring,
    port_of,
)

UART_PORTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""The serial port on the pins of the header, whatever it is called."""


class Claim(msgspec.Struct, frozen=True):
    """Who needs a pin, by key, and as what; a bus is needed by several in common."""

    pin: Pin
    key: str
    use: str = ""


def check(path: Path, wiring: Wiring) -> None:
    """Raises WiringError about the first thing that can't be."""
    _check_names(path, wiring)
    for key, section in wiring.sections():
        match section:
            case Keypad(port=None, id=None):
                why = say("port and id are both missing")
                raise wiring_error(path, key, why, say("a port, an id or both"))
            case Buttons():
                _check_buttons(path, key, section)
            case Light() if tuple(section.pins) not in {("pin",), ("red", "green", "blue")}:
                raise wiring_error(path, key, _given(section), say("pin alone, or red, green and blue"))
    _check_pins(path, wiring)


def claims(wiring: Wiring) -> Iterator[Claim]:
    """Every pin that is needed: first those of buses and ports, which can't be chosen."""
    sections = wiring.sections()
    for key, section in sections:
        if isinstance(section, Keypad) and section.port in UART_PORTS:
            yield from (Claim(Pin(number), f"{key}.port", f"UART {use}") for number, use in UART.items())
        if isinstance(section, Reader):
            yield from _spi(key, section)
    for key, section in sections:
        yield from (Claim(pin, f"{key}.{name}") for name, pin in section.pins.items())


def _spi(key: str, reader: Reader) -> Iterator[Claim]:
    bus, number = reader.bus
    for at, use in SPI[bus].items():
        yield Claim(Pin(at), f"{key}.spi", f"SPI{bus} {use}")
    # The kernel holds the select lines of devices that nobody uses as well.
    for other, at in enumerate(CHIP_SELECT[bus]):
        if bus == 0 or other <= number:
            yield Claim(Pin(at), f"{key}.spi", f"SPI{bus} CE{other}")


def _check_names(path: Path, wiring: Wiring) -> None:
    taken: dict[tuple[type, str, object], str] = {}
    for key, section in wiring.sections():
        for field in section.once:
            value = _value(section, field)
            first = taken.setdefault((type(section), field, value), key)
            if value is not None and first != key:
                why = say("{value} is taken by {key}", value=getattr(section, field) or value, key=first)
                raise wiring_error(path, f"{key}.{field}", why, say("each {key} once", key=field))


def _value(section: Section, field: str) -> str | int | None:
    if isinstance(section, Buzzer):
        return section.seat or "table"
    # Two names in /dev may be one port.
    if isinstance(section, Keypad) and field == "port" and section.port is not None:
        return os.path.realpath(section.port)
    if isinstance(section, Numpad) and field == "port":
        return port_of(section.port)
    value: str | int | None = getattr(section, field)
    return value


def _check_buttons(path: Path, key: str, buttons: Buttons) -> None:
    if tuple(buttons.pins) not in SCHEMES:
        may_be = say("tap alone; plus and ok; or minus, plus and ok")
        raise wiring_error(path, key, _given(buttons), may_be)
    for name, pin in buttons.pins.items():
        if buttons.active == "high" and pin in PULLED_UP:
            why = say("{pin} is pulled up on the board, so it can't be active high", pin=pin)
            raise wiring_error(path, f"{key}.{name}", why, say('any other pin, or active = "low"'))


def _given(section: Section) -> Text:
    return say("there are: {keys}", keys=", ".join(section.pins) or say("no pins"))


def _check_pins(path: Path, wiring: Wiring) -> None:
    taken: dict[Pin, Claim] = {}
    for claim in claims(wiring):
        first = taken.setdefault(claim.pin, claim)
        if first is claim or (first.use and first.use == claim.use):
            continue
        if first.use:
            why = say("{pin} is {use}, which {key} needs", pin=claim.pin, use=first.use, key=first.key)
        else:
            why = say("{value} is taken by {key}", value=claim.pin, key=first.key)
        raise wiring_error(path, claim.key, why, say("each {key} once", key="pin"))
