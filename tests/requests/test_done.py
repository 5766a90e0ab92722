"""A step at the real table."""

from random import Random

import pytest

from companion.errors import IllegalAnswer
from companion.requests import Done
from companion.table.seats import make_seats
from companion.texts import render, say

AKI, BEN = make_seats(["Aki", "Ben"])
DEAL = say("Deal.")


@pytest.mark.parametrize("given", [False, 1, 1.0, None, "true"])
def test_only_true_is_done(given: object) -> None:
    """True and nothing like it."""
    with pytest.raises(IllegalAnswer, match="When you have done this, answer with true"):
        Done(None, DEAL).parse_answer(given)


def test_a_step_is_confirmed() -> None:
    """The instruction is the question, and the history says that it was done."""
    question = Done(AKI, DEAL)
    question.check_answer(question.parse_answer(True))
    assert (question.seats, question.log_key, question.limits_json) == ((AKI,), "Done @1: Deal.", {})
    assert Done(None, DEAL).seats == ()
    assert Done(None, DEAL).random_legal_answer(Random(1)) is True
    assert render(question.text) == "Deal."
    assert render(question.describe_answer(True)) == "Done: Deal."
