"""Finds the last changes of each player's headline and money, and writes a change on a panel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.half_numbers import WholeOrHalf
from companion.rules.scene_views import MatView
from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import draw_text, measure_text_width

HEADLINE_INDEX = -1
"""Index of the headline among a panel's numbers; cells are counted from 0."""


class NumberChanges:
    """The latest changes of numbers on each seat's panel, from comparing each view with the one before.

    The keys of a seat's changes are `HEADLINE_INDEX` or the index of a cell with money. A number that was
    or is covered has no change. Undo clears all changes, because undo only restores earlier numbers.
    """

    def __init__(self) -> None:
        self.changes_by_seat: Mapping[Seat, Mapping[int, WholeOrHalf]] = {}
        self._known_numbers: Mapping[tuple[Seat, int], WholeOrHalf] = {}

    def update(self, view: View, mats: Sequence[MatView]) -> None:
        """Replaces the changes with those between the previous view and this one, if any number changed."""
        numbers = dict(_find_numbers(mats))
        if view.may_redo:
            self.changes_by_seat = {}
        elif numbers != self._known_numbers:
            changes: dict[Seat, dict[int, WholeOrHalf]] = {}
            for (seat, index), previous in self._known_numbers.items():
                if (change := numbers.get((seat, index), previous) - previous) != 0:
                    changes.setdefault(seat, {})[index] = change
            self.changes_by_seat = changes
        self._known_numbers = numbers


def _find_numbers(mats: Iterable[MatView]) -> Iterator[tuple[tuple[Seat, int], WholeOrHalf]]:
    for mat in mats:
        if not mat.shows_last_change:
            continue
        if mat.headline is not None and mat.headline.number is not None:
            yield (mat.seat, HEADLINE_INDEX), mat.headline.number
        for index, cell in enumerate(mat.cells):
            if cell.piece is not None and cell.piece.money_value and cell.number is not None:
                yield (mat.seat, index), cell.number


def format_signed_change(change: WholeOrHalf) -> str:
    """Returns a change as text with a sign, such as +150."""
    return f"+{change}" if change > 0 else f"−{-change}"


def draw_change_if_room(
    number_box: Box, text: str, occupied: Sequence[Box], bounds: Box, name_line: Box
) -> bool:
    """Draws a change beside its number if there is room, and returns whether there was room.

    The change is left of the number, below, right of it, or at the end of the name's line: the first place
    within `bounds` at which the change covers none of the `occupied` boxes.
    """
    x, y, width, height = number_box
    size, gap = theme.length.smallest, theme.length.gap
    change_width, change_height = measure_text_width(text, size, theme.MONEY_FONT), size * 1.2
    left_box = (x - gap - change_width, y + (height - change_height) / 2, change_width, change_height)
    lower_box = (x + width - change_width, y - change_height, change_width, change_height)
    right_box = (x + width + gap, y + (height - change_height) / 2, change_width, change_height)
    name_line_box = (
        name_line[0] + name_line[2] - change_width,
        name_line[1] + (name_line[3] - change_height) / 2,
        change_width,
        change_height,
    )
    for box in (left_box, lower_box, right_box, name_line_box):
        if _is_inside(box, bounds) and not any(_are_too_close(box, other, gap) for other in occupied):
            middle = (box[0] + change_width / 2, box[1] + change_height / 2)
            draw_text(text, middle, size, theme.INK_QUIET, theme.MONEY_FONT)
            return True
    return False


def _is_inside(box: Box, bounds: Box) -> bool:
    return all(
        bounds[axis] <= box[axis] and box[axis] + box[axis + 2] <= bounds[axis] + bounds[axis + 2]
        for axis in (0, 1)
    )


def _are_too_close(box: Box, other: Box, gap: float) -> bool:
    """Whether two boxes overlap, or are closer side by side than the gap."""
    return (
        box[0] - gap < other[0] + other[2]
        and other[0] < box[0] + box[2] + gap
        and box[1] < other[1] + other[3]
        and other[1] < box[1] + box[3]
    )
