"""The thin bar of icons at the edge: undo, redo, history, language, home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any

from kivy.properties import DictProperty, ListProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.symbols import POLYLINES_BY_ICON
from ui.widgets.keys.key import Key

SOUND_ICONS = ("sound", "muted")
"""Icons of the key that turns sounds off or on: one while they can be heard, one while they can't."""
OVERFLOW_MENU_ICONS = (*SOUND_ICONS, "bank")
"""Icons that move to the overflow menu, which `more` opens, if the bar is short; the first move first."""


def widths_with_captions(keys: Sequence[Key], total_width: float) -> Iterator[tuple[Key, float]]:
    """Yields each key with its width: the least, or that of its word if it has room, the narrowest first."""
    free_width = total_width - theme.length.target * len(keys)
    for key in sorted(keys, key=Key.width_with_caption):
        extra_width = key.width_with_caption() - theme.length.target
        width = theme.length.target + (extra_width if extra_width <= free_width else 0.0)
        free_width -= width - theme.length.target
        yield key, width


class IconRow(BoxLayout):
    """Row of keys with only icons that fill it; where not all of their words have room, the shortest do."""

    def __init__(self, keys: Sequence[Key], **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, height=theme.length.target, **kwargs)
        add_children(self, *keys)
        for key in keys:
            key.bind(caption=self._fit_widths)
        self.bind(width=self._fit_widths)

    def _fit_widths(self, *_: object) -> None:
        for key, width in widths_with_captions(self.children, self.width):
            key.size_hint_x = width


class IconBar(EventMixin, BoxLayout):
    """Bar of icons; if the bar is short, some icons are left out.

    None in `icon_names` is a space that grows. A name without an icon is shown as text: `label_by_name` maps
    the name to its label ("日本語").
    """

    icon_names = ListProperty(["undo", "redo", None, "history", "language", "home"])
    label_by_name = DictProperty()
    __events__ = ("on_icon_press",)  # name: the key with that name was pressed

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("orientation", "vertical")
        super().__init__(**kwargs)
        self.keys: dict[str, Key] = {}
        self.hidden_icons: tuple[str, ...] = ()
        """Names of the icons that have no room."""
        self.bind(
            icon_names=self._rebuild_keys,
            label_by_name=self._rebuild_keys,
            orientation=self._rebuild_keys,
            size=self._hide_icons_without_room,
        )
        self._rebuild_keys()

    def _hide_icons_without_room(self, *_: object) -> None:
        length = self.height if self.orientation == "vertical" else self.width
        hidden_count = 0
        if length > 1 and "more" in self.icon_names:
            icon_count = sum(name is not None for name in self.icon_names)
            hidden_count = max(0, ceil(icon_count - (length + 1) / theme.length.target))
        hidden_icons = tuple(name for name in OVERFLOW_MENU_ICONS if name in self.icon_names)[:hidden_count]
        if hidden_icons != self.hidden_icons:
            self.hidden_icons = hidden_icons
            self._rebuild_keys()
        else:
            self._fit_widths()

    def _rebuild_keys(self, *_: object) -> None:
        self.clear_widgets()
        disabled_names = {name for name, key in self.keys.items() if key.disabled}
        self.keys = {}
        for name in self.icon_names:
            if name in self.hidden_icons:
                continue
            self.add_widget(Widget() if name is None else self._build_key(name))
        for name in disabled_names & self.keys.keys():
            self.set_enabled(name, is_enabled=False)
        self._fit_widths()

    def _fit_widths(self, *_: object) -> None:
        """Makes the keys of a row as wide as their words, the narrowest first, as long as there is room."""
        if self.orientation == "vertical":
            return
        for key, width in widths_with_captions([*self.keys.values()], self.width):
            key.width = width

    @property
    def min_length(self) -> float:
        """Least length of the bar, with the icons left out that the overflow menu replaces."""
        names = [name for name in self.icon_names if name is not None and name not in OVERFLOW_MENU_ICONS]
        return theme.length.target * len(names)

    def _build_key(self, name: str) -> Key:
        is_vertical = self.orientation == "vertical"
        has_label = name in self.label_by_name
        key = Key(
            name=name,
            look="felt",
            icon=name if name in POLYLINES_BY_ICON and not has_label else "",
            text=self.label_by_name.get(name, ""),
            style="quiet",
            lines=1,
            size_hint=(1, None) if is_vertical else (None, 1),
            size=(theme.length.target, theme.length.target),
        )
        key.bind(on_release=lambda key: self.dispatch("on_icon_press", key.name), caption=self._fit_widths)
        self.keys[name] = key
        return key

    def set_enabled(self, name: str, *, is_enabled: bool) -> None:
        """Enables or disables the key of a name."""
        if name in self.keys:
            self.keys[name].disabled = not is_enabled
