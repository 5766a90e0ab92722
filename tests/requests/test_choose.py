"""One of several things."""

from random import Random

import pytest

from companion.errors import IllegalAnswer
from companion.ledger import Ledger, Piece, Place
from companion.requests import Choose, Need
from companion.seats import seated
from companion.words import render, say

AKI, BEN = seated(["Aki", "Ben"])
WHAT = say("What now?")


def test_the_answer_is_a_key() -> None:
    """A key and nothing else is the answer; a refusal lists the keys."""
    question = Choose(AKI, WHAT, {"sell": say("Sell"), "pass": say("Pass")})
    assert question.load("sell") == "sell"
    question.check("pass")
    for given in ("Sell", 0, None, ["sell"]):
        with pytest.raises(IllegalAnswer, match=r"^Choose one of: sell, pass\.$"):
            question.load(given)


def test_options_are_shown_in_words() -> None:
    """An option may be anything with a label, a seat for instance."""
    assert Choose(None, WHAT, {"1": AKI, "2": BEN}).limits == {"options": {"1": "Aki", "2": "Ben"}}


@pytest.mark.parametrize(
    ("seat", "seats", "asks", "told"),
    [
        (AKI, (AKI,), "Choose @1: What now?", "Aki: Sell"),
        (None, (), "Choose: What now?", "What now? Sell"),
    ],
)
def test_a_seat_or_the_table_is_asked(seat: object, seats: object, asks: str, told: str) -> None:
    """A question to the table is asked of nobody in particular."""
    question = Choose(AKI if seat else None, WHAT, {"sell": say("Sell")})
    assert (question.seats, question.asks) == (seats, asks)
    assert render(question.told("sell")) == told


def test_an_option_may_need_what_is_covered() -> None:
    """An option that takes more than its account holds is shown, refused in its own words, never sampled."""
    ledger, coin = Ledger(), Piece("coin", say("coin"), endless=True)
    akis = ledger.supply(ledger.account(Place(say("purse"), AKI), coin, covered=True), 3)
    why = say("That can't come out of the purse.")
    question = Choose(AKI, WHAT, {"buy": say("Buy"), "pass": say("Pass")}, {"buy": Need(akis, 4, why)})
    assert question.limits == {"options": {"buy": "Buy", "pass": "Pass"}}
    assert {question.sample(Random(seed)) for seed in range(20)} == {"pass"}
    with pytest.raises(IllegalAnswer, match=r"^That can't come out of the purse\.$"):
        question.check("buy")
    ledger.transfer(ledger.account(Place(say("bank")), coin), akis, 1)
    question.check("buy")
