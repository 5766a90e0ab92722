"""Opens SQLite files the way they are used here, sees whether they are sound, and sets damaged ones aside."""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path

from companion.errors import StoreUnavailable
from companion.files.regular_files import ensure_private_file
from companion.store.disk import DAMAGE_SQLITE_CODES, DECODE_ERRORS, primary_sqlite_code
from companion.texts import say

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


# The tables, as a list of migrations: entry k brings a database from version k to k + 1.
#
# An entry that has been released never changes; a new one is added. `PRAGMA user_version` counts those done.


DROP_ORDER = ("trigger", "view", "index", "table")
"""In this order, as an index goes with its table."""
COUNTED_TABLES = ("game", "tag", "setting", "deleted")
CREATE_KEPT_TABLE = """
    CREATE TABLE kept (deeds INTEGER NOT NULL, marks INTEGER NOT NULL);
    INSERT INTO kept VALUES (0, 0);
    ALTER TABLE deleted ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
"""
CREATE_COUNT_TRIGGERS = """
    CREATE TRIGGER {table}_more AFTER INSERT ON {table}
        BEGIN UPDATE kept SET deeds = deeds + 1, marks = marks + new.mark; END;
    CREATE TRIGGER {table}_other AFTER UPDATE ON {table}
        BEGIN UPDATE kept SET deeds = deeds + 1, marks = marks + new.mark - old.mark; END;
    CREATE TRIGGER {table}_less AFTER DELETE ON {table}
        BEGIN UPDATE kept SET deeds = deeds + 1, marks = marks - old.mark; END;
"""
ADD_ROW_CHECKSUMS = "UPDATE kept SET marks = marks + (SELECT coalesce(sum(mark), 0) FROM {table});"

GAMES_MIGRATIONS = (
    """
    CREATE TABLE game (
        number INTEGER PRIMARY KEY,
        game TEXT NOT NULL,
        names TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'waiting', 'finished', 'put away')),
        result TEXT
    );
    CREATE UNIQUE INDEX one_open_game ON game (state) WHERE state = 'open';
    CREATE TABLE event (
        game INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        n INTEGER NOT NULL,
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (game, seq)
    ) WITHOUT ROWID;
    CREATE TABLE tag (uid TEXT PRIMARY KEY, deck TEXT NOT NULL, card TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    """,
    "CREATE TABLE deleted (number INTEGER PRIMARY KEY);",
    """
    ALTER TABLE event ADD COLUMN chain TEXT NOT NULL DEFAULT '';
    ALTER TABLE game ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tag ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE setting ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
    """,
    CREATE_KEPT_TABLE
    + "".join((CREATE_COUNT_TRIGGERS + ADD_ROW_CHECKSUMS).format(table=table) for table in COUNTED_TABLES),
    "CREATE INDEX reopened ON event (game) WHERE kind = 'Reopened';",
)
"""Logs, tags, settings, and the numbers of games that were deleted, so that none is ever used again.

`names`, `result`, `body` and `value` are JSON; `body` is the whole event. What a bad disk changes is seen by
the `chain` of an event and by the `mark` of any other row, which is `mark(…)` of its other columns; both are
empty in rows from before. A page that is older than the others is seen by `kept`: how often one of those rows
was written, and the sum of their marks. A program that knows no `Reopened` would take a log with one for
damaged; it refuses a database whose version and tables it doesn't know."""

DRAFTS_MIGRATIONS = ("CREATE TABLE draft (game INTEGER NOT NULL, body TEXT NOT NULL);",)
"""What is in closed envelopes; JSON."""


def migrate(db: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Brings a database up to date, each entry whole or not at all; `StoreUnavailable` if it is newer.

    Foreign triggers and indices of our tables go first: they would act on what is kept.
    """
    have = schema_version(db)
    check_version_known(have, migrations)
    own = {table for _, _, table in _objects_after(migrations[:have])}
    _drop_objects(
        db, [(kind, name) for kind, name, table in _foreign_objects(db, migrations) if table in own]
    )
    for number, script in enumerate(migrations[have:], have + 1):
        db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT")


def drop_foreign_objects(db: sqlite3.Connection, migrations: Sequence[str]) -> bool:
    """Removes all that no version of ours made; whether it could. Of a newer database nothing goes."""
    if schema_version(db) > len(migrations):
        return True
    _drop_objects(db, [(kind, name) for kind, name, _ in _foreign_objects(db, migrations)])
    return not _foreign_objects(db, migrations)


def _foreign_objects(db: sqlite3.Connection, migrations: Sequence[str]) -> list[tuple[str, str, str]]:
    """What isn't ours: its kind, its name, and its table; SQLite keeps some tables for itself."""
    foreign = _objects(db) - _objects_after(migrations[: schema_version(db)])
    return [one for one in foreign if one[0] != "table" or not one[1].startswith("sqlite_")]


def _drop_objects(db: sqlite3.Connection, foreign: Sequence[tuple[str, str]]) -> None:
    for kind, name in sorted(foreign, key=lambda one: DROP_ORDER.index(one[0])):
        quoted = name.replace('"', '""')
        with suppress(sqlite3.OperationalError):  # a table of a kind that this SQLite doesn't know
            db.execute(f'DROP {kind} IF EXISTS "{quoted}"')


def _objects_after(migrations: Sequence[str]) -> set[tuple[str, str, str]]:
    with _database_after(migrations) as made:
        return _objects(made)


def _objects(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """The kind, the name and the table of everything in a database."""
    return set(db.execute("SELECT type, name, tbl_name FROM sqlite_schema WHERE sql IS NOT NULL"))


def has_expected_schema(db: sqlite3.Connection, migrations: Sequence[str]) -> bool:
    """Whether the tables are those of the version that the file names; of a newer one nobody here knows."""
    found = _definitions(db)
    have = schema_version(db)
    if have > len(migrations):
        return True
    is_of = 0
    for number in range(1, len(migrations) + 1):
        with _database_after(migrations[:number]) as made:
            if _definitions(made) <= found:
                is_of = number
    return have == is_of


@contextmanager
def _database_after(migrations: Sequence[str]) -> Iterator[sqlite3.Connection]:
    """An empty database that has had these migrations."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        for script in migrations:
            made.executescript(script)
        yield made


def _definitions(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """How tables, indices, views and triggers were made."""
    return set(db.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def schema_version(db: sqlite3.Connection) -> int:
    """How many migrations this database has had."""
    (number,) = db.execute("PRAGMA user_version").fetchone()
    return int(number)


def check_version_known(have: int, migrations: Sequence[str]) -> None:
    """Raises `StoreUnavailable` for a database that a newer program has written."""
    if have > len(migrations):
        raise StoreUnavailable(
            say(
                "The saved games are from a newer Companion (format {have}; this version reads up to "
                "{known}). Update the Companion, or choose another directory with --state.",
                have=have,
                known=len(migrations),
            )
        )
