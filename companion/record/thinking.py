"""How long people thought: the same seconds of play that a clock counts against them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.clocks import SECOND, Times
from companion.clocks.times import parts
from companion.log.events import Answered, Event
from companion.table.seats import Seat, Seats


class Thinking(msgspec.Struct, frozen=True):
    """One seat's answers and the seconds they took, `longest` the longest of them.

    Answers that were taken back count too: time never comes back. `seat` None: what the table answered.
    """

    seat: Seat | None
    answers: int
    seconds: float
    longest: float


def thinking(events: Iterable[Event], seats: Seats) -> tuple[Thinking, ...]:
    """Everybody's times in the order of the seats, then the table's."""
    times = Times()
    taken: dict[int, list[int]] = {number: [] for number in (*(seat.number for seat in seats), 0)}
    for event in events:
        before, asked = times.spent.copy(), times.asked
        times.add(event)
        if isinstance(event, Answered):
            _, who, _ = parts(event.asks)
            for number in who:
                taken[number].append(times.spent[number] - before[number])
            if not who:
                taken[0].append(times.now - asked)
    return tuple(
        Thinking(seat, len(took), sum(took) / SECOND, max(took) / SECOND)
        for seat in (*seats, None)
        if (took := taken[seat.number if seat else 0])
    )
