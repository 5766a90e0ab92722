"""A page for the numbers printed on a board or on dice: a dial for each; more or fewer, if allowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.cards.deck_file import BoardField
from ui import theme
from ui.host import get_companion_app
from ui.pages import Page
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import Dial
from ui.widgets.sheets.overlays import make_number_pad_overlay

DIAL_COLUMNS_AND_ROWS_PER_PAGE = (2, 4)
"""Columns and rows of dials on a page."""


class PrintedNumbersPage(Page):
    """A dial for each printed number, within the limits of `bound`.

    `numbers` are in their printed order. `done_text` is the text of the brass key, by default
    "Save these values".
    """

    __events__: tuple[str, ...] = ("on_entered",)  # numbers: these are the numbers of one's own copy

    def __init__(
        self, title: str, numbers: Sequence[int], bound: BoardField, *, done_text: str = "", **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.numbers, self.bound = list(numbers), bound
        cols, rows = DIAL_COLUMNS_AND_ROWS_PER_PAGE
        self.pager = Pager(make=self._dial, cols=cols, rows=rows, is_apart=True)
        self.fewer = self._key("fewer", "minus", self.numbers.pop)
        self.more = self._key("more", "plus", lambda: self.numbers.append(self.numbers[-1]))
        for way in (self.pager.back_key, self.pager.next_key):
            way.width = theme.length.target
        counting = (self.fewer, self.more) if bound.lengths else ()
        key = Key(text=done_text or self.app.tr("Save these values"), name="entered", look="brass")
        key.size_hint_y, key.height = None, theme.length.target
        key.bind(on_release=lambda _: self.dispatch("on_entered", self.numbers))
        self.add_content(title, self.pager, key, keys=(*counting, self.pager.back_key, self.pager.next_key))
        self._lay()

    def _key(self, name: str, icon: str, do: Callable[[], object]) -> Key:
        key = Key(name=name, icon=icon, look="felt", size_hint_x=None, width=theme.length.target)

        def change(_key: Key) -> None:
            do()
            self._lay()
            self.pager.page = self.pager.page_count - 1

        key.bind(on_release=change)
        return key

    def _lay(self) -> None:
        """Shows a dial for each current number."""
        self.pager.items = list(range(len(self.numbers)))
        least, most = self.bound.lengths or (len(self.numbers),) * 2
        self.fewer.disabled, self.more.disabled = len(self.numbers) <= least, len(self.numbers) >= most
        for way in (self.pager.back_key, self.pager.next_key):
            way.opacity = 1.0 if self.pager.page_count > 1 else 0.0

    def _dial(self, at: int) -> Dial:
        dial = Dial(name=str(at + 1))
        dial.text = self.app.tr("Number {n}", n=at + 1)
        dial.least, dial.most, dial.step_size = self.bound.least, self.bound.most, self.bound.step
        dial.count = self.numbers[at]
        dial.fbind("count", lambda _, count: self.numbers.__setitem__(at, int(count)))
        dial.bind(
            on_type=lambda _: get_companion_app().stage.show_overlay(
                make_number_pad_overlay(dial, self.bound.step)
            )
        )
        return dial
