"""Whatever comes in from outside, the program ends by itself, with a sentence, and needs little."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest

from tests.fuzz import WAYS, Ended, check
from tests.oddities import MARK, odd

SOAK = bool(os.environ.get("COMPANION_SOAK"))
LONG = ["--minutes", "10", "--first", "1000000"]
SHORT = {"replay": 60, "verify": 60, "json": 12, "cards": 25, "template": 40, "words": 60}
"""So many tries take a second or two."""


@pytest.mark.parametrize("way", WAYS)
def test_nothing_odd_ends_the_program(way: str) -> None:
    """Mailed logs, lines of JSON, cards, templates and what is typed: tried at random, in 200 MB."""
    amount = LONG if SOAK else ["--tries", str(SHORT[way])]
    ended = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", way, *amount], capture_output=True, text=True, check=False
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


def test_what_is_odd_follows_from_its_seed() -> None:
    """So that a try can be made again; nearly every one is odd."""
    texts = [odd("1  Raise Aki: chip 4 = 5\n", Random(seed)) for seed in range(100)]
    assert texts == [odd("1  Raise Aki: chip 4 = 5\n", Random(seed)) for seed in range(100)]
    assert len(set(texts)) > 80
