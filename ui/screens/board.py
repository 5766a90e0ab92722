"""A page for the numbers printed on a board or on dice: a dial for each; more or fewer, if allowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.cards.deck_file import BoardField
from ui import theme
from ui.pages import Page, make_key, open_number_pad_on_touch
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import TypableStepper

DIAL_COLUMNS_AND_ROWS_PER_PAGE = (2, 4)


class PrintedNumbersPage(Page):
    """A page with a dial for each printed number, within the limits of `bound`.

    `numbers` are in their printed order. `on_entered` gets the numbers that people have entered.
    `done_text` is the text of the brass key, by default "Save these values".
    """

    def __init__(
        self,
        title: str,
        numbers: Sequence[int],
        bound: BoardField,
        on_entered: Callable[[list[int]], object],
        *,
        done_text: str = "",
    ) -> None:
        super().__init__()
        self.numbers, self.bound = list(numbers), bound
        cols, rows = DIAL_COLUMNS_AND_ROWS_PER_PAGE
        self.pager = Pager(make=self._make_dial, cols=cols, rows=rows, has_external_keys=True)
        self.remove_number_key = self._count_key("fewer", "minus", self.numbers.pop)
        self.add_number_key = self._count_key("more", "plus", lambda: self.numbers.append(self.numbers[-1]))
        page_keys = (self.pager.back_key, self.pager.next_key)
        count_keys = (self.remove_number_key, self.add_number_key) if bound.lengths else ()
        done_text = done_text or self.app.tr("Save these values")
        done = make_key("entered", done_text, lambda: on_entered(self.numbers), look="brass")
        done.size_hint_y, done.height = None, theme.length.target
        self.add_content(title, self.pager, done, keys_beside_title=(*count_keys, *page_keys))
        self._show_dials()

    def _count_key(self, name: str, icon: str, change_count: Callable[[], object]) -> Key:
        """Returns a key that changes how many numbers there are, and turns to the last of them."""
        key = Key(name=name, icon=icon, look="felt", size_hint_x=None, width=theme.length.target)

        def change(_key: Key) -> None:
            change_count()
            self._show_dials()
            self.pager.page = self.pager.page_count - 1

        key.bind(on_release=change)
        return key

    def _show_dials(self) -> None:
        """Shows a dial for each current number."""
        self.pager.items = list(range(len(self.numbers)))
        min_count, max_count = self.bound.lengths or (len(self.numbers),) * 2
        self.remove_number_key.disabled = len(self.numbers) <= min_count
        self.add_number_key.disabled = len(self.numbers) >= max_count

    def _make_dial(self, index: int) -> TypableStepper:
        dial = TypableStepper(name=str(index + 1))
        dial.text = self.app.tr("Number {n}", n=index + 1)
        dial.least, dial.most, dial.step_size = self.bound.least, self.bound.most, self.bound.step
        dial.count = self.numbers[index]
        dial.fbind("count", lambda _, count: self.numbers.__setitem__(index, int(count)))
        open_number_pad_on_touch(dial, step=self.bound.step)
        return dial
