"""The open files of a state directory, and whether they are still there.

A file whose directory was removed, or whose stick was pulled, takes what is written to it and keeps it for
nobody: so every write looks for it before and after.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from companion.errors import StoreUnavailable
from companion.store.rows import SELECT_CHANGE_COUNT, SET_CHANGE_COUNT
from companion.store.troubles import is_disk_failure, translate_errors
from companion.texts import say

DatabaseChange = Callable[[sqlite3.Connection], object]


class OpenDatabases:
    """What lies in `directory`: the `games`, the `sealed` drafts, and the backup that follows the games.

    `lost`: what was written last is nowhere, because the directory is gone or its disk fails.
    """

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
        self.lost = False
        self._backup = backup
        self._there = {path: _file_identity(path) for path in written}

    def reading(self) -> AbstractContextManager[None]:
        """Whatever the disk refuses becomes a `StoreUnavailable` with a sentence."""
        return translate_errors(self.directory)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Checks before and after a write that the files lie where the next start looks for them."""
        try:
            self._look()
            with translate_errors(self.directory):
                yield
            self._look()
        except StoreUnavailable as error:
            self.lost = error.__cause__ is None or is_disk_failure(error.__cause__)
            raise
        self.lost = False

    def add(self, sql: str, row: Sequence[object]) -> None:
        """Keeps one row; it is on the disk when this returns, and on its way to the backup."""
        with self.writing():
            self.games.execute(sql, row)
        self._follow(lambda backup: backup.execute(sql, row))

    def change(self, do: DatabaseChange) -> None:
        """Runs several statements in one transaction, which is on the disk when this returns."""
        with self.writing():
            _run_in_transaction(self.games, do)
            deeds = self.games.execute(SELECT_CHANGE_COUNT).fetchone()

        def again(backup: sqlite3.Connection) -> None:
            do(backup)
            backup.execute(SET_CHANGE_COUNT, deeds)

        self._follow(lambda backup: _run_in_transaction(backup, again))

    def _follow(self, do: DatabaseChange) -> None:
        """The backup does it after the games; where it can't, it waits for the evening's end."""
        if self._backup is not None:
            try:
                do(self._backup)
            except sqlite3.Error:
                self._backup = None

    def move(self, other: OpenDatabases) -> None:
        """From now on everything is kept where another keeps it."""
        vars(self).update(vars(other))

    def _look(self) -> None:
        for path, file in self._there.items():
            if _file_identity(path) != file:
                text = (
                    "The directory with the saved games, {directory}, is missing. Put the directory or its "
                    "USB stick back, or choose another directory with --state."
                )
                raise StoreUnavailable(say(text, directory=str(self.directory)))


def _run_in_transaction(db: sqlite3.Connection, do: DatabaseChange) -> None:
    with db:
        db.execute("BEGIN IMMEDIATE")
        do(db)


def _file_identity(path: Path) -> tuple[int, int] | None:
    """Which file lies there: its device and its inode."""
    try:
        found = os.stat(path)  # noqa: PTH116 - half the time of Path.stat, before and after every answer
    except OSError:
        return None
    return found.st_dev, found.st_ino
