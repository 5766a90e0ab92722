"""Opens SQLite files the one way they are used here."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from companion.store.schema import check_known, migrate, version

WAIT = 1.0
"""Seconds to wait for somebody who looks into the file with a tool of their own."""


def connect(path: Path) -> sqlite3.Connection:
    """A file to write in: each statement is its own commit, one fsync, and what is deleted is overwritten."""
    db = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    return db


def reader(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    """A file to look into, also while it is written; an older one is read through a copy that is up to date."""
    if not path.exists():
        return memory(migrations)
    db = look(path)
    have = version(db)
    check_known(have, migrations)
    if have == len(migrations):
        return db
    copy = sqlite3.connect(":memory:", isolation_level=None)
    db.backup(copy)
    db.close()
    migrate(copy, migrations)
    return copy


def look(path: Path) -> sqlite3.Connection:
    """A file that is only read: not even its -wal is folded in when it is closed."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=WAIT, isolation_level=None
    )


def memory(migrations: Sequence[str]) -> sqlite3.Connection:
    """An empty database that nobody keeps."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    migrate(db, migrations)
    return db
