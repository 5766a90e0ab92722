"""Layouts of a screen on a stand: landscape (panels at the right) and portrait (panels at the top)."""

from __future__ import annotations

from itertools import product

from ui import theme
from ui.layouts.column import (
    OMISSION_IF_NOTHING_FITS,
    Omission,
    arrange_in_one_column,
    least_omission,
    min_height_without_pages,
)
from ui.layouts.panels import (
    arrange_panels,
    choose_columns_and_detail_level,
    do_panels_fit,
    min_panel_block_height,
    set_detail_level,
)
from ui.layouts.play_widgets import PlayWidgets, hide_widgets, place_turned_frame, place_widget
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.panel_layout import DETAIL_LEVELS, DetailLevel

LANDSCAPE_PANELS_WIDTH_FRACTIONS = (0.315, 0.35, 0.39, 0.42, 0.45)
"""The fractions of a landscape screen's width that are tried for the panels.

A larger one is used only if they need it.
"""
LANDSCAPE_CROWD_WIDTH_FRACTION = 0.39
"""The fraction of a landscape screen's width for the panels of a large group."""
LANDSCAPE_MIN_QUESTION_WIDTH_IN_TARGETS = 6.7
"""The least width of the question on a landscape screen, in touch targets."""
PORTRAIT_MIN_SEATS_FOR_TWO_PANEL_COLUMNS = 4
"""The fewest seats for which a portrait screen has two columns of panels."""
PORTRAIT_PANELS_HEIGHT_FRACTION = 0.42
"""The fraction of a portrait screen's height for the panels.

They get more if they need it, and less if the rest needs it.
"""
PORTRAIT_CROWD_HEIGHT_FRACTION = 0.5
"""The fraction of a portrait screen's height for the panels of a large group.

They get more if they need it.
"""


def arrange_landscape_screen(parts: PlayWidgets, box: Box) -> None:
    """Places the bar at the left, the question in the middle and the panels at the right."""
    x, y, width, height = box
    gap, sizes = theme.length.gap, theme.length
    parts.bar.orientation = "vertical"
    place_turned_frame(parts.central_frame, box)
    hide_widgets(parts.opposite_question, parts.opposite_notes)
    place_widget(parts.bar, 0, 0, sizes.target, height)
    max_panels_width = width - (LANDSCAPE_MIN_QUESTION_WIDTH_IN_TARGETS + 1) * sizes.target - 2.5 * gap
    if len(parts.panels) > MAX_FULL_DETAIL_PANELS:
        panels_width = min(width * LANDSCAPE_CROWD_WIDTH_FRACTION, max_panels_width)
        columns = choose_columns_and_detail_level(parts.panels, (1, 2), panels_width, height)
    else:
        columns = 1
        panels_width = _choose_landscape_panels_width(parts, width, height, max_panels_width)
    arrange_panels(parts.panels, columns, (x + width - panels_width, y, panels_width, height))
    question_width = _landscape_question_width(width, panels_width)
    arrange_in_one_column(parts, (sizes.target + gap, 0, question_width, height))


def _landscape_question_width(width: float, panels_width: float) -> float:
    """Returns the width of the question beside panels of that width."""
    return width - panels_width - theme.length.target - 2.5 * theme.length.gap


def _choose_landscape_panels_width(
    parts: PlayWidgets, width: float, height: float, max_panels_width: float
) -> float:
    """Chooses the highest level of detail at which the panels of a small group fit below each other.

    Sets the level, and returns the least width at which the panels fit. Condensed panels have the width at
    which the least is left out: of the numbers, of the question, then of the names.
    """
    panels = parts.panels
    widths = [width * share for share in LANDSCAPE_PANELS_WIDTH_FRACTIONS]
    candidate_widths = [widths[0], *(candidate for candidate in widths[1:] if candidate <= max_panels_width)]
    set_detail_level(panels, detail_level="everything")
    for candidate in candidate_widths:
        if do_panels_fit(panels, 1, candidate, height):
            return candidate
    set_detail_level(panels, detail_level="condensed")
    candidate_widths.append(max(candidate_widths[-1], max_panels_width))
    missing_heights = [
        max(0.0, min_panel_block_height(panels, 1, candidate) - height) for candidate in candidate_widths
    ]
    candidate_widths = [
        candidate
        for candidate, missing in zip(candidate_widths, missing_heights, strict=True)
        if missing == min(missing_heights)
    ]

    def count_left_out_letters(panels_width: float) -> int:
        return sum(panel.left_out_letter_count(panels_width) for panel in panels)

    def left_out(panels_width: float) -> tuple[Omission, int]:
        question_width = _landscape_question_width(width, panels_width)
        omitted = least_omission(parts, question_width, height, in_two_columns=False)
        return omitted, count_left_out_letters(panels_width)

    if not count_left_out_letters(candidate_widths[0]):
        return candidate_widths[0]  # measuring the question takes long
    return min(candidate_widths, key=left_out)


def arrange_portrait_screen(parts: PlayWidgets, box: Box) -> None:
    """Places the panels at the top, the question below them and the bar at the bottom."""
    x, y, width, height = box
    gap, sizes = theme.length.gap, theme.length
    parts.bar.orientation = "horizontal"
    place_turned_frame(parts.central_frame, box)
    hide_widgets(parts.opposite_question, parts.opposite_notes)
    place_widget(parts.bar, 0, 0, width, sizes.target)
    columns = 2 if len(parts.panels) >= PORTRAIT_MIN_SEATS_FOR_TWO_PANEL_COLUMNS else 1
    bottom = sizes.target + gap
    available = height - gap - bottom
    if len(parts.panels) > MAX_FULL_DETAIL_PANELS:
        columns = _choose_crowd_columns_and_detail_level(parts, width, height, available)
    else:
        _choose_detail_level(parts, columns, width, available)
    min_panels_height = min_panel_block_height(parts.panels, columns, width)
    panels_height = max(
        min(height * PORTRAIT_PANELS_HEIGHT_FRACTION, available - min_height_without_pages(parts, width)),
        min_panels_height,
    )
    used_height = arrange_panels(parts.panels, columns, (x, y + height - panels_height, width, panels_height))
    arrange_in_one_column(parts, (0, bottom, width, height - used_height - gap - bottom))


def _choose_detail_level(parts: PlayWidgets, columns: int, width: float, available: float) -> None:
    """Sets the highest level of detail at which the least of the question is left out.

    Panels hide no number only to save pages of buttons.
    """
    omitted_by_detail_level: dict[DetailLevel, Omission] = {}
    for detail_level in DETAIL_LEVELS:
        set_detail_level(parts.panels, detail_level=detail_level)
        question_height = available - min_panel_block_height(parts.panels, columns, width)
        omitted = least_omission(parts, width, question_height, in_two_columns=False)
        omitted_by_detail_level[detail_level] = omitted
        if omitted.is_least or (omitted.is_complete and detail_level != "everything"):
            break
    set_detail_level(
        parts.panels,
        detail_level=min(omitted_by_detail_level, key=lambda level: omitted_by_detail_level[level]),
    )


def _choose_crowd_columns_and_detail_level(
    parts: PlayWidgets, width: float, height: float, available: float
) -> int:
    """Sets the highest level of detail of a large group's panels that leaves room for the question.

    Returns the number of columns of panels.
    """
    for detail_level, columns in product(DETAIL_LEVELS, (2, 3)):
        set_detail_level(parts.panels, detail_level=detail_level)
        if do_panels_fit(parts.panels, columns, width, height * PORTRAIT_CROWD_HEIGHT_FRACTION):
            question_height = available - min_panel_block_height(parts.panels, columns, width)
            omitted = least_omission(parts, width, question_height, in_two_columns=False)
            if omitted != OMISSION_IF_NOTHING_FITS:
                return columns
    return choose_columns_and_detail_level(
        parts.panels, (2, 3), width, height * PORTRAIT_CROWD_HEIGHT_FRACTION
    )
