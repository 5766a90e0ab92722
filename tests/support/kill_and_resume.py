"""Plays a game through kills of the program, and remembers what the program acknowledged."""

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
from tests.support.program import Json, Player

SOON = 0.02
"""The most seconds until a kill."""


def answers_to(n: int, question: Request[Any], rng: random.Random) -> Iterator[Json]:
    """Legal answers to a question; of a Together one a seat, some twice."""
    if not isinstance(question, Together):
        yield {"n": n, "answer": sample_answer(question, rng)}
        return
    seats = [*question.seats, *rng.choices(question.seats, k=2)]
    for seat in rng.sample(seats, len(seats)):
        yield {"n": n, "seat": seat.name, "answer": sample_answer(question.parts_by_seat[seat], rng)}


def asked_in(state: Path) -> Request[Any]:
    """The open question of the only game there, as whoever reads along finds it."""
    with closing(Store.open(state)) as store:
        (saved,) = store.saved_games()
        events = list(store.open_game_log(saved.number).events())
    game = games()[saved.game]
    assert isinstance(game, Game)
    question = Session(game, events, MemoryLog(events)).question
    assert question is not None
    return question


class Survivor:
    """Plays one game through many kills, and remembers what was acknowledged."""

    def __init__(self, state: Path, game: str, seats: str, seed: str = "", longest: float = SOON) -> None:
        self.state, self.game, self.longest = state, game, longest
        self.rng = random.Random(game + seed)
        self.acknowledged: list[Json] = []
        self.cut_off: set[tuple[int, str | None]] = set()
        with Player(state, game, seats):
            pass

    def lives_once(self) -> None:
        """Resumes, sees that nothing acknowledged is gone, and plays until the kill."""
        with Player(self.state, self.game) as player:
            self.compare(player.first)
            death = threading.Timer(self.rng.uniform(0, self.longest), player.kill)
            death.start()
            self._play(player)
            death.join()

    def comes_back(self) -> None:
        """Resumes once more, and sees that nothing acknowledged is gone."""
        with Player(self.state, self.game) as player:
            self.compare(player.first)

    def _play(self, player: Player) -> None:
        came, said = player.first, dict[str, Any]()
        try:
            while True:
                over = "result" in came
                line = player.says({"do": "undo", "past_reveal": True}) if over else came
                for said in answers_to(line["n"], asked_in(self.state), self.rng):
                    came = player.says(said)
                    assert "error" not in came, (said, came)
                    self.acknowledged.append(said)
                    if "taken" not in came:
                        break
        except BrokenPipeError:
            self.cut_off.add((said.get("n", 0), said.get("seat")))

    def compare(self, first: Json) -> None:
        """Proves that the first line after a start follows on the last answer that was acknowledged."""
        if "result" in first or not self.acknowledged:
            return
        n, last = first["n"], self.acknowledged[-1]
        assert n >= last["n"] + (0 if "seat" in last else 1), f"answer {last['n']} is lost"
        sealed = {said["seat"] for said in self.acknowledged if said["n"] == n}
        there = set(first.get("in", []))
        assert sealed <= there, f"the sealed answers of {', '.join(sealed - there)} to {n} are lost"
        assert there <= sealed | {seat for at, seat in self.cut_off if at == n}

    def lost(self) -> list[Json]:
        """The acknowledged answers that are not in the log; an envelope holds what was put into it last."""
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
                is_there = kept[n][seats[seat]] == said["answer"] or (n, seat) in self.cut_off
            else:
                is_there = True  # the round is still sealed; `compare` counts its envelopes
            if not is_there:
                found.append(said)
        return found
