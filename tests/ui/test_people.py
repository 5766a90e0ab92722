"""People change in the middle of a game: on the real window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions, make_test_app

pytestmark = pytest.mark.usefixtures("without_motion")


@pytest.fixture
async def table(open_app: Any, tmp_path: Path) -> Any:
    """Aki has opened the auction of daughter 4 with 3; now it is Ben's turn."""
    table = await open_app(make_test_app(tmp_path / "state"))
    controller = table.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(controller, "1", True, 3)
    await table.wait_frames()
    return table


async def test_a_seat_is_handed_over(table: Any) -> None:
    """Touch the name, type another: question, strips and history say it from then on."""
    await table.tap("more", "people", "rename Ben", *["delete"] * 3, "shift", "D", "a", "i", "done")
    assert table.app.stage.screen.question_banner.tag_label.text == "Dai"
    assert [seat.name for seat in table.app.stage.screen.panels] == ["Aki", "Dai", "ちえ"]
    await table.tap("confirm")
    assert table.app.controller.view.question.seat.name == "ちえ"


async def test_a_name_that_is_taken_is_refused(table: Any) -> None:
    """With a sentence, and the name stays."""
    await table.tap("more", "people", "rename Ben", *["delete"] * 3, "shift", "A", "k", "i", "done")
    assert [text for text in table.texts() if "Aki is used twice" in text]
    assert [seat.name for seat in table.app.controller.view.seats] == NAMES


async def test_who_leaves_is_answered_for_and_marked(table: Any) -> None:
    """Silence withdraws Ben at once; the strip says that he has left, until he is back."""
    await table.tap("more", "people", "away Ben")
    assert table.app.controller.view.question.seat.name == "ちえ"
    assert "has left" in table.texts()
    await table.tap("more", "people", "back Ben")
    assert "has left" not in table.texts()


async def test_an_early_end_shows_the_score_so_far(table: Any) -> None:
    """It is asked first; the score is marked, and home is next."""
    await table.tap("more", "end", "no")
    assert table.app.controller.view.result is None
    await table.tap("more", "end", "yes")
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()
    assert {"The score so far", "Ended early"} <= set(table.texts())
    assert table.app.evening.find_open_game() is None
    await table.tap("history", "event 1")
    assert "Undo this and later answers" not in table.texts()
    await table.tap("Close", "close")
    await table.tap("put away")
    assert table.app.controller.view is None


async def test_undo_takes_back_an_early_end(table: Any) -> None:
    """The question that was open is asked again, and the game is the open one."""
    question = table.app.controller.view.question.text
    await table.tap("more", "end", "yes")
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()
    await table.tap("undo")
    assert table.app.controller.view.question.text == question
    assert not table.app.controller.view.is_score_so_far
    assert table.app.evening.find_open_game().state == "open"
    await table.tap("more", "end", "no")


async def test_play_again_after_an_early_end(table: Any) -> None:
    """With the names of this evening."""
    await table.tap("more", "people", "rename Ben", *["delete"] * 3, "shift", "D", "a", "i", "done")
    await table.tap("more", "end", "yes")
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()
    await table.tap("again")
    assert [seat.name for seat in table.app.controller.view.seats] == ["Aki", "Dai", "ちえ"]
    assert table.app.controller.view.question_number == 1
