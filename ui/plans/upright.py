"""The panel as it comes, upright: strips above, the middle below them, the question under the thumbs."""

from __future__ import annotations

from ui import theme
from ui.plans.column import column, needed
from ui.plans.parts import Parts, frame, hide, put
from ui.plans.strips import columns_of, lay, least
from ui.widgets.drawing.drawn import Box
from ui.widgets.seats.columns import FEW_SEATS

TWO = 4
"""From so many seats on the strips stand in two columns."""
SHARE = 0.42
"""The strips take no more of the height, and less where the rest needs it, if they need no more."""
MOST = 0.5
"""Nor do many of them, unless they need more at their briefest."""


def upright(parts: Parts, box: Box) -> None:
    """Strips, question, signs: three rows."""
    x, y, width, height = box
    gap, sizes = theme.length.gap, theme.length
    parts.bar.orientation = "horizontal"
    frame(parts.centre, box)
    hide(parts.across)
    put(parts.bar, 0, 0, width, sizes.target)
    columns = 2 if len(parts.strips) >= TWO else 1
    if len(parts.strips) > FEW_SEATS:
        columns = columns_of(parts.strips, (2, 3), width, height * MOST)
    low = sizes.target + gap
    left = height - gap - low - needed(parts, width)
    room = max(min(height * SHARE, left), least(parts.strips, columns, width))
    used = lay(parts.strips, columns, (x, y + height - room, width, room))
    column(parts, (0, low, width, height - used - gap - low))
