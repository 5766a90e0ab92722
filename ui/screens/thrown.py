"""What the companion rolled: the dice, large, for a moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.uix.boxlayout import BoxLayout

from companion.requests import Die
from companion.words import render
from ui import theme
from ui.widgets.drawing.drawn import Drawn, Sheet
from ui.widgets.drawing.writing import Writing


class Thrown(Drawn, BoxLayout):
    """Each die with its face and its name; goes by itself, or with a touch."""

    def __init__(self, dice: Sequence[Die], faces: Sequence[int], lang: str, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(padding=sizes.margin * 2, spacing=sizes.margin, **kwargs)
        for die, face in zip(dice, faces, strict=True):
            sheet = Sheet(size_hint_y=None, height=sizes.grand * 2.4, pos_hint={"center_y": 0.5})
            sheet.add_widget(Writing(text=str(face), style="grand", halign="center"))
            sheet.add_widget(
                Writing(text=render(die.label, lang), style="question", halign="center", size_hint_y=0.35)
            )
            self.add_widget(sheet)
        self._ending = Clock.schedule_once(lambda _: self.leave(), theme.PAUSE)

    def leave(self) -> None:
        """Takes itself away."""
        self._ending.cancel()
        if self.parent is not None:
            self.parent.remove_widget(self)

    def draw(self) -> None:
        """A veil over the table."""
        Color(*theme.VEIL)
        Rectangle(pos=self.pos, size=self.size)

    def on_touch_down(self, _touch: Any) -> bool:
        """Whoever has seen it goes on; nothing below is touched."""
        self.leave()
        return True
