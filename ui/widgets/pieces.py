"""Small pieces side by side, all as large as the room allows."""

from __future__ import annotations

from typing import Any

from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.glyph import Glyph

STEPS = (1.0, 0.86, 0.8, 0.72, 0.67, 0.57)
"""Heights tried, as shares of the largest; the last leaves their numbers the smallest text."""


class Pieces(StackLayout):
    """Children are glyphs or boxes around one; what there is no room for isn't shown by halves."""

    def __init__(self, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(spacing=(gap * 0.5, gap * 0.25), **kwargs)

    def do_layout(self, *largs: Any) -> None:
        """The largest height at which all of them have room."""
        heights = [theme.length.piece * share for share in STEPS]
        fitting = (height for height in heights if self._high(height, self.width) <= self.height)
        height = next(fitting, heights[-1])
        for child in self.children:
            child.height = height
        super().do_layout(*largs)
        for child in self.children:
            child.opacity = float(child.y >= self.y - 1)

    def least(self, width: float) -> float:
        """How high it must be where it is so wide."""
        return self._high(theme.length.piece * STEPS[-1], width)

    def _high(self, height: float, most: float) -> float:
        """How high their rows are together, each row so high and `most` wide."""
        beside, between = self.spacing
        rows, across = 1, 0.0
        for child in reversed(self.children):
            width = child.reach(height)
            if across and across + width > most:
                rows, across = rows + 1, 0.0
            across += width + beside
        return float(rows * height + (rows - 1) * between)


class Named(Widget):
    """A piece that never leaves the name before it."""

    def __init__(self, name: Widget, piece: Glyph) -> None:
        super().__init__(size_hint=(None, None))
        self.name, self.piece = name, piece
        self.add_widget(name)
        self.add_widget(piece)
        self.fbind("height", self._place)
        self.fbind("pos", self._place)
        self._place()

    def reach(self, height: float) -> float:
        """How wide both are together."""
        return float(self.name.width) + self.piece.reach(height)

    def _place(self, *_: object) -> None:
        self.name.height = self.piece.height = self.height
        self.width = self.reach(self.height)
        self.name.pos = self.pos
        self.piece.pos = (self.name.right, self.y)
