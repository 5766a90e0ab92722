"""The key that takes the cards which already lay on a reader when the question came."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui.host import running
from ui.widgets.keys.key import Key


class TakeKey(Key):
    """It says how many cards lie there, not which: a hand may have come near the reader by chance."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(name="take", **kwargs)
        self.waiting = 0
        self.speak()

    def show(self, waiting: int) -> None:
        """Shows how many cards lie there."""
        self.waiting = waiting
        self.speak()

    def stand_in(self, row: BoxLayout, before: Widget) -> None:
        """Stands in the row, left of that key, while cards lie there."""
        if self.parent is row and not self.waiting:
            row.remove_widget(self)
        if self.parent is None and self.waiting:
            row.add_widget(self, index=row.children.index(before) + 1)

    def speak(self) -> None:
        """How many."""
        app = running()
        self.text = app.trn("Use this card", "Use these {n} cards", self.waiting)
