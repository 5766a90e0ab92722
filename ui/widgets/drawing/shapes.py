"""The shapes that tell players apart, drawn for tokens, envelopes and seals; and a gem."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

from companion.table.signs import shape_outline
from ui.theme import Colour
from ui.widgets.drawing.drawn import Box
from ui.widgets.drawing.strokes import Color, Mesh, SmoothLine

GEM = [(1.08 * cos(pi * at / 3), 1.08 * sin(pi * at / 3)) for at in range(6)]
CORNER = 4
"""Numbers that a corner of a fan is: where it is, and where in a picture."""


def draw_shape(shape: str, box: Box, colour: Colour, ink: Colour, line: float) -> None:
    """A filled shape with its outline inside `box`; `line` is the outline's thickness."""
    fan, outline = _placed(shape, box, line)
    Color(*colour)
    Mesh(vertices=fan, indices=list(range(len(fan) // CORNER)), mode="triangle_fan")
    Color(*ink)
    SmoothLine(points=outline, width=line / 2, close=True)


@lru_cache(maxsize=512)  # a table of twelve has a hundred, each of 50 corners, and they hardly ever move
def _placed(shape: str, box: Box, line: float) -> tuple[list[float], list[float]]:
    """The corners of a fan that fills it, and those of its outline."""
    x, y, width, height = box
    half = (min(width, height) - line) / 2 / 1.08
    middle = x + width / 2, y + height / 2
    outline = GEM if shape == "gem" else shape_outline(shape)
    points = [(middle[0] + px * half, middle[1] + py * half) for px, py in outline]
    fan = [value for at in (middle, *points, points[0]) for value in (*at, 0, 0)]
    return fan, [value for point in points for value in point]
