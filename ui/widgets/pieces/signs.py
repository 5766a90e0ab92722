"""Draws signs beside printed values: a gem in a colour, a heart, a coin, people, soil."""

from __future__ import annotations

from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import Color, SmoothEllipse
from ui.widgets.drawing.surfaces import Box, draw_border, fill_rounded_box, inset_box
from ui.widgets.drawing.symbols import draw_shape

PRINTED_SIGNS = ("heart", "dollar", "people", "soil", "star", "shield", "sword")
"""Signs that a card's face may show besides colours."""


def has_sign_picture(name: str) -> bool:
    """Whether a sign of that name can be drawn."""
    return name in PRINTED_SIGNS or name in theme.PIECE_COLOURS


def draw_printed_sign(name: str, box: Box, ink_colour: Colour) -> None:
    """Draws a sign in a square box."""
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
            Color(*ink_colour)
            SmoothEllipse(pos=(x + side * 0.28, y + side * 0.56), size=(side * 0.44, side * 0.44))
            fill_rounded_box(ink_colour, (x + side * 0.16, y, side * 0.68, side * 0.5), side * 0.24)
        case "soil":
            soil = inset_box(box, side * 0.1)
            fill_rounded_box(theme.PIECE_COLOURS["brown"], soil, side * 0.1)
            draw_border(theme.INK, soil, theme.length.hair, side * 0.1)
        case "star":
            draw_shape("star", box, theme.BRASS, theme.INK, theme.length.hair)
        case "shield" | "sword":
            draw_shape("diamond", box, theme.PIECE_COLOURS["grey"], ink_colour, theme.length.hair)
