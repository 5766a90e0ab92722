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
        (saved,) = store.saved_games()
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
            death = threading.Timer(self.rng.uniform(0, self.max_seconds_until_kill), player.kill)
            death.start()
            self._play(player)
            death.join()

    def resume_and_check(self) -> None:
        """Resumes once more, and checks that nothing acknowledged is lost."""
        with JsonProgram(self.state, self.game) as player:
            self.check_first_reply(player.first_reply)

    def _play(self, player: JsonProgram) -> None:
        came, said = player.first_reply, dict[str, Any]()
        try:
            while True:
                over = "result" in came
                line = player.send({"do": "undo", "past_reveal": True}) if over else came
                for said in legal_answer_lines(line["n"], open_question_in(self.state), self.rng):
                    came = player.send(said)
                    assert "error" not in came, (said, came)
                    self.acknowledged.append(said)
                    if "taken" not in came:
                        break
        except BrokenPipeError:
            self.maybe_acknowledged.add((said.get("n", 0), said.get("seat")))

    def check_first_reply(self, first: Json) -> None:
        """Checks that the first reply after a start follows the last acknowledged answer."""
        if "result" in first or not self.acknowledged:
            return
        n, last = first["n"], self.acknowledged[-1]
        assert n >= last["n"] + (0 if "seat" in last else 1), f"answer {last['n']} is lost"
        sealed = {said["seat"] for said in self.acknowledged if said["n"] == n}
        there = set(first.get("in", []))
        assert sealed <= there, f"the sealed answers of {', '.join(sealed - there)} to {n} are lost"
        assert there <= sealed | {seat for at, seat in self.maybe_acknowledged if at == n}

    def lost_answers(self) -> list[Json]:
        """Returns the acknowledged answers that the log lacks; of an envelope only the last answer counts."""
        with closing(Store.open(self.state)) as store:
            (saved,) = store.saved_games()
            kept = {
                event.n: event.answer
                for event in store.open_game_log(saved.number).events()
                if isinstance(event, Answered)
            }
        last_in = {(said["n"], said.get("seat")): said for said in self.acknowledged}
        seats = {name: str(number) for number, name in enumerate(saved.names, 1)}
        found = []
        for (n, seat), said in last_in.items():
            if seat is None:
                is_there = n in kept and kept[n] == said["answer"]
            elif n in kept:
                is_there = kept[n][seats[seat]] == said["answer"] or (n, seat) in self.maybe_acknowledged
            else:
                is_there = True  # the round is still sealed; `check_first_reply` counts its envelopes
            if not is_there:
                found.append(said)
        return found
