"""The saved games are lost while people play by touch: the game can go on in another place."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.store import Store
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions, make_test_app
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.support.ui.text_checks import check_all_texts_are_whole


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's own things lie."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place with a name as people have them."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("XDG_STATE_HOME", f"{folder}/home")
        yield Path(folder)


def places(home: Path) -> list[Path]:
    """Where something was written."""
    return list(home.glob("*"))


async def lost(open_app: Any, tmp_path: Path, *look: Any) -> Any:
    """A game at its second question, whose directory is gone, and somebody has answered."""
    size, lang = look or ((800, 480), "en")
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(table.app.controller, "1")
    shutil.rmtree(tmp_path / "state")
    answer_questions(table.app.controller, True)
    await table.wait_frames()
    return table


async def test_it_goes_on_where_people_let_it(
    open_app: Any, tmp_path: Path, home: Path, without_motion: None
) -> None:
    """They are told the place and how to start there; what was refused is asked still, and then kept."""
    table = await lost(open_app, tmp_path)
    place, n = str(home / "companion-2"), table.app.controller.view.question_number
    assert place in "\n".join(table.texts())
    await table.tap("yes")
    assert f"companion --state {place}" in "\n".join(table.texts())
    await table.tap("done")
    assert table.app.controller.view.question_number == n
    answer_questions(table.app.controller, True)
    await table.wait_frames()
    assert table.app.controller.view.question_number == n + 1
    table.app.close_evening()
    with closing(Store.open(home / "companion-2", for_writing=True)) as store:
        assert len(store.open_game_log(1).events()) == 3


async def test_who_waits_for_the_stick_is_asked_again_at_the_next_refusal(
    open_app: Any, tmp_path: Path, home: Path, without_motion: None
) -> None:
    """Once at a time; nothing is written before somebody agrees."""
    table = await lost(open_app, tmp_path)
    answer_questions(table.app.controller, True)
    await table.wait_frames()
    await table.tap("no")
    assert "Continue in another folder?" not in table.texts()
    answer_questions(table.app.controller, True)
    await table.wait_frames()
    assert "Continue in another folder?" in table.texts()
    assert places(home) == []


@pytest.mark.parametrize("look", SIZES_AND_LANGUAGES)
async def test_the_offer_fits(open_app: Any, short: Path, without_motion: None, look: Any) -> None:
    """In every size and language."""
    table = await lost(open_app, short, *look)
    check_all_texts_are_whole(table.widgets())
    await table.tap("yes")
    check_all_texts_are_whole(table.widgets())
