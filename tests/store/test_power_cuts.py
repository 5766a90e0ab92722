"""What survives when the power goes on a disk that keeps only what was synced: all that was acknowledged.

How such a disk forgets stands in `tests.support.power_cuts`.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.log.events import Event
from companion.store import GameLog, Store
from tests.support.power_cuts import Deed, cuts, recorded, written
from tests.support.sealed_bid_games import WRITER, begin, evening, finish, goes_on, kept, resume
from tests.support.soak import SOAK

pytestmark = [pytest.mark.unwatched, pytest.mark.needs("strace")]
CUTS, ROUNDS = (600, 150) if SOAK else (20, 8)
"""How often the power goes, and how many rounds each of two evenings has; many fold the -wal in meanwhile."""

Evenings = tuple[Path, list[Deed], list[Event]]


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Evenings:
    """Where a game was played to its end, all that was written and told meanwhile, and its whole log."""
    state = tmp_path_factory.mktemp("recorded") / "state"
    try:
        deeds = recorded([*WRITER, str(state), str(ROUNDS)], state)
    except OSError as error:
        pytest.skip(f"strace may not trace here: {error}")
    with closing(Store.open(state)) as store:
        return state, deeds, store.open_game_log(1).events()


def test_nothing_acknowledged_is_lost_by_a_power_cut(evenings: Evenings, tmp_path: Path) -> None:
    """Cut at any moment: each bid and each answer that was told is there, nothing is damaged; it goes on."""
    state, deeds, _ = evenings
    for disk in cuts(state, deeds, CUTS, tmp_path / "found"):
        with closing(Store.open(tmp_path / "found" / "state", for_writing=True)) as store:
            assert store.notices == []
            there = {*kept(store), "end"} if store.saved_games() else set()
            assert set(disk.told) <= there
            if "end" in disk.told:
                assert [game.state for game in store.saved_games()] == ["finished"]
            elif store.find_open_game():
                goes_on(resume(store))


def test_a_first_evening_that_hardly_began_can_begin_again(evenings: Evenings, tmp_path: Path) -> None:
    """Cut while the files are made: the next start takes back what was half made."""
    state, deeds, _ = evenings
    for _ in cuts(state, deeds[:60], CUTS, tmp_path / "found"):
        with closing(Store.open(tmp_path / "found" / "state", for_writing=True)) as store:
            assert store.notices == []
            begin(store)


def test_a_program_that_does_not_sync_loses_something(evenings: Evenings, tmp_path: Path) -> None:
    """Without what was synced something is lost: so the disk does forget."""
    state, deeds, _ = evenings
    forgetful = [deed for deed in deeds if deed.what != "sync" or deed.path == str(state)]
    missing = 0
    for disk in cuts(state, forgetful, 20, tmp_path / "found"):
        with closing(Store.open(tmp_path / "found" / "state", for_writing=True)) as store:
            there = {*kept(store), "end"} if store.saved_games() else set()
            missing += len(set(disk.told) - there)
    assert missing > 0


def test_the_backup_is_whole_after_a_power_cut(evenings: Evenings, tmp_path: Path) -> None:
    """It needn't have what came last, but what it has is what was kept: from it alone the game goes on."""
    state, deeds, log = evenings
    found, longest = tmp_path / "found" / "state", 0
    for _ in cuts(state, deeds, CUTS // 4, tmp_path / "found", after=len(deeds) // 3):
        for file in found.glob("companion.sqlite3*"):
            file.unlink()
        with closing(Store.open(found, for_writing=True)) as store:
            assert not list(found.glob("backup.damaged*"))
            events = GameLog(store._disk, 1).events() if store.saved_games() else []
            assert events == log[: len(events)]
            longest = max(longest, len(events))
    assert longest > len(log) // 2


@pytest.mark.usefixtures("evenings")  # which is skipped where nobody can look
def test_a_power_cut_during_a_rescue_loses_nothing(tmp_path: Path) -> None:
    """Cut while a damaged file is set aside and read: what could be read of it is there at the next start."""
    state = tmp_path / "before" / "state"
    with closing(Store.open(state, for_writing=True)) as store:
        finish(begin(store))
        evening(store, rounds=5)
        log = GameLog(store._disk, 2).events()
    (state / "backup.sqlite3").unlink()
    with closing(sqlite3.connect(state / "companion.sqlite3")) as games, games:
        games.execute("UPDATE event SET body = 'no' WHERE game = 1 AND seq = 3")
    deeds = list(written(state))
    before = len(deeds)
    deeds += recorded([*WRITER, str(state), "1"], state)
    found = tmp_path / "found" / "state"
    for _ in cuts(state, deeds, CUTS, tmp_path / "found", after=before):
        with closing(Store.open(found, for_writing=True)) as store:
            assert GameLog(store._disk, 2).events()[: len(log)] == log
            assert list(found.glob("companion.damaged-*.sqlite3"))
            assert not (found / "rescued.sqlite3").exists()
