"""Questions of every kind for the page of Aki's seat, with an answer to each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from companion.requests import (
    Amount,
    Choose,
    CountedItem,
    Counts,
    DetailedOption,
    Die,
    Done,
    FallingPriceStep,
    Raise,
    Request,
    Roll,
    Together,
    Write,
)
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import Labelled, say
from tests.support.asking_game import COIN, asking_game
from tests.support.page_server import PageServer

BUY_OPTIONS: dict[str, Labelled] = {
    "buy": say("Buy a card"),
    "sell": DetailedOption(say("Sell a card"), barred_reason=say("None for sale.")),
    "end": say("End the game"),
}
COUNTED = {"own": CountedItem(say("own coins"), 5), "foreign": CountedItem(say("foreign coins"), 3)}
STAMPS = {
    "name": "Stamps",
    "kind": "property",
    "size": 3,
    "value": 600,
    "collector": 160,
    "gallery": 120,
    "dealer": 80,
    "warehouse": 40,
}
TWO_DICE = (Die(say("red"), (1, 2, 3, 4, 5, 6)), Die(say("coin"), (0, 1), (say("heads"), say("tails"))))

MakePart = Callable[[Seat], Request[Any]]
PARTS: dict[str, MakePart] = {
    "number": lambda seat: Amount(seat, say("How much?"), 3, 40),
    "negative": lambda seat: Amount(seat, say("How many points?"), -99, 99),
    "half": lambda seat: Amount(seat, say("How many points?"), 0, 20, in_halves=True),
    "values": lambda seat: Amount(seat, say("Which tile?"), 0, 9, values=(5, 9)),
    "option": lambda seat: Choose(
        seat, say("What now?"), BUY_OPTIONS, confirmations={"end": say("Finish this game?")}
    ),
    "quantities": lambda seat: Counts(seat, say("What do you pay?"), COUNTED, 3, 4, decline=say("can't pay")),
    "text": lambda seat: Write(seat, say("What is it?"), decline=say("No name")),
    "dice": lambda seat: Roll(seat, say("Roll the dice"), TWO_DICE),
    "confirm": lambda seat: Done(seat, say("Deal the cards.")),
}


def ask(server: PageServer, name: str, *, is_sealed: bool = False) -> None:
    """Asks Aki one of the questions, alone or together with Ben."""
    make = PARTS[name]

    def question(table: Table) -> Request[Any]:
        if is_sealed:
            return Together(say("All in secret"), {seat: make(seat) for seat in table.seats})
        return make(table.seats[0])

    server.begin(asking_game(question, ask_finally, covered_coins=(1800, 2500)), "Aki", "Ben")


def ask_finally(table: Table) -> Request[Any]:
    """Returns the question behind the one that a test is about."""
    return Done(None, say("Finally"))


def ask_in_race(server: PageServer) -> None:
    """Asks who buys first, while the price falls."""

    def race(table: Table) -> Request[Any]:
        options = {str(seat.number): seat for seat in table.seats} | {"pass": say("Nobody")}
        return Choose(
            None,
            say("Who buys?"),
            options,
            race_seats=tuple(table.seats),
            falling_price=FallingPriceStep(95, 80),
        )

    server.begin(asking_game(race, ask_finally), "Aki", "Ben")


def ask_to_raise(server: PageServer) -> None:
    """Asks Aki to raise Ben's bid, or to pass."""

    def bid(table: Table) -> Request[Any]:
        aki, ben = table.seats
        return Raise(aki, COIN, {ben: 7}, least=8, most=40)

    server.begin(asking_game(bid, ask_finally), "Aki", "Ben")


def ask_for_card(server: PageServer) -> None:
    """Asks for one of many cards."""
    server.begin("high_bid", "Aki", "Ben")
    server.answer("1", True)


def ask_for_payment(server: PageServer) -> None:
    """Asks for a payment in cards, which are counted by rate."""
    server.begin("egypt", "Aki", "Ben", "Chie")
    server.answer("1", True, 3, None, None)


class PageQuestion(NamedTuple):
    """Lets Aki be asked; and an answer."""

    ask: Callable[[PageServer], None]
    answer: Any
    is_sealed: bool = False


ANSWERS = {
    "number": 12,
    "negative": -7,
    "half": 7.5,
    "values": 9,
    "option": "buy",
    "quantities": {"own": 2, "foreign": 1},
    "text": "Vase",
    "dice": [4, 1],
    "confirm": True,
}
QUESTIONS: dict[str, PageQuestion] = {
    **{name: PageQuestion(partial(ask, name=name), answer) for name, answer in ANSWERS.items()},
    **{
        f"sealed {name}": PageQuestion(partial(ask, name=name, is_sealed=True), answer, is_sealed=True)
        for name, answer in ANSWERS.items()
    },
    "race": PageQuestion(ask_in_race, "1"),
    "raise": PageQuestion(ask_to_raise, 11),
    "pass": PageQuestion(ask_to_raise, None),
    "card": PageQuestion(ask_for_card, [{"values": STAMPS}]),
    "payment": PageQuestion(ask_for_payment, [{"values": {"number": 4}}, {"values": {}}]),
}
"""Each type of field in the open, and in a sealed round; a race, an auction, and cards."""
