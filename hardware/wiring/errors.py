"""The one form of all errors about hardware.toml."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from companion.errors import TableError
from companion.words import Say, Text, say


class WiringError(TableError, ValueError):
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
