"""A clock for windows in tests: frames of a slow machine last no longer than those of a fast one."""

from __future__ import annotations

import time
from collections.abc import Callable

MAX_STEP_SECONDS = 0.02
"""The most time that passes between two readings, of which Kivy makes two or more in each frame."""


class SteadyTime:
    """Seconds that go on like `seconds`, but at most `MAX_STEP_SECONDS` from one reading to the next.

    A busy machine may take seconds for a frame. What the app shows only for a while would then be gone before
    a test has looked at it.
    """

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._last_reading = self._now = seconds()

    def __call__(self) -> float:
        """Returns the time in seconds."""
        reading = self.seconds()
        self._now += min(max(0.0, reading - self._last_reading), MAX_STEP_SECONDS)
        self._last_reading = reading
        return self._now

    def continue_from(self, now: float) -> None:
        """Goes on from `now`, unless it is later already: events of a clock that goes back are never due."""
        self._now = max(self._now, now)
