"""By how much each player's headline and money changed last, and how that is written on a panel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.rules.scene_views import MatView
from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import draw_text, measure_text_width

HEADLINE_INDEX = -1
"""Index of the headline among a panel's numbers.

Cells are counted from 0.
"""


class NumberChanges:
    """The latest changes of numbers on each seat's panel.

    Each view is compared with the one before. The keys of a seat's changes are `HEADLINE_INDEX` or
    the index of a cell with money. A number that was or is covered has no change. Undo clears all
    changes, because it only restores what was there.
    """

    def __init__(self) -> None:
        self.changes_by_seat: Mapping[Seat, Mapping[int, int]] = {}
        self._known: Mapping[tuple[Seat, int], int] = {}

    def update(self, view: View, mats: Sequence[MatView]) -> None:
        """Updates the changes to those between the previous view and this one."""
        now = dict(_numbers(mats))
        if view.may_redo:
            self.changes_by_seat = {}
        elif now != self._known:
            found: dict[Seat, dict[int, int]] = {}
            for (seat, at), was in self._known.items():
                if (change := now.get((seat, at), was) - was) != 0:
                    found.setdefault(seat, {})[at] = change
            self.changes_by_seat = found
        self._known = now


def _numbers(mats: Iterable[MatView]) -> Iterator[tuple[tuple[Seat, int], int]]:
    for mat in mats:
        if not mat.shows_last_change:
            continue
        if mat.headline is not None and isinstance(mat.headline.value, int):
            yield (mat.seat, HEADLINE_INDEX), mat.headline.value
        for at, cell in enumerate(mat.cells):
            if cell.piece is not None and cell.piece.money_value and isinstance(cell.value, int):
                yield (mat.seat, at), cell.value


def format_signed_change(change: int) -> str:
    """Formats a change as text with its sign, such as +150."""
    return f"+{change}" if change > 0 else f"−{-change}"


def draw_change_if_room(
    number_box: Box, text: str, occupied: Sequence[Box], bounds: Box, name_line: Box
) -> bool:
    """Draws a change beside its number if there is room, and returns whether there was.

    The change stands before, under or behind the number, or at the end of the name's line. The
    change is drawn only where it covers none of `occupied`.
    """
    x, y, wide, high = number_box
    size, gap = theme.length.smallest, theme.length.gap
    box_wide, box_high = measure_text_width(text, size, theme.MONEY), size * 1.2
    before = (x - gap - box_wide, y + (high - box_high) / 2, box_wide, box_high)
    under = (x + wide - box_wide, y - box_high, box_wide, box_high)
    behind = (x + wide + gap, y + (high - box_high) / 2, box_wide, box_high)
    aside = (
        name_line[0] + name_line[2] - box_wide,
        name_line[1] + (name_line[3] - box_high) / 2,
        box_wide,
        box_high,
    )
    for box in (before, under, behind, aside):
        if _inside(box, bounds) and not any(_meet(box, other, gap) for other in occupied):
            middle = (box[0] + box_wide / 2, box[1] + box_high / 2)
            draw_text(text, middle, size, theme.INK_QUIET, theme.MONEY)
            return True
    return False


def _inside(box: Box, within: Box) -> bool:
    return all(
        within[at] <= box[at] and box[at] + box[at + 2] <= within[at] + within[at + 2] for at in (0, 1)
    )


def _meet(one: Box, other: Box, gap: float) -> bool:
    """Whether two boxes overlap, or stand closer side by side than the gap."""
    return (
        one[0] - gap < other[0] + other[2]
        and other[0] < one[0] + one[2] + gap
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )
