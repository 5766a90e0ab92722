"""Opens a state directory: all games, the tags and the settings."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from companion import wall_clock
from companion.errors import CompanionError, StoreUnavailable, UnknownName
from companion.log.dates import Played
from companion.log.events import Began, Event
from companion.store import game_rows
from companion.store.database import DRAFTS_MIGRATIONS, GAMES_MIGRATIONS, open_for_reading, open_in_memory
from companion.store.disk import OpenDatabases, translate_errors
from companion.store.game_log import GameLog, PlayDateTracker
from companion.store.game_rows import (
    CLEAR_OTHER_TAGS,
    CLEAR_TAG,
    COUNT_REOPENED_EVENTS,
    INSERT_DELETED,
    UPSERT_SETTING,
    UPSERT_TAG,
    SavedGame,
    list_games,
    load_play_dates,
    load_setting,
    load_setting_text,
    open_waiting_game,
    play_dates_key,
    purge_deleted_games,
    select_matching,
    to_json,
)
from companion.store.recovery import (
    ENDED_STATES,
    copy_tags_and_settings,
    merge_games,
    open_backup,
    open_games,
    open_sealed,
)
from companion.store.state_files import (
    StateFiles,
    finish_restore,
    release_lock,
    remove_obsolete_files,
    unused_state_directory,
)
from companion.texts import Say, say

NO_FILE_OWNERS = (
    "The file system of {directory} doesn't record who owns a file. Every user of this machine can read "
    "sealed answers. Use a file system that does, such as ext4."
)


class Store:
    """`Store.open(state_directory(None), playing=True)`; `notices` are sentences to show people at the start.

    Who isn't playing only reads, also while somebody plays, and sees no drafts.
    `clock` gives the seconds since 1970, None where the time isn't known; `seconds` those that never jump.
    Whatever a disk refuses is raised as `StoreUnavailable`.
    """

    def __init__(self, disk: OpenDatabases, *, playing: bool) -> None:
        self.notices: list[Say] = []
        self.clock: Callable[[], float | None] = wall_clock.trusted_now
        self.seconds: Callable[[], float] = time.monotonic
        self._disk = disk
        self._playing = playing
        self._on_table: GameLog | None = None
        self._opened = ExitStack()

    @property
    def directory(self) -> Path:
        """Where everything lies."""
        return self._disk.directory

    @property
    def lost(self) -> bool:
        """Whether nothing can be kept any more, because the directory is gone or its disk fails."""
        return self._disk.lost

    @property
    def _games(self) -> sqlite3.Connection:
        return self._disk.games

    @classmethod
    def open(cls, directory: Path, *, playing: bool = False) -> Store:
        """Opens a directory; whoever plays has it alone until `close`."""
        places = StateFiles(directory)
        with translate_errors(directory), ExitStack() as opened:
            notices: list[Say] = []
            places.check()
            if playing:
                places.prepare()
                opened.callback(release_lock, places.take_lock())
                finish_restore(places)
                remove_obsolete_files(places)
                if not places.are_owners_alone:
                    notices.append(say(NO_FILE_OWNERS, directory=str(directory)))
                games = opened.enter_context(closing(open_games(places, notices)))
                sealed = opened.enter_context(closing(open_sealed(places, games, notices)))
                backup = opened.enter_context(closing(open_backup(places, games)))
                opened.callback(_back_up_if_possible, games, backup)
                disk = OpenDatabases(directory, games, sealed, backup, (places.games, places.sealed))
            else:
                games = opened.enter_context(closing(open_for_reading(places.games, GAMES_MIGRATIONS)))
                disk = OpenDatabases(
                    directory, games, opened.enter_context(closing(open_in_memory(DRAFTS_MIGRATIONS)))
                )
            store = cls(disk, playing=playing)
            store.notices = notices
            store._opened = opened.pop_all()
        return store

    def new_game(self) -> GameLog:
        """The log of a game about to begin; when it does, a game still open waits in the history."""
        self._on_table = GameLog(self._disk, None, PlayDateTracker(self.clock, self.seconds))
        return self._on_table

    def open_game(self) -> SavedGame | None:
        """The one open game."""
        return next((game for game in self.saved() if game.state == "open"), None)

    def saved(self) -> list[SavedGame]:
        """All games, newest first."""
        with self._disk.reading():
            return list_games(self._games)

    def log(self, number: int) -> GameLog:
        """The log of a game; if somebody plays and the game was waiting, it becomes the open one.

        Raises `UnknownName` for a number no game has.
        """
        with self._disk.writing():
            query = "SELECT state FROM game WHERE number = ?"
            found = self._games.execute(query, (number,)).fetchone()
            if found is None:
                raise _no_such_game(number)
        if self._playing and found == ("waiting",):
            self._disk.change(lambda db: open_waiting_game(db, number))
        log = GameLog(self._disk, number, PlayDateTracker(self.clock, self.seconds))
        if found[0] not in ENDED_STATES:
            if self._on_table and self._on_table.number == number:
                return self._on_table
            self._on_table = log
        return log

    def lay(self, log: GameLog) -> None:
        """From now on that is the log of the game on the table."""
        self._on_table = log

    def reopened(self, number: int) -> int:
        """How often a game was reopened after it had been put away."""
        with self._disk.reading():
            (count,) = self._games.execute(COUNT_REOPENED_EVENTS, (number,)).fetchone()
        return int(count)

    def began(self, number: int) -> Began | None:
        """How a game began, which opens nothing; None where there is no such game, or it can't be read."""
        found: list[Event] = []
        with suppress(CompanionError), self._disk.reading():
            rows = self._games.execute(f"{game_rows.SELECT_EVENTS} LIMIT 1", (number,)).fetchall()
            found += game_rows.read_events(rows)
        return found[0] if found and isinstance(found[0], Began) else None

    def played(self, number: int) -> Played:
        """When a game was played, as far as this machine knew, or people have said."""
        with self._disk.reading():
            return load_play_dates(self._games, number)

    def date(self, number: int, day: str) -> None:
        """Gives a game a date by hand, such as 2026-11-24, or takes it away again (empty)."""
        now = msgspec.structs.replace(self.played(number), day=day)
        self.remember(play_dates_key(number), msgspec.to_builtins(now))
        if self._on_table and self._on_table.number == number:
            self._on_table.played = now

    def lasted(self, number: int) -> float:
        """For how many seconds a game was played; 0 where its log doesn't say."""
        with suppress(CompanionError), self._disk.reading():
            for _, body, _ in self._games.execute(f"{game_rows.SELECT_EVENTS} DESC", (number,)):
                if at := getattr(game_rows.decode_event(body), "at", 0.0):
                    return float(at)
        return 0.0

    def elsewhere(self) -> Path | None:
        """Where the game on the table can go on, if its directory is lost and there is such a place."""
        return unused_state_directory() if self.lost else None

    def go_on_in(self, directory: Path) -> None:
        """Writes the game on the table, as far as it was acknowledged, to an empty place, and goes on there.

        Tags and settings come along as far as they can still be read; the other games stay where they are.
        """
        with ExitStack() as opened:
            other = Store.open(directory, playing=True)
            opened.callback(other.close)
            if other.saved():
                raise StoreUnavailable(
                    say("There are already other games in {directory}.", directory=str(directory))
                )
            disk = other._disk  # noqa: SLF001 - another of our own kind
            disk.change(lambda db: copy_tags_and_settings(self._games, db))
            if self._on_table:
                self._on_table.write_to(disk)
            opened.pop_all()
        with suppress(sqlite3.Error, OSError):
            self._opened.close()
        self._opened = other._opened  # noqa: SLF001 - another of our own kind
        self._disk.move(disk)

    def delete(self, number: int) -> None:
        """Forgets a game and its log for good, in the backup too.

        Raises `UnknownName` where there is none.
        """
        with self._disk.writing():
            if not self._games.execute("SELECT 1 FROM game WHERE number = ?", (number,)).fetchone():
                raise _no_such_game(number)

        def do(db: sqlite3.Connection) -> None:
            db.execute(INSERT_DELETED, (number,))
            purge_deleted_games(db)

        self._disk.change(do)

    def tag(self, uid: str) -> tuple[str, str] | None:
        """The deck and the card of a tag, or None for one nobody has learnt; capitals don't matter."""
        query = "SELECT deck, card FROM tag WHERE uid = ? AND deck != ''"
        with self._disk.reading():
            return next(select_matching(self._games, tuple[str, str], query, uid.upper()), None)

    def tags(self, deck: str) -> dict[str, str]:
        """The tag of each card of a deck that has one, by the card."""
        with self._disk.reading():
            return dict(
                select_matching(
                    self._games, tuple[str, str], "SELECT card, uid FROM tag WHERE deck = ?", deck
                )
            )

    def learn(self, uid: str, deck: str, card: str) -> None:
        """From now on the tag is that card, and no other tag is; what it was before is forgotten."""

        def do(db: sqlite3.Connection) -> None:
            db.execute(CLEAR_OTHER_TAGS, (deck, card, uid.upper()))
            db.execute(UPSERT_TAG, (uid.upper(), deck, card))

        self._disk.change(do)

    def forget(self, uid: str) -> None:
        """From now on the tag is no card."""
        self._disk.change(lambda db: db.execute(CLEAR_TAG, (uid.upper(),)))

    def recall(self, key: str, default: Any = None, shape: Any = Any) -> Any:
        """Returns what is remembered under a key; the default for nothing, or for another shape."""
        with self._disk.reading():
            return load_setting(self._games, key, default, shape)

    def read_json(self, key: str) -> str | None:
        """Returns the text that is kept under a key, which damage may have made no JSON; None for nothing."""
        with self._disk.reading():
            return load_setting_text(self._games, key)

    def remember(self, key: str, value: Any) -> None:
        """Keeps anything that JSON can say under a key. Settings are saved by `companion.settings`."""
        json = to_json(value)
        self._disk.change(lambda db: db.execute(UPSERT_SETTING, (key, json)))

    def close(self) -> None:
        """Lets the next player in; the store can't be used any more."""
        self._opened.close()


def _no_such_game(number: int) -> UnknownName:
    return UnknownName(say("There is no saved game {number}.", number=number))


def _back_up_if_possible(games: sqlite3.Connection, backup: sqlite3.Connection) -> None:
    """A disk that refuses leaves the backup as far as it went; the games themselves are safe."""
    with suppress(sqlite3.Error, OSError):
        merge_games(games, backup)
