"""From when to when a game is played, as far as this machine knows the time."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec

from companion.log.dates import Played


class PlayDateTracker:
    """`clock` gives the seconds since 1970, None where the time isn't known; `seconds` those that never jump.

    A clock may be set while people play: then the beginning is as long ago as `seconds` have passed.
    """

    def __init__(
        self,
        clock: Callable[[], float | None] = lambda: None,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._seconds = seconds
        self._begun: float | None = None

    def begin(self) -> Played:
        """The dates of a game that begins now."""
        self._begun = self._seconds()
        now = self._clock()
        return Played(now, now)

    def extended(self, played: Played) -> Played:
        """Returns the dates extended to now, or unchanged if the time isn't known."""
        now = self._clock()
        if now is None:
            return played
        began = played.began
        if began is None and self._begun is not None:
            began = max(0.0, now - (self._seconds() - self._begun))
        return msgspec.structs.replace(played, began=began, ended=now)
