"""One of several things."""

import pytest

from companion.errors import IllegalAnswer
from companion.requests import Choose
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
