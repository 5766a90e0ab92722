"""What going back costs when it costs most: at the end of the longest match of each game that a search finds.

Undo, redo and amend all play the match again from its beginning. The search is the same each time: many
random matches and the recorded ones, of which the longest is cut somewhere and played on, again and again.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from benchmarks.rounds import alternate
from companion import logtext
from companion.installed_games import games
from companion.log.events import Answered
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.requests import Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.testing.random_game import MAX_PLAYERS_BIDDING_WITHOUT_LIMIT, RandomGame, play_randomly_to_end

MATCHES, CUTS, ROUNDS = 200, 200, 15
RECORDED = Path(__file__).parents[1] / "tests" / "golden"
MOST_MS = 15


def figures() -> Iterator[dict[str, Any]]:
    """`undo.longest_game.GAME`, and what redo and the amendment of its very first answer take."""
    for game in games().values():
        if isinstance(game, Game):
            yield from figures_of(game)


def figures_of(game: Game) -> Iterator[dict[str, Any]]:
    """The three figures of one game."""
    session = longest(game)
    gc.freeze()  # as the app does once everything is there that stays
    first = next(
        told for told in session.rulebook_run.answered_questions if not isinstance(told.question, Together)
    )
    answer = next(
        step for step in session.steps if isinstance(step, Answered) and step.n == first.question_number
    ).answer
    ways: dict[str, Callable[[], object]] = {
        "undo": lambda: session.undo(past_reveal=True),
        "redo": session.redo,
        "amend": lambda: session.amend_answer(first.question_number, answer),
    }
    times = alternate(ROUNDS, {name: partial(milliseconds, way) for name, way in ways.items()})
    for name, took in times.items():
        value = round(median(took), 2)
        beside = {"wanted at most": MOST_MS, "answers in the game": answers_of_people(session)}
        yield {
            "name": f"{name}.longest_game.{game.key}",
            "value": value,
            "unit": "ms",
            "beside": beside,
            "ratio": round(value / MOST_MS, 3),
        }


def longest(game: Game) -> Session:
    """The longest match of this game that is found."""
    best = max([*recorded(game), *(played(game, number) for number in range(MATCHES))], key=length)
    rng = Random(game.key)
    for _ in range(CUTS):
        other = best.session_after_steps(rng.randrange(len(best.steps)))
        play_randomly_to_end(other, rng)
        best = max(best, other, key=length)
    return best


def answers_of_people(session: Session) -> int:
    """How many answers people gave; a question to everybody has one from each."""
    asked = [told.question for told in session.rulebook_run.answered_questions]
    return sum(len(question.seats) if isinstance(question, Together) else 1 for question in asked)


def length(session: Session) -> int:
    """How many answers and corrections are in force."""
    return len(session.steps)


def recorded(game: Game) -> Iterator[Session]:
    """The matches that people recorded, without what they took back."""
    for file in sorted(RECORDED.glob(f"{game.key}-*.log")):
        events = logtext.parse_log_text(file.read_text(encoding="utf-8"))
        kept = [events[0], *build_timeline(events).steps]
        yield Session(game, kept, MemoryLog(kept))


def played(game: Game, number: int) -> Session:
    """A finished random match of as many as can play without getting tired of it."""
    least, most = game.players
    trial = RandomGame.begin(
        game,
        number * (most - least + 1) + min(most, MAX_PLAYERS_BIDDING_WITHOUT_LIMIT) - least,
        Random(number),
    )
    play_randomly_to_end(trial.session, trial.rng)
    return trial.session


def milliseconds(way: Callable[[], object]) -> float:
    """How long the processor took."""
    start = process_time()
    way()
    return (process_time() - start) * 1e3
