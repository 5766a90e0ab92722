"""The five shapes that tell players apart, for tokens, envelopes and seals."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import cos, pi, sin

from ui.theme import Colour
from ui.widgets.drawing.drawn import Box
from ui.widgets.drawing.strokes import Color, Mesh, SmoothLine

Point = tuple[float, float]
Points = list[Point]
"""A closed outline in a unit square around (0, 0), from -1 to 1."""


def _circle() -> Points:
    return [(0.96 * cos(2 * pi * at / 48), 0.96 * sin(2 * pi * at / 48)) for at in range(48)]


def _triangle() -> Points:
    return _rounded([(-1.0, -0.8), (1.0, -0.8), (0.0, 0.98)], 0.14)


def _square() -> Points:
    return _rounded([(-0.84, -0.84), (0.84, -0.84), (0.84, 0.84), (-0.84, 0.84)], 0.16)


def _diamond() -> Points:
    return _rounded([(0.0, -1.06), (0.94, 0.0), (0.0, 1.06), (-0.94, 0.0)], 0.13)


def _star() -> Points:
    def at(turn: int) -> tuple[float, float]:
        radius = 1.08 if turn % 2 == 0 else 0.52
        return radius * sin(pi * turn / 5), radius * cos(pi * turn / 5) - 0.06

    return _rounded([at(turn) for turn in range(10)], 0.16)


def _rounded(corners: Points, share: float) -> Points:
    """The polygon with each corner bent into a small curve."""
    points: Points = []
    for before, corner, after in zip(
        corners[-1:] + corners[:-1], corners, corners[1:] + corners[:1], strict=True
    ):
        start, end = _between(corner, before, share), _between(corner, after, share)
        for step in range(7):
            towards, on = _between(start, corner, step / 6), _between(corner, end, step / 6)
            points.append(_between(towards, on, step / 6))
    return points


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


_SHAPES: dict[str, Callable[[], Points]] = {
    "circle": _circle,
    "triangle": _triangle,
    "square": _square,
    "diamond": _diamond,
    "star": _star,
}
CORNER = 4
"""Numbers that a corner of a fan is: where it is, and where in a picture."""
OUTLINES = {name: outline() for name, outline in _SHAPES.items()}


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
    points = [(middle[0] + px * half, middle[1] + py * half) for px, py in OUTLINES[shape]]
    fan = [value for at in (middle, *points, points[0]) for value in (*at, 0, 0)]
    return fan, [value for point in points for value in point]
