"""All that happened after the last answer, where the play screen has no room for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.widgets.drawing.drawn import Drawn, Sheet
from ui.widgets.drawing.putting import put, take_away
from ui.widgets.drawing.strokes import Color, Rectangle
from ui.widgets.drawing.writing import Writing

MOST_LINES = 24


class Happened(Drawn, BoxLayout):
    """A sheet with a line for each sentence; a touch anywhere takes it away, and presses nothing below."""

    def __init__(self, title: str, texts: Sequence[str], **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(padding=sizes.margin, **kwargs)
        self.texts = texts
        self.title = Writing(text=title, style="question", size_hint_y=None, height=sizes.question * 1.4)
        self.writing = Writing(text="\n".join(texts), lines=MOST_LINES, line_height=1.0, valign="top")
        put(self, put(Sheet(padding=sizes.margin, spacing=sizes.gap), self.title, self.writing))

    def leave(self) -> None:
        """Takes itself away."""
        take_away(self)

    def draw(self) -> None:
        """A veil over the table."""
        Color(*theme.VEIL)
        Rectangle(pos=self.pos, size=self.size)

    def on_touch_down(self, _touch: Any) -> bool:
        """Whoever has read it goes on."""
        self.leave()
        return True
