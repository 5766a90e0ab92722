"""A player's token: their colour and their shape, never one without the other."""

from __future__ import annotations

from typing import ClassVar

from kivy.properties import BooleanProperty, OptionProperty

from ui import theme
from ui.widgets.drawing.drawn import Box, Drawn, inset
from ui.widgets.drawing.shapes import draw_shape


class Token(Drawn):
    """A wooden piece on paper or felt; `faded` when its player is out."""

    shows: ClassVar[tuple[str, ...]] = ("colour", "faded")
    colour = OptionProperty("orange", options=list(theme.PLAYERS))
    faded = BooleanProperty(defaultvalue=False)

    def draw(self) -> None:
        """The piece as large as the widget's shorter side."""
        side = min(self.size)
        draw_token(
            self.colour,
            (self.center_x - side / 2, self.center_y - side / 2, side, side),
            0.35 if self.faded else 1.0,
        )


def draw_token(colour: str, box: Box, strength: float = 1.0) -> None:
    """The token of a player colour with thickness, light from above and an ink outline."""
    player = theme.PLAYERS[colour]
    line = max(theme.length.line, box[2] * 0.035)
    ink = theme.fade(theme.INK, strength)
    x, y, width, height = inset(box, line / 2)
    thick = height * 0.06
    side = theme.fade(theme.blend(player.colour, theme.INK, 0.45), strength)
    draw_shape(player.shape, (x, y - thick, width, height), side, ink, line)
    draw_shape(player.shape, (x, y, width, height), theme.fade(player.colour, strength), ink, line)
    lit = theme.fade(theme.blend(player.colour, theme.PAPER_LIT, 0.55), 0.8 * strength)
    draw_shape(player.shape, inset((x, y, width, height), width * 0.13), theme.CLEAR, lit, line * 0.55)
