"""The open files of a state directory, and whether they are still there.

A file whose directory was removed, or whose stick was pulled, takes what is written to it and keeps it for
nobody: so every write looks for it before and after.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from companion.errors import Crowded
from companion.store.chain import APPEND, Row
from companion.store.troubles import spoken
from companion.words import say


class Disk:
    """What lies in `directory`: the `games`, the `sealed` drafts, and the backup that follows the games."""

    def __init__(
        self,
        directory: Path,
        games: sqlite3.Connection,
        sealed: sqlite3.Connection,
        backup: sqlite3.Connection | None = None,
        written: Sequence[Path] = (),
    ) -> None:
        self.directory = directory
        self.games = games
        self.sealed = sealed
        self._backup = backup
        self._there = {path: _file_at(path) for path in written}

    def reading(self) -> AbstractContextManager[None]:
        """Whatever the disk refuses becomes a `Crowded` with a sentence."""
        return spoken(self.directory)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """The same, and what was written is where the next start will look for it, or `Crowded` is raised."""
        self._look()
        with spoken(self.directory):
            yield
        self._look()

    def follow(self, row: Row) -> None:
        """The backup takes an event after the games; where it can't, it waits for the evening's end."""
        if self._backup is not None:
            try:
                self._backup.execute(APPEND, row)
            except sqlite3.Error:
                self._backup = None

    def _look(self) -> None:
        for path, file in self._there.items():
            if _file_at(path) != file:
                text = (
                    "The saved games in {directory} are gone, so nothing can be kept there."
                    " Put the directory or its stick back, or start again with another one: --state."
                )
                raise Crowded(say(text, directory=str(self.directory)))


def _file_at(path: Path) -> tuple[int, int] | None:
    """Which file lies there: its device and its inode."""
    try:
        found = os.stat(path)  # noqa: PTH116 - half the time of Path.stat, before and after every answer
    except OSError:
        return None
    return found.st_dev, found.st_ino
