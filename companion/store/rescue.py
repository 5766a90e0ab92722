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
from companion.store import chain
from companion.store.database import beside, connect, has_content, look
from companion.store.rows import (
    CHANGED,
    DELETE,
    LEARN,
    RENAME,
    SET,
    drop_deleted,
    insert_game,
    open_only,
    saved,
    shaped,
    value,
)
from companion.store.schema import GAMES, MARKED, version
from companion.store.troubles import UNREADABLE

ENDED = {"finished", "put away"}
T = TypeVar("T")
LENGTHS = "SELECT game, count(*) FROM event GROUP BY game"
NAMES = "SELECT number, names FROM game"
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
        target.executemany(RENAME, _readable(source, tuple[int, str], _unchanged(source, NAMES, "game")))
        target.executemany(LEARN, _readable(source, tuple[str, str, str], _unchanged(source, TAGS, "tag")))
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
    """Whether every log can be read to its end, and every other row is what was kept.

    Raises `msgspec.DecodeError` where a row isn't what it should be.
    """
    states = {game.number: game.state for game in saved(db)}
    for _ in shaped(db, tuple[str, str, str], TAGS):
        pass
    for _, text in shaped(db, tuple[str, str], SETTINGS):
        value(text, Any)
    if _is_marked(db) and any(
        db.execute(f"SELECT 1 FROM {table} WHERE {changed}").fetchone()  # noqa: S608 - our own tables
        for table, changed in CHANGED.items()
    ):
        return False
    return all(_is_whole(db, number, ended=states.get(number) in ENDED) for number in _numbers(db))


def knows_more(db: sqlite3.Connection, than: sqlite3.Connection) -> bool:
    """Whether a log in `db` is longer; one that was deleted is not."""
    known = dict(than.execute(LENGTHS))
    gone = {number for (number,) in _readable(than, tuple[int], "SELECT number FROM deleted")}
    return any(length > known.get(number, 0) for number, length in db.execute(LENGTHS) if number not in gone)


def _is_whole(db: sqlite3.Connection, number: int, *, ended: bool) -> bool:
    """Whether a log is what was kept; one that nobody plays on isn't decoded, only its chain is looked at."""
    rows = db.execute(_rows(db), (number,))
    try:
        read = chain.bodies(rows) if ended else chain.read(rows)
        return sum(1 for _ in read) > 0
    except TableError:
        return False


def _bring_game(source: sqlite3.Connection, target: sqlite3.Connection, number: int) -> None:
    """The log as it stands there, up to the first event that isn't as it was kept."""
    rows = list(_readable(source, tuple[int, bytes, str], _rows(source), number))
    events: list[Event] = []
    with suppress(TableError, *UNREADABLE):
        for event in chain.read(rows):
            events.append(event)  # noqa: PERF402 - what came before the first that can't be read counts
    if len(events) <= _length(target, number):
        return
    target.execute("DELETE FROM event WHERE game = ?", (number,))
    target.execute("DELETE FROM game WHERE number = ?", (number,))
    insert_game(target, events, number)
    for event, (seq, body, link) in zip(events, rows, strict=False):
        target.execute(chain.APPEND, chain.as_kept(number, seq, event, body, link))


def _length(db: sqlite3.Connection, number: int) -> int:
    """How many events a log has; 0 where that can't be read."""
    query = "SELECT count(*) FROM event WHERE game = ?"
    return next((count for (count,) in _readable(db, tuple[int], query, number)), 0)


def _numbers(db: sqlite3.Connection) -> list[int]:
    """All games, whether the list of games names them or only the log does."""
    queries = ("SELECT number FROM game", "SELECT DISTINCT game FROM event")
    return sorted({number for query in queries for (number,) in _readable(db, tuple[int], query)})


def _rows(db: sqlite3.Connection) -> str:
    return chain.ROWS if _is_marked(db) else chain.OLDER_ROWS


def _unchanged(db: sqlite3.Connection, query: str, table: str) -> str:
    """The query without the rows of its table that were changed."""
    return f"{query} WHERE NOT ({CHANGED[table]})" if _is_marked(db) else query


def _is_marked(db: sqlite3.Connection) -> bool:
    """Whether events have a chain and other rows a mark; a file that can't say is taken for one of ours."""
    with suppress(sqlite3.DatabaseError):
        return version(db) >= MARKED
    return True


def _settings(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    for key, text in _readable(db, tuple[str, str], _unchanged(db, SETTINGS, "setting")):
        with suppress(msgspec.DecodeError):
            value(text, Any)
            yield key, text


def _readable(db: sqlite3.Connection, shape: type[T], query: str, *values: int) -> Iterator[T]:
    """The rows up to the first that can't be read, without those of another shape."""
    with suppress(sqlite3.DatabaseError):
        for found in db.execute(query, values):
            with suppress(msgspec.ValidationError):
                yield msgspec.convert(found, shape)
