"""The thin bar of icons at the edge: undo, redo, history, language, home."""

from __future__ import annotations

from math import ceil
from typing import Any

from kivy.properties import DictProperty, ListProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.symbols import POLYLINES_BY_ICON
from ui.widgets.keys.key import Key

OVERFLOW_MENU_ICONS = ("bank",)
"""Icons that move to the overflow menu if the bar is short.

The `more` menu leads there.
"""


class IconBar(EventMixin, BoxLayout):
    """Bar of icons.

    If it is short, some of them are left out. None in `icon_names` is a space that grows. A name
    without an icon is shown as text: `label_by_name` maps it to its label ("日本語").
    """

    icon_names = ListProperty(["undo", "redo", None, "history", "language", "home"])
    label_by_name = DictProperty()
    __events__ = ("on_do",)  # name: a sign was pressed

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("orientation", "vertical")
        super().__init__(**kwargs)
        self.keys: dict[str, Key] = {}
        self.hidden_icons: tuple[str, ...] = ()
        """Names of the icons that have no room."""
        self.bind(icon_names=self._lay, label_by_name=self._lay, orientation=self._lay, size=self._fold)
        self._lay()

    def _fold(self, *_: object) -> None:
        """Leaves out icons if the bar is too short."""
        long = self.height if self.orientation == "vertical" else self.width
        signs = sum(name is not None for name in self.icon_names)
        missing = (
            max(0, ceil(signs - (long + 1) / theme.length.target))
            if long > 1 and "more" in self.icon_names
            else 0
        )
        folded = tuple(name for name in OVERFLOW_MENU_ICONS if name in self.icon_names)[:missing]
        if folded != self.hidden_icons:
            self.hidden_icons = folded
            self._lay()

    def _lay(self, *_: object) -> None:
        self.clear_widgets()
        disabled = {name for name, key in self.keys.items() if key.disabled}
        self.keys = {}
        for name in self.icon_names:
            if name in self.hidden_icons:
                continue
            self.add_widget(Widget() if name is None else self._key(name))
        for name in disabled & self.keys.keys():
            self.set_enabled(name, is_enabled=False)

    @property
    def min_length(self) -> float:
        """Least length of the bar.

        The icons that the overflow menu replaces aren't counted.
        """
        signs = [name for name in self.icon_names if name is not None and name not in OVERFLOW_MENU_ICONS]
        return theme.length.target * len(signs)

    def _key(self, name: str) -> Key:
        upright = self.orientation == "vertical"
        worded = name in self.label_by_name
        key = Key(
            name=name,
            look="felt",
            icon=name if name in POLYLINES_BY_ICON and not worded else "",
            text=self.label_by_name.get(name, ""),
            style="quiet",
            lines=1,
            size_hint=(1, None) if upright else (None, 1),
            size=(theme.length.target, theme.length.target),
        )
        key.bind(on_release=lambda key: self.dispatch("on_do", key.name))
        self.keys[name] = key
        return key

    def set_enabled(self, name: str, *, is_enabled: bool) -> None:
        """Enables or disables the key of a name."""
        if name in self.keys:
            self.keys[name].disabled = not is_enabled
