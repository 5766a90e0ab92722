"""A small number, one more or one less at a touch."""

from __future__ import annotations

from typing import Any

from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.pieces.glyph import Plate

FIGURE = 0.7
"""How wide its number is, in targets."""


class Stepper(Sheet):
    """`count` of what `text` names, from `least` to `most`; `note` says what each is worth."""

    count = NumericProperty(0)
    least = NumericProperty(0)
    most = NumericProperty(99)
    text = StringProperty("")
    note = StringProperty("")

    def __init__(self, name: str = "", **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="horizontal", padding=(gap * 1.5, 0, gap, 0), spacing=0, **kwargs)
        self.label, self.badge = Writing(lines=2), Plate("")
        named = BoxLayout(orientation="vertical", padding=(0, gap * 0.25), spacing=0)
        put(named, self.label, self.badge)
        self.figure = Writing(
            style="digit", halign="center", size_hint_x=None, width=theme.length.target * FIGURE
        )
        self.less = Key(icon="minus", name=f"less {name}", size_hint_x=None, width=theme.length.target)
        self.more = Key(icon="plus", name=f"more {name}", size_hint_x=None, width=theme.length.target)
        self.less.bind(on_press=lambda _: self._step(-1))
        self.more.bind(on_press=lambda _: self._step(1))
        for key in (self.less, self.more):
            key.size_hint_y, key.height, key.pos_hint = None, theme.length.target, {"center_y": 0.5}
        put(self, named, self.less, self.figure, self.more)
        for prop in ("count", "least", "most", "text", "note"):
            self.fbind(prop, self._show)
        self._show()

    @staticmethod
    def room(width: float) -> float:
        """How wide its words may be."""
        return width - theme.length.target * (2 + FIGURE) - theme.length.gap * 2.5

    def _step(self, by: int) -> None:
        self.count = min(self.most, max(self.least, self.count + by))

    def _show(self, *_: object) -> None:
        self.label.text, self.badge.text = self.text, self.note
        self.figure.text = str(self.count)
        self.less.disabled, self.more.disabled = self.count <= self.least, self.count >= self.most
