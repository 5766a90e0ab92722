"""A deleted game is gone from the list, the log and the backup, and its number is never used again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import Unknown
from companion.store import Store
from tests.store_table import begin, finish


def evenings(state: Path, games: int) -> None:
    """So many finished games, in a program that was closed again."""
    with closing(Store.open(state, playing=True)) as store:
        for _ in range(games):
            finish(begin(store))


def numbers(state: Path) -> list[int]:
    """What is saved."""
    with closing(Store.open(state)) as store:
        return [game.number for game in store.saved()]


def deleted(state: Path, number: int) -> None:
    """Deletes a game."""
    with closing(Store.open(state, playing=True)) as store:
        store.delete(number)


def test_a_deleted_game_is_gone(tmp_path: Path) -> None:
    """It is neither listed nor read any more; the others stay."""
    evenings(tmp_path, 3)
    deleted(tmp_path, 2)
    assert numbers(tmp_path) == [3, 1]
    with closing(Store.open(tmp_path, playing=True)) as store:
        with pytest.raises(Unknown, match="There is no saved game 2"):
            store.log(2)
        with pytest.raises(Unknown, match="There is no saved game 2"):
            store.delete(2)
        assert store.log(3).events() != []


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
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'setting'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with (tmp_path / "companion.sqlite3").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(bytes(size))
    evenings(tmp_path, 1)
    assert list(tmp_path.glob("companion.damaged-*"))
    assert numbers(tmp_path) == [3, 1]
