"""The panel stands: the question at the left, everybody's strips at the right."""

from __future__ import annotations

from ui import theme
from ui.plans.column import column
from ui.plans.parts import Parts, frame, hide, put
from ui.plans.strips import columns_of, lay, least
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.columns import FEW_SEATS

SEATS = (0.315, 0.35, 0.39)
"""Shares of the width that the strips may take; more only where they need it."""
ASKED = 6.7
"""Targets that the question is wide at least."""


def landscape(parts: Parts, box: Box) -> None:
    """Signs, question, strips: three columns."""
    x, y, width, height = box
    gap, sizes = theme.length.gap, theme.length
    parts.bar.orientation = "vertical"
    frame(parts.centre, box)
    hide(parts.across)
    put(parts.bar, 0, 0, sizes.target, height)
    most = width - (ASKED + 1) * sizes.target - 2.5 * gap
    if len(parts.strips) > FEW_SEATS:
        seats = min(width * SEATS[-1], most)
        columns = columns_of(parts.strips, (1, 2), seats, height)
    else:
        shares = [width * SEATS[0], *(width * share for share in SEATS[1:] if width * share <= most)]
        enough = (share for share in shares if least(parts.strips, 1, share) <= height)
        columns, seats = 1, next(enough, shares[-1])
    lay(parts.strips, columns, (x + width - seats, y, seats, height))
    column(parts, (sizes.target + gap, 0, width - seats - sizes.target - 2.5 * gap, height))
