"""Finds, reads and checks hardware.toml: wrong keys, a device named twice, a pin that two devices need.

This module checks only the file; `hardware.doctor.machine` checks what the machine lacks.
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
    def skipped_section_key(self) -> str:
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

    If two devices conflict, the mistake is at the later one, or at the one whose pin can be changed.
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
            PinClaim(Pin(bus_pin.gpio), f"{key}.{bus_pin.key}", bus_pin.bus_signal)
            for bus_pin in section.bus_pins()
        )
    for key, section in sections:
        yield from (PinClaim(pin, f"{key}.{field}") for field, pin in section.pins.items())


def _find_duplicates(sections: SectionsWithKeys) -> Iterator[WiringMistake]:
    first_key_by_value: dict[tuple[type, str, object], str] = {}
    for key, section in sections:
        for field in section.unique_fields:
            uniqueness_key = section.uniqueness_key(field)
            first_key = first_key_by_value.setdefault((type(section), field, uniqueness_key), key)
            if uniqueness_key is not None and first_key != key:
                value = getattr(section, field) or uniqueness_key
                why = say("{key} already uses {value}", value=value, key=first_key)
                yield WiringMistake(f"{key}.{field}", why, say("each {key} only once", key=field))


def _find_pin_conflicts(sections: SectionsWithKeys) -> Iterator[WiringMistake]:
    first_claim_by_pin: dict[Pin, PinClaim] = {}
    for claim in list_pin_claims(sections):
        first_claim = first_claim_by_pin.setdefault(claim.pin, claim)
        if first_claim is claim or (first_claim.bus_signal and first_claim.bus_signal == claim.bus_signal):
            continue
        if first_claim.bus_signal:
            why = say(
                "{key} already uses {pin} as {use}",
                pin=claim.pin,
                use=first_claim.bus_signal,
                key=first_claim.key,
            )
        else:
            why = say("{key} already uses {value}", value=claim.pin, key=first_claim.key)
        yield WiringMistake(claim.key, why, say("each {key} only once", key="pin"))


WIRING_FILE = "hardware.toml"
SHARED_FOLDER = Path("/etc/companion")
SHARED_FILE_MODE = 0o644
MAX_SECTIONS_OF_A_TYPE = 20
"""Maximum sections of one type that are read; five seats have devices."""
INDEX_PATTERN = re.compile(r"\[\d+\]")


def config_folders(environ: Mapping[str, str]) -> list[Path]:
    """Returns the folders in which a configuration file is searched, in this order."""
    chosen_folders = [Path(folder)] if (folder := environ.get("COMPANION_CONFIG")) else []
    return [*chosen_folders, Path(environ.get("HOME", "/")) / ".config/companion", SHARED_FOLDER]


def find_config_file(name: str, folders: Sequence[Path]) -> Path | None:
    """Returns the path of the first configuration file with this name in the folders, or None.

    A file that can't be read counts too: whoever reads it reports that.
    """
    return next((folder / name for folder in folders if os.path.lexists(folder / name)), None)


def choose_file_mode_by_folder(path: Path) -> int:
    """Returns the permissions to write a hardware.toml with, by its folder.

    In the shared folder all users may read the file, elsewhere only its owner.
    """
    return SHARED_FILE_MODE if path.parent == SHARED_FOLDER else OWNER_ONLY_FILE_MODE


def read_machine_wiring(folders: Sequence[Path] | None = None) -> Wiring:
    """Reads the wiring of this machine; the wiring is empty if there is no hardware.toml.

    Raises WiringError as `load_wiring_without_faulty_sections` does.
    """
    path = find_config_file(WIRING_FILE, config_folders(os.environ) if folders is None else folders)
    return Wiring() if path is None else load_wiring_without_faulty_sections(path)


def load_wiring_without_faulty_sections(path: Path) -> Wiring:
    """Loads the wiring from this file, without the sections that have mistakes.

    The wiring's `faults` describe the mistakes. Raises WiringError if there is no file, or if nothing in it
    can be read.
    """
    try:
        text = user_files.read_user_file(path, toml.MAX_TOML_CHARACTERS)
    except UserError as error:
        raise WiringError(error.text) from error
    return parse_wiring(path, text)


def parse_wiring(path: Path, text: str) -> Wiring:
    """Parses a text of a hardware.toml as a wiring.

    Messages name `path` as the file of the text. Raises WiringError as `load_wiring_without_faulty_sections`
    does.
    """
    try:
        tables_by_type = toml.parse_toml(text)
    except UserError as error:
        raise WiringError(say("{file}: can't be read: {why}", file=str(path), why=error.text)) from error
    unknown_key_texts = (
        say("unknown key {key}", key=key) for key in tables_by_type if key not in SECTION_TYPE_BY_NAME
    )
    mistakes = [WiringMistake("", why, format_allowed_sections()) for why in unknown_key_texts]
    results = [
        result
        for type_name in SECTION_TYPE_BY_NAME
        for result in _read_sections(type_name, tables_by_type.get(type_name, []))
    ]
    mistakes += [result for _, result in results if isinstance(result, WiringMistake)]
    section_by_key = {key: result for key, result in results if isinstance(result, Section)}
    while mistake := next(find_wiring_mistakes(list(section_by_key.items())), None):
        mistakes.append(mistake)
        del section_by_key[mistake.skipped_section_key]
    return replace(_make_wiring(section_by_key), faults=tuple(each.describe(path) for each in mistakes))


def _read_sections(type_name: str, tables: object) -> Iterator[tuple[str, Section | WiringMistake]]:
    """Yields every section of a type with its key; a mistake instead of a section that has one."""
    if not isinstance(tables, list):
        yield (
            type_name,
            WiringMistake(
                type_name,
                say("{value} isn't allowed here", value=toml.quote_value(tables)),
                describe_allowed_value(type_name),
            ),
        )
        return
    for number, table in enumerate(tables[:MAX_SECTIONS_OF_A_TYPE], 1):
        key = f"{type_name}[{number}]"
        try:
            yield key, toml.convert_value(table, SECTION_TYPE_BY_NAME[type_name], _read_pin)
        except toml.InvalidTomlValue as error:
            field_key = f".{error.key}" if error.key else ""
            yield (
                key,
                WiringMistake(
                    key + field_key,
                    error.text,
                    describe_allowed_value(f"{type_name}[]{INDEX_PATTERN.sub('[]', field_key)}"),
                ),
            )
    if len(tables) > MAX_SECTIONS_OF_A_TYPE:
        count = say("there are {count} devices of this kind", count=len(tables))
        yield type_name, WiringMistake(type_name, count, say("at most {most}", most=MAX_SECTIONS_OF_A_TYPE))


def _make_wiring(section_by_key: Mapping[str, Section]) -> Wiring:
    wiring = Wiring(
        keypad=tuple([section for section in section_by_key.values() if isinstance(section, Keypad)]),
        numpad=tuple([section for section in section_by_key.values() if isinstance(section, Numpad)]),
        buttons=tuple([section for section in section_by_key.values() if isinstance(section, Buttons)]),
        outputs=tuple([section for section in section_by_key.values() if isinstance(section, OutputSection)]),
        reader=tuple([section for section in section_by_key.values() if isinstance(section, Reader)]),
    )
    counted_keys = [key for key, _ in wiring.sections_with_keys()]
    file_key_by_device = {
        section.device_name: key
        for counted_key, (key, section) in zip(counted_keys, section_by_key.items(), strict=True)
        if counted_key != key
    }
    return replace(wiring, file_keys=file_key_by_device)


def _read_pin(kind: type, value: object) -> Pin:
    assert kind is Pin
    return parse_pin(value)
