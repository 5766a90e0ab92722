"""Brings games from one database into another: into the backup, and out of what is damaged.

Everything but the log follows from the log, so only logs are read, each as far as it goes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.errors import TableError
from companion.events import Event
from companion.proof import in_order
from companion.store.database import beside, connect, has_content, look
from companion.store.rows import (
    DELETE,
    INSERT,
    LEARN,
    SET,
    decoded,
    drop_deleted,
    insert_game,
    open_only,
    row,
    saved,
    shaped,
    value,
)
from companion.store.schema import GAMES
from companion.store.troubles import UNREADABLE

T = TypeVar("T")
TAGS = "SELECT uid, deck, card FROM tag"
SETTINGS = "SELECT key, value FROM setting"
OFFER_NEWEST = """
    UPDATE game SET state = 'open'
    WHERE number = (SELECT max(number) FROM game WHERE state = 'waiting')
    AND NOT EXISTS (SELECT 1 FROM game WHERE state = 'open')
"""


def bring(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copies all games whose log is longer in the source, all tags and all settings, or nothing.

    What was deleted in the source goes from the target too.
    """
    with target:
        target.execute("BEGIN IMMEDIATE")
        for number in _numbers(source):
            if _length(source, number) != _length(target, number):
                _bring_game(source, target, number)
        target.executemany(DELETE, _readable(source, tuple[int], "SELECT number FROM deleted"))
        drop_deleted(target)
        target.executemany(LEARN, _readable(source, tuple[str, str, str], TAGS))
        target.executemany(SET, _settings(source))
        for (number,) in _readable(source, tuple[int], "SELECT number FROM game WHERE state = 'open'"):
            open_only(target, number)


def rescue(damaged: Path, backup: Path, rescued: Path) -> None:
    """Writes `rescued`, whole or not at all: the backup, and what of the damaged file goes further."""
    part = rescued.with_suffix(".part")
    for path in (part, beside(part, "-wal"), beside(part, "-shm")):
        path.unlink(missing_ok=True)
    with closing(connect(part, GAMES)) as db:
        for source in (backup, damaged):
            if has_content(source):
                with closing(look(source)) as old:
                    bring(old, db)
        db.execute(OFFER_NEWEST)
    part.replace(rescued)


def reads_well(db: sqlite3.Connection) -> bool:
    """Whether every log that may be continued can be read to its end, and other rows are what they should be.

    Raises `msgspec.DecodeError` where a row isn't.
    """
    saved(db)
    for _ in shaped(db, tuple[str, str, str], TAGS):
        pass
    for _, text in shaped(db, tuple[str, str], SETTINGS):
        value(text, Any)
    unfinished = db.execute("SELECT number FROM game WHERE state IN ('open', 'waiting')").fetchall()
    return all(len(_events(db, number)) == _length(db, number) for (number,) in unfinished)


def _bring_game(source: sqlite3.Connection, target: sqlite3.Connection, number: int) -> None:
    events = _events(source, number)
    if len(events) <= (_length(target, number) or 0):
        return
    target.execute("DELETE FROM event WHERE game = ?", (number,))
    target.execute("DELETE FROM game WHERE number = ?", (number,))
    insert_game(target, events, number)
    target.executemany(INSERT, (row(number, seq, event) for seq, event in enumerate(events, 1)))


def _events(db: sqlite3.Connection, number: int) -> list[Event]:
    """The log as far as it can be read; empty unless it begins."""
    events: list[Event] = []
    with suppress(TableError, *UNREADABLE):
        for event in in_order(_bodies(db, number)):
            events.append(event)  # noqa: PERF402 - what came before the first that can't be read counts
    return events


def _bodies(db: sqlite3.Connection, number: int) -> Iterator[Event]:
    query = "SELECT seq, CAST(body AS BLOB) FROM event WHERE game = ? ORDER BY seq"
    for at, (seq, body) in enumerate(_readable(db, tuple[int, bytes], query, number), 1):
        if seq != at:
            return
        yield decoded(body)


def _length(db: sqlite3.Connection, number: int) -> int | None:
    """The last place in a log; None where it has none or it can't be read."""
    query = "SELECT max(seq) FROM event WHERE game = ?"
    return next((last for (last,) in _readable(db, tuple[int], query, number)), None)


def _numbers(db: sqlite3.Connection) -> list[int]:
    """All games, whether the list of games names them or only the log does."""
    queries = ("SELECT number FROM game", "SELECT DISTINCT game FROM event")
    return sorted({number for query in queries for (number,) in _readable(db, tuple[int], query)})


def _settings(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    for key, text in _readable(db, tuple[str, str], SETTINGS):
        with suppress(msgspec.DecodeError):
            value(text, Any)
            yield key, text


def _readable(db: sqlite3.Connection, shape: type[T], query: str, *values: int) -> Iterator[T]:
    """The rows up to the first that can't be read, without those of another shape."""
    with suppress(sqlite3.DatabaseError):
        for found in db.execute(query, values):
            with suppress(msgspec.ValidationError):
                yield msgspec.convert(found, shape)
