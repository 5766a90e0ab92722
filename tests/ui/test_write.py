"""A few words by touch, on the keyboard over the table; or none, by a key of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.requests import Together, Write
from companion.session.view import list_history_entries
from companion.table.seats import SEAT_COLOURS
from companion.table.table import Table
from companion.texts import render, say
from tests.support.ui.app_helpers import make_test_app

pytestmark = pytest.mark.usefixtures("without_motion")
WHAT, NO_NAME = say("What is sold?"), say("No name")


async def sells(table: Table) -> None:
    """Aki says what is sold, if anybody does; then somebody must."""
    await Write(table.seats[0], WHAT, decline=NO_NAME)
    await Write(None, WHAT, max_letters=3)


async def test_words_are_typed_on_the_keyboard(open_small_game: Any) -> None:
    """It lies over the table, stops where there is no more room, and is gone when it is done."""
    table, game = await open_small_game(sells)
    await table.tap("Write", "V", "a", "s", "e", "space", "1", "done")
    assert game.answers == ["Vase 1"]
    await table.tap("Write", "N", "e", "s", "t", "done")
    assert game.answers == ["Vase 1", "Nes"]
    assert "Pack up" in table.texts()


async def test_kana_are_typed_where_people_read_japanese(open_small_game: Any) -> None:
    """The keyboard begins in the reader's own script."""
    table, game = await open_small_game(sells, lang="ja")
    await table.tap("書く", "つ", "ほ", "゛", "done")
    assert game.answers == ["つぼ"]


async def test_nothing_is_one_touch_where_it_means_something(open_small_game: Any) -> None:
    """The key says what it means; where something must be written there is none."""
    table, game = await open_small_game(sells)
    await table.tap("No name")
    assert game.answers == [""]
    assert "nothing" not in [getattr(widget, "name", "") for widget in table.widgets()]


async def test_what_was_begun_can_be_given_up(open_small_game: Any) -> None:
    """Cancelled, or taken away by another answer, the keyboard goes, and nothing of it is taken."""
    table, game = await open_small_game(sells)
    await table.tap("Write", "V", "Cancel")
    assert not game.answers
    await table.tap("Write")
    game.session.answer(game.session.question_number, "Vase", "terminal")
    game.show()
    await table.wait_frames()
    assert not table.app.stage.has_overlay
    await table.tap("Write", "X", "done")
    assert game.answers == ["Vase", "X"]


async def test_another_answer_begins_at_what_was_written(open_small_game: Any) -> None:
    """To mend a letter nobody types all of it again."""
    table, game = await open_small_game(sells)
    table.app.stage.screen.question_widget.prefill("Vaes")
    await table.tap("Write", "delete", "delete", "s", "e", "done")
    assert game.answers == ["Vase"]


async def seals(table: Table) -> None:
    """Two write in secret."""
    await Together(WHAT, {seat: Write(seat, WHAT) for seat in table.seats[:2]})


async def test_words_are_sealed_under_the_cover(open_small_game: Any) -> None:
    """Nothing of them is on the screen once the envelope is closed."""
    table, game = await open_small_game(seals)
    await table.tap("Aki", "Aki, take the screen", "Write", "V", "a", "done")
    assert [draft.answer for draft in game.session.drafts.values()] == ["Va"]
    assert not [text for text in table.texts() if "Va" in text]


async def test_a_lot_gets_its_name_by_touch(open_app: Any, tmp_path: Path) -> None:
    """Typed once it is what people bid for, in question and history; without one a lot has its number."""
    table = await open_app(make_test_app(tmp_path / "state", lang="en"), (1280, 720))
    controller = table.app.controller
    controller.start_new_game("any_game", ("Aki", "Ben"), SEAT_COLOURS[:2], {"template": "auction"})
    await table.wait_frames()
    await table.tap("Auction", "Write", "V", "a", "s", "e", "done", "1", "2", "confirm")
    assert "Bid for Vase or withdraw." in table.texts()
    await table.tap("way out")
    told = [render(entry.text) for entry in list_history_entries(controller.evening.session)]
    assert told[1:3] == ["What is sold? Vase", "Aki bids 12 for Vase."]
    await table.tap("Auction", "No name")
    assert "Bid for lot 2 or withdraw." in table.texts()


async def test_the_hand_of_a_demonstration_writes(open_app: Any, tmp_path: Path) -> None:
    """Capitals, small letters and spaces, or the key for nothing."""
    from ui.demo.hand import AnsweringHand, SimulatedFinger

    table = await open_app(make_test_app(tmp_path / "state", lang="en"), (1280, 720))
    controller, hand = (
        table.app.controller,
        AnsweringHand(table.app, SimulatedFinger(table.app, table.window)),
    )
    controller.start_new_game("any_game", ("Aki", "Ben"), SEAT_COLOURS[:2], {"template": "auction"})
    await table.wait_frames()
    for answer in ("auction", "An old Vase 3", None, None, "auction", ""):
        await hand.answer_open_question(controller.view.question, answer)
    assert [step.answer for step in controller.evening.session.steps][1::4] == ["An old Vase 3", ""]
