"""Player panels in a block of columns, all with lines of one height, so that people can compare them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import product
from math import ceil, floor, log, prod
from typing import NamedTuple

from ui import theme
from ui.layouts.play_widgets import place_panel
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.panel_layout import (
    DETAIL_LEVELS,
    MIN_LINE_HEIGHT_IN_GLYPHS,
    USUAL_SHAPE,
    DetailLevel,
    PanelShape,
    least_line_height,
)
from ui.widgets.seats.player_panel import PlayerPanel

CANDIDATE_LINE_HEIGHTS_IN_GLYPHS = (2.0, 1.75, 1.5, 1.35, 1.2, 1.1, 1.0, MIN_LINE_HEIGHT_IN_GLYPHS)
"""The heights of a line that are tried, as multiples of a glyph's size."""
FINE_LINE_HEIGHT_RATIO = 1.04
"""The ratio of a height of a line to the next lower one, in a panel whose size is known."""
MAX_PANEL_HEIGHT_TO_NEEDED_RATIO = 1.25
"""The greatest ratio of a panel's height to the height that it needs."""
LARGE_HEADLINE_HEIGHT_FRACTIONS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.45, 0.4)
"""The heights of a large headline that are tried, as fractions of the panel's height.

Each is at most 1.2 times as high as the next: with larger steps, a headline wastes visible room.
"""
MAX_HEADLINE_TO_LINE_HEIGHT_RATIO = 3.0
"""The greatest ratio of a large headline's height to that of lines that it makes lower."""
MAX_PANEL_HEIGHT_IN_TARGETS = 2.5
"""The greatest height of a panel whose contents need less, in touch targets."""


def fine_line_heights(least: float, largest: float) -> list[float]:
    """Returns the heights of a line that are tried in a panel of one size, in pixels, the lowest first."""
    *_, lowest = candidate_line_heights()
    count = ceil(log(largest / lowest) / log(FINE_LINE_HEIGHT_RATIO))
    heights = [lowest * FINE_LINE_HEIGHT_RATIO**step for step in range(count + 1)]
    return [least, *(height for height in heights if height > least)]


def candidate_line_heights() -> list[float]:
    """Returns the heights of a line that are tried at any level of detail, in pixels, the largest first."""
    return theme.with_grown([theme.length.glyph * share for share in CANDIDATE_LINE_HEIGHTS_IN_GLYPHS])


def lower_largest_heights_to_fit(heights: Sequence[float], max_total: float) -> list[float]:
    """Returns the heights if they fit in `max_total`, else lowers the largest to one common height."""
    remaining = max(0.0, max_total)
    for index, smallest in enumerate(sorted(heights)):
        common_height = remaining / (len(heights) - index)
        if smallest > common_height:
            return [min(height, common_height) for height in heights]
        remaining -= smallest
    return list(heights)


def split_into_rows(panels: Sequence[PlayerPanel], columns: int) -> list[Sequence[PlayerPanel]]:
    """Returns the panels split into rows of `columns` panels."""
    return [panels[first : first + columns] for first in range(0, len(panels), columns)]


def needed_row_heights(
    panels: Sequence[PlayerPanel], columns: int, width: float, line_height: float
) -> list[float]:
    """Returns the height that each row needs with panels of that width."""
    rows = split_into_rows(panels, columns)
    return [max(panel.needed_height(width, line_height) for panel in row) for row in rows]


def min_panel_block_height(panels: Sequence[PlayerPanel], columns: int, width: float) -> float:
    """Returns the height of the whole block of panels with the smallest lines."""
    gap = _gap()
    heights = needed_row_heights(
        panels, columns, (width - gap * (columns - 1)) / columns, least_line_height(panels[0].detail_level)
    )
    return sum(heights) + gap * (len(heights) - 1)


def set_detail_level(panels: Sequence[PlayerPanel], *, detail_level: DetailLevel) -> None:
    """Gives all panels one level of detail."""
    for panel in panels:
        panel.detail_level = detail_level


def do_panels_fit(panels: Sequence[PlayerPanel], columns: int, width: float, height: float) -> bool:
    """Returns whether the panels fit in a block of this size.

    The panels are measured with the smallest lines, at their present level of detail.
    """
    panel_width = (width - _gap() * (columns - 1)) / columns
    is_too_narrow = any(panel.is_too_narrow(panel_width) for panel in panels)
    return not is_too_narrow and min_panel_block_height(panels, columns, width) <= height


def choose_columns_and_detail_level(
    panels: Sequence[PlayerPanel], column_counts: Sequence[int], width: float, height: float
) -> int:
    """Chooses the number of columns and the highest level of detail that fit.

    Sets the level, and returns the number of columns. If nothing fits, the number is the last candidate, and
    the level the lowest.
    """
    for detail_level, columns in product(DETAIL_LEVELS, column_counts):
        set_detail_level(panels, detail_level=detail_level)
        if do_panels_fit(panels, columns, width, height):
            return columns
    return column_counts[-1]


def arrange_panels(panels: Sequence[PlayerPanel], columns: int, box: Box) -> float:
    """Arranges the panels in a block of columns, and returns the height of the block.

    The block starts at the top of the box and is as large as fits. If there is space, all panels are as high
    as the highest needs, so no panel moves when another grows.
    """
    x, y, total_width, total_height = box
    gap = _gap()
    width = (total_width - gap * (columns - 1)) / columns
    rows = split_into_rows(panels, columns)
    available = total_height - gap * (len(rows) - 1)
    line_height, heights = _choose_line_height(panels, columns, width, available)
    max_height = max(
        max(heights) * MAX_PANEL_HEIGHT_TO_NEEDED_RATIO, theme.length.target * MAX_PANEL_HEIGHT_IN_TARGETS
    )
    common_height = min(available / len(rows), max_height * theme.max_growth)
    # A panel is placed on whole pixels: contents chosen for a part of a pixel more would be left out.
    whole_height, shape = floor(common_height), USUAL_SHAPE
    if whole_height + 1 >= max(heights):
        shape, line_height = choose_shape_and_line_height(panels, width, whole_height)
        heights = [common_height] * len(rows)
    top = y + total_height
    for row, row_height in zip(rows, lower_largest_heights_to_fit(heights, available), strict=True):
        for column, panel in enumerate(row):
            panel.line_height, panel.shape = line_height, shape
            place_panel(panel, (x + column * (width + gap), top - row_height, width, row_height))
        top -= row_height + gap
    return y + total_height - top - gap


class ShapeAndLine(NamedTuple):
    """A shape of equal panels, the largest height of lines that fits in it, and how readable that is."""

    shape: PanelShape
    line_height: float
    readability: float


def choose_shape_and_line_height(
    panels: Sequence[PlayerPanel], width: float, height: float
) -> tuple[PanelShape, float]:
    """Returns the shape and the line height of equal panels of one size.

    Headline, lines and names are as large as fits: the headline may be lower if the lines gain more by that.
    Where only the headline is below the name, it may be as high as a large headline.
    """
    least, largest = least_line_height(panels[0].detail_level), candidate_line_heights()[0]
    headline_lines = [panel.lines_of_lone_headline(width) for panel in panels]
    usual_line_heights = line_heights = fine_line_heights(least, largest)
    if all(headline_lines):
        largest_headline = theme.length.number * theme.max_growth
        usual_line_heights = fine_line_heights(least, max(largest, largest_headline / max(headline_lines)))

    def measure(shape: PanelShape) -> ShapeAndLine:
        """Returns the shape with the largest height of lines that fits; with 0 if none fits."""

        def does_not_fit(line: float) -> bool:
            return any(panel.needed_height(width, line, shape) > height + 1 for panel in panels)

        is_possible = shape == USUAL_SHAPE or all(panel.is_shape_possible(width, shape) for panel in panels)
        if not is_possible or does_not_fit(least):
            return ShapeAndLine(shape, 0.0, 0.0)
        lines = usual_line_heights if shape == USUAL_SHAPE else line_heights
        line = lines[bisect_left(lines, True, lo=1, key=does_not_fit) - 1]
        readability = prod(panel.readability(width, line, shape) for panel in panels)
        return ShapeAndLine(shape, line, readability)

    best = measure(USUAL_SHAPE)
    for headline_heights, name_size, has_word_above in product(
        (candidate_headline_heights(height), [0.0]),
        (0.0, theme.length.key, theme.length.question, theme.length.title),
        (False, True),
    ):
        shapes = [PanelShape(each, name_size, has_word_above) for each in headline_heights]
        lowest = measure(shapes[-1])
        for shape in shapes if _has_readable_lines(lowest) else ():
            growth = _headline_growth(lowest.shape, shape) ** len(panels)
            if lowest.readability * growth <= best.readability:
                break  # the lines are no higher than below the lowest headline
            each = measure(shape)
            if each.line_height == lowest.line_height or _has_readable_lines(each):
                best = max(best, each, key=lambda one: one.readability)
    return best.shape, best.line_height or least


def _has_readable_lines(one: ShapeAndLine) -> bool:
    """Returns whether lines are high enough beside the headline."""
    return one.shape.large_headline_height <= one.line_height * MAX_HEADLINE_TO_LINE_HEIGHT_RATIO


def _headline_growth(lowest: PanelShape, shape: PanelShape) -> float:
    """Returns how much larger the number of a headline is than that of the lowest one."""
    lowest_number, number = lowest.large_number_height, shape.large_number_height
    return number / lowest_number if lowest_number else 1.0


def candidate_headline_heights(panel_height: float) -> list[float]:
    """Returns the heights of a large headline that are tried in a panel of that height, the largest first."""
    largest = min(panel_height - theme.length.gap * 0.5, theme.length.number * theme.max_growth)
    return [largest * fraction for fraction in LARGE_HEADLINE_HEIGHT_FRACTIONS]


def _choose_line_height(
    panels: Sequence[PlayerPanel], columns: int, width: float, available: float
) -> tuple[float, list[float]]:
    """Returns the largest line height at which equally high rows fit, and what each row needs then."""
    heights, smallest = list[float](), least_line_height(panels[0].detail_level)
    for line_height in [*candidate_line_heights(), smallest]:
        heights = needed_row_heights(panels, columns, width, line_height)
        if len(heights) * max(heights) <= available + 1:
            return line_height, heights
    return smallest, heights


def _gap() -> float:
    return theme.length.gap * 0.75
