"""Whatever the rows of the saved games hold, every verb ends with a sentence and the next game can begin."""

from __future__ import annotations

import io
import os
import random
import sys
from pathlib import Path

import pytest

from companion import cli
from tests.altered import Alterations

SHARES = 4
TRIALS = 12_500 if os.environ.get("COMPANION_SOAK") else 60
"""How often something is altered, in each share."""
VERBS = (
    ["history", "list"],
    *(["history", "show", number] for number in "1234"),
    *(["export", number, "--format", form] for number in "123" for form in ("json", "csv", "text", "html")),
    *(["verify", number] for number in "1234"),
    *(["log", number] for number in "12"),
    ["players", "list"],
    ["games"],
    ["play", "sealed_bid", "--json", "--seats", "Aki,Ben"],
    ["play", "sealed_bid", "--json", "--resume"],
)
SAID = b'{"do": "state"}\n{"do": "undo", "past_reveal": true}\n'


@pytest.fixture(scope="module")
def alterations(tmp_path_factory: pytest.TempPathFactory) -> Alterations:
    """Sound files."""
    return Alterations(tmp_path_factory.mktemp("sound") / "state")


@pytest.mark.parametrize("share", range(SHARES))
def test_no_row_ends_the_program(
    alterations: Alterations,
    tmp_path: Path,
    share: int,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    """Read, shown, exported, proved or played: what can't be read is a sentence, never a fault of ours."""
    state = tmp_path / "state"
    for seed in range(share * 1_000_000, share * 1_000_000 + TRIALS):
        done = alterations.altered(seed, state)
        for words in (*random.Random(seed).sample(VERBS, 3), ["play", "egypt", "--json", "--resume"]):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SAID)))
            try:
                status = cli.main([*words, "--state", str(state)])
            except Exception as fault:
                raise AssertionError((words, seed, done)) from fault
            assert status in {0, 2}, (words, seed, done)
        capsysbinary.readouterr()
