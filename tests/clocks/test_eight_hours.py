"""Eight hours of play with pauses, undo, restarts and kills: budgets are exact to the tick."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.clocks.reference import CLOCKS, DelayReference, Reference, with_delay
from tests.clocks.table import ROUNDS, Clocked, do
from tests.support.soak import SOAK

pytestmark = pytest.mark.without_coverage

ROOT = Path(__file__).parents[2]
DELAY_PACE = 30_000 if SOAK else 90_000
"""Most ticks between two deeds where a delay is free: three times as many deeds take ten times as long."""
EIGHT_HOURS = 8 * 3600 * 1000


def evening(rng: Random, reference: Reference, pace: int = 90_000) -> Iterator[str]:
    """What happens at a table for eight hours of play; `pace` is the longest wait between two deeds."""
    while reference.now < EIGHT_HOURS:
        yield f"wait:{rng.randrange(pace)}"
        deeds = ["answer"] * 6 + ["pause", "die"]
        if reference.answers:
            deeds.append("undo")
        if reference.undone:
            deeds.append("redo")
        if reference.paused:
            deeds += ["go on"] * 3
        yield rng.choice(deeds)


def done(reference: Reference, deed: str) -> None:
    """Does a deed in the reference."""
    word, _, number = deed.partition(":")
    if word == "wait":
        reference.wait(int(number))
    else:
        getattr(reference, deed.replace(" ", "_"))()


def played(table: Clocked, deed: str) -> None:
    """Does a deed at the table."""
    word, _, some = deed.partition(":")
    table.now = round(table.now + int(some or 0) / 1000, 3)
    table.keeper.ring_next_due_clock()
    if word == "die":
        table.restart()
    do(table.session, word)


@pytest.mark.parametrize("seed", range(20 if SOAK else 1))
def test_budgets_are_exact_after_eight_hours(seed: int) -> None:
    """Whatever happens in eight hours, everybody has left what simple arithmetic says, to the tick."""
    reference, table = Reference(), Clocked(ROUNDS, CLOCKS)
    for deed in evening(Random(seed), reference):
        done(reference, deed)
        played(table, deed)
        assert table.left() == reference.left
    assert sum(reference.spent) > EIGHT_HOURS / 2


@pytest.mark.parametrize("key", ["delay", "bronstein"])
@pytest.mark.parametrize("seed", range(20 if SOAK else 1))
def test_delays_are_exact_after_eight_hours(key: str, seed: int) -> None:
    """With a delay, too, everybody has left what simple arithmetic says, after undo, pauses and restarts."""
    reference, table = DelayReference(key), Clocked(ROUNDS, with_delay(key))
    for deed in evening(Random(seed), reference, pace=DELAY_PACE):
        done(reference, deed)
        played(table, deed)
        assert table.left() == reference.left
    assert 0 < sum(reference.free) < sum(reference.spent)


class Process:
    """The program in another process, to be killed and started again, with another zero each time."""

    def __init__(self, state: Path, rng: Random) -> None:
        self.state, self.rng = state, rng
        self.start()

    def start(self) -> None:
        """Begins or resumes the game."""
        zero = str(self.rng.randrange(10**6))
        command = [sys.executable, "-m", "tests.clocks.victim", str(self.state), zero]
        self.run = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def says(self, deed: str) -> list[int]:
        """Does it and gives what everybody has left."""
        assert self.run.stdin is not None
        assert self.run.stdout is not None
        self.run.stdin.write(deed + "\n")
        self.run.stdin.flush()
        left: list[int] = json.loads(self.run.stdout.readline())
        return left

    def kill(self) -> None:
        """SIGKILL."""
        self.run.kill()
        self.run.communicate()


def test_budgets_survive_a_kill(tmp_path: Path) -> None:
    """Killed again and again in eight hours, under a wall clock that jumps a year, no kept tick is lost.

    What passed after the last answer, undo or pause before a kill counts for nobody.
    """
    rng, reference = Random(4), Reference()
    process = Process(tmp_path / "state", rng)
    kills = 0
    for deed in evening(rng, reference, pace=500_000):
        done(reference, deed)
        if deed == "die":
            kills += 1
            process.kill()
            process.start()
            assert process.says("look") == reference.left
        else:
            assert process.says(deed) == reference.left
    process.kill()
    assert kills > 5
