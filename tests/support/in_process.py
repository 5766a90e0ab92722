"""The program run in this process on whatever comes in, and how it may end: for the fuzzers.

By itself, with a sentence: no traceback, no refusal that repeats more than 200 letters, nothing that steers a
terminal, and soon.
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
from tests.support.mutations import MARK

SECOND, PATIENCE = 1.0, 10.0
"""Of the processor's time: what anything may take, and what is a fault on the slowest day of this machine."""
REPEATED = 200
NO_SUCH_RULES = "(?m)^With the rules of this version|^The rules of .* crashed at the start"
"""What is said where a log was played by other rules, or with cards that those never had."""
STEERING = {"Cc", "Cs", "Zl", "Zp"}
"""Control characters, halves of letters, ends of lines and paragraphs."""


class Ended(NamedTuple):
    """How the program ended, and what it said."""

    status: int | str | None
    said: str
    complained: str


class Spent:
    """The processor's time: the longest that anything took, and how often it was more than a second."""

    longest = 0.0
    slow = 0


class TooLong(BaseException):
    """It took longer than anybody waits."""


@contextmanager
def timed() -> Iterator[None]:
    """Notes what it took; raises `TooLong` where that is more than `PATIENCE`."""

    def stop(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    begun = time.process_time()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        spent = time.process_time() - begun
        Spent.longest = max(Spent.longest, spent)
        Spent.slow += spent > SECOND


def run(words: Sequence[str], said: bytes = b"") -> Ended:
    """The program in this process, with these bytes on its standard input."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", newline="")
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(said), "utf-8")
    try:
        with timed(), redirect_stdout(out), redirect_stderr(err):
            status: int | str | None = cli.main(words)
    except SystemExit as end:  # so argparse ends
        status = end.code
    finally:
        sys.stdin = before
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())
    return Ended(status, *texts)


def check(ended: Ended, *, lines_of_json: bool = False) -> None:
    """Raises `AssertionError` where that isn't how a program ends."""
    assert ended.status in {0, 2} or (ended.status == 1 and re.search(NO_SUCH_RULES, ended.complained)), (
        f"status {ended.status}: {ended.complained[:300]!r}"
    )
    seen = ended.complained if lines_of_json else ended.said + ended.complained
    steering = {letter for letter in seen if unicodedata.category(letter) in STEERING} - {"\n"}
    assert not steering, f"control characters on the terminal: {steering!r}"
    refusal = ended.complained
    if lines_of_json:
        replies = [json.loads(line) for line in ended.said.splitlines()]
        refusal += "\n".join(str(reply.get("error", "")) for reply in replies)
    assert MARK * (REPEATED + 1) not in refusal, "a refusal repeats too much"
    assert len(max(refusal.split("\n"), key=len)) < 3_000, "a refusal is too long"
