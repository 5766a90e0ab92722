"""Whether a grave answer is meant: asked before it is given."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.events import Tells
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key


class Doubt(Tells, BoxLayout):
    """Asks in the place of the question."""

    __events__ = (
        "on_sure",  # it is meant
        "on_unsure",  # another answer is wanted
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=theme.length.space, **kwargs)
        self.text = Writing(style="question", halign="center", felt=True, lines=3)
        self.unsure = Key(name="not sure")
        self.unsure.bind(on_release=lambda _: self.dispatch("on_unsure"))
        self.sure = Key(look="brass", name="sure")
        self.sure.bind(on_release=lambda _: self.dispatch("on_sure"))
        row = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.space)
        row.add_widget(self.unsure)
        row.add_widget(self.sure)
        self.add_widget(self.text)
        self.add_widget(row)
