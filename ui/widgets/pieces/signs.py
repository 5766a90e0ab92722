"""Signs beside printed values: a gem in its colour, a heart, a coin, people, soil."""

from __future__ import annotations

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import Color, SmoothEllipse
from ui.widgets.drawing.surfaces import Box, fill, inset, rim
from ui.widgets.drawing.symbols import draw_shape

SIGNS = ("heart", "dollar", "people", "soil", "star", "shield", "sword")
"""What a deck's face may name besides colours."""


def is_sign(name: str) -> bool:
    """Whether there is a picture of that name."""
    return name in SIGNS or name in theme.PIECE_COLOURS


def draw_sign(name: str, box: Box, ink: Colour) -> None:
    """One sign in a square box."""
    x, y, side, _ = box
    if name in theme.PIECE_COLOURS:
        draw_shape("gem", box, theme.PIECE_COLOURS[name], theme.INK, theme.length.hair)
        return
    match name:
        case "heart":
            draw_shape("heart", box, theme.DANGER, theme.DANGER, theme.length.hair)
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
            soil = inset(box, side * 0.1)
            fill(theme.PIECE_COLOURS["brown"], soil, side * 0.1)
            rim(theme.INK, soil, theme.length.hair, side * 0.1)
        case "star":
            draw_shape("star", box, theme.BRASS, theme.INK, theme.length.hair)
        case "shield" | "sword":
            draw_shape("diamond", box, theme.PIECE_COLOURS["grey"], ink, theme.length.hair)
