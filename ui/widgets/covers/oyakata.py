"""Oyakata: the mouth of a mine, a lamp, rails, and gems in the rock."""

from __future__ import annotations

from math import cos, pi, sin

from kivy.graphics import Color, Mesh, Rectangle, SmoothEllipse, SmoothLine

from ui import theme
from ui.widgets.drawing.drawn import Box
from ui.widgets.drawing.shapes import draw_shape

GEMS = (
    ("red", 0.12, 0.72),
    ("blue", 0.87, 0.6),
    ("yellow", 0.1, 0.36),
    ("white", 0.9, 0.26),
    ("red", 0.8, 0.86),
)
"""Colour, and place in the rock from the lower left."""


def draw(box: Box) -> None:
    """Rock, tunnel, timber, lamp, rails."""
    x, y, width, height = box
    Color(*theme.blend(theme.PIECES["brown"], theme.INK, 0.45))
    Rectangle(pos=(x, y), size=(width, height))
    _rock(box)
    across, up = min(width * 0.6, height * 0.86), height * 0.78
    left = x + (width - across) / 2
    _tunnel(left, y, across, up)
    _rails(left, y, across, up)
    _timber(left, y, across, up)
    _lamp(x + width / 2, y + up * 0.8, across * 0.1)
    side = min(width, height) * 0.15
    for colour, east, north in GEMS:
        gem = (x + width * east - side / 2, y + height * north - side / 2, side, side)
        draw_shape("diamond", gem, theme.PIECES[colour], theme.INK, theme.length.hair)
        lit = theme.blend(theme.PIECES[colour], theme.PAPER_LIT, 0.5)
        draw_shape(
            "diamond", (gem[0] + side * 0.28, gem[1] + side * 0.34, side * 0.4, side * 0.4), lit, lit, 1.0
        )


def _rock(box: Box) -> None:
    x, y, width, height = box
    Color(*theme.fade(theme.INK, 0.35))
    for at in range(9):
        level = y + height * (0.08 + 0.11 * at)
        points = [
            value
            for step in range(9)
            for value in (x + width * step / 8, level + height * 0.035 * sin(step * 2.3 + at * 1.7))
        ]
        SmoothLine(points=points, width=theme.length.hair)


def _tunnel(left: float, y: float, across: float, up: float) -> None:
    """Dark, lighter where the lamp hangs."""
    for share in (1.0, 0.86, 0.7, 0.52):
        Color(*theme.blend(theme.blend(theme.BRASS_DARK, theme.INK, 0.55), theme.FELT_DARK, share))
        wide = across * share
        middle, top = left + across / 2, y + up * 0.98 * share
        corners = [(middle - wide / 2, y), (middle + wide / 2, y)]
        corners += [
            (middle + wide / 2 * cos(pi * at / 16), top - wide / 2 + wide / 2 * sin(pi * at / 16))
            for at in range(17)
        ]
        vertices = [value for px, py in corners for value in (px, max(y, py), 0, 0)]
        Mesh(vertices=vertices, indices=list(range(len(corners))), mode="triangle_fan")


def _rails(left: float, y: float, across: float, up: float) -> None:
    middle, far = left + across / 2, y + up * 0.42
    for at in range(5):
        share = at / 5
        half = across * (0.3 - 0.22 * share)
        level = y + (far - y) * share
        Color(*theme.blend(theme.SAND_DARK, theme.INK, 0.5))
        SmoothLine(
            points=[middle - half, level, middle + half, level], width=theme.length.line * (1 - share * 0.6)
        )
    Color(*theme.PIECES["grey"])
    for way in (-1, 1):
        SmoothLine(
            points=[middle + way * across * 0.22, y, middle + way * across * 0.05, far],
            width=theme.length.line * 0.7,
        )


def _timber(left: float, y: float, across: float, up: float) -> None:
    beam = across * 0.09
    Color(*theme.SAND_DARK)
    for side in (left - beam * 0.3, left + across - beam * 0.7):
        Rectangle(pos=(side, y), size=(beam, up * 0.8))
    Color(*theme.SAND)
    Rectangle(pos=(left - beam, y + up * 0.8), size=(across + 2 * beam, beam))


def _lamp(x: float, y: float, side: float) -> None:
    for share, strength in ((5.0, 0.08), (3.2, 0.14), (1.8, 0.3), (1.0, 1.0)):
        Color(*theme.fade(theme.BRASS_LIT, strength))
        SmoothEllipse(
            pos=(x - side * share / 2, y - side * share / 2 - side * 0.6), size=(side * share, side * share)
        )
