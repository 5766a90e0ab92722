"""The log of one game: its events in the first file, its sealed drafts in the second."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from companion.errors import StoreUnavailable, UserError
from companion.log.dates import Played
from companion.log.events import Began, Event, PutAway, Reopened
from companion.log.memory import Draft, Memory, Timing
from companion.log.proof import disorder
from companion.store import game_rows
from companion.store.database import checkpoint_wal
from companion.store.disk import OpenDatabases
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
    play_dates_key,
    reopen_game,
    select_typed,
    timing_key,
    to_json,
)
from companion.texts import Labelled, Say, say


class GameLog:
    """An `events.Log` on disk. `number` is None until the first event, `Began`, lists the game.

    Whatever a disk refuses is raised as `StoreUnavailable`, which is an OSError; then nothing was kept.
    """

    def __init__(
        self, disk: OpenDatabases, number: int | None = None, dating: PlayDateTracker | None = None
    ) -> None:
        self.number = number
        self._disk = disk
        self._dating = dating or PlayDateTracker()
        self.played = Played()
        """When, as far as it is kept."""
        self._acknowledged = Memory()
        self._is_reopened = False
        with disk.reading():
            self._length, self._chain = game_rows.last_checksum(disk.games, number)
            if number is not None:
                self.played = load_play_dates(disk.games, number)
                self._is_reopened = bool(disk.games.execute(COUNT_REOPENED_EVENTS, (number,)).fetchone()[0])

    def events(self) -> list[Event]:
        """All events, oldest first; raises `StoreUnavailable` where one can't be read or has no place."""
        try:
            with self._disk.reading():
                events = list(
                    game_rows.read_events(self._disk.games.execute(game_rows.SELECT_EVENTS, (self.number,)))
                )
        except StoreUnavailable:
            raise
        except UserError as error:
            raise self._damaged(error.text) from error
        if self.number is not None and not events:
            raise self._damaged(say("All events of this game are missing."))
        self._acknowledged[:] = events
        return events

    def _damaged(self, why: Labelled) -> StoreUnavailable:
        text = "A saved game in {directory} is damaged. {why}"
        return StoreUnavailable(say(text, directory=str(self._disk.directory), why=why))

    def odd_rows(self) -> list[Say]:
        """What no program of ours has written: a row that can't be read, or isn't what it says it is."""
        query = "SELECT seq, n, kind, CAST(body AS BLOB) FROM event WHERE game = ? ORDER BY seq"
        with self._disk.reading():
            rows = self._disk.games.execute(query, (self.number,)).fetchall()
            kept = self._disk.games.execute(game_rows.SELECT_EVENTS, (self.number,)).fetchall()
        odd = [text for at, (*told, body) in enumerate(rows, 1) if (text := self._odd(at, told, body))]
        try:
            misplaced = (
                None
                if odd
                else disorder([game_rows.decode_event(body) for body in game_rows.verified_bodies(kept)])
            )
        except UserError as error:
            return [error.text]
        return [misplaced] if misplaced else odd

    def _odd(self, at: int, told: list[Any], body: bytes) -> Say | None:
        try:
            event = game_rows.decode_event(body)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return say("Event {at} can't be read.", at=at)
        _, *kept, _, _ = game_rows.event_row(self.number or 0, at, event, body, game_rows.NO_CHECKSUM)
        return None if kept == told else say("Event {at} was moved or changed.", at=at)

    def append(self, event: Event) -> None:
        """Keeps one more event; it is on the disk when this returns, and on its way to the backup."""
        if isinstance(event, (Began, PutAway, Reopened)):
            row = self._append_and_list(event)
        else:
            assert self.number is not None
            row = self._row(self.number, event)
            self._disk.add(game_rows.INSERT_EVENT, row)
        self._length, self._chain = self._length + 1, row[-1]
        self._acknowledged.append(event)

    def _row(self, number: int, event: Event) -> game_rows.EventRow:
        return game_rows.next_event_row(number, self._length + 1, event, self._chain)

    def seal(self, draft: Draft) -> None:
        """Keeps what is in an envelope; it is on the disk when this returns."""
        with self._disk.writing():
            self._disk.sealed.execute("INSERT INTO draft VALUES (?, ?)", (self.number, to_json(draft)))
        self._acknowledged.seal(draft)

    def drafts(self) -> list[Draft]:
        """All drafts of this game that are still kept."""
        query = "SELECT CAST(body AS BLOB) FROM draft WHERE game = ? ORDER BY rowid"
        with self._disk.reading():
            drafts = [decode_draft(body) for (body,) in self._disk.sealed.execute(query, (self.number,))]
        self._acknowledged.erase(keep=drafts)
        return drafts

    def erase(self, keep: Iterable[Draft] = ()) -> None:
        """Destroys all drafts of this game but these, so that they are in no file any more."""
        left = list(keep)
        self._acknowledged.erase(left)
        kept = to_json([to_json(draft) for draft in left])
        with self._disk.writing():
            self._disk.sealed.execute(
                "DELETE FROM draft WHERE game = ? AND body NOT IN (SELECT value FROM json_each(?))",
                (self.number, kept),
            )
            checkpoint_wal(self._disk.sealed)

    def names(self) -> Sequence[str]:
        """How the players are called now, as the list of games has it."""
        if not self._acknowledged.names():
            with self._disk.reading():
                query = "SELECT names FROM game WHERE number = ?"
                found = next(select_typed(self._disk.games, tuple[str], query, self.number), None)
                self._acknowledged.rename(decode_json(found[0], tuple[str, ...]) if found else ())
        return self._acknowledged.names()

    def rename(self, names: Sequence[str]) -> None:
        """Other names for the players, from now on in the list of games too."""
        self._disk.change(lambda db: db.execute(RENAME_PLAYERS, (self.number, to_json(names))))
        self._acknowledged.rename(names)

    def timing(self) -> Timing:
        """How time is kept, as it was kept last."""
        with self._disk.reading():
            timing: Timing = load_setting(
                self._disk.games, timing_key(self.number), self._acknowledged.timing(), Timing
            )
        self._acknowledged.keep_timing(timing)
        return timing

    def keep_timing(self, timing: Timing) -> None:
        """Keeps time otherwise: at once, or together with `Began`."""
        if self.number is not None:
            self._disk.change(
                lambda db: db.execute(UPSERT_SETTING, (timing_key(self.number), to_json(timing)))
            )
        self._acknowledged.keep_timing(timing)

    def touch(self) -> None:
        """Keeps that the game lies on the table now, if the time is known."""
        now = self._dates_until_now()
        if self.number is not None and now != self.played:
            self._disk.change(
                lambda db: db.execute(UPSERT_SETTING, (play_dates_key(self.number), to_json(now)))
            )
            self.played = now

    def write_to(self, disk: OpenDatabases) -> None:
        """Writes all that was acknowledged and still counts to another disk, whole or not at all."""
        kept, number = self._acknowledged, self.number
        if number is None:
            return
        rows, before = [], game_rows.NO_CHECKSUM
        for seq, event in enumerate(kept, 1):
            rows.append(game_rows.next_event_row(number, seq, event, before))
            before = rows[-1][-1]

        def do(db: sqlite3.Connection) -> None:
            insert_game(db, kept, number)
            open_waiting_game(db, number)
            if kept.names():
                db.execute(RENAME_PLAYERS, (number, to_json(kept.names())))
            db.execute(UPSERT_SETTING, (timing_key(number), to_json(kept.timing())))
            db.execute(UPSERT_SETTING, (play_dates_key(number), to_json(self.played)))
            db.executemany(game_rows.INSERT_EVENT, rows)

        with disk.writing():
            disk.sealed.executemany(
                "INSERT INTO draft VALUES (?, ?)", [(number, to_json(draft)) for draft in kept.drafts()]
            )
        disk.change(do)
        self._chain = before

    def _append_and_list(self, event: Began | PutAway | Reopened) -> game_rows.EventRow:
        """Keeps an event together with what it changes in the list of games."""
        with self._disk.reading():
            number = next_game_number(self._disk.games) if self.number is None else self.number
        row = self._row(number, event)
        began = isinstance(event, Began)
        reopens = isinstance(event, Reopened)
        dates = self._dating.begin() if began else self.played if reopens else self._dates_until_now()

        def do(db: sqlite3.Connection) -> None:
            db.execute(UPSERT_SETTING, (play_dates_key(number), to_json(dates)))
            if isinstance(event, Began):
                insert_game(db, [event], number)
                open_waiting_game(db, number)
                db.execute(UPSERT_SETTING, (timing_key(number), to_json(self._acknowledged.timing())))
            elif isinstance(event, PutAway):
                finish_game(db, number, event)
            else:
                reopen_game(db, number)
            db.execute(game_rows.INSERT_EVENT, row)

        self._disk.change(do)
        self.number, self.played = number, dates
        self._is_reopened = self._is_reopened or reopens
        return row

    def _dates_until_now(self) -> Played:
        """When the game was played, if that is until now; a reopened game is only corrected."""
        return self.played if self._is_reopened else self._dating.extended(self.played)


# From when to when a game is played, as far as this machine knows the time.


class PlayDateTracker:
    """`clock` gives the seconds since 1970, None where the time isn't known; `seconds` those that never jump.

    A clock may be set while people play: then the beginning is as long ago as `seconds` have passed.
    """

    def __init__(
        self,
        clock: Callable[[], float | None] = lambda: None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._seconds = seconds
        self._begun: float | None = None

    def begin(self) -> Played:
        """The dates of a game that begins now."""
        self._begun = self._seconds()
        now = self._clock()
        return Played(now, now)

    def extended(self, played: Played) -> Played:
        """Returns the dates extended to now, or unchanged if the time isn't known."""
        now = self._clock()
        if now is None:
            return played
        began = played.began
        if began is None and self._begun is not None:
            began = max(0.0, now - (self._seconds() - self._begun))
        return msgspec.structs.replace(played, began=began, ended=now)
