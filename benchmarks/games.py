"""What one answer costs in each game, beside the bare rulebook: the same coroutine without check or log.

Whole random matches, kept in memory; sealed answers count one a seat. Time is the processor's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from benchmarks.rounds import alternate, ratio
from companion.installed_games import games
from companion.log.events import Answered, Began
from companion.log.log import MemoryLog
from companion.requests import Together
from companion.rules.game import Game
from companion.session.run import RulebookRun
from companion.session.session import Session, find_no_card
from companion.testing.random_game import RandomGame, play_randomly_to_end

MATCHES, ROUNDS = 10, 9
BARE = "bare rulebook"


class Match(NamedTuple):
    """A random match: how it began, and each answer as kept and as the rulebook gets it."""

    began: Began
    answers: list[tuple[Answered, Any]]

    @property
    def given(self) -> int:
        """How many answers people gave; in a sealed round each gives one."""
        return sum(len(loaded) if isinstance(loaded, dict) else 1 for _, loaded in self.answers)


def figures() -> Iterator[dict[str, Any]]:
    """`engine.answers.GAME` for each game on the shelf."""
    for game in games().values():
        if isinstance(game, Game):
            work = [played(game, number) for number in range(MATCHES)]
            name = f"engine.answers.{game.key}"
            ways = {BARE: partial(rate, bare, game, work), name: partial(rate, kept, game, work)}
            rates = alternate(ROUNDS, ways)
            yield {
                "name": name,
                "value": round(median(rates[name])),
                "unit": "answers/s",
                "beside": {BARE: round(median(rates[BARE])), "answers a match": work[0].given},
                "ratio": ratio(rates[name], rates[BARE]),
            }


def played(game: Game, number: int) -> Match:
    """A finished random match."""
    trial = RandomGame.begin(game, number, Random(number))
    play_randomly_to_end(trial.session, trial.rng)
    steps = [step for step in trial.session.steps if isinstance(step, Answered)]
    told = trial.session.rulebook_run.answered_questions
    return Match(trial.session.began, [(step, one.answer) for step, one in zip(steps, told, strict=True)])


def rate(way: Any, game: Game, work: list[Match]) -> float:
    """Answers a second over all matches."""
    start = process_time()
    for match in work:
        way(game, match)
    return sum(match.given for match in work) / (process_time() - start)


def bare(game: Game, match: Match) -> None:
    """The answers go straight into the coroutine."""
    run = RulebookRun(game, match.began, find_no_card)
    for step, loaded in match.answers:
        run.send_answer(step, loaded)
    assert run.result is not None


def kept(game: Game, match: Match) -> None:
    """Each answer is read, checked, sent and kept."""
    session = Session(game, [match.began], MemoryLog([match.began]))
    for step, _ in match.answers:
        question = session.question
        if isinstance(question, Together):
            for seat in question.seats:
                session.put_answer_in_envelope(session.question_number, seat, step.answer[str(seat.number)])
        else:
            session.answer(session.question_number, step.answer)
    assert session.result is not None
