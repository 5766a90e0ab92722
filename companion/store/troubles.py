"""What can go wrong with a disk, as sentences for the people who can mend it."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from companion.errors import StoreUnavailable
from companion.texts import say

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
