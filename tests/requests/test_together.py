"""Several seats at once."""

from random import Random

import pytest

from companion.errors import IllegalAnswer
from companion.requests import Amount, Together
from companion.requests.request import Request
from companion.table.seats import make_seats
from companion.texts import render, say

AKI, BEN, CHIE = make_seats(["Aki", "Ben", "Chie"])
BID = say("Sealed bid")
QUESTION = Together(BID, {AKI: Amount(AKI, BID, most=9), CHIE: Amount(CHIE, BID, most=9)})


def test_what_is_asked() -> None:
    """All who are asked stand in the question; it has no limits of its own."""
    assert QUESTION.seats == (AKI, CHIE)
    assert QUESTION.log_key == "Together @1 @3: Sealed bid"
    assert QUESTION.limits_json == {}
    assert render(QUESTION.text) == "Sealed bid"


def test_the_order_of_the_seats_is_no_part_of_the_question() -> None:
    """Who is asked first follows from earlier answers; a log may have the seats in any order."""
    turned = Together(BID, dict(reversed([*QUESTION.parts_by_seat.items()])))
    assert turned.log_key == QUESTION.log_key
    assert turned.seats == (CHIE, AKI)
    assert all(QUESTION.matches_log_key(f"Together {seats}: Sealed bid") for seats in ("@1 @3", "@3 @1"))


@pytest.mark.parametrize(
    "asks",
    ["Together @1 @2: Sealed bid", "Together @1: Sealed bid", "Together @1 @3: Bid", "Together @1 @3", "",
     "Together Aki @٣: Sealed bid", "Amount @1 @3: Sealed bid", "Together  @3 @1: Sealed bid"],
)  # fmt: skip  # a table
def test_another_question_is_another(asks: str) -> None:
    """Other seats, another text or another kind, and what is no question at all."""
    assert not QUESTION.matches_log_key(asks)


def test_answers_go_by_seat() -> None:
    """The log keeps them by number; the rulebook gets them by seat; people read them in a row."""
    answer = QUESTION.parse_answer({"1": 4, "3": 0})
    QUESTION.check_answer(answer)
    assert answer == {AKI: 4, CHIE: 0}
    assert QUESTION.answer_to_json(answer) == {"1": 4, "3": 0}
    assert render(QUESTION.describe_answer(answer)) == "Aki: 4, Chie: 0"
    QUESTION.check_answer(QUESTION.random_legal_answer(Random(1)))


@pytest.mark.parametrize("given", [{}, {"1": 4}, {"1": 4, "2": 4}, {"1": 4, "2": 4, "3": 4}, {1: 4, 3: 4}, 4])
def test_everybody_answers_and_nobody_else(given: object) -> None:
    """An answer too few or too many is none."""
    with pytest.raises(IllegalAnswer, match="All players who are asked must answer"):
        QUESTION.parse_answer(given)


def test_each_part_is_checked() -> None:
    """One illegal part makes the whole illegal."""
    with pytest.raises(IllegalAnswer, match="Chie can answer at most 9"):
        QUESTION.check_answer({AKI: 4, CHIE: 10})


@pytest.mark.parametrize("name", ["seats", "log_key", "text", "limits_json", "about"])
def test_a_kind_must_say_everything(name: str) -> None:
    """What every kind has to say has no default."""
    with pytest.raises(NotImplementedError):
        getattr(Request(), name)


@pytest.mark.parametrize("name", ["parse_answer", "check_answer", "random_legal_answer", "describe_answer"])
def test_a_kind_must_do_everything(name: str) -> None:
    """What every kind has to do has no default."""
    with pytest.raises(NotImplementedError):
        getattr(Request(), name)(None)
