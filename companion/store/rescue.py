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

from companion.bounds import Natural
from companion.errors import TableError
from companion.log.events import Began, Event
from companion.store import chain
from companion.store.database import beside, connect, has_content, look
from companion.store.rows import (
    CHANGED,
    COUNT_AS,
    DEEDS,
    DELETE,
    LEARN,
    RENAME,
    SET,
    Saved,
    drop_deleted,
    fitting,
    insert_game,
    open_only,
    saved,
    shaped,
    value,
)
from companion.store.schema import GAMES
from companion.store.troubles import UNREADABLE
from companion.table.seats import make_seats

SPOILT = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a damaged file raises; the second where even SQLite's sentence about it is garbled."""
ENDED = {"finished", "put away"}
T = TypeVar("T")
LENGTHS = "SELECT game, count(*) FROM event GROUP BY game"
NAMES = "SELECT number, names FROM game"
TAGS = "SELECT uid, deck, card FROM tag"
SETTINGS = "SELECT key, value FROM setting"
DELETED = "SELECT number FROM deleted"
MARKS = "SELECT marks FROM kept"
SUM_OF_MARKS = """
    SELECT coalesce(sum(mark), 0) FROM (
        SELECT mark FROM game UNION ALL SELECT mark FROM tag
        UNION ALL SELECT mark FROM setting UNION ALL SELECT mark FROM deleted
    )
"""
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
        deeds = max(_deeds(source), _deeds(target))
        _bring_logs(source, target)
        _bring_the_rest(source, target)
        target.execute(COUNT_AS, (deeds,))


def _bring_logs(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    for number in _numbers(source):
        if _length(source, number) != _length(target, number):
            _bring_game(source, target, number)
    drop_deleted(target)


def _bring_the_rest(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    target.executemany(DELETE, _readable(source, tuple[int], _unchanged(source, DELETED, "deleted")))
    bring_tags_and_settings(source, target)
    drop_deleted(target)
    target.executemany(RENAME, _names(source, target))
    for (number,) in _readable(source, tuple[int], "SELECT number FROM game WHERE state = 'open'"):
        open_only(target, number)


def bring_tags_and_settings(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """As far as they can be read."""
    target.executemany(LEARN, _readable(source, tuple[str, str, str], _unchanged(source, TAGS, "tag")))
    target.executemany(SET, _settings(source))


def rescue(damaged: Path, backup: Path, rescued: Path) -> None:
    """Writes `rescued`, whole or not at all: the backup, and what of the damaged file goes further."""
    part = rescued.with_suffix(".part")
    for path in (part, beside(part, "-wal"), beside(part, "-shm")):
        path.unlink(missing_ok=True)
    with closing(connect(part, GAMES)) as db:
        for source in (backup, damaged):
            if has_content(source):
                with closing(look(source)) as old:
                    _bring_newer(old, db)
        if not has_content(backup):  # which would know what was open
            db.execute(OFFER_NEWEST)
    part.replace(rescued)


def _bring_newer(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """The longer logs; all other rows too, unless the target has newer ones: none says how new it is."""
    if _deeds(source) > _deeds(target) or not _deeds(target):
        bring(source, target)
        return
    with target:
        target.execute("BEGIN IMMEDIATE")
        deeds = _deeds(target)
        _bring_logs(source, target)
        target.execute(COUNT_AS, (deeds,))


def reads_well(db: sqlite3.Connection) -> bool:
    """Whether every log can be read to its end, and every other row is what was kept.

    Raises `msgspec.DecodeError` where a row isn't what it should be.
    """
    games = {game.number: game for game in saved(db)}
    for _ in shaped(db, tuple[str, str, str], TAGS):
        pass
    for _, text in shaped(db, tuple[str, str], SETTINGS):
        value(text, Any)
    if any(
        _is_marked(db, table) and db.execute(f"SELECT 1 FROM {table} WHERE {changed}").fetchone()  # noqa: S608 - our own tables
        for table, changed in CHANGED.items()
    ):
        return False
    if _made(db, "kept") and not _is_counted(db):
        return False
    return all(number in games and _is_whole(db, games[number]) for number in _numbers(db))


def _is_counted(db: sqlite3.Connection) -> bool:
    """Whether the sum of the marks is that of the rows, and the deeds are so many as there can be."""
    believed = list(fitting(db, tuple[Natural], DEEDS))
    return bool(believed) and db.execute(MARKS).fetchall() == db.execute(SUM_OF_MARKS).fetchall()


def knows_more(db: sqlite3.Connection, than: sqlite3.Connection) -> bool:
    """Whether a log in `db` is longer, but for one that was deleted, or its other rows are newer."""
    known = dict(_readable(than, tuple[int, int], LENGTHS))
    gone = {number for (number,) in _readable(than, tuple[int], DELETED)}
    longer = {number for number, length in db.execute(LENGTHS) if length > known.get(number, 0)}
    return bool(longer - gone) or _deeds(db) > _deeds(than)


def _is_whole(db: sqlite3.Connection, game: Saved) -> bool:
    """Whether a log is what was kept, and is by as many as are listed.

    One that nobody plays on isn't decoded, only its chain is looked at.
    """
    rows = db.execute(_rows(db), (game.number,))
    try:
        if game.state in ENDED:
            return sum(1 for _ in chain.bodies(rows)) > 0
        events = list(chain.read(rows))
    except TableError:
        return False
    return any(isinstance(event, Began) and len(event.names) == len(game.names) for event in events[:1])


def _bring_game(source: sqlite3.Connection, target: sqlite3.Connection, number: int) -> None:
    """The log as it stands there, up to the first event that isn't as it was kept."""
    rows = list(_readable(source, tuple[int, bytes, str], _rows(source), number))
    events: list[Event] = []
    with suppress(TableError, *UNREADABLE):
        for event in chain.read(rows):
            events.append(event)  # noqa: PERF402 - what came before the first that can't be read counts
    if len(events) <= _length(target, number):
        return
    before = target.execute("SELECT names, state FROM game WHERE number = ?", (number,)).fetchone()
    target.execute("DELETE FROM event WHERE game = ?", (number,))
    target.execute("DELETE FROM game WHERE number = ?", (number,))
    insert_game(target, events, number)
    if before is not None:
        names, state = before
        target.execute(RENAME, (number, names))
        if state == "open":
            open_only(target, number)
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
    return f"{query} WHERE NOT ({CHANGED[table]})" if _is_marked(db, table) else query


def _is_marked(db: sqlite3.Connection, table: str = "event") -> bool:
    """Whether events have a chain, or the rows of another table a mark; one that can't say is taken to."""
    with suppress(*SPOILT):
        sql = _made(db, table)
        return "chain" in sql or "mark" in sql
    return True


def _made(db: sqlite3.Connection, table: str) -> str:
    """How a table was made."""
    found = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    return str(found[0]) if found else ""


def _deeds(db: sqlite3.Connection) -> int:
    """How often rows beside the logs were written; 0 where that can't be read."""
    return next((deeds for (deeds,) in _readable(db, tuple[Natural], DEEDS)), 0)


def _names(db: sqlite3.Connection, target: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """How the players of each game are called, where so many can be called so."""
    seats = {one.number: len(one.names) for one in saved(target)}
    for number, text in _readable(db, tuple[int, str], _unchanged(db, NAMES, "game")):
        with suppress(msgspec.DecodeError, TableError):
            if len(make_seats(value(text, tuple[str, ...]))) == seats.get(number):
                yield number, text


def _settings(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    for key, text in _readable(db, tuple[str, str], _unchanged(db, SETTINGS, "setting")):
        with suppress(msgspec.DecodeError):
            value(text, Any)
            yield key, text


def _readable(db: sqlite3.Connection, shape: type[T], query: str, *values: int) -> Iterator[T]:
    """The rows up to the first that can't be read, without those of another shape."""
    with suppress(*SPOILT):
        yield from fitting(db, shape, query, *values)
