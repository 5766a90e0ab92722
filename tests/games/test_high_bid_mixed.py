"""Games in which some cards are scanned and equal ones picked or typed, beside an oracle of real cards."""

from __future__ import annotations

import pytest

from tests.support.games.high_bid_oracle import HighBidWithRealCards

pytestmark = pytest.mark.without_coverage


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(120))
def test_the_truth_is_never_refused(seed: int) -> None:
    """Of two equal cards, one before its owner and one in the hand, either is taken, scanned or picked."""
    HighBidWithRealCards(seed, orderly=False).play()


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(120))
def test_the_truth_is_never_refused_after_mending(seed: int) -> None:
    """So it is when people undo, redo, amend, correct and start again in between."""
    HighBidWithRealCards(seed, mends=0.1, orderly=False).play()


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(120))
def test_every_hand_is_counted(seed: int) -> None:
    """Where people lay down the one before them first, each hand has as many cards as the companion says."""
    HighBidWithRealCards(seed, orderly=True).play()


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(120))
def test_every_hand_is_counted_after_mending(seed: int) -> None:
    """So it is when people undo, redo, amend, correct and start again in between."""
    HighBidWithRealCards(seed, mends=0.1, orderly=True).play()
