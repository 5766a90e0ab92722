"""Whatever comes in from outside, the program ends by itself, with a sentence, and needs little."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest

from tests.support import in_process
from tests.support.fuzz_targets import FUZZ_TARGETS
from tests.support.in_process import ProgramResult, check_clean_exit
from tests.support.mutations import MUTATION_MARKER, mutate
from tests.support.soak import SOAK

pytestmark = pytest.mark.without_coverage

LONG = ["--minutes", os.environ.get("COMPANION_FUZZ_MINUTES", "10"), "--first", "1000000"]
"""In a soak each way has ten minutes, or as many as that says."""
SHORT = {
    "replay": 60,
    "verify": 60,
    "json": 12,
    "cards": 25,
    "template": 40,
    "words": 60,
    "wiring": 200,
    "rows": 15,
    "cable": 40,
    "copy": 12,
    "release": 60,
}
"""Number of tries that take a second or two."""


@pytest.mark.sweep(1)
@pytest.mark.parametrize("way", FUZZ_TARGETS)
def test_nothing_odd_ends_the_program(way: str) -> None:
    """Logs, JSON, cards, templates, what is typed, wired, on a cable or brought, and rows: in 200 MB."""
    amount = LONG if SOAK else ["--tries", str(SHORT[way])]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.support.fuzz", way, *amount],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("ended", "why"),
    [
        (ProgramResult(1, "", "Traceback"), "status 1"),
        (ProgramResult(0, "\x1b[2J", ""), "control characters"),
        (ProgramResult(2, "", "\u2028"), "control characters"),
        (ProgramResult(2, "", MUTATION_MARKER * 201), "repeats too much"),
        (ProgramResult(2, "", "x" * 3_000), "too long"),
    ],
)
def test_what_is_looked_for_is_found(ended: ProgramResult, why: str) -> None:
    """How a program may not end."""
    with pytest.raises(AssertionError, match=why):
        check_clean_exit(ended)


def for_ever() -> None:
    """Never ends by itself."""
    while True:
        pass


def test_what_takes_long_is_counted_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """More of the processor's time than there should be is told, more than anybody waits is a fault."""
    monkeypatch.setattr(in_process, "MAX_CPU_SECONDS", 0.1)
    monkeypatch.setattr(in_process, "SLOW_CPU_SECONDS", 0.01)
    monkeypatch.setattr(in_process.CpuTimeStats, "over_limit_count", 0)
    monkeypatch.setattr(in_process.CpuTimeStats, "longest", 0.0)
    with pytest.raises(in_process.CpuTimeExceeded), in_process.limit_cpu_time():
        for_ever()
    assert in_process.CpuTimeStats.over_limit_count == 1
    assert in_process.CpuTimeStats.longest > in_process.SLOW_CPU_SECONDS


def test_what_is_odd_follows_from_its_seed() -> None:
    """So that a try can be made again; nearly every one is odd."""
    texts = [mutate("1  Raise Aki: chip 4 = 5\n", Random(seed)) for seed in range(100)]
    assert texts == [mutate("1  Raise Aki: chip 4 = 5\n", Random(seed)) for seed in range(100)]
    assert len(set(texts)) > 80
