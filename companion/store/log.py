"""The log of one game: rows in the first file, its sealed drafts in the second."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from companion.events import Began, Draft, Event, PutAway
from companion.store.troubles import spoken

State = Literal["open", "waiting", "finished", "put away"]

_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_drafts = msgspec.json.Decoder(Draft)
INSERT = "INSERT INTO event VALUES (?, ?, ?, ?, ?)"


class Saved(msgspec.Struct, frozen=True):
    """A game as the history lists it; `result` is the final score as JSON, None before the end.

    `waiting` can be taken up again; `put away` left the table unfinished.
    """

    number: int
    game: str
    names: tuple[str, ...]
    state: State
    result: Any


class GameLog:
    """An `events.Log` on disk. `number` is None until the first event, `Began`, gives the game its row.

    Whatever a disk refuses is raised as `Crowded`, which is an OSError; then nothing was kept.
    """

    def __init__(
        self,
        directory: Path,
        games: sqlite3.Connection,
        sealed: sqlite3.Connection,
        number: int | None = None,
    ) -> None:
        self.number = number
        self._directory = directory
        self._games = games
        self._sealed = sealed
        self._next = 1
        if number is not None:
            (self._next,) = games.execute(
                "SELECT coalesce(max(seq), 0) + 1 FROM event WHERE game = ?", (number,)
            ).fetchone()

    def events(self) -> list[Event]:
        """All events, oldest first."""
        with spoken(self._directory):
            rows = self._games.execute(
                "SELECT CAST(body AS BLOB) FROM event WHERE game = ? ORDER BY seq", (self.number,)
            )
            return [_events.decode(body) for (body,) in rows]

    def append(self, event: Event) -> None:
        """Keeps one more event; it is on the disk when this returns."""
        with spoken(self._directory):
            if isinstance(event, (Began, PutAway)):
                with self._games:
                    self._games.execute("BEGIN IMMEDIATE")
                    number = self._turn(event)
                    self._games.execute(INSERT, row(number, self._next, event))
                self.number = number
            else:
                assert self.number is not None
                self._games.execute(INSERT, row(self.number, self._next, event))
        self._next += 1

    def seal(self, draft: Draft) -> None:
        """Keeps what is in an envelope; it is on the disk when this returns."""
        with spoken(self._directory):
            self._sealed.execute("INSERT INTO draft VALUES (?, ?)", (self.number, _text(draft)))

    def drafts(self) -> list[Draft]:
        """All drafts of this game that are still kept."""
        with spoken(self._directory):
            rows = self._sealed.execute(
                "SELECT CAST(body AS BLOB) FROM draft WHERE game = ? ORDER BY rowid", (self.number,)
            )
            return [_drafts.decode(body) for (body,) in rows]

    def erase(self, keep: Iterable[Draft] = ()) -> None:
        """Destroys all drafts of this game but these."""
        with spoken(self._directory):
            self._sealed.execute(
                "DELETE FROM draft WHERE game = ? AND body NOT IN (SELECT value FROM json_each(?))",
                (self.number, msgspec.json.encode([_text(draft) for draft in keep]).decode()),
            )
            self._sealed.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _turn(self, event: Began | PutAway) -> int:
        """Writes what the beginning or the end of a game changes in the list of games; gives the game's number."""
        if isinstance(event, Began):
            self._games.execute("UPDATE game SET state = 'waiting' WHERE state = 'open'")
            number = self._games.execute(
                "INSERT INTO game (game, names, state) VALUES (?, ?, 'open')",
                (event.game, _text(event.names)),
            ).lastrowid
            assert number is not None
            return number
        assert self.number is not None
        state = "put away" if event.result is None else "finished"
        self._games.execute(
            "UPDATE game SET state = ?, result = ? WHERE number = ?",
            (state, _text(event.result), self.number),
        )
        return self.number


def row(number: int, seq: int, event: Event) -> tuple[int, int, int, str, str]:
    """One event as a row: game, place in the log, question, kind, JSON."""
    n = 0 if isinstance(event, Began) else event.n
    return number, seq, n, type(event).__name__, _text(event)


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
