"""The clock at the table, a device like any other: it rings, or it answers for who is too slow.

It runs nothing by itself: whoever runs the front end calls `tick` after `seconds_until_due`, in the same
thread.
"""

from __future__ import annotations

import msgspec

from companion.clocks import (
    PRICE_KEY,
    TICKS_PER_SECOND,
    ClockContext,
    RunningClock,
    count_finished_turns,
    running_clocks,
    to_ticks,
)
from companion.session.session import Session
from companion.texts import Say

WHOLE_GAME_CLOCKS = ("game", "budget")
"""Clocks that go on from question to question: each rings once when it is up."""


class ClockRing(msgspec.Struct, frozen=True):
    """A clock is up: the text to show; `answered`: question `n` got its default answer.

    `quiet`: a price has fallen, of which nobody need be told: it is what is asked now.
    """

    n: int
    text: Say
    answered: bool
    quiet: bool = False


class Timekeeper:
    """`Timekeeper(session)`; it never answers twice for one clock and one question."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._rung: set[object] = set()

    @property
    def clocks(self) -> list[RunningClock]:
        """The state of every clock of the table; [] when the game is over."""
        session = self._session
        if not session.clocks or session.question is None or session.is_put_away:
            return []
        steps = session.steps if session.clocks.increment else ()
        moment = ClockContext(
            session.question,
            to_ticks(session.played_seconds),
            session.table.seats,
            session.drafts,
            count_finished_turns(steps, session.question, session.times.timed_out),
        )
        return running_clocks(session.clocks, session.times, moment)

    @property
    def seconds_until_due(self) -> float | None:
        """Seconds until a clock is up that has not rung; None while time stands still or nothing ends."""
        if self._session.are_clocks_paused:
            return None
        waits = [clock.remaining_ticks for clock in self._waiting() if clock.remaining_ticks is not None]
        return min((max(0, left) / TICKS_PER_SECOND for left in waits), default=None)

    def tick(self) -> ClockRing | None:
        """Rings for the first clock that is up, or gives the default answer; call it until it returns None.

        Raises like `Session.expire_time`; the clock has rung all the same, and the question waits.
        """
        session = self._session
        up = next((clock for clock in self._waiting() if clock.is_up), None)
        if up is None or session.are_clocks_paused:
            return None
        n = session.question_number
        self._rung.add(self._mark(up))
        answered = up.answers_on_timeout and session.expire_time(n, up.seats)
        return ClockRing(n, up.ring_text, answered, quiet=answered and up.key == PRICE_KEY)

    def _waiting(self) -> list[RunningClock]:
        """Returns the running clocks that have not rung since they last had time."""
        going = [clock for clock in self.clocks if clock.is_running]
        self._rung -= {self._mark(clock) for clock in going if not clock.is_up}
        return [clock for clock in going if self._mark(clock) not in self._rung]

    def _mark(self, clock: RunningClock) -> object:
        once = clock.key in WHOLE_GAME_CLOCKS and not clock.answers_on_timeout
        seats = tuple(seat.number for seat in clock.seats)  # names may change while a clock is up
        return clock.key, seats, None if once else self._session.question_number
