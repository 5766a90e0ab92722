"""A deleted game is gone from the list, the log and the backup, and its number is never used again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import UnknownName
from companion.log.log import ClocksAndPlayTime
from companion.record import player_statistics
from companion.store import Store
from tests.support.sealed_bid_games import begin_game, play_last_round_and_put_away


def evenings(state: Path, games: int) -> None:
    """Plays finished games in a program that is closed again."""
    with closing(Store.open(state, for_writing=True)) as store:
        for _ in range(games):
            play_last_round_and_put_away(begin_game(store))


def numbers(state: Path) -> list[int]:
    """What is saved."""
    with closing(Store.open(state)) as store:
        return [game.number for game in store.all_saved_games()]


def deleted(state: Path, number: int) -> None:
    """Deletes a game."""
    with closing(Store.open(state, for_writing=True)) as store:
        store.delete_game(number)


def spoil(file: Path, table: str) -> None:
    """Zeroes the page at which a table begins."""
    with closing(sqlite3.connect(file)) as db:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = db.execute(query, (table,)).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as spoilt:
        spoilt.seek((page - 1) * size)
        spoilt.write(bytes(size))


def test_a_deleted_game_is_gone(tmp_path: Path) -> None:
    """It is neither listed nor read any more; the others stay."""
    evenings(tmp_path, 3)
    deleted(tmp_path, 2)
    assert numbers(tmp_path) == [3, 1]
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        with pytest.raises(UnknownName, match="There is no saved game 2"):
            store.open_game_log(2)
        with pytest.raises(UnknownName, match="There is no saved game 2"):
            store.delete_game(2)
        assert store.open_game_log(3).events() != []


def test_a_number_is_not_used_again(tmp_path: Path) -> None:
    """The next game has a new number, so that the backup never takes it for the deleted one."""
    evenings(tmp_path, 2)
    deleted(tmp_path, 2)
    evenings(tmp_path, 1)
    assert numbers(tmp_path) == [3, 1]


def test_a_rescue_does_not_bring_it_back(tmp_path: Path) -> None:
    """When the games are lost and come from their backup, a deleted one stays deleted."""
    evenings(tmp_path, 2)
    deleted(tmp_path, 2)
    for path in tmp_path.glob("companion.sqlite3*"):
        path.unlink()
    evenings(tmp_path, 1)
    assert numbers(tmp_path) == [3, 1]


def test_an_older_backup_does_not_bring_it_back(tmp_path: Path) -> None:
    """A damaged file that still knows what was deleted is believed."""
    evenings(tmp_path, 2)
    old = (tmp_path / "backup.sqlite3").read_bytes()
    deleted(tmp_path, 2)
    (tmp_path / "backup.sqlite3").write_bytes(old)
    spoil(tmp_path / "companion.sqlite3", "setting")
    evenings(tmp_path, 1)
    assert list(tmp_path.glob("companion.damaged-*"))
    assert numbers(tmp_path) == [3, 1]


def settings(file: Path) -> list[tuple[str, str]]:
    """What is kept under each key."""
    with closing(sqlite3.connect(file)) as db:
        return db.execute("SELECT key, value FROM setting ORDER BY key").fetchall()


def with_settings(state: Path) -> None:
    """Two games, each with all settings that a game may have: its dates, its clocks, what 0.2 kept."""
    evenings(state, 2)
    with closing(Store.open(state, for_writing=True)) as store:
        for number in (1, 2):
            store.set_play_date(number, "2026-11-24")
            store.open_game_log(number).save_timing(ClocksAndPlayTime())
            store.save_value(f"touched {number}", 1_700_000_000.0)
            player_statistics.exclude_from_statistics(store, number)


def test_its_settings_go_with_it(tmp_path: Path) -> None:
    """In the games and in the backup; those of other games stay."""
    with_settings(tmp_path)
    deleted(tmp_path, 2)
    for name in ("companion.sqlite3", "backup.sqlite3"):
        found = settings(tmp_path / name)
        assert [key for key, _ in found] == ["left out", "played 1", "timing 1", "touched 1"], name
        assert found[0] == ("left out", "[1]")


def test_a_rescue_does_not_bring_its_settings_back(tmp_path: Path) -> None:
    """Neither out of an older backup, nor out of a damaged file in which an older version left them."""
    with_settings(tmp_path)
    old = (tmp_path / "backup.sqlite3").read_bytes()
    deleted(tmp_path, 2)
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        store.save_value("timing 2", 1)
    (tmp_path / "backup.sqlite3").write_bytes(old)
    spoil(tmp_path / "companion.sqlite3", "tag")
    evenings(tmp_path, 1)
    assert list(tmp_path.glob("companion.damaged-*"))
    assert not [key for key, _ in settings(tmp_path / "companion.sqlite3") if key.endswith(" 2")]
