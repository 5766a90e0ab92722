"""What was acknowledged is on the disk: killed at any moment, and watched by its system calls."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest

from companion.store import Store
from tests.support.sealed_bid_games import WRITER_COMMAND, reported_lines_in, resume_game
from tests.support.soak import SOAK

KILLS = 500 if SOAK else 8
ROOT = Path(__file__).parents[2]
CALLS = "trace=write,pwrite64,pwritev,fsync,fdatasync"
CALL = re.compile(r"^(?P<pid>\d+) +(?P<name>\w+)\((?P<fd>\d+)<(?P<path>[^>]*)>(?P<rest>.*)")


def killed_after(lines: int, delay: float, state: Path) -> list[str]:
    """What a player had been told was taken: killed a moment after that many lines."""
    with subprocess.Popen(
        [*WRITER_COMMAND, str(state)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as player:
        assert player.stdout is not None
        told = list(islice(player.stdout, lines))
        try:
            player.wait(delay)
        except subprocess.TimeoutExpired:
            player.send_signal(signal.SIGKILL)
        told += player.stdout
    assert player.returncode == -signal.SIGKILL
    return [line.strip() for line in told if line.endswith("\n")]


@pytest.mark.without_coverage
def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: Path) -> None:
    """Killed at random moments, again and again: each bid and each answer that was acknowledged is there."""
    rng = random.Random(1)
    told: list[str] = []
    for _ in range(KILLS):
        told += killed_after(rng.randint(1, 40), rng.uniform(0, 0.004), tmp_path / "state")
        store = Store.open(tmp_path / "state", for_writing=True)
        assert store.notices == []
        session = resume_game(store)
        there = list(reported_lines_in(store))
        assert set(told) - set(there) == set()
        assert len(there) == len(set(there))
        assert session.question_number >= max(int(line.split()[1]) for line in told)
        store.close()
    assert len(told) >= KILLS


def acknowledged(trace: Iterator[str]) -> Iterator[tuple[str, bool]]:
    """Each line told, and whether what it tells was written to a log's file and fsynced there before."""
    written: dict[str, str] = {}
    on_disk = ""
    for line in trace:
        call = CALL.match(line)
        if call is None:
            continue
        if call["name"] in {"fsync", "fdatasync"}:
            on_disk += written.pop(call["path"], "")
        elif re.search(r"\.sqlite3(-wal)?$", call["path"]):
            written[call["path"]] = written.get(call["path"], "") + call["rest"].replace("\\", "")
        elif call["fd"] == "1":
            for told in re.findall(r"(?:bid|answer) [0-9 ]+", call["rest"]):
                yield told, mark(told) in on_disk


def mark(told: str) -> str:
    """What must be in a file for this to be kept."""
    kind, n, *sealed = told.split()
    if kind == "bid":
        return f'"n":{n},"seat":{sealed[0]},"answer":{sealed[1]},'
    return f'"type":"Answered","n":{n},'


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The system calls of a program that plays until it has told thirty lines."""
    folder = tmp_path_factory.mktemp("traced")
    file = folder / "trace"
    strace = ["strace", "-f", "-y", "-qq", "-s", "100000", "-e", CALLS, "-o", str(file)]
    command = [*strace, *WRITER_COMMAND, str(folder / "state")]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as player:
        assert player.stdout is not None
        if not list(islice(player.stdout, 30)):
            assert player.stderr is not None
            pytest.skip(f"strace may not trace here: {player.stderr.read().strip()}")
        os.killpg(player.pid, signal.SIGKILL)
    return file.read_text(errors="replace").splitlines()


@pytest.mark.needs("strace")
def test_what_is_acknowledged_was_fsynced_before(trace: list[str]) -> None:
    """The bytes of each draft and answer are written and fsynced before anybody is told of it."""
    told = list(acknowledged(iter(trace)))
    assert len(told) >= 30
    assert [what for what, on_disk in told if not on_disk] == []


def fsyncs_of_drafts(trace: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each line told, and how often the files of the sealed drafts were fsynced for it."""
    count = 0
    for line in trace:
        call = CALL.match(line)
        if call is None:
            continue
        if call["name"] in {"fsync", "fdatasync"}:
            count += "/sealed/" in call["path"]
        elif call["fd"] == "1" and (told := re.findall(r"(?:bid|answer) [0-9 ]+", call["rest"])):
            yield told[0], count
            count = 0


@pytest.mark.needs("strace")
def test_drafts_are_fsynced_as_seldom_as_possible(trace: list[str]) -> None:
    """The first bid after others were erased takes two, with the beginning of the -wal file.

    The last one takes three: one for itself, and two to erase all.
    """
    counts = dict(fsyncs_of_drafts(trace))
    assert {counts[f"bid {n} 1 {n}"] for n in range(3, 15, 2)} == {2}
    assert {counts[f"bid {n} 2 {n}"] for n in range(3, 15, 2)} == {3}
