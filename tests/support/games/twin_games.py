"""Compares twins, which differ only in covered pieces, at every answer of a random game."""

from __future__ import annotations

from collections.abc import Callable

from companion.session.session import Session
from companion.testing.noninterference import check_noninterference
from companion.testing.random_game import RandomGame, answer_randomly


def compare_twins_at_random_answers(
    random_game: RandomGame,
    max_answers: int | None = None,
    until: Callable[[Session], bool] = lambda _session: False,
) -> int:
    """Answers at random and compares twins before each answer; returns how many twins could be made.

    It stops at the end of the game, after `max_answers`, or once `until` is true.
    """
    twin_count, answer_count = 0, 0
    while random_game.session.question is not None and answer_count != max_answers:
        if until(random_game.session):
            break
        twin_count += check_noninterference(random_game)
        answer_randomly(random_game.session, random_game.rng)
        answer_count += 1
    return twin_count
