"""Finds and reads hardware.toml."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.errors import UserError
from companion.files import toml, user_files
from companion.files.state_directory import OWNER_ONLY_FILE_MODE
from companion.texts import say
from hardware.wiring.conflicts import Clash, WiringError, clashes
from hardware.wiring.pins import Pin, pin
from hardware.wiring.sections import KINDS, TYPES, Section, Wiring, allowed

FILE = "hardware.toml"
SHARED = Path("/etc/companion")
FOR_ALL = 0o644
MOST = 20
"""Sections of a kind that are looked at; five seats have devices."""
INDEX = re.compile(r"\[\d+\]")


def config_folders(environ: Mapping[str, str]) -> list[Path]:
    """Where configuration is looked for, in this order."""
    chosen = [Path(folder)] if (folder := environ.get("COMPANION_CONFIG")) else []
    return [*chosen, Path(environ.get("HOME", "/")) / ".config/companion", SHARED]


def find_config(name: str, folders: Sequence[Path]) -> Path | None:
    """The first such file in these folders, or None; what can't be read counts, and its reader says so."""
    return next((folder / name for folder in folders if os.path.lexists(folder / name)), None)


def rights_of(path: Path) -> int:
    """Who may read a hardware.toml; that of the machine the service, root and whoever is logged in share."""
    return FOR_ALL if path.parent == SHARED else OWNER_ONLY_FILE_MODE


def read_wiring(folders: Sequence[Path] | None = None) -> Wiring:
    """The wiring of this machine; empty if there is no hardware.toml. Raises WiringError."""
    path = find_config(FILE, config_folders(os.environ) if folders is None else folders)
    return Wiring() if path is None else load_wiring(path)


def load_wiring(path: Path) -> Wiring:
    """The wiring that this file describes; sections that can't be are its `faults`.

    Raises WiringError where there is no file, or nothing of it can be read.
    """
    try:
        text = user_files.read_text(path, toml.MAX_FILE_CHARACTERS)
    except UserError as error:
        raise WiringError(error.text) from error
    return parse_wiring(path, text)


def parse_wiring(path: Path, text: str) -> Wiring:
    """The wiring that this text describes, which stands or is to stand in that file.

    Raises WiringError as `load_wiring` does.
    """
    try:
        rows = toml.parse_toml(text)
    except UserError as error:
        raise WiringError(say("{file}: can't be read: {why}", file=str(path), why=error.text)) from error
    unknown = (say("unknown key {key}", key=key) for key in rows if key not in TYPES)
    faults = [Clash("", why, KINDS) for why in unknown]
    found = [each for kind in TYPES for each in _sections(kind, rows.get(kind, []))]
    faults += [each for _, each in found if isinstance(each, Clash)]
    placed = {key: each for key, each in found if isinstance(each, Section)}
    while clash := next(clashes(list(placed.items())), None):
        faults.append(clash)
        del placed[clash.section]
    return replace(_wiring(placed), faults=tuple(fault.in_file(path) for fault in faults))


def _sections(kind: str, rows: object) -> Iterator[tuple[str, Section | Clash]]:
    """Every section of a kind by its key, or what is wrong with it."""
    if not isinstance(rows, list):
        yield (
            kind,
            Clash(kind, say("{value} isn't allowed here", value=toml.quote_value(rows)), allowed(kind)),
        )
        return
    for number, row in enumerate(rows[:MOST], 1):
        key = f"{kind}[{number}]"
        try:
            yield key, toml.convert_value(row, TYPES[kind], _pin)
        except toml.InvalidTomlValue as error:
            at = f".{error.key}" if error.key else ""
            yield key, Clash(key + at, error.text, allowed(f"{kind}[]{INDEX.sub('[]', at)}"))
    if len(rows) > MOST:
        count = say("there are {count} devices of this kind", count=len(rows))
        yield kind, Clash(kind, count, say("at most {most}", most=MOST))


def _wiring(placed: Mapping[str, Section]) -> Wiring:
    kinds: dict[str, Any] = {
        kind: tuple(each for key, each in placed.items() if key.startswith(f"{kind}[")) for kind in TYPES
    }
    wiring = Wiring(**kinds)
    counted = [key for key, _ in wiring.sections()]
    moved = {each.device: key for at, (key, each) in zip(counted, placed.items(), strict=True) if at != key}
    return replace(wiring, keys=moved)


def _pin(kind: type, written: object) -> Pin:
    assert kind is Pin
    return pin(written)
