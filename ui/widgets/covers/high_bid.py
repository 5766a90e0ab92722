"""High Bid: a gavel over its block before a curtain, a picture in a gilded frame beside it."""

from __future__ import annotations

from kivy.graphics import Color, PopMatrix, PushMatrix, Rectangle, Rotate, SmoothEllipse

from ui import theme
from ui.widgets.drawing.drawn import Box, fill, rim, shade

FOLDS = 14


def draw(box: Box) -> None:
    """From the curtain to the desk."""
    x, y, width, height = box
    dark = theme.blend(theme.DANGER, theme.INK, 0.62)
    for fold in range(FOLDS):
        Color(*(dark if fold % 2 else theme.blend(theme.DANGER, theme.INK, 0.4)))
        Rectangle(pos=(x + width * fold / FOLDS, y), size=(width / FOLDS + 1, height))
    _picture((x + width * 0.53, y + height * 0.42, width * 0.36, height * 0.46))
    Color(*theme.blend(theme.BRASS_DARK, theme.INK, 0.45))
    Rectangle(pos=(x, y), size=(width, height * 0.24))
    Color(*theme.BRASS_DARK)
    Rectangle(pos=(x, y + height * 0.24), size=(width, theme.length.line))
    block = (x + width * 0.16, y + height * 0.2, width * 0.3, height * 0.1)
    shade(block, theme.length.line)
    fill(theme.SAND_DARK, block, theme.length.line)
    _gavel((x + width * 0.31, y + height * 0.5), min(width, height) * 0.5)


def _picture(box: Box) -> None:
    x, y, width, height = box
    shade(box, theme.length.line)
    fill(theme.BRASS, box, theme.length.line)
    rim(theme.BRASS_DARK, box, theme.length.line, theme.length.line)
    edge = min(width, height) * 0.13
    inner = (x + edge, y + edge, width - 2 * edge, height - 2 * edge)
    Color(*theme.PIECES["blue"])
    Rectangle(pos=inner[:2], size=inner[2:])
    Color(*theme.BRASS_LIT)
    sun = inner[3] * 0.32
    SmoothEllipse(pos=(inner[0] + inner[2] * 0.55, inner[1] + inner[3] * 0.52), size=(sun, sun))
    Color(*theme.blend(theme.FELT_LIT, theme.PIECES["yellow"], 0.25))
    SmoothEllipse(pos=(inner[0], inner[1] - inner[3] * 0.3), size=(inner[2] * 0.75, inner[3] * 0.75))
    Color(*theme.BRASS_DARK)
    Rectangle(pos=(inner[0], inner[1] - edge), size=(inner[2], edge))


def _gavel(middle: tuple[float, float], side: float) -> None:
    x, y = middle
    PushMatrix()
    Rotate(angle=38, origin=middle)
    wood = theme.blend(theme.SAND_DARK, theme.BRASS_DARK, 0.5)
    handle = (x - side * 0.045, y - side * 0.62, side * 0.09, side * 0.75)
    fill(theme.SAND_DARK, handle, theme.length.line)
    rim(theme.INK, handle, theme.length.hair, theme.length.line)
    head = (x - side * 0.32, y, side * 0.64, side * 0.3)
    shade(head, theme.length.line)
    fill(wood, head, theme.length.line)
    rim(theme.INK, head, theme.length.hair, theme.length.line)
    for end in (x - side * 0.34, x + side * 0.26):
        band = (end, y - side * 0.02, side * 0.08, side * 0.34)
        fill(theme.BRASS, band, theme.length.line)
        rim(theme.INK, band, theme.length.hair, theme.length.line)
    PopMatrix()
