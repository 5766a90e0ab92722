"""The shapes that tell players apart, drawn for tokens, envelopes and seals."""

from __future__ import annotations

from companion.table.signs import OUTLINES, Points
from ui.theme import Colour
from ui.widgets.drawing.drawn import Box
from ui.widgets.drawing.strokes import Color, Mesh, SmoothLine


def draw_shape(shape: str, box: Box, colour: Colour, ink: Colour, line: float) -> None:
    """A filled shape with its outline inside `box`; `line` is the outline's thickness."""
    points = _placed(OUTLINES[shape], box, line)
    middle = (box[0] + box[2] / 2, box[1] + box[3] / 2)
    Color(*colour)
    _fan(points, middle)
    Color(*ink)
    SmoothLine(points=[value for point in points for value in point], width=line / 2, close=True)


def _placed(points: Points, box: Box, line: float) -> Points:
    x, y, width, height = box
    half = (min(width, height) - line) / 2 / 1.08
    return [(x + width / 2 + px * half, y + height / 2 + py * half) for px, py in points]


def _fan(points: Points, middle: tuple[float, float]) -> None:
    vertices = [value for x, y in (middle, *points, points[0]) for value in (x, y, 0, 0)]
    Mesh(vertices=vertices, indices=list(range(len(points) + 2)), mode="triangle_fan")
