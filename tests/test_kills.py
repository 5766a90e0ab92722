"""What survives when the program is killed: every answer it acknowledged, the sealed ones included."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.catalogue import games
from companion.log.events import Answered
from companion.log.memory import Memory
from companion.requests import Request, Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import Store
from companion.testing.trial import sample
from tests.program import Json, Player, ran
from tests.soak import SOAK

pytestmark = pytest.mark.unwatched

KILLS, TOUCHED = (86, 30) if SOAK else (2, 2)
"""Through JSON lines for each game, 602 in all; and through the real window."""
VICTIM = Path(__file__).parent / "ui/touching_victim.py"
LINES, MOMENT = (2, 10), 0.3
"""How many lines a hand at the window tells before it is killed, and the most seconds after that."""


def test_a_second_player_is_kept_out(tmp_path: Path) -> None:
    """Who would play in a state directory that is in use is told so; the first player goes on."""
    with Player(tmp_path, "sealed_bid", "Aki,Ben") as first:
        run = ran(["play", "sealed_bid", "--json", "--resume"], tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.startswith("Somebody is already playing")
        assert first.says({"do": "state"})["state"]["n"] == 1


def answers_to(n: int, question: Request[Any], rng: random.Random) -> Iterator[Json]:
    """Legal answers to a question; of a Together one a seat, some twice."""
    if not isinstance(question, Together):
        yield {"n": n, "answer": sample(question, rng)}
        return
    seats = [*question.seats, *rng.choices(question.seats, k=2)]
    for seat in rng.sample(seats, len(seats)):
        yield {"n": n, "seat": seat.name, "answer": sample(question.parts[seat], rng)}


def asked_in(state: Path) -> Request[Any]:
    """The open question of the only game there, as whoever reads along finds it."""
    with closing(Store.open(state)) as store:
        (saved,) = store.saved()
        events = list(store.log(saved.number).events())
    game = games()[saved.game]
    assert isinstance(game, Game)
    question = Session(game, events, Memory(events)).question
    assert question is not None
    return question


class Survivor:
    """Plays one game through many kills, and remembers what was acknowledged."""

    def __init__(self, state: Path, game: str, seats: str) -> None:
        self.state, self.game = state, game
        self.rng = random.Random(game)
        self.acknowledged: list[Json] = []
        self.cut_off: set[tuple[int, str | None]] = set()
        with Player(state, game, seats):
            pass

    def lives_once(self) -> None:
        """Resumes, sees that nothing acknowledged is gone, and plays until the kill."""
        with Player(self.state, self.game) as player:
            self._compare(player.first)
            death = threading.Timer(self.rng.uniform(0, 0.02), player.kill)
            death.start()
            self._play(player)
            death.join()

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

    def _compare(self, first: Json) -> None:
        if "result" in first or not self.acknowledged:
            return
        n, last = first["n"], self.acknowledged[-1]
        assert n >= last["n"] + (0 if "seat" in last else 1)
        sealed = {said["seat"] for said in self.acknowledged if said["n"] == n}
        assert sealed <= set(first.get("in", [])) <= sealed | {seat for at, seat in self.cut_off if at == n}

    def check_log(self) -> None:
        """Every acknowledged answer is in the log, and an envelope held what was put into it last."""
        with closing(Store.open(self.state)) as store:
            (saved,) = store.saved()
            kept = {
                event.n: event.answer
                for event in store.log(saved.number).events()
                if isinstance(event, Answered)
            }
        last_in = {(said["n"], said.get("seat")): said["answer"] for said in self.acknowledged}
        seats = {name: str(number) for number, name in enumerate(saved.names, 1)}
        for (n, seat), answer in last_in.items():
            if seat is None:
                assert kept[n] == answer
            elif n in kept:
                assert kept[n][seats[seat]] == answer or (n, seat) in self.cut_off


@pytest.mark.sweep(3)
@pytest.mark.parametrize("game", sorted(games()))
def test_no_acknowledged_answer_is_lost_by_a_kill(tmp_path: Path, game: str) -> None:
    """Killed at random moments, the program has every answer it acknowledged, sealed ones included."""
    survivor = Survivor(tmp_path, game, "Aki,Ben,Chie")
    for _ in range(KILLS):
        survivor.lives_once()
    with Player(tmp_path, game) as player:
        survivor._compare(player.first)
    survivor.check_log()


class TouchingSurvivor(Survivor):
    """The same by touches on the real window; the game was begun in JSON lines."""

    def lives_once(self) -> None:
        """The window comes back with all that was acknowledged, and a hand plays until the kill."""
        seed = str(self.rng.getrandbits(16))
        with subprocess.Popen(
            [sys.executable, VICTIM, self.state, seed], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as victim:
            assert victim.stdout is not None
            first = json.loads(victim.stdout.readline())
            self._compare(first)
            if self.acknowledged and "n" in first:
                assert first["n"] <= self.acknowledged[-1]["n"] + 2, "an answer counts twice"
            if "result" not in first:
                self._hears(victim.stdout, threading.Timer(self.rng.uniform(0, MOMENT), victim.kill))
            victim.kill()

    def _hears(self, lines: Iterable[bytes], death: threading.Timer) -> None:
        """What is told before so many lines, and in the moment after them."""
        under_way: set[tuple[int, str | None]] = set()
        most = self.rng.randrange(*LINES)
        for number, line in enumerate(lines, 1):
            said = json.loads(line)
            under_way ^= {(said["n"], said.get("seat"))}
            if not under_way:
                self.acknowledged.append(said)
            if number == most:
                death.start()
        self.cut_off |= under_way


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("game", "seats"), [("sealed_bid", "Aki,Ben,Chie"), ("high_bid", "Aki,Ben,Chie")])
def test_no_answer_that_the_window_took_is_lost_by_a_kill(tmp_path: Path, game: str, seats: str) -> None:
    """Killed under a hand at random moments: every answer it saw taken is there once, envelopes included."""
    survivor = TouchingSurvivor(tmp_path, game, seats)
    for _ in range(TOUCHED // 2):
        survivor.lives_once()
    assert survivor.acknowledged
    with Player(tmp_path, game) as player:
        survivor._compare(player.first)
    survivor.check_log()


def test_a_kill_in_the_middle_of_a_sealed_bid(tmp_path: Path) -> None:
    """Killed while some envelopes are closed, the same question comes back with the same envelopes in."""
    with Player(tmp_path, "sealed_bid", "Aki,Ben,Chie") as player:
        player.says({"n": 1, "seat": "Chie", "answer": 7})
        player.says({"n": 1, "seat": "Aki", "answer": 5})
        player.kill()
    with Player(tmp_path, "sealed_bid") as player:
        assert player.first == {**player.first, "n": 1, "kind": "Together", "in": ["Aki", "Chie"]}
        assert player.says({"n": 1, "seat": "Ben", "answer": 1})["n"] == 2
        assert player.says({"do": "state"})["state"]["places"]["Chie/front"]["round won"] == 1
