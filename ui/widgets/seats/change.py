"""What the last thing that happened added to everybody's number that matters most, or took from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.scenes import MatLaid
from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.drawn import Box
from ui.widgets.drawing.inscribed import across, inscribe


class Changes:
    """`heed` each view that is shown; `by` is what each seat's number changed by when any last did.

    Of a number that was or is covered nobody is told. Going back tells nothing: it puts things as they were.
    """

    def __init__(self) -> None:
        self.by: Mapping[Seat, int] = {}
        self._known: Mapping[Seat, int] = {}

    def heed(self, seen: View, mats: Sequence[MatLaid]) -> None:
        """What is different from the view before."""
        now = dict(_numbers(mats))
        if seen.may_redo:
            self.by = {}
        elif now != self._known:
            self.by = {
                seat: now[seat] - was for seat, was in self._known.items() if now.get(seat, was) != was
            }
        self._known = now


def _numbers(mats: Iterable[MatLaid]) -> Iterator[tuple[Seat, int]]:
    for mat in mats:
        if mat.changes and mat.hero is not None and isinstance(mat.hero.value, int):
            yield mat.seat, mat.hero.value


def signed(change: int) -> str:
    """As it is written."""
    return f"+{change}" if change > 0 else f"−{-change}"


def float_beside(hero: Box, text: str, taken: Sequence[Box], within: Box) -> bool:
    """Writes it before the number or right under it, if it covers nothing there; whether it could."""
    x, y, wide, high = hero
    size, gap = theme.length.smallest, theme.length.gap
    box_wide, box_high = across(text, size, theme.MONEY), size * 1.2
    before = (x - gap - box_wide, y + (high - box_high) / 2, box_wide, box_high)
    under = (x + wide - box_wide, y - box_high, box_wide, box_high)
    for box in (before, under):
        if _inside(box, within) and not any(_meet(box, other, gap) for other in taken):
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
