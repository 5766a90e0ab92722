"""The rows of a game in the database: one in `game` for the list of games, one in `event` for each log event.

Each event has a checksum of itself and of all events before it. So an event that was changed, lost or moved
is noticed. The chain of checksums finds accidents, and changes by somebody who doesn't know about it. Anybody
who can write the file can also compute the chain again.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Literal, TypeVar

import msgspec

from companion.bounds import MAX_NUMBER, LoggedText, ShortText
from companion.errors import UserError
from companion.files.bounded_json import decode_stored_json
from companion.log.events import Began, Event, PutAway
from companion.log.log import PlayDates, SealedDraft, UnixTime
from companion.log.proof import events_checked_for_order
from companion.table.scores import StoredResult
from companion.texts import say
from companion.wall_clock import EARLIEST_GAME_UNIX_TIME

T = TypeVar("T")
GameState = Literal["open", "waiting", "finished", "put away"]
UPSERT_TAG = """
    INSERT INTO tag VALUES (?1, ?2, ?3, mark(?1, ?2, ?3))
    ON CONFLICT (uid) DO UPDATE SET deck = excluded.deck, card = excluded.card, mark = excluded.mark
"""
CLEAR_TAG = "UPDATE tag SET deck = '', card = '', mark = mark(uid, '', '') WHERE uid = ?"
"""SQL that removes the card of a tag.

The row stays, with an empty deck, so that the backup forgets the card too.
"""
CLEAR_OTHER_TAGS = """
    UPDATE tag SET deck = '', card = '', mark = mark(CAST(uid AS BLOB), '', '')
    WHERE deck = ? AND card = ? AND uid != ?
"""
INSERT_DELETED = "INSERT OR IGNORE INTO deleted VALUES (?1, mark(?1))"
UPSERT_SETTING = """
    INSERT INTO setting VALUES (?1, ?2, mark(?1, ?2))
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, mark = excluded.mark
"""
REOPEN_GAME = """
    UPDATE game SET state = 'waiting', result = NULL,
        mark = mark(?1, CAST(game AS BLOB), CAST(names AS BLOB), NULL) WHERE number = ?1
"""
COUNT_REOPENED_EVENTS = "SELECT count(*) FROM event WHERE game = ? AND kind = 'Reopened'"
INSERT_GAME = "INSERT INTO game VALUES (?1, ?2, ?3, 'waiting', NULL, mark(?1, ?2, ?3, NULL))"
FINISH_GAME = """
    UPDATE game SET state = ?2, result = ?3,
        mark = mark(?1, CAST(game AS BLOB), CAST(names AS BLOB), ?3) WHERE number = ?1
"""
RENAME_PLAYERS = """
    UPDATE game SET names = ?2,
        mark = mark(?1, CAST(game AS BLOB), ?2, CAST(result AS BLOB)) WHERE number = ?1
"""
ALTERED_ROW_CONDITIONS = {
    table: f"mark != 0 AND mark != mark({columns})"
    for table, columns in {
        "game": "number, CAST(game AS BLOB), CAST(names AS BLOB), CAST(result AS BLOB)",
        "tag": "CAST(uid AS BLOB), CAST(deck AS BLOB), CAST(card AS BLOB)",
        "setting": "CAST(key AS BLOB), CAST(value AS BLOB)",
        "deleted": "number",
    }.items()
}
"""The SQL condition that finds altered rows, by table.

A row counts as altered if somebody who doesn't know about its checksum changed it.
"""
PLAY_DATES_KEY, TIMING_KEY, LAST_PLAYED_KEY = "played {}", "timing {}", "touched {}"
"""The settings keys of one game: its play dates, its clocks and seconds of play, and when it was last played.

Only version 0.2 saved when a game was last played; the date may have been wrong.
"""
GAMES_EXCLUDED_FROM_STATISTICS_KEY = "left out"
"""Key of the setting that lists the games that don't count in the statistics."""
SELECT_CHANGE_COUNT = "SELECT deeds FROM kept"
SET_CHANGE_COUNT = "UPDATE kept SET deeds = ?"

SELECT_NEXT_GAME_NUMBER = """
    WITH used(number) AS (SELECT number FROM game UNION ALL SELECT number FROM deleted)
    SELECT max(number) FROM (
        SELECT 1 AS number UNION SELECT number + 1 FROM used
        EXCEPT SELECT number FROM used
    ) WHERE number BETWEEN 1 AND ?
"""
"""SQL that selects the last free number that follows a used one.

A bad disk makes numbers that no game can have.
"""

_draft_decoder = msgspec.json.Decoder(SealedDraft)
_names_decoder = msgspec.json.Decoder(tuple[LoggedText, ...])
_result_decoder: msgspec.json.Decoder[StoredResult | None] = msgspec.json.Decoder(StoredResult | None)


class SavedGame(msgspec.Struct, frozen=True):
    """A game in the list of games; `result` is the final score as JSON, None before the end.

    A `waiting` game can be continued. A game that was `put away` ended before its end.
    """

    number: int
    game: ShortText
    names: tuple[LoggedText, ...]
    state: GameState
    result: StoredResult | None

    @property
    def winners(self) -> list[str]:
        """The names of the winners; empty before the end."""
        return self.result["winners"] if self.result else []


def decode_draft(body: bytes) -> SealedDraft:
    """Returns the draft in a row; raises `msgspec.DecodeError` or `UnicodeDecodeError`."""
    return decode_stored_json(_draft_decoder, body)


def next_game_number(db: sqlite3.Connection) -> int:
    """Returns the next game number: one that no present or deleted game has."""
    (number,) = db.execute(SELECT_NEXT_GAME_NUMBER, (MAX_NUMBER,)).fetchone()
    return int(number)


def insert_game(db: sqlite3.Connection, events: Sequence[Event], game_number: int) -> None:
    """Adds a game with this log to the list of games, as waiting or as ended."""
    began = events[0]
    assert isinstance(began, Began)
    db.execute(INSERT_GAME, (game_number, began.game, to_json(began.names)))
    if isinstance(events[-1], PutAway):
        finish_game(db, game_number, events[-1])


def finish_game(db: sqlite3.Connection, game_number: int, event: PutAway) -> None:
    """Marks a game in the list as finished, or as put away early, with its result or the score so far."""
    state = "put away" if event.early or event.result is None else "finished"
    db.execute(FINISH_GAME, (game_number, state, to_json(event.result)))


def reopen_game(db: sqlite3.Connection, game_number: int) -> None:
    """Makes an ended game the open one; the game that was open becomes a waiting one."""
    db.execute(REOPEN_GAME, (game_number,))
    open_waiting_game(db, game_number)


def purge_deleted_games(db: sqlite3.Connection) -> None:
    """Removes all deleted games with their logs and settings."""
    for table, column in (("event", "game"), ("game", "number")):
        db.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT number FROM deleted)")  # noqa: S608  ours
    deleted = {number for (number,) in db.execute("SELECT number FROM deleted")}
    db.executemany(
        "DELETE FROM setting WHERE key = ?",
        [
            (key.format(number),)
            for number in deleted
            for key in (PLAY_DATES_KEY, TIMING_KEY, LAST_PLAYED_KEY)
        ],
    )
    excluded: list[int] = load_setting(db, GAMES_EXCLUDED_FROM_STATISTICS_KEY, [], list[int])
    if not deleted.isdisjoint(excluded):
        remaining = [number for number in excluded if number not in deleted]
        db.execute(UPSERT_SETTING, (GAMES_EXCLUDED_FROM_STATISTICS_KEY, to_json(remaining)))


def open_waiting_game(db: sqlite3.Connection, game_number: int) -> None:
    """Makes a waiting game the open one; the game that was open becomes a waiting one."""
    db.execute("UPDATE game SET state = 'waiting' WHERE state = 'open'")
    db.execute("UPDATE game SET state = 'open' WHERE state = 'waiting' AND number = ?", (game_number,))


def list_games(db: sqlite3.Connection) -> list[SavedGame]:
    """Returns all games, newest first; raises `msgspec.DecodeError` if a row is damaged."""
    query = "SELECT number, game, names, state, result FROM game ORDER BY number DESC"
    rows = select_rows_or_raise(db, tuple[int, ShortText, str, GameState, str | None], query)
    return [
        SavedGame(
            number,
            game,
            decode_stored_json(_names_decoder, names),
            state,
            decode_stored_json(_result_decoder, result or "null"),
        )
        for number, game, names, state, result in rows
    ]


def select_rows_or_raise(
    db: sqlite3.Connection, row_type: type[T], query: str, *values: object
) -> Iterator[T]:
    """Yields rows of the expected type; raises `msgspec.ValidationError` at another row."""
    for row in db.execute(query, values):
        yield msgspec.convert(row, row_type)


def select_valid_rows(db: sqlite3.Connection, row_type: type[T], query: str, *values: object) -> Iterator[T]:
    """Yields the rows that have the expected type and skips all others."""
    for row in db.execute(query, values):
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(row, row_type)


def decode_json(json: str | bytes, value_type: type[T]) -> T:
    """Returns a JSON value of this type; raises `msgspec.DecodeError`."""
    return decode_stored_json(msgspec.json.Decoder(value_type), json)


def load_setting(db: sqlite3.Connection, key: str, default: Any, value_type: Any) -> Any:
    """Returns the value saved under a key; the default if there is none, or if it has another type."""
    json = load_setting_json_text(db, key)
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        return default if json is None else decode_json(json, value_type)
    return default


def load_setting_json_text(db: sqlite3.Connection, key: str) -> str | None:
    """Returns the JSON text saved under a key; empty for a damaged value, None if there is none."""
    for (value,) in db.execute("SELECT value FROM setting WHERE key = ?", (key,)):
        return value if isinstance(value, str) else ""
    return None


def load_play_dates(db: sqlite3.Connection, game_number: int | None) -> PlayDates:
    """Returns when a game was played; version 0.2 saved only when it was last played."""
    dates: PlayDates | None = load_setting(db, play_dates_setting_key(game_number), None, PlayDates)
    if dates is not None:
        return dates
    last_played: float | None = load_setting(db, LAST_PLAYED_KEY.format(game_number), None, UnixTime)
    if last_played is None or last_played < EARLIEST_GAME_UNIX_TIME:
        return PlayDates()
    return PlayDates(ended=last_played)


def play_dates_setting_key(game_number: int | None) -> str:
    """Returns the settings key of a game's play dates."""
    return PLAY_DATES_KEY.format(game_number)


def timing_setting_key(game_number: int | None) -> str:
    """Returns the settings key of a game's clocks and seconds of play."""
    return TIMING_KEY.format(game_number)


def to_json(value: object) -> str:
    """Returns a value as JSON."""
    return msgspec.json.encode(value).decode()


# Events with checksums


INSERT_EVENT = "INSERT OR REPLACE INTO event (game, seq, n, kind, body, chain) VALUES (?, ?, ?, ?, ?, ?)"
SELECT_EVENTS = "SELECT seq, CAST(body AS BLOB), chain FROM event WHERE game = ? ORDER BY seq"
SELECT_EVENTS_WITHOUT_CHECKSUMS = "SELECT seq, CAST(body AS BLOB), '' FROM event WHERE game = ? ORDER BY seq"
"""SQL for the events of a file that is older than the checksums and is only read, so not migrated."""
MISSING_CHECKSUM = ""
"""Stands for the checksum of an event that was saved before there were checksums."""

EventRow = tuple[int, int, int, str, str, str]
_event_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def build_next_event_row(game_number: int, seq: int, event: Event, previous_checksum: str) -> EventRow:
    """Returns the next event as a row; `previous_checksum` is that of the row before."""
    body = msgspec.json.encode(event)
    return build_event_row(game_number, seq, event, body, chain_checksum(previous_checksum, body))


def build_event_row(game_number: int, seq: int, event: Event, body: bytes, checksum: str) -> EventRow:
    """Returns the row of an event: game, place in the log, question, kind, JSON, checksum."""
    n = 0 if isinstance(event, Began) else event.n
    return game_number, seq, n, str(event.__struct_config__.tag), body.decode(), checksum


def chain_checksum(previous_checksum: str, body: bytes) -> str:
    """Returns the checksum of an event: BLAKE2 of the checksum before it and its JSON, in hex."""
    return hashlib.blake2b(previous_checksum.encode() + body, digest_size=16).hexdigest()


def event_count_and_last_checksum(db: sqlite3.Connection, game_number: int | None) -> tuple[int, str]:
    """Returns how many events a game has, and the checksum of the last one."""
    query = "SELECT seq, chain FROM event WHERE game = ? ORDER BY seq DESC LIMIT 1"
    row: tuple[int, str] | None = db.execute(query, (game_number,)).fetchone()
    return row or (0, MISSING_CHECKSUM)


def decode_verified_events(rows: Iterable[tuple[int, bytes, str]]) -> Iterator[Event]:
    """Yields the events in a log's rows; raises `UserError` or a decoding error at the first altered one."""
    return events_checked_for_order(map(decode_event, verified_event_json(rows)))


def verified_event_json(rows: Iterable[tuple[int, bytes, str]]) -> Iterator[bytes]:
    """Yields the events as JSON; raises `UserError` at the first that is missing or was changed."""
    previous_checksum = MISSING_CHECKSUM
    for expected_seq, (seq, body, checksum) in enumerate(rows, 1):
        if seq != expected_seq:
            raise UserError(say("Event {at} is missing.", at=expected_seq))
        has_checksum = checksum or previous_checksum  # after one checksum, none may be missing
        if checksum != (chain_checksum(previous_checksum, body) if has_checksum else MISSING_CHECKSUM):
            raise UserError(say("Event {at} has changed since it was saved.", at=expected_seq))
        previous_checksum = checksum
        yield body


def decode_event(body: bytes) -> Event:
    """Returns the event of a row; raises `msgspec.DecodeError` or `UnicodeDecodeError`."""
    return decode_stored_json(_event_decoder, body)
