"""Whatever the rows of the saved games hold, every verb ends with a sentence and the next game can begin."""

from __future__ import annotations

import io
import random
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion import cli
from companion.errors import Crowded
from companion.log.events import Began, Left
from companion.store import Store
from companion.words import render
from tests.altered import UNMARK, Alterations
from tests.soak import SOAK
from tests.ways import SAID, VERBS

SHARES = 4
TRIALS = 12_500 if SOAK else 15
"""How often something is altered, in each share."""


@pytest.fixture(scope="module")
def alterations(tmp_path_factory: pytest.TempPathFactory) -> Alterations:
    """Sound files."""
    return Alterations(tmp_path_factory.mktemp("sound") / "state")


@pytest.mark.unwatched
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


STEERING = """
    UPDATE game SET names = replace(names, 'Aki', '\\u001b[2J');
    UPDATE game SET result = replace(result, 'Aki', '\\u001b[2J');
    UPDATE event SET body = replace(replace(body, 'Aki', '\\u001b[2J'), 'lost', '\\u001b[2J');
    UPDATE setting SET value = replace(replace(value, 'Aki', '\\u001b[2J'), 'Dai', '\\u001b[2J');
    UPDATE tag SET uid = char(27) || uid;
"""
"""Names, reasons and tags that clear the screen of whoever reads them."""


def test_no_row_steers_the_terminal_of_who_reads_it(
    alterations: Alterations, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is in a row is shown by every verb, not obeyed."""
    state = shutil.copytree(alterations.sound, tmp_path / "state")
    (state / "backup.sqlite3").unlink()
    with closing(sqlite3.connect(state / "companion.sqlite3")) as games, games:
        games.executescript(UNMARK + STEERING)
    for words in (*VERBS, ["cards", "tags", "egypt"]):
        if "--resume" not in words and "--seats" not in words:
            cli.main([*words, "--state", str(state)])
            out, err = capsys.readouterr()
            assert "\x1b" not in out + err, words


def test_a_log_that_lacks_an_event_says_which(tmp_path: Path) -> None:
    """What is read of it is nothing, and the sentence names the directory."""
    with closing(Store.open(tmp_path, playing=True)) as store:
        log = store.new_game()
        log.append(Began("sealed_bid", 1, ("Aki", "Ben"), ("orange", "sky"), {}, {}, 1))
        for seat in (1, 2):
            log.append(Left(1, seat))
        with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as db, db:
            db.execute("DELETE FROM event WHERE seq = 2")
        with pytest.raises(Crowded) as refused:
            log.events()
    assert render(refused.value.text) == f"A saved game in {tmp_path} is damaged. Event 2 is missing."
