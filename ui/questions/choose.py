"""Choosing one option: a key for each, with its picture, its price and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from kivy.uix.floatlayout import FloatLayout

from companion.cards import CardFace, face_of_card
from companion.requests import Choose, DetailedOption
from companion.session.view import View
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Labelled, render
from ui import theme
from ui.questions.buttons import AnswerConfirmation
from ui.questions.question import Question
from ui.widgets.drawing.containers import detach
from ui.widgets.keys.key import Key
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.card import is_card_name_unreadable
from ui.widgets.pieces.worded import has_picture

COLUMN_COUNTS_TO_TRY = (6, 5, 4, 3, 2, 1)
MAX_ROWS_WITHOUT_PAGES = 5
"""The most rows of keys without pages."""
PREFERRED_KEY_HEIGHT_IN_TARGETS = 1.3
"""The preferred height of a key, in targets."""
MAX_ROW_HEIGHT_IN_TARGETS = 1.6
"""The maximum height of a row, in targets, unless its texts need more."""


class OptionKeys(Question[Choose]):
    """The widget for choosing one option: a key for each, grouped.

    The option to decline is in the lower right corner.
    """

    __events__ = ("on_cant",)  # why: somebody touched an option that can't be chosen now

    def build_widgets(self) -> None:
        """Builds the keys."""
        self._faces: dict[str, CardFace] = {}
        self._runners = {str(seat.number): seat for seat in self.request.race_seats}
        self.keys = {key: self._key(key, option) for key, option in self._ordered()}
        self.grid = FloatLayout()
        self.add_widget(self.grid)
        self.pager: Pager | None = None
        self._height_ranges: dict[float, tuple[float, float, float]] = {}
        """What each width was measured to need: plans ask for many."""
        self._min_compact_height = 0.0
        self.answer_to_confirm = ""
        self.confirmation: AnswerConfirmation | None = None
        self.bind(size=self._lay)
        self.grid.bind(pos=self._lay, size=self._lay)

    def _ordered(self) -> list[tuple[str, Labelled]]:
        """Returns the options by group, in the order of their first options; declining is last."""
        options = list(self.request.options.items())
        groups = list(dict.fromkeys(_group(option) for _, option in options))
        return sorted(options, key=lambda each: (_is_apart(each[1]), groups.index(_group(each[1]))))

    def _key(self, name: str, option: Labelled) -> OptionKey:
        about: Any = option if isinstance(option, Seat) else self._runners.get(name)
        key = OptionKey(name=name, has_narrow_margins=True, abbreviates=isinstance(about, Seat))
        if isinstance(option, DetailedOption):
            if option.piece is not None and has_picture(option.piece):
                about = option.piece
            if option.card is not None:
                about = self._faces[name] = face_of_card(self.view.face_layouts, option.card)
            key.look = "brass" if option.is_most_likely else "paper"
        key.subject = about
        key.bind(on_release=lambda _: self._choose(name))
        return key

    def update_texts(self) -> None:
        """Updates the texts of the keys, in the current language."""
        lang = self.app.lang
        self._height_ranges.clear()
        blank = any(is_card_name_unreadable(face, theme.length.token, lang) for face in self._faces.values())
        for name, option in self.request.options.items():
            key = self.keys[name]
            if name in self._faces:  # one that can't be read looks like another thing beside those that can
                key.subject = None if blank else self._faces[name]
            runner = self._runners.get(name)
            key.lang, key.text = lang, self.render_with_short_names(option if runner is None else runner)
            key.looks_disabled = self.request.public_barred_reason(name) is not None
            key.detail_text = self._below(option, key)
        if self.confirmation is not None:
            self.confirmation.text.text = self.render_with_short_names(
                self.request.confirmations[self.answer_to_confirm]
            )
            self.confirmation.confirm_key.text = self.render_with_short_names(
                self.request.options[self.answer_to_confirm]
            )
            self.confirmation.cancel_key.text = self.app.tr("Cancel")
        self._lay()

    def _below(self, option: Labelled, key: OptionKey) -> str:
        """Returns what the option costs, unless a picture shows the price, and what it gives."""
        if not isinstance(option, DetailedOption):
            return ""
        parts = []
        if option.price is not None and isinstance(key.subject, Piece):
            key.price_text = f"−{option.price}" if option.price else "0"
        elif option.price is not None:
            parts = [str(self.app.tr("price {n}", n=option.price))]
        parts += [render(text, self.app.lang) for text in (option.gain, option.note) if text is not None]
        return " · ".join(parts)

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view, in which other options may be available.

        People may be able to pay for other options once pieces have moved.
        """
        super().show_newer_view(view)
        for name, key in self.keys.items():
            key.looks_disabled = self.request.public_barred_reason(name) is not None

    def prefill(self, previous_answer: str) -> None:
        """Shows the previous answer: the key of that option gets a frame."""
        self.keys[previous_answer].chosen = True

    # How they stand

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width, from the rows that the texts need."""
        if self.confirmation is not None:
            return theme.length.row * 2.6, theme.length.row * 3.2
        if width not in self._height_ranges:
            self._height_ranges[width] = self._measured(width)
        *wish, self._min_compact_height = self._height_ranges[width]
        return wish[0], wish[1]

    def _measured(self, width: float) -> tuple[float, float, float]:
        """Returns the minimum and the preferred height at this width, and the minimum height with pages."""
        most = self._most_columns(width)
        heights = min((self._heights(width, columns) for columns in range(1, most + 1)), key=_high)
        if len(heights) > MAX_ROWS_WITHOUT_PAGES:
            heights = [*heights[:MAX_ROWS_WITHOUT_PAGES], theme.length.target]
        rows = min(max(len(heights), min(MAX_ROWS_WITHOUT_PAGES, len(self.keys))), len(heights) + 1)
        liked = max(_high(heights), _high([theme.length.target * PREFERRED_KEY_HEIGHT_IN_TARGETS] * rows))
        return _high(heights), liked, self._two_rows(width, most)

    def _heights(self, width: float, columns: int) -> list[float]:
        """Returns the minimum height of each row, with this many columns."""
        return self._heights_of(list(self.keys.values()), width, columns)

    @staticmethod
    def _heights_of(keys: Sequence[OptionKey], width: float, columns: int) -> list[float]:
        share = _share(width, columns)
        rows = (keys[at : at + columns] for at in range(0, len(keys), columns))
        return [max(theme.length.target, *(key.min_height_at(share) for key in row)) for row in rows]

    def _two_rows(self, width: float, columns: int) -> float:
        """Returns the height of the two highest rows, with the page keys below them."""
        return _high([*sorted(self._heights(width, columns))[-2:], theme.length.target])

    def _most_columns(self, width: float) -> int:
        """Returns how many columns fit without breaking a word."""
        for columns in COLUMN_COUNTS_TO_TRY:
            share = _share(width, columns)
            if share >= theme.length.target and not any(
                key.is_too_narrow(share) for key in self.keys.values()
            ):
                return columns
        return 1

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the words on the keys.

        The declining key must also fit beside the page keys.
        """
        keys = list(self.keys.values())
        turning = 3 * theme.length.target + 2 * theme.length.gap
        beside = (
            keys[-1].min_width_in_row() if self._ends_apart() and len(keys) > MAX_ROWS_WITHOUT_PAGES else 0.0
        )
        return any(key.is_too_narrow(width) for key in keys) or (beside > 0 and turning + beside > width)

    def _lay(self, *_: object) -> None:
        """Lays out the keys in the fewest columns that fit, as wide as possible; else on pages."""
        if self.grid.parent is None or self.width <= 1:
            return
        most = min(self._most_columns(self.width), len(self.keys))
        for columns in range(1, most + 1):
            heights = self._heights(self.width, columns)
            if _high(heights) <= self.height + 1:
                self._place(columns, heights)
                return
        self._turn_pages(*self._page(most))

    def _place(self, columns: int, least: Sequence[float]) -> None:
        """Places the keys in rows of equal height, if that is enough for each."""
        keys, gap = list(self.keys.values()), _gap()
        self._show_keys(keys)
        room = self.grid.height - gap * (len(least) - 1)
        alike = min(room / len(least), max(theme.length.target * MAX_ROW_HEIGHT_IN_TARGETS, *least))
        heights = [alike] * len(least) if alike >= max(least) else least
        tops = [self.grid.y + _high(heights[row:]) for row in range(len(heights))]
        # A lone way out stands in the corner of the last row.
        spots = list(range(len(keys)))
        if self._ends_apart() and len(keys) > 1:
            spots[-1] = columns * len(least) - 1
        width = _share(self.grid.width, columns)
        for key, spot in zip(keys, spots, strict=True):
            row, column = divmod(spot, columns)
            key.size_hint = (None, None)
            key.size = (width, heights[row])
            key.pos = (self.grid.x + column * (width + gap), tops[row] - heights[row])

    def _page(self, most: int) -> tuple[int, int]:
        """Returns the columns and rows that need the fewest pages; of these, the widest keys."""
        keys = list(self.keys.values())
        keys = keys[:-1] if self._ends_apart() else keys
        shapes = [(columns, self._rows_a_page(keys, columns)) for columns in range(1, most + 1)]
        return min(shapes, key=lambda shape: ceil(len(keys) / (shape[0] * shape[1])))

    def _rows_a_page(self, keys: Sequence[OptionKey], columns: int) -> int:
        """Returns how many rows fit above the page keys, on any page."""
        target, gap = theme.length.target, _gap()
        heights = self._heights_of(keys, self.width, columns)
        for rows in range(int((self.height + gap) / (target + gap)) - 1, 1, -1):
            pages = [heights[at : at + rows] for at in range(0, len(heights), rows)]
            if all(
                _high([*page, *[target] * (rows - len(page)), target]) <= self.height + 1 for page in pages
            ):
                return rows
        return 1

    def _ends_apart(self) -> bool:
        return _is_apart(self._ordered()[-1][1])

    def _show_keys(self, keys: Sequence[Key]) -> None:
        if [*reversed(self.grid.children)] != keys:
            for key in keys:
                if key.parent is not None:
                    key.parent.remove_widget(key)
            self.grid.clear_widgets()
            for key in keys:
                self.grid.add_widget(key)

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with pages: two rows of options and the page keys."""
        return self._min_compact_height if len(self.keys) > MAX_ROWS_WITHOUT_PAGES else 0.0

    def _turn_pages(self, columns: int, rows: int) -> None:
        """Shows the keys on pages; the way to decline stays in its corner, beside the page keys."""
        for key in self.keys.values():
            key.size_hint = (
                1,
                max(1.0, key.min_height_at(_share(self.width, columns)) / theme.length.target),
            )
        if self.pager is None or self.pager.parent is not self.grid:
            keys, gap = list(self.keys.values()), _gap()
            for key in keys:
                detach(key)
            corner = keys.pop() if self._ends_apart() else None
            self.pager = Pager(items=keys, cols=columns, rows=rows, between=gap, spacing=gap, corner=corner)
            self.grid.clear_widgets()
            self.grid.add_widget(self.pager)
        self.pager.cols, self.pager.rows = columns, rows
        self.pager.pos, self.pager.size = self.grid.pos, self.grid.size

    # What is chosen

    def _choose(self, name: str) -> None:
        """Gives the answer, or asks to confirm a serious one, or says why the option is barred."""
        if (why := self.request.public_barred_reason(name)) is not None:
            self.dispatch("on_cant", why)
        elif self.request.confirmation_for(name) is None:
            self.dispatch("on_answer", name)
        else:
            self._ask(name)

    def _ask(self, name: str) -> None:
        self.answer_to_confirm, self.confirmation = name, AnswerConfirmation()
        self.confirmation.bind(
            on_sure=lambda _: self.dispatch("on_answer", self.answer_to_confirm),
            on_unsure=lambda _: self._put_back(),
        )
        self.clear_widgets()
        self.add_widget(self.confirmation)
        self.update_texts()
        self.property("height").dispatch(self)

    def _put_back(self) -> None:
        """Shows the keys again in place of the confirmation."""
        self.answer_to_confirm, self.confirmation = "", None
        self.clear_widgets()
        self.add_widget(self.grid)
        self._lay()


def _gap() -> float:
    return theme.length.gap / 2


def _share(width: float, columns: int) -> float:
    """Returns the width of each key with this many columns."""
    return (width - _gap() * (columns - 1)) / columns


def _high(heights: Sequence[float]) -> float:
    """Returns the height of rows together, with the gaps between them."""
    return sum(heights) + _gap() * (len(heights) - 1)


def _group(option: Labelled) -> str:
    return (
        str(option.group.template) if isinstance(option, DetailedOption) and option.group is not None else ""
    )


def _is_apart(option: Labelled) -> bool:
    return isinstance(option, DetailedOption) and option.is_decline_option
