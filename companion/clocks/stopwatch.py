"""Seconds of play: they go on while people play and stand still while they don't."""

from __future__ import annotations

from collections.abc import Callable


class Stopwatch:
    """`Stopwatch(time.monotonic, 812.5)` stands at 812.5 until `go`; `clock` has any zero and never jumps."""

    def __init__(self, clock: Callable[[], float], at: float = 0.0) -> None:
        self._clock = clock
        self._at = at
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        """How long was played, to the thousandth."""
        more = 0.0 if self._since is None else self._clock() - self._since
        return int((self._at + more) * 1000 + 0.5) / 1000  # a quarter of what `round` takes, at every answer

    @property
    def stands(self) -> bool:
        """Whether time stands still."""
        return self._since is None

    def go(self) -> None:
        """From now on time is play."""
        if self._since is None:
            self._since = self._clock()

    def stop(self) -> None:
        """From now on nothing is counted."""
        self._at, self._since = self.seconds, None
