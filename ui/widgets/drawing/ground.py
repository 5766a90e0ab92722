"""The felt that everything lies on."""

from __future__ import annotations

from kivy.graphics import Color, Rectangle

from ui import theme
from ui.widgets.drawing import textures
from ui.widgets.drawing.drawn import Drawn, texture_over


class Felt(Drawn):
    """Green-black felt, a little lighter in the middle."""

    def draw(self) -> None:
        """Ground, light, nap."""
        Color(*theme.FELT)
        Rectangle(pos=self.pos, size=self.size)
        Color(*theme.fade(theme.FELT_LIT, 0.75))
        Rectangle(pos=self.pos, size=self.size, texture=textures.vignette())
        texture_over(self.box, 0.045, radius=0)
