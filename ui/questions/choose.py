"""Choosing one option: a key for each, with its picture, its price and its gain."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from kivy.uix.floatlayout import FloatLayout

from companion.cards import CardFace, face_of_card
from companion.requests import Choose, DetailedOption
from companion.rules.scene_views import CardSpreadView, MiddlePartView, RowView
from companion.session.view import View
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import Labelled, render
from ui import theme
from ui.questions.buttons import AnswerConfirmation
from ui.questions.question import QuestionWidget
from ui.widgets.drawing.containers import detach_from_parent
from ui.widgets.keys.key import Key
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.card import is_card_name_unreadable
from ui.widgets.pieces.spread import CardInNumberedRowMark
from ui.widgets.pieces.worded import has_picture

COLUMN_COUNTS_TO_TRY = (6, 5, 4, 3, 2, 1)
MAX_ROWS_WITHOUT_PAGES = 5
"""The most rows of keys without pages."""
PREFERRED_KEY_HEIGHT_IN_TARGETS = 1.3
"""The preferred height of a key, in targets."""
MAX_ROW_HEIGHT_IN_TARGETS = 1.6
"""The maximum height of a row, in targets, unless its texts need more."""


class OptionKeys(QuestionWidget[Choose]):
    """The widget for choosing one option: a key for each, grouped.

    The option to decline is in the lower right corner. An option that people have to confirm has a red edge.
    """

    __events__ = (  # type: ignore[assignment]  # more events than the base class has
        "on_unavailable_option",  # reason: somebody touched an option that can't be chosen now
        "on_payment",  # answer: somebody chose a payment; a handler that lets people pay returns True
    )

    def build_widgets(self) -> None:
        """Builds the keys."""
        self._card_face_by_option: dict[str, CardFace] = {}
        self._race_seat_by_option = {str(seat.number): seat for seat in self.request.race_seats}
        self._taken_spread_by_option: dict[str, CardSpreadView] = {}
        """The cards of the middle that the keys show, by option."""
        self.keys = {key: self._make_key(key, option) for key, option in self._options_in_key_order()}
        self.grid = FloatLayout()
        self.add_widget(self.grid)
        self.pager: Pager | None = None
        self._height_ranges: dict[float, tuple[float, float, float]] = {}
        """The measured heights by width, because layouts ask at many widths."""
        self._min_compact_height = 0.0
        self.answer_to_confirm = ""
        self.confirmation: AnswerConfirmation | None = None
        self.bind(size=self._arrange_keys)
        self.grid.bind(pos=self._arrange_keys, size=self._arrange_keys)

    def _options_in_key_order(self) -> list[tuple[str, Labelled]]:
        """Returns the options by group, in the order of their first options; declining is last.

        If the order is free, the most likely option and then the usual ones come before all groups, and
        barred options come after all others.
        """
        request, options = self.request, list(self.request.options.items())
        groups = list(dict.fromkeys(_group_of(option) for _, option in options))

        def rank(item: tuple[str, Labelled]) -> tuple[bool, bool, int, int]:
            key, option = item
            is_barred = request.has_free_order and request.public_barred_reason(key) is not None
            rarity = _rarity(option) if request.has_free_order else 0
            return _is_decline_option(option), is_barred, rarity, groups.index(_group_of(option))

        return sorted(options, key=rank)

    def _make_key(self, name: str, option: Labelled) -> OptionKey:
        subject: Any = option if isinstance(option, Seat) else self._race_seat_by_option.get(name)
        key = OptionKey(name=name, has_narrow_margins=True, abbreviates=isinstance(subject, Seat))
        if isinstance(option, DetailedOption):
            if option.piece is not None and has_picture(option.piece):
                subject = option.piece
            if option.card is not None:
                subject = self._card_face_by_option[name] = face_of_card(self.view.face_layouts, option.card)
            key.look, key.emblem = "brass" if option.is_most_likely else "paper", option.emblem
        if self.request.confirmation_for(name) is not None:
            key.look = "danger"
        key.subject = subject
        key.bind(on_release=lambda _: self._choose(name))
        return key

    def update_texts(self) -> None:
        """Updates the texts of the keys, in the current language."""
        lang = self.app.lang
        self._height_ranges.clear()
        hides_faces = any(
            is_card_name_unreadable(face, theme.length.token, lang)
            for face in self._card_face_by_option.values()
        )
        for name, option in self.request.options.items():
            key = self.keys[name]
            # A face that can't be read would look like another thing beside faces that can.
            if name in self._card_face_by_option:
                key.subject = None if hides_faces else self._card_face_by_option[name]
            race_seat = self._race_seat_by_option.get(name)
            key.lang = lang
            key.text = self.render_with_short_names(option if race_seat is None else race_seat)
            self._show_spread(key, self._taken_spread_by_option.get(name))
            key.detail_text = self._detail_text(option, key)
        self._show_barred_options()
        if self.confirmation is not None:
            self.confirmation.text.text = self.render_with_short_names(
                self.request.confirmations[self.answer_to_confirm]
            )
            self.confirmation.confirm_key.text = self.render_with_short_names(
                self.request.options[self.answer_to_confirm]
            )
            self.confirmation.cancel_key.text = self.app.tr("Cancel")
        self._arrange_keys()

    def _detail_text(self, option: Labelled, key: OptionKey) -> str:
        """Returns the option's price, gain and note; if the key shows a piece, writes the price on that."""
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
        """Shows a newer view, in which people may be able to pay for other options."""
        super().show_newer_view(view)
        self._show_barred_options()

    def _show_barred_options(self) -> None:
        """Makes the keys of options that can't be chosen now look disabled, with the reason."""
        for name, key in self.keys.items():
            reason = self.request.public_barred_reason(name)
            key.looks_disabled = reason is not None
            key.reason = "" if reason is None else self.render_with_short_names(reason)

    def take_parts_of_middle(self, parts: Sequence[MiddlePartView]) -> Sequence[MiddlePartView]:
        """Shows the cards of a numbered row on their keys, if all cards of the row are options."""
        spreads = {
            part.place: part
            for part in parts
            if isinstance(part, CardSpreadView)
            and not part.is_empty
            and CardInNumberedRowMark.is_at_most_one_card_with_pieces(part)
        }
        place_by_option = {name: self._place_of(name) for name in self.request.options}
        taken = {name: spreads[place] for name, place in place_by_option.items() if place in spreads}
        rows = {spread.place.name for spread in taken.values()}
        if {spread.place for spread in taken.values()} != {place for place in spreads if place.name in rows}:
            taken = {}
        if taken != self._taken_spread_by_option:
            self._taken_spread_by_option = taken
            self.update_texts()
        return [part for part in parts if part not in taken.values()]

    def _place_of(self, name: str) -> Place | None:
        """Returns where the thing of an option lies now: in a row that closes up, its slot changes."""
        option = self.request.options[name]
        place = option.place if isinstance(option, DetailedOption) else None
        return None if place is None else self.view.current_slot_by_place.get(place, place)

    def try_choose_thing_at(self, place: Place) -> bool:
        """Chooses the option whose thing lies at a place; returns whether there is one."""
        names = [name for name in self.request.options if self._place_of(name) == place]
        if len(names) != 1 or self.confirmation is not None:
            return False
        self._choose(names[0])
        return True

    def _show_spread(self, key: OptionKey, spread: CardSpreadView | None) -> None:
        """Shows on a key the number of a card and the pieces on it, as they would be shown in the middle."""
        key.has_pieces_row = spread is not None
        if spread is None:
            return
        key.text, key.style = str(spread.place.slot), "digit"
        key.subject = next(iter(spread.open_cards), None)
        rows = [row for row in spread.on_top if isinstance(row, RowView)]
        key.counted_pieces = [counted for row in rows for counted in row.counted_pieces]

    def prefill(self, previous_answer: str) -> None:
        """Marks the previous answer with a frame around its key."""
        self.keys[previous_answer].chosen = True

    # The layout

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width, measured from the texts."""
        if self.confirmation is not None:
            return theme.length.row * 2.6, theme.length.row * 3.2
        if width not in self._height_ranges:
            self._height_ranges[width] = self._measure_heights(width)
        min_height, preferred_height, self._min_compact_height = self._height_ranges[width]
        return min_height, preferred_height

    def _measure_heights(self, width: float) -> tuple[float, float, float]:
        """Returns the minimum and the preferred height at this width, and the minimum height with pages."""
        max_columns = self._max_columns(width)
        heights, columns = min(
            ((self._row_heights(width, columns), columns) for columns in range(1, max_columns + 1)),
            key=lambda shape: _total_height(shape[0]),
        )
        if len(heights) > MAX_ROWS_WITHOUT_PAGES:
            heights = [*heights[:MAX_ROWS_WITHOUT_PAGES], theme.length.target]
        rows = min(max(len(heights), min(MAX_ROWS_WITHOUT_PAGES, len(self.keys))), len(heights) + 1)
        preferred_height = max(
            _total_height(heights),
            _total_height([theme.length.target * PREFERRED_KEY_HEIGHT_IN_TARGETS] * rows),
        )
        with_reasons = self._add_reasons(heights, width, columns)
        preferred_height = max(preferred_height, _total_height(with_reasons))
        two_highest_rows = sorted(self._row_heights(width, max_columns))[-2:]
        min_compact_height = _total_height([*two_highest_rows, theme.length.target])
        return _total_height(heights), preferred_height, min_compact_height

    def _row_heights(self, width: float, columns: int) -> list[float]:
        """Returns the minimum height of each row, with this many columns."""
        return self._row_heights_of(list(self.keys.values()), width, columns)

    def _add_reasons(self, heights: Sequence[float], width: float, columns: int) -> list[float]:
        """Returns the heights of rows at which each barred option says why."""
        key_width = _key_width(width, columns)
        return [
            max(height, *(key.min_height_with_reason_at(key_width) for key in row))
            for height, row in zip(heights, _rows_of(list(self.keys.values()), columns), strict=False)
        ]

    @staticmethod
    def _row_heights_of(keys: Sequence[OptionKey], width: float, columns: int) -> list[float]:
        key_width = _key_width(width, columns)
        return [
            max(theme.length.target, *(key.min_height_at(key_width) for key in row))
            for row in _rows_of(keys, columns)
        ]

    def _max_columns(self, width: float) -> int:
        """Returns how many columns fit without breaking a word."""
        for columns in COLUMN_COUNTS_TO_TRY:
            key_width = _key_width(width, columns)
            if key_width >= theme.length.target and not any(
                key.is_too_narrow(key_width) for key in self.keys.values()
            ):
                return columns
        return 1

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the words on the keys.

        The declining key must also fit beside the page keys.
        """
        keys = list(self.keys.values())
        page_keys_width = 3 * theme.length.target + 2 * theme.length.gap
        decline_key_width = (
            keys[-1].min_width_in_row()
            if self._has_decline_key() and len(keys) > MAX_ROWS_WITHOUT_PAGES
            else 0.0
        )
        return any(key.is_too_narrow(width) for key in keys) or (
            decline_key_width > 0 and page_keys_width + decline_key_width > width
        )

    def _arrange_keys(self, *_: object) -> None:
        """Arranges the keys in the fewest columns that fit, which makes the widest keys; else on pages."""
        if self.grid.parent is None or self.width <= 1:
            return
        max_columns = min(self._max_columns(self.width), len(self.keys))
        column_counts = range(1, max_columns + 1)
        shapes = [(columns, self._row_heights(self.width, columns)) for columns in column_counts]
        with_reasons = [
            (columns, self._add_reasons(heights, self.width, columns)) for columns, heights in shapes
        ]
        for columns, heights in (*with_reasons, *shapes):
            if _total_height(heights) <= self.height + 1:
                self._place_in_rows(columns, heights)
                return
        self._show_pages(*self._choose_page_shape(max_columns))

    def _place_in_rows(self, columns: int, min_heights: Sequence[float]) -> None:
        """Places the keys in rows, as equal in height as their minimum heights allow."""
        keys, gap = list(self.keys.values()), _gap()
        self._show_keys(keys)
        height_without_gaps = self.grid.height - gap * (len(min_heights) - 1)
        heights = _raise_low_rows(min_heights, height_without_gaps)
        tops = [self.grid.y + _total_height(heights[row:]) for row in range(len(heights))]
        # The declining key stands in the corner of the last row.
        cells = list(range(len(keys)))
        if self._has_decline_key() and len(keys) > 1:
            cells[-1] = columns * len(min_heights) - 1
        width = _key_width(self.grid.width, columns)
        for key, cell in zip(keys, cells, strict=True):
            row, column = divmod(cell, columns)
            key.size_hint = (None, None)
            key.size = (width, heights[row])
            key.pos = (self.grid.x + column * (width + gap), tops[row] - heights[row])
        if len(keys) > 1:
            _set_apart(keys[-1])

    def _choose_page_shape(self, max_columns: int) -> tuple[int, int]:
        """Returns the columns and rows with the fewest pages and, of equal ones, the widest keys."""
        keys = list(self.keys.values())
        keys = keys[:-1] if self._has_decline_key() else keys
        shapes = [(columns, self._rows_per_page(keys, columns)) for columns in range(1, max_columns + 1)]
        return min(shapes, key=lambda shape: ceil(len(keys) / (shape[0] * shape[1])))

    def _rows_per_page(self, keys: Sequence[OptionKey], columns: int) -> int:
        """Returns how many rows fit above the page keys, on any page."""
        target, gap = theme.length.target, _gap()
        heights = self._row_heights_of(keys, self.width, columns)
        for rows in range(int((self.height + gap) / (target + gap)) - 1, 1, -1):
            pages = [heights[first : first + rows] for first in range(0, len(heights), rows)]
            if all(
                _total_height([*page, *[target] * (rows - len(page)), target]) <= self.height + 1
                for page in pages
            ):
                return rows
        return 1

    def _has_decline_key(self) -> bool:
        return _is_decline_option(self._options_in_key_order()[-1][1])

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

    def _show_pages(self, columns: int, rows: int) -> None:
        """Shows the keys on pages; the declining key stays in the corner, beside the page keys."""
        for key in self.keys.values():
            key.size_hint = (
                1,
                max(1.0, key.min_height_at(_key_width(self.width, columns)) / theme.length.target),
            )
        if self.pager is None or self.pager.parent is not self.grid:
            keys, gap = list(self.keys.values()), _gap()
            for key in keys:
                detach_from_parent(key)
            corner = keys.pop() if self._has_decline_key() else None
            self.pager = Pager(items=keys, cols=columns, rows=rows, between=gap, spacing=gap, corner=corner)
            self.grid.clear_widgets()
            self.grid.add_widget(self.pager)
        self.pager.cols, self.pager.rows = columns, rows
        self.pager.pos, self.pager.size = self.grid.pos, self.grid.size

    # The answer

    def _choose(self, name: str) -> None:
        """Gives the answer, or asks to confirm a serious one, or says why the option is barred."""
        if (reason := self.request.public_barred_reason(name)) is not None:
            self.dispatch("on_unavailable_option", reason)
        elif self._is_payment(name) and self.dispatch("on_payment", name):
            return
        elif self.request.confirmation_for(name) is None:
            self.dispatch("on_answer", name)
        else:
            self._ask_to_confirm(name)

    def _is_payment(self, name: str) -> bool:
        option = self.request.options[name]
        return isinstance(option, DetailedOption) and option.is_payment

    def _ask_to_confirm(self, name: str) -> None:
        self.answer_to_confirm, self.confirmation = name, AnswerConfirmation()
        self.confirmation.bind(
            on_confirm=lambda _: self.dispatch("on_answer", self.answer_to_confirm),
            on_cancel=lambda _: self._show_options_again(),
        )
        self.clear_widgets()
        self.add_widget(self.confirmation)
        self.update_texts()
        self.property("height").dispatch(self)

    def _show_options_again(self) -> None:
        """Shows the keys again in place of the confirmation."""
        self.answer_to_confirm, self.confirmation = "", None
        self.clear_widgets()
        self.add_widget(self.grid)
        self._arrange_keys()


def _gap() -> float:
    return theme.length.gap / 2


def _key_width(width: float, columns: int) -> float:
    """Returns the width of each key with this many columns."""
    return (width - _gap() * (columns - 1)) / columns


def _set_apart(key: OptionKey) -> None:
    """Moves the edges of a key that ends something away from the keys beside and above it."""
    if key.look != "danger":
        return
    narrower = key.width - theme.length.apart
    text_width = narrower - 2 * theme.length.gap  # words that touch the edges of a key are hard to read
    if not key.is_too_narrow(text_width) and key.min_height_at(text_width) <= key.height:
        key.x, key.width = key.x + theme.length.apart, narrower
    key.height = max(theme.length.target, key.min_height_at(key.width), key.height - theme.length.space)


def _raise_low_rows(min_heights: Sequence[float], total: float) -> list[float]:
    """Returns heights with this total, or less: the lowest rows are raised to the same height."""
    highest = max(theme.length.target * MAX_ROW_HEIGHT_IN_TARGETS, *min_heights)
    ascending = sorted(min_heights)
    levels = (
        (total - sum(ascending[count:])) / count for count in range(len(ascending), 0, -1)
    )  # the level if only the `count` lowest rows are raised
    level = next((level for level, top in zip(levels, reversed(ascending), strict=True) if level >= top), 0.0)
    return [max(height, min(level, highest)) for height in min_heights]


def _rows_of(keys: Sequence[OptionKey], columns: int) -> list[Sequence[OptionKey]]:
    return [keys[first : first + columns] for first in range(0, len(keys), columns)]


def _total_height(heights: Sequence[float]) -> float:
    """Returns the height of all rows, with the gaps between them."""
    return sum(heights) + _gap() * (len(heights) - 1)


def _group_of(option: Labelled) -> str:
    return (
        str(option.group.template) if isinstance(option, DetailedOption) and option.group is not None else ""
    )


def _rarity(option: Labelled) -> int:
    """Returns 0 for the most likely option, 1 for a usual one, and 2 for others."""
    if not isinstance(option, DetailedOption):
        return 2
    return 0 if option.is_most_likely else 1 if option.is_usual else 2


def _is_decline_option(option: Labelled) -> bool:
    return isinstance(option, DetailedOption) and option.is_decline_option
