"""The open databases of a state directory, and disk errors as sentences for people.

If the directory is removed, or its USB stick is pulled, an open file still accepts writes that nobody will
ever read. So every write checks before and after it that the files are still where they were.
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
"""A function that changes one database; it runs on the games and then on their backup."""


class OpenDatabases:
    """The open databases of `directory`: the `games`, the `sealed` drafts, and the backup of the games.

    `is_lost`: the last write went nowhere, because the directory is gone or its disk fails.
    """

    def __init__(
        self,
        directory: Path,
        games: sqlite3.Connection,
        sealed: sqlite3.Connection,
        backup: sqlite3.Connection | None = None,
        expected_paths: Sequence[Path] = (),
    ) -> None:
        self.directory = directory
        self.games = games
        self.sealed = sealed
        self.is_lost = False
        self._backup = backup
        self._identity_by_path = {path: _file_identity(path) for path in expected_paths}

    def translating_disk_errors(self) -> AbstractContextManager[None]:
        """Raises every error of the disk in this context as `StoreUnavailable` with a sentence."""
        return translate_disk_errors(self.directory)

    @contextmanager
    def checking_file_locations(self) -> Iterator[None]:
        """Checks before and after a write that the files are still where the next start looks for them."""
        try:
            self._check_file_locations()
            with translate_disk_errors(self.directory):
                yield
            self._check_file_locations()
        except StoreUnavailable as error:
            self.is_lost = error.__cause__ is None or is_disk_defect(error.__cause__)
            raise
        self.is_lost = False

    def insert_row(self, sql: str, row: Sequence[object]) -> None:
        """Writes one row. When this returns, it is on the disk and on its way to the backup."""
        with self.checking_file_locations():
            self.games.execute(sql, row)
        self._repeat_in_backup(lambda backup: backup.execute(sql, row))

    def run_transaction(self, change: DatabaseChange) -> None:
        """Runs several statements in one transaction, which is on the disk when this returns."""
        with self.checking_file_locations():
            _run_in_transaction(self.games, change)
            change_count = self.games.execute(SELECT_CHANGE_COUNT).fetchone()

        def change_and_set_count(backup: sqlite3.Connection) -> None:
            change(backup)
            backup.execute(SET_CHANGE_COUNT, change_count)

        self._repeat_in_backup(lambda backup: _run_in_transaction(backup, change_and_set_count))

    def _repeat_in_backup(self, change: DatabaseChange) -> None:
        """Repeats a change in the backup; after a failure the backup waits until the store closes."""
        if self._backup is not None:
            try:
                change(self._backup)
            except sqlite3.Error:
                self._backup = None

    def switch_to(self, other: OpenDatabases) -> None:
        """Replaces these databases by those of another directory."""
        vars(self).update(vars(other))

    def _check_file_locations(self) -> None:
        for path, identity in self._identity_by_path.items():
            if _file_identity(path) != identity:
                text = (
                    "The directory with the saved games, {directory}, is missing. Put the directory or its "
                    "USB stick back, or choose another directory with --state."
                )
                raise StoreUnavailable(say(text, directory=str(self.directory)))


def _run_in_transaction(db: sqlite3.Connection, change: DatabaseChange) -> None:
    with db:
        db.execute("BEGIN IMMEDIATE")
        change(db)


def _file_identity(path: Path) -> tuple[int, int] | None:
    """Returns the device and inode of the file at a path; None if there is none."""
    try:
        status = os.stat(path)  # noqa: PTH116 - half the time of Path.stat, before and after every answer
    except OSError:
        return None
    return status.st_dev, status.st_ino


# Errors as sentences


PERMISSION_ERRNOS = {errno.EACCES, errno.EPERM, errno.EROFS}
FULL_ERRNOS = {errno.ENOSPC, errno.EDQUOT}
FULL_SQLITE_CODES = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE}
FAILING_ERRNOS = {errno.EIO, errno.ENODEV, errno.ENXIO}
DAMAGE_SQLITE_CODES = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
PERMISSION_SQLITE_CODES = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
DECODE_ERRORS = (msgspec.DecodeError, UnicodeDecodeError)
"""The errors of decoding JSON that is no event and no draft."""


@contextmanager
def translate_disk_errors(directory: Path) -> Iterator[None]:
    """Raises every error of the system or SQLite as `StoreUnavailable`, an OSError with a sentence."""
    try:
        yield
    except StoreUnavailable:
        raise
    except (sqlite3.Error, OSError, *DECODE_ERRORS) as error:
        raise to_store_unavailable(error, directory) from error


def to_store_unavailable(error: Exception, directory: Path) -> StoreUnavailable:
    """Returns an error of the disk as a `StoreUnavailable`, whose sentence says what people can do."""
    extended_code, number = getattr(error, "sqlite_errorcode", None), getattr(error, "errno", None)
    code = primary_sqlite_code(error)
    text = "The saved games in {directory} can't be used: {why}."
    if extended_code in FULL_SQLITE_CODES or number in FULL_ERRNOS:
        text = "The disk of {directory} is full. Free some space, then try again."
    elif code in PERMISSION_SQLITE_CODES or number in PERMISSION_ERRNOS:
        text = (
            "You have no permission to write in {directory}. Change its permissions, or choose another "
            "directory with --state."
        )
    elif is_disk_defect(error):
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


def is_disk_defect(error: BaseException) -> bool:
    """Returns whether the disk itself has failed or is gone."""
    return (
        primary_sqlite_code(error) == sqlite3.SQLITE_IOERR or getattr(error, "errno", None) in FAILING_ERRNOS
    )


def primary_sqlite_code(error: BaseException) -> int | None:
    """Returns SQLite's primary result code, without the details in its upper bits."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
