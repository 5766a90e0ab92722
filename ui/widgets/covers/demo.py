"""The demo table: felt seen from above, five players' tokens around a deck."""

from __future__ import annotations

from math import cos, pi, sin

from kivy.graphics import Color, Rectangle, SmoothEllipse

from ui import theme
from ui.widgets.drawing.drawn import Box
from ui.widgets.drawing.token import draw_token
from ui.widgets.pieces.cardback import draw_back


def draw(box: Box) -> None:
    """A round table, a deck and the tokens."""
    x, y, width, height = box
    Color(*theme.BRASS_DARK)
    Rectangle(pos=(x, y), size=(width, height))
    Color(*theme.fade(theme.INK, 0.55))
    Rectangle(pos=(x, y), size=(width, height))
    side = min(width, height) * 0.9
    middle = (x + width / 2, y + height / 2)
    for paint, share in ((theme.SAND_DARK, 1.0), (theme.INK, 0.93), (theme.FELT_LIT, 0.91)):
        Color(*paint)
        across = side * share
        SmoothEllipse(pos=(middle[0] - across / 2, middle[1] - across / 2), size=(across, across))
    deck = side * 0.2
    for step in range(3):
        at = (middle[0] - deck / 2 + step * 2, middle[1] - deck * 0.7 + step * 2, deck, deck * 1.4)
        draw_back(at)
    token = side * 0.17
    for seat, colour in enumerate(theme.PLAYERS):
        turn = pi / 2 + 2 * pi * seat / len(theme.PLAYERS)
        at_x, at_y = middle[0] + side * 0.32 * cos(turn), middle[1] + side * 0.32 * sin(turn)
        draw_token(colour, (at_x - token / 2, at_y - token / 2, token, token))
