"""Arranges marks in rows: which stand side by side, how high the rows are, and where each mark stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ui.widgets.drawing.surfaces import Box
from ui.widgets.pieces.marks import LeftOutCountBadge, Mark


class PlacedMark(NamedTuple):
    """A mark with its position and the height of a line."""

    mark: Mark
    x: float
    y: float
    line_height: float

    def draw(self) -> None:
        """Draws the mark at its position."""
        self.mark.draw(self.x, self.y, self.line_height)

    @property
    def box(self) -> Box:
        """Box of the mark."""
        return (
            self.x,
            self.y,
            self.mark.width_at(self.line_height),
            self.line_height * self.mark.height_in_lines,
        )


MarkRows = Sequence[Sequence[Mark]]


def flow_into_rows(
    marks: Sequence[Mark], line_height: float, max_width: float, gap: float
) -> list[list[Mark]]:
    """Distributes marks over rows no wider than `max_width`; a wider mark is split or gets its own row."""
    rows: list[list[Mark]] = []
    used = 0.0
    for mark in _apart(marks, line_height, max_width):
        wide = mark.width_at(line_height)
        if not rows or used + gap + wide > max_width:
            rows.append([])
            used = -gap
        rows[-1].append(mark)
        used += gap + wide
    return rows


def _apart(marks: Sequence[Mark], line_height: float, max_width: float) -> Iterator[Mark]:
    for mark in marks:
        yield from (
            mark.split_to_fit(line_height, max_width) if mark.width_at(line_height) > max_width else (mark,)
        )


def rows_height(rows: MarkRows, line_height: float, row_gap: float) -> float:
    """Returns the height of all rows together."""
    lines = sum(max(mark.height_in_lines for mark in row) for row in rows)
    return lines * line_height + max(0, len(rows) - 1) * row_gap


def widest_row_width(rows: MarkRows, line_height: float, gap: float) -> float:
    """Returns the width of the widest row."""
    return max((sum(mark.width_at(line_height) + gap for mark in row) - gap for row in rows), default=0.0)


def drop_marks_to_fit(
    rows: Sequence[Sequence[Mark]],
    line_height: float,
    available_size: tuple[float, float],
    gap: float,
    row_gap: float,
    say_left_out: Callable[[int], str],
) -> list[list[Mark]]:
    """Drops marks until the rest of the rows fit.

    Rows may be left out, too. The highest drop priority is left out first, of equal ones the last.
    `say_left_out` makes the text that says how many.
    """
    shown, left, (width, height) = [list(row) for row in rows], 0, available_size

    def has_room(rows: MarkRows) -> bool:
        return rows_height(rows, line_height, row_gap) <= height + 1

    while len(shown) > 1 and not has_room(shown):
        left += len(shown.pop(_first_to_drop([min(mark.drop_priority for mark in row) for row in shown])))
    if not left:
        return shown
    last = shown[-1]
    last.append(LeftOutCountBadge(say_left_out(left)))
    apart = [*shown[:-1], last[:-1], last[-1:]]
    if widest_row_width([last], line_height, gap) > width and has_room(apart):
        return apart
    while len(last) > 1 and widest_row_width([last], line_height, gap) > width:
        at = _first_to_drop([mark.drop_priority for mark in last[:-1]])
        if last[at].drop_priority < 0:
            del last[-1]
            break
        del last[at]
        left += 1
        last[-1] = LeftOutCountBadge(say_left_out(left))
    return shown


def _first_to_drop(drop_priorities: Sequence[int]) -> int:
    """Returns the index of the highest priority, the last of equal ones."""
    return max(range(len(drop_priorities)), key=lambda at: (drop_priorities[at], at))


def place_rows(
    rows: MarkRows, x: float, top: float, line_height: float, gap: float, row_gap: float
) -> list[PlacedMark]:
    """Places rows from a top left corner downwards; a low mark stands in the middle of its row."""
    placed: list[PlacedMark] = []
    for row in rows:
        tall = max(mark.height_in_lines for mark in row) * line_height
        left = x
        for mark in row:
            placed.append(
                PlacedMark(mark, left, top - (tall + mark.height_in_lines * line_height) / 2, line_height)
            )
            left += mark.width_at(line_height) + gap
        top -= tall + row_gap
    return placed
