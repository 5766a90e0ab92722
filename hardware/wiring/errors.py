"""The one form of all errors about hardware.toml."""

from __future__ import annotations

from pathlib import Path

from companion.errors import TableError
from companion.words import Text, say


class WiringError(TableError, ValueError):
    """hardware.toml says something that can't be; the text names file, key and what is allowed."""


def wiring_error(path: Path, key: str, why: Text, may_be: Text) -> WiringError:
    """The error about one key, in the form of all of them."""
    return WiringError(
        say(
            "{file}: {key}: {why}; allowed: {allowed}",
            file=str(path),
            key=key or "top",
            why=why,
            allowed=may_be,
        )
    )
