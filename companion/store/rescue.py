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

from companion.bounds import BoundedNatural
from companion.errors import UserError
from companion.log.events import Began, Event
from companion.store import chain
from companion.store.database import has_content, open_for_writing, open_read_only, sqlite_side_file
from companion.store.rows import (
    ALTERED_ROW_CONDITIONS,
    INSERT_DELETED,
    RENAME_PLAYERS,
    SELECT_CHANGE_COUNT,
    SET_CHANGE_COUNT,
    UPSERT_SETTING,
    UPSERT_TAG,
    SavedGame,
    decode_json,
    insert_game,
    list_games,
    open_waiting_game,
    purge_deleted_games,
    select_matching,
    select_typed,
)
from companion.store.schema import GAMES_MIGRATIONS
from companion.store.troubles import DECODE_ERRORS
from companion.table.seats import make_seats

DAMAGE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a damaged file raises; the second where even SQLite's sentence about it is garbled."""
ENDED_STATES = {"finished", "put away"}
T = TypeVar("T")
SELECT_LOG_LENGTHS = "SELECT game, count(*) FROM event GROUP BY game"
SELECT_NAMES = "SELECT number, names FROM game"
SELECT_TAGS = "SELECT uid, deck, card FROM tag"
SELECT_SETTINGS = "SELECT key, value FROM setting"
SELECT_DELETED = "SELECT number FROM deleted"
SELECT_KEPT_CHECKSUM = "SELECT marks FROM kept"
SELECT_CHECKSUM_SUM = """
    SELECT coalesce(sum(mark), 0) FROM (
        SELECT mark FROM game UNION ALL SELECT mark FROM tag
        UNION ALL SELECT mark FROM setting UNION ALL SELECT mark FROM deleted
    )
"""
OPEN_NEWEST_WAITING_GAME = """
    UPDATE game SET state = 'open'
    WHERE number = (SELECT max(number) FROM game WHERE state = 'waiting')
    AND NOT EXISTS (SELECT 1 FROM game WHERE state = 'open')
"""


def merge_games(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copies all games whose log is longer in the source, all tags and all settings, or nothing.

    What was deleted in the source goes from the target too.
    """
    with target:
        target.execute("BEGIN IMMEDIATE")
        deeds = max(_change_count(source), _change_count(target))
        _merge_logs(source, target)
        _merge_other_rows(source, target)
        target.execute(SET_CHANGE_COUNT, (deeds,))


def _merge_logs(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    for number in _game_numbers(source):
        if _log_length(source, number) != _log_length(target, number):
            _merge_game(source, target, number)
    purge_deleted_games(target)


def _merge_other_rows(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    target.executemany(
        INSERT_DELETED,
        _select_readable(source, tuple[int], _without_altered_rows(source, SELECT_DELETED, "deleted")),
    )
    copy_tags_and_settings(source, target)
    purge_deleted_games(target)
    target.executemany(RENAME_PLAYERS, _readable_names(source, target))
    for (number,) in _select_readable(source, tuple[int], "SELECT number FROM game WHERE state = 'open'"):
        open_waiting_game(target, number)


def copy_tags_and_settings(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """As far as they can be read."""
    target.executemany(
        UPSERT_TAG,
        _select_readable(source, tuple[str, str, str], _without_altered_rows(source, SELECT_TAGS, "tag")),
    )
    target.executemany(UPSERT_SETTING, _readable_settings(source))


def rescue_games(damaged: Path, backup: Path, rescued: Path) -> None:
    """Writes `rescued`, whole or not at all: the backup, and what of the damaged file goes further."""
    part = rescued.with_suffix(".part")
    for path in (part, sqlite_side_file(part, "-wal"), sqlite_side_file(part, "-shm")):
        path.unlink(missing_ok=True)
    with closing(open_for_writing(part, GAMES_MIGRATIONS)) as db:
        for source in (backup, damaged):
            if has_content(source):
                with closing(open_read_only(source)) as old:
                    _merge_newer(old, db)
        if not has_content(backup):  # which would know what was open
            db.execute(OPEN_NEWEST_WAITING_GAME)
    part.replace(rescued)


def _merge_newer(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """The longer logs; all other rows too, unless the target has newer ones: none says how new it is."""
    if _change_count(source) > _change_count(target) or not _change_count(target):
        merge_games(source, target)
        return
    with target:
        target.execute("BEGIN IMMEDIATE")
        deeds = _change_count(target)
        _merge_logs(source, target)
        target.execute(SET_CHANGE_COUNT, (deeds,))


def are_games_readable(db: sqlite3.Connection) -> bool:
    """Whether every log can be read to its end, and every other row is what was kept.

    Raises `msgspec.DecodeError` where a row isn't what it should be.
    """
    games = {game.number: game for game in list_games(db)}
    for _ in select_typed(db, tuple[str, str, str], SELECT_TAGS):
        pass
    for _, text in select_typed(db, tuple[str, str], SELECT_SETTINGS):
        decode_json(text, Any)
    if any(
        _has_checksums(db, table) and db.execute(f"SELECT 1 FROM {table} WHERE {changed}").fetchone()  # noqa: S608 - our own tables
        for table, changed in ALTERED_ROW_CONDITIONS.items()
    ):
        return False
    if _table_definition(db, "kept") and not _is_checksum_sum_right(db):
        return False
    return all(number in games and _is_log_readable(db, games[number]) for number in _game_numbers(db))


def _is_checksum_sum_right(db: sqlite3.Connection) -> bool:
    """Whether the sum of the marks is that of the rows, and the deeds are so many as there can be."""
    believed = list(select_matching(db, tuple[BoundedNatural], SELECT_CHANGE_COUNT))
    return (
        bool(believed)
        and db.execute(SELECT_KEPT_CHECKSUM).fetchall() == db.execute(SELECT_CHECKSUM_SUM).fetchall()
    )


def is_newer(db: sqlite3.Connection, than: sqlite3.Connection) -> bool:
    """Whether a log in `db` is longer, but for one that was deleted, or its other rows are newer."""
    known = dict(_select_readable(than, tuple[int, int], SELECT_LOG_LENGTHS))
    gone = {number for (number,) in _select_readable(than, tuple[int], SELECT_DELETED)}
    longer = {number for number, length in db.execute(SELECT_LOG_LENGTHS) if length > known.get(number, 0)}
    return bool(longer - gone) or _change_count(db) > _change_count(than)


def _is_log_readable(db: sqlite3.Connection, game: SavedGame) -> bool:
    """Whether a log is what was kept, and is by as many as are listed.

    One that nobody plays on isn't decoded, only its chain is looked at.
    """
    rows = db.execute(_select_events(db), (game.number,))
    try:
        if game.state in ENDED_STATES:
            return sum(1 for _ in chain.verified_bodies(rows)) > 0
        events = list(chain.read_events(rows))
    except UserError:
        return False
    return any(isinstance(event, Began) and len(event.names) == len(game.names) for event in events[:1])


def _merge_game(source: sqlite3.Connection, target: sqlite3.Connection, number: int) -> None:
    """The log as it stands there, up to the first event that isn't as it was kept."""
    rows = list(_select_readable(source, tuple[int, bytes, str], _select_events(source), number))
    events: list[Event] = []
    with suppress(UserError, *DECODE_ERRORS):
        for event in chain.read_events(rows):
            events.append(event)  # noqa: PERF402 - what came before the first that can't be read counts
    if len(events) <= _log_length(target, number):
        return
    before = target.execute("SELECT names, state FROM game WHERE number = ?", (number,)).fetchone()
    target.execute("DELETE FROM event WHERE game = ?", (number,))
    target.execute("DELETE FROM game WHERE number = ?", (number,))
    insert_game(target, events, number)
    if before is not None:
        names, state = before
        target.execute(RENAME_PLAYERS, (number, names))
        if state == "open":
            open_waiting_game(target, number)
    for event, (seq, body, link) in zip(events, rows, strict=False):
        target.execute(chain.INSERT_EVENT, chain.event_row(number, seq, event, body, link))


def _log_length(db: sqlite3.Connection, number: int) -> int:
    """How many events a log has; 0 where that can't be read."""
    query = "SELECT count(*) FROM event WHERE game = ?"
    return next((count for (count,) in _select_readable(db, tuple[int], query, number)), 0)


def _game_numbers(db: sqlite3.Connection) -> list[int]:
    """All games, whether the list of games names them or only the log does."""
    queries = ("SELECT number FROM game", "SELECT DISTINCT game FROM event")
    return sorted({number for query in queries for (number,) in _select_readable(db, tuple[int], query)})


def _select_events(db: sqlite3.Connection) -> str:
    return chain.SELECT_EVENTS if _has_checksums(db) else chain.SELECT_UNCHAINED_EVENTS


def _without_altered_rows(db: sqlite3.Connection, query: str, table: str) -> str:
    """The query without the rows of its table that were changed."""
    return f"{query} WHERE NOT ({ALTERED_ROW_CONDITIONS[table]})" if _has_checksums(db, table) else query


def _has_checksums(db: sqlite3.Connection, table: str = "event") -> bool:
    """Whether events have a chain, or the rows of another table a mark; one that can't say is taken to."""
    with suppress(*DAMAGE_ERRORS):
        sql = _table_definition(db, table)
        return "chain" in sql or "mark" in sql
    return True


def _table_definition(db: sqlite3.Connection, table: str) -> str:
    """How a table was made."""
    found = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    return str(found[0]) if found else ""


def _change_count(db: sqlite3.Connection) -> int:
    """How often rows beside the logs were written; 0 where that can't be read."""
    return next((deeds for (deeds,) in _select_readable(db, tuple[BoundedNatural], SELECT_CHANGE_COUNT)), 0)


def _readable_names(db: sqlite3.Connection, target: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """How the players of each game are called, where so many can be called so."""
    seats = {one.number: len(one.names) for one in list_games(target)}
    for number, text in _select_readable(
        db, tuple[int, str], _without_altered_rows(db, SELECT_NAMES, "game")
    ):
        with suppress(msgspec.DecodeError, UserError):
            if len(make_seats(decode_json(text, tuple[str, ...]))) == seats.get(number):
                yield number, text


def _readable_settings(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    for key, text in _select_readable(
        db, tuple[str, str], _without_altered_rows(db, SELECT_SETTINGS, "setting")
    ):
        with suppress(msgspec.DecodeError):
            decode_json(text, Any)
            yield key, text


def _select_readable(db: sqlite3.Connection, shape: type[T], query: str, *values: int) -> Iterator[T]:
    """The rows up to the first that can't be read, without those of another shape."""
    with suppress(*DAMAGE_ERRORS):
        yield from select_matching(db, shape, query, *values)
