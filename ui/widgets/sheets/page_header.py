"""The header of a page over the table: a key back, the title, and keys of the page."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.line_breaking import widest_phrase_width
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.key import Key


class PageHeader(EventMixin, BoxLayout):
    """Header of a page: a key back to the table, a title, and keys of the page.

    `PageHeader(title="Bank", keys=[…])`.
    """

    __events__ = ("on_close",)  # back to the table

    def __init__(self, title: str, keys: tuple[Widget, ...] = (), **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(size_hint_y=None, height=sizes.target, spacing=sizes.gap, **kwargs)
        back = Key(icon="leave", name="close", look="felt", size_hint_x=None, width=sizes.bar)
        back.bind(on_release=lambda _: self.dispatch("on_close"))
        self.title = FittedLabel(text=title, style="question", is_on_felt=True, lines=2, line_height=1.0)
        self._keys, self._back = keys, back
        self._top, self._low = BoxLayout(spacing=sizes.gap), BoxLayout(spacing=sizes.gap)
        add_children(self, back, self.title, *keys)
        self.bind(width=self._fold)
        self.title.bind(text=self._fold)

    def _fold(self, *_: object) -> None:
        """Moves the keys to a row of their own if they leave the title too little room."""
        if self.title.parent not in (self, self._top):
            return
        sizes = theme.length
        keys = [key for key in self._keys if key.parent in (self, self._low)]
        taken = self._back.width + sum(key.width + sizes.gap for key in keys if key.size_hint_x is None)
        is_folded = (
            bool(keys) and widest_phrase_width(self.title.text, _small) > self.width - taken - sizes.gap
        )
        if is_folded == (self._top.parent is not None):
            return
        self.clear_widgets()
        self._low.clear_widgets()
        if is_folded:
            add_children(
                self,
                add_children(self._top, self._back, self.title),
                add_children(self._low, Widget(), *keys),
            )
        else:
            add_children(self, self._back, self.title, *keys)
        self.orientation = "vertical" if is_folded else "horizontal"
        self.height = 2 * sizes.target + sizes.gap if is_folded else sizes.target

    @property
    def area_beside_back_key(self) -> Box:
        """Box of the header without the key back."""
        return self.title.x, self.y, self.right - self.title.x, self.height


def _small(text: str) -> float:
    return measure_text_width(text, theme.length.smallest)
