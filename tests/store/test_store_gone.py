"""A state directory that goes away while somebody plays: nothing more is taken, until it is back."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import EventNotSaved, StoreUnavailable
from companion.session.session import Session
from companion.store import GameLog, Store
from companion.store.database import to_store_unavailable
from tests.support.disks import pull_out
from tests.support.sealed_bid_games import begin_game, resume_game, seal_bid, state_kept_by_restart


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Path, Store, Session]]:
    """Aki's bid is in, Ben's is not."""
    store = Store.open(tmp_path / "state", for_writing=True)
    session = begin_game(store)
    seal_bid(session, "Aki", 4)
    yield tmp_path / "state", store, session
    store.close()


ACTS: dict[str, Callable[[Store, Session], object]] = {
    "a bid": lambda _, session: seal_bid(session, "Ben", 5),
    "an undo": lambda _, session: session.undo(past_reveal=True),
    "a correction": lambda _, session: session.correct("bank", "Ben/front", "paid", 1, "forgotten"),
    "a name": lambda _, session: session.rename_player(session.table.seats.find_seat("Ben"), "Dai"),
    "the end": lambda _, session: session.put_away(),
    "another game": lambda store, _: begin_game(store, ["Chie", "Dan"]),
    "a tag": lambda store, _: store.assign_tag("04a2", "egypt", "6.1"),
    "no tag": lambda store, _: store.unassign_tag("04a2"),
    "a setting": lambda store, _: store.save_value("sound", value=False),
    "no game": lambda store, _: store.delete_game(1),
}


@pytest.mark.parametrize("what", [act for act in ACTS if act != "an undo"])
def test_nothing_is_taken_where_nobody_would_find_it(table: tuple[Path, Store, Session], what: str) -> None:
    """Whatever should be kept is refused in a sentence and changes nothing; once it is back, it works."""
    state, store, session = table
    before = state_kept_by_restart(session)
    state.rename(state.with_name("elsewhere"))
    for _ in range(2):
        with pytest.raises(OSError, match="The directory with the saved games"):
            ACTS[what](store, session)
    assert state_kept_by_restart(session) == before
    state.with_name("elsewhere").rename(state)
    ACTS[what](store, session)


def test_a_removed_directory_is_not_the_one_that_is_made_in_its_place(
    table: tuple[Path, Store, Session],
) -> None:
    """Another directory of the same name has none of what was kept."""
    state, _, session = table
    shutil.rmtree(state)
    (state / "sealed").mkdir(parents=True)
    for name in ("companion.sqlite3", "sealed/drafts.sqlite3"):
        (state / name).touch()
    with pytest.raises(EventNotSaved, match="Put the directory or its USB stick back"):
        seal_bid(session, "Ben", 5)


def test_a_stick_that_was_pulled(memory_stick: Path) -> None:
    """Its files take what is written to them as long as they are open: nothing of that is acknowledged."""
    store = Store.open(memory_stick / "state", for_writing=True)
    session = begin_game(store)
    before = state_kept_by_restart(session)
    pull_out(memory_stick)
    with pytest.raises(EventNotSaved, match="The directory with the saved games"):
        seal_bid(session, "Aki", 4)
    assert state_kept_by_restart(session) == before
    assert not list(memory_stick.iterdir())
    store.close()


@pytest.mark.parametrize("what", ["a tag", "a setting"])
def test_a_directory_that_goes_away_during_a_write(table: tuple[Path, Store, Session], what: str) -> None:
    """A write counts only if the files are still in their place after it, where the next start finds them."""
    state, store, session = table
    before = state_kept_by_restart(session)

    def move_away(_statement: str) -> None:
        if state.exists():
            state.rename(state.with_name("elsewhere"))

    store._disk.games.set_trace_callback(move_away)
    with pytest.raises(OSError, match="The directory with the saved games"):
        ACTS[what](store, session)
    assert store.is_lost
    assert state_kept_by_restart(session) == before


def test_going_back_is_kept_too(table: tuple[Path, Store, Session]) -> None:
    """What was undone where nobody finds it has not happened."""
    state, store, session = table
    seal_bid(session, "Ben", 5)
    before = state_kept_by_restart(session)
    state.rename(state.with_name("elsewhere"))
    with pytest.raises(EventNotSaved):
        ACTS["an undo"](store, session)
    assert state_kept_by_restart(session) == before
    state.with_name("elsewhere").rename(state)
    session.answer(session.question_number, "again")
    store.close()
    again = Store.open(state, for_writing=True)
    assert state_kept_by_restart(resume_game(again)) == state_kept_by_restart(session)
    again.close()


def test_a_disk_that_fails_says_so() -> None:
    """It is not damage, and starting again would not help."""
    failed = OSError(os.strerror(5))
    failed.errno = 5
    told = str(to_store_unavailable(failed, Path("/state")))
    assert told.startswith("The disk with /state is failing:")
    assert isinstance(to_store_unavailable(failed, Path("/state")), StoreUnavailable)


def test_a_backup_that_can_not_follow_waits_for_the_end_of_the_evening(
    table: tuple[Path, Store, Session],
) -> None:
    """What the games have taken is acknowledged all the same, and in the backup once the evening is over."""
    state, store, session = table
    backup = store._disk._backup
    assert backup is not None
    backup.execute("PRAGMA query_only = ON")
    seal_bid(session, "Ben", 5)
    session.answer(session.question_number, "again")
    backup.execute("PRAGMA query_only = OFF")
    store.close()
    (state / "companion.sqlite3").unlink()
    again = Store.open(state, for_writing=True)
    assert state_kept_by_restart(resume_game(again)) == state_kept_by_restart(session)
    again.close()


def test_events_that_cannot_be_read_are_a_sentence(table: tuple[Path, Store, Session]) -> None:
    """What SQLite says of the file is told, whoever asks for the log."""
    state, store, _ = table
    log = store.open_game_log(1)
    with closing(sqlite3.connect(state / "companion.sqlite3")) as games, games:
        games.execute("DROP TABLE event")
    with pytest.raises(StoreUnavailable, match=r"no such table: event"):
        log.events()
    with pytest.raises(StoreUnavailable, match=r"no such table: event"):
        GameLog(store._disk, 1)


def test_a_game_without_any_event_is_damaged(table: tuple[Path, Store, Session]) -> None:
    """A game that is listed has begun, so something of it was kept."""
    state, store, _ = table
    with closing(sqlite3.connect(state / "companion.sqlite3")) as games, games:
        games.execute("DELETE FROM event")
    with pytest.raises(StoreUnavailable, match=r"is damaged. All events of this game are missing."):
        store.open_game_log(1).events()
