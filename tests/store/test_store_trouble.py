"""State directories that can't be used, each for its real cause: a player, rights, full disks, time."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.errors import EventNotSaved, StoreUnavailable
from companion.log.log import SealedDraft
from companion.store import Store, database
from companion.store.database import DRAFTS_MIGRATIONS, GAMES_MIGRATIONS
from tests.support.disks import mount_disk, mount_or_skip
from tests.support.sealed_bid_games import (
    begin_game,
    begin_game_with_open_envelope,
    play_round,
    resume_game,
    seal_bid,
    state_kept_by_restart,
)

NOBODY = 65534


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state directory that doesn't exist yet."""
    return tmp_path / "state"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A real disk of 600 KB."""
    with mount_disk(tmp_path / "disk", "600k") as small:
        yield small


def fill(disk: Path, leave: int = 0) -> Path:
    """A file that takes all of a disk but `leave` bytes."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    os.truncate(ballast, ballast.stat().st_size - leave)
    return ballast


def opened_by_nobody(state: Path) -> str:
    """What an unprivileged user is told who wants to play there.

    One sentence is rendered before: Python itself may lie where that user finds no more modules.
    """
    program = (
        "import os, sys; from pathlib import Path; from companion.store import Store\n"
        "from companion.texts import render, say; render(say('.'))\n"
        f"os.setuid({NOBODY}) if os.geteuid() == 0 else None\n"
        "try: Store.open(Path(sys.argv[1]), for_writing=True)\n"
        "except OSError as error: print(type(error).__name__, error)\n"
    )
    command = [sys.executable, "-c", program, str(state)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# Another player


def test_a_second_player_is_refused(state: Path) -> None:
    """While one plays, a second player is told so in a sentence; when the first has gone, he may."""
    store = Store.open(state, for_writing=True)
    with pytest.raises(
        StoreUnavailable, match=f"Another Companion is already using the saved games in {state}."
    ):
        Store.open(state, for_writing=True)
    store.close()
    Store.open(state, for_writing=True).close()


def test_a_refused_opening_lets_go_of_the_lock(state: Path) -> None:
    """A directory that couldn't be opened isn't locked by the attempt."""
    (state / "companion.sqlite3").mkdir(parents=True)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"companion\.sqlite3 is a directory"):
            Store.open(state, for_writing=True)


# Rights


@pytest.mark.parametrize("made", ["nothing", "directory", "games"])
def test_a_directory_without_the_right_to_write_is_refused(made: str) -> None:
    """An unprivileged user is told that the directory may not be written in, and what to do."""
    with TemporaryDirectory() as folder:
        state = Path(folder) / "state"
        if made != "nothing":
            state.mkdir()
        if made == "games":
            Store.open(state, for_writing=True).close()
        closed = [Path(folder), *Path(folder).rglob("*")]
        for path in closed:
            path.chmod(0o555 if path.is_dir() else 0o444)
        told = opened_by_nobody(state)
        for path in closed:
            path.chmod(0o755)
    assert told.startswith(f"StoreUnavailable You have no permission to write in {state}. Change its")


def test_a_read_only_disk_is_refused(tmp_path: Path) -> None:
    """On a disk that is mounted read-only nobody plays, but what is saved there can be read."""
    state = tmp_path / "state"
    with closing(Store.open(state, for_writing=True)) as store:
        begin_game(store)
        told = store.all_saved_games()
    mount_or_skip(str(state), state, "--bind", "-o", "ro")
    subprocess.run(["mount", "-o", "remount,bind,ro", str(state)], check=True)
    try:
        with pytest.raises(StoreUnavailable, match="no permission to write"):
            Store.open(state, for_writing=True)
        with closing(Store.open(state)) as store:
            assert store.all_saved_games() == told != []
    finally:
        subprocess.run(["umount", str(state)], check=True)


@pytest.mark.parametrize(("file", "below"), [("", ""), ("", "deep/down"), ("sealed", "")])
def test_a_file_in_the_way_is_refused(state: Path, file: str, below: str) -> None:
    """A file where a directory should be is named, with what to do."""
    (state / file).parent.mkdir(parents=True, exist_ok=True)
    (state / file).write_text("")
    with pytest.raises(StoreUnavailable) as unavailable:
        Store.open(state / below, for_writing=True)
    assert str(unavailable.value) == (
        f"{state / file} is a file, but must be a directory."
        " Move it to another place, or choose another directory with --state."
    )


@pytest.mark.parametrize("playing", [True, False])
@pytest.mark.parametrize(
    "file", ["companion.sqlite3", "lock", "backup.sqlite3", "rescued.sqlite3", "sealed/drafts.sqlite3"]
)
def test_a_directory_in_the_way_is_refused(state: Path, file: str, *, playing: bool) -> None:
    """A directory where a file should be is named, with what to do."""
    (state / file).mkdir(parents=True)
    with pytest.raises(StoreUnavailable) as unavailable:
        Store.open(state, for_writing=playing)
    assert str(unavailable.value) == (
        f"{state / file} is a directory, but must be a file."
        " Move it to another place, or choose another directory with --state."
    )


def test_what_a_system_refuses_otherwise_is_told_in_its_words(tmp_path: Path) -> None:
    """Links that lead in a circle: the system's reason stands in the sentence, without its number."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(
        StoreUnavailable, match=r"can't be used: (Too many levels of symbolic links|File exists)\."
    ):
        Store.open(tmp_path / "a", for_writing=True)


# The future


@pytest.mark.parametrize("change", ["CREATE TABLE what_is_new (number INTEGER)", "SELECT 1"])
@pytest.mark.parametrize("playing", [True, False])
@pytest.mark.parametrize("file", ["companion.sqlite3", "backup.sqlite3", "sealed/drafts.sqlite3"])
def test_a_newer_file_is_refused(state: Path, file: str, change: str, *, playing: bool) -> None:
    """What a newer Companion has written is refused and left as it is, with other tables or the same."""
    if not playing and file != "companion.sqlite3":
        return
    Store.open(state, for_writing=True).close()
    with sqlite3.connect(state / file) as db:
        db.execute("PRAGMA user_version = 99")
        db.execute(change)
    db.close()
    before = (state / file).read_bytes()
    known = len(DRAFTS_MIGRATIONS if file.startswith("sealed") else GAMES_MIGRATIONS)
    with pytest.raises(
        StoreUnavailable, match=rf"from a newer Companion \(format 99; this version reads up to {known}\)"
    ):
        Store.open(state, for_writing=playing)
    assert (state / file).read_bytes() == before


# A full disk


def test_a_full_disk_takes_nothing_and_forgets_nothing(small: Path) -> None:
    """Nothing is taken while the disk is full, the question stays open, and then the same answer works."""
    store = Store.open(small / "state", for_writing=True)
    session = begin_game(store)
    seal_bid(session, "Aki", 4)
    ballast = fill(small)
    before = state_kept_by_restart(session)
    for _ in range(3):
        with pytest.raises(EventNotSaved, match=r"so it doesn't count: The disk of .* is full"):
            seal_bid(session, "Ben", 5)
    assert state_kept_by_restart(session) == before
    ballast.unlink()
    seal_bid(session, "Ben", 5)
    session.answer(session.question_number, "again")
    store.close()
    store = Store.open(small / "state", for_writing=True)
    assert state_kept_by_restart(resume_game(store)) == state_kept_by_restart(session)
    assert store.notices == []
    store.close()


@pytest.mark.parametrize("act", ["answer", "undo", "correct", "put away", "begin", "tag", "setting"])
def test_every_act_is_refused_on_a_full_disk(small: Path, act: str) -> None:
    """On a full disk whatever should be kept is refused and changes nothing; with space again it works."""
    store = Store.open(small / "state", for_writing=True)
    session = begin_game(store)
    seal_bid(session, "Aki", 4)
    seal_bid(session, "Ben", 5)
    acts: dict[str, Callable[[], object]] = {
        "answer": lambda: session.answer(session.question_number, "again"),
        "undo": lambda: session.undo(past_reveal=True),
        "correct": lambda: session.correct("bank", "Ben/front", "paid", 1, "forgotten"),
        "put away": session.put_away,
        "begin": lambda: begin_game(store, ["Chie", "Dan"]),
        "tag": lambda: store.assign_tag("04a2", "egypt", "6.1"),
        "setting": lambda: store.save_value("sound", False),
    }
    listed, before = store.all_saved_games(), state_kept_by_restart(session)
    ballast = fill(small)
    with pytest.raises(OSError, match=r"The disk of .* is full"):
        acts[act]()
    assert (store.all_saved_games(), state_kept_by_restart(session), store.card_of_tag("04a2")) == (
        listed,
        before,
        None,
    )
    assert store.load_value("sound", default=True) is True
    ballast.unlink()
    acts[act]()
    assert (
        store.all_saved_games(),
        state_kept_by_restart(session),
        store.card_of_tag("04a2"),
        store.load_value("sound", default=True),
    ) != (
        listed,
        before,
        None,
        True,
    )
    store.close()


def test_a_file_that_may_not_grow_takes_nothing(state: Path) -> None:
    """SQLite's own limit of pages is a full disk too: the game goes on where it was once there is room."""
    store = Store.open(state, for_writing=True)
    session = begin_game(store)
    (pages,) = store._games.execute("PRAGMA page_count").fetchone()
    store._games.execute(f"PRAGMA max_page_count = {pages}")
    before, refused = state_kept_by_restart(session), None
    while not refused:
        try:
            session.correct("bank", "Ben/front", "paid", 1, "forgotten")
            before = state_kept_by_restart(session)
        except EventNotSaved as error:
            refused = str(error)
    assert "is full" in refused
    assert state_kept_by_restart(session) == before
    store._games.execute("PRAGMA max_page_count = 1000000")
    session.correct("bank", "Ben/front", "paid", 1, "forgotten")
    store.close()
    store = Store.open(state, for_writing=True)
    assert state_kept_by_restart(resume_game(store)) == state_kept_by_restart(session)
    store.close()


@pytest.mark.parametrize("leave", [0, 4096, 16384, 49152, 65536])
def test_a_disk_without_room_to_begin_is_refused(small: Path, leave: int) -> None:
    """However little is left, a directory that can't be made says that the disk is full, and works later."""
    ballast = fill(small, leave)
    with pytest.raises(StoreUnavailable, match=f"The disk of {small / 'state'} is full. Free some space"):
        Store.open(small / "state", for_writing=True)
    ballast.unlink()
    store = Store.open(small / "state", for_writing=True)
    assert (store.all_saved_games(), store.notices) == ([], [])
    store.close()


def test_drafts_are_erased_once_there_is_room(small: Path) -> None:
    """Drafts that a full disk lets nobody erase are refused to be erased, and go with the next ones."""
    store = Store.open(small / "state", for_writing=True)
    session = begin_game_with_open_envelope(store, rounds=1)
    log = store.open_game_log(1)
    ballast = fill(small)
    with pytest.raises(StoreUnavailable, match="is full"):
        log.delete_drafts()
    ballast.unlink()
    log.add_draft(SealedDraft(session.question_number, 2, 9, "salt"))
    log.delete_drafts()
    assert log.drafts() == []
    store.close()


# The rest


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for another program to be done with the file."""
    monkeypatch.setattr(database, "MAX_LOCK_WAIT_SECONDS", 0.0)


@pytest.mark.usefixtures("impatient")
def test_a_file_that_another_program_locks_takes_nothing(state: Path) -> None:
    """While another program keeps the file locked nothing is taken, and people hear what SQLite says."""
    store = Store.open(state, for_writing=True)
    session = begin_game(store)
    other = sqlite3.connect(state / "companion.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(EventNotSaved, match="can't be used: database is locked"):
        session.correct("bank", "Ben/front", "paid", 1, "forgotten")
    other.close()
    play_round(session, 1, 2)
    store.close()


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("playing", [True, False])
def test_a_file_that_another_program_has_for_itself_is_no_damage(state: Path, *, playing: bool) -> None:
    """A file that can't be looked into now is refused, and never taken for a damaged one."""
    Store.open(state, for_writing=True).close()
    other = sqlite3.connect(state / "companion.sqlite3", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("INSERT INTO setting (key, value) VALUES ('mine', '1')")
    with pytest.raises(StoreUnavailable, match="can't be used: database is locked"):
        Store.open(state, for_writing=playing)
    other.close()
    store = Store.open(state, for_writing=True)
    assert (store.load_value("mine"), store.notices) == (1, [])
    store.close()
