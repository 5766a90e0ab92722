"""What going back costs when it costs most: at the end of the longest of many random matches of Egypt.

Undo, redo and amend all play the match again from its beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from statistics import median
from time import process_time
from typing import Any

from benchmarks.rounds import alternate
from companion.events import Answered
from companion.games.egypt import GAME
from companion.session import Session
from companion.testing.trial import Trial, play_on

MATCHES, ROUNDS = 200, 15
FIVE = 2
"""Trials seat 3, 4, 5, 3, … people: every third from this on seats five."""
MOST_MS = 20


def figures() -> Iterator[dict[str, Any]]:
    """`undo.longest_game`, and what redo and the amendment of its very first bid take."""
    session = max((played(number) for number in range(MATCHES)), key=lambda one: len(one.steps))
    first = next(step for step in session.steps if isinstance(step, Answered) and "Raise" in step.asks)
    ways: dict[str, Callable[[], object]] = {
        "undo.longest_game": session.undo,
        "redo.longest_game": session.redo,
        "amend.longest_game": lambda: session.amend(first.n, first.answer),
    }
    times = alternate(ROUNDS, {name: partial(milliseconds, way) for name, way in ways.items()})
    for name, took in times.items():
        value = round(median(took), 2)
        beside = {"wanted at most": MOST_MS, "answers in the game": len(session.steps)}
        yield {
            "name": name,
            "value": value,
            "unit": "ms",
            "beside": beside,
            "ratio": round(value / MOST_MS, 3),
        }


def played(number: int) -> Session:
    """A finished random match of five."""
    trial = Trial.begun(GAME, 3 * number + FIVE, Random(number))
    play_on(trial.session, trial.rng)
    return trial.session


def milliseconds(way: Callable[[], object]) -> float:
    """How long the processor took."""
    start = process_time()
    way()
    return (process_time() - start) * 1e3
