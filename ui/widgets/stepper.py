"""A number with − and + beside it, for small ranges."""

from __future__ import annotations

from typing import Any

from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.widgets.key import Key
from ui.widgets.writing import Writing


class Stepper(BoxLayout):
    """`amount` from `least` to `most` in steps of `step`; a key that leads nowhere is disabled."""

    amount = NumericProperty(0)
    least = NumericProperty(0)
    most = NumericProperty(99)
    step = NumericProperty(1)

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("spacing", theme.length.gap)
        super().__init__(**kwargs)
        target = theme.length.target
        self.less = Key(icon="minus", name="less", size_hint_x=None, width=target * 1.2)
        self.more = Key(icon="plus", name="more", size_hint_x=None, width=target * 1.2)
        self.figure = Writing(style="amount", halign="center")
        for piece in (self.less, self.figure, self.more):
            self.add_widget(piece)
        self.less.bind(on_release=lambda _: self._go(-self.step))
        self.more.bind(on_release=lambda _: self._go(self.step))
        self.bind(amount=self._show, least=self._show, most=self._show)
        self._show()

    def _go(self, by: int) -> None:
        self.amount = min(self.most, max(self.least, self.amount + by))

    def _show(self, *_: object) -> None:
        self.figure.text = str(self.amount)
        self.less.disabled = self.amount <= self.least
        self.more.disabled = self.amount >= self.most
