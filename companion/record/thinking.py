"""How long people thought: the seconds of play between what was there before and the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.events import Answered, Corrected, Event
from companion.run import Told
from companion.seats import Seat, Seats


class Thinking(msgspec.Struct, frozen=True):
    """One seat's answers and the seconds they took, `longest` the longest of them.

    `seat` None: what several seats or the table answered together.
    """

    seat: Seat | None
    answers: int
    seconds: float
    longest: float


def thinking(events: Iterable[Event], told: Sequence[Told], seats: Seats) -> tuple[Thinking, ...]:
    """Everybody's times, in the order of the seats, then what was answered together; of answers in force."""
    waited = _waited(events)
    taken: dict[Seat | None, list[float]] = {seat: [] for seat in (*seats, None)}
    for one in told:
        asked = one.question.seats
        taken[asked[0] if len(asked) == 1 else None].append(waited.get(one.n, 0.0))
    return tuple(
        Thinking(seat, len(times), round(sum(times), 1), round(max(times), 1))
        for seat, times in taken.items()
        if times
    )


def _waited(events: Iterable[Event]) -> dict[int, float]:
    """Seconds before each answer since the thing before it, undone or not; clocks stand still at night."""
    before, waited = 0.0, dict[int, float]()
    for event in events:
        if isinstance(event, Answered):
            waited[event.n] = max(0.0, event.at - before)
        if isinstance(event, (Answered, Corrected)):
            before = event.at
    return waited
