"""Undo says what was undone, and offers for a moment to put it back."""

from __future__ import annotations

from typing import Any

import pytest

from companion.requests import Choose
from companion.table.table import Table
from companion.texts import say
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions
from tests.support.ui.screen_faults import find_cut_texts, find_overhanging_texts, visible_widgets
from tests.support.ui.screen_variants import SCREEN_VARIANTS, ScreenVariant, variant_id


@pytest.fixture
async def egypt(home: Any) -> Any:
    """Aki has bid 3."""
    home.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(home.app.controller, "1", True, 3)
    await home.wait_frames()
    return home


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """The offer stays until somebody does something."""
    from ui import theme

    monkeypatch.setattr(theme, "PUT_BACK_SECONDS", 600.0)


async def test_undo_says_what_was_undone_and_puts_it_back(lasting: None, egypt: Any) -> None:
    """One touch undoes, one puts back; then nothing is offered."""
    view = egypt.app.controller.view
    await egypt.tap("undo")
    assert egypt.app.controller.view.question.seat.name == "Aki"
    (said,) = [text for text in egypt.texts() if text.startswith("Undone")]
    assert "Aki" in said
    assert "3" in said
    await egypt.tap("put back")
    assert egypt.app.controller.view.question.seat == view.question.seat
    assert egypt.app.controller.view.question.bids == view.question.bids
    assert "Put back" not in egypt.texts()


async def test_undo_in_the_history_is_said_on_the_table_and_put_back(lasting: None, egypt: Any) -> None:
    """The table is in sight again; one touch puts back all that was undone."""
    view = egypt.app.controller.view
    await egypt.tap("history", "event 1", "back")
    assert egypt.app.controller.view.question.kind == "Done"
    if "All moved" in egypt.texts():
        await egypt.tap("All moved")
    assert "History" not in egypt.texts()
    (said,) = [text for text in egypt.texts() if text.startswith("Undone")]
    assert said.endswith("And 1 more.")
    await egypt.tap("put back")
    assert egypt.app.controller.view.question.bids == view.question.bids
    assert not egypt.app.controller.view.may_redo
    assert "Put back" not in egypt.texts()


async def test_another_answer_ends_the_offer(lasting: None, egypt: Any) -> None:
    """The slip lies over what happened: a touch beside its key presses nothing below it."""
    await egypt.tap("undo")
    slip = egypt.app.stage.screen.undone
    assert slip.opacity
    number = egypt.app.controller.view.question_number
    touch = egypt.press(slip.text)
    touch.touch_up()
    await egypt.wait_frames()
    assert egypt.app.controller.view.question_number == number
    answer_questions(egypt.app.controller, 4)
    await egypt.wait_frames()
    assert not slip.text
    assert not slip.opacity


async def test_the_offer_ends_by_itself(monkeypatch: pytest.MonkeyPatch, home: Any) -> None:
    """Not while something covers it, be it a refusal."""
    from ui import theme
    from ui.pages import show_message

    monkeypatch.setattr(theme, "PUT_BACK_SECONDS", 0.0)
    home.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(home.app.controller, "1", True, 3)
    await home.wait_frames()
    message = show_message("Read me.")
    home.app.table_flow._handle_key("undo")
    await home.wait_frames(5)
    slip = home.app.stage.screen.undone
    assert slip.text
    home.app.stage.screen.show_refusal(say("That isn't possible."))
    message.close()
    await home.wait_frames(5)
    assert slip.text
    home.app.stage.screen._clear_refusals()
    await home.wait_until(lambda: not slip.text)
    assert home.app.controller.view.may_redo


async def long_choice(table: Table) -> None:
    """A choice whose sentence is long."""
    options = {
        "one": say("everything that lies on the table, the cards, the coins and the lantern"),
        "no": say("no"),
    }
    await Choose(table.seats[0], say("Which of all these things would you like to have?"), options)
    await Choose(table.seats[0], say("And now?"), {"on": say("on"), "off": say("off")})


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", SCREEN_VARIANTS, ids=variant_id)
async def test_what_was_undone_is_whole(open_small_game: Any, lasting: None, look: ScreenVariant) -> None:
    """At every look: no word is cut, and the key is large enough for a finger."""
    from ui import theme

    table, game = await open_small_game(long_choice, look.size, look.lang)
    game.play_screen.layout_name = look.layout
    game.session.answer(game.session.question_number, "one")
    game.session.undo()
    game.show()
    texts = [game.session.question.describe_answer("one")]
    game.play_screen.show_undone(texts)
    await table.wait_frames(4)
    slip = game.play_screen.undone
    widgets = [*visible_widgets(slip)]
    assert not [*find_cut_texts(widgets), *find_overhanging_texts(widgets)]
    assert slip.put_back_key.height >= theme.length.target - 1
