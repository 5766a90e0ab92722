"""A key for each of a few numbers: one touch gives the number, or chooses it for a key that confirms it."""

from __future__ import annotations

from math import ceil
from typing import Any

from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import add_children
from ui.widgets.keys.key import Key
from ui.widgets.keys.typed_number import TypedNumber
from ui.words import get_running_translator

MAX_COLUMNS = 5
"""The most keys side by side: two rows of wide keys are easier to touch than one row of narrow ones."""
MAX_KEY_HEIGHT_IN_TARGETS = 1.7
"""The greatest height of a key, in targets."""


class NumberKeys(EventMixin, BoxLayout):
    """Keys for `numbers` in as few rows as fit, and a key below that declines, if there is one.

    Without `confirm_text` a touch on a number gives it. With it, a touch only chooses the number, which the
    key below gives; `{amount}` in its text stands for the number.
    """

    numbers = ObjectProperty(())
    chosen = ObjectProperty(None, allownone=True)
    """The chosen number, or the one that was given before; its key is marked."""
    confirm_text = StringProperty("")
    decline_text = StringProperty("")
    grave_numbers = ObjectProperty(())
    """Numbers that people have to confirm: their keys have a red edge."""
    __events__ = (
        "on_confirm",  # number: the number was given
        "on_decline",  # the key that declines was touched
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=theme.length.gap / 2, **kwargs)
        self.grid = GridLayout(spacing=theme.length.gap / 2)
        self.decline_key = Key(
            name="way out", has_narrow_margins=True, on_release=lambda _: self.dispatch("on_decline")
        )
        self.confirm_key = Key(look="brass", name="confirm")
        self.confirm_key.bind(on_release=lambda _: self.dispatch("on_confirm", self.chosen))
        self.foot = BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.gap / 2)
        for name in ("numbers", "grave_numbers"):
            self.fbind(name, self._make_keys)
        for name in ("chosen", "confirm_text", "decline_text"):
            self.fbind(name, self._show)
        self.fbind("size", self._arrange)
        self._make_keys()

    def _make_keys(self, *_: object) -> None:
        self.grid.clear_widgets()
        for number in self.numbers:
            look = "danger" if number in self.grave_numbers else "paper"
            text = TypedNumber.from_amount(number).display_text
            key = Key(text=text, name=str(number), style="digit", look=look, has_narrow_margins=True)
            key.number = number
            key.bind(on_release=self._touch_number)
            self.grid.add_widget(key)
        self._show()

    def _touch_number(self, key: Key) -> None:
        if self.confirm_text:
            self.chosen = key.number
        else:
            self.dispatch("on_confirm", key.number)

    def _show(self, *_: object) -> None:
        """Marks the chosen number, and shows the keys that confirm and decline if there are such."""
        for key in self.grid.children:
            key.chosen = key.number == self.chosen
        self.decline_key.text = self.decline_text
        is_chosen = self.chosen in self.numbers
        amount = TypedNumber.from_amount(self.chosen).display_text if is_chosen else "–"
        self.confirm_key.text = self.confirm_text.format(amount=amount)
        self.confirm_key.disabled = not is_chosen
        self.confirm_key.reason = get_running_translator().tr("choose a number")
        self.foot.clear_widgets()
        add_children(self.foot, *self._foot_keys)
        self.clear_widgets()
        add_children(self, self.grid, *([self.foot] if self._foot_keys else []))
        self._arrange()

    @property
    def _foot_keys(self) -> list[Key]:
        """Returns the keys below the numbers."""
        return [
            *([self.decline_key] if self.decline_text else []),
            *([self.confirm_key] if self.confirm_text else []),
        ]

    def _arrange(self, *_: object) -> None:
        self.grid.cols = self._column_count(self.width)
        rows = ceil(len(self.numbers) / self.grid.cols)
        self.grid.size_hint_max_y = max(1, rows) * MAX_KEY_HEIGHT_IN_TARGETS * theme.length.target

    def _column_count(self, width: float) -> int:
        """Returns the number of columns: as even rows as possible, and no more rows than needed."""
        gap, count = theme.length.gap / 2, max(1, len(self.numbers))
        max_columns = max(1, min(MAX_COLUMNS, int((width + gap) / (theme.length.target + gap))))
        return ceil(count / ceil(count / max_columns))

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at that width."""
        gap, target = theme.length.gap / 2, theme.length.target
        rows = ceil(len(self.numbers) / self._column_count(width))
        foot_height = target + gap if self._foot_keys else 0.0
        least, most = (
            rows * height * target + (rows - 1) * gap + foot_height
            for height in (1, MAX_KEY_HEIGHT_IN_TARGETS)
        )
        return least, most

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the texts of the keys below the numbers don't fit at that width."""
        keys = self._foot_keys
        gaps_width = self.foot.spacing * (len(keys) - 1)
        return bool(keys) and max(key.min_width() for key in keys) * len(keys) + gaps_width > width
