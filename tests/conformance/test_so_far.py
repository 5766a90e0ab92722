"""The score so far, which every game can compute at any moment, for games that end early and for charts."""

from functools import partial
from random import Random

import pytest

from companion.session.session import Session
from companion.table.scores import GameResult
from companion.testing.random_game import RandomGame, play_randomly_to_end
from tests.conformance.registry import GameConfig, each_config


def check_score_so_far(session: Session) -> None:
    """Checks that the score names each seat once, and that computing it moves nothing."""
    table = session.table
    counts_before = [(account, account.count) for account in table.ledger]
    assert table.score_so_far is not None
    score = table.score_so_far()
    assert sorted(one.seat.number for one in score.standings) == [seat.number for seat in table.seats]
    assert [(account, account.count) for account in table.ledger] == counts_before
    check_totals(score)


def check_totals(result: GameResult) -> None:
    """Checks that the counted lines of every score sheet add up to the total."""
    for one in result.standings:
        assert sum(line.value for line in one.counted_lines) == one.total, one
        assert len(one.counted_lines) + len(one.uncounted_lines) == len(one.lines)


@pytest.mark.sweep(7)
@each_config
def test_every_game_tells_the_score_so_far(config: GameConfig) -> None:
    """The score names every seat once, changes nothing, adds up, and is the final score in the end."""
    for number in range(3):
        trial = RandomGame.begin(config.game, number, Random(f"so far {number}"), config.decks)
        session = trial.session

        play_randomly_to_end(session, trial.rng, partial(check_score_so_far, session))
        assert session.table.score_so_far is not None
        assert session.table.score_so_far() == session.result
