"""The open files of a state directory, and whether they are still there.

A file whose directory was removed, or whose stick was pulled, takes what is written to it and keeps it for
nobody: so every write looks for it before and after.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import msgspec

from companion.errors import StoreUnavailable
from companion.store.game_rows import SELECT_CHANGE_COUNT, SET_CHANGE_COUNT
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


# What can go wrong with a disk, as sentences for the people who can mend it.


PERMISSION_ERRNOS = {errno.EACCES, errno.EPERM, errno.EROFS}
FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT}
FULL_SQLITE_CODES = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}
FAILING_ERRNOS = {errno.EIO, errno.ENODEV, errno.ENXIO}
DAMAGE_SQLITE_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
PERMISSION_SQLITE_CODES = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
DECODE_ERRORS = (msgspec.DecodeError, UnicodeDecodeError)
"""What JSON raises that is no event and no draft."""


@contextmanager
def translate_errors(directory: Path) -> Iterator[None]:
    """Whatever the system or SQLite refuses becomes `StoreUnavailable`, a sentence that is an OSError too."""
    try:
        yield
    except StoreUnavailable:
        raise
    except (sqlite3.Error, OSError, *DECODE_ERRORS) as error:
        raise describe_error(error, directory) from error


def describe_error(error: Exception, directory: Path) -> StoreUnavailable:
    """The sentence for one refusal."""
    details, number = getattr(error, "sqlite_errorcode", None), getattr(error, "errno", None)
    code = primary_sqlite_code(error)
    text = "The saved games in {directory} can't be used: {why}."
    if details in FULL_SQLITE_CODES or number in FULL_ERRNOS:
        text = "The disk of {directory} is full. Free some space, then try again."
    elif code in PERMISSION_SQLITE_CODES or number in PERMISSION_ERRNOS:
        text = (
            "You have no permission to write in {directory}. Change its permissions, or choose another "
            "directory with --state."
        )
    elif is_disk_failure(error):
        text = (
            "The disk with {directory} is failing: {why}. Its files may still be readable. Copy the files, "
            "and continue on another disk."
        )
    elif code in DAMAGE_SQLITE_CODES:
        text = (
            "The saved games in {directory} are damaged. Restart the Companion. It moves the damaged file "
            "aside and keeps everything that can be read."
        )
    elif isinstance(error, DECODE_ERRORS):
        text = "A saved game in {directory} is damaged and can't be read to the end."
    return StoreUnavailable(
        say(text, directory=str(directory), why=getattr(error, "strerror", None) or str(error))
    )


def is_disk_failure(error: BaseException) -> bool:
    """Whether the disk itself has failed, or is no longer there."""
    return (
        primary_sqlite_code(error) == sqlite3.SQLITE_IOERR or getattr(error, "errno", None) in FAILING_ERRNOS
    )


def primary_sqlite_code(error: BaseException) -> int | None:
    """SQLite's primary result code, without the details in its upper bits."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
