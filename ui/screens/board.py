"""What is printed on a board or on dice: a dial for each number, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.app import App
from kivy.uix.boxlayout import BoxLayout

from companion.cards import Field
from ui import theme
from ui.events import Tells
from ui.screens.keyboard import number_pad
from ui.widgets.keys.dial import Dial
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.head import Head

DIALS = (2, 4)
"""Columns and rows."""


class BoardPage(Tells, BoxLayout):
    """`numbers` in their order, each of which may be what `bound` says."""

    __events__ = (
        "on_entered",  # numbers: these are the numbers of one's own copy
        "on_close",  # nothing was entered
    )

    def __init__(self, title: str, numbers: Sequence[int], bound: Field, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(orientation="vertical", padding=sizes.gap, spacing=sizes.gap, **kwargs)
        self.app, self.bound = App.get_running_app(), bound
        self.numbers = list(numbers)
        cols, rows = DIALS
        pager = Pager(things=list(range(len(numbers))), make=self._dial, cols=cols, rows=rows, is_apart=True)
        for way in (pager.back, pager.on):
            way.width = sizes.target
        head = Head(title, (pager.back, pager.on) if pager.pages > 1 else ())
        head.bind(on_close=lambda _: self.dispatch("on_close"))
        done = Key(text=self.app.tr("This is printed on it"), name="entered", look="brass")
        done.size_hint_y, done.height = None, sizes.target
        done.bind(on_release=lambda _: self.dispatch("on_entered", self.numbers))
        for part in (head, pager, done):
            self.add_widget(part)

    def _dial(self, at: int) -> Dial:
        dial = Dial(name=str(at + 1))
        dial.text = self.app.tr("Number {n}", n=at + 1)
        dial.least, dial.most, dial.by = self.bound.least, self.bound.most, self.bound.step
        dial.count = self.numbers[at]
        dial.fbind("count", lambda _, count: self.numbers.__setitem__(at, int(count)))
        dial.bind(on_type=lambda _: self.app.stage.lay(number_pad(dial, self.bound.step)))
        return dial
