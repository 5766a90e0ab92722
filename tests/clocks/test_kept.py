"""What is kept beside the log of a game on disk: its clocks, and when they stood still."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion.clocks import parse_clocks
from companion.errors import StoreUnavailable
from companion.log.log import ClocksAndPlayTime
from companion.session.session import Session
from companion.store import Store
from tests.clocks.table import NAMES, ROUNDS


def test_clocks_are_kept_with_the_game(tmp_path: Path) -> None:
    """Two games in one directory have each their own clocks, and the seconds at their last pause."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        now = [100.0]
        for clocks in ("turn", "none"):
            log = store.new_game_log()
            assert log.timing() == ClocksAndPlayTime()
            session = Session.begin(
                ROUNDS, NAMES, {}, log, clock_settings=parse_clocks(clocks), clock=lambda: now[0]
            )
            now[0] += 7.5
            session.pause_clocks()
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        assert store.open_game_log(1).timing() == ClocksAndPlayTime("turn=60 ring", 7.5)
        assert store.open_game_log(2).timing() == ClocksAndPlayTime("", 7.5)
        log = store.open_game_log(1)
        session = Session(ROUNDS, log.events(), log, clock=lambda: 3.0)
        assert (session.are_clocks_paused, session.played_seconds, session.clock_settings) == (
            True,
            7.5,
            parse_clocks("turn"),
        )


def test_clocks_come_from_the_backup_too(tmp_path: Path) -> None:
    """Where the saved games are lost, the backup knows their clocks."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        Session.begin(ROUNDS, NAMES, {}, store.new_game_log(), clock_settings=parse_clocks("bids"))
    (tmp_path / "companion.sqlite3").unlink()
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        assert parse_clocks(store.open_game_log(1).timing().clocks) == parse_clocks("bids")


def test_a_pause_that_cant_be_kept_is_a_pause(tmp_path: Path) -> None:
    """Where the disk refuses, people are told so, and time stands still all the same."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        session = Session.begin(ROUNDS, NAMES, {}, store.new_game_log(), clock_settings=parse_clocks("turn"))
        store._games.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreUnavailable):
            session.pause_clocks()
        assert session.are_clocks_paused
        store._games.execute("PRAGMA query_only = OFF")
