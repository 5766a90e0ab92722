"""Runs the program in this process, and checks how it ended. For the fuzz tests.

The program must end soon and by itself, with a sentence: no traceback, no error message that repeats more
than 200 letters of the input, and no control characters for the terminal.
"""

from __future__ import annotations

import io
import json
import re
import signal
import sys
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import NamedTuple

from companion import cli
from tests.support.mutations import MUTATION_MARKER

SLOW_CPU_SECONDS, MAX_CPU_SECONDS = 1.0, 10.0
"""CPU time that a run should take at most, and CPU time after which even a slow machine has a fault."""
MAX_REPEATED_LETTERS = 200
INCOMPATIBLE_RULES_MESSAGE = "(?m)^With the rules of this version|^The rules of .* crashed at the start"
"""The error messages for a log that was played by other rules, or with cards that those rules never had."""
CONTROL_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}
"""Unicode categories: control characters, surrogates, line separators and paragraph separators."""


class ProgramResult(NamedTuple):
    """The exit status and the output of the program."""

    status: int | str | None
    output: str
    error_output: str


class CpuTimeStats:
    """The longest CPU time of a run, and the number of runs that took more than `SLOW_CPU_SECONDS`."""

    longest = 0.0
    over_limit_count = 0


class CpuTimeExceeded(BaseException):
    """A run took more than `MAX_CPU_SECONDS`."""


@contextmanager
def limit_cpu_time() -> Iterator[None]:
    """Adds the CPU time of the block to `CpuTimeStats`; raises `CpuTimeExceeded` after `MAX_CPU_SECONDS`."""

    def stop(*_: object) -> None:
        raise CpuTimeExceeded

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, MAX_CPU_SECONDS)
    start = time.process_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        cpu_seconds = time.process_time() - start
        CpuTimeStats.longest = max(CpuTimeStats.longest, cpu_seconds)
        CpuTimeStats.over_limit_count += cpu_seconds > SLOW_CPU_SECONDS


def run_in_process(arguments: Sequence[str], input_bytes: bytes = b"") -> ProgramResult:
    """Runs the program in this process, with `input_bytes` on its standard input."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="")
    old_stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(input_bytes), "utf-8")
    try:
        with limit_cpu_time(), redirect_stdout(out), redirect_stderr(err):
            status: int | str | None = cli.main(arguments)
    except SystemExit as end:  # argparse exits like this
        status = end.code
    finally:
        sys.stdin = old_stdin
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return ProgramResult(status, *texts)


def check_clean_exit(result: ProgramResult, *, is_json_output: bool = False) -> None:
    """Raises `AssertionError` unless the program ended as the module's docstring demands."""
    assert result.status in {0, 2} or (
        result.status == 1 and re.search(INCOMPATIBLE_RULES_MESSAGE, result.error_output)
    ), f"status {result.status}: {result.error_output[:300]!r}"
    shown = result.error_output if is_json_output else result.output + result.error_output
    control_characters = {
        letter for letter in shown if unicodedata.category(letter) in CONTROL_CATEGORIES
    } - {"\n"}
    assert not control_characters, f"control characters on the terminal: {control_characters!r}"
    error_text = result.error_output
    if is_json_output:
        replies = [json.loads(line) for line in result.output.splitlines()]
        error_text += "\n".join(str(reply.get("error", "")) for reply in replies)
    assert MUTATION_MARKER * (MAX_REPEATED_LETTERS + 1) not in error_text, "an error message repeats too much"
    assert len(max(error_text.split("\n"), key=len)) < 3_000, "an error message is too long"
