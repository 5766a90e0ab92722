"""Plays a game while the program is killed and resumed, and remembers what the program acknowledged."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.installed_games import games
from companion.log.events import Answered
from companion.log.log import MemoryLog
from companion.requests import Request, Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import Store
from companion.testing.random_game import sample_answer
from tests.support.program import Json, JsonProgram

MAX_SECONDS_UNTIL_KILL = 0.02
"""A kill comes after a random time up to this."""


def legal_answer_lines(n: int, question: Request[Any], rng: random.Random) -> Iterator[Json]:
    """Yields JSON lines with legal answers; for a Together one for each seat, and two seats answer again."""
    if not isinstance(question, Together):
        yield {"n": n, "answer": sample_answer(question, rng)}
        return
    seats = [*question.seats, *rng.choices(question.seats, k=2)]
    for seat in rng.sample(seats, len(seats)):
        yield {"n": n, "seat": seat.name, "answer": sample_answer(question.parts_by_seat[seat], rng)}


def open_question_in(state: Path) -> Request[Any]:
    """Returns the open question of the only saved game, as another reader of the store finds it."""
    with closing(Store.open(state)) as store:
        (saved,) = store.all_saved_games()
        events = list(store.open_game_log(saved.number).events())
    game = games()[saved.game]
    assert isinstance(game, Game)
    question = Session(game, events, MemoryLog(events)).question
    assert question is not None
    return question


class KillTest:
    """One game that is killed and resumed many times.

    `maybe_acknowledged` has the question number and seat of answers that were cut off by a kill.
    """

    def __init__(
        self, state: Path, game: str, seats: str, seed: str = "", longest: float = MAX_SECONDS_UNTIL_KILL
    ) -> None:
        self.state, self.game, self.max_seconds_until_kill = state, game, longest
        self.rng = random.Random(game + seed)
        self.acknowledged: list[Json] = []
        self.maybe_acknowledged: set[tuple[int, str | None]] = set()
        with JsonProgram(state, game, seats):
            pass

    def resume_and_play_until_killed(self) -> None:
        """Resumes, checks that nothing acknowledged is lost, and plays until the kill."""
        with JsonProgram(self.state, self.game) as player:
            self.check_first_reply(player.first_reply)
            kill_timer = threading.Timer(self.rng.uniform(0, self.max_seconds_until_kill), player.kill)
            kill_timer.start()
            self._play_until_killed(player)
            kill_timer.join()

    def resume_and_check(self) -> None:
        """Resumes once more, and checks that nothing acknowledged is lost."""
        with JsonProgram(self.state, self.game) as player:
            self.check_first_reply(player.first_reply)

    def _play_until_killed(self, player: JsonProgram) -> None:
        reply, line = player.first_reply, dict[str, Any]()
        try:
            while True:
                is_over = "result" in reply
                question_line = player.send({"do": "undo", "past_reveal": True}) if is_over else reply
                for line in legal_answer_lines(question_line["n"], open_question_in(self.state), self.rng):
                    reply = player.send(line)
                    assert "error" not in reply, (line, reply)
                    self.acknowledged.append(line)
                    if "taken" not in reply:
                        break
        except BrokenPipeError:
            self.maybe_acknowledged.add((line.get("n", 0), line.get("seat")))

    def check_first_reply(self, first: Json) -> None:
        """Checks that the first reply after a start follows the last acknowledged answer."""
        if "result" in first or not self.acknowledged:
            return
        n, last = first["n"], self.acknowledged[-1]
        assert n >= last["n"] + (0 if "seat" in last else 1), f"answer {last['n']} is lost"
        sealed = {line["seat"] for line in self.acknowledged if line["n"] == n}
        closed_seats = set(first.get("in", []))
        assert sealed <= closed_seats, (
            f"the sealed answers of {', '.join(sealed - closed_seats)} to {n} are lost"
        )
        assert closed_seats <= sealed | {
            seat for question_number, seat in self.maybe_acknowledged if question_number == n
        }

    def lost_answers(self) -> list[Json]:
        """Returns the acknowledged answers that the log lacks; of an envelope only the last answer counts."""
        with closing(Store.open(self.state)) as store:
            (saved,) = store.all_saved_games()
            answer_by_number = {
                event.n: event.answer
                for event in store.open_game_log(saved.number).events()
                if isinstance(event, Answered)
            }
        last_line_by_envelope = {(line["n"], line.get("seat")): line for line in self.acknowledged}
        seats = {name: str(number) for number, name in enumerate(saved.names, 1)}
        found = []
        for (n, seat), line in last_line_by_envelope.items():
            if seat is None:
                is_there = n in answer_by_number and answer_by_number[n] == line["answer"]
            elif n in answer_by_number:
                is_there = (
                    answer_by_number[n][seats[seat]] == line["answer"] or (n, seat) in self.maybe_acknowledged
                )
            else:
                is_there = True  # the round is still sealed; `check_first_reply` counts its envelopes
            if not is_there:
                found.append(line)
        return found
