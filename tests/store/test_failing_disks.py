"""Disks that fill up or fail at any call: nothing is acknowledged that they haven't taken, and it is said."""

from __future__ import annotations

import os
import random
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from companion.store import Store
from tests.support.sealed_bid_games import WRITER_COMMAND, finish_open_round, reported_lines_in, resume_game
from tests.support.soak import SOAK

pytestmark = [pytest.mark.without_coverage, pytest.mark.needs("strace")]
SHARES = 2
TRIALS = 84 if SOAK else 2
ROOT = Path(__file__).parents[2]
CALLS = ("pwrite64", "fdatasync", "ftruncate")
ERRORS = ("ENOSPC", "EIO")


def played(state: Path, *inject: str) -> tuple[list[str], str]:
    """What a player was told until the disk refused, and why it did."""
    command = ["strace", "-f", "-qq", "-o", os.devnull, *inject, *WRITER_COMMAND, str(state), "6"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.stdout.split("\n")[:-1], ran.stderr.strip().split("\n")[-1]


@pytest.mark.parametrize("share", range(SHARES))
def test_a_disk_that_refuses_takes_nothing_and_forgets_nothing(tmp_path: Path, share: int) -> None:
    """From some call on the disk is full or fails, for ever or once: what was told is there when it works."""
    refused = 0
    for seed in range(share * 1_000_000, share * 1_000_000 + TRIALS):
        rng = random.Random(seed)
        call, error = rng.choice(CALLS), rng.choice(ERRORS)
        calls = {"pwrite64": 400, "fdatasync": 60, "ftruncate": 8}[call]
        when = f"{rng.randint(1, calls)}{rng.choice(('', '+'))}"
        state = tmp_path / str(seed)
        told, why = played(state, "-e", f"inject={call}:error={error}:when={when}")
        if not told and "strace" in why:
            pytest.skip(f"strace may not trace here: {why}")
        if told[-1:] != ["end"]:
            refused += 1
            said = ("is full",) if (call, error) == ("pwrite64", "ENOSPC") else ("is full", "is failing")
            assert any(words in why for words in said), (seed, call, error, when, why)
        with closing(Store.open(state, for_writing=True)) as store:
            there = {*reported_lines_in(store), "end"} if store.all_saved_games() else set()
            assert set(told) <= there, (seed, call, error, when)
            if store.find_open_game():
                finish_open_round(resume_game(store))
    assert refused > 0
