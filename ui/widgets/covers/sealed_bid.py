"""Sealed bid: envelopes fanned on dark cloth under a wax seal."""

from __future__ import annotations

from kivy.graphics import Color, PopMatrix, PushMatrix, Rectangle, Rotate, SmoothLine

from ui import theme
from ui.widgets.drawing.drawn import Box, fill, rim, shade
from ui.widgets.drawing.shapes import draw_shape


def draw(box: Box) -> None:
    """Three envelopes, the middle one on top and sealed."""
    x, y, width, height = box
    for band in range(16):
        Color(*theme.blend(theme.FELT, theme.NIGHT, band / 16))
        Rectangle(pos=(x, y + height * band / 16), size=(width, height / 16 + 1))
    across = min(width * 0.62, height * 0.86)
    middle = (x + width / 2, y + height * 0.48)
    for turn, shift in ((13, -0.16), (-13, 0.16), (0, 0.0)):
        PushMatrix()
        Rotate(angle=turn, origin=middle)
        _envelope((middle[0] - across / 2 + across * shift, middle[1] - across * 0.31, across, across * 0.62))
        PopMatrix()
    _seal(middle, across * 0.3)


def _envelope(box: Box) -> None:
    x, y, width, height = box
    radius = theme.length.radius * 0.4
    shade(box, theme.length.line, 0.9)
    fill(theme.KRAFT, box, radius)
    Color(*theme.KRAFT_DARK)
    for side in (x + radius, x + width - radius):
        SmoothLine(points=[side, y + radius, x + width / 2, y + height * 0.5], width=theme.length.hair)
    Color(*theme.BRASS_DARK)
    corners = [x + radius, y + height - radius, x + width / 2, y + height * 0.42]
    SmoothLine(points=[*corners, x + width - radius, y + height - radius], width=theme.length.hair)
    rim(theme.SAND_DARK, box, theme.length.hair, radius)


def _seal(middle: tuple[float, float], side: float) -> None:
    box = (middle[0] - side / 2, middle[1] - side * 0.62, side, side)
    dark = theme.blend(theme.DANGER, theme.INK, 0.5)
    draw_shape("circle", box, theme.DANGER, dark, theme.length.line)
    inner = (box[0] + side * 0.27, box[1] + side * 0.27, side * 0.46, side * 0.46)
    draw_shape("star", inner, dark, theme.blend(theme.DANGER, theme.PAPER, 0.3), theme.length.hair)
