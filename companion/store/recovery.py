"""What happens when a store is opened for writing: damaged files are rescued, intact ones are backed up.

Games are merged from one database into another: into the backup, and out of a damaged file. A game is rebuilt
from its log, which is read as far as it can be read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from companion.bounds import BoundedNatural
from companion.errors import UserError
from companion.log.events import Began, Event, PlayerLeft, Sealed
from companion.store import game_rows
from companion.store.database import (
    DECODE_ERRORS,
    DRAFTS_MIGRATIONS,
    GAMES_MIGRATIONS,
    close_on_failure,
    delete_database,
    execute_and_checkpoint,
    exists_and_is_not_empty,
    is_intact,
    open_for_writing,
    open_read_only,
    rename_damaged_database,
    schema_version,
    sqlite_side_file,
)
from companion.store.game_rows import (
    ALTERED_ROW_CONDITIONS,
    INSERT_DELETED,
    RENAME_PLAYERS,
    SELECT_CHANGE_COUNT,
    SET_CHANGE_COUNT,
    UPSERT_SETTING,
    UPSERT_TAG,
    SavedGame,
    decode_draft,
    decode_json,
    insert_game,
    list_games,
    open_waiting_game,
    purge_deleted_games,
    select_rows_or_raise,
    select_valid_rows,
)
from companion.store.state_files import StateFiles
from companion.table.seats import make_seats
from companion.texts import Say, say, say_n


def open_or_rescue_games(files: StateFiles, notices: list[Say]) -> sqlite3.Connection:
    """Opens the games database, intact and up to date; a damaged one is renamed and rescued first."""
    _rename_damaged_backup(files, notices)
    if not files.rescued_games.exists() and _are_games_damaged(files):
        rescue_games(files.games, files.backup, files.rescued_games)
    if files.rescued_games.exists():
        damaged_file = rename_damaged_database(files.games)
        files.rescued_games.replace(files.games)
        notices.append(
            say("The saved games were damaged. The damaged file is kept as {name}.", name=damaged_file.name)
            if damaged_file.exists()
            else say("The saved games were missing. They were restored from the backup.")
        )
        notices += _describe_rescued_games(files)
    return open_for_writing(files.games, GAMES_MIGRATIONS)


def open_backup(files: StateFiles, games: sqlite3.Connection) -> sqlite3.Connection:
    """Opens the backup and brings it up to date with the games. Its later writes cost no fsync."""
    backup = open_for_writing(files.backup, GAMES_MIGRATIONS)
    with close_on_failure(backup):
        merge_games(games, backup)
        backup.execute("PRAGMA synchronous = NORMAL")
    return backup


def open_and_prune_sealed_drafts(
    files: StateFiles, games: sqlite3.Connection, notices: list[Say]
) -> sqlite3.Connection:
    """Opens the sealed drafts of games that can still be continued, and destroys all others."""
    is_restored = not files.sealed_drafts.exists()
    are_intact = is_intact(files.sealed_drafts, DRAFTS_MIGRATIONS, are_drafts_readable)
    if not are_intact:
        # A renamed file would still contain the drafts after the envelopes were opened.
        delete_database(files.sealed_drafts)
        text = (
            "The sealed answers were damaged and had to be deleted. Players who had sealed an answer are "
            "asked again."
        )
        notices.append(say(text))
    db = open_for_writing(files.sealed_drafts, DRAFTS_MIGRATIONS)
    with close_on_failure(db):
        db.execute("PRAGMA secure_delete = ON")
        numbers = [game.number for game in list_games(games) if game.state not in ENDED_STATES]
        query = "DELETE FROM draft WHERE game NOT IN (SELECT value FROM json_each(?))"
        execute_and_checkpoint(db, query, (str(numbers),))
        names = dict.fromkeys(
            name for number in numbers for name in _players_without_draft(games, db, number)
        )
        if are_intact and names:
            text = "Some sealed answers were lost. These players are asked again: {names}."
            if is_restored:
                text = "A backup contains no sealed answers. These players are asked again: {names}."
            notices.append(say(text, names=", ".join(names)))
    return db


def _players_without_draft(games: sqlite3.Connection, sealed: sqlite3.Connection, number: int) -> list[str]:
    """Returns the players who sealed an answer that is missing: the end of a -wal can be lost unnoticed.

    Only the last seals of the log are checked, because any other event may have opened the envelopes.
    """
    rows = sealed.execute("SELECT CAST(body AS BLOB) FROM draft WHERE game = ?", (number,))
    saved_commitments = {decode_draft(body).commitment for (body,) in rows}
    commitment_by_seat: dict[int, str] = {}
    newest_events = (
        game_rows.decode_event(body)
        for _, body, _ in games.execute(f"{game_rows.SELECT_EVENTS} DESC", (number,))
    )
    for event in takewhile(lambda event: isinstance(event, (Sealed, PlayerLeft)), newest_events):
        if isinstance(event, Sealed):
            commitment_by_seat.setdefault(event.seat, event.commitment)
    query = "SELECT names FROM game WHERE number = ?"
    (names_json,) = next(select_rows_or_raise(games, tuple[str], query, number))
    names = decode_json(names_json, tuple[str, ...])
    return [
        names[seat - 1]
        for seat in sorted(commitment_by_seat)
        if commitment_by_seat[seat] not in saved_commitments
    ]


def _are_games_damaged(files: StateFiles) -> bool:
    """Returns whether the games can't be read, or the backup, which is written later, has more."""
    if not exists_and_is_not_empty(files.games):
        return files.backup.exists()
    return not is_intact(files.games, GAMES_MIGRATIONS, are_games_readable) or _are_games_behind_backup(files)


def _are_games_behind_backup(files: StateFiles) -> bool:
    """Returns whether the backup has more: a -wal damaged in the middle ends there unnoticed."""
    if not exists_and_is_not_empty(files.backup):
        return False
    with closing(open_read_only(files.backup)) as backup, closing(open_read_only(files.games)) as games:
        return schema_version(backup) > 0 and has_newer_games(backup, games)


def _rename_damaged_backup(files: StateFiles, notices: list[Say]) -> None:
    if not is_intact(files.backup, GAMES_MIGRATIONS, are_games_readable):
        damaged_file = rename_damaged_database(files.backup)
        notices.append(
            say(
                "The backup of the saved games was damaged. The damaged backup is kept as {name}, and a new "
                "backup was made.",
                name=damaged_file.name,
            )
        )


def _describe_rescued_games(files: StateFiles) -> list[Say]:
    with closing(open_for_writing(files.games, GAMES_MIGRATIONS)) as db:
        games = list_games(db)
    sentences = [say_n("{n} game was rescued.", "{n} games were rescued.", n=len(games))]
    return sentences + [
        say(
            "{game} with {names} can continue from the last event that could be read.",
            game=game.game,
            names=", ".join(game.names),
        )
        for game in games
        if game.state == "open"
    ]


def are_drafts_readable(db: sqlite3.Connection) -> bool:
    """Returns True if every draft can be decoded; raises the error of SQLite or JSON if one can't."""
    for (body,) in db.execute("SELECT CAST(body AS BLOB) FROM draft"):
        decode_draft(body)
    return True


# Merging games from one database into another


DAMAGE_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""The errors of a damaged file; the second if even SQLite's message about the damage is garbled."""
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
    """Atomically copies tags, settings and every game with a longer log from `source` to `target`.

    What was deleted in the source is deleted in the target too.
    """
    with target:
        target.execute("BEGIN IMMEDIATE")
        change_count = max(_change_count(source), _change_count(target))
        _merge_logs(source, target)
        _merge_other_rows(source, target)
        target.execute(SET_CHANGE_COUNT, (change_count,))


def _merge_logs(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    for number in _game_numbers(source):
        if _log_length(source, number) != _log_length(target, number):
            _merge_game(source, target, number)
    purge_deleted_games(target)


def _merge_other_rows(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    query = _without_altered_rows(source, SELECT_DELETED, "deleted")
    target.executemany(INSERT_DELETED, _select_readable(source, tuple[int], query))
    copy_tags_and_settings(source, target)
    purge_deleted_games(target)
    target.executemany(RENAME_PLAYERS, _readable_names(source, target))
    for (number,) in _select_readable(source, tuple[int], "SELECT number FROM game WHERE state = 'open'"):
        open_waiting_game(target, number)


def copy_tags_and_settings(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copies all tags and settings that can be read."""
    query = _without_altered_rows(source, SELECT_TAGS, "tag")
    target.executemany(UPSERT_TAG, _select_readable(source, tuple[str, str, str], query))
    target.executemany(UPSERT_SETTING, _readable_settings(source))


def rescue_games(damaged_path: Path, backup_path: Path, rescued_path: Path) -> None:
    """Rescues games from a damaged file and its backup into a new file.

    `rescued_path` is written whole or not at all: the backup, and the longer logs of the damaged file.
    """
    unfinished_path = rescued_path.with_suffix(".part")
    for suffix in ("", "-wal", "-shm"):
        sqlite_side_file(unfinished_path, suffix).unlink(missing_ok=True)
    with closing(open_for_writing(unfinished_path, GAMES_MIGRATIONS)) as db:
        for source in (backup_path, damaged_path):
            if exists_and_is_not_empty(source):
                with closing(open_read_only(source)) as source_db:
                    _merge_newer(source_db, db)
        if not exists_and_is_not_empty(backup_path):  # a backup would say which game was open
            db.execute(OPEN_NEWEST_WAITING_GAME)
    unfinished_path.replace(rescued_path)


def _merge_newer(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Merges the longer logs, and all other rows unless the target's rows are newer.

    Only the change count of a database says how new its rows are.
    """
    if _change_count(source) > _change_count(target) or not _change_count(target):
        merge_games(source, target)
        return
    with target:
        target.execute("BEGIN IMMEDIATE")
        change_count = _change_count(target)
        _merge_logs(source, target)
        target.execute(SET_CHANGE_COUNT, (change_count,))


def are_games_readable(db: sqlite3.Connection) -> bool:
    """Returns whether every log can be read to its end, and all other rows are as they were saved.

    Raises `msgspec.DecodeError` if a row can't be decoded.
    """
    games = {game.number: game for game in list_games(db)}
    for _ in select_rows_or_raise(db, tuple[str, str, str], SELECT_TAGS):
        pass
    for _, text in select_rows_or_raise(db, tuple[str, str], SELECT_SETTINGS):
        decode_json(text, Any)
    if any(
        _has_checksums(db, table) and db.execute(f"SELECT 1 FROM {table} WHERE {is_altered}").fetchone()  # noqa: S608 - our own tables
        for table, is_altered in ALTERED_ROW_CONDITIONS.items()
    ):
        return False
    if _table_definition(db, "kept") and not _is_checksum_sum_right(db):
        return False
    return all(number in games and _is_log_readable(db, games[number]) for number in _game_numbers(db))


def _is_checksum_sum_right(db: sqlite3.Connection) -> bool:
    """Returns whether the sum of the checksums is that of the rows, and the number of changes is possible."""
    if not list(select_valid_rows(db, tuple[BoundedNatural], SELECT_CHANGE_COUNT)):
        return False
    return db.execute(SELECT_KEPT_CHECKSUM).fetchall() == db.execute(SELECT_CHECKSUM_SUM).fetchall()


def has_newer_games(db: sqlite3.Connection, other: sqlite3.Connection) -> bool:
    """Returns whether `db` has a longer log than `other`, or newer other rows; deleted games don't count."""
    other_lengths = dict(_select_readable(other, tuple[int, int], SELECT_LOG_LENGTHS))
    deleted = {number for (number,) in _select_readable(other, tuple[int], SELECT_DELETED)}
    longer = {
        number for number, length in db.execute(SELECT_LOG_LENGTHS) if length > other_lengths.get(number, 0)
    }
    return bool(longer - deleted) or _change_count(db) > _change_count(other)


def _is_log_readable(db: sqlite3.Connection, game: SavedGame) -> bool:
    """Returns whether a log is as it was saved, and has as many players as the list of games.

    A log that nobody continues isn't decoded; only its checksums are verified.
    """
    rows = db.execute(_select_events(db), (game.number,))
    try:
        if game.state in ENDED_STATES:
            return sum(1 for _ in game_rows.verified_event_json(rows)) > 0
        events = list(game_rows.decode_verified_events(rows))
    except UserError:
        return False
    return bool(events) and isinstance(events[0], Began) and len(events[0].names) == len(game.names)


def _merge_game(source: sqlite3.Connection, target: sqlite3.Connection, number: int) -> None:
    """Copies a log as it is in the source, up to the first event that isn't as it was saved."""
    rows = list(_select_readable(source, tuple[int, bytes, str], _select_events(source), number))
    events: list[Event] = []
    with suppress(UserError, *DECODE_ERRORS):
        for event in game_rows.decode_verified_events(rows):
            events.append(event)  # noqa: PERF402 - the events before the first unreadable one count
    if len(events) <= _log_length(target, number):
        return
    old_row = target.execute("SELECT names, state FROM game WHERE number = ?", (number,)).fetchone()
    target.execute("DELETE FROM event WHERE game = ?", (number,))
    target.execute("DELETE FROM game WHERE number = ?", (number,))
    insert_game(target, events, number)
    if old_row is not None:
        names, state = old_row
        target.execute(RENAME_PLAYERS, (number, names))
        if state == "open":
            open_waiting_game(target, number)
    for event, (seq, body, checksum) in zip(events, rows, strict=False):
        row = game_rows.build_event_row(number, seq, event, body, checksum)
        target.execute(game_rows.INSERT_EVENT, row)


def _log_length(db: sqlite3.Connection, number: int) -> int:
    """Returns how many events a log has; 0 if that can't be read."""
    query = "SELECT count(*) FROM event WHERE game = ?"
    return next((count for (count,) in _select_readable(db, tuple[int], query, number)), 0)


def _game_numbers(db: sqlite3.Connection) -> list[int]:
    """Returns the numbers of all games, from the list of games and from the logs."""
    queries = ("SELECT number FROM game", "SELECT DISTINCT game FROM event")
    return sorted({number for query in queries for (number,) in _select_readable(db, tuple[int], query)})


def _select_events(db: sqlite3.Connection) -> str:
    return game_rows.SELECT_EVENTS if _has_checksums(db) else game_rows.SELECT_EVENTS_WITHOUT_CHECKSUMS


def _without_altered_rows(db: sqlite3.Connection, query: str, table: str) -> str:
    """Returns the query without the rows of its table that were altered."""
    return f"{query} WHERE NOT ({ALTERED_ROW_CONDITIONS[table]})" if _has_checksums(db, table) else query


def _has_checksums(db: sqlite3.Connection, table: str = "event") -> bool:
    """Returns whether a table has checksums; True if that can't be read."""
    with suppress(*DAMAGE_ERRORS):
        sql = _table_definition(db, table)
        return "chain" in sql or "mark" in sql
    return True


def _table_definition(db: sqlite3.Connection, table: str) -> str:
    """Returns the SQL that made a table."""
    row = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    return str(row[0]) if row else ""


def _change_count(db: sqlite3.Connection) -> int:
    """Returns how often rows beside the logs were written; 0 if that can't be read."""
    return next((count for (count,) in _select_readable(db, tuple[BoundedNatural], SELECT_CHANGE_COUNT)), 0)


def _readable_names(db: sqlite3.Connection, target: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """Yields the number and the players' names (as JSON) of each game, if the game has as many seats."""
    seat_counts = {game.number: len(game.names) for game in list_games(target)}
    query = _without_altered_rows(db, SELECT_NAMES, "game")
    for number, names_json in _select_readable(db, tuple[int, str], query):
        with suppress(msgspec.DecodeError, UserError):
            if len(make_seats(decode_json(names_json, tuple[str, ...]))) == seat_counts.get(number):
                yield number, names_json


def _readable_settings(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    query = _without_altered_rows(db, SELECT_SETTINGS, "setting")
    for key, value_json in _select_readable(db, tuple[str, str], query):
        with suppress(msgspec.DecodeError):
            decode_json(value_json, Any)
            yield key, value_json


def _select_readable(db: sqlite3.Connection, row_type: type[T], query: str, *values: int) -> Iterator[T]:
    """Yields the rows of the expected type, up to the first row that can't be read."""
    with suppress(*DAMAGE_ERRORS):
        yield from select_valid_rows(db, row_type, query, *values)
