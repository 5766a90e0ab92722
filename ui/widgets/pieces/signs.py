"""Signs beside printed values: a gem in its colour, a heart, a coin, people, soil."""

from __future__ import annotations

from math import cos, pi, sin

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.drawn import Box, fill, rim
from ui.widgets.drawing.shapes import draw_shape
from ui.widgets.drawing.strokes import Color, Mesh, SmoothEllipse

SIGNS = ("heart", "dollar", "people", "soil", "star", "shield", "sword")
"""What a deck's face may name besides colours."""


def is_sign(name: str) -> bool:
    """Whether there is a picture of that name."""
    return name in SIGNS or name in theme.PIECES


def draw_sign(name: str, box: Box, ink: Colour) -> None:
    """One sign in a square box."""
    x, y, side, _ = box
    if name in theme.PIECES:
        _stone(theme.PIECES[name], box)
        return
    match name:
        case "heart":
            _heart(theme.DANGER, box)
        case "dollar":
            Color(*theme.BRASS_DARK)
            SmoothEllipse(pos=(x, y), size=(side, side))
            Color(*theme.BRASS)
            SmoothEllipse(pos=(x + side * 0.1, y + side * 0.1), size=(side * 0.8, side * 0.8))
        case "people":
            Color(*ink)
            SmoothEllipse(pos=(x + side * 0.28, y + side * 0.56), size=(side * 0.44, side * 0.44))
            fill(ink, (x + side * 0.16, y, side * 0.68, side * 0.5), side * 0.24)
        case "soil":
            fill(theme.PIECES["brown"], (x + side * 0.1, y + side * 0.1, side * 0.8, side * 0.8), side * 0.1)
            rim(
                theme.INK,
                (x + side * 0.1, y + side * 0.1, side * 0.8, side * 0.8),
                theme.length.hair,
                side * 0.1,
            )
        case "star":
            draw_shape("star", box, theme.BRASS, theme.INK, theme.length.hair)
        case "shield" | "sword":
            draw_shape("diamond", box, theme.PIECES["grey"], ink, theme.length.hair)


def _stone(colour: Colour, box: Box) -> None:
    x, y, side, _ = box
    for shade, radius in ((theme.INK, side / 2), (colour, side / 2 - theme.length.hair)):
        middle = (x + side / 2, y + side / 2)
        points = [
            (middle[0] + radius * cos(pi * at / 3), middle[1] + radius * sin(pi * at / 3)) for at in range(6)
        ]
        _fan(shade, middle, points)


def _heart(colour: Colour, box: Box) -> None:
    x, y, side, _ = box
    points = []
    for at in range(32):
        turn = 2 * pi * at / 32
        across = 16 * sin(turn) ** 3 / 34
        up = (13 * cos(turn) - 5 * cos(2 * turn) - 2 * cos(3 * turn) - cos(4 * turn)) / 34
        points.append((x + side * (0.5 + across), y + side * (0.54 + up)))
    _fan(colour, (x + side / 2, y + side / 2), points)


def _fan(colour: Colour, middle: tuple[float, float], points: list[tuple[float, float]]) -> None:
    vertices = [value for x, y in (middle, *points, points[0]) for value in (x, y, 0, 0)]
    Color(*colour)
    Mesh(vertices=vertices, indices=list(range(len(points) + 2)), mode="triangle_fan")
