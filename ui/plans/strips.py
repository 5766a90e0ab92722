"""Strips side by side or one under the other, all with rows of one height, so that eyes compare them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ui import theme
from ui.plans.parts import seat
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.strip import BRIEFEST, LEAST, Strip

UNITS = (1.5, 1.35, 1.2, 1.1, 1.0, LEAST)
"""Heights of a row that are tried, as shares of a glyph."""
BRIEF = range(BRIEFEST + 1)
"""How brief strips are, as it is tried."""
ROOMIER = 1.25
"""A strip is at most so many times as high as it must be."""


def units() -> list[float]:
    """The heights of a row that are tried, in pixels."""
    return [theme.length.glyph * share for share in UNITS]


def level(wanted: Sequence[float], room: float) -> list[float]:
    """What each gets of the room: as much as it wants, or where that is too much, no more than the others."""
    least = max(0.0, room)
    for at, each in enumerate(sorted(wanted)):
        share = least / (len(wanted) - at)
        if each > share:
            return [min(one, share) for one in wanted]
        least -= each
    return list(wanted)


def rows_of(strips: Sequence[Strip], columns: int) -> list[Sequence[Strip]]:
    """The strips in rows of so many."""
    return [strips[at : at + columns] for at in range(0, len(strips), columns)]


def needed(strips: Sequence[Strip], columns: int, width: float, unit: float) -> list[float]:
    """How high each row of strips must be."""
    return [max(strip.high(width, unit) for strip in row) for row in rows_of(strips, columns)]


def least(strips: Sequence[Strip], columns: int, width: float) -> float:
    """How high all of them are at their smallest."""
    gap = theme.length.gap * 0.75
    heights = needed(strips, columns, (width - gap * (columns - 1)) / columns, units()[-1])
    return sum(heights) + gap * (len(heights) - 1)


def tell(strips: Sequence[Strip], *, brief: int) -> None:
    """All say everything, or all are as brief as that."""
    for strip in strips:
        strip.brief = brief


def have_room(strips: Sequence[Strip], columns: int, width: float, height: float) -> bool:
    """Whether all of them, at their smallest, have room there as they are told."""
    share = (width - theme.length.gap * 0.75 * (columns - 1)) / columns
    cramped = any(strip.is_too_narrow(share) for strip in strips)
    return not cramped and least(strips, columns, width) <= height


def columns_of(strips: Sequence[Strip], tries: Sequence[int], width: float, height: float) -> int:
    """In how many columns many strips stand in a block: the first of these numbers for which there is room.

    They say everything while there is room for it, else all of them are brief.
    """
    for brief, columns in product(BRIEF, tries):
        tell(strips, brief=brief)
        if have_room(strips, columns, width, height):
            return columns
    return tries[-1]


def lay(strips: Sequence[Strip], columns: int, box: Box) -> float:
    """Places them from the top, as large as there is room; gives how high they are together.

    All are as high as the highest must be, where there is room for it: so none moves when another grows.
    """
    gap = theme.length.gap * 0.75
    width = (box[2] - gap * (columns - 1)) / columns
    rows = rows_of(strips, columns)
    room = box[3] - gap * (len(rows) - 1)
    unit, heights = _chosen(strips, columns, width, room)
    alike = min(room / len(rows), max(heights) * ROOMIER)
    spare = max(0.0, alike - max(heights))
    if alike >= max(heights):
        heights = [alike] * len(rows)
    heights = level(heights, room)
    top = box[1] + box[3]
    for row, high in zip(rows, heights, strict=True):
        for at, strip in enumerate(row):
            strip.unit, strip.spare = unit, spare
            seat(strip, (box[0] + at * (width + gap), top - high, width, high))
        top -= high + gap
    return box[1] + box[3] - top - gap


def _chosen(strips: Sequence[Strip], columns: int, width: float, room: float) -> tuple[float, list[float]]:
    """The largest rows at which all strips have room, and how high they are then."""
    for unit in units():
        heights = needed(strips, columns, width, unit)
        if len(heights) * max(heights) <= room + 1:
            return unit, heights
    return units()[-1], needed(strips, columns, width, units()[-1])
