"""The games, card tags and settings of one state directory: `Store`."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from companion import wall_clock
from companion.cards import DeckAndCard
from companion.errors import CompanionError, StoreUnavailable, UnknownName
from companion.log.events import Began
from companion.log.log import PlayDates
from companion.store import game_rows
from companion.store.database import (
    DRAFTS_MIGRATIONS,
    GAMES_MIGRATIONS,
    OpenDatabases,
    open_for_reading,
    open_in_memory,
    translate_disk_errors,
)
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
    load_setting_json_text,
    open_waiting_game,
    play_dates_setting_key,
    purge_deleted_games,
    select_valid_rows,
    to_json,
)
from companion.store.recovery import (
    ENDED_STATES,
    copy_tags_and_settings,
    merge_games,
    open_and_prune_sealed_drafts,
    open_backup,
    open_or_rescue_games,
)
from companion.store.state_files import (
    StateFiles,
    find_path_for_new_state_directory,
    finish_interrupted_restore,
    release_lock,
    remove_obsolete_files,
)
from companion.texts import Say, say

NO_FILE_OWNERS_TEXT = (
    "The file system of {directory} doesn't record who owns a file. Every user of this machine can read "
    "sealed answers. Use a file system that does, such as ext4."
)


class Store:
    """The games, card tags and settings of one state directory.

    `Store.open(state_directory(None), for_writing=True)` opens it. `notices` are sentences to show at the
    start. A store that isn't open for writing can be read while somebody plays, and sees no drafts.
    `wall_clock` returns the seconds since 1970, or None if the time isn't known. `monotonic_seconds` never
    jumps. Every error of the disk is raised as `StoreUnavailable`.
    """

    def __init__(self, disk: OpenDatabases, *, for_writing: bool) -> None:
        self.notices: list[Say] = []
        self.wall_clock: Callable[[], float | None] = wall_clock.trusted_unix_time
        self.monotonic_seconds: Callable[[], float] = time.monotonic
        self._disk = disk
        self._for_writing = for_writing
        self._current_log: GameLog | None = None
        self._opened = ExitStack()

    @property
    def directory(self) -> Path:
        """The state directory."""
        return self._disk.directory

    @property
    def is_lost(self) -> bool:
        """True if nothing can be saved any more, because the directory is gone or its disk fails."""
        return self._disk.is_lost

    @property
    def _games(self) -> sqlite3.Connection:
        return self._disk.games

    @classmethod
    def open(cls, directory: Path, *, for_writing: bool = False) -> Store:
        """Opens a directory. A store that is open for writing has the directory to itself until `close`."""
        files = StateFiles(directory)
        with translate_disk_errors(directory), ExitStack() as opened:
            notices: list[Say] = []
            files.check_file_types()
            if for_writing:
                files.create_directories()
                opened.callback(release_lock, files.acquire_lock())
                finish_interrupted_restore(files)
                remove_obsolete_files(files)
                if not files.is_private:
                    notices.append(say(NO_FILE_OWNERS_TEXT, directory=str(directory)))
                games = opened.enter_context(closing(open_or_rescue_games(files, notices)))
                sealed = opened.enter_context(closing(open_and_prune_sealed_drafts(files, games, notices)))
                backup = opened.enter_context(closing(open_backup(files, games)))
                opened.callback(_back_up_if_possible, games, backup)
                disk = OpenDatabases(directory, games, sealed, backup, (files.games, files.sealed_drafts))
            else:
                games = opened.enter_context(closing(open_for_reading(files.games, GAMES_MIGRATIONS)))
                disk = OpenDatabases(
                    directory, games, opened.enter_context(closing(open_in_memory(DRAFTS_MIGRATIONS)))
                )
            store = cls(disk, for_writing=for_writing)
            store.notices = notices
            store._opened = opened.pop_all()
        return store

    def new_game_log(self) -> GameLog:
        """Returns the log of a game that is about to begin.

        When it begins, a game that is still open becomes a waiting one.
        """
        self._current_log = GameLog(
            self._disk, None, PlayDateTracker(self.wall_clock, self.monotonic_seconds)
        )
        return self._current_log

    def find_open_game(self) -> SavedGame | None:
        """Returns the open game; None if no game is open. There is at most one."""
        return next((game for game in self.all_saved_games() if game.state == "open"), None)

    def all_saved_games(self) -> list[SavedGame]:
        """Returns all games, newest first."""
        with self._disk.translating_disk_errors():
            return list_games(self._games)

    def open_game_log(self, game_number: int) -> GameLog:
        """Returns the log of a game; if the store is open for writing, a waiting game becomes the open one.

        Raises `UnknownName` if no game has this number.
        """
        with self._disk.checking_file_locations():
            query = "SELECT state FROM game WHERE number = ?"
            row = self._games.execute(query, (game_number,)).fetchone()
            if row is None:
                raise _unknown_game_error(game_number)
        (state,) = row
        if self._for_writing and state == "waiting":
            self._disk.run_transaction(lambda db: open_waiting_game(db, game_number))
        log = GameLog(self._disk, game_number, PlayDateTracker(self.wall_clock, self.monotonic_seconds))
        if state not in ENDED_STATES:
            if self._current_log and self._current_log.number == game_number:
                return self._current_log
            self._current_log = log
        return log

    def set_current_game_log(self, log: GameLog) -> None:
        """Remembers, without saving anything, which log is that of the game being played."""
        self._current_log = log

    def reopen_count(self, game_number: int) -> int:
        """Returns how often a game that was put away was reopened."""
        with self._disk.translating_disk_errors():
            (count,) = self._games.execute(COUNT_REOPENED_EVENTS, (game_number,)).fetchone()
        return int(count)

    def read_began_event(self, game_number: int) -> Began | None:
        """Returns the first event of a game, without opening the game.

        Returns None if there is no such game or if the event can't be read.
        """
        with suppress(CompanionError), self._disk.translating_disk_errors():
            rows = self._games.execute(f"{game_rows.SELECT_EVENTS} LIMIT 1", (game_number,)).fetchall()
            for event in game_rows.decode_verified_events(rows):
                return event if isinstance(event, Began) else None
        return None

    def play_dates(self, game_number: int) -> PlayDates:
        """Returns when a game was played, as far as this machine or its people know the dates."""
        with self._disk.translating_disk_errors():
            return load_play_dates(self._games, game_number)

    def set_play_date(self, game_number: int, day: str) -> None:
        """Sets the date of a game by hand, such as 2026-11-24; an empty text removes it."""
        dates = msgspec.structs.replace(self.play_dates(game_number), entered_date=day)
        self.save_value(play_dates_setting_key(game_number), msgspec.to_builtins(dates))
        if self._current_log and self._current_log.number == game_number:
            self._current_log.play_dates = dates

    def seconds_played(self, game_number: int) -> float:
        """Returns for how many seconds a game was played; 0 if its log doesn't say."""
        with suppress(CompanionError), self._disk.translating_disk_errors():
            for _, body, _ in self._games.execute(f"{game_rows.SELECT_EVENTS} DESC", (game_number,)):
                if seconds := getattr(game_rows.decode_event(body), "at", 0.0):
                    return float(seconds)
        return 0.0

    def find_new_directory_if_lost(self) -> Path | None:
        """Returns a new directory for the game being played, if its own directory is lost; else None."""
        return find_path_for_new_state_directory() if self.is_lost else None

    def move_current_game_to(self, directory: Path) -> None:
        """Moves the game being played, as far as it was acknowledged, to an empty directory.

        Tags and settings are copied if they can still be read. The other games stay in the old directory.
        """
        with ExitStack() as on_failure:
            other = Store.open(directory, for_writing=True)
            on_failure.callback(other.close)
            if other.all_saved_games():
                raise StoreUnavailable(
                    say("There are already other games in {directory}.", directory=str(directory))
                )
            disk = other._disk  # noqa: SLF001 - another of our own kind
            disk.run_transaction(lambda db: copy_tags_and_settings(self._games, db))
            if self._current_log:
                self._current_log.copy_to_databases(disk)
            on_failure.pop_all()
        with suppress(sqlite3.Error, OSError):
            self._opened.close()
        self._opened = other._opened  # noqa: SLF001 - another of our own kind
        self._disk.switch_to(disk)

    def delete_game(self, game_number: int) -> None:
        """Deletes a game and its log for good, in the backup too.

        Raises `UnknownName` if there is no such game.
        """
        with self._disk.checking_file_locations():
            if not self._games.execute("SELECT 1 FROM game WHERE number = ?", (game_number,)).fetchone():
                raise _unknown_game_error(game_number)

        def delete(db: sqlite3.Connection) -> None:
            db.execute(INSERT_DELETED, (game_number,))
            purge_deleted_games(db)

        self._disk.run_transaction(delete)

    def card_of_tag(self, tag_uid: str) -> DeckAndCard | None:
        """Returns the card of a tag and its deck; None if the tag belongs to no card.

        The case of the UID's letters doesn't matter.
        """
        query = "SELECT deck, card FROM tag WHERE uid = ? AND deck != ''"
        with self._disk.translating_disk_errors():
            return next(select_valid_rows(self._games, DeckAndCard, query, tag_uid.upper()), None)

    def tag_uid_by_card(self, deck_name: str) -> dict[str, str]:
        """Returns the tag's UID by card, for each card of a deck that has a tag."""
        with self._disk.translating_disk_errors():
            return dict(
                select_valid_rows(
                    self._games, tuple[str, str], "SELECT card, uid FROM tag WHERE deck = ?", deck_name
                )
            )

    def assign_tag(self, tag_uid: str, deck_name: str, card_id: str) -> None:
        """Assigns a tag to a card. The tag loses its earlier card, and the card its earlier tag."""

        def assign(db: sqlite3.Connection) -> None:
            db.execute(CLEAR_OTHER_TAGS, (deck_name, card_id, tag_uid.upper()))
            db.execute(UPSERT_TAG, (tag_uid.upper(), deck_name, card_id))

        self._disk.run_transaction(assign)

    def unassign_tag(self, tag_uid: str) -> None:
        """Removes the card of a tag."""
        self._disk.run_transaction(lambda db: db.execute(CLEAR_TAG, (tag_uid.upper(),)))

    def load_value(self, key: str, default: Any = None, value_type: Any = Any) -> Any:
        """Returns the value saved under a key; the default if there is none, or if it has another type."""
        with self._disk.translating_disk_errors():
            return load_setting(self._games, key, default, value_type)

    def load_json_text(self, key: str) -> str | None:
        """Returns the text saved under a key; damage may have made it invalid JSON. None if there is none."""
        with self._disk.translating_disk_errors():
            return load_setting_json_text(self._games, key)

    def save_value(self, key: str, value: Any) -> None:
        """Saves any JSON value under a key. Settings are saved by `companion.settings`."""
        json = to_json(value)
        self._disk.run_transaction(lambda db: db.execute(UPSERT_SETTING, (key, json)))

    def close(self) -> None:
        """Closes the store, so that another program can open it for writing."""
        self._opened.close()


def _unknown_game_error(number: int) -> UnknownName:
    return UnknownName(say("There is no saved game {number}.", number=number))


def _back_up_if_possible(games: sqlite3.Connection, backup: sqlite3.Connection) -> None:
    """Brings the backup up to date; if the disk refuses, the backup stays older, but the games are safe."""
    with suppress(sqlite3.Error, OSError):
        merge_games(games, backup)
