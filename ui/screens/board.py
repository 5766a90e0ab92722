"""What is printed on a board or on dice: a dial for each number, page by page; more or fewer, if allowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.cards.deck_file import BoardField
from ui import theme
from ui.host import running_app
from ui.pages import Page
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import Dial
from ui.widgets.sheets.overlays import number_pad

DIALS = (2, 4)
"""Columns and rows."""


class BoardPage(Page):
    """`numbers` in their order, each of which may be what `bound` says; `done` is what the brass key says."""

    __events__: tuple[str, ...] = ("on_entered",)  # numbers: these are the numbers of one's own copy

    def __init__(
        self, title: str, numbers: Sequence[int], bound: BoardField, *, done: str = "", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.numbers, self.bound = list(numbers), bound
        cols, rows = DIALS
        self.pager = Pager(make=self._dial, cols=cols, rows=rows, is_apart=True)
        self.fewer = self._key("fewer", "minus", self.numbers.pop)
        self.more = self._key("more", "plus", lambda: self.numbers.append(self.numbers[-1]))
        for way in (self.pager.back, self.pager.on):
            way.width = theme.length.target
        counting = (self.fewer, self.more) if bound.lengths else ()
        key = Key(text=done or self.app.tr("Save these values"), name="entered", look="brass")
        key.size_hint_y, key.height = None, theme.length.target
        key.bind(on_release=lambda _: self.dispatch("on_entered", self.numbers))
        self.lay_out(title, self.pager, key, keys=(*counting, self.pager.back, self.pager.on))
        self._lay()

    def _key(self, name: str, icon: str, do: Callable[[], object]) -> Key:
        key = Key(name=name, icon=icon, look="felt", size_hint_x=None, width=theme.length.target)

        def change(_key: Key) -> None:
            do()
            self._lay()
            self.pager.page = self.pager.pages - 1

        key.bind(on_release=change)
        return key

    def _lay(self) -> None:
        """A dial for each number there is now."""
        self.pager.things = list(range(len(self.numbers)))
        least, most = self.bound.lengths or (len(self.numbers),) * 2
        self.fewer.disabled, self.more.disabled = len(self.numbers) <= least, len(self.numbers) >= most
        for way in (self.pager.back, self.pager.on):
            way.opacity = 1.0 if self.pager.pages > 1 else 0.0

    def _dial(self, at: int) -> Dial:
        dial = Dial(name=str(at + 1))
        dial.text = self.app.tr("Number {n}", n=at + 1)
        dial.least, dial.most, dial.by = self.bound.least, self.bound.most, self.bound.step
        dial.count = self.numbers[at]
        dial.fbind("count", lambda _, count: self.numbers.__setitem__(at, int(count)))
        dial.bind(on_type=lambda _: running_app().stage.show_overlay(number_pad(dial, self.bound.step)))
        return dial
