"""Arranges marks in rows: distributes, measures, drops and places them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain

from ui.widgets.pieces.marks import LeftOutCountBadge, Mark, PlacedMark, split_if_too_wide

MarkRows = Sequence[Sequence[Mark]]


def flow_into_rows(
    marks: Sequence[Mark],
    line_height: float,
    max_width: float,
    gap: float,
    width_of_row: Callable[[int], float] | None = None,
) -> list[list[Mark]]:
    """Returns rows of marks no wider than `max_width`; a wider mark is split or has a row of its own.

    `width_of_row` returns the width of each row, by its index, if not all rows have `max_width`.
    """
    rows: list[list[Mark]] = []
    used_width = 0.0
    parts = (split_if_too_wide(mark, line_height, max_width) for mark in marks)
    for mark in chain.from_iterable(parts):
        mark_width = mark.width_at(line_height)
        row_width = max_width if width_of_row is None else width_of_row(len(rows) - 1)
        if not rows or used_width + gap + mark_width > row_width:
            rows.append([])
            used_width = -gap
        rows[-1].append(mark)
        used_width += gap + mark_width
    return rows


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
    say_left_out: Callable[[Sequence[Mark]], Sequence[str]],
) -> list[list[Mark]]:
    """Returns the rows without marks that have no room, and with a badge that says how many are left out.

    Whole rows are dropped first. The highest drop priority is dropped first; of equal ones, the last. A row
    that has room after all comes back. The badge is in the last row that has room for it. It is left out if
    only a mark of several lines could make room for it. `say_left_out` returns the texts of the badge for the
    marks left out, the longest first; the first one that has room is shown, else the last.
    """
    width, height = available_size

    def has_room(rows: MarkRows) -> bool:
        return rows_height(rows, line_height, row_gap) <= height + 1

    remaining_rows = _drop_rows(rows, has_room)
    kept = {id(mark) for mark in chain.from_iterable(remaining_rows)}
    left_out = [mark for mark in chain.from_iterable(rows) if id(mark) not in kept]
    if not left_out:
        return remaining_rows
    badge = LeftOutCountBadge("")
    for text in say_left_out(left_out):
        badge = LeftOutCountBadge(text)
        for row in reversed(remaining_rows):
            if widest_row_width([[*row, badge]], line_height, gap) <= width:
                row.append(badge)
                return remaining_rows
    last_row = remaining_rows[-1]
    last_row.append(badge)
    rows_with_badge_below = [*remaining_rows[:-1], last_row[:-1], last_row[-1:]]
    if widest_row_width([last_row], line_height, gap) > width and has_room(rows_with_badge_below):
        return rows_with_badge_below
    while len(last_row) > 1 and widest_row_width([last_row], line_height, gap) > width:
        index = _index_to_drop([mark.drop_priority for mark in last_row[:-1]])
        if last_row[index].drop_priority < 0 or last_row[index].height_in_lines > 1:
            del last_row[-1]
            break
        left_out.append(last_row.pop(index))
        last_row[-1] = LeftOutCountBadge(say_left_out(left_out)[-1])
    return remaining_rows


def _drop_rows(rows: Sequence[Sequence[Mark]], has_room: Callable[[MarkRows], bool]) -> list[list[Mark]]:
    """Returns the rows that have room; the most important one if none has."""
    priorities = [min((mark.drop_priority for mark in row), default=0) for row in rows]
    kept = [*range(len(rows))]
    while kept and not has_room([rows[index] for index in kept]):
        del kept[_index_to_drop([priorities[index] for index in kept])]
    by_importance = sorted(range(len(rows)), key=lambda index: (priorities[index], index))
    for index in [index for index in by_importance if index not in kept]:
        with_row = sorted([*kept, index])
        if has_room([rows[each] for each in with_row]):
            kept = with_row
    return [list(rows[index]) for index in kept or by_importance[:1]]


def _index_to_drop(drop_priorities: Sequence[int]) -> int:
    """Returns the index of the highest priority, the last of equal ones."""
    return max(range(len(drop_priorities)), key=lambda index: (drop_priorities[index], index))


def place_rows(
    rows: MarkRows, x: float, top: float, line_height: float, gap: float, row_gap: float
) -> list[PlacedMark]:
    """Returns the marks of rows, placed from a top left corner down, each in the middle of its row."""
    placed: list[PlacedMark] = []
    for row in rows:
        row_height = max(mark.height_in_lines for mark in row) * line_height
        mark_x = x
        for mark in row:
            placed.append(
                PlacedMark(
                    mark, mark_x, top - (row_height + mark.height_in_lines * line_height) / 2, line_height
                )
            )
            mark_x += mark.width_at(line_height) + gap
        top -= row_height + row_gap
    return placed
