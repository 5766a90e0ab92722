"""Player panels in a block of columns, all with lines of one height, so that people can compare them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

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
MAX_PANEL_HEIGHT_TO_NEEDED_RATIO = 1.25
"""The greatest ratio of a panel's height to the height that it needs."""
LARGE_HEADLINE_HEIGHT_FRACTIONS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
"""The heights of a large headline that are tried, as fractions of the panel's height."""
MAX_HEADLINE_TO_LINE_HEIGHT_RATIO = 3.0
"""The greatest ratio of a large headline's height to that of the other lines, which must stay readable."""
MAX_PANEL_HEIGHT_IN_TARGETS = 2.5
"""The greatest height of a panel whose contents need less, in touch targets."""


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
    shape = USUAL_SHAPE
    if common_height >= max(heights):
        shape, line_height = choose_shape_and_line_height(panels, width, common_height)
        heights = [common_height] * len(rows)
    top = y + total_height
    for row, row_height in zip(rows, lower_largest_heights_to_fit(heights, available), strict=True):
        for column, panel in enumerate(row):
            panel.line_height, panel.shape = line_height, shape
            place_panel(panel, (x + column * (width + gap), top - row_height, width, row_height))
        top -= row_height + gap
    return y + total_height - top - gap


def choose_shape_and_line_height(
    panels: Sequence[PlayerPanel], width: float, height: float
) -> tuple[PanelShape, float]:
    """Returns the shape and the line height of equal panels of one size.

    The headline is as large as leaves room for everything else, then the lines are.
    """
    least = least_line_height(panels[0].detail_level)
    line_heights = [line for line in candidate_line_heights() if line > least]

    def largest_line_height(shape: PanelShape) -> float:
        """Returns the largest height of lines that fit; 0 if none fits."""

        def fits(line: float) -> bool:
            return all(panel.needed_height(width, line, shape) <= height + 1 for panel in panels)

        is_possible = shape == USUAL_SHAPE or all(panel.is_shape_possible(width, shape) for panel in panels)
        if not is_possible or not fits(least):
            return 0.0
        return next(filter(fits, line_heights), least)

    usual_line_height = largest_line_height(USUAL_SHAPE) or least
    usual_height = min(panel.headline_height(width, usual_line_height) for panel in panels)
    for headline_height in (*candidate_headline_heights(height), 0.0):
        if 0 < headline_height <= usual_height:
            continue
        shapes = [PanelShape(headline_height, is_beside) for is_beside in (False, True)]
        line_height, shape = max((largest_line_height(shape), shape) for shape in shapes)
        if line_height and headline_height <= line_height * MAX_HEADLINE_TO_LINE_HEIGHT_RATIO:
            return shape, line_height
    return USUAL_SHAPE, usual_line_height


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
