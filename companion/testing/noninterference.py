"""Noninterference tests: two games that differ only in secrets look alike to everybody else.

`observe_session` collects all that a third party can observe of a game at one moment;
`find_observable_differences` compares two games. Tests of a front end add its output: files, widget texts,
pixels.

`check_noninterference` plays two games that differ only in covered pieces. In both, people move something
covered elsewhere and back; in one of them another number of it, or another card. Then both get the same
answers, and everything that can be observed must be the same: questions, options, refusals, messages, and
every view but those of the owners. The comparison ends when the rules reveal something or move other pieces,
because they may then show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.errors import IllegalAnswer, NoLegalContinuation, PrivateRefusal, RulesCrashed
from companion.log.events import Event, Sealed, seal_letters
from companion.requests import Request
from companion.scenes.evaluate import evaluate_scene
from companion.session.session import Session
from companion.session.view import View, history_in_force, make_view
from companion.table.ledger import Account, Piece, Place
from companion.table.seats import Seat
from companion.testing.random_game import (
    RandomGame,
    is_legal_answer,
    question_as_json_text,
    view_as_comparable_dict,
)
from companion.texts import render

ViewFunction = Callable[[Session, Seat | None], View]


class Observation(NamedTuple):
    """Everything that can be observed at one moment, by name, and the commitments in it."""

    values: dict[str, bytes]
    commitments: frozenset[str] = frozenset()


def observe_session(
    session: Session,
    log: Iterable[Event] = (),
    view_function: ViewFunction = make_view,
    excluded_seats: Iterable[Seat] = (),
) -> Observation:
    """Returns everything that can be observed of a session now.

    The private views of the excluded seats are left out. The commitments are taken from the `log`.
    """
    eyes = [None, *(seat for seat in session.table.seats if seat not in set(excluded_seats))]
    views = {f"view of {seat.name if seat else 'all'}": view_function(session, seat) for seat in eyes}
    everybody = views["view of all"]
    sights = {
        "question": question_as_json_text(session.question),
        "heading": repr(everybody.heading and render(everybody.heading)),
        "notes": repr([render(note) for note in everybody.notes]),
        "where": session.current_rulebook_line(),
        "history": repr([render(entry.text) for entry in history_in_force(session)]),
    }
    found = {name: sight.encode() for name, sight in sights.items()}
    found |= {
        name: msgspec.json.encode(view_as_comparable_dict(seen)) + _laid(session, seen)
        for name, seen in views.items()
    }
    return Observation(found, frozenset(event.commitment for event in log if isinstance(event, Sealed)))


def _laid(session: Session, seen: View) -> bytes:
    """Returns the evaluated scene of a view."""
    return repr(evaluate_scene(seen, session.scene)).encode()


def find_observable_differences(one: Sequence[Observation], other: Sequence[Observation]) -> list[str]:
    """Returns the differences by which a third party could tell two games apart: `moment 3: view of Aki`."""
    found = [] if len(one) == len(other) else ["the number of moments"]
    for at, (mine, yours) in enumerate(zip(one, other, strict=False)):
        found += [f"moment {at}: {name}" for name in names_of_differing_values(mine, yours)]
    return found


def names_of_differing_values(one: Observation, other: Observation) -> list[str]:
    """Returns the names of the values that differ between two moments."""
    names = dict.fromkeys([*one.values, *other.values])
    return [name for name in names if _masked(one, name) != _masked(other, name)]


def _masked(moment: Observation, name: str) -> bytes:
    """Returns a value with its commitments, and their letters on envelopes, replaced."""
    sight = moment.values.get(name, b"there is no such sight")
    for commitment in moment.commitments:
        sight = sight.replace(commitment.encode(), b"#" * 64)
        sight = sight.replace(seal_letters(commitment).encode(), b"#### #### ####")
    return sight


# Games that differ in what lies covered


MAX_COMPARED_ANSWERS, SAMPLES_PER_QUESTION = 20, 10
"""Twins are compared for at most this many answers; at most this many samples are tried per question."""
REFUSAL_PROBE_ANSWERS: tuple[object, ...] = (
    None,
    0,
    *(1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 1_000, 10_000),
)
"""Answers that both games must refuse in the same words, or privately."""
MAX_TAKEN_OF_ENDLESS_PIECE = 2_000
"""The most copies taken of a piece that never runs out."""


class CoveredSwap(NamedTuple):
    """Two covered accounts, of one piece or of two cards, whose contents can be swapped unseen."""

    source: Account
    target: Account

    @property
    def seats_that_see_swap(self) -> list[Seat]:
        """The seats that may see the swap, as owners of one of the places."""
        return [one.place.seat for one in self if one.place.seat]


def swap_covered_pieces(unchanged_game: Session, changed_game: Session, rng: Random) -> CoveredSwap | None:
    """Swaps covered pieces of the second game, so that two equal games differ in two covered places.

    Returns the swap; None if nothing can be swapped.
    """
    ways = list(_possible_swaps(unchanged_game))
    if not ways:
        return None
    is_face = rng.choice([False, True])
    found = rng.choice([way for way in ways if way.source.piece.is_card_face is is_face] or ways)
    source, target = found
    many = rng.randint(1, source.count if source.count > 0 else MAX_TAKEN_OF_ENDLESS_PIECE)
    others = [1] if source.piece != target.piece else [*range(1, max(target.count, 0) + many + 1)]
    if source.piece == target.piece:
        others.remove(many)
    if not others:
        return None
    for table, back, count in ((unchanged_game, source, many), (changed_game, target, rng.choice(others))):
        table.correct(source.place.key, target.place.key, source.piece.key, many, "covered")
        table.correct(target.place.key, source.place.key, back.piece.key, count, "covered")
    return found


def _possible_swaps(session: Session) -> Iterator[CoveredSwap]:
    covered = [one for one in session.table.ledger if one.covered]
    for source, target in permutations(covered, 2):
        if source.place == target.place:
            continue
        if source.piece.is_card_face:
            if target.piece.is_card_face and source.piece != target.piece and source.count > 0 < target.count:
                yield CoveredSwap(source, target)
        elif source.piece == target.piece and (source.count > 0 or source.piece.is_endless):
            yield CoveredSwap(source, target)


def check_noninterference(trial: RandomGame) -> bool:
    """Checks that nobody else can see a difference between two games that differ in covered pieces.

    Plays both games. Returns False if the games can't be made to differ. The AssertionError says what
    shows the difference.
    """
    if trial.session.drafts or trial.session.question is None:
        return False
    seed = trial.rng.random()
    one, other = (trial._replace(rng=Random(seed)).reopen_from_log().session for _ in range(2))
    try:
        found = swap_covered_pieces(one, other, trial.rng)
        if found is None:
            return False
        differ = _count_differences(one, other)
        for _ in range(MAX_COMPARED_ANSWERS):
            if _count_differences(one, other) != differ or not _may_continue(one, other):
                break
            shows = names_of_differing_values(_observe(one, found), _observe(other, found))
            assert not shows, f"{', '.join(shows)}: tells {_describe_swap(found)}"
            if not _answer_both(one, other, trial.rng):
                break
    except (RulesCrashed, NoLegalContinuation):  # what people take away may be what the rules need
        pass
    return True


def _describe_swap(found: CoveredSwap) -> str:
    source, target = (account.place.key_with_player_name for account in found)
    return f"whether {found.source.piece.key} of {source} lies at {target}"


def _count_differences(one: Session, other: Session) -> Counter[tuple[Place, Piece]]:
    """Returns the difference of each account's count."""
    differ: Counter[tuple[Place, Piece]] = Counter()
    for account in one.table.ledger:
        differ[account.place, account.piece] += account.count
    for account in other.table.ledger:
        differ[account.place, account.piece] -= account.count
    return differ  # as Counters are compared, what is missing is 0


def _may_continue(one: Session, other: Session) -> bool:
    """Returns True if neither game is over and both show the same pieces."""
    is_over = one.question is None or other.question is None
    return not is_over and make_view(one).holdings == make_view(other).holdings


def _observe(session: Session, found: CoveredSwap) -> Observation:
    """Observes everything but the owners' views, and public refusals of the probe answers."""
    refused = {
        f"refusal of {probe}" + (f" by {seat.name}" if seat else ""): _public_refusal(
            question, probe
        ).encode()
        for seat, question in _questions_by_seat(session).items()
        for probe in REFUSAL_PROBE_ANSWERS
    }
    seen = observe_session(session, excluded_seats=found.seats_that_see_swap)
    return Observation(seen.values | refused)


def _answer_both(one: Session, other: Session, rng: Random) -> bool:
    """Gives both games the same legal answers; returns False if there are none."""
    given: dict[Seat | None, object] = {}
    for seat, question in _questions_by_seat(one).items():
        answers = (
            question.answer_to_json(question.random_legal_answer(rng)) for _ in range(SAMPLES_PER_QUESTION)
        )
        both = [
            plain
            for plain in answers
            if is_legal_answer(question, plain) and is_legal_answer(_questions_by_seat(other)[seat], plain)
        ]
        if not both:
            return False
        given[seat] = both[0]
    for table in (one, other):
        n = table.question_number
        for seat, plain in given.items():
            if seat is None:
                table.answer(n, plain)
            else:
                table.put_answer_in_envelope(n, seat, plain)
    return True


def _questions_by_seat(session: Session) -> dict[Seat | None, Request[Any]]:
    """Returns the question of each seat that answers, or the one question under None."""
    question = session.question
    assert question is not None
    if question.parts_by_seat:
        return dict(question.parts_by_seat.items())
    return {None: question}


def _public_refusal(question: Request[Any], plain: object) -> str:
    """Returns the public reason why an answer is illegal; empty if it is legal or the reason is private."""
    try:
        question.check_answer(question.parse_answer(plain))
    except PrivateRefusal:
        return ""
    except IllegalAnswer as error:
        return render(error.text)
    return ""
