"""The panel as it comes, upright: strips above, the middle below them, the question under the thumbs."""

from __future__ import annotations

from itertools import product

from ui import theme
from ui.plans.column import ALL_TRIES, WHOLE, column, left_out, needed
from ui.plans.parts import Parts, frame, hide, put
from ui.plans.strips import BRIEF, columns_of, have_room, lay, least, tell
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.columns import FEW_SEATS

TWO = 4
"""From so many seats on the strips stand in two columns."""
SHARE = 0.42
"""The strips take no more of the height, and less where the rest needs it, if they need no more."""
MOST = 0.5
"""Nor do many of them, unless they need more at their briefest."""


def _tell(parts: Parts, columns: int, width: float, height: float) -> None:
    """Lets the strips say everything, or no more than leaves room for what is asked, if that helps."""
    tries: dict[int, int] = {}
    for brief in BRIEF:
        tell(parts.strips, brief=brief)
        tries[brief] = left_out(parts, width, height - least(parts.strips, columns, width), beside=False)
        if tries[brief] <= WHOLE:
            break
    tell(parts.strips, brief=min(tries, key=lambda brief: tries[brief]))


def _tell_many(parts: Parts, width: float, height: float, room: float) -> int:
    """In how many columns many strips stand; they are as brief as what is asked needs it."""
    for brief, columns in product(BRIEF, (2, 3)):
        tell(parts.strips, brief=brief)
        if have_room(parts.strips, columns, width, height * MOST):
            left = room - least(parts.strips, columns, width)
            if left_out(parts, width, left, beside=False) < ALL_TRIES:
                return columns
    return columns_of(parts.strips, (2, 3), width, height * MOST)


def upright(parts: Parts, box: Box) -> None:
    """Strips, question, signs: three rows."""
    x, y, width, height = box
    gap, sizes = theme.length.gap, theme.length
    parts.bar.orientation = "horizontal"
    frame(parts.centre, box)
    hide(parts.across)
    put(parts.bar, 0, 0, width, sizes.target)
    columns = 2 if len(parts.strips) >= TWO else 1
    low = sizes.target + gap
    if len(parts.strips) > FEW_SEATS:
        columns = _tell_many(parts, width, height, height - gap - low)
    else:
        _tell(parts, columns, width, height - gap - low)
    left = height - gap - low - needed(parts, width)
    room = max(min(height * SHARE, left), least(parts.strips, columns, width))
    used = lay(parts.strips, columns, (x, y + height - room, width, room))
    column(parts, (0, low, width, height - used - gap - low))
