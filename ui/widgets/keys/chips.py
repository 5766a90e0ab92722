"""Choose one of a few: a row of keys of which one is chosen."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from kivy.properties import ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.widgets.keys.key import Key


class Chips(BoxLayout):
    """`choices` are (value, text) pairs, `chosen` one of the values.

    The chosen one wears a brass frame and a tick. The keys are called by `name` and their value.
    """

    choices = ListProperty()
    chosen = ObjectProperty(None, allownone=True)
    style = StringProperty("key")
    name = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("spacing", theme.length.gap / 2)
        super().__init__(**kwargs)
        self.bind(choices=self._lay, chosen=self._mark)
        self._lay()

    def _lay(self, *_: object) -> None:
        self.clear_widgets()
        pairs: Sequence[tuple[Hashable, str]] = self.choices
        for value, text in pairs:
            key = Key(text=text, style=self.style, on_release=self._choose)
            key.value = value
            key.name = f"{self.name} {value}" if self.name else ""
            self.add_widget(key)
        self._mark()

    def _mark(self, *_: object) -> None:
        for key in self.children:
            key.chosen = key.value == self.chosen

    def _choose(self, key: Key) -> None:
        self.chosen = key.value
