"""After an amendment, later answers are offered for redo as long as they fit, in every game."""

from __future__ import annotations

from random import Random

import pytest

from companion.errors import ReplayConflict
from companion.log.events import Answered
from companion.testing.random_game import RandomGame, answer_randomly, replayable_state
from tests.conformance.registry import GameConfig, each_config
from tests.support.soak import SOAK

OPENING_ANSWERS = 60
GAMES_PER_CONFIG = 40 if SOAK else 12


CONFIGS_WITHOUT_REDO = ("sealed_bid", "any_game-lowest")
"""Games that end so soon that nothing is left to redo."""


def play_opening(config: GameConfig, number: int) -> RandomGame:
    """Plays the first answers of a random match."""
    trial = RandomGame.begin(config.game, number, Random(f"{config.name} {number}"), config.decks)
    for _ in range(OPENING_ANSWERS):
        if trial.session.question is not None:
            answer_randomly(trial.session, trial.rng)
    return trial


def amend_and_go_back(trial: RandomGame) -> None:
    """Amends a random answer, and goes back to the first later answer that no longer fits."""
    answered = [step.n for step in trial.session.steps if isinstance(step, Answered)]
    question_number = trial.rng.choice(answered)
    seat, answer = trial.sample_amendment(question_number)
    try:
        trial.session.amend_answer(question_number, answer, seat)
    except ReplayConflict:
        trial.session.amend_answer(question_number, answer, seat, go_back=True, past_reveal=True)


@pytest.mark.sweep(2)
@each_config
def test_what_came_later_is_offered_as_long_as_it_fits(config: GameConfig) -> None:
    """Offered steps fit and are the old ones; a replay of the log offers the same steps.

    The redo ends: no new or redone answer increases the number of waiting steps.
    """
    redone = 0
    for number in range(GAMES_PER_CONFIG):
        trial = play_opening(config, number)
        later = {id(step) for step in trial.session.steps}
        amend_and_go_back(trial)
        session = trial.session
        while (waiting := session.waiting_redo_count) and session.question is not None:
            reopened = trial.reopen_from_log().session
            assert (reopened.waiting_redo_count, reopened.fitting_redo_count, replayable_state(reopened)) == (
                waiting,
                session.fitting_redo_count,
                replayable_state(session),
            )
            before, offered = len(session.steps), session.fitting_redo_count
            if offered:
                session.redo(trial.rng.choice([1, offered]))
                assert all(id(step) in later for step in session.steps[before:])
                redone += len(session.steps) - before
                assert session.waiting_redo_count < waiting
            else:
                answer_randomly(session, trial.rng)
                assert session.waiting_redo_count <= waiting
        trial.check_replay()
    assert redone or config.name in CONFIGS_WITHOUT_REDO
