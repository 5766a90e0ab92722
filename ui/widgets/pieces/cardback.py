"""Draws the back of a card: the look of a hidden thing."""

from __future__ import annotations

from ui import theme
from ui.widgets.drawing.canvas_diff import Color, SmoothLine
from ui.widgets.drawing.surfaces import Box, draw_border, draw_grain, draw_shadow, fill_rounded_box, inset_box
from ui.widgets.drawing.symbols import draw_shape


def draw_card_back(box: Box) -> None:
    """Draws a dark card with a brass lattice and a diamond in its middle."""
    sizes = theme.length
    draw_shadow(box, sizes.line)
    fill_rounded_box(theme.PAPER, box)
    inner = inset_box(box, sizes.rim)
    fill_rounded_box(theme.FELT_LIT, inner, sizes.radius * 0.6)
    draw_grain(inner, 0.06, sizes.radius * 0.6)
    field = inset_box(inner, sizes.rim * 1.4)
    _draw_lattice(field)
    draw_border(theme.BRASS_DARK, field, sizes.line, sizes.radius * 0.3)
    _draw_medallion(field)


def _draw_lattice(box: Box) -> None:
    """Draws diagonal lines both ways, cut at the box by arithmetic rather than a stencil."""
    x, y, width, height = box
    step = max(theme.length.space, min(width, height) / 6)
    Color(*theme.multiply_opacity(theme.BRASS, 0.3))
    distance = step
    while distance < width + height:
        start = (min(distance, width), max(0.0, distance - width))
        end = (max(0.0, distance - height), min(distance, height))
        for is_mirrored in (False, True):
            points = [
                (width - px if is_mirrored else px) + x if axis == 0 else py + y
                for px, py in (start, end)
                for axis in (0, 1)
            ]
            SmoothLine(points=points, width=theme.length.hair * 0.6)
        distance += step


def _draw_medallion(field: Box) -> None:
    x, y, width, height = field
    side = min(width, height) * 0.46
    diamond_box = (x + (width - side) / 2, y + (height - side) / 2, side, side)
    draw_shape("diamond", diamond_box, theme.FELT, theme.BRASS, theme.length.line)
    draw_shape(
        "diamond", inset_box(diamond_box, side * 0.28), theme.BRASS, theme.BRASS_DARK, theme.length.hair
    )
