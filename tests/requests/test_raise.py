"""Open bidding."""

from random import Random
from typing import Any

import pytest

from companion.errors import IllegalAnswer
from companion.ledger import Piece
from companion.requests import Raise
from companion.seats import seated
from companion.words import render, say

AKI, BEN, CHIE = seated(["Aki", "Ben", "Chie"])
CHIP = Piece("chip 7", say("daughter {number}", number=7))


def raise_(bids: dict[Any, int] | None = None, **limits: Any) -> Raise:
    """Ben is asked."""
    return Raise(BEN, CHIP, bids or {}, **limits)


def test_what_is_asked() -> None:
    """One seat is asked about one thing, however much is bid."""
    assert raise_().asks == raise_({AKI: 4}, no=None).asks == "Raise @2: chip 7"
    assert raise_().seats == (BEN,)


@pytest.mark.parametrize(
    ("no", "text", "told"),
    [
        (None, "Ben, open the bidding for daughter 7.", None),
        ("pass", "Ben, bid for daughter 7 or pass.", "Ben passes."),
        ("withdraw", "Ben, bid for daughter 7 or withdraw.", "Ben withdraws."),
    ],
)
def test_how_one_may_decline(no: str | None, text: str, told: str | None) -> None:
    """Pass, withdraw, or not at all, as the question says."""
    question = raise_(no=no)
    assert render(question.text) == text
    assert question.load(None) is None
    if told is None:
        with pytest.raises(IllegalAnswer, match=r"^Ben must bid at least 1\.$"):
            question.check(None)
    else:
        question.check(None)
        assert render(question.told(None)) == told
    assert render(question.told(5)) == "Ben bids 5 for daughter 7."


@pytest.mark.parametrize(
    ("bids", "limits", "bid", "why"),
    [
        ({}, {}, 0, "Ben must bid at least 1."),
        ({}, {"least": 10}, 9, "Ben must bid at least 10."),
        ({AKI: 4, CHIE: 2}, {}, 4, "Ben must bid more than 4."),
        ({AKI: 4}, {"step": 2}, 5, "Ben must bid at least 6."),
        ({AKI: 4}, {"step": 2}, 7, "Ben must bid 6 or a multiple of 2 more."),
        ({AKI: 4}, {"most": 99}, 100, "Ben can bid at most 99."),
    ],
)
def test_a_bid_that_is_refused(bids: dict[Any, int], limits: Any, bid: int, why: str) -> None:
    """A bid is more than all others, within the limits and on the grid."""
    with pytest.raises(IllegalAnswer) as refused:
        raise_(bids, **limits).check(bid)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    ("bids", "limits", "bid"), [({}, {}, 1), ({AKI: 4}, {"most": 99}, 99), ({AKI: 4}, {"step": 2}, 8)]
)
def test_a_bid_that_is_taken(bids: dict[Any, int], limits: Any, bid: int) -> None:
    """Any higher bid is taken, jumps too."""
    raise_(bids, **limits).check(raise_().load(bid) or 0)


@pytest.mark.parametrize("given", ["4", 4.0, True, [4], 2**53, -(2**53)])
def test_a_bid_is_a_whole_number(given: object) -> None:
    """Text, fractions, true and what JSON can't keep exactly are no bids."""
    with pytest.raises(IllegalAnswer, match="whole number"):
        raise_().load(given)


def test_the_limits_say_all_that_is_open() -> None:
    """The lowest and highest bid, the step, how to decline, and the bids so far by name."""
    assert raise_({AKI: 4}, most=99).limits == {
        "least": 5,
        "most": 99,
        "step": 1,
        "no": "pass",
        "bids": {"Aki": 4},
    }


def test_samples_bid_and_decline() -> None:
    """Random games bid a little more, or not; whoever must open does."""
    bids = {raise_({AKI: 97}, most=99).sample(Random(seed)) for seed in range(100)}
    assert bids == {None, 98, 99}
    assert {raise_(no=None).sample(Random(seed)) for seed in range(100)} == {1, 2, 3}
    assert {raise_({AKI: 99}, most=99).sample(Random(seed)) for seed in range(100)} == {None}
