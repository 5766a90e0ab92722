"""Pieces of wood, metal and stone: coin, cube, gem, chip, tile.

A player's piece wears the player's shape, any other coloured piece a letter: colour alone tells nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.table.ledger import Piece
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.canvas_diff import Color, SmoothEllipse, SmoothLine
from ui.widgets.drawing.surfaces import Box, fill, inset, rim
from ui.widgets.drawing.symbols import draw_shape
from ui.widgets.drawing.text import inscribe
from ui.words import running_translator

DARK = 0.45
"""What is darker than that is inscribed in paper, not in ink."""
GOLD = ("coin", "yellow")
"""The look and colour of money as everybody knows it."""


def paint(colour: str) -> Colour:
    """The colour of a piece; brass where it has none."""
    if colour in theme.PLAYER_LOOKS:
        return theme.PLAYER_LOOKS[colour].colour
    return theme.PIECE_COLOURS.get(colour, theme.BRASS)


def letter(piece: Piece, lang: str) -> str:
    """What is written on a piece: nothing on gold, nor on a player's coin or cube, which wears a shape.

    Nor on any piece in a colour that only players have.
    """
    if not piece.colour or (piece.look, piece.colour) == GOLD:
        return ""
    if piece.look in ("coin", "cube") and piece.colour in theme.PLAYER_LOOKS:
        return ""
    app = running_translator()
    letters: dict[str, str] = {
        "red": app.words.said(lang, "R"),
        "blue": app.words.said(lang, "B"),
        "yellow": app.words.said(lang, "Y"),
        "black": app.words.said(lang, "K"),
        "white": app.words.said(lang, "W"),
        "brown": app.words.said(lang, "N"),
        "grey": app.words.said(lang, "A"),
        "green": app.words.said(lang, "G"),
        "orange": app.words.said(lang, "O"),
        "sky": app.words.said(lang, "S"),
        "vermilion": app.words.said(lang, "V"),
        "purple": app.words.said(lang, "P"),
    }
    return letters.get(piece.colour, "")


def draw_thing(piece: Piece, sign: str, box: Box) -> None:
    """One coin, cube, gem, chip or tile in a square box, with its sign."""
    colour = paint(piece.colour)
    _BODIES[piece.look](colour, box)
    if not sign and piece.colour in theme.PLAYER_LOOKS:
        lit = theme.blend(colour, theme.PAPER_LIT, 0.75)
        shape = theme.PLAYER_LOOKS[piece.colour].shape
        draw_shape(shape, inset(box, box[2] * 0.24), lit, theme.INK, theme.length.hair)
        return
    dark = sum(colour[:3]) / 3 < DARK
    middle = (box[0] + box[2] / 2, box[1] + box[3] / 2)
    inscribe(sign, middle, max(theme.length.smallest * 0.9, box[3] * 0.6), theme.PAPER if dark else theme.INK)


def _coin(colour: Colour, box: Box) -> None:
    _chip(colour, box)
    box = inset(box, theme.length.hair)
    Color(*theme.blend(colour, theme.INK, 0.35))
    middle, radius = (box[0] + box[2] / 2, box[1] + box[3] / 2), box[2] * 0.4
    SmoothLine(circle=(*middle, radius), width=theme.length.hair * 0.6)


def _chip(colour: Colour, box: Box) -> None:
    box = inset(box, theme.length.hair)
    Color(*theme.INK)
    SmoothEllipse(pos=box[:2], size=box[2:])
    inner = inset(box, theme.length.hair)
    Color(*colour)
    SmoothEllipse(pos=inner[:2], size=inner[2:])


def _cube(colour: Colour, box: Box) -> None:
    box = inset(box, theme.length.line)
    fill(colour, box, theme.length.line)
    x, y, width, height = box
    Color(*theme.blend(colour, theme.PAPER_LIT, 0.4))
    SmoothLine(
        points=[x, y + height * 0.94, x + width * 0.94, y + height * 0.94], width=theme.length.line * 0.7
    )
    rim(theme.INK, inset(box, -theme.length.hair / 2), theme.length.hair * 1.4, theme.length.line)


def _gem(colour: Colour, box: Box) -> None:
    """A stone cut to six sides."""
    draw_shape("gem", box, colour, theme.INK, theme.length.hair * 1.4)


def _tile(colour: Colour, box: Box) -> None:
    box = inset(box, theme.length.hair)
    fill(theme.SAND if colour == theme.BRASS else colour, box, theme.length.line)
    rim(theme.INK, box, theme.length.hair * 1.4, theme.length.line)


_BODIES: dict[str, Callable[[Colour, Box], None]] = {
    "coin": _coin,
    "chip": _chip,
    "cube": _cube,
    "gem": _gem,
    "tile": _tile,
}
THINGS = tuple(_BODIES)
"""The looks that are drawn here; cards have a file of their own."""
