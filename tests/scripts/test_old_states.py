"""The saved games of a release: the script writes them with the present program, each time the same."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion import installed_games
from companion.evening import UNFINISHED_STATES
from companion.log.events import Event
from companion.store import Store
from scripts.old_states import write_folder
from tests.support.disks import memory_directory

pytestmark = pytest.mark.without_coverage


class Folders(NamedTuple):
    """Two folders, written one after the other, and the content of each file of the first one."""

    one: Path
    other: Path
    content_by_file: dict[str, bytes]


@pytest.fixture(scope="module")
def folders() -> Iterator[Folders]:
    """Both are written once for all tests."""
    with memory_directory() as there:
        one, other = Path(there) / "one", Path(there) / "other"
        write_folder(one)
        write_folder(other)
        files = [path for path in one.rglob("*") if path.is_file()]
        yield Folders(one, other, {str(path.relative_to(one)): path.read_bytes() for path in files})


def told_in(folder: Path) -> list[dict[str, Any]]:
    """What the program said of the unfinished games."""
    return list(json.loads((folder / "told.json").read_text(encoding="utf-8")))


def events_in(folder: Path) -> dict[int, Sequence[Event]]:
    """The events of each game, by its number."""
    with closing(Store.open(folder)) as store:
        return {saved.number: store.open_game_log(saved.number).events() for saved in store.all_saved_games()}


def test_each_run_writes_the_same_games(folders: Folders) -> None:
    """Event by event, and says the same of them."""
    assert events_in(folders.one) == events_in(folders.other)
    assert told_in(folders.one) == told_in(folders.other)


def test_there_are_games_of_each_kind_in_each_state(folders: Folders) -> None:
    """One that is over, one that was put away early, and one that goes on; in some, answers are sealed."""
    keys = {game.key for game in installed_games.playable_games()}
    with closing(Store.open(folders.one)) as store:
        saved_games = store.all_saved_games()
    for state in ("finished", "put away"):
        assert {saved.game for saved in saved_games if saved.state == state} == keys
    told = told_in(folders.one)
    assert {one["game"] for one in told} == keys
    assert len(told) == len([saved for saved in saved_games if saved.state in UNFINISHED_STATES])
    assert any(one["in"] for one in told)


def test_only_saved_games_are_in_the_folder(folders: Folders) -> None:
    """No backup, no lock, and nothing that names a folder of this machine."""
    assert {*folders.content_by_file} == {
        "companion.sqlite3",
        "sealed/drafts.sqlite3",
        "templates/our-railway.toml",
        "told.json",
    }
    for content in folders.content_by_file.values():
        for path in (folders.one, Path(__file__).parents[2], Path(sys.prefix)):
            assert str(path).encode() not in content
