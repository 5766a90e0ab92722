"""Every game: corrections find out nothing of what is sealed or covered.

Twins that differ only in that get the same corrections, undos and restarts; nobody can tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import count, islice
from random import Random

import pytest

from companion.errors import IllegalAnswer, RulesCrashed
from companion.requests import Choose, Together
from companion.table.seats import Seat
from companion.testing.noninterference import check_noninterference, swap_covered_pieces
from companion.testing.random_game import RandomGame, answer_randomly
from tests.conformance.corrected_twins import (
    Twins,
    corrects,
    covered_accounts,
    goes_back_and_forth,
    held_accounts,
    is_sealed,
    leaves,
    open_accounts,
)
from tests.conformance.registry import EVENINGS, Evening
from tests.support.soak import SOAK
from tests.support.stall_game import STALL_GAME

PAIRS = 300 if SOAK else 2
ROUNDS = 300 if SOAK else 10
DEEDS = 12 if SOAK else 8
FAR = 300
"""A round of envelopes that doesn't come within so many answers is waited for another evening."""
OPENING = 120 if SOAK else 40
"""Something covered is made to differ after less than so many answers."""
PLAYED = [*EVENINGS, Evening("stall", STALL_GAME)]


def may_seal(evening: Evening) -> bool:
    """Whether it comes to a round of envelopes; of Any Game's tables only where its menu has one."""
    question = RandomGame.begin(evening.game, 0, Random(1), evening.decks).session.question
    if isinstance(question, Choose) and "finish" in question.options:
        return "sealed_bid" in question.options or evening.name == "auction-sealed"
    return "Together" in evening.game.question_kinds


SEALED = [evening for evening in PLAYED if may_seal(evening)]
each_evening = pytest.mark.parametrize("evening", PLAYED, ids=lambda evening: evening.name)


# Sealed


@pytest.mark.sweep(4)
@pytest.mark.parametrize("evening", SEALED, ids=lambda evening: evening.name)
def test_no_correction_finds_what_is_sealed(evening: Evening) -> None:
    """Whatever is corrected before the reveal, what is in the envelopes shows in nothing."""
    for twins in islice(sealed_twins(evening), ROUNDS):
        for _ in range(DEEDS):
            deed = twins.rng.random()
            if not twins.one.session.drafts:
                break
            if deed < 0.8:
                corrects(twins, held_accounts(twins))
            elif deed < 0.9:
                corrects(twins, open_accounts(twins))
            elif deed < 0.97:
                goes_back_and_forth(twins)
            else:
                leaves(twins)
        assert twins.differing() == [], twins.number
        for trial in twins.pair:
            opens(trial)


def sealed_twins(evening: Evening) -> Iterator[Twins]:
    """Evenings in which others are in the envelopes of one than of the other."""
    for number in count():
        twins = Twins(evening, number, "sealed")
        if evening.game.has_free_moves:
            fills_purses(twins)
        twins.play(FAR, to_seal=True)
        if is_sealed(twins.asked) and seals(twins):
            yield twins


def fills_purses(twins: Twins) -> None:
    """Where pieces are moved freely, people take what they bid with out of the bank."""
    purses = [one for one in twins.one.session.table.ledger if one.place.seat and one.piece.is_endless]
    for trial in twins.pair:
        for purse in purses:
            if not purse.piece.is_marker:
                trial.session.correct("bank", purse.place.key, purse.piece.key, 20, "")


def seals(twins: Twins) -> bool:
    """Some, but not all, seal what the twin doesn't; gives whether anything differs."""
    question = twins.one.session.question
    assert isinstance(question, Together)
    sealing = twins.rng.sample(question.seats, twins.rng.randrange(1, max(2, len(question.seats))))
    differ = False
    for seat in sealing[: len(question.seats) - 1]:
        given = [_dumped(trial, seat, twins.rng) for trial in twins.pair]
        differ = differ or given[0] != given[1]
        for trial, plain in zip(twins.pair, given, strict=True):
            trial.session.put_answer_in_envelope(
                trial.session.question_number, trial.session.table.seats.seat_numbered(seat.number), plain
            )
    return differ


def _dumped(trial: RandomGame, seat: Seat, rng: Random) -> object:
    question = trial.session.question
    assert isinstance(question, Together)
    part = question.parts_by_seat[trial.session.table.seats.seat_numbered(seat.number)]
    answer = part.random_legal_answer(rng)
    part.check_answer(answer)
    return part.answer_to_json(answer)


def opens(trial: RandomGame) -> None:
    """Whatever was corrected, the round goes on: whoever can't give theirs any more is asked alone."""
    question = trial.session.question
    try:
        if isinstance(question, Together):
            for seat in set(question.seats) - set(trial.session.drafts):
                trial.session.put_answer_in_envelope(
                    trial.session.question_number, seat, _dumped(trial, seat, trial.rng)
                )
        if trial.session.question is not None:
            answer_randomly(trial.session, trial.rng)
    except (IllegalAnswer, RulesCrashed):  # people took away what every answer needs: they correct again
        return
    trial.check_replay()


# Covered


@pytest.mark.sweep(9)
@each_evening
def test_no_correction_finds_what_is_covered(evening: Evening) -> None:
    """Whatever is corrected, out of covered places too, what lies in them shows to nobody but its owner."""
    for twins in covered_twins(evening):
        for _ in range(DEEDS):
            deed = twins.rng.random()
            if deed < 0.5:
                corrects(twins, covered_accounts(twins))
            elif deed < 0.75:
                corrects(twins, open_accounts(twins))
            else:
                goes_back_and_forth(twins)
        assert twins.differing() == [], twins.number


def covered_twins(evening: Evening) -> Iterator[Twins]:
    """Evenings in which something else lies covered in one than in the other; none where nothing can."""
    for number in range(PAIRS):
        twins = Twins(evening, number, "covered")
        twins.play(twins.rng.randrange(OPENING))
        is_full = bool(twins.one.session.drafts)  # the rules failed on them, and a restart tries them again
        if twins.asked is not None and not is_full and covers(twins):
            twins.base = len(twins.one.session.steps)
            yield twins


def covers(twins: Twins) -> bool:
    """Something lies elsewhere in one of them, which its owners may see; gives whether anything can."""
    one, other = twins.pair
    found = swap_covered_pieces(one.session, other.session, twins.rng)
    twins.owners = found.seats_that_see_swap if found else []
    return found is not None


@pytest.mark.sweep(9)
@each_evening
def test_no_answer_shows_what_is_covered(evening: Evening) -> None:
    """Twins get the same answers for a while, and all that everybody may know stays the same at both."""
    for number in range(PAIRS):
        rng = Random(f"answered twins {evening.name} {number}")
        trial = RandomGame.begin(evening.game, number, rng, evening.decks)
        with suppress(RulesCrashed):  # a game of the tests that may fail
            for _ in range(rng.randrange(OPENING)):
                if trial.session.question is not None:
                    answer_randomly(trial.session, rng)
        check_noninterference(trial)
