"""The log of one game: its events in the games database, its sealed drafts in the second one.

`PlayDateTracker` tracks from when to when the game is played, as far as this machine knows the time.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from companion.errors import StoreUnavailable, UserError
from companion.log.events import Began, Event, PutAway, Reopened
from companion.log.log import ClocksAndPlayTime, MemoryLog, PlayDates, SealedDraft
from companion.log.proof import describe_first_misplaced_event
from companion.store import game_rows
from companion.store.database import OpenDatabases, execute_and_checkpoint
from companion.store.game_rows import (
    COUNT_REOPENED_EVENTS,
    RENAME_PLAYERS,
    UPSERT_SETTING,
    decode_draft,
    decode_json,
    finish_game,
    insert_game,
    load_play_dates,
    load_setting,
    next_game_number,
    open_waiting_game,
    play_dates_setting_key,
    reopen_game,
    select_rows_or_raise,
    timing_setting_key,
    to_json,
)
from companion.texts import Labelled, Say, say


class GameLog:
    """A `Log` on disk; `number` is None until the first event, `Began`, adds the game to the list.

    Every error of the disk is raised as `StoreUnavailable`, which is an OSError; then nothing was saved.
    """

    def __init__(
        self, disk: OpenDatabases, number: int | None = None, date_tracker: PlayDateTracker | None = None
    ) -> None:
        self.number = number
        self._disk = disk
        self._date_tracker = date_tracker or PlayDateTracker()
        self.play_dates = PlayDates()
        """When the game was played, as far as the dates are saved."""
        self._acknowledged = MemoryLog()
        self._was_reopened = False
        with disk.translating_disk_errors():
            self._event_count, self._last_checksum = game_rows.event_count_and_last_checksum(
                disk.games, number
            )
            if number is not None:
                self.play_dates = load_play_dates(disk.games, number)
                self._was_reopened = bool(disk.games.execute(COUNT_REOPENED_EVENTS, (number,)).fetchone()[0])

    def events(self) -> list[Event]:
        """Returns all events, oldest first.

        Raises `StoreUnavailable` if one can't be read or is out of order.
        """
        try:
            with self._disk.translating_disk_errors():
                events = list(
                    game_rows.decode_verified_events(
                        self._disk.games.execute(game_rows.SELECT_EVENTS, (self.number,))
                    )
                )
        except StoreUnavailable:
            raise
        except UserError as error:
            raise self._damage_error(error.text) from error
        if self.number is not None and not events:
            raise self._damage_error(say("All events of this game are missing."))
        self._acknowledged[:] = events
        return events

    def _damage_error(self, why: Labelled) -> StoreUnavailable:
        text = "A saved game in {directory} is damaged. {why}"
        return StoreUnavailable(say(text, directory=str(self._disk.directory), why=why))

    def describe_altered_rows(self) -> list[Say]:
        """Returns sentences about altered rows, which this program can't have written.

        An altered row is unreadable, or its event doesn't match its other columns.
        """
        query = "SELECT seq, n, kind, CAST(body AS BLOB) FROM event WHERE game = ? ORDER BY seq"
        with self._disk.translating_disk_errors():
            rows = self._disk.games.execute(query, (self.number,)).fetchall()
            checked_rows = self._disk.games.execute(game_rows.SELECT_EVENTS, (self.number,)).fetchall()
        altered = [
            text
            for seq, (*columns, body) in enumerate(rows, 1)
            if (text := self._describe_altered_row(seq, columns, body))
        ]
        if altered:
            return altered
        try:
            misplaced = describe_first_misplaced_event(
                [game_rows.decode_event(body) for body in game_rows.verified_event_json(checked_rows)]
            )
        except UserError as error:
            return [error.text]
        return [misplaced] if misplaced else []

    def _describe_altered_row(self, seq: int, columns: list[Any], body: bytes) -> Say | None:
        try:
            event = game_rows.decode_event(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return say("Event {at} can't be read.", at=seq)
        _, *expected_columns, _, _ = game_rows.build_event_row(
            self.number or 0, seq, event, body, game_rows.MISSING_CHECKSUM
        )
        return None if columns == expected_columns else say("Event {at} was moved or changed.", at=seq)

    def append(self, event: Event) -> None:
        """Saves one more event, which is on the disk and on its way to the backup when this returns."""
        if isinstance(event, (Began, PutAway, Reopened)):
            row = self._append_and_list(event)
        else:
            assert self.number is not None
            row = self._next_row(self.number, event)
            self._disk.insert_row(game_rows.INSERT_EVENT, row)
        self._event_count, self._last_checksum = self._event_count + 1, row[-1]
        self._acknowledged.append(event)

    def _next_row(self, number: int, event: Event) -> game_rows.EventRow:
        return game_rows.build_next_event_row(number, self._event_count + 1, event, self._last_checksum)

    def add_draft(self, draft: SealedDraft) -> None:
        """Saves the draft in an envelope, which is on the disk when this returns."""
        with self._disk.checking_file_locations():
            self._disk.sealed.execute("INSERT INTO draft VALUES (?, ?)", (self.number, to_json(draft)))
        self._acknowledged.add_draft(draft)

    def drafts(self) -> list[SealedDraft]:
        """Returns all drafts of this game that are still saved."""
        query = "SELECT CAST(body AS BLOB) FROM draft WHERE game = ? ORDER BY rowid"
        with self._disk.translating_disk_errors():
            drafts = [decode_draft(body) for (body,) in self._disk.sealed.execute(query, (self.number,))]
        self._acknowledged.delete_drafts(drafts_to_keep=drafts)
        return drafts

    def delete_drafts(self, drafts_to_keep: Iterable[SealedDraft] = ()) -> None:
        """Destroys all drafts of this game but `drafts_to_keep`, so that no file contains them any more."""
        drafts = list(drafts_to_keep)
        self._acknowledged.delete_drafts(drafts)
        bodies_to_keep = to_json([to_json(draft) for draft in drafts])
        with self._disk.checking_file_locations():
            execute_and_checkpoint(
                self._disk.sealed,
                "DELETE FROM draft WHERE game = ? AND body NOT IN (SELECT value FROM json_each(?))",
                (self.number, bodies_to_keep),
            )

    def current_names(self) -> Sequence[str]:
        """Returns the current names of the players, as in the list of games."""
        if not self._acknowledged.current_names():
            with self._disk.translating_disk_errors():
                query = "SELECT names FROM game WHERE number = ?"
                row = next(select_rows_or_raise(self._disk.games, tuple[str], query, self.number), None)
                self._acknowledged.save_names(decode_json(row[0], tuple[str, ...]) if row else ())
        return self._acknowledged.current_names()

    def save_names(self, names: Sequence[str]) -> None:
        """Changes the names of the players, in the list of games too."""
        self._disk.run_transaction(lambda db: db.execute(RENAME_PLAYERS, (self.number, to_json(names))))
        self._acknowledged.save_names(names)

    def timing(self) -> ClocksAndPlayTime:
        """Returns the saved clocks of the game and its seconds of play."""
        with self._disk.translating_disk_errors():
            timing: ClocksAndPlayTime = load_setting(
                self._disk.games,
                timing_setting_key(self.number),
                self._acknowledged.timing(),
                ClocksAndPlayTime,
            )
        self._acknowledged.save_timing(timing)
        return timing

    def save_timing(self, timing: ClocksAndPlayTime) -> None:
        """Saves the clocks of the game and its seconds of play: at once, or together with `Began`."""
        if self.number is not None:
            self._disk.run_transaction(
                lambda db: db.execute(UPSERT_SETTING, (timing_setting_key(self.number), to_json(timing)))
            )
        self._acknowledged.save_timing(timing)

    def update_play_dates(self) -> None:
        """Extends the saved play dates to now, if the time is known."""
        dates = self._play_dates_until_now()
        if self.number is not None and dates != self.play_dates:
            self._disk.run_transaction(
                lambda db: db.execute(UPSERT_SETTING, (play_dates_setting_key(self.number), to_json(dates)))
            )
            self.play_dates = dates

    def copy_to_databases(self, target: OpenDatabases) -> None:
        """Copies all acknowledged events and drafts of the game to other databases, or nothing."""
        log, number = self._acknowledged, self.number
        if number is None:
            return
        rows, checksum = [], game_rows.MISSING_CHECKSUM
        for seq, event in enumerate(log, 1):
            rows.append(game_rows.build_next_event_row(number, seq, event, checksum))
            checksum = rows[-1][-1]

        def insert_everything(db: sqlite3.Connection) -> None:
            insert_game(db, log, number)
            open_waiting_game(db, number)
            if log.current_names():
                db.execute(RENAME_PLAYERS, (number, to_json(log.current_names())))
            db.execute(UPSERT_SETTING, (timing_setting_key(number), to_json(log.timing())))
            db.execute(UPSERT_SETTING, (play_dates_setting_key(number), to_json(self.play_dates)))
            db.executemany(game_rows.INSERT_EVENT, rows)

        with target.checking_file_locations():
            target.sealed.executemany(
                "INSERT INTO draft VALUES (?, ?)", [(number, to_json(draft)) for draft in log.drafts()]
            )
        target.run_transaction(insert_everything)
        self._last_checksum = checksum

    def _append_and_list(self, event: Began | PutAway | Reopened) -> game_rows.EventRow:
        """Saves an event together with the change that it makes in the list of games."""
        with self._disk.translating_disk_errors():
            number = next_game_number(self._disk.games) if self.number is None else self.number
        row = self._next_row(number, event)
        if isinstance(event, Began):
            dates = self._date_tracker.start()
        elif isinstance(event, Reopened):
            dates = self.play_dates
        else:
            dates = self._play_dates_until_now()

        def append_and_list(db: sqlite3.Connection) -> None:
            db.execute(UPSERT_SETTING, (play_dates_setting_key(number), to_json(dates)))
            if isinstance(event, Began):
                insert_game(db, [event], number)
                open_waiting_game(db, number)
                db.execute(UPSERT_SETTING, (timing_setting_key(number), to_json(self._acknowledged.timing())))
            elif isinstance(event, PutAway):
                finish_game(db, number, event)
            else:
                reopen_game(db, number)
            db.execute(game_rows.INSERT_EVENT, row)

        self._disk.run_transaction(append_and_list)
        self.number, self.play_dates = number, dates
        self._was_reopened = self._was_reopened or isinstance(event, Reopened)
        return row

    def _play_dates_until_now(self) -> PlayDates:
        """Returns the play dates up to now; those of a reopened game stay, because people only correct it."""
        return self.play_dates if self._was_reopened else self._date_tracker.extend_to_now(self.play_dates)


# Dates


class PlayDateTracker:
    """Tracks from when to when a game is played.

    `wall_clock` returns the seconds since 1970, or None if the time isn't known. `monotonic_seconds` never
    jumps. If the clock is set only while people play, the game began as many `monotonic_seconds` ago as have
    passed since its start.
    """

    def __init__(
        self,
        wall_clock: Callable[[], float | None] = lambda: None,
        monotonic_seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall_clock = wall_clock
        self._monotonic_seconds = monotonic_seconds
        self._start_seconds: float | None = None

    def start(self) -> PlayDates:
        """Returns the dates of a game that begins now."""
        self._start_seconds = self._monotonic_seconds()
        now = self._wall_clock()
        return PlayDates(now, now)

    def extend_to_now(self, play_dates: PlayDates) -> PlayDates:
        """Returns the dates extended to now, or unchanged if the time isn't known."""
        now = self._wall_clock()
        if now is None:
            return play_dates
        began = play_dates.began
        if began is None and self._start_seconds is not None:
            began = max(0.0, now - (self._monotonic_seconds() - self._start_seconds))
        return msgspec.structs.replace(play_dates, began=began, ended=now)
