"""Runs the installed program as its users run it."""

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

TIMEOUT_SECONDS = 60.0
"""A test fails if the program writes nothing, or doesn't end, for this time."""


def run_companion(
    command: Sequence[str], state: Path, input_text: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs the program to its end, with `input_text` on its standard input."""
    return subprocess.run(
        [COMPANION, *command, "--state", str(state)],
        input=input_text,
        text=True,
        capture_output=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )


def wait_until_idle(pid: int) -> None:
    """Waits until the program sleeps, so that it handles a signal at once.

    Python handles signals between two instructions: a signal that comes just before a program reads its
    input is handled only after the next line.
    """
    end = time.monotonic() + TIMEOUT_SECONDS
    while Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "S":
        assert time.monotonic() < end, "the program is never idle"
        select.select([], [], [], 0.001)


class JsonProgram:
    """The program as a child process that speaks JSON lines; without `seats` it resumes the open game."""

    def __init__(self, state: Path, game: str, seats: str | None = None) -> None:
        seat_options = ["--resume"] if seats is None else ["--seats", seats]
        self._process = subprocess.Popen(
            [COMPANION, "play", game, "--json", *seat_options, "--state", str(state)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.first_reply: Json = self._read_reply()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin
        assert self._process.stdout
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(TIMEOUT_SECONDS)
        finally:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()

    def send(self, request: Json) -> Json:
        """Sends one line and returns the reply; raises `BrokenPipeError` if the program has ended."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        return self._read_reply()

    def kill(self) -> None:
        """Kills the program with SIGKILL."""
        self._process.kill()

    def _read_reply(self) -> Json:
        assert self._process.stdout
        # Never more than one line is waiting, so no line is in the buffer behind the pipe.
        assert select.select([self._process.stdout], [], [], TIMEOUT_SECONDS)[0], "the program says nothing"
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise BrokenPipeError
        reply: Json = json.loads(line)
        return reply
