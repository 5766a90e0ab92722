"""The head of a page that lies over the table: the way back, what it is, and keys of its own."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.line_breaking import longest_phrase
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import Writing, across
from ui.widgets.keys.key import Key


class Head(EventMixin, BoxLayout):
    """`Head(title="Bank", keys=[…])`."""

    __events__ = ("on_close",)  # back to the table

    def __init__(self, title: str, keys: tuple[Widget, ...] = (), **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(size_hint_y=None, height=sizes.target, spacing=sizes.gap, **kwargs)
        back = Key(icon="leave", name="close", look="felt", size_hint_x=None, width=sizes.bar)
        back.bind(on_release=lambda _: self.dispatch("on_close"))
        self.title = Writing(text=title, style="question", felt=True, lines=2, line_height=1.0)
        self._keys, self._back = keys, back
        self._top, self._low = BoxLayout(spacing=sizes.gap), BoxLayout(spacing=sizes.gap)
        put(self, back, self.title, *keys)
        self.bind(width=self._fold)
        self.title.bind(text=self._fold)

    def _fold(self, *_: object) -> None:
        """Its keys stand in a row of their own where they leave the title too little."""
        if self.title.parent not in (self, self._top):
            return
        sizes = theme.length
        keys = [key for key in self._keys if key.parent in (self, self._low)]
        taken = self._back.width + sum(key.width + sizes.gap for key in keys if key.size_hint_x is None)
        is_folded = bool(keys) and longest_phrase(self.title.text, _small) > self.width - taken - sizes.gap
        if is_folded == (self._top.parent is not None):
            return
        self.clear_widgets()
        self._low.clear_widgets()
        if is_folded:
            put(self, put(self._top, self._back, self.title), put(self._low, Widget(), *keys))
        else:
            put(self, self._back, self.title, *keys)
        self.orientation = "vertical" if is_folded else "horizontal"
        self.height = 2 * sizes.target + sizes.gap if is_folded else sizes.target

    @property
    def beside(self) -> Box:
        """All of it but the way back."""
        return self.title.x, self.y, self.right - self.title.x, self.height


def _small(text: str) -> float:
    return across(text, theme.length.smallest)
