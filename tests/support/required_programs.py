"""Finds the programs that tests run, and summarizes what a test run skipped."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path

PROGRAM_LIST = Path(__file__).parents[1] / "programs.txt"
"""The programs and their packages, as `make test` installs them."""


def alternatives_by_program() -> dict[str, tuple[str, ...]]:
    """Returns the programs that tests may run, by name, each with its alternatives."""
    lines = (
        line.split() for line in PROGRAM_LIST.read_text("utf-8").splitlines() if not line.startswith("#")
    )
    return {programs[0]: tuple(programs) for _, *programs in lines}


def find_program(program: str) -> str | None:
    """Returns the path of a listed program or file or of an alternative; None if this machine has none."""
    find = partial(shutil.which, mode=os.F_OK)  # a file needs no right to be run
    return next(filter(None, map(find, alternatives_by_program()[program])), None)


def path_of_required_program(program: str) -> str:
    """Returns the path of a program for a test that is marked with `needs` and skipped without it."""
    found = find_program(program)
    assert found is not None, f"mark this test with needs({program!r})"
    return found


def summarize_skipped_tests(reasons: Iterable[str]) -> str:
    """Returns one line with what was not checked; `reasons` has the reason of each skipped test.

    The part of a reason after a colon is about one test only, and pytest prints it above.
    """
    counted = Counter(reason.partition(":")[0] for reason in reasons).most_common()
    skipped = (f"{count} test{'s' * (count > 1)} ({reason})" for reason, count in counted)
    return f"Not checked: {'; '.join(skipped) or 'nothing'}."
