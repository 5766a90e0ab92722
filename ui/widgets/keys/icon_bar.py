"""The thin bar of signs at the edge: undo, redo, history, language, home."""

from __future__ import annotations

from math import ceil
from typing import Any

from kivy.properties import DictProperty, ListProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.symbols import SIGNS
from ui.widgets.keys.key import Key

FOLDING = ("bank",)
"""Signs that have no place of their own where the bar is short: what `more` opens leads there."""


class Bar(EventMixin, BoxLayout):
    """`things` are names of signs from first to last; None leaves a space that grows.

    A name without a sign of its own is written: `texts` maps it to its word ("日本語").
    `enable(name, can=False)` greys one out.
    """

    things = ListProperty(["undo", "redo", None, "history", "language", "home"])
    texts = DictProperty()
    __events__ = ("on_do",)  # name: a sign was pressed

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("orientation", "vertical")
        super().__init__(**kwargs)
        self.keys: dict[str, Key] = {}
        self.hidden_icons: tuple[str, ...] = ()
        """Names of the signs that have no room."""
        self.bind(things=self._lay, texts=self._lay, orientation=self._lay, size=self._fold)
        self._lay()

    def _fold(self, *_: object) -> None:
        """Leaves out signs for which it is too short."""
        long = self.height if self.orientation == "vertical" else self.width
        signs = sum(name is not None for name in self.things)
        missing = (
            max(0, ceil(signs - (long + 1) / theme.length.target))
            if long > 1 and "more" in self.things
            else 0
        )
        folded = tuple(name for name in FOLDING if name in self.things)[:missing]
        if folded != self.hidden_icons:
            self.hidden_icons = folded
            self._lay()

    def _lay(self, *_: object) -> None:
        self.clear_widgets()
        disabled = {name for name, key in self.keys.items() if key.disabled}
        self.keys = {}
        for name in self.things:
            if name in self.hidden_icons:
                continue
            self.add_widget(Widget() if name is None else self._key(name))
        for name in disabled & self.keys.keys():
            self.enable(name, can=False)

    @property
    def least(self) -> float:
        """How long it must be, with all folded that can be."""
        signs = [name for name in self.things if name is not None and name not in FOLDING]
        return theme.length.target * len(signs)

    def _key(self, name: str) -> Key:
        upright = self.orientation == "vertical"
        worded = name in self.texts
        key = Key(
            name=name,
            look="felt",
            icon=name if name in SIGNS and not worded else "",
            text=self.texts.get(name, ""),
            style="quiet",
            lines=1,
            size_hint=(1, None) if upright else (None, 1),
            size=(theme.length.target, theme.length.target),
        )
        key.bind(on_release=lambda key: self.dispatch("on_do", key.name))
        self.keys[name] = key
        return key

    def enable(self, name: str, *, can: bool) -> None:
        """Whether that key can be pressed now."""
        if name in self.keys:
            self.keys[name].disabled = not can
