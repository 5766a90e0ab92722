"""Players' tokens: their shapes tell players apart, so nothing is drawn over them."""

from __future__ import annotations

from itertools import chain
from math import hypot
from typing import Any

import pytest

from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR

pytestmark = pytest.mark.usefixtures("kivy_window")


def outlines_of(token: Any) -> list[list[tuple[float, float]]]:
    """The corners of each outline, the last drawn at the end."""
    from ui.widgets.drawing.canvas_diff import SmoothLine, record_drawing

    line = SmoothLine._instruction_class
    recorded = record_drawing(token.draw)
    outlines = [one.keyword_args["points"] for one in recorded if one.instruction_class is line]
    return [[*zip(points[::2], points[1::2], strict=True)] for points in outlines]


@pytest.mark.parametrize("side", [26, 38, 96])
@pytest.mark.parametrize("colour", SIGN_BY_SEAT_COLOUR)
def test_a_leaders_crown_is_above_a_whole_token(colour: str, side: int) -> None:
    """The crown touches no shape, and both have room inside the ring of a clock round the usual token."""
    from ui import theme
    from ui.widgets.drawing.symbols import PlayerToken
    from ui.widgets.seats.clock_face import RING_TO_TOKEN_WIDTH_RATIO

    *token, crown = outlines_of(PlayerToken(colour=colour, wears_crown=True, size=(side, side)))
    assert len(token) == len(outlines_of(PlayerToken(colour=colour, size=(side, side))))
    assert min(y for _, y in crown) - theme.length.hair / 2 >= max(y for points in token for _, y in points)
    # A line reaches its width to both sides; the ring's is 1.3 lines wide, and a line inside its box.
    inside_ring = side * RING_TO_TOKEN_WIDTH_RATIO / 2 - 2.3 * theme.length.line
    for x, y in chain(crown, *token):
        assert hypot(x - side / 2, y - side / 2) <= inside_ring
