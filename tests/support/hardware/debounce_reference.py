"""A second implementation of the rule in hardware.gpio.buttons, for complete traces of edges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from hardware.gpio.buttons import MAX_BOUNCE_SECONDS, MIN_STABLE_SECONDS

LONG_BEFORE = -1.0
"""A time in seconds long before any edge."""


class Transition(NamedTuple):
    """A press or a release: its time, and the time at which it can be known."""

    is_down: bool
    seconds: float
    due_seconds: float


def debounce_trace(trace: Sequence[tuple[float, bool]]) -> list[Transition]:
    """Returns the levels that lasted `MIN_STABLE_SECONDS` and beyond the bounce window of the one before."""
    taken = [Transition(is_down=False, seconds=LONG_BEFORE, due_seconds=LONG_BEFORE)]
    left, rested = LONG_BEFORE, 0.0
    ends = [*(at for at, _ in trace[1:]), math.inf]
    for (at, is_down), end in zip(trace, ends, strict=True):
        last = taken[-1]
        if is_down != last.is_down and (rested >= MIN_STABLE_SECONDS or at - left >= MAX_BOUNCE_SECONDS):
            left = at
        due = max(at + MIN_STABLE_SECONDS, last.seconds + MAX_BOUNCE_SECONDS)
        if is_down != last.is_down and end >= due:
            taken.append(Transition(is_down, left, due))
        rested = end - at if is_down == taken[-1].is_down else 0.0
    return taken[1:]
