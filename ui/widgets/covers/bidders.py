"""Bidders!: a white and a black project under a hard hat, and the workers who are bid for them."""

from __future__ import annotations

from kivy.graphics import Color, PopMatrix, PushMatrix, Rectangle, Rotate, SmoothEllipse, SmoothLine

from ui import theme
from ui.widgets.drawing.drawn import Box, fill, rim, shade
from ui.widgets.drawing.shapes import draw_shape
from ui.widgets.drawing.token import draw_token

LINES = 10
"""Squares of the plan paper in each direction."""


def draw(box: Box) -> None:
    """Plan paper, two cards, cubes, a tower crane behind."""
    x, y, width, height = box
    Color(*theme.NIGHT)
    Rectangle(pos=(x, y), size=(width, height))
    _plan(box)
    _crane(box)
    side = min(width * 0.36, height * 0.5)
    for turn, shift, ground, ink in (
        (9, -0.2, theme.PAPER_LIT, theme.INK),
        (-9, 0.2, theme.PIECES["black"], theme.PAPER),
    ):
        middle = (x + width * (0.5 + shift), y + height * 0.42)
        PushMatrix()
        Rotate(angle=turn, origin=middle)
        card = (middle[0] - side / 2, middle[1] - side * 0.66, side, side * 1.32)
        shade(card, theme.length.line)
        fill(ground, card, theme.length.radius * 0.4)
        rim(theme.BRASS_DARK, card, theme.length.hair, theme.length.radius * 0.4)
        _house((card[0] + side * 0.16, card[1] + side * 0.42, side * 0.68, side * 0.7), ink)
        PopMatrix()
    cube = side * 0.3
    for at, colour in enumerate(("orange", "sky", "green", "vermilion", "purple")):
        draw_token(
            colour, (x + width * (0.14 + 0.155 * at), y + height * (0.09 + 0.03 * (at % 2)), cube, cube)
        )


def _plan(box: Box) -> None:
    x, y, width, height = box
    Color(*theme.fade(theme.PAPER, 0.13))
    for at in range(1, LINES):
        across, up = x + width * at / LINES, y + height * at / LINES
        SmoothLine(points=[across, y, across, y + height], width=theme.length.hair * 0.4)
        SmoothLine(points=[x, up, x + width, up], width=theme.length.hair * 0.4)


def _crane(box: Box) -> None:
    x, y, width, height = box
    Color(*theme.fade(theme.BRASS, 0.85))
    mast, top = x + width * 0.5, y + height * 0.93
    SmoothLine(points=[mast, y, mast, top], width=theme.length.line)
    SmoothLine(
        points=[x + width * 0.2, top - height * 0.08, x + width * 0.9, top - height * 0.08],
        width=theme.length.line,
    )
    SmoothLine(
        points=[x + width * 0.2, top - height * 0.08, mast, top, x + width * 0.9, top - height * 0.08],
        width=theme.length.hair,
    )
    SmoothLine(
        points=[x + width * 0.82, top - height * 0.08, x + width * 0.82, top - height * 0.2],
        width=theme.length.hair,
    )
    draw_shape(
        "diamond",
        (x + width * 0.79, top - height * 0.28, width * 0.06, height * 0.09),
        theme.BRASS,
        theme.INK,
        theme.length.hair,
    )


def _house(box: Box, ink: theme.Colour) -> None:
    """The front of a town hall: columns under a gable."""
    x, y, width, height = box
    Color(*ink)
    SmoothLine(
        points=[x, y + height * 0.62, x + width / 2, y + height * 0.95, x + width, y + height * 0.62],
        width=theme.length.line * 0.7,
        close=True,
    )
    for at in range(4):
        Rectangle(pos=(x + width * (0.08 + 0.25 * at), y + height * 0.12), size=(width * 0.1, height * 0.42))
    Rectangle(pos=(x, y), size=(width, height * 0.08))
    SmoothEllipse(pos=(x + width * 0.45, y + height * 0.7), size=(width * 0.1, width * 0.1))
