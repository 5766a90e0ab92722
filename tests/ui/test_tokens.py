"""Players' tokens: their shapes tell players apart, so nothing is drawn over them."""

from __future__ import annotations

from itertools import chain
from math import hypot
from typing import Any

import pytest

from companion.table.scores import Standing
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR
from companion.table.seats import make_seats

OUTLINES_PER_TOKEN = 3
MIN_SIGN_SIZE = 14
"""The least size of the sign that says who somebody is, at 800×480, in pixels."""
pytestmark = pytest.mark.usefixtures("kivy_window")


def outlines_of(token: Any) -> list[list[tuple[float, float]]]:
    """The corners of each outline, the last drawn at the end."""
    from ui.widgets.drawing.canvas_diff import SmoothLine, record_drawing

    line = SmoothLine._instruction_class
    recorded = record_drawing(token.draw)
    recorded_lines = [one.keyword_args for one in recorded if one.instruction_class is line]
    outlines = [each["points"] for each in recorded_lines if "points" in each]
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


@pytest.mark.parametrize("name", ["Aki", "Emmanuelle", "Papadimitrakopoulosa"])
@pytest.mark.parametrize("size", [(160, 120), (150, 100), (140, 90)])
def test_the_token_of_a_low_envelope_is_recognised(name: str, size: tuple[int, int]) -> None:
    """However long the name below it is, and however little of the envelope the slip leaves."""
    from ui import theme
    from ui.widgets.drawing.symbols import PlayerToken
    from ui.widgets.seats.envelope import Envelope

    envelope = Envelope(colour="rose", name=name, is_waiting=False, size=size, height_to_width=0.25)
    envelope.max_body_width = 100
    envelope.flap = envelope.slip = 1.0
    envelope.draw()
    outermost, *_ = outlines_of(PlayerToken(colour="rose", size=envelope.token_box()[2:]))
    assert max(x for x, _ in outermost) - min(x for x, _ in outermost) + theme.length.line >= MIN_SIGN_SIZE


@pytest.mark.parametrize("tied", [1, 3, 4, 6])
def test_the_tokens_of_a_low_podium_are_recognised(tied: int) -> None:
    """However many share the second place."""
    from ui import theme
    from ui.widgets.seats.podium import Podium

    seats = make_seats([f"Player {number}" for number in range(tied + 1)])
    standings = [Standing(seats[0], 1, 9), *[Standing(seat, 2, 3) for seat in seats[1:]]]
    sizes = [
        max(max(values) - min(values) for values in zip(*outline, strict=True))
        for outline in outlines_of(Podium(standings, size=(232, 116)))
    ]
    outermost_sizes = sizes[::OUTLINES_PER_TOKEN]
    assert len(outermost_sizes) == tied + 1
    assert min(outermost_sizes) + theme.length.line >= MIN_SIGN_SIZE
