"""Counts wrong PINs; after some in a row, nobody may enter a PIN for a while."""

from __future__ import annotations

import time
from collections.abc import Callable

from ui import theme

MAX_WRONG_PINS = 5
"""After this many wrong PINs in a row, people wait; so trying all 10,000 takes most of a day."""


class PinAttempts:
    """Counts wrong PINs of an app, on all its pages: `PinAttempts()`; `seconds` returns monotonic seconds."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._wrong_count = 0
        self._wait_until = 0.0

    @property
    def remaining_wait_seconds(self) -> float:
        """Returns for how many seconds nobody may enter a PIN; 0 if people may."""
        return max(0.0, self._wait_until - self._seconds())

    def count_wrong_pin(self) -> None:
        """Counts a wrong PIN; the last one that is allowed starts the wait."""
        self._wrong_count += 1
        if self._wrong_count == MAX_WRONG_PINS:
            self._wrong_count = 0
            self._wait_until = self._seconds() + theme.WRONG_PINS_WAIT_SECONDS

    def count_correct_pin(self) -> None:
        """Forgets the wrong PINs, because somebody knows the PIN."""
        self._wrong_count = 0
