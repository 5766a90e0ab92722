"""The score so far, which every game can tell at any moment: for a game that ends early, and for charts."""

from functools import partial
from random import Random

import pytest

from companion.session.session import Session
from companion.table.scores import GameResult
from companion.testing.random_game import RandomGame, play_randomly_to_end
from tests.conformance.registry import Evening, each_evening


def tells(session: Session) -> None:
    """The score names each seat once, and telling it moves nothing."""
    table = session.table
    before = [(account, account.count) for account in table.ledger]
    assert table.score_so_far is not None
    told = table.score_so_far()
    assert sorted(one.seat.number for one in told.standings) == [seat.number for seat in table.seats]
    assert [(account, account.count) for account in table.ledger] == before
    adds_up(told)


def adds_up(result: GameResult) -> None:
    """In every sheet the lines that count make the total."""
    for one in result.standings:
        assert sum(line.value for line in one.counted_lines) == one.total, one
        assert len(one.counted_lines) + len(one.uncounted_lines) == len(one.lines)


@pytest.mark.sweep(7)
@each_evening
def test_every_game_tells_the_score_so_far(evening: Evening) -> None:
    """It names every seat once, changes nothing, adds up at any moment, and is the final score in the end."""
    for number in range(3):
        trial = RandomGame.begin(evening.game, number, Random(f"so far {number}"), evening.decks)
        session = trial.session

        play_randomly_to_end(session, trial.rng, partial(tells, session))
        assert session.table.score_so_far is not None
        assert session.table.score_so_far() == session.result
