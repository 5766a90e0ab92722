"""A sheet of paper that holds what people read and touch."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.widgets.drawing.drawn import Drawn, paper


class Sheet(Drawn, BoxLayout):
    """A column on paper; padding and spacing come from the theme unless given."""

    def __init__(self, **kwargs: object) -> None:
        kwargs.setdefault("orientation", "vertical")
        kwargs.setdefault("padding", theme.length.space)
        kwargs.setdefault("spacing", theme.length.gap)
        super().__init__(**kwargs)

    def draw(self) -> None:
        """Thin paper with its shadow."""
        paper(self.box, theme.length.line)
