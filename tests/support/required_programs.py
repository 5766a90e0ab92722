"""Which programs the machine has that tests run, and what a run didn't check for want of something."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

LISTED = Path(__file__).parents[1] / "programs.txt"
"""Programs and their packages, as `make test` installs them."""


def needed() -> dict[str, tuple[str, ...]]:
    """Programs that tests may run, each with all that can stand in for it, by the first of them."""
    lines = (line.split() for line in LISTED.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {programs[0]: tuple(programs) for _, *programs in lines}


def find(program: str) -> str | None:
    """Where a listed program is, or one that stands in for it; None: this machine has none."""
    return next(filter(None, map(shutil.which, needed()[program])), None)


def path_of(program: str) -> str:
    """Path of a program for a test that is marked with `needs`, which runs only where the program is."""
    found = find(program)
    assert found is not None, f"mark this test with needs({program!r})"
    return found


def not_checked(reasons: Iterable[str]) -> str:
    """One line that says what was not checked; `reasons` has one for each test that was skipped.

    What follows a colon is about one test alone, and pytest prints it above.
    """
    counted = Counter(reason.partition(":")[0] for reason in reasons).most_common()
    skipped = (f"{count} test{'s' * (count > 1)} ({reason})" for reason, count in counted)
    return f"Not checked: {'; '.join(skipped) or 'nothing'}."
