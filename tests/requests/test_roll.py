"""Dice, rolled by hand or by the companion."""

from collections import Counter
from random import Random

import pytest

from companion.errors import IllegalAnswer
from companion.requests import Die, Roll
from companion.table.seats import make_seats
from companion.texts import render, say

AKI, BEN = make_seats(["Aki", "Ben"])
WHAT = say("Roll the dice")
TENS, ONES = Die(say("tens"), (0, 25, 50, 75)), Die(say("ones"), (0, 0, 0, 1))
ROLL = Roll(AKI, WHAT, (TENS, ONES))


def test_what_is_asked() -> None:
    """A seat or the table rolls; which dice is no part of it."""
    assert ROLL.log_key == Roll(AKI, WHAT, (ONES,)).log_key == "Roll @1: Roll the dice"
    assert (Roll(None, WHAT, (ONES,)).log_key, Roll(None, WHAT, (ONES,)).seats) == ("Roll: Roll the dice", ())


def test_the_answer_is_a_face_of_each_die_in_order() -> None:
    """The faces come back in the order of the dice."""
    assert ROLL.parse_answer([75, 0]) == (75, 0)
    assert ROLL.answer_to_json((75, 0)) == [75, 0]
    ROLL.check_answer((75, 0))
    assert render(ROLL.describe_answer((75, 0))) == "Aki rolls: tens 75, ones 0"
    assert render(Roll(None, WHAT, (ONES,)).describe_answer((1,))) == "Rolled: ones 1"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (None, "Answer with a list of 2 faces, in the order of the dice."),
        (75, "Answer with a list of 2 faces, in the order of the dice."),
        ([75], "Answer with a list of 2 faces, in the order of the dice."),
        ([75, 0, 0], "Answer with a list of 2 faces, in the order of the dice."),
        ([True, 0], "Aki must answer with a whole number."),
        (["75", 0], "Aki must answer with a whole number."),
        ([0.0, 0], "Aki must answer with a whole number."),
        ([0, 75], "ones can show only: 0, 1."),
        ([74, 0], "tens can show only: 0, 25, 50, 75."),
    ],
)
def test_what_no_dice_can_show_is_refused(given: object, why: str) -> None:
    """One whole number a die, and one of its faces; the refusal names them once each."""
    with pytest.raises(IllegalAnswer) as refused:
        ROLL.check_answer(ROLL.parse_answer(given))
    assert str(refused.value) == why


def test_faces_may_have_names() -> None:
    """They are told and shown in place of the numbers, which are still the answer."""
    coin = Roll(None, WHAT, (Die(say("coin"), (1, 2), (say("heads"), say("tails"))),))
    assert coin.limits_json == {"dice": [{"label": "coin", "faces": [1, 2], "names": ["heads", "tails"]}]}
    coin.check_answer(coin.parse_answer([2]))
    assert render(coin.describe_answer((2,))) == "Rolled: coin tails"


def test_the_limits_are_the_dice() -> None:
    """All may know the faces."""
    assert ROLL.limits_json == {
        "dice": [{"label": "tens", "faces": [0, 25, 50, 75]}, {"label": "ones", "faces": [0, 0, 0, 1]}]
    }


def test_dice_are_fair() -> None:
    """Each face comes up as often as it is on the die: 3 sigma over 4,000 rolls of one seed."""
    rng = Random(7)
    rolls = [ROLL.random_legal_answer(rng) for _ in range(4_000)]
    tens, ones = Counter(first for first, _ in rolls), Counter(second for _, second in rolls)
    assert all(abs(tens[face] - 1_000) < 83 for face in TENS.faces)
    assert abs(ones[1] - 1_000) < 83


def test_a_lot_counts_those_that_are_left() -> None:
    """Who or what is drawn is said with the question, and by name in the history."""
    names = (say("Aki"), say("Ben"), say("Chie"))
    lots = Roll(None, WHAT, (Die(say("lot 1"), (1, 2, 3)), Die(say("lot 2"), (1, 2))), names)
    assert lots.limits_json["lots"] == ["Aki", "Ben", "Chie"]
    assert [render(one) for one in lots.face_labels([2])] == ["Ben"]
    assert render(lots.describe_answer((2, 2))) == "Rolled: lot 1 Ben, lot 2 Chie"
