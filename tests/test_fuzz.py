"""Whatever comes in from outside, the program ends by itself, with a sentence, and needs little."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest

from tests.support import in_process
from tests.support.fuzz_targets import WAYS
from tests.support.in_process import Ended, check
from tests.support.mutations import MARK, odd
from tests.support.soak import SOAK

pytestmark = pytest.mark.unwatched

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


@pytest.mark.sweep(4)
@pytest.mark.parametrize("way", WAYS)
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
        (Ended(1, "", "Traceback"), "status 1"),
        (Ended(0, "\x1b[2J", ""), "control characters"),
        (Ended(2, "", "\u2028"), "control characters"),
        (Ended(2, "", MARK * 201), "repeats too much"),
        (Ended(2, "", "x" * 3_000), "too long"),
    ],
)
def test_what_is_looked_for_is_found(ended: Ended, why: str) -> None:
    """How a program may not end."""
    with pytest.raises(AssertionError, match=why):
        check(ended)


def for_ever() -> None:
    """Never ends by itself."""
    while True:
        pass


def test_what_takes_long_is_counted_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """More of the processor's time than there should be is told, more than anybody waits is a fault."""
    monkeypatch.setattr(in_process, "PATIENCE", 0.1)
    monkeypatch.setattr(in_process, "SECOND", 0.01)
    monkeypatch.setattr(in_process.Spent, "slow", 0)
    monkeypatch.setattr(in_process.Spent, "longest", 0.0)
    with pytest.raises(in_process.TooLong), in_process.timed():
        for_ever()
    assert in_process.Spent.slow == 1
    assert in_process.Spent.longest > in_process.SECOND


def test_what_is_odd_follows_from_its_seed() -> None:
    """So that a try can be made again; nearly every one is odd."""
    texts = [odd("1  Raise Aki: chip 4 = 5\n", Random(seed)) for seed in range(100)]
    assert texts == [odd("1  Raise Aki: chip 4 = 5\n", Random(seed)) for seed in range(100)]
    assert len(set(texts)) > 80
