"""What the last thing that happened added to everybody's number that matters most, or to their money.

And what it took from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.rules.scene_views import MatView
from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import across, inscribe

HEADLINE = -1
"""Stands for the number that matters most, where cells are counted from 0."""


class NumberChanges:
    """`heed` each view that is shown; `by` is what each seat's numbers changed by when any last did.

    A seat's number is its hero, `HERO`, or one of its cells of money, by its place among the cells. Of a
    number that was or is covered nobody is told. Going back tells nothing: it puts things as they were.
    """

    def __init__(self) -> None:
        self.by_seat: Mapping[Seat, Mapping[int, int]] = {}
        self._known: Mapping[tuple[Seat, int], int] = {}

    def update(self, seen: View, mats: Sequence[MatView]) -> None:
        """What is different from the view before."""
        now = dict(_numbers(mats))
        if seen.may_redo:
            self.by_seat = {}
        elif now != self._known:
            found: dict[Seat, dict[int, int]] = {}
            for (seat, at), was in self._known.items():
                if (change := now.get((seat, at), was) - was) != 0:
                    found.setdefault(seat, {})[at] = change
            self.by_seat = found
        self._known = now


def _numbers(mats: Iterable[MatView]) -> Iterator[tuple[tuple[Seat, int], int]]:
    for mat in mats:
        if not mat.shows_last_change:
            continue
        if mat.headline is not None and isinstance(mat.headline.value, int):
            yield (mat.seat, HEADLINE), mat.headline.value
        for at, cell in enumerate(mat.cells):
            if cell.piece is not None and cell.piece.money_value and isinstance(cell.value, int):
                yield (mat.seat, at), cell.value


def signed_text(change: int) -> str:
    """As it is written."""
    return f"+{change}" if change > 0 else f"−{-change}"


def draw_change(number: Box, text: str, occupied: Sequence[Box], within: Box, line_end: Box) -> bool:
    """Writes it before the number, right under it or behind it, or at the `end` of the name's line.

    It covers nothing there; gives whether there was room.
    """
    x, y, wide, high = number
    size, gap = theme.length.smallest, theme.length.gap
    box_wide, box_high = across(text, size, theme.MONEY), size * 1.2
    before = (x - gap - box_wide, y + (high - box_high) / 2, box_wide, box_high)
    under = (x + wide - box_wide, y - box_high, box_wide, box_high)
    behind = (x + wide + gap, y + (high - box_high) / 2, box_wide, box_high)
    aside = (
        line_end[0] + line_end[2] - box_wide,
        line_end[1] + (line_end[3] - box_high) / 2,
        box_wide,
        box_high,
    )
    for box in (before, under, behind, aside):
        if _inside(box, within) and not any(_meet(box, other, gap) for other in occupied):
            middle = (box[0] + box_wide / 2, box[1] + box_high / 2)
            inscribe(text, middle, size, theme.INK_QUIET, theme.MONEY)
            return True
    return False


def _inside(box: Box, within: Box) -> bool:
    return all(
        within[at] <= box[at] and box[at] + box[at + 2] <= within[at] + within[at + 2] for at in (0, 1)
    )


def _meet(one: Box, other: Box, gap: float) -> bool:
    """Whether they overlap, or stand closer side by side than two things should."""
    return (
        one[0] - gap < other[0] + other[2]
        and other[0] < one[0] + one[2] + gap
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )
