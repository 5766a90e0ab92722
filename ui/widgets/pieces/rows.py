"""Marks in rows: which of them stand beside each other, how high that is, and where each has its spot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ui.widgets.drawing.surfaces import Box
from ui.widgets.pieces.marks import LeftOut, Mark


class Placed(NamedTuple):
    """A mark at its spot; `high` is how high a line of it is."""

    mark: Mark
    x: float
    y: float
    high: float

    def draw(self) -> None:
        """The mark, there."""
        self.mark.draw(self.x, self.y, self.high)

    @property
    def box(self) -> Box:
        """Where it stands."""
        return self.x, self.y, self.mark.across(self.high), self.high * self.mark.lines


Rows = Sequence[Sequence[Mark]]


def flow(marks: Sequence[Mark], high: float, width: float, gap: float) -> list[list[Mark]]:
    """Rows of marks, each row no wider than that; what is wider is taken apart, or has a row of its own."""
    rows: list[list[Mark]] = []
    used = 0.0
    for mark in _apart(marks, high, width):
        wide = mark.across(high)
        if not rows or used + gap + wide > width:
            rows.append([])
            used = -gap
        rows[-1].append(mark)
        used += gap + wide
    return rows


def _apart(marks: Sequence[Mark], high: float, width: float) -> Iterator[Mark]:
    for mark in marks:
        yield from mark.apart(high, width) if mark.across(high) > width else (mark,)


def height_of(rows: Rows, high: float, between: float) -> float:
    """How high those rows are together."""
    lines = sum(max(mark.lines for mark in row) for row in rows)
    return lines * high + max(0, len(rows) - 1) * between


def widest(rows: Rows, high: float, gap: float) -> float:
    """How wide the widest of those rows is."""
    return max((sum(mark.across(high) + gap for mark in row) - gap for row in rows), default=0.0)


def with_room(
    rows: Sequence[Sequence[Mark]],
    high: float,
    size: tuple[float, float],
    gap: float,
    between: float,
    more: Callable[[int], str],
) -> list[list[Mark]]:
    """As many rows as there is room for; how many marks are left out is said at their end, as `more`.

    Rows and marks of the highest weight are left out first, of equal ones the last.
    """
    shown, left, (width, height) = [list(row) for row in rows], 0, size

    def has_room(rows: Rows) -> bool:
        return height_of(rows, high, between) <= height + 1

    while len(shown) > 1 and not has_room(shown):
        left += len(shown.pop(_heaviest([min(mark.weight for mark in row) for row in shown])))
    if not left:
        return shown
    last = shown[-1]
    last.append(LeftOut(more(left)))
    apart = [*shown[:-1], last[:-1], last[-1:]]
    if widest([last], high, gap) > width and has_room(apart):
        return apart
    while len(last) > 1 and widest([last], high, gap) > width:
        at = _heaviest([mark.weight for mark in last[:-1]])
        if last[at].weight < 0:
            del last[-1]
            break
        del last[at]
        left += 1
        last[-1] = LeftOut(more(left))
    return shown


def _heaviest(weights: Sequence[int]) -> int:
    """The index of the highest of these, the last of equal ones."""
    return max(range(len(weights)), key=lambda at: (weights[at], at))


def place(rows: Rows, x: float, top: float, high: float, gap: float, between: float) -> list[Placed]:
    """Those rows from a top left corner downwards; what is lower than its row stands in its middle."""
    placed: list[Placed] = []
    for row in rows:
        tall = max(mark.lines for mark in row) * high
        left = x
        for mark in row:
            placed.append(Placed(mark, left, top - (tall + mark.lines * high) / 2, high))
            left += mark.across(high) + gap
        top -= tall + between
    return placed
