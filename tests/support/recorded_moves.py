"""Matches that are played at random through their session, and their moves, which phones can make again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any, NamedTuple

from companion.errors import CompanionError
from companion.log.events import Answered
from companion.requests import Choose, Request
from companion.session.session import Session
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.testing.random_game import sample_answer
from hardware.desk.answers import answer_or_seal

CLAIM_FRACTION = 0.3
"""How often somebody takes the lot at a price of a race; otherwise the price falls."""
APP_ROLL_FRACTION = CHANGED_ANSWER_FRACTION = 0.3
MAX_MOVES = 1_000


class MatchConfig(NamedTuple):
    """A game, its options as people type them, and the seed of the players."""

    game: str
    options: Mapping[str, str] = {}
    seed: int = 1


RACE_SEED = 100
"""The seed of a match in which a price falls until the first one takes the lot."""
CONFIGS = [
    MatchConfig("any_game", {"template": "auction"}),
    MatchConfig("any_game", {"template": "dealers"}, RACE_SEED),
    *map(MatchConfig, ("bidders", "egypt", "high_bid", "mammon", "moorings", "oyakata", "sealed_bid")),
]


class Move(NamedTuple):
    """An answer to question `n`: of a seat, or of the whole table. `rolls`: Companion rolls instead."""

    n: int
    seat: int | None
    answer: object
    rolls: bool
    field_types: frozenset[str]


class Match(NamedTuple):
    """What the log of a match says, and its result."""

    answers: list[tuple[int, str, object]]
    result: GameResult | None


def record_match(session: Session, seed: int, *, app_may_roll: bool = True) -> tuple[Match, list[Move]]:
    """Plays a match at random through its session; returns it with its moves.

    What the app rolls follows from the answers before: whoever names a card otherwise gets other faces.
    """
    rng = Random(seed)
    moves: list[Move] = []
    while session.question is not None:
        assert len(moves) < MAX_MOVES, "the match has no end"
        for move in moves_at_random(session, rng, app_may_roll=app_may_roll):
            if session.question_number == move.n:
                make_move(session, move, "screen")
                moves.append(move)
    return match_of(session), moves


def moves_at_random(session: Session, rng: Random, *, app_may_roll: bool) -> Iterator[Move]:
    """Yields legal moves that answer the open question; in a round, one seat may change its answer."""
    question, n = session.question, session.question_number
    assert question is not None
    if isinstance(question, Choose) and question.race_seats:
        answer = str(sample_answer(question, rng))
        if rng.random() < CLAIM_FRACTION:
            claims = [
                str(seat.number) for seat in question.race_seats if is_legal(question, str(seat.number))
            ]
            answer = rng.choice(claims or [answer])
        yield Move(n, int(answer) if answer.isdigit() else None, answer, rolls=False, field_types=frozenset())
        return
    seats = list(question.seats)
    rng.shuffle(seats)
    chosen: list[Seat | None] = [None]
    if seats:
        chosen = [*seats] if question.parts_by_seat else [seats[0]]
    if question.parts_by_seat and rng.random() < CHANGED_ANSWER_FRACTION:
        chosen.insert(0, seats[0])
    for seat in chosen:
        part = question if seat is None else question.question_for(seat)
        assert part is not None
        types = frozenset(type(field).__name__.removesuffix("Field").lower() for field in part.form.fields)
        rolls = app_may_roll and part.form.app_may_roll and rng.random() < APP_ROLL_FRACTION
        number = None if seat is None else seat.number
        yield Move(n, number, sample_answer(part, rng), rolls, types)


def is_legal(question: Request[Any], answer: object) -> bool:
    """Returns whether the question takes an answer."""
    with suppress(CompanionError):
        question.check_answer(question.parse_answer(answer))
        return True
    return False


def make_move(session: Session, move: Move, source: str) -> None:
    """Makes a move through the session, as the screen and keypads do."""
    if move.rolls:
        session.roll_app_dice(move.n)
    else:
        seat = None if move.seat is None else session.table.seats.seat_numbered(move.seat)
        answer_or_seal(session, seat, move.answer, source)


def match_of(session: Session) -> Match:
    """Returns what the log says of the game: neither times nor salts, nor where an answer came from."""
    steps = [(step.n, step.asks, step.answer) for step in session.steps if isinstance(step, Answered)]
    return Match(steps, session.result)
