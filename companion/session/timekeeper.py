"""The clocks at the table: they ring, or give default answers for players whose time is up.

Nothing runs by itself: the front end calls `ring_next_due_clock` after `seconds_until_next_ring`, in the same
thread.
"""

from __future__ import annotations

import msgspec

from companion.clocks import (
    PRICE_KEY,
    REMINDER_KEY,
    TICKS_PER_SECOND,
    ClockContext,
    ClockState,
    compute_clock_states,
    count_finished_turns,
    to_ticks,
)
from companion.session.session import Session
from companion.texts import Say

WHOLE_GAME_CLOCK_KEYS = ("game", "budget", REMINDER_KEY)
"""Keys of the clocks that run on from question to question, so that each rings only once."""


class ClockTimeout(msgspec.Struct, frozen=True):
    """A clock whose time is up, with the text to show.

    `gave_default_answer`: the question got its default answer. `is_silent`: a price has fallen; the new
    question shows it, so no message is needed.
    """

    question_number: int
    text: Say
    gave_default_answer: bool
    is_silent: bool = False


class Timekeeper:
    """Rings the clocks of a session, and gives default answers when their time is up.

    A clock never answers the same question twice.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._keys_of_rung_clocks: set[object] = set()

    @property
    def clock_states(self) -> list[ClockState]:
        """The state of every clock of the table; [] when the game is over."""
        session = self._session
        if not session.has_clocks or session.question is None or session.is_put_away:
            return []
        steps = session.steps if session.clock_settings.increment else ()
        context = ClockContext(
            session.question,
            to_ticks(session.played_seconds),
            session.table.seats,
            session.drafts,
            count_finished_turns(steps, session.question, session.time_used.default_answers),
            session.table.reminder,
            to_ticks(session.reminder_clock_start),
        )
        return compute_clock_states(session.clock_settings, session.time_used, context)

    @property
    def seconds_until_next_ring(self) -> float | None:
        """Seconds until the next clock rings; None while the clocks are paused or if no clock will ring."""
        if self._session.are_clocks_paused:
            return None
        remaining_ticks = [
            ticks for clock in self._clocks_to_ring() if (ticks := clock.ticks_until_time_up) is not None
        ]
        return min((max(0, ticks) / TICKS_PER_SECOND for ticks in remaining_ticks), default=None)

    def ring_next_due_clock(self) -> ClockTimeout | None:
        """Rings the first clock whose time is up, or gives the default answer; call it until it returns None.

        Raises the errors of `Session.give_timeout_answers`; then the clock has rung anyway, and the question
        waits.
        """
        session = self._session
        clock = next((clock for clock in self._clocks_to_ring() if clock.is_time_up), None)
        if clock is None or session.are_clocks_paused:
            return None
        question_number = session.question_number
        self._keys_of_rung_clocks.add(self._ring_key(clock))
        has_answered = clock.answers_on_timeout and session.give_timeout_answers(question_number, clock.seats)
        is_silent = has_answered and clock.key == PRICE_KEY
        return ClockTimeout(question_number, clock.timeout_text, has_answered, is_silent=is_silent)

    def _clocks_to_ring(self) -> list[ClockState]:
        """Returns the running clocks that haven't rung since they last had time left."""
        running_clocks = [clock for clock in self.clock_states if clock.is_running]
        self._keys_of_rung_clocks -= {
            self._ring_key(clock) for clock in running_clocks if not clock.is_time_up
        }
        return [clock for clock in running_clocks if self._ring_key(clock) not in self._keys_of_rung_clocks]

    def _ring_key(self, clock: ClockState) -> object:
        """Returns a key that is equal for all rings of a clock of which only the first one counts."""
        rings_once = clock.key in WHOLE_GAME_CLOCK_KEYS and not clock.answers_on_timeout
        seats = tuple(seat.number for seat in clock.seats)  # names may change after a clock has rung
        return clock.key, seats, None if rings_once else self._session.question_number
