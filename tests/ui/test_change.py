"""The last change beside the number that matters most: +150."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.actions import UNDO
from companion.rules.scene_views import MatView
from companion.table.moves import PieceMove
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions

pytestmark = pytest.mark.usefixtures("without_motion")


def changes(table: Any) -> dict[str, str]:
    """What is written beside the numbers on the strips."""
    strips = table.app.stage.screen.panels.values()
    return {
        strip.seat.name: text
        for strip in strips
        for text in strip.visible_texts
        if text[0] in "+−" and len(text) > 1
    }


def pay(table: Any, source: str, target: str, count: int) -> None:
    """Moves money by hand."""
    money = {
        one.place.seat.name if one.place.seat else one.place.key: one
        for one in table.app.evening.table.ledger
        if one.piece.money_value
    }
    move = PieceMove(money[source].piece, money[source].place, money[target].place, count)
    table.app.controller.correct_by_hand([move], "paid")


@pytest.fixture
async def train(home: Any) -> Any:
    """Three people who own train companies."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "train"})
    await home.wait_frames()
    return home


async def test_a_payment_is_seen_on_both_strips_until_the_next(train: Any) -> None:
    """Who paid has less by so much, who was paid more; a question that moves nothing leaves it there."""
    assert changes(train) == {}
    pay(train, "Aki", "Ben", 150)
    await train.wait_frames()
    assert changes(train) == {"Aki": "−150", "Ben": "+150"}
    await train.tap("Payment")
    assert changes(train) == {"Aki": "−150", "Ben": "+150"}
    pay(train, "ちえ", "bank", 30)
    await train.wait_frames()
    assert changes(train) == {"ちえ": "−30"}


async def test_going_back_tells_no_change(train: Any) -> None:
    """It puts things as they were."""
    pay(train, "Aki", "Ben", 150)
    train.app.controller.run_table_action(UNDO, {})
    await train.wait_frames()
    assert changes(train) == {}


async def test_a_covered_number_tells_no_change(train: Any) -> None:
    """Nor one that is laid open: by how much it changed under cover is nobody's business."""
    from ui.widgets.seats.panel_changes import NumberChanges

    play = train.app.stage.screen
    seen, mats = play.view, play.scene_view.mats

    def shown(value: int | None) -> list[MatView]:
        return [replace(mat, headline=replace(mat.headline, value=value)) for mat in mats]

    changes = NumberChanges()
    for value, told in ((400, set()), (None, set()), (350, set()), (340, {-10})):
        changes.update(seen, shown(value))
        assert {by for each in changes.changes_by_seat.values() for by in each.values()} == told


async def test_only_a_number_that_says_who_leads_tells_its_change(home: Any) -> None:
    """Cards that are dealt to everybody would only be noise."""
    home.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(home.app.controller, "1", True)
    await home.wait_frames()
    assert changes(home) == {}


@pytest.mark.parametrize("template", ["property", "auction", "train"])
async def test_money_never_moves_without_a_sign(home: Any, template: str) -> None:
    """Be it the number that matters most or a cell beside it: who paid has less, who was paid more."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": template})
    await home.wait_frames()
    pay(home, "Aki", "Ben", 37)
    await home.wait_frames()
    assert changes(home) == {"Aki": "−37", "Ben": "+37"}


async def test_the_salary_is_seen_and_told(home: Any) -> None:
    """The bank pays it: a sign on the strip, and a sentence."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "property"})
    answer_questions(home.app.controller, "salary", "1")
    await home.wait_frames()
    assert changes(home) == {"Aki": "+200"}
    assert "bank pays Aki 200." in home.app.stage.screen.notes.label.text
