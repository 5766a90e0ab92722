"""The rules go on after every accepted correction, at any question of every installed game."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.errors import IllegalAnswer, UserError
from companion.log.events import Answered
from companion.requests import Choose, Request, Together
from companion.rules.game import Game
from companion.session.run import replay_steps
from companion.session.session import Session, find_no_card
from companion.session.view import movable_holdings_by_place
from companion.table.ledger import Piece, Place
from companion.testing.random_game import RandomGame, answer_randomly
from tests.conformance.registry import GAMES
from tests.support.fair_game import FAIR_GAME
from tests.support.soak import SOAK

GAMES_PLAYED = 250 if SOAK else 4
CORRECTIONS = 6
MAX_OPENING_ANSWERS = 120
"""The first correction comes after fewer answers than this."""
MAX_ANSWERS_BETWEEN = 8
"""Between two corrections there are fewer answers than this."""
ANY_HOLDING_CHANCE = 0.2
"""Probability that a correction moves something that isn't near the question."""
SEAL_CHANCE = 0.3
TRIED_ANSWERS = 6


@pytest.mark.sweep(2)
@pytest.mark.parametrize("game", [*GAMES, FAIR_GAME], ids=lambda game: game.key)
def test_the_rules_never_fail_after_a_correction(game: Game) -> None:
    """A correction is refused, or the rules accept every legal answer after it, and later answers too."""
    for number in range(GAMES_PLAYED):
        trial = RandomGame.begin(game, number, Random(f"corrections {game.key} {number}"))
        session, rng = trial.session, trial.rng
        _play(session, rng, rng.randrange(MAX_OPENING_ANSWERS))
        for _ in range(CORRECTIONS):
            if session.question is not None and _correct_randomly(session, rng):
                assert (
                    session.table.ledger.total_by_piece_key()
                    == Session(game, trial.log, trial.log).table.ledger.total_by_piece_key()
                )
                _check_every_answer_is_taken(session, rng)
                _play(session, rng, rng.randrange(MAX_ANSWERS_BETWEEN))


def _play(session: Session, rng: Random, answers: int) -> None:
    for _ in range(answers):
        if session.question is not None:
            try:
                answer_randomly(session, rng)
            except IllegalAnswer:  # the corrections left no legal answer
                return
    question = session.question
    if isinstance(question, Together) and rng.random() < SEAL_CHANCE:
        seat = rng.choice(question.seats)
        session.put_answer_in_envelope(
            session.question_number,
            seat,
            question.parts_by_seat[seat].answer_to_json(
                question.parts_by_seat[seat].random_legal_answer(rng)
            ),
        )


def _correct_randomly(session: Session, rng: Random) -> bool:
    """Moves random pieces; returns whether the correction was accepted."""
    holdings = list(
        _all_holdings(session) if rng.random() < ANY_HOLDING_CHANCE else _holdings_near_question(session)
    )
    place, piece, count = rng.choice(holdings or list(_all_holdings(session)))
    target = rng.choice([one.place for one in session.table.ledger if one.place != place])
    try:
        session.correct(place.key, target.key, piece.key, rng.choice((1, max(1, count))), "miscounted")
    except UserError:
        return False
    return True


def _all_holdings(session: Session) -> Iterator[tuple[Place, Piece, int]]:
    for account in session.table.ledger:
        yield account.place, account.piece, account.count


def _holdings_near_question(session: Session) -> Iterator[tuple[Place, Piece, int]]:
    """Yields the visible pieces of the players who are asked, and of nobody: those that an answer needs."""
    assert session.question is not None
    for place, holdings in movable_holdings_by_place(session).items():
        for one in holdings:
            if one.count and (place.seat is None or place.seat in session.question.seats):
                yield one.place, one.piece, one.count


def _check_every_answer_is_taken(session: Session, rng: Random) -> None:
    """Gives each legal answer to a copy of the game; a crash of the rules raises RulesCrashed."""
    question, steps = session.question, session.steps
    for plain in _legal_answers(question, rng) if question is not None else ():
        run = replay_steps(session.game, session.began, steps, find_no_card)
        assert question is not None
        run.apply_step(Answered(session.question_number, question.log_key, plain, "sweep", 0.0))


def _legal_answers(question: Request[Any], rng: Random) -> Iterator[Any]:
    answers = (
        question.options
        if isinstance(question, Choose)
        else [question.random_legal_answer(rng) for _ in range(TRIED_ANSWERS)]
    )
    for answer in answers:
        try:
            question.check_answer(answer)
        except IllegalAnswer:
            continue
        yield question.answer_to_json(answer)
