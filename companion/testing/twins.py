"""Twins: two tables that differ only in what lies covered. What everybody may know must be the same at both.

One twin is the game as it was played; at the other pieces have gone from a covered place to another, or two
cards have changed places. Then both get the same answers, and what is asked, offered, refused and told must
be the same too. Where the rules turn something up, or move other pieces, they may tell it: the twins part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from companion.errors import Hushed, IllegalAnswer, RulesCrashed
from companion.requests import Request, Together
from companion.session.session import Session
from companion.session.view import view
from companion.table.ledger import Piece, Place
from companion.table.moves import Move
from companion.table.seats import Seat
from companion.testing.trial import Trial, asked
from companion.words import render

ANSWERS, SAMPLES = 40, 10
"""So long twins are compared, unless they part; so many answers are tried until one is legal at both."""
PROBES: tuple[object, ...] = (None, 0, *(1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 1_000, 10_000))
"""What is refused alike, or for one seat's eyes alone."""


def check_twins(trial: Trial) -> bool:
    """Plays on with a twin, and proves that nothing covered shows; whether there was anything to hide.

    Raises an AssertionError that says what shows.
    """
    session, ways = trial.session, list(_ways(trial.session))
    if not ways or session.drafts or session.question is None:
        return False
    moves = trial.rng.choice(ways)
    twin = trial.reopened().session
    told = "; ".join(f"{move.piece.key} of {move.source.text} lies at {move.target.text}" for move in moves)
    try:
        for move in moves:
            count = trial.rng.randint(1, move.count)
            twin.correct(move.source.key, move.target.key, move.piece.key, count, "covered")
        apart = _apart(session, twin)
        for _ in range(ANSWERS):
            if _apart(session, twin) != apart or not _both_go_on(session, twin):
                break
            _tell_the_same(session, twin, told)
            if not _both_answer(session, twin, trial.rng, told):
                break
    except RulesCrashed:  # what people take away may be what the rules need
        pass
    return True


def _ways(session: Session) -> Iterator[tuple[Move, ...]]:
    """What lies covered before a seat could lie covered elsewhere; a card changes places with another."""
    covered = [one for one in session.table.ledger if one.covered and one.count > 0]
    for source in covered:
        piece, place = source.piece, source.place
        if place.seat and not piece.mark:
            for target in session.table.ledger.of(piece):
                if target.covered and target is not source:
                    yield (Move(piece, place, target.place, source.count),)
        elif place.seat and piece.is_face:
            for other in covered:
                if other.piece.is_face and other.piece != piece and other.place != place:
                    there = Move(piece, place, other.place, 1)
                    yield there, Move(other.piece, other.place, place, 1)


def _apart(session: Session, twin: Session) -> Counter[tuple[Place, Piece]]:
    """By how many pieces each account differs."""
    apart: Counter[tuple[Place, Piece]] = Counter()
    for account in session.table.ledger:
        apart[account.place, account.piece] += account.count
    for account in twin.table.ledger:
        apart[account.place, account.piece] -= account.count
    return apart  # as Counters are compared, what is missing is 0


def _both_go_on(session: Session, twin: Session) -> bool:
    """Whether the game does, with the same things open."""
    is_over = session.question is None or twin.question is None
    return not is_over and view(session).holdings == view(twin).holdings


def _tell_the_same(session: Session, twin: Session, told: str) -> None:
    """Proves it of the question with its limits, of the heading and the notes."""
    one, other = view(session), view(twin)
    assert asked(session.question) == asked(twin.question), f"what is asked tells that {told}"
    assert one.heading == other.heading, f"the heading tells that {told}"
    assert one.notes == other.notes, f"a note tells that {told}"


def _both_answer(session: Session, twin: Session, rng: Random, told: str) -> bool:
    """Gives both the same answer, or the same sealed ones; False where there is none that both take."""
    given: dict[Seat | None, object] = {}
    for seat, question in _parts(session).items():
        other = _parts(twin)[seat]
        for probe in PROBES:
            one, two = _refused(question, probe), _refused(other, probe)
            assert one == two, f"a refusal tells that {told}: {one or two}"
        answers = (question.dump(question.sample(rng)) for _ in range(SAMPLES))
        both = [plain for plain in answers if _takes(question, plain) and _takes(other, plain)]
        if not both:
            return False
        given[seat] = both[0]
    for table in (session, twin):
        n = table.n
        for seat, plain in given.items():
            if seat is None:
                table.answer(n, plain)
            else:
                table.draft(n, seat, plain)
    return True


def _parts(session: Session) -> dict[Seat | None, Request[Any]]:
    """What is asked of each seat that seals, else the one question."""
    question = session.question
    assert question is not None
    if isinstance(question, Together):
        return dict(question.parts.items())
    return {None: question}


def _refused(question: Request[Any], plain: object) -> str:
    """Why all may know that this isn't legal; nothing where it is, or where only one seat may know why."""
    try:
        question.check(question.load(plain))
    except Hushed:
        return ""
    except IllegalAnswer as error:
        return render(error.text)
    return ""


def _takes(question: Request[Any], plain: object) -> bool:
    try:
        question.check(question.load(plain))
    except IllegalAnswer:
        return False
    return True
