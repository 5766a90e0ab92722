"""Strips side by side or one under the other, all with rows of one height, so that eyes compare them."""

from __future__ import annotations

from collections.abc import Sequence

from ui import theme
from ui.widgets.drawing.drawn import Box
from ui.widgets.seats.strip import Strip

UNITS = (1.5, 1.35, 1.2, 1.1, 1.0, 0.92)
"""Heights of a row that are tried, as shares of a glyph; the last is the smallest that can be read."""
ROOMIER = 1.25
"""A strip is at most so many times as high as it must be."""


def units() -> list[float]:
    """The heights of a row that are tried, in pixels."""
    return [theme.length.glyph * share for share in UNITS]


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


def lay(strips: Sequence[Strip], columns: int, box: Box) -> float:
    """Places them from the top, as large as there is room; gives how high they are together."""
    gap = theme.length.gap * 0.75
    width = (box[2] - gap * (columns - 1)) / columns
    for unit in units():
        heights = needed(strips, columns, width, unit)
        if sum(heights) + gap * (len(heights) - 1) <= box[3] + 1:
            break
    room = box[3] - gap * (len(heights) - 1)
    larger = min(ROOMIER, max(1.0, room / sum(heights)))
    top = box[1] + box[3]
    for row, height in zip(rows_of(strips, columns), heights, strict=True):
        high = height * larger
        for at, strip in enumerate(row):
            strip.unit = unit
            strip.pos = (round(box[0] + at * (width + gap)), round(top - high))
            strip.size = (round(width), round(high))
        top -= high + gap
    return box[1] + box[3] - top - gap
