"""Twins: two tables that differ only in what lies covered. What everybody may know must be the same at both.

At both people take something covered elsewhere and back; at one of them not so much of it, or another card.
Then both get the same answers, and all that can be observed must be the same: what is asked, offered, refused
and told, and every view but that of the owners.
Where the rules turn something up, or move other pieces, they may tell it: the twins part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

from companion.errors import CoveredRefusal, IllegalAnswer, RulesCrashed, Stuck
from companion.requests import Request
from companion.session.session import Session
from companion.session.view import view
from companion.table.ledger import Account, Piece, Place
from companion.table.seats import Seat
from companion.testing.sights import Sight, apart, moment
from companion.testing.trial import Trial, takes
from companion.words import render

ANSWERS, SAMPLES = 20, 10
"""So long twins are compared, unless they part; so many answers are tried until one is legal at both."""
PROBES: tuple[object, ...] = (None, 0, *(1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 1_000, 10_000))
"""What is refused alike, or for one seat's eyes alone."""
OWED = 2_000
"""No more than so many are taken from where there is always more."""


class Covered(NamedTuple):
    """What can change places unseen: pieces of one kind at two covered places, or two cards."""

    source: Account
    target: Account

    @property
    def owners(self) -> list[Seat]:
        """Who may see that they did."""
        return [one.place.seat for one in self if one.place.seat]


def cover(one: Session, other: Session, rng: Random) -> Covered | None:
    """Makes two alike differ in what lies at one covered place and at another; the first is as it was played.

    Returns in what; None where nothing can.
    """
    ways = list(_ways(one))
    if not ways:
        return None
    is_face = rng.choice([False, True])
    found = rng.choice([way for way in ways if way.source.piece.is_face is is_face] or ways)
    source, target = found
    many = rng.randint(1, source.count if source.count > 0 else OWED)
    others = [1] if source.piece != target.piece else [*range(1, max(target.count, 0) + many + 1)]
    if source.piece == target.piece:
        others.remove(many)
    if not others:
        return None
    for table, back, count in ((one, source, many), (other, target, rng.choice(others))):
        table.correct(source.place.key, target.place.key, source.piece.key, many, "covered")
        table.correct(target.place.key, source.place.key, back.piece.key, count, "covered")
    return found


def _ways(session: Session) -> Iterator[Covered]:
    covered = [one for one in session.table.ledger if one.covered]
    for source, target in permutations(covered, 2):
        if source.place == target.place:
            continue
        if source.piece.is_face:
            if target.piece.is_face and source.piece != target.piece and source.count > 0 < target.count:
                yield Covered(source, target)
        elif source.piece == target.piece and (source.count > 0 or source.piece.is_endless):
            yield Covered(source, target)


def check_twins(trial: Trial) -> bool:
    """Plays on as twins, and proves that nothing covered shows; whether there was anything to hide.

    Raises an AssertionError that says by what it shows.
    """
    if trial.session.drafts or trial.session.question is None:
        return False
    seed = trial.rng.random()
    one, other = (trial._replace(rng=Random(seed)).reopened().session for _ in range(2))
    try:
        found = cover(one, other, trial.rng)
        if found is None:
            return False
        differ = _differ(one, other)
        for _ in range(ANSWERS):
            if _differ(one, other) != differ or not _both_go_on(one, other):
                break
            shows = apart(_observed(one, found), _observed(other, found))
            assert not shows, f"{', '.join(shows)}: tells {_told(found)}"
            if not _both_answer(one, other, trial.rng):
                break
    except (RulesCrashed, Stuck):  # what people take away may be what the rules need
        pass
    return True


def _told(found: Covered) -> str:
    source, target = (account.place.named_key for account in found)
    return f"whether {found.source.piece.key} of {source} lies at {target}"


def _differ(one: Session, other: Session) -> Counter[tuple[Place, Piece]]:
    """By how many pieces each account differs."""
    differ: Counter[tuple[Place, Piece]] = Counter()
    for account in one.table.ledger:
        differ[account.place, account.piece] += account.count
    for account in other.table.ledger:
        differ[account.place, account.piece] -= account.count
    return differ  # as Counters are compared, what is missing is 0


def _both_go_on(one: Session, other: Session) -> bool:
    """Whether the game does, with the same things open."""
    is_over = one.question is None or other.question is None
    return not is_over and view(one).holdings == view(other).holdings


def _observed(session: Session, found: Covered) -> Sight:
    """All but what the owners may see, and why all may know that an answer isn't legal."""
    refused = {
        f"refusal of {probe}" + (f" by {seat.name}" if seat else ""): _refused(question, probe).encode()
        for seat, question in _parts(session).items()
        for probe in PROBES
    }
    seen = moment(session, but=found.owners)
    return Sight(seen.sights | refused)


def _both_answer(one: Session, other: Session, rng: Random) -> bool:
    """Gives both the same answer, or the same sealed ones; False where there is none that both take."""
    given: dict[Seat | None, object] = {}
    for seat, question in _parts(one).items():
        answers = (question.dump(question.sample(rng)) for _ in range(SAMPLES))
        both = [plain for plain in answers if takes(question, plain) and takes(_parts(other)[seat], plain)]
        if not both:
            return False
        given[seat] = both[0]
    for table in (one, other):
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
    if question.parts:
        return dict(question.parts.items())
    return {None: question}


def _refused(question: Request[Any], plain: object) -> str:
    """Why all may know that this isn't legal; nothing where it is, or where only one seat may know why."""
    try:
        question.check(question.load(plain))
    except CoveredRefusal:
        return ""
    except IllegalAnswer as error:
        return render(error.text)
    return ""
