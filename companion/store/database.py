"""Opens SQLite files the way they are used here, sees whether they are sound, and sets damaged ones aside."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

from companion.files.regular_files import ensure_private_file
from companion.store.schema import check_version_known, has_expected_schema, migrate, schema_version
from companion.store.troubles import DAMAGE_SQLITE_CODES, DECODE_ERRORS, primary_sqlite_code

LOCK_WAIT_SECONDS = 1.0
"""Seconds to wait for somebody who looks into the file with a tool of their own."""


def open_for_writing(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    """A file to write in, brought up to date: each statement is its own commit and costs one fsync.

    Its owner alone may read it, and what SQLite keeps beside it.
    """
    ensure_private_file(path)
    for file in (sqlite_side_file(path, "-wal"), sqlite_side_file(path, "-shm")):
        if file.exists():
            ensure_private_file(file)
    db = _add_functions(sqlite3.connect(path, timeout=LOCK_WAIT_SECONDS, isolation_level=None))
    with close_on_failure(db):
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        migrate(db, migrations)
    return db


@contextmanager
def close_on_failure(db: sqlite3.Connection) -> Iterator[None]:
    """Leaves a database open unless something goes wrong."""
    try:
        yield
    except BaseException:
        db.close()
        raise


def checkpoint_wal(db: sqlite3.Connection) -> None:
    """Moves everything from the -wal into the file and empties the -wal."""
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def open_read_only(path: Path) -> sqlite3.Connection:
    """A file that is only read: not even its -wal is folded in when it is closed."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    # SQLite wants to make a -shm even to read; where nobody can write, nothing changes under the reader.
    if not os.access(path.parent, os.W_OK) and not sqlite_side_file(path, "-wal").exists():
        uri += "&immutable=1"
    return _add_functions(sqlite3.connect(uri, uri=True, timeout=LOCK_WAIT_SECONDS, isolation_level=None))


def open_in_memory(migrations: Sequence[str]) -> sqlite3.Connection:
    """An empty database that nobody keeps."""
    db = _add_functions(sqlite3.connect(":memory:", isolation_level=None))
    migrate(db, migrations)
    return db


def open_for_reading(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    """A file to look into, also while it is written; an older one through a copy that is up to date."""
    if not path.exists():
        return open_in_memory(migrations)
    db = open_read_only(path)
    with close_on_failure(db):
        have = schema_version(db)
        check_version_known(have, migrations)
    if have == len(migrations):
        return db
    copy = _add_functions(sqlite3.connect(":memory:", isolation_level=None))
    with closing(db):
        db.backup(copy)
    migrate(copy, migrations)
    return copy


def is_intact(path: Path, migrations: Sequence[str], reads: Callable[[sqlite3.Connection], bool]) -> bool:
    """Whether a file is whole, page by page, and reads as it should; `StoreUnavailable` if it is newer.

    A file that isn't there is sound, and so is one without tables yet.
    """
    if not has_content(path):
        return True
    _roll_back_unfinished_write(path)
    with closing(open_read_only(path)) as db, ignore_damage():
        if not has_expected_schema(db, migrations):
            return False
        check_version_known(have := schema_version(db), migrations)
        return db.execute("PRAGMA quick_check").fetchone() == ("ok",) and (have == 0 or reads(db))
    return False


@contextmanager
def ignore_damage() -> Iterator[None]:
    """Ends a look into a database at what is damaged there; anything else is raised."""
    try:
        yield
    except DECODE_ERRORS:
        pass
    except sqlite3.DatabaseError as error:
        if primary_sqlite_code(error) not in DAMAGE_SQLITE_CODES:
            raise


def _roll_back_unfinished_write(path: Path) -> None:
    """What the power ended while the file was being made; who only looks may not take that back."""
    if sqlite_side_file(path, "-journal").exists():
        with closing(sqlite3.connect(path, timeout=LOCK_WAIT_SECONDS)) as db, suppress(sqlite3.DatabaseError):
            schema_version(db)


def has_content(path: Path) -> bool:
    """Whether there is a file with anything in it; SQLite would delete the -wal beside an empty one."""
    return path.exists() and path.stat().st_size > 0


def set_damaged_aside(path: Path) -> Path:
    """Renames a database and its -wal to `NAME.damaged-1.sqlite3` (2, 3, …) and returns the new path."""
    names = (path.with_name(f"{path.stem}.damaged-{number}{path.suffix}") for number in count(1))
    aside = next(name for name in names if not name.exists() and not sqlite_side_file(name, "-wal").exists())
    sqlite_side_file(path, "-shm").unlink(missing_ok=True)
    for suffix in ("-wal", "-journal", ""):
        if sqlite_side_file(path, suffix).exists():
            sqlite_side_file(path, suffix).rename(sqlite_side_file(aside, suffix))
    return aside


def delete_database(path: Path) -> None:
    """Deletes a database and what SQLite keeps beside it."""
    for suffix in ("-shm", "-wal", "-journal", ""):
        sqlite_side_file(path, suffix).unlink(missing_ok=True)


def _add_functions(db: sqlite3.Connection) -> sqlite3.Connection:
    """Teaches a connection `mark(…)`, and that text which is none is what it is: bytes, as in a BLOB."""
    db.create_function("mark", -1, _row_checksum, deterministic=True)
    db.text_factory = _decode_text
    return db


def _row_checksum(*values: object) -> int:
    """A number that tells a row's values from nearly all others.

    Text comes as bytes too, because SQLite calls nothing with text that is none.
    """
    told = tuple(_decode_text(value) if isinstance(value, bytes) else value for value in values)
    return zlib.crc32(repr(told).encode()) or 1


def _decode_text(raw: bytes) -> str | bytes:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def sqlite_side_file(path: Path, suffix: str) -> Path:
    """SQLite's own file beside a database: `-wal`, `-shm` or `-journal`."""
    return path.with_name(path.name + suffix)
