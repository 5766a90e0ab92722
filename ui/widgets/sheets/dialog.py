"""A question of the screen itself, on a sheet above everything else.

Dialog(title="Undo?", text="Give Ben 3.", answers=[("no", "Leave it", "paper"), ("yes", "Undo", "brass")])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import ceil, inf
from typing import Any

from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.canvas_diff import Color, Rectangle
from ui.widgets.drawing.containers import put, take_away
from ui.widgets.drawing.surfaces import Drawn, Sheet
from ui.widgets.drawing.text import Writing, across
from ui.widgets.keys.key import Key

LEAST, HIGH, LOOSE = 2, 1.4, 1.15
"""Lines that a text has room for, how high each is, and how much longer it may be, as words aren't cut."""
ABREAST = 2
"""Answers that stand side by side also where it is narrow."""


class Dialog(EventMixin, Drawn):
    """`answers` are (key, text, look); the first is furthest from the thumb.

    `body` may hold a widget in place of `text`. `deeds` are what is done after some of the answers.
    It takes itself away before it tells.
    """

    title = StringProperty("")
    text = StringProperty("")
    answers = ListProperty()
    body = ObjectProperty(None, allownone=True)
    is_upright = BooleanProperty(defaultvalue=False)
    wide = 0.76
    tall = 0.74
    __events__: tuple[str, ...] = ("on_answer",)  # key: one of the answers was pressed

    def __init__(self, *, deeds: Mapping[str, Callable[[], object]] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.deeds = deeds or {}
        self.sheet = Sheet(padding=theme.length.margin, spacing=theme.length.space)
        self.add_widget(self.sheet)
        for name in ("title", "text", "answers", "body", "is_upright"):
            self.fbind(name, self._fill)
        self.bind(size=lambda *_: setattr(self, "is_upright", self.height > self.width))
        self._fill()

    def _fill(self, *_: object) -> None:
        self.sheet.clear_widgets()
        row = theme.length.row
        if self.title:
            title = Writing(text=self.title, style="question", lines=2, line_height=1.0)
            title.size_hint_y, title.height = None, row
            put(self.sheet, title)
        put(self.sheet, self.body or Writing(text=self.text, lines=9, valign="top"), self._keys())

    @property
    def _are_stacked(self) -> bool:
        """Whether answers stand over each other: three or more, where it is upright."""
        return self.is_upright and len(self.answers) > ABREAST

    @property
    def _keys_high(self) -> float:
        row, gap = theme.length.row, theme.length.space
        return len(self.answers) * (row + gap) - gap if self._are_stacked else row

    def _keys(self) -> Widget:
        """The answers."""
        keys = BoxLayout(size_hint_y=None, height=self._keys_high, spacing=theme.length.space)
        if self._are_stacked:
            keys.orientation = "vertical"
        for name, text, look in self.answers:
            put(keys, Key(text=text, name=name, look=look, on_release=self._answer))
        return keys

    def _answer(self, key: Key) -> None:
        self.leave()
        self.dispatch("on_answer", key.name)
        if key.name in self.deeds:
            self.deeds[key.name]()

    def leave_with(self, keys: Iterable[Key], do: Callable[[Key], object]) -> None:
        """A touch of one of these keys takes it away too, and then that is done."""

        def touched(key: Key) -> None:
            self.leave()
            do(key)

        for key in keys:
            key.bind(on_release=touched)

    def leave(self) -> None:
        """Takes itself away, unanswered."""
        take_away(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Everything under the dialog is out of reach."""
        super().on_touch_down(touch)
        return True

    def draw(self) -> None:
        """A veil over the table, the sheet in the middle."""
        Color(*theme.VEIL)
        Rectangle(pos=self.pos, size=self.size)
        self.sheet.size = (self.width * self.wide, min(self.height * self.tall, self._enough()))
        self.sheet.center = self.center

    def _enough(self) -> float:
        """How high all of a text has room; a widget takes what there is."""
        if self.body is not None:
            return inf
        sizes, width = theme.length, self.width * self.wide - 2 * theme.length.margin
        lines = [ceil(LOOSE * across(line, sizes.body, bold=False) / width) for line in self.text.split("\n")]
        text = max(LEAST, sum(max(1, line) for line in lines)) * sizes.body * HIGH
        title = sizes.row + sizes.space if self.title else 0.0
        return float(title + text + sizes.space + self._keys_high + 2 * sizes.margin)


class Leaf(Dialog):
    """A sheet that takes the whole screen: long choices, a list, how a total came about."""

    wide, tall = 0.94, 0.98
