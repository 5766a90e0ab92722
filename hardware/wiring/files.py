"""Finds, reads and checks hardware.toml: wrong keys, a device named twice, a pin that two devices need.

Only the file is checked here; `hardware.doctor.machine` checks what the machine lacks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from companion.errors import UserError
from companion.files import toml, user_files
from companion.files.state_directory import OWNER_ONLY_FILE_MODE
from companion.texts import Say, Text, say
from hardware.wiring.pins import Pin, parse_pin
from hardware.wiring.sections import (
    SECTION_TYPE_BY_NAME,
    Buttons,
    Keypad,
    Numpad,
    OutputSection,
    Reader,
    Section,
    Wiring,
    describe_allowed_value,
    format_allowed_sections,
)


class WiringError(UserError, ValueError):
    """hardware.toml can't be read, or has a mistake, which the text names."""


class WiringMistake(NamedTuple):
    """A mistake at a key of the file, such as `light[2].pin`: the reason, and what is allowed there."""

    key: str
    why: Text
    allowed: Text

    @property
    def omitted_section_key(self) -> str:
        """Key of the section that is left out because of the mistake, such as `light[2]`."""
        return self.key.partition(".")[0]

    def describe(self, path: Path) -> Say:
        """Returns a sentence with the file, the key, the reason, and what is allowed."""
        text = "{file}: {key}: {why}; allowed: {allowed}"
        return say(text, file=str(path), key=self.key or "top", why=self.why, allowed=self.allowed)


SectionsWithKeys: TypeAlias = Sequence[tuple[str, Section]]
"""Sections with their keys in the file, such as `light[2]`, in the order of the device types."""


class PinClaim(msgspec.Struct, frozen=True):
    """A pin that a key of the file needs.

    `bus_signal` is the signal of a bus, which several devices share; "" for other pins.
    """

    pin: Pin
    key: str
    bus_signal: str = ""


def find_wiring_mistakes(sections: SectionsWithKeys) -> Iterator[WiringMistake]:
    """Yields the mistakes in all sections.

    Of two devices that conflict, at the later one, or at the one that can move.
    """
    yield from _find_duplicates(sections)
    for key, section in sections:
        for mistake in section.find_mistakes():
            yield WiringMistake(f"{key}.{mistake.key}" if mistake.key else key, mistake.why, mistake.allowed)
    yield from _find_pin_conflicts(sections)


def list_pin_claims(sections: SectionsWithKeys) -> Iterator[PinClaim]:
    """Yields every pin that the sections need.

    The pins of buses and ports come first, because they can't be chosen.
    """
    for key, section in sections:
        yield from (
            PinClaim(Pin(gpio), f"{key}.{field}", bus_signal)
            for field, gpio, bus_signal in section.bus_pins()
        )
    for key, section in sections:
        yield from (PinClaim(pin, f"{key}.{field}") for field, pin in section.pins.items())


def _find_duplicates(sections: SectionsWithKeys) -> Iterator[WiringMistake]:
    taken: dict[tuple[type, str, object], str] = {}
    for key, section in sections:
        for field in section.unique_fields:
            value = section.unique_value(field)
            first = taken.setdefault((type(section), field, value), key)
            if value is not None and first != key:
                why = say("{key} already uses {value}", value=getattr(section, field) or value, key=first)
                yield WiringMistake(f"{key}.{field}", why, say("each {key} only once", key=field))


def _find_pin_conflicts(sections: SectionsWithKeys) -> Iterator[WiringMistake]:
    taken: dict[Pin, PinClaim] = {}
    for claim in list_pin_claims(sections):
        first = taken.setdefault(claim.pin, claim)
        if first is claim or (first.bus_signal and first.bus_signal == claim.bus_signal):
            continue
        if first.bus_signal:
            why = say("{key} already uses {pin} as {use}", pin=claim.pin, use=first.bus_signal, key=first.key)
        else:
            why = say("{key} already uses {value}", value=claim.pin, key=first.key)
        yield WiringMistake(claim.key, why, say("each {key} only once", key="pin"))


WIRING_FILE = "hardware.toml"
SHARED_FOLDER = Path("/etc/companion")
SHARED_FILE_MODE = 0o644
MAX_SECTIONS_OF_A_TYPE = 20
"""Maximum sections of one type that are read; five seats have devices."""
INDEX_PATTERN = re.compile(r"\[\d+\]")


def config_folders(environ: Mapping[str, str]) -> list[Path]:
    """Returns the folders in which a configuration file is searched, in this order."""
    chosen = [Path(folder)] if (folder := environ.get("COMPANION_CONFIG")) else []
    return [*chosen, Path(environ.get("HOME", "/")) / ".config/companion", SHARED_FOLDER]


def find_config_file(name: str, folders: Sequence[Path]) -> Path | None:
    """Returns the path of the first configuration file with this name in the folders, or None.

    A file that can't be read counts: its reader reports that.
    """
    return next((folder / name for folder in folders if os.path.lexists(folder / name)), None)


def choose_wiring_file_mode(path: Path) -> int:
    """Returns the permissions to write a hardware.toml with: for all users in the shared folder."""
    return SHARED_FILE_MODE if path.parent == SHARED_FOLDER else OWNER_ONLY_FILE_MODE


def read_machine_wiring(folders: Sequence[Path] | None = None) -> Wiring:
    """Reads the wiring of this machine; empty if there is no hardware.toml.

    Raises WiringError.
    """
    path = find_config_file(WIRING_FILE, config_folders(os.environ) if folders is None else folders)
    return Wiring() if path is None else load_wiring_file(path)


def load_wiring_file(path: Path) -> Wiring:
    """Loads the wiring from this file.

    Sections with mistakes are the wiring's `faults`. Raises WiringError if there is no file, or if nothing
    of it can be read.
    """
    try:
        text = user_files.read_user_file(path, toml.MAX_FILE_CHARACTERS)
    except UserError as error:
        raise WiringError(error.text) from error
    return parse_wiring(path, text)


def parse_wiring(path: Path, text: str) -> Wiring:
    """Parses a text of a hardware.toml as a wiring.

    Messages name `path` as its file. Raises WiringError as `load_wiring_file` does.
    """
    try:
        rows = toml.parse_toml(text)
    except UserError as error:
        raise WiringError(say("{file}: can't be read: {why}", file=str(path), why=error.text)) from error
    unknown = (say("unknown key {key}", key=key) for key in rows if key not in SECTION_TYPE_BY_NAME)
    faults = [WiringMistake("", why, format_allowed_sections()) for why in unknown]
    found = [each for kind in SECTION_TYPE_BY_NAME for each in _read_sections(kind, rows.get(kind, []))]
    faults += [each for _, each in found if isinstance(each, WiringMistake)]
    placed = {key: each for key, each in found if isinstance(each, Section)}
    while clash := next(find_wiring_mistakes(list(placed.items())), None):
        faults.append(clash)
        del placed[clash.omitted_section_key]
    return replace(_make_wiring(placed), faults=tuple(fault.describe(path) for fault in faults))


def _read_sections(kind: str, rows: object) -> Iterator[tuple[str, Section | WiringMistake]]:
    """Yields every section of a type with its key, or what is wrong with it."""
    if not isinstance(rows, list):
        yield (
            kind,
            WiringMistake(
                kind,
                say("{value} isn't allowed here", value=toml.quote_value(rows)),
                describe_allowed_value(kind),
            ),
        )
        return
    for number, row in enumerate(rows[:MAX_SECTIONS_OF_A_TYPE], 1):
        key = f"{kind}[{number}]"
        try:
            yield key, toml.convert_value(row, SECTION_TYPE_BY_NAME[kind], _read_pin)
        except toml.InvalidTomlValue as error:
            at = f".{error.key}" if error.key else ""
            yield (
                key,
                WiringMistake(
                    key + at, error.text, describe_allowed_value(f"{kind}[]{INDEX_PATTERN.sub('[]', at)}")
                ),
            )
    if len(rows) > MAX_SECTIONS_OF_A_TYPE:
        count = say("there are {count} devices of this kind", count=len(rows))
        yield kind, WiringMistake(kind, count, say("at most {most}", most=MAX_SECTIONS_OF_A_TYPE))


def _make_wiring(placed: Mapping[str, Section]) -> Wiring:
    wiring = Wiring(
        keypad=tuple([each for each in placed.values() if isinstance(each, Keypad)]),
        numpad=tuple([each for each in placed.values() if isinstance(each, Numpad)]),
        buttons=tuple([each for each in placed.values() if isinstance(each, Buttons)]),
        outputs=tuple([each for each in placed.values() if isinstance(each, OutputSection)]),
        reader=tuple([each for each in placed.values() if isinstance(each, Reader)]),
    )
    counted = [key for key, _ in wiring.sections_with_keys()]
    moved = {
        each.device_name: key for at, (key, each) in zip(counted, placed.items(), strict=True) if at != key
    }
    return replace(wiring, file_keys=moved)


def _read_pin(kind: type, value: object) -> Pin:
    assert kind is Pin
    return parse_pin(value)
