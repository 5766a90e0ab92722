"""What survives when the program is killed: every answer it acknowledged, the sealed ones included."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.installed_games import games
from tests.support.kill_and_resume import KillTest
from tests.support.program import JsonProgram, run_companion
from tests.support.soak import SOAK

pytestmark = pytest.mark.without_coverage

KILLS, TOUCHED = (86, 30) if SOAK else (2, 2)
"""Through JSON lines for each game, 602 in all; and through the real window."""
VICTIM = Path(__file__).parents[1] / "support/ui/self_playing_app.py"
LINES, MOMENT = (2, 10), 0.3
"""How many lines a hand at the window tells before it is killed, and the most seconds after that."""


def test_a_second_player_is_kept_out(tmp_path: Path) -> None:
    """Who would play in a state directory that is in use is told so; the first player goes on."""
    with JsonProgram(tmp_path, "sealed_bid", "Aki,Ben") as first:
        run = run_companion(["play", "sealed_bid", "--json", "--resume"], tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert run.stderr.startswith("Another Companion is already using")
        assert first.send({"do": "state"})["state"]["n"] == 1


@pytest.mark.sweep(1)
@pytest.mark.parametrize("game", sorted(games()))
def test_no_acknowledged_answer_is_lost_by_a_kill(tmp_path: Path, game: str) -> None:
    """Killed at random moments, the program has every answer it acknowledged, sealed ones included."""
    survivor = KillTest(tmp_path, game, "Aki,Ben,Chie")
    for _ in range(KILLS):
        survivor.resume_and_play_until_killed()
    survivor.resume_and_check()
    assert survivor.lost_answers() == []


class TouchingSurvivor(KillTest):
    """A survivor that plays by touches on the real window; the game was begun in JSON lines."""

    def resume_and_play_until_killed(self) -> None:
        """The window comes back with all that was acknowledged, and a hand plays until the kill."""
        seed = str(self.rng.getrandbits(16))
        with subprocess.Popen(
            [sys.executable, VICTIM, self.state, seed], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as victim:
            assert victim.stdout is not None
            first = json.loads(victim.stdout.readline())
            self.check_first_reply(first)
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
        self.maybe_acknowledged |= under_way


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("game", "seats"), [("sealed_bid", "Aki,Ben,Chie"), ("high_bid", "Aki,Ben,Chie")])
def test_no_answer_that_the_window_took_is_lost_by_a_kill(tmp_path: Path, game: str, seats: str) -> None:
    """Killed under a hand at random moments: every answer it saw taken is there once, envelopes included."""
    survivor = TouchingSurvivor(tmp_path, game, seats)
    for _ in range(TOUCHED // 2):
        survivor.resume_and_play_until_killed()
    assert survivor.acknowledged
    survivor.resume_and_check()
    assert survivor.lost_answers() == []


def test_a_kill_in_the_middle_of_a_sealed_bid(tmp_path: Path) -> None:
    """Killed while some envelopes are closed, the same question comes back with the same envelopes in."""
    with JsonProgram(tmp_path, "sealed_bid", "Aki,Ben,Chie") as player:
        player.send({"n": 1, "seat": "Chie", "answer": 7})
        player.send({"n": 1, "seat": "Aki", "answer": 5})
        player.kill()
    with JsonProgram(tmp_path, "sealed_bid") as player:
        assert player.first_reply == {**player.first_reply, "n": 1, "kind": "Together", "in": ["Aki", "Chie"]}
        assert player.send({"n": 1, "seat": "Ben", "answer": 1})["n"] == 2
        assert player.send({"do": "state"})["state"]["places"]["Chie/front"]["round won"] == 1
