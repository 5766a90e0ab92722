"""What in hardware.toml doesn't go together, and how that is said: a thing named twice, a pin that two need.

Pure: it sees the wiring and no machine (that is `hardware.doctor.machine`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from companion.errors import UserError
from companion.files import user_files
from companion.texts import Say, Text, say
from hardware.wiring.pins import CHIP_SELECT, PULLED_UP, SPI, UART, Pin
from hardware.wiring.sections import (
    SCHEMES,
    Buttons,
    Buzzer,
    Keypad,
    Light,
    Numpad,
    Reader,
    Section,
    port_of,
)


class WiringError(UserError, ValueError):
    """hardware.toml can't be read, or says what can't be; the text names it."""


class Clash(NamedTuple):
    """What is wrong at a key, such as `light[2].pin`, and what is allowed there."""

    key: str
    why: Text
    may_be: Text

    @property
    def section(self) -> str:
        """The section that it costs, such as `light[2]`."""
        return self.key.partition(".")[0]

    def in_file(self, path: Path) -> Say:
        """The sentence, which names file, key and what is allowed."""
        text = "{file}: {key}: {why}; allowed: {allowed}"
        return say(text, file=str(path), key=self.key or "top", why=self.why, allowed=self.may_be)


UART_PORTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""The serial port on the pins of the header, whatever it is called."""


Placed: TypeAlias = Sequence[tuple[str, Section]]
"""Sections with their keys as errors write them, `light[2]`, in the order of the file's kinds."""


class Claim(msgspec.Struct, frozen=True):
    """Who needs a pin, by key, and as what; a bus is needed by several in common."""

    pin: Pin
    key: str
    use: str = ""


def clashes(sections: Placed) -> Iterator[Clash]:
    """What can't be; of two things that don't go together the later one, or the one that can be moved."""
    yield from _names(sections)
    for key, section in sections:
        match section:
            case Keypad(port=None, id=None):
                yield Clash(
                    key,
                    say('the keys "port" and "id" are both missing'),
                    say('the key "port", the key "id", or both keys'),
                )
            case Buttons():
                yield from _buttons(key, section)
            case Light() if tuple(section.pins) not in {("pin",), ("red", "green", "blue")}:
                yield Clash(
                    key,
                    _given(section),
                    say('the key "pin" alone, or the keys "red", "green" and "blue" together'),
                )
    yield from _pins(sections)


def claims(sections: Placed) -> Iterator[Claim]:
    """Every pin that is needed: first those of buses and ports, which can't be chosen."""
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


def _names(sections: Placed) -> Iterator[Clash]:
    taken: dict[tuple[type, str, object], str] = {}
    for key, section in sections:
        for field in section.once:
            value = unique_value(section, field)
            first = taken.setdefault((type(section), field, value), key)
            if value is not None and first != key:
                why = say("{key} already uses {value}", value=getattr(section, field) or value, key=first)
                yield Clash(f"{key}.{field}", why, say("each {key} only once", key=field))


def unique_value(section: Section, field: str) -> str | int | None:
    """What no other device of its kind may have in that field; None: any may."""
    if isinstance(section, Buzzer):
        return section.seat or "table"
    # Two names in /dev may be one port.
    if isinstance(section, Keypad) and field == "port" and section.port is not None:
        return user_files.resolve_link(section.port)
    if isinstance(section, Numpad) and field == "port":
        return port_of(section.port)
    value: str | int | None = getattr(section, field)
    return value


def _buttons(key: str, buttons: Buttons) -> Iterator[Clash]:
    if tuple(buttons.pins) not in SCHEMES:
        yield Clash(
            key,
            _given(buttons),
            say('the key "tap" alone; the keys "plus" and "ok"; or the keys "minus", "plus" and "ok"'),
        )
    for name, pin in buttons.pins.items():
        if buttons.active == "high" and pin in PULLED_UP:
            why = say('{pin} has a pull-up resistor on the board, so active = "high" doesn\'t work', pin=pin)
            yield Clash(f"{key}.{name}", why, say('another pin, or the setting active = "low"'))


def _given(section: Section) -> Text:
    return say("found: {keys}", keys=", ".join(section.pins) or say("no pins"))


def _pins(sections: Placed) -> Iterator[Clash]:
    taken: dict[Pin, Claim] = {}
    for claim in claims(sections):
        first = taken.setdefault(claim.pin, claim)
        if first is claim or (first.use and first.use == claim.use):
            continue
        if first.use:
            why = say("{key} already uses {pin} as {use}", pin=claim.pin, use=first.use, key=first.key)
        else:
            why = say("{key} already uses {value}", value=claim.pin, key=first.key)
        yield Clash(claim.key, why, say("each {key} only once", key="pin"))
