"""The SQLite files of the store: opening, checking and migrating them, writing to them, and disk errors.

The tables are a list of migrations: entry k brings a database from version k to k + 1. A released entry never
changes; a new one is added. `PRAGMA user_version` is the number of migrations that were run.

If the directory is removed, or its USB stick is pulled, an open file still accepts writes that nobody will
ever read. So every write checks before and after it that the files are still where they were.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from itertools import count
from pathlib import Path

import msgspec

from companion.errors import StoreUnavailable
from companion.files.regular_files import ensure_private_file
from companion.store.game_rows import SELECT_CHANGE_COUNT, SET_CHANGE_COUNT
from companion.texts import say

MAX_LOCK_WAIT_SECONDS = 1.0
"""How long to wait for another program that has locked the database."""


def open_for_writing(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    """Opens a file for writing and brings it up to date.

    Each statement is its own commit and costs one fsync. Only the owner may read the file and SQLite's files
    beside it.
    """
    ensure_private_file(path)
    for file in (sqlite_side_file(path, "-wal"), sqlite_side_file(path, "-shm")):
        if file.exists():
            ensure_private_file(file)
    db = _add_functions(sqlite3.connect(path, timeout=MAX_LOCK_WAIT_SECONDS, isolation_level=None))
    with close_on_failure(db):
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        migrate(db, migrations)
    return db


@contextmanager
def close_on_failure(db: sqlite3.Connection) -> Iterator[None]:
    """Closes a database if an error is raised; otherwise the database stays open."""
    try:
        yield
    except BaseException:
        db.close()
        raise


def checkpoint_wal(db: sqlite3.Connection) -> None:
    """Moves everything from the -wal file into the database file and empties the -wal."""
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def execute_and_checkpoint(db: sqlite3.Connection, query: str, parameters: Sequence[object]) -> None:
    """Executes a change, which is in the database file when this returns, and nowhere else.

    The checkpoint syncs the -wal by itself, so the commit needn't: that saves one fsync of three.
    """
    db.execute("PRAGMA synchronous = NORMAL")
    try:
        db.execute(query, parameters)
        checkpoint_wal(db)
    finally:
        db.execute("PRAGMA synchronous = FULL")


def open_read_only(path: Path) -> sqlite3.Connection:
    """Opens a file only for reading; closing doesn't even merge the -wal into the file."""
    uri = f"{path.absolute().as_uri()}?mode=ro"
    # SQLite makes a -shm even to read. If nobody can write in the folder, nothing changes during the read.
    if not os.access(path.parent, os.W_OK) and not sqlite_side_file(path, "-wal").exists():
        uri += "&immutable=1"
    return _add_functions(sqlite3.connect(uri, uri=True, timeout=MAX_LOCK_WAIT_SECONDS, isolation_level=None))


def open_in_memory(migrations: Sequence[str]) -> sqlite3.Connection:
    """Returns a database in memory with the tables of these migrations, but without rows."""
    db = _add_functions(sqlite3.connect(":memory:", isolation_level=None))
    migrate(db, migrations)
    return db


def open_for_reading(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    """Opens a file for reading, also while another program writes it; an older version as an updated copy."""
    if not path.exists():
        return open_in_memory(migrations)
    db = open_read_only(path)
    with close_on_failure(db):
        version = schema_version(db)
        check_schema_version_supported(version, migrations)
    if version == len(migrations):
        return db
    copy = _add_functions(sqlite3.connect(":memory:", isolation_level=None))
    with closing(db):
        db.backup(copy)
    migrate(copy, migrations)
    return copy


def is_intact(
    path: Path, migrations: Sequence[str], is_content_readable: Callable[[sqlite3.Connection], bool]
) -> bool:
    """Returns whether every page of a file is undamaged and `is_content_readable`.

    Raises `StoreUnavailable` if the file is from a newer version. A missing file, or one without tables, is
    intact.
    """
    if not exists_and_is_not_empty(path):
        return True
    _roll_back_unfinished_write(path)
    with closing(open_read_only(path)) as db, ignore_damage():
        if not has_tables_of_its_version(db, migrations):
            return False
        version = schema_version(db)
        check_schema_version_supported(version, migrations)
        if db.execute("PRAGMA quick_check").fetchone() != ("ok",):
            return False
        return version == 0 or is_content_readable(db)
    return False


@contextmanager
def ignore_damage() -> Iterator[None]:
    """Ends its block silently at an error that means damage; other errors are raised."""
    try:
        yield
    except DECODE_ERRORS:
        pass
    except sqlite3.DatabaseError as error:
        if primary_sqlite_code(error) not in DAMAGE_SQLITE_CODES:
            raise


def _roll_back_unfinished_write(path: Path) -> None:
    """Rolls back a write that a power cut ended before the file had a -wal; a read-only connection can't."""
    if sqlite_side_file(path, "-journal").exists():
        with (
            closing(sqlite3.connect(path, timeout=MAX_LOCK_WAIT_SECONDS)) as db,
            suppress(sqlite3.DatabaseError),
        ):
            schema_version(db)


def exists_and_is_not_empty(path: Path) -> bool:
    """Returns whether a file exists and isn't empty; SQLite would delete the -wal beside an empty file."""
    return path.exists() and path.stat().st_size > 0


def rename_damaged_database(path: Path) -> Path:
    """Renames a database and its -wal to `NAME.damaged-1.sqlite3` (2, 3, …) and returns the new path."""
    paths = (path.with_name(f"{path.stem}.damaged-{number}{path.suffix}") for number in count(1))
    new_path = next(
        candidate
        for candidate in paths
        if not candidate.exists() and not sqlite_side_file(candidate, "-wal").exists()
    )
    sqlite_side_file(path, "-shm").unlink(missing_ok=True)
    for suffix in ("-wal", "-journal", ""):
        if sqlite_side_file(path, suffix).exists():
            sqlite_side_file(path, suffix).rename(sqlite_side_file(new_path, suffix))
    return new_path


def delete_database(path: Path) -> None:
    """Deletes a database and SQLite's files beside it."""
    for suffix in ("-shm", "-wal", "-journal", ""):
        sqlite_side_file(path, suffix).unlink(missing_ok=True)


def _add_functions(db: sqlite3.Connection) -> sqlite3.Connection:
    """Adds the SQL function `mark(…)` to a connection.

    The connection reads text that isn't UTF-8 as bytes, as from a BLOB.
    """
    db.create_function("mark", -1, _row_checksum, deterministic=True)
    db.text_factory = _decode_text
    return db


def _row_checksum(*values: object) -> int:
    """Returns a checksum of a row's values, never 0.

    Text may come as bytes too, because SQLite calls no function with text that isn't UTF-8.
    """
    decoded = tuple(_decode_text(value) if isinstance(value, bytes) else value for value in values)
    return zlib.crc32(repr(decoded).encode()) or 1


def _decode_text(raw: bytes) -> str | bytes:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def sqlite_side_file(path: Path, suffix: str) -> Path:
    """Returns the path of SQLite's own file beside a database: `-wal`, `-shm` or `-journal`."""
    return path.with_name(path.name + suffix)


# Migrations


SCHEMA_OBJECT_DROP_ORDER = ("trigger", "view", "index", "table")
"""The order in which foreign schema objects are dropped; dropping a table drops its indices too."""
TABLES_WITH_WRITE_COUNTERS = ("game", "tag", "setting", "deleted")
"""The tables whose writes and checksums are counted in the table `kept`."""
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
    + "".join(
        (CREATE_COUNT_TRIGGERS + ADD_ROW_CHECKSUMS).format(table=table)
        for table in TABLES_WITH_WRITE_COUNTERS
    ),
    "CREATE INDEX reopened ON event (game) WHERE kind = 'Reopened';",
)
"""The migrations of the games database: logs, tags, settings, and the numbers of deleted games.

Numbers of deleted games are stored so that no number is ever used again.
`names`, `result`, `body` and `value` are JSON; `body` is the whole event. Checksums find what a bad disk
changes: the `chain` of an event, and the `mark` of any other row, which is `mark(…)` of its other columns.
Both are empty in rows of older versions. The table `kept` finds a page that is older than the others: it
holds how often those rows were written, and the sum of their checksums. A program that doesn't know
`Reopened` would take a log with that event for damaged, so a program refuses a database whose version and
tables it doesn't know.
"""

DRAFTS_MIGRATIONS = ("CREATE TABLE draft (game INTEGER NOT NULL, body TEXT NOT NULL);",)
"""The migrations of the database with the answers in closed envelopes, as JSON."""


def migrate(db: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Brings a database up to date, each migration whole or not at all.

    Raises `StoreUnavailable` if the database is newer. Foreign triggers and indices of our tables are dropped
    first: they would act on what is saved.
    """
    version = schema_version(db)
    check_schema_version_supported(version, migrations)
    own_tables = {table for _, _, table in _objects_after(migrations[:version])}
    _drop_objects(
        db, [(kind, name) for kind, name, table in _foreign_objects(db, migrations) if table in own_tables]
    )
    for number, script in enumerate(migrations[version:], version + 1):
        db.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT")


def try_to_drop_foreign_schema_objects(db: sqlite3.Connection, migrations: Sequence[str]) -> bool:
    """Drops all tables, indices, views and triggers that aren't ours; returns whether that worked.

    Nothing of a newer database is dropped.
    """
    if schema_version(db) > len(migrations):
        return True
    _drop_objects(db, [(kind, name) for kind, name, _ in _foreign_objects(db, migrations)])
    return not _foreign_objects(db, migrations)


def _foreign_objects(db: sqlite3.Connection, migrations: Sequence[str]) -> list[tuple[str, str, str]]:
    """Returns the kind, name and table of all objects that are neither ours nor SQLite's own tables."""
    other_objects = _objects(db) - _objects_after(migrations[: schema_version(db)])
    return [
        (kind, name, table)
        for kind, name, table in other_objects
        if kind != "table" or not name.startswith("sqlite_")
    ]


def _drop_objects(db: sqlite3.Connection, kinds_and_names: Sequence[tuple[str, str]]) -> None:
    for kind, name in sorted(kinds_and_names, key=lambda item: SCHEMA_OBJECT_DROP_ORDER.index(item[0])):
        quoted = name.replace('"', '""')
        with suppress(sqlite3.OperationalError):  # a table of a kind that this SQLite doesn't know
            db.execute(f'DROP {kind} IF EXISTS "{quoted}"')


def _objects_after(migrations: Sequence[str]) -> set[tuple[str, str, str]]:
    with _database_after(migrations) as db:
        return _objects(db)


def _objects(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Returns the kind, the name and the table of everything in a database."""
    return set(db.execute("SELECT type, name, tbl_name FROM sqlite_schema WHERE sql IS NOT NULL"))


def has_tables_of_its_version(db: sqlite3.Connection, migrations: Sequence[str]) -> bool:
    """Returns whether a database has the tables of its version; True for a version newer than ours."""
    definitions = _definitions(db)
    version = schema_version(db)
    if version > len(migrations):
        return True
    version_of_tables = 0
    for number in range(1, len(migrations) + 1):
        with _database_after(migrations[:number]) as expected_db:
            if _definitions(expected_db) <= definitions:
                version_of_tables = number
    return version == version_of_tables


@contextmanager
def _database_after(migrations: Sequence[str]) -> Iterator[sqlite3.Connection]:
    """Opens an empty database in memory that has had these migrations."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for script in migrations:
            db.executescript(script)
        yield db


def _definitions(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Returns the kind, name and SQL of all tables, indices, views and triggers."""
    return set(db.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"))


def schema_version(db: sqlite3.Connection) -> int:
    """Returns the schema version of a database: how many migrations it has had."""
    (number,) = db.execute("PRAGMA user_version").fetchone()
    return int(number)


def check_schema_version_supported(version: int, migrations: Sequence[str]) -> None:
    """Raises `StoreUnavailable` for a database that a newer program has written."""
    if version > len(migrations):
        raise StoreUnavailable(
            say(
                "The saved games are from a newer Companion (format {have}; this version reads up to "
                "{known}). Update the Companion, or choose another directory with --state.",
                have=version,
                known=len(migrations),
            )
        )


# The open databases of a state directory


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


# Disk errors as sentences for people


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
