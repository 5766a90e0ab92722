"""An answer that is the only one comes filled in: one touch gives it. Nothing secret is filled in."""

from __future__ import annotations

from typing import Any

import pytest

from companion.requests import Choose, CountedItem, Counts, DetailedOption, Together
from companion.table.ledger import Piece
from companion.table.table import Table
from companion.texts import Labelled, say

pytestmark = pytest.mark.usefixtures("without_motion")
COIN = Piece("coin", say("coin"))


def counting(own: int, foreign: int, total: int) -> Any:
    """Aki pays with coins of two kinds."""

    async def rules(table: Table) -> None:
        items = {
            "own": CountedItem(say("own coins"), own),
            "foreign": CountedItem(say("foreign coins"), foreign),
        }
        await Counts(table.seats[0], say("Pay for the card"), items, total, total)

    return rules


async def test_the_only_numbers_take_one_touch(open_small_game: Any) -> None:
    """The dials show them; the question is still asked."""
    _table, game = await open_small_game(counting(2, 1, 3))
    assert not game.answers
    await _table.tap("take")
    assert game.answers == [{"own": 2, "foreign": 1}]


async def test_numbers_that_people_choose_begin_at_zero(open_small_game: Any) -> None:
    """Two ways to pay are two ways."""
    _table, game = await open_small_game(counting(2, 2, 3))
    assert game.play_screen.question_widget.make_answer() == {"own": 0, "foreign": 0}


async def test_nothing_is_filled_in_under_cover(open_small_game: Any) -> None:
    """Neither what a covered purse holds nor what a seat must seal."""

    async def rules(table: Table) -> None:
        purses = {seat: table.covered_account(COIN, say("purse"), seat) for seat in table.seats}
        for purse in purses.values():
            table.supply_from_box(purse, 2)
        parts = {
            seat: Counts(seat, say("Your coins"), {"coin": CountedItem(COIN, purse)}, 2, 2)
            for seat, purse in purses.items()
        }
        await Together(say("All pay"), dict(parts))

    table, game = await open_small_game(rules)
    await table.tap("Aki", "Aki, take the screen")
    assert game.play_screen.question_widget.answer_screen.question.make_answer() == {"coin": 0}


async def test_the_only_option_is_brass(open_small_game: Any) -> None:
    """Where everything else can't be chosen, one key stands out, and a touch still has to give the answer."""

    async def night(table: Table) -> None:
        options: dict[str, Labelled] = {
            "dig": DetailedOption(say("Dig"), barred_reason=say("Not tonight.")),
            "end": say("End"),
        }
        await Choose(table.seats[0], say("What now?"), options)
        await Choose(table.seats[0], say("And now?"), {"dig": say("Dig"), "end": say("End")})

    table, game = await open_small_game(night)
    assert {text: table.find(text).look for text in ("Dig", "End")} == {"Dig": "paper", "End": "brass"}
    await table.tap("End")
    assert game.answers == ["end"]
    assert {text: table.find(text).look for text in ("Dig", "End")} == {"Dig": "paper", "End": "paper"}
