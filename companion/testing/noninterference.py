"""Tests noninterference: two games that differ only in secrets look alike to everybody else.

`observe_session` collects everything that a third party can observe of a game at one moment.
`find_observable_differences` compares two games. Tests of a front end add its output: files, widget texts,
pixels.

`check_noninterference` plays two games that differ only in covered pieces. In both games, people move
something covered to another place and back; in one game they move back another number of it, or another card.
Then both games get the same answers, and everything that can be observed must be equal: questions, options,
refusals, messages, and every view but those of the owners. The comparison ends when the rules reveal
something or move different pieces in the two games, because they may then show the difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.errors import IllegalAnswer, NoLegalContinuation, PrivateRefusal, RulesCrashed
from companion.log.events import Event, Sealed, seal_letters
from companion.requests import Request
from companion.scenes import evaluate_scene
from companion.session.session import Session
from companion.session.view import View, list_history_entries, make_view
from companion.table.ledger import Account, Piece, Place
from companion.table.seats import Seat
from companion.testing.random_game import (
    RandomGame,
    comparable_view_without_question,
    is_legal_answer,
    question_as_json_text,
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
    viewers = [None, *(seat for seat in session.table.seats if seat not in set(excluded_seats))]
    views = {f"view of {seat.name if seat else 'all'}": view_function(session, seat) for seat in viewers}
    common_view = views["view of all"]
    common_values = {
        "question": question_as_json_text(session.question),
        "heading": repr(common_view.heading and render(common_view.heading)),
        "notes": repr([render(note) for note in common_view.notes]),
        "where": session.current_rulebook_line(),
        "history": repr([render(entry.text) for entry in list_history_entries(session)]),
    }
    observed = {name: value.encode() for name, value in common_values.items()}
    observed |= {
        name: msgspec.json.encode(comparable_view_without_question(view))
        + repr(evaluate_scene(view, session.scene)).encode()
        for name, view in views.items()
    }
    return Observation(observed, frozenset(event.commitment for event in log if isinstance(event, Sealed)))


def find_observable_differences(one: Sequence[Observation], other: Sequence[Observation]) -> list[str]:
    """Returns the differences by which a third party could tell two games apart: `moment 3: view of Aki`."""
    differences = [] if len(one) == len(other) else ["the number of moments"]
    for moment, (observation, other_observation) in enumerate(zip(one, other, strict=False)):
        differences += [
            f"moment {moment}: {name}" for name in names_of_differing_values(observation, other_observation)
        ]
    return differences


def names_of_differing_values(one: Observation, other: Observation) -> list[str]:
    """Returns the names of the values that differ between two moments."""
    names = dict.fromkeys([*one.values, *other.values])
    return [name for name in names if _mask_commitments(one, name) != _mask_commitments(other, name)]


def _mask_commitments(observation: Observation, name: str) -> bytes:
    """Returns an observed value with its commitments, and their letters on envelopes, masked."""
    value = observation.values.get(name, b"there is no such sight")
    for commitment in observation.commitments:
        value = value.replace(commitment.encode(), b"#" * 64)
        value = value.replace(seal_letters(commitment).encode(), b"#### #### ####")
    return value


# Games that differ in what lies covered


MAX_COMPARED_ANSWERS, SAMPLES_PER_QUESTION = 20, 10
"""The most answers for which twins are compared, and the most samples that are tried per question."""
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

    Returns the swap, or None if nothing can be swapped.
    """
    swaps = list(_possible_swaps(unchanged_game))
    if not swaps:
        return None
    is_face = rng.choice([False, True])
    swap = rng.choice([one for one in swaps if one.source.piece.is_card_face is is_face] or swaps)
    source, target = swap
    count = rng.randint(1, source.count if source.count > 0 else MAX_TAKEN_OF_ENDLESS_PIECE)
    other_counts = [1]
    if source.piece == target.piece:
        other_counts = [other for other in range(1, max(target.count, 0) + count + 1) if other != count]
    if not other_counts:
        return None
    for session, returned_piece, returned_count in (
        (unchanged_game, source.piece, count),
        (changed_game, target.piece, rng.choice(other_counts)),
    ):
        session.correct(source.place.key, target.place.key, source.piece.key, count, "covered")
        session.correct(target.place.key, source.place.key, returned_piece.key, returned_count, "covered")
    return swap


def _possible_swaps(session: Session) -> Iterator[CoveredSwap]:
    covered_accounts = [account for account in session.table.ledger if account.covered]
    held_cards = [account for account in covered_accounts if account.piece.is_card_face and account.count > 0]
    accounts_by_piece: dict[Piece, list[Account]] = {}
    for account in covered_accounts:
        accounts_by_piece.setdefault(account.piece, []).append(account)
    for source in covered_accounts:
        if source.count <= 0 and (source.piece.is_card_face or not source.piece.is_endless):
            continue
        for target in held_cards if source.piece.is_card_face else accounts_by_piece[source.piece]:
            is_same_card = source.piece.is_card_face and source.piece == target.piece
            if source.place != target.place and not is_same_card:
                yield CoveredSwap(source, target)


def check_noninterference(random_game: RandomGame) -> bool:
    """Checks that nobody else can see a difference between two games that differ in covered pieces.

    Plays both games. Returns False if the games can't be made to differ. Raises AssertionError, which says
    what shows the difference.
    """
    if random_game.session.drafts or random_game.session.question is None:
        return False
    seed = random_game.rng.random()
    one, other = (random_game._replace(rng=Random(seed)).reopen_from_log().session for _ in range(2))
    try:
        swap = swap_covered_pieces(one, other, random_game.rng)
        if swap is None:
            return False
        count_differences = _count_differences(one, other)
        for _ in range(MAX_COMPARED_ANSWERS):
            if _count_differences(one, other) != count_differences or not _may_continue(one, other):
                break
            visible_differences = names_of_differing_values(
                _observe_twin(one, swap), _observe_twin(other, swap)
            )
            assert not visible_differences, f"{', '.join(visible_differences)}: tells {_describe_swap(swap)}"
            if not _answer_both_games(one, other, random_game.rng):
                break
    except (RulesCrashed, NoLegalContinuation):  # people may have taken away what the rules need
        pass
    return True


def _describe_swap(swap: CoveredSwap) -> str:
    source, target = (account.place.key_with_player_name for account in swap)
    return f"whether {swap.source.piece.key} of {source} lies at {target}"


def _count_differences(one: Session, other: Session) -> Counter[tuple[Place, Piece]]:
    """Returns the difference of each account's count."""
    differences: Counter[tuple[Place, Piece]] = Counter()
    for account in one.table.ledger:
        differences[account.place, account.piece] += account.count
    for account in other.table.ledger:
        differences[account.place, account.piece] -= account.count
    return differences  # comparing Counters takes a missing count for 0


def _may_continue(one: Session, other: Session) -> bool:
    """Returns whether neither game is over and both show the same pieces."""
    if one.question is None or other.question is None:
        return False
    return make_view(one).holdings == make_view(other).holdings


def _observe_twin(session: Session, swap: CoveredSwap) -> Observation:
    """Returns everything observable but the owners' views, with the public refusals of the probe answers."""
    refusals = {
        f"refusal of {probe_answer}" + (f" by {seat.name}" if seat else ""): _public_refusal(
            question, probe_answer
        ).encode()
        for seat, question in _questions_by_seat(session).items()
        for probe_answer in REFUSAL_PROBE_ANSWERS
    }
    observation = observe_session(session, excluded_seats=swap.seats_that_see_swap)
    return Observation(observation.values | refusals)


def _answer_both_games(one: Session, other: Session, rng: Random) -> bool:
    """Gives both games the same legal answers; returns False if there are none."""
    answer_by_seat: dict[Seat | None, object] = {}
    for seat, question in _questions_by_seat(one).items():
        answers = (
            question.answer_to_json(question.random_legal_answer(rng)) for _ in range(SAMPLES_PER_QUESTION)
        )
        common_answers = [
            json_answer
            for json_answer in answers
            if is_legal_answer(question, json_answer)
            and is_legal_answer(_questions_by_seat(other)[seat], json_answer)
        ]
        if not common_answers:
            return False
        answer_by_seat[seat] = common_answers[0]
    for session in (one, other):
        n = session.question_number
        for seat, json_answer in answer_by_seat.items():
            if seat is None:
                session.answer(n, json_answer)
            else:
                session.put_answer_in_envelope(n, seat, json_answer)
    return True


def _questions_by_seat(session: Session) -> dict[Seat | None, Request[Any]]:
    """Returns the question of each seat that answers, or the one question under None."""
    question = session.question
    assert question is not None
    if question.parts_by_seat:
        return dict(question.parts_by_seat.items())
    return {None: question}


def _public_refusal(question: Request[Any], json_answer: object) -> str:
    """Returns the public reason why an answer is illegal; empty if it is legal or the reason is private."""
    try:
        question.check_answer(question.parse_answer(json_answer))
    except PrivateRefusal:
        return ""
    except IllegalAnswer as error:
        return render(error.text)
    return ""
