"""Home as it was seen last: drawn at once at the next start, while games and devices are still being loaded.

Nothing depends on it. What is wrong with it, or no longer so, is put right as soon as the games are there.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from companion.files.atomic import put
from companion.files.plain import read_plain
from ui.evening.boxes import BoxLid, Going

FILE = "home.json"
"""Its name in the state directory."""
MOST = 2**20
"""Bytes of the file; with fifty games that go on it has some 20,000."""


class Glimpse(msgspec.Struct, frozen=True):
    """The language, the lids on the shelf and the games that go on."""

    lang: str
    lids: tuple[BoxLid, ...]
    going: tuple[Going, ...]


def recall(file: Path) -> Glimpse | None:
    """What was kept; None where nothing can be read."""
    try:
        return msgspec.json.decode(read_plain(file, MOST, follow=False), type=Glimpse)
    except (OSError, msgspec.MsgspecError):
        return None


def keep(file: Path, glimpse: Glimpse) -> None:
    """Keeps it for the next start; a disk that can't is no reason to say anything."""
    with suppress(OSError):
        put(file, msgspec.json.encode(glimpse))
