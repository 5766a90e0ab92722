"""`make prove`: what a visitor sees, and that a broken promise is found."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from companion.requests import Done
from companion.rulebook import Game, GameResult, ScoreLine, Table, rank_seats, say
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.table.seats import Seat
from scripts import prove
from scripts.prove import Proof
from tests.support.power_cuts import DiskOperation
from tests.support.program import JsonProgram

ROOT = Path(__file__).parents[2]
SEED = 3

pytestmark = pytest.mark.without_coverage


def quietly(_done: int) -> None:
    """Nobody looks at the progress."""


@pytest.mark.needs("strace")
def test_a_small_run_keeps_every_promise() -> None:
    """Progress while it runs, one table, the seed, and status 0."""
    few = ["--seed", "3", "--kills", "2", "--cuts", "2", "--pairs", "4", "--games", "14"]
    ended = subprocess.run(
        [sys.executable, "-m", "scripts.prove", *few], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    lines = ended.stdout.splitlines()
    assert lines[0] == "Seed 3. This takes up to three minutes."
    assert lines[1:5] == [
        "Killing the program: 2",
        "Cutting the power: 2",
        "Comparing games that differ only in a secret: 4",
        "Playing random games: 14",
    ]
    assert [line.split("   ")[0] for line in lines[6:11]] == [
        "Promise",
        "A confirmed answer survives a crash",
        "A confirmed answer survives a power cut",
        "A secret stays secret",
        "Games keep their rules",
    ]
    assert [line.rsplit("   ")[-1].strip() for line in lines[7:11]] == [
        "0 lost",
        "0 lost",
        "0 differences",
        "0 faults",
    ]
    assert lines[-1].startswith("Every promise was kept. ")
    assert lines[-1].endswith("seed 3: make prove SEED=3 plays the same games.")


@pytest.mark.parametrize(("said", "command"), [([], "scripts.prove"), (["SEED=7"], "scripts.prove --seed 7")])
def test_the_seed_can_be_chosen(said: list[str], command: str) -> None:
    """`make prove` draws one, `make prove SEED=7` takes that."""
    ended = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "prove", *said],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.splitlines()[-1].rstrip() == f".venv/bin/python -m {command}"


def forgets_every_answer(state: Path) -> None:
    """A new game where the old one was, as of a program that never saved an answer."""
    shutil.rmtree(state)
    with JsonProgram(state, "sealed_bid", prove.SEATS):
        pass


def test_a_lost_answer_is_found_after_a_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    """Confirmed answers that aren't there at the next start are counted as lost."""
    monkeypatch.setattr(prove, "LONGEST_LIFE", 2.0)
    proof = prove.prove_kills(3, SEED, quietly, forgets_every_answer, ["sealed_bid"])
    assert proof.broken.startswith("sealed_bid: ")
    assert proof.found != "0 lost"


@pytest.mark.needs("strace")
def test_a_program_that_does_not_sync_is_found() -> None:
    """Without the syncs of its files, confirmed answers are lost by a power cut."""

    def reaches_the_disk(operation: DiskOperation) -> bool:
        return operation.kind != "sync" or operation.path.endswith("/state")

    proof = prove.prove_power_cuts(10, SEED, quietly, reaches_the_disk)
    assert proof.broken
    assert proof.found != "0 lost"


def leaky_view(session: Session, eyes: Seat | None) -> View:
    """Tells what is in the envelopes."""
    seen = make_view(session, eyes)
    told = "".join(repr(draft.answer) for draft in session.drafts.values())
    return msgspec.structs.replace(seen, notes=(*seen.notes, say("{told}", told=told)))


def test_a_leaking_view_is_found() -> None:
    """What tells the content of an envelope is a difference between the games of a pair."""
    proof = prove.prove_secrets(4, SEED, quietly, leaky_view)
    assert "moment 0: " in proof.broken
    assert proof.found != "0 differences"


async def cheats(table: Table) -> GameResult:
    """A rulebook whose score doesn't add up."""
    await Done(None, say("Deal the cards."))
    return rank_seats(table.seats, lambda _: 5, lambda _: (ScoreLine(say("cards"), 4),))


def test_a_game_that_breaks_its_rules_is_found() -> None:
    """Each game whose score doesn't add up is a fault."""
    game = Game("cheats", 1, say("Cheats"), (2, 3), cheats)
    proof = prove.prove_games(4, SEED, quietly, {"cheats": game})
    assert proof.found == "4 faults"
    assert proof.broken == "cheats, game 3: AssertionError: Aki's score doesn't add up to 5"


def test_a_broken_promise_is_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    """The table names it, and a sentence says what was wrong and with which seed."""
    proofs = [Proof("A", "1 kill", "0 lost"), Proof("B", "1 pair", "1 difference", "egypt: view of all")]
    assert prove.report(proofs, 9) == 1
    assert capsys.readouterr().out.splitlines()[1:] == [
        "Promise   Tried    Result",
        "A         1 kill   0 lost",
        "B         1 pair   1 difference",
        "",
        "Broken: B. egypt: view of all",
        "Please report this with the lines above: seed 9.",
    ]


@pytest.mark.parametrize(
    ("strace", "why"), [(None, "sudo apt install strace"), ("false", "it ended with an error")]
)
def test_what_can_not_be_tried_is_said(
    strace: str | None, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without strace there are no power cuts; the others are tried, and nothing claims that all was."""
    monkeypatch.setattr(prove, "which", lambda _: strace)
    proof = prove.prove_power_cuts(10, SEED, quietly)
    assert prove.report([proof], SEED) == 0
    told = capsys.readouterr().out
    assert "A confirmed answer survives a power cut   nothing   not tried\n" in told
    assert f"A power cut can be played only where strace may watch the program: {why}\n" in told
    assert "\nNot everything was tried. " in told


@pytest.mark.needs("strace")
def test_a_program_that_fails_is_no_missing_strace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where strace works and the program ends with an error, the promise is broken."""
    monkeypatch.setattr(prove, "WRITER_COMMAND", ["false"])
    assert prove.prove_power_cuts(1, SEED, quietly).found == "not played"


def test_progress_is_one_line_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is written over itself; elsewhere only its end is written."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    tell = prove.Progress("Playing random games", 1_000)
    tell(999)
    tell(1_000)
    assert capsys.readouterr().out == (
        "Playing random games: 0 of 1,000\rPlaying random games: 999 of 1,000\r"
        "Playing random games: 1,000 of 1,000\n"
    )
