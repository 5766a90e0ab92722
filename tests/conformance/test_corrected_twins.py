"""Corrections reveal nothing that is sealed or covered, in every game.

Twins that differ only in a secret get the same corrections, undos and restarts; nobody can tell them apart.
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
    TwinGames,
    correct_randomly,
    covered_accounts,
    held_accounts,
    is_sealed_round_open,
    leave_and_return,
    open_accounts,
    undo_redo_rename_or_restart,
)
from tests.conformance.registry import CONFIGS, GameConfig
from tests.support.soak import SOAK
from tests.support.stall_game import STALL_GAME

PAIRS = 300 if SOAK else 2
ROUNDS = 300 if SOAK else 10
ACTIONS = 12 if SOAK else 8
MAX_ANSWERS_UNTIL_SEALED = 300
"""A game without a sealed round within this many answers is skipped."""
MAX_OPENING_ANSWERS = 120 if SOAK else 40
"""The twins begin to differ after fewer answers than this."""
PLAYED_CONFIGS = [*CONFIGS, GameConfig("stall", STALL_GAME)]


def may_have_sealed_round(config: GameConfig) -> bool:
    """Whether the game has sealed rounds; Any Game has them only if its menu offers one."""
    question = RandomGame.begin(config.game, 0, Random(1), config.decks).session.question
    if isinstance(question, Choose) and "finish" in question.options:
        return "sealed_bid" in question.options or config.name == "auction-sealed"
    return "Together" in config.game.question_kinds


SEALED_CONFIGS = [config for config in PLAYED_CONFIGS if may_have_sealed_round(config)]
each_config = pytest.mark.parametrize("config", PLAYED_CONFIGS, ids=lambda config: config.name)


# Sealed


@pytest.mark.sweep(1)
@pytest.mark.parametrize("config", SEALED_CONFIGS, ids=lambda config: config.name)
def test_no_correction_finds_what_is_sealed(config: GameConfig) -> None:
    """No correction before the reveal shows anything of the answers in the envelopes."""
    for twins in islice(sealed_twins(config), ROUNDS):
        for _ in range(ACTIONS):
            chance = twins.rng.random()
            if not twins.first.session.drafts:
                break
            if chance < 0.8:
                correct_randomly(twins, held_accounts(twins))
            elif chance < 0.9:
                correct_randomly(twins, open_accounts(twins))
            elif chance < 0.97:
                undo_redo_rename_or_restart(twins)
            else:
                leave_and_return(twins)
        assert twins.find_differences() == [], twins.number
        for trial in twins.pair:
            complete_round(trial)


def sealed_twins(config: GameConfig) -> Iterator[TwinGames]:
    """Yields twins with different answers in their envelopes."""
    for number in count():
        twins = TwinGames(config, number, "sealed")
        if config.game.has_free_moves:
            fill_purses(twins)
        twins.play(MAX_ANSWERS_UNTIL_SEALED, to_seal=True)
        if is_sealed_round_open(twins.question) and seal_different_answers(twins):
            yield twins


def fill_purses(twins: TwinGames) -> None:
    """Fills the purses from the bank, for games in which pieces are moved freely."""
    purses = [one for one in twins.first.session.table.ledger if one.place.seat and one.piece.is_endless]
    for trial in twins.pair:
        for purse in purses:
            if not purse.piece.is_marker:
                trial.session.correct("bank", purse.place.key, purse.piece.key, 20, "")


def seal_different_answers(twins: TwinGames) -> bool:
    """Lets some, but not all seats seal answers that may differ; returns whether any does."""
    question = twins.first.session.question
    assert isinstance(question, Together)
    sealing_seats = twins.rng.sample(question.seats, twins.rng.randrange(1, max(2, len(question.seats))))
    is_different = False
    for seat in sealing_seats[: len(question.seats) - 1]:
        answers = [_random_answer(trial, seat, twins.rng) for trial in twins.pair]
        is_different = is_different or answers[0] != answers[1]
        for trial, answer in zip(twins.pair, answers, strict=True):
            trial.session.put_answer_in_envelope(
                trial.session.question_number, trial.session.table.seats.seat_numbered(seat.number), answer
            )
    return is_different


def _random_answer(trial: RandomGame, seat: Seat, rng: Random) -> object:
    question = trial.session.question
    assert isinstance(question, Together)
    part = question.parts_by_seat[trial.session.table.seats.seat_numbered(seat.number)]
    answer = part.random_legal_answer(rng)
    part.check_answer(answer)
    return part.answer_to_json(answer)


def complete_round(trial: RandomGame) -> None:
    """Gives the missing answers: after any correction the round goes on, if necessary with a new question."""
    question = trial.session.question
    try:
        if isinstance(question, Together):
            for seat in set(question.seats) - set(trial.session.drafts):
                trial.session.put_answer_in_envelope(
                    trial.session.question_number, seat, _random_answer(trial, seat, trial.rng)
                )
        if trial.session.question is not None:
            answer_randomly(trial.session, trial.rng)
    except (IllegalAnswer, RulesCrashed):  # the corrections left no legal answer
        return
    trial.check_replay()


# Covered


@pytest.mark.sweep(5)
@each_config
def test_no_correction_finds_what_is_covered(config: GameConfig) -> None:
    """No correction, even from covered places, shows what is covered to anybody but its owner."""
    for twins in covered_twins(config):
        for _ in range(ACTIONS):
            chance = twins.rng.random()
            if chance < 0.5:
                correct_randomly(twins, covered_accounts(twins))
            elif chance < 0.75:
                correct_randomly(twins, open_accounts(twins))
            else:
                undo_redo_rename_or_restart(twins)
        assert twins.find_differences() == [], twins.number


def covered_twins(config: GameConfig) -> Iterator[TwinGames]:
    """Yields twins with different covered pieces; none if the game has no covered pieces."""
    for number in range(PAIRS):
        twins = TwinGames(config, number, "covered")
        twins.play(twins.rng.randrange(MAX_OPENING_ANSWERS))
        # Drafts here made the rules crash, and a restart would try them again.
        has_drafts = bool(twins.first.session.drafts)
        if twins.question is not None and not has_drafts and swap_hidden_pieces(twins):
            twins.kept_step_count = len(twins.first.session.steps)
            yield twins


def swap_hidden_pieces(twins: TwinGames) -> bool:
    """Swaps covered pieces in one of the twins; returns whether that was possible."""
    one, other = twins.pair
    found = swap_covered_pieces(one.session, other.session, twins.rng)
    twins.excluded_seats = found.seats_that_see_swap if found else []
    return found is not None


@pytest.mark.sweep(5)
@each_config
def test_no_answer_shows_what_is_covered(config: GameConfig) -> None:
    """Twins with the same answers look the same to everybody who may not know the difference."""
    for number in range(PAIRS):
        rng = Random(f"answered twins {config.name} {number}")
        trial = RandomGame.begin(config.game, number, rng, config.decks)
        with suppress(RulesCrashed):  # a game of the tests that may fail
            for _ in range(rng.randrange(MAX_OPENING_ANSWERS)):
                if trial.session.question is not None:
                    answer_randomly(trial.session, rng)
        check_noninterference(trial)
