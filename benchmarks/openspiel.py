"""OpenSpiel as a program of its own, in an environment of its own, that plays when it is told to."""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from benchmarks.workload import Match

HOME = Path.home() / ".cache/bench-peers/venv/bin/python"
"""The Python that has open-spiel, unless `$BENCH_PEERS` names another."""


class OpenSpiel:
    """`installed` says whether there is one; used as a context, it waits with the workload loaded."""

    def __init__(self, work: list[Match], passes: int) -> None:
        self._python = os.environ.get("BENCH_PEERS", str(HOME))
        self._work = work
        self._passes = passes
        self._end = ExitStack()

    @property
    def installed(self) -> bool:
        """Whether open-spiel can be imported there."""
        if not Path(self._python).exists():
            return False
        probe = [self._python, "-c", "import pyspiel"]
        return subprocess.run(probe, check=False, capture_output=True).returncode == 0

    def __enter__(self) -> Self:
        if self.installed:
            folder = Path(self._end.enter_context(TemporaryDirectory()))
            (folder / "workload.json").write_text(
                json.dumps([[m.decks, m.moves, m.final] for m in self._work])
            )
            script = Path(__file__).with_name("openspiel_peer.py")
            command = [self._python, str(script), str(folder / "workload.json"), str(self._passes)]
            pipe = subprocess.PIPE
            self._program = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
            self._end.enter_context(self._program)
        return self

    def __exit__(self, *_: object) -> None:
        self._end.close()

    def moves_a_second(self) -> float:
        """One round."""
        program = self._program
        assert program.stdin
        assert program.stdout
        program.stdin.write("go\n")
        program.stdin.flush()
        return float(program.stdout.readline())
