"""The installed program, run as its users run it."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

COMPANION = str(Path(sys.executable).with_name("companion"))

Json = dict[str, Any]

PATIENCE = 60.0
"""Seconds after which a program that says nothing, or doesn't end, is given up."""


def ran(command: Sequence[str], state: Path, said: str = "") -> subprocess.CompletedProcess[str]:
    """The program itself, with these lines on its standard input."""
    return subprocess.run(
        [COMPANION, *command, "--state", str(state)],
        input=said,
        text=True,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )


def rests(pid: int) -> None:
    """Returns once the program does nothing but wait, so that it hears a signal at once.

    Python looks at signals between two instructions: one that comes just before a program reads its
    input is heard only after the next line.
    """
    end = time.monotonic() + PATIENCE
    while Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "S":
        assert time.monotonic() < end, "the program is never at rest"
        select.select([], [], [], 0.001)


class Player:
    """The program as a child process that is talked to line by line; resumes unless it is told who plays."""

    def __init__(self, state: Path, game: str, seats: str | None = None) -> None:
        party = ["--resume"] if seats is None else ["--seats", seats]
        self._process = subprocess.Popen(
            [COMPANION, "play", game, "--json", *party, "--state", str(state)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.first: Json = self._heard()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        assert self._process.stdout
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()

    def says(self, said: Json) -> Json:
        """One line in, one line back; raises `BrokenPipeError` once the program is dead."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(said).encode() + b"\n")
        self._process.stdin.flush()
        return self._heard()

    def kill(self) -> None:
        """SIGKILL."""
        self._process.kill()

    def _heard(self) -> Json:
        assert self._process.stdout
        # Never more than one line is waiting, so that none is in the buffer behind the pipe.
        assert select.select([self._process.stdout], [], [], PATIENCE)[0], "the program says nothing"
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise BrokenPipeError
        heard: Json = json.loads(line)
        return heard
