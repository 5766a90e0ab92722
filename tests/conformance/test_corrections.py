"""Corrections at any question of every game that is installed: the rules go on from whatever is taken."""

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

EVENINGS = 250 if SOAK else 4
CORRECTIONS = 6
OPENING = 120
"""A correction comes after less than so many answers."""
BETWEEN = 8
"""Between two corrections there are fewer answers than this."""
ANYWHERE = 0.2
"""How often a correction is one that people would see no handle for."""
SEALED = 0.3
TRIES = 6


@pytest.mark.sweep(3)
@pytest.mark.parametrize("game", [*GAMES, FAIR_GAME], ids=lambda game: game.key)
def test_the_rules_never_fail_after_a_correction(game: Game) -> None:
    """Whatever people move, they are refused, or the rules go on from every legal answer; and later too."""
    for number in range(EVENINGS):
        trial = RandomGame.begin(game, number, Random(f"corrections {game.key} {number}"))
        session, rng = trial.session, trial.rng
        _plays(session, rng, rng.randrange(OPENING))
        for _ in range(CORRECTIONS):
            if session.question is not None and _corrects(session, rng):
                assert (
                    session.table.ledger.total_by_piece_key()
                    == Session(game, trial.log, trial.log).table.ledger.total_by_piece_key()
                )
                _takes_every_answer(session, rng)
                _plays(session, rng, rng.randrange(BETWEEN))


def _plays(session: Session, rng: Random, answers: int) -> None:
    for _ in range(answers):
        if session.question is not None:
            try:
                answer_randomly(session, rng)
            except IllegalAnswer:  # people took away by hand what every answer needs: they correct again
                return
    question = session.question
    if isinstance(question, Together) and rng.random() < SEALED:
        seat = rng.choice(question.seats)
        session.put_answer_in_envelope(
            session.question_number,
            seat,
            question.parts_by_seat[seat].answer_to_json(
                question.parts_by_seat[seat].random_legal_answer(rng)
            ),
        )


def _corrects(session: Session, rng: Random) -> bool:
    """Some pieces go somewhere; whether that was taken."""
    lying = list(_lying(session) if rng.random() < ANYWHERE else _near(session))
    place, piece, count = rng.choice(lying or list(_lying(session)))
    target = rng.choice([one.place for one in session.table.ledger if one.place != place])
    try:
        session.correct(place.key, target.key, piece.key, rng.choice((1, max(1, count))), "miscounted")
    except UserError:
        return False
    return True


def _lying(session: Session) -> Iterator[tuple[Place, Piece, int]]:
    for account in session.table.ledger:
        yield account.place, account.piece, account.count


def _near(session: Session) -> Iterator[tuple[Place, Piece, int]]:
    """What people see lying before those who are asked, and before nobody: what an answer needs."""
    assert session.question is not None
    for place, there in movable_holdings_by_place(session).items():
        for one in there:
            if one.count and (place.seat is None or place.seat in session.question.seats):
                yield one.place, one.piece, one.count


def _takes_every_answer(session: Session, rng: Random) -> None:
    """Each is given on a table of its own; a rulebook that fails is RulesCrashed."""
    question, steps = session.question, session.steps
    for plain in _legal(question, rng) if question is not None else ():
        run = replay_steps(session.game, session.began, steps, find_no_card)
        assert question is not None
        run.apply_step(Answered(session.question_number, question.log_key, plain, "sweep", 0.0))


def _legal(question: Request[Any], rng: Random) -> Iterator[Any]:
    tries = (
        question.options
        if isinstance(question, Choose)
        else [question.random_legal_answer(rng) for _ in range(TRIES)]
    )
    for answer in tries:
        try:
            question.check_answer(answer)
        except IllegalAnswer:
            continue
        yield question.answer_to_json(answer)
