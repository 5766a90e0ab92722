"""Finds and reads hardware.toml."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from companion.words import Text, say
from hardware.pins import NoPin, Pin, pin
from hardware.wiring.conflicts import check
from hardware.wiring.errors import WiringError, wiring_error
from hardware.wiring.sections import Wiring, allowed

FILE = "hardware.toml"


def config_folders(environ: Mapping[str, str]) -> list[Path]:
    """Where configuration is looked for, in this order."""
    chosen = [Path(folder)] if (folder := environ.get("COMPANION_CONFIG")) else []
    return [*chosen, Path(environ.get("HOME", "/")) / ".config/companion", Path("/etc/companion")]


def find_config(name: str, folders: Sequence[Path]) -> Path | None:
    """The first such file in these folders, or None."""
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def read_wiring(folders: Sequence[Path] | None = None) -> Wiring:
    """The wiring of this machine; empty if there is no hardware.toml. Raises WiringError."""
    path = find_config(FILE, config_folders(os.environ) if folders is None else folders)
    return Wiring() if path is None else load_wiring(path)


def load_wiring(path: Path) -> Wiring:
    """The wiring that this file describes. Raises WiringError."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from error
    return parse_wiring(path, text)


def parse_wiring(path: Path, text: str) -> Wiring:
    """The wiring that this text describes, which stands or is to stand in that file. Raises WiringError."""
    try:
        wiring = msgspec.convert(tomllib.loads(text), Wiring, dec_hook=_pin)
    except tomllib.TOMLDecodeError as error:
        raise _unreadable(path, error) from error
    except msgspec.ValidationError as error:
        raise _misfit(path, error) from error
    check(path, wiring)
    return wiring


def _unreadable(path: Path, error: Exception) -> WiringError:
    return WiringError(say("{file}: can't be read: {why}", file=str(path), why=str(error)))


def _pin(kind: type, written: object) -> Pin:
    assert kind is Pin
    return pin(written)


def _misfit(path: Path, error: msgspec.ValidationError) -> WiringError:
    said, _, place = str(error).partition(" - at ")
    why: Text = (
        error.__cause__.text if isinstance(error.__cause__, NoPin) else said.replace("Object", "section")
    )
    steps = place.strip("`").removeprefix("$").removeprefix(".")
    key = re.sub(r"\[(\d+)\]", lambda match: f"[{int(match[1]) + 1}]", steps)
    return wiring_error(path, key, why, allowed(re.sub(r"\[\d+\]", "[]", steps)))
