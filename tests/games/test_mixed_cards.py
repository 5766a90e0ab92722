"""Egypt, Oyakata and Bidders! with scanned and typed cards, beside an oracle of real cards.

High Bid, whose cards lie before people and in their hands, has its own: `test_high_bid_mixed.py`.
"""

from __future__ import annotations

import pytest

from companion import installed_games
from tests.support.games.real_cards_oracle import GameWithRealCards

ANSWERS = 300


@pytest.mark.without_coverage
@pytest.mark.sweep(5)
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("key", ["egypt", "oyakata", "bidders"])
def test_the_truth_is_never_refused(key: str, seed: int) -> None:
    """Every true tag and every typed card is taken, also after undo, redo, amendments and restarts."""
    GameWithRealCards(installed_games.playable_game(key), seed, mends=0.05).play(ANSWERS)
