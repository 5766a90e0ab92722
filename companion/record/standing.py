"""The score as it stood after each answer: what the charts of a finished game are drawn from."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.session.run import Run
from companion.session.session import Session
from companion.table.seats import Seat

MARKS = 6
"""So many shapes stand on a line."""


class Moment(msgspec.Struct, frozen=True):
    """Everybody's total after one more answer or correction; `n` is the question that was open."""

    n: int
    totals: dict[Seat, int]


def standing(session: Session) -> tuple[Moment, ...]:
    """The score over the whole game; nothing before a game is over, because it counts what is covered.

    Nothing either where the rulebook can't tell the score before its end.
    """
    if session.result is None and not session.put_aside:
        return ()
    found = [
        Moment(step.n, totals)
        for step, run in zip(session.steps, session.moments(), strict=True)
        if (totals := _totals(run)) is not None
    ]
    return tuple(found) if len(found) > 1 else ()


def turns(moments: Sequence[Moment], seat: Seat) -> list[tuple[int, int]]:
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


def _totals(run: Run) -> dict[Seat, int] | None:
    result = run.score()
    return {one.seat: one.total for one in result.standings} if result else None
