"""The panel stands: the question at the left, everybody's strips at the right."""

from __future__ import annotations

from ui import theme
from ui.plans.column import arrange_in_one_column
from ui.plans.parts import PlayWidgets, hide_widgets, place_frame, place_widget
from ui.plans.strips import arrange_panels, choose_columns, min_total_height
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.panel_columns import MAX_DETAILED_SEATS

PANELS_WIDTH_SHARES = (0.315, 0.35, 0.39)
"""Shares of the width that the strips may take; more only where they need it."""
MIN_QUESTION_TARGETS = 6.7
"""Targets that the question is wide at least."""


def arrange_landscape(parts: PlayWidgets, box: Box) -> None:
    """Signs, question, strips: three columns."""
    x, y, width, height = box
    gap, sizes = theme.length.gap, theme.length
    parts.bar.orientation = "vertical"
    place_frame(parts.centre, box)
    hide_widgets(parts.question_across)
    place_widget(parts.bar, 0, 0, sizes.target, height)
    most = width - (MIN_QUESTION_TARGETS + 1) * sizes.target - 2.5 * gap
    if len(parts.panels) > MAX_DETAILED_SEATS:
        seats = min(width * PANELS_WIDTH_SHARES[-1], most)
        columns = choose_columns(parts.panels, (1, 2), seats, height)
    else:
        shares = [
            width * PANELS_WIDTH_SHARES[0],
            *(width * share for share in PANELS_WIDTH_SHARES[1:] if width * share <= most),
        ]
        enough = (share for share in shares if min_total_height(parts.panels, 1, share) <= height)
        columns, seats = 1, next(enough, shares[-1])
    arrange_panels(parts.panels, columns, (x + width - seats, y, seats, height))
    arrange_in_one_column(parts, (sizes.target + gap, 0, width - seats - sizes.target - 2.5 * gap, height))
