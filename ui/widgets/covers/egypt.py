"""Egypt: pyramids at dusk, the sun, the river."""

from __future__ import annotations

from math import pi, sin

from kivy.graphics import Color, Mesh, Rectangle, SmoothEllipse, SmoothLine

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.drawn import Box


def draw(box: Box) -> None:
    """From the sky down to the water."""
    x, y, width, height = box
    _sky(box)
    _sun(x + width * 0.66, y + height * 0.56, min(width, height) * 0.21)
    sand = y + height * 0.27
    _pyramid(x + width * 0.72, sand, width * 0.27, height * 0.27)
    _pyramid(x + width * 0.34, sand, width * 0.42, height * 0.47)
    Color(*theme.SAND)
    Rectangle(pos=(x, y), size=(width, sand - y + 1))
    _river((x, y, width, height * 0.17))


def _sky(box: Box) -> None:
    x, y, width, height = box
    bands = 72
    for band in range(bands):
        Color(*theme.blend(theme.DUSK, theme.NIGHT, min(1.0, band / bands * 1.25)))
        Rectangle(pos=(x, y + height * band / bands), size=(width, height / bands + 1))


def _sun(x: float, y: float, radius: float) -> None:
    for share, strength in ((1.5, 0.12), (1.24, 0.22), (1.0, 1.0)):
        Color(*theme.fade(theme.BRASS_LIT, strength))
        side = 2 * radius * share
        SmoothEllipse(pos=(x - side / 2, y - side / 2), size=(side, side))


def _pyramid(middle: float, foot: float, half: float, height: float) -> None:
    """The sun stands on the right, so the left face lies in shade."""
    top, ridge = (middle, foot + height), (middle + half * 0.25, foot)
    left, right = (middle - half, foot), (middle + half, foot)
    _triangle(theme.BRASS_DARK, left, ridge, top)
    _triangle(theme.SAND_DARK, ridge, right, top)
    Color(*theme.fade(theme.SAND, 0.8))
    SmoothLine(points=[*top, *ridge], width=theme.length.hair * 0.8)
    for course in range(1, 7):
        share = course / 7
        start = (middle + (ridge[0] - middle) * (1 - share), foot + height * share)
        end = (middle + half * (1 - share), foot + height * share)
        Color(*theme.fade(theme.INK, 0.14))
        SmoothLine(points=[*start, *end], width=theme.length.hair * 0.6)


def _triangle(colour: Colour, *corners: tuple[float, float]) -> None:
    Color(*colour)
    vertices = [value for x, y in corners for value in (x, y, 0, 0)]
    Mesh(vertices=vertices, indices=[0, 1, 2], mode="triangles")


def _river(box: Box) -> None:
    x, y, width, height = box
    Color(*theme.NIGHT)
    Rectangle(pos=(x, y), size=(width, height))
    for line in range(3):
        level = y + height * (0.26 + 0.26 * line)
        points = [
            value
            for at in range(41)
            for value in (
                x + width * at / 40,
                level + height * 0.055 * sin(2 * pi * (at / 10 + line / 3)),
            )
        ]
        Color(*theme.fade(theme.SAND, 0.55))
        SmoothLine(points=points, width=theme.length.hair * 0.7)
