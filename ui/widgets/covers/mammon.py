"""Mammon: two eyes in the dark over towers of coins in five colours."""

from __future__ import annotations

from kivy.graphics import Color, Mesh, Rectangle, SmoothEllipse

from ui import theme
from ui.widgets.drawing.drawn import Box

BANDS = 24
TOWERS = (4, 7, 10, 6, 3)
"""Coins in each tower."""


def draw(box: Box) -> None:
    """Embers below, horns and eyes above, the towers in front."""
    x, y, width, height = box
    for band in range(BANDS):
        Color(
            *theme.blend(
                theme.blend(theme.DANGER, theme.INK, 0.35), theme.FELT_DARK, min(1.0, band / BANDS * 1.5)
            )
        )
        Rectangle(pos=(x, y + height * band / BANDS), size=(width, height / BANDS + 1))
    _head(x + width / 2, y + height * 0.4, min(width, height * 1.2))
    coin = width * 0.15
    for at, (colour, count) in enumerate(zip(theme.PLAYERS.values(), TOWERS, strict=True)):
        left = x + width * (0.06 + 0.182 * at)
        for layer in range(count):
            _coin(left, y + height * 0.05 + layer * coin * 0.27, coin, colour.colour)


def _head(x: float, y: float, side: float) -> None:
    """A mask that is only a shadow, two horns, two eyes."""
    Color(*theme.FELT_DARK)
    SmoothEllipse(pos=(x - side * 0.25, y - side * 0.1), size=(side * 0.5, side * 0.52))
    for way in (-1, 1):
        horn = [
            (x + way * side * 0.12, y + side * 0.36),
            (x + way * side * 0.24, y + side * 0.22),
            (x + way * side * 0.38, y + side * 0.56),
        ]
        Color(*theme.blend(theme.SAND_DARK, theme.INK, 0.35))
        _triangle(horn)
        eye = [
            (x + way * side * 0.05, y + side * 0.16),
            (x + way * side * 0.19, y + side * 0.25),
            (x + way * side * 0.17, y + side * 0.15),
        ]
        Color(*theme.BRASS_LIT)
        _triangle(eye)


def _triangle(corners: list[tuple[float, float]]) -> None:
    vertices = [value for x, y in corners for value in (x, y, 0, 0)]
    Mesh(vertices=vertices, indices=[0, 1, 2], mode="triangles")


def _coin(x: float, y: float, side: float, colour: theme.Colour) -> None:
    """A coin lying flat, its edge below its face."""
    for drop, paint in ((side * 0.2, theme.blend(colour, theme.INK, 0.6)), (0.0, colour)):
        Color(*theme.INK)
        SmoothEllipse(pos=(x - 1, y - drop - 1), size=(side + 2, side * 0.42 + 2))
        Color(*paint)
        SmoothEllipse(pos=(x, y - drop), size=(side, side * 0.42))
    Color(*theme.blend(colour, theme.PAPER_LIT, 0.45))
    SmoothEllipse(pos=(x + side * 0.2, y + side * 0.1), size=(side * 0.6, side * 0.22))
