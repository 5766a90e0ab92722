"""The panel as it comes, upright: strips above, the middle below them, the question under the thumbs."""

from __future__ import annotations

from itertools import product

from ui import theme
from ui.plans.column import (
    MAX_COMPLETE_LEVEL,
    NOTHING_FITS,
    arrange_in_one_column,
    complete_height,
    omission_level,
)
from ui.plans.parts import PlayWidgets, hide_widgets, place_frame, place_widget
from ui.plans.strips import (
    arrange_panels,
    choose_columns,
    min_total_height,
    panels_fit,
    set_detail_level,
)
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.panel_columns import MAX_DETAILED_SEATS
from ui.widgets.seats.panel_layout import DETAIL_LEVELS, DetailLevel

MIN_SEATS_FOR_TWO_COLUMNS = 4
"""From so many seats on the strips stand in two columns."""
MAX_PANELS_SHARE = 0.42
"""The strips take no more of the height, and less where the rest needs it, if they need no more."""
MAX_CROWD_SHARE = 0.5
"""Nor do many of them, unless they need more at their briefest."""


def _tell(parts: PlayWidgets, columns: int, width: float, height: float) -> None:
    """Lets the strips say everything, or no more than leaves room for what is asked, if that helps."""
    tries: dict[DetailLevel, int] = {}
    for brief in DETAIL_LEVELS:
        set_detail_level(parts.panels, detail_level=brief)
        tries[brief] = omission_level(
            parts, width, height - min_total_height(parts.panels, columns, width), in_two_columns=False
        )
        if tries[brief] <= MAX_COMPLETE_LEVEL:
            break
    set_detail_level(parts.panels, detail_level=min(tries, key=lambda brief: tries[brief]))


def _tell_many(parts: PlayWidgets, width: float, height: float, room: float) -> int:
    """In how many columns many strips stand; they are as brief as what is asked needs it."""
    for brief, columns in product(DETAIL_LEVELS, (2, 3)):
        set_detail_level(parts.panels, detail_level=brief)
        if panels_fit(parts.panels, columns, width, height * MAX_CROWD_SHARE):
            left = room - min_total_height(parts.panels, columns, width)
            if omission_level(parts, width, left, in_two_columns=False) < NOTHING_FITS:
                return columns
    return choose_columns(parts.panels, (2, 3), width, height * MAX_CROWD_SHARE)


def arrange_upright(parts: PlayWidgets, box: Box) -> None:
    """Strips, question, signs: three rows."""
    x, y, width, height = box
    gap, sizes = theme.length.gap, theme.length
    parts.bar.orientation = "horizontal"
    place_frame(parts.centre, box)
    hide_widgets(parts.question_across)
    place_widget(parts.bar, 0, 0, width, sizes.target)
    columns = 2 if len(parts.panels) >= MIN_SEATS_FOR_TWO_COLUMNS else 1
    low = sizes.target + gap
    if len(parts.panels) > MAX_DETAILED_SEATS:
        columns = _tell_many(parts, width, height, height - gap - low)
    else:
        _tell(parts, columns, width, height - gap - low)
    left = height - gap - low - complete_height(parts, width)
    room = max(min(height * MAX_PANELS_SHARE, left), min_total_height(parts.panels, columns, width))
    used = arrange_panels(parts.panels, columns, (x, y + height - room, width, room))
    arrange_in_one_column(parts, (0, low, width, height - used - gap - low))
