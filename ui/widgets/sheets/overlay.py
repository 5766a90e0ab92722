"""A second screen laid over the first: the keyboard, the number pad."""

from __future__ import annotations

from typing import Any

from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui.widgets.drawing.drawn import Felt
from ui.widgets.drawing.putting import put, take_away


class Overlay(FloatLayout):
    """Felt with one widget on it; nothing below can be touched until `close()`."""

    def __init__(self, content: Widget, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.content = content
        put(self, Felt(), content)

    def close(self, *_: object) -> None:
        """Take it away."""
        take_away(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Every touch ends here."""
        super().on_touch_down(touch)
        return True
