"""Default answers for absent players are given at once in every installed game, whatever people do."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from companion.errors import RulesCrashed, UserError
from companion.log.events import Answered
from companion.session.session import MAX_DEFAULT_ANSWERS_IN_A_ROW, Session, default_answers_for_silent_seats
from companion.testing.random_game import RandomGame, answer_randomly
from tests.conformance.registry import GameConfig, each_config
from tests.support.soak import SOAK

GAMES_PER_CONFIG = 60 if SOAK else 6
ACTIONS = 40
RESTART_CHANCE = 0.1


@pytest.mark.sweep(4)
@each_config
def test_nothing_waits_for_silence(config: GameConfig) -> None:
    """After any action, no question waits that default answers should have answered."""
    for number in range(GAMES_PER_CONFIG):
        trial = RandomGame.begin(config.game, number, Random(f"silence {config.name} {number}"), config.decks)
        for _ in range(ACTIONS):
            trial = _perform_random_action(trial)
            assert not _waits_for_default_answer(trial.session), (
                f"a default answer is missing in game {number}"
            )


def _perform_random_action(trial: RandomGame) -> RandomGame:
    session, rng = trial.session, trial.rng
    actions: list[Callable[[], object]] = [
        lambda: _leave_or_return(session, rng),
        lambda: session.rename_player(rng.choice(session.table.seats), rng.choice(("Yui", "Zoe"))),
        lambda: session.undo(past_reveal=True),
        session.redo,
        lambda: _correct_randomly(session, rng),
        lambda: _amend_randomly(trial),
    ]
    if session.question is not None:
        actions += [lambda: answer_randomly(session, rng)] * len(actions)
    with suppress(UserError, RulesCrashed):
        rng.choice(actions)()
    if rng.random() < RESTART_CHANCE:
        trial = trial.reopen_from_log()
        trial.session.answer_for_absent_players()
    return trial


def _leave_or_return(session: Session, rng: Random) -> None:
    seat = rng.choice(session.table.seats)
    (session.mark_player_returned if seat in session.absent_seats else session.mark_player_absent)(seat)


def _correct_randomly(session: Session, rng: Random) -> None:
    accounts = list(session.table.ledger)
    account = rng.choice([one for one in accounts if one.count > 0] or accounts)
    target = rng.choice([one for one in accounts if one.piece == account.piece])
    session.correct(account.place.key, target.place.key, account.piece.key, 1, "miscounted")


def _amend_randomly(trial: RandomGame) -> None:
    answered = [step for step in trial.session.steps if isinstance(step, Answered)]
    if answered:
        question_number = trial.rng.choice(answered).n
        seat, answer = trial.sample_amendment(question_number)
        trial.session.amend_answer(question_number, answer, seat)


def _waits_for_default_answer(session: Session) -> bool:
    """Whether a default answer is possible now and nothing prevents it."""
    if session.may_redo or len(session.absent_seats) == len(session.table.seats):
        return False
    last = session.steps[-MAX_DEFAULT_ANSWERS_IN_A_ROW:]
    if len(last) == MAX_DEFAULT_ANSWERS_IN_A_ROW and all(
        isinstance(one, Answered) and one.via == "absent" for one in last
    ):
        return False
    return any(default_answers_for_silent_seats(session.question, session.drafts, session.absent_seats))
