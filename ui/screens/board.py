"""What is printed on a board or on dice: a dial for each number, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.cards import Field
from ui import theme
from ui.screens.keyboard import number_pad
from ui.widgets.keys.dial import Dial
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.head import Head, Page

DIALS = (2, 4)
"""Columns and rows."""


class BoardPage(Page):
    """`numbers` in their order, each of which may be what `bound` says."""

    __events__: tuple[str, ...] = ("on_entered",)  # numbers: these are the numbers of one's own copy

    def __init__(self, title: str, numbers: Sequence[int], bound: Field, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.numbers, self.bound = list(numbers), bound
        cols, rows = DIALS
        pager = Pager(things=list(range(len(numbers))), make=self._dial, cols=cols, rows=rows, is_apart=True)
        for way in (pager.back, pager.on):
            way.width = theme.length.target
        head = Head(title, (pager.back, pager.on) if pager.pages > 1 else ())
        done = Key(text=self.app.tr("This is printed on it"), name="entered", look="brass")
        done.size_hint_y, done.height = None, theme.length.target
        done.bind(on_release=lambda _: self.dispatch("on_entered", self.numbers))
        self.lay_under(head, pager, done)

    def _dial(self, at: int) -> Dial:
        dial = Dial(name=str(at + 1))
        dial.text = self.app.tr("Number {n}", n=at + 1)
        dial.least, dial.most, dial.by = self.bound.least, self.bound.most, self.bound.step
        dial.count = self.numbers[at]
        dial.fbind("count", lambda _, count: self.numbers.__setitem__(at, int(count)))
        dial.bind(on_type=lambda _: self.app.stage.lay(number_pad(dial, self.bound.step)))
        return dial
