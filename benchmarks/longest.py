"""What going back costs when it costs most: at the end of the longest of many random matches of each game.

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
from companion.catalogue import games
from companion.events import Answered
from companion.game import Game
from companion.requests import Together
from companion.session import Session
from companion.testing.trial import Trial, play_on

MATCHES, ROUNDS = 200, 15
MOST_MS = 20


def figures() -> Iterator[dict[str, Any]]:
    """`undo.longest_game.GAME`, and what redo and the amendment of its very first answer take."""
    for game in games().values():
        if isinstance(game, Game):
            yield from figures_of(game)


def figures_of(game: Game) -> Iterator[dict[str, Any]]:
    """The three figures of one game."""
    session = max((played(game, number) for number in range(MATCHES)), key=lambda one: len(one.steps))
    first = next(told for told in session.run.told if not isinstance(told.question, Together))
    answer = next(step for step in session.steps if isinstance(step, Answered) and step.n == first.n).answer
    ways: dict[str, Callable[[], object]] = {
        "undo": lambda: session.undo(past_reveal=True),
        "redo": session.redo,
        "amend": lambda: session.amend(first.n, answer),
    }
    times = alternate(ROUNDS, {name: partial(milliseconds, way) for name, way in ways.items()})
    for name, took in times.items():
        value = round(median(took), 2)
        beside = {"wanted at most": MOST_MS, "answers in the game": len(session.steps)}
        yield {
            "name": f"{name}.longest_game.{game.key}",
            "value": value,
            "unit": "ms",
            "beside": beside,
            "ratio": round(value / MOST_MS, 3),
        }


def played(game: Game, number: int) -> Session:
    """A finished random match of as many as can play."""
    least, most = game.players
    trial = Trial.begun(game, number * (most - least + 1) + most - least, Random(number))
    play_on(trial.session, trial.rng)
    return trial.session


def milliseconds(way: Callable[[], object]) -> float:
    """How long the processor took."""
    start = process_time()
    way()
    return (process_time() - start) * 1e3
