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
from tests.support.power_cuts import (
    DiskOperation,
    operations_that_write,
    record_operations,
    simulate_power_cuts,
)
from tests.support.sealed_bid_games import (
    WRITER_COMMAND,
    begin_game,
    begin_game_with_open_envelope,
    finish_open_round,
    play_last_round_and_put_away,
    reported_lines_in,
    resume_game,
)
from tests.support.soak import SOAK

pytestmark = [pytest.mark.without_coverage, pytest.mark.needs("strace")]
CUTS, ROUNDS = (600, 150) if SOAK else (20, 8)
"""How often the power goes, and how many rounds each of two evenings has; many fold the -wal in meanwhile."""

Evenings = tuple[Path, list[DiskOperation], list[Event]]


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Evenings:
    """Where a game was played to its end, all that was written and told meanwhile, and its whole log."""
    state = tmp_path_factory.mktemp("recorded") / "state"
    try:
        operations = record_operations([*WRITER_COMMAND, str(state), str(ROUNDS)], state)
    except OSError as error:
        pytest.skip(f"strace may not trace here: {error}")
    with closing(Store.open(state)) as store:
        return state, operations, store.open_game_log(1).events()


def test_nothing_acknowledged_is_lost_by_a_power_cut(evenings: Evenings, tmp_path: Path) -> None:
    """Cut at any moment: each bid and each answer that was told is there, nothing is damaged; it goes on."""
    state, operations, _ = evenings
    for disk in simulate_power_cuts(state, operations, CUTS, tmp_path / "found"):
        with closing(Store.open(tmp_path / "found" / "state", for_writing=True)) as store:
            assert store.notices == []
            there = {*reported_lines_in(store), "end"} if store.all_saved_games() else set()
            assert set(disk.printed_lines) <= there
            if "end" in disk.printed_lines:
                assert [game.state for game in store.all_saved_games()] == ["finished"]
            elif store.find_open_game():
                finish_open_round(resume_game(store))


def test_a_first_evening_that_hardly_began_can_begin_again(evenings: Evenings, tmp_path: Path) -> None:
    """Cut while the files are made: the next start takes back what was half made."""
    state, operations, _ = evenings
    for _ in simulate_power_cuts(state, operations[:60], CUTS, tmp_path / "found"):
        with closing(Store.open(tmp_path / "found" / "state", for_writing=True)) as store:
            assert store.notices == []
            begin_game(store)


def test_a_program_that_does_not_sync_loses_something(evenings: Evenings, tmp_path: Path) -> None:
    """Without what was synced something is lost: so the disk does forget."""
    state, operations, _ = evenings
    forgetful = [
        operation for operation in operations if operation.kind != "sync" or operation.path == str(state)
    ]
    missing = 0
    for disk in simulate_power_cuts(state, forgetful, 20, tmp_path / "found"):
        with closing(Store.open(tmp_path / "found" / "state", for_writing=True)) as store:
            there = {*reported_lines_in(store), "end"} if store.all_saved_games() else set()
            missing += len(set(disk.printed_lines) - there)
    assert missing > 0


def test_the_backup_is_whole_after_a_power_cut(evenings: Evenings, tmp_path: Path) -> None:
    """It needn't have what came last, but what it has is what was kept: from it alone the game goes on."""
    state, operations, log = evenings
    found, longest = tmp_path / "found" / "state", 0
    for _ in simulate_power_cuts(
        state, operations, CUTS // 4, tmp_path / "found", after=len(operations) // 3
    ):
        for file in found.glob("companion.sqlite3*"):
            file.unlink()
        with closing(Store.open(found, for_writing=True)) as store:
            assert not list(found.glob("backup.damaged*"))
            events = GameLog(store._disk, 1).events() if store.all_saved_games() else []
            assert events == log[: len(events)]
            longest = max(longest, len(events))
    assert longest > len(log) // 2


@pytest.mark.usefixtures("evenings")  # which is skipped where nobody can look
def test_a_power_cut_during_a_rescue_loses_nothing(tmp_path: Path) -> None:
    """Cut while a damaged file is set aside and read: what could be read of it is there at the next start."""
    state = tmp_path / "before" / "state"
    with closing(Store.open(state, for_writing=True)) as store:
        play_last_round_and_put_away(begin_game(store))
        begin_game_with_open_envelope(store, rounds=5)
        log = GameLog(store._disk, 2).events()
    (state / "backup.sqlite3").unlink()
    with closing(sqlite3.connect(state / "companion.sqlite3")) as games, games:
        games.execute("UPDATE event SET body = 'no' WHERE game = 1 AND seq = 3")
    operations = list(operations_that_write(state))
    before = len(operations)
    operations += record_operations([*WRITER_COMMAND, str(state), "1"], state)
    found = tmp_path / "found" / "state"
    for _ in simulate_power_cuts(state, operations, CUTS, tmp_path / "found", after=before):
        with closing(Store.open(found, for_writing=True)) as store:
            assert GameLog(store._disk, 2).events()[: len(log)] == log
            assert list(found.glob("companion.damaged-*.sqlite3"))
            assert not (found / "rescued.sqlite3").exists()
