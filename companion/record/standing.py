"""What charts are drawn from: the score as it stood after each answer, and how long people thought.

They thought the same seconds of play that a clock counts against them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.clocks import SECOND, Times
from companion.clocks.times import parts
from companion.log.events import Answered, Event
from companion.session.run import Run
from companion.session.session import Session
from companion.table.seats import Seat, Seats

MARKS = 6
"""Most shapes on a line."""


class Totals(msgspec.Struct, frozen=True):
    """Everybody's total after one more answer or correction; `n` is the question that was open."""

    n: int
    totals: dict[Seat, int]


def standing(session: Session) -> tuple[Totals, ...]:
    """The score over the whole game; while it is played nothing, if anything ever lay covered in it.

    Nothing either where the rulebook can't tell the score before its end.
    """
    is_over, found = session.result is not None or session.put_aside, []
    for step, run in zip(session.steps, session.moments(), strict=True):
        if not is_over and any(account.covered for account in run.table.ledger):
            return ()
        if (totals := _totals(run)) is not None:
            found.append(Totals(step.n, totals))
    return tuple(found) if len(found) > 1 else ()


def turns(moments: Sequence[Totals], seat: Seat) -> list[tuple[int, int]]:
    """The corners of one seat's line: (steps played, total), without the points between two equal ones."""
    points = [(at, moment.totals[seat]) for at, moment in enumerate(moments)]
    last = len(points) - 1
    return [
        point
        for at, point in enumerate(points)
        if at in {0, last} or not points[at - 1][1] == point[1] == points[at + 1][1]
    ]


def marks(count: int, turn: float) -> list[int]:
    """Where on a line of so many moments a seat's shape stands; `turn`, from 0 to 1, keeps seats apart."""
    return [round((mark + turn) * (count - 1) / MARKS) for mark in range(MARKS)]


def reach(moments: Sequence[Totals]) -> tuple[int, int]:
    """The lowest and highest total that a chart has room for: from 0 on, unless all stand far above it."""
    totals = [total for moment in moments for total in moment.totals.values()]
    low, high = min(totals), max(totals)
    return (low, high) if 0 < high - low < low else (min(0, low), max(1, high))


def _totals(run: Run) -> dict[Seat, int] | None:
    result = run.score()
    return {one.seat: one.total for one in result.standings} if result else None


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
