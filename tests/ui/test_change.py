"""The last change beside the number that matters most: +150."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.table.moves import Move
from tests.ui.evening import COLOURS, NAMES, sample

pytestmark = pytest.mark.usefixtures("nothing_moves")


def changes(table: Any) -> dict[str, str]:
    """What is written beside the numbers on the strips."""
    strips = table.app.stage.screen.strips.values()
    return {
        strip.seat.name: text
        for strip in strips
        for text in strip.written
        if text[0] in "+−" and len(text) > 1
    }


def pay(table: Any, source: str, target: str, count: int) -> None:
    """Moves money by hand."""
    money = {
        one.place.seat.name if one.place.seat else one.place.key: one
        for one in table.app.evening.headless.session.table.ledger
        if one.piece.key == "money"
    }
    move = Move(money[source].piece, money[source].place, money[target].place, count)
    table.app.evening.correct([move], "paid")


@pytest.fixture
async def train(home: Any) -> Any:
    """Three people who own train companies."""
    home.app.evening.begin("any_game", NAMES, COLOURS, {"template": "train"})
    await home.frames()
    return home


async def test_a_payment_is_seen_on_both_strips_until_the_next(train: Any) -> None:
    """Who paid has less by so much, who was paid more; a question that moves nothing leaves it there."""
    assert changes(train) == {}
    pay(train, "Aki", "Ben", 150)
    await train.frames()
    assert changes(train) == {"Aki": "−150", "Ben": "+150"}
    await train.tap("Payment")
    assert changes(train) == {"Aki": "−150", "Ben": "+150"}
    pay(train, "ちえ", "bank", 30)
    await train.frames()
    assert changes(train) == {"ちえ": "−30"}


async def test_going_back_tells_no_change(train: Any) -> None:
    """It puts things as they were."""
    pay(train, "Aki", "Ben", 150)
    train.app.evening.undo()
    await train.frames()
    assert changes(train) == {}


async def test_a_covered_number_tells_no_change(home: Any) -> None:
    """Cash lies covered while properties are bought and sold."""
    evening, rng = home.app.evening, Random(3)
    evening.begin("high_bid", NAMES, COLOURS, {})
    await home.frames()
    strips, sold = list(home.app.stage.screen.strips.values()), False
    while evening.view.result is None:
        sample(evening, rng)
        assert {strip.change for strip in strips} == {0}
        sold = sold or any("pays" in str(note) for note in evening.view.notes)
    assert sold
