"""Any Game: an open box with something of every game in it."""

from __future__ import annotations

from kivy.graphics import Color, Rectangle

from companion.table.ledger import Piece
from companion.words import Say
from ui import theme
from ui.widgets.drawing.drawn import Box, fill, rim, shade
from ui.widgets.drawing.token import draw_token
from ui.widgets.pieces.cardback import draw_back
from ui.widgets.pieces.things import draw_thing

PIECES = (
    ("cube", "sky", 0.22, 0.62),
    ("gem", "red", 0.5, 0.74),
    ("coin", "", 0.76, 0.6),
    ("chip", "blue", 0.72, 0.82),
)
"""Look, colour, and place over the box from the lower left."""


def draw(box: Box) -> None:
    """Cards stand in the box, pieces fly out of it."""
    x, y, width, height = box
    Color(*theme.blend(theme.NIGHT, theme.FELT_LIT, 0.5))
    Rectangle(pos=(x, y), size=(width, height))
    side = min(width, height)
    for at in range(3):
        draw_back(
            (x + width * (0.24 + 0.17 * at), y + height * (0.3 + 0.05 * (at % 2)), side * 0.24, side * 0.34)
        )
    front = (x + width * 0.14, y + height * 0.06, width * 0.72, height * 0.36)
    shade(front, theme.length.line)
    fill(theme.SAND_DARK, front, theme.length.line)
    rim(theme.BRASS_DARK, front, theme.length.line, theme.length.line)
    for look, colour, across, up in PIECES:
        piece = Piece(look, Say(look), look=look, colour=colour)
        draw_thing(piece, "", (x + width * across - side * 0.09, y + height * up, side * 0.18, side * 0.18))
    draw_token("purple", (x + width * 0.3, y + height * 0.8, side * 0.17, side * 0.17))
