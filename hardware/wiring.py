"""hardware.toml: which device sits where. Only keypads yet.

    from hardware.wiring import read_wiring

    for keypad in read_wiring().keypad:
        print(keypad.device, keypad.port or keypad.id)

The file is checked as a whole before any device is touched.
"""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from companion.errors import TableError
from companion.seats import COLOURS
from companion.words import Text, say
from hardware.protocol import ID

FILE = "hardware.toml"
MOST_SEATS = len(COLOURS)


class WiringError(TableError, ValueError):
    """hardware.toml says something that can't be; the text names file, key and what is allowed."""


class Keypad(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One keypad: its seat, and the port it is at, the id it says, or both."""

    seat: Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)]
    port: Annotated[str, msgspec.Meta(pattern="^/")] | None = None
    id: Annotated[str, msgspec.Meta(pattern=f"^{ID}$")] | None = None

    @property
    def device(self) -> str:
        """The name by which signals speak of it."""
        return f"keypad {self.seat}"


class Wiring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    keypad: tuple[Keypad, ...] = ()


ALLOWED: Mapping[str, Text] = {
    "": "[[keypad]]",
    "keypad": say("[[keypad]], one for each keypad"),
    "keypad[]": "seat, port, id",
    "keypad[].seat": say("a whole number from 1 to {most}", most=MOST_SEATS),
    "keypad[].port": say('a path such as "/dev/serial/by-id/…"'),
    "keypad[].id": say("1 to 24 of the letters A-Z a-z, digits, - _ and ."),
}
"""What may stand at each key; errors and the documentation say it in these words."""


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
        wiring = msgspec.convert(tomllib.loads(path.read_text("utf-8")), Wiring)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WiringError(say("{file}: can't be read: {why}", file=str(path), why=str(error))) from error
    except msgspec.ValidationError as error:
        raise _misfit(path, str(error)) from error
    for number, keypad in enumerate(wiring.keypad, 1):
        _check(path, number, keypad, wiring.keypad[: number - 1])
    return wiring


def _misfit(path: Path, message: str) -> WiringError:
    why, _, place = message.partition(" - at ")
    steps = place.strip("`").removeprefix("$").removeprefix(".")
    key = re.sub(r"\[(\d+)\]", lambda match: f"[{int(match[1]) + 1}]", steps)
    allowed = ALLOWED[re.sub(r"\[\d+\]", "[]", steps)]
    return _error(path, key, why.replace("Object", "section"), allowed)


def _check(path: Path, number: int, keypad: Keypad, before: Sequence[Keypad]) -> None:
    key = f"keypad[{number}]"
    if keypad.port is None and keypad.id is None:
        raise _error(path, key, say("port and id are both missing"), say("a port, an id or both"))
    for other, earlier in enumerate(before, 1):
        for field in ("seat", "port", "id"):
            if (value := _value(keypad, field)) is not None and value == _value(earlier, field):
                why = say("{value} is taken by {key}", value=getattr(keypad, field), key=f"keypad[{other}]")
                raise _error(path, f"{key}.{field}", why, say("each {key} once", key=field))


def _value(keypad: Keypad, field: str) -> object:
    # Two names in /dev may be one port.
    if field == "port" and keypad.port is not None:
        return os.path.realpath(keypad.port)
    return getattr(keypad, field)


def _error(path: Path, key: str, why: Text, allowed: Text) -> WiringError:
    return WiringError(
        say(
            "{file}: {key}: {why}; allowed: {allowed}",
            file=str(path),
            key=key or "top",
            why=why,
            allowed=allowed,
        )
    )
