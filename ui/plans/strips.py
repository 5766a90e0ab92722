"""Strips side by side or one under the other, all with rows of one height, so that eyes compare them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ui import theme
from ui.plans.parts import place_panel
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.panel_layout import DETAIL_LEVELS, MIN_LINE_SHARE, DetailLevel
from ui.widgets.seats.player_panel import PlayerPanel

LINE_HEIGHT_SHARES = (1.5, 1.35, 1.2, 1.1, 1.0, MIN_LINE_SHARE)
"""Heights of a row that are tried, as shares of a glyph."""
MAX_EXTRA_HEIGHT = 1.25
"""A strip is at most so many times as high as it must be."""


def line_heights() -> list[float]:
    """The heights of a row that are tried, in pixels."""
    return [theme.length.glyph * share for share in LINE_HEIGHT_SHARES]


def cap_evenly(heights: Sequence[float], total: float) -> list[float]:
    """What each gets of the room: as much as it wants, or where that is too much, no more than the others."""
    least = max(0.0, total)
    for at, each in enumerate(sorted(heights)):
        share = least / (len(heights) - at)
        if each > share:
            return [min(one, share) for one in heights]
        least -= each
    return list(heights)


def rows_of_panels(panels: Sequence[PlayerPanel], columns: int) -> list[Sequence[PlayerPanel]]:
    """The strips in rows of so many."""
    return [panels[at : at + columns] for at in range(0, len(panels), columns)]


def row_heights(panels: Sequence[PlayerPanel], columns: int, width: float, line_height: float) -> list[float]:
    """How high each row of strips must be."""
    return [
        max(strip.needed_height(width, line_height) for strip in row)
        for row in rows_of_panels(panels, columns)
    ]


def min_total_height(panels: Sequence[PlayerPanel], columns: int, width: float) -> float:
    """How high all of them are at their smallest."""
    gap = theme.length.gap * 0.75
    heights = row_heights(panels, columns, (width - gap * (columns - 1)) / columns, line_heights()[-1])
    return sum(heights) + gap * (len(heights) - 1)


def set_detail_level(panels: Sequence[PlayerPanel], *, detail_level: DetailLevel) -> None:
    """All say everything, or all are as brief as that."""
    for strip in panels:
        strip.detail_level = detail_level


def panels_fit(panels: Sequence[PlayerPanel], columns: int, width: float, height: float) -> bool:
    """Whether all of them, at their smallest, have room there as they are told."""
    share = (width - theme.length.gap * 0.75 * (columns - 1)) / columns
    cramped = any(strip.is_too_narrow(share) for strip in panels)
    return not cramped and min_total_height(panels, columns, width) <= height


def choose_columns(
    panels: Sequence[PlayerPanel], candidates: Sequence[int], width: float, height: float
) -> int:
    """In how many columns many strips stand in a block: the first of these numbers for which there is room.

    They say everything while there is room for it, else all of them are brief.
    """
    for brief, columns in product(DETAIL_LEVELS, candidates):
        set_detail_level(panels, detail_level=brief)
        if panels_fit(panels, columns, width, height):
            return columns
    return candidates[-1]


def arrange_panels(panels: Sequence[PlayerPanel], columns: int, box: Box) -> float:
    """Places them from the top, as large as there is room; gives how high they are together.

    All are as high as the highest must be, where there is room for it: so none moves when another grows.
    """
    gap = theme.length.gap * 0.75
    width = (box[2] - gap * (columns - 1)) / columns
    rows = rows_of_panels(panels, columns)
    room = box[3] - gap * (len(rows) - 1)
    unit, heights = _chosen(panels, columns, width, room)
    alike = min(room / len(rows), max(heights) * MAX_EXTRA_HEIGHT)
    spare = max(0.0, alike - max(heights))
    if alike >= max(heights):
        heights = [alike] * len(rows)
    heights = cap_evenly(heights, room)
    top = box[1] + box[3]
    for row, high in zip(rows, heights, strict=True):
        for at, strip in enumerate(row):
            strip.line_height, strip.extra_height = unit, spare
            place_panel(strip, (box[0] + at * (width + gap), top - high, width, high))
        top -= high + gap
    return box[1] + box[3] - top - gap


def _chosen(
    strips: Sequence[PlayerPanel], columns: int, width: float, room: float
) -> tuple[float, list[float]]:
    """The largest rows at which all strips have room, and how high they are then."""
    for unit in line_heights():
        heights = row_heights(strips, columns, width, unit)
        if len(heights) * max(heights) <= room + 1:
            return unit, heights
    return line_heights()[-1], row_heights(strips, columns, width, line_heights()[-1])
