"""Evenings with Any Game's money on the real window, by touch alone; touches are counted, a sum agrees."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.table.seats import SEAT_COLOURS
from tests.games.test_any_evenings import FOUR, PRICES, SALES, properties
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import make_test_app
from tests.ui.test_paying import draw, tills

pytestmark = pytest.mark.usefixtures("without_motion")
FIVE = (*FOUR, "Emi")
ROUNDS = 10
TURNS = None if SOAK else 30
"""Number of turns that are played by touch; the rules play all eighty in another test."""


@pytest.fixture
def begun(open_app: Any, tmp_path: Any) -> Any:
    """A table with a template, and people."""

    async def begin(template: str, names: tuple[str, ...]) -> Any:
        table = await open_app(make_test_app(tmp_path / "state"), (1280, 720))
        table.app.controller.start_new_game(
            "any_game", names, SEAT_COLOURS[: len(names)], {"template": template}
        )
        await table.wait_frames()
        return table

    return begin


async def test_an_evening_of_property_trading(begun: Any, touches: list[Any]) -> None:
    """Many turns: a payment is its digits and one stroke, and the way to the page is gone once."""
    books = Counter[str]()
    acts = list(islice(properties(books), TURNS))
    table = await begun("property", FOUR)
    await table.tap("bank", "pay")
    digits = 0
    for act in acts:
        payer, payee, amount = act.split() if isinstance(act, str) else ("bank", act[1].split()[1], "200")
        await table.tap(*amount)
        await draw(table, payer.replace("all", "Everybody"), payee)
        digits += len(amount)
    there = tills(table)
    assert {name: int(there[name]) for name in (*FOUR, "fines")} == {
        name: books[name] for name in (*FOUR, "fines")
    }
    assert len(touches) - digits == len(acts) + 2
    await table.tap("close", "close")
    assert await finished(table) == {name: books[name] for name in FOUR}


async def finished(table: Any) -> dict[str, int]:
    """Everybody's total, once the game is ended by touch."""
    await table.tap("Finish", "Finish")
    return {one.seat.name: one.total for one in table.app.controller.view.result.standings}


async def test_an_evening_of_tricks_under_contract(begun: Any, touches: list[Any]) -> None:
    """Five people, ten rounds: a round is a digit and a key a number, and no menu is between two rounds."""
    table, chance, books = await begun("contract", FIVE), Random(10), Counter[str]()
    await table.tap("Round 1")
    for at in range(1, ROUNDS + 1):
        entered = [(chance.randint(0, 5), chance.randint(0, 5)) for _ in FIVE]
        for name, (bid, made) in zip(FIVE, entered, strict=True):
            books[name] += 20 + 10 * bid if bid == made else -10 * abs(bid - made)
            last = name == FIVE[-1]
            await table.tap(str(bid), "Next", str(made), "Enter all answers" if last else "Next")
        assert at == ROUNDS or any(text.endswith(f"Round {at + 1}") for text in table.texts())
    assert len(touches) == 1 + ROUNDS * 2 * 2 * len(FIVE)
    await table.tap("Finish")
    result = table.app.controller.view.result
    assert {one.seat.name: one.total for one in result.standings} == dict(books)


async def test_an_evening_of_art_auctions(begun: Any, touches: list[Any]) -> None:
    """Ten lots: what is sold, who has it, and the price with its key; who sells first is asked once."""
    table, books = await begun("art", FOUR), Counter(dict.fromkeys(FOUR, 100))
    for at, (painter, winner, price) in enumerate(SALES):
        seller = FOUR[at % 4]
        await table.tap(painter.title(), *(["Aki"] if not at else []))
        await table.tap(winner, *str(price), "confirm")
        books[winner] -= price
        books[seller] += price if seller != winner else 0
    digits = sum(len(str(price)) for *_, price in SALES)
    assert len(touches) - digits == 3 * len(SALES) + 1
    ledger = table.app.evening.table.ledger
    assert {name: ledger.find_account_by_keys(f"{name}/purse", "money").count for name in FOUR} == dict(books)
    for painter, price in PRICES.items():
        await table.tap("Price", painter.title(), f"{price}")
    await table.tap("Everybody sells")
    for painter, winner, _ in SALES:
        books[winner] += PRICES.get(painter, 0)
    assert await finished(table) == dict(books)
