"""The header of a page over the table: a back key, the title, and keys of the page."""

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
    """Header of a page: a back key, a title, and keys of the page.

    `PageHeader(title="Bank", keys=(…,))`.
    """

    __events__ = ("on_close",)  # somebody pressed the back key

    def __init__(self, title: str, keys: tuple[Widget, ...] = (), **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(size_hint_y=None, height=sizes.target, spacing=sizes.gap, **kwargs)
        back = Key(icon="leave", name="close", look="felt", size_hint_x=None, width=sizes.bar)
        back.bind(on_release=lambda _: self.dispatch("on_close"))
        self.title = FittedLabel(text=title, style="question", is_on_felt=True, lines=2, line_height=1.0)
        self._keys, self._back_key = keys, back
        self._title_row, self._keys_row = BoxLayout(spacing=sizes.gap), BoxLayout(spacing=sizes.gap)
        add_children(self, back, self.title, *keys)
        self.bind(width=self._arrange)
        self.title.bind(text=self._arrange)

    def _arrange(self, *_: object) -> None:
        """Places the keys beside the title, or in a row of their own if the title needs the room."""
        if self.title.parent not in (self, self._title_row):
            return
        sizes = theme.length
        keys = [key for key in self._keys if key.parent in (self, self._keys_row)]
        keys_width = self._back_key.width + sum(
            key.width + sizes.gap for key in keys if key.size_hint_x is None
        )
        is_folded = (
            bool(keys)
            and widest_phrase_width(self.title.text, _title_width) > self.width - keys_width - sizes.gap
        )
        if is_folded == (self._title_row.parent is not None):
            return
        self.clear_widgets()
        self._keys_row.clear_widgets()
        if is_folded:
            add_children(
                self,
                add_children(self._title_row, self._back_key, self.title),
                add_children(self._keys_row, Widget(), *keys),
            )
        else:
            add_children(self, self._back_key, self.title, *keys)
        self.orientation = "vertical" if is_folded else "horizontal"
        self.height = 2 * sizes.target + sizes.gap if is_folded else sizes.target

    @property
    def area_beside_back_key(self) -> Box:
        """Box of the header without the back key."""
        return self.title.x, self.y, self.right - self.title.x, self.height


def _title_width(text: str) -> float:
    return measure_text_width(text, theme.length.smallest)
