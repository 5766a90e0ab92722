"""Opens a state directory: all games, the tags and the settings."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import msgspec

from companion.errors import Unknown
from companion.store.database import connect, memory, reader
from companion.store.log import GameLog, Saved
from companion.store.places import Places
from companion.store.schema import DRAFTS, GAMES, migrate
from companion.store.troubles import spoken
from companion.words import Say, say

SAVED = "SELECT number, game, names, state, result FROM game"


class Store:
    """`Store.open(state_directory(None), playing=True)`; `notices` are sentences to show people at the start.

    Who isn't playing only reads, also while somebody plays, and sees no drafts.
    Whatever a disk refuses is raised as `Crowded`.
    """

    def __init__(
        self,
        directory: Path,
        games: sqlite3.Connection,
        sealed: sqlite3.Connection,
        lock: int | None = None,
    ) -> None:
        self.notices: list[Say] = []
        self._directory = directory
        self._games = games
        self._sealed = sealed
        self._lock = lock

    @classmethod
    def open(cls, directory: Path, *, playing: bool = False) -> Store:
        """Opens a directory; whoever plays has it alone until `close`."""
        places = Places(directory)
        with spoken(directory):
            if not playing:
                return cls(directory, reader(places.games, GAMES), memory(DRAFTS))
            places.prepare()
            lock = places.take_lock()
            games, sealed = connect(places.games), connect(places.sealed)
            migrate(games, GAMES)
            migrate(sealed, DRAFTS)
            return cls(directory, games, sealed, lock)

    def new_game(self) -> GameLog:
        """The log of a game about to begin; when it does, a game still open waits in the history."""
        return GameLog(self._directory, self._games, self._sealed)

    def open_game(self) -> Saved | None:
        """The one open game."""
        return next((saved for saved in self.saved() if saved.state == "open"), None)

    def saved(self) -> list[Saved]:
        """All games, newest first."""
        with spoken(self._directory):
            return [_saved(*row) for row in self._games.execute(f"{SAVED} ORDER BY number DESC")]

    def log(self, number: int) -> GameLog:
        """The log of a game; if somebody plays and the game was waiting, it becomes the open one.

        Raises `Unknown` for a number no game has.
        """
        with spoken(self._directory):
            found = self._games.execute("SELECT state FROM game WHERE number = ?", (number,)).fetchone()
            if found is None:
                raise Unknown(say("There is no saved game {number}.", number=number))
            if found == ("waiting",) and self._lock is not None:
                with self._games:
                    self._games.execute("BEGIN IMMEDIATE")
                    self._games.execute("UPDATE game SET state = 'waiting' WHERE state = 'open'")
                    self._games.execute("UPDATE game SET state = 'open' WHERE number = ?", (number,))
            return GameLog(self._directory, self._games, self._sealed, number)

    def tag(self, uid: str) -> tuple[str, str] | None:
        """The deck and the card of a tag, or None for one nobody has learnt."""
        with spoken(self._directory):
            found = self._games.execute("SELECT deck, card FROM tag WHERE uid = ?", (uid,)).fetchone()
        return None if found is None else (str(found[0]), str(found[1]))

    def learn(self, uid: str, deck: str, card: str) -> None:
        """From now on the tag is that card; what it was before is forgotten."""
        with spoken(self._directory):
            self._games.execute("INSERT OR REPLACE INTO tag VALUES (?, ?, ?)", (uid, deck, card))

    def setting(self, key: str, default: Any = None) -> Any:
        """A setting as JSON gives it back, or the default where it was never set."""
        with spoken(self._directory):
            found = self._games.execute("SELECT value FROM setting WHERE key = ?", (key,)).fetchone()
        return default if found is None else msgspec.json.decode(found[0])

    def set_setting(self, key: str, value: Any) -> None:
        """Keeps a setting; anything JSON can say."""
        with spoken(self._directory):
            self._games.execute(
                "INSERT OR REPLACE INTO setting VALUES (?, ?)", (key, msgspec.json.encode(value).decode())
            )

    def close(self) -> None:
        """Lets the next player in."""
        self._games.close()
        self._sealed.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _saved(number: int, game: str, names: str, state: Any, result: str | None) -> Saved:
    return Saved(
        number,
        game,
        tuple(msgspec.json.decode(names)),
        state,
        None if result is None else msgspec.json.decode(result),
    )
