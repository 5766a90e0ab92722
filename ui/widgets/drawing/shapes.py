"""The five shapes that tell players apart, for tokens, envelopes and seals; a gem and a heart."""

from __future__ import annotations

from collections.abc import Callable
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


def _gem() -> Points:
    return [(1.08 * cos(pi * at / 3), 1.08 * sin(pi * at / 3)) for at in range(6)]


def _heart() -> Points:
    turns = [2 * pi * at / 32 for at in range(32)]
    ups = [13 * cos(turn) - 5 * cos(2 * turn) - 2 * cos(3 * turn) - cos(4 * turn) for turn in turns]
    return [(sin(turn) ** 3, up / 16 + 0.08) for turn, up in zip(turns, ups, strict=True)]


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
    "gem": _gem,
    "heart": _heart,
}
OUTLINES = {name: outline() for name, outline in _SHAPES.items()}


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
