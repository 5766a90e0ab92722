"""Choosing one option: a key for each, with its picture, its price and its gain."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any, NamedTuple

from kivy.uix.boxlayout import BoxLayout
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
MAX_KEYS_NEVER_ON_PAGES = 5
"""The most keys that are never on pages. Of more people, names are shortened rather than put on pages."""
PREFERRED_KEY_HEIGHT_IN_TARGETS = 1.3
"""The preferred height of a key, in targets."""
MAX_ROW_HEIGHT_IN_TARGETS = 1.6
"""The maximum height of a row, in targets, unless its texts need more."""


class KeyInRow(NamedTuple):
    """A key in a row: its first column, and how many columns it takes."""

    key: OptionKey
    column: int
    span: int


KeyRow = list[KeyInRow]


class OptionKeys(QuestionWidget[Choose]):
    """The widget for choosing one option: a key for each, grouped, in columns. A long word takes several.

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
        self._page_shape: tuple[float, int] | None = None
        """The width and the columns of the rows on pages; None if all keys are shown at once."""
        self._height_ranges: dict[float, tuple[float, float, float]] = {}
        """The measured heights by width, because layouts ask at many widths."""
        self._page_counts: dict[tuple[float, float], int] = {}
        """The number of pages by width and height, for the same reason."""
        self._max_columns_by_width: dict[float, int] = {}
        self._rows_by_shape: dict[tuple[float, int, int], list[KeyRow]] = {}
        """The rows by width, columns and number of keys, for the same reason."""
        self._min_compact_height = 0.0
        self.answer_to_confirm = ""
        self.confirmation: AnswerConfirmation | None = None
        self.bind(size=self._arrange_keys)
        self.grid.bind(pos=self._arrange_keys, size=self._arrange_keys)

    def _options_in_key_order(self) -> list[tuple[str, Labelled]]:
        """Returns the options by group, in the order of their first options; declining is last.

        If the order is free, the groups with the most likely option and with usual ones come first, and so do
        these options in their group. Barred options come after all others.
        """
        request, options = self.request, list(self.request.options.items())
        rarity_by_group: dict[str, int] = {}
        for _, option in options:
            group, rarity = _group_of(option), _rarity(option) if request.has_free_order else 0
            rarity_by_group[group] = min(rarity, rarity_by_group.get(group, rarity))
        groups = sorted(rarity_by_group, key=lambda group: rarity_by_group[group])

        def rank(item: tuple[str, Labelled]) -> tuple[bool, bool, int, int]:
            key, option = item
            is_barred = request.has_free_order and request.public_barred_reason(key) is not None
            rarity = _rarity(option) if request.has_free_order else 0
            return _is_decline_option(option), is_barred, groups.index(_group_of(option)), rarity

        return sorted(options, key=rank)

    def _make_key(self, name: str, option: Labelled) -> OptionKey:
        subject: Any = option if isinstance(option, Seat) else self._race_seat_by_option.get(name)
        key = OptionKey(name=name, has_narrow_margins=True, abbreviates=isinstance(subject, Seat))
        is_one_of_many = self.belongs_on_one_page and len(self.request.options) > MAX_KEYS_NEVER_ON_PAGES
        key.is_beginning_enough = key.abbreviates and is_one_of_many
        if isinstance(option, DetailedOption):
            if option.piece is not None and has_picture(option.piece):
                subject = option.piece
            if option.card is not None:
                subject = self._card_face_by_option[name] = face_of_card(self.view.face_layouts, option.card)
            key.emblem = option.emblem
        key.subject = subject
        key.bind(on_release=lambda _: self._choose(name))
        return key

    def update_texts(self) -> None:
        """Updates the texts of the keys, in the current language."""
        lang = self.app.lang
        self._height_ranges.clear()
        self._page_counts.clear()
        self._max_columns_by_width.clear()
        self._rows_by_shape.clear()
        self._page_shape = None
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
            key.text = self.render_key_text(option if race_seat is None else race_seat)
            self._show_spread(key, self._taken_spread_by_option.get(name))
            key.detail_text = self._detail_text(option, key)
        self._show_barred_options()
        if self.confirmation is not None:
            self.confirmation.text.text = self.render_with_short_names(
                self.request.confirmations[self.answer_to_confirm]
            )
            self.confirmation.confirm_key.text = self.render_key_text(
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
            parts = [str(self.app.tr("price {n}", n=option.price) if option.price else self.app.tr("free"))]
        parts += [render(text, self.app.lang) for text in (option.gain, option.note) if text is not None]
        return " · ".join(parts)

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view, in which people may be able to pay for other options."""
        super().show_newer_view(view)
        self._show_barred_options()

    def _show_barred_options(self) -> None:
        """Makes the keys of options that can't be chosen now look disabled, with the reason.

        The thing to do now is brass: the most likely option, or the only one that can be chosen, apart from
        options that people have to confirm. These have a red edge.
        """
        reason_by_name = {name: self.request.public_barred_reason(name) for name in self.keys}
        available = [
            name
            for name, reason in reason_by_name.items()
            if reason is None and self.request.confirmation_for(name) is None
        ]
        for name, key in self.keys.items():
            reason, option = reason_by_name[name], self.request.options[name]
            key.looks_disabled = reason is not None
            key.reason = "" if reason is None else self.render_with_short_names(reason)
            is_most_likely = isinstance(option, DetailedOption) and option.is_most_likely
            key.look = "brass" if is_most_likely or available == [name] else "paper"
            if self.request.confirmation_for(name) is not None:
                key.look = "danger"

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
        rows = min(max(len(heights), min(MAX_KEYS_NEVER_ON_PAGES, len(self.keys))), len(heights) + 1)
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
        rows = self._rows_of(list(self.keys.values()), width, columns)
        return [
            max(
                height,
                *(one.key.min_height_with_reason_at(_span_width(width, columns, one.span)) for one in row),
            )
            for height, row in zip(heights, rows, strict=True)
        ]

    def _row_heights_of(self, keys: Sequence[OptionKey], width: float, columns: int) -> list[float]:
        return [
            max(
                theme.length.target,
                *(one.key.min_height_at(_span_width(width, columns, one.span)) for one in row),
            )
            for row in self._rows_of(keys, width, columns)
        ]

    def _rows_of(self, keys: Sequence[OptionKey], width: float, columns: int) -> list[KeyRow]:
        """Returns the rows of keys, each key with as many columns as its words need.

        A key that has no room in the rest of a row begins another; then the key before it takes the rest.
        The declining key of all keys stands in the corner of the last row.
        """
        shape = width, columns, len(keys)
        if shape not in self._rows_by_shape:
            rows: list[KeyRow] = []
            for key in keys:
                spans = (
                    span
                    for span in range(1, columns)
                    if not key.is_too_narrow(_span_width(width, columns, span))
                )
                span, column = (
                    next(spans, columns),
                    rows[-1][-1].column + rows[-1][-1].span if rows else columns,
                )
                if column + span > columns:
                    if rows:
                        rows[-1][-1] = rows[-1][-1]._replace(span=columns - rows[-1][-1].column)
                    rows.append([])
                    column = 0
                rows[-1].append(KeyInRow(key, column, span))
            if len(keys) == len(self.keys) > 1 and self._has_decline_key():
                rows[-1][-1] = rows[-1][-1]._replace(column=columns - rows[-1][-1].span)
            self._rows_by_shape[shape] = rows
        return self._rows_by_shape[shape]

    def _max_columns(self, width: float) -> int:
        """Returns how many columns fit: half of the keys or more break no word in one column."""
        if width not in self._max_columns_by_width:
            self._max_columns_by_width[width] = next(
                (columns for columns in COLUMN_COUNTS_TO_TRY if self._do_columns_fit(width, columns)), 1
            )
        return self._max_columns_by_width[width]

    def _do_columns_fit(self, width: float, columns: int) -> bool:
        key_width = _span_width(width, columns, 1)
        if key_width < theme.length.target:
            return False
        return 2 * sum(key.is_too_narrow(key_width) for key in self.keys.values()) <= len(self.keys)

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the words on the keys.

        The declining key must also fit beside the page keys.
        """
        keys = list(self.keys.values())
        page_keys_width = 3 * theme.length.target + 2 * theme.length.gap
        decline_key_width = (
            keys[-1].min_width_in_row()
            if self._has_decline_key() and len(keys) > MAX_KEYS_NEVER_ON_PAGES
            else 0.0
        )
        return any(key.is_too_narrow(width) for key in keys) or (
            decline_key_width > 0 and page_keys_width + decline_key_width > width
        )

    def _arrange_keys(self, *_: object) -> None:
        """Arranges the keys in the fewest columns that fit, which makes the widest keys; else on pages."""
        if self.grid.parent is None or self.width <= 1:
            return
        shapes = self._shapes_without_pages(self.width)
        with_reasons = [
            (columns, self._add_reasons(heights, self.width, columns)) for columns, heights in shapes
        ]
        for columns, heights in (*with_reasons, *shapes):
            if _total_height(heights) <= self.height + 1:
                self._place_in_rows(columns, heights)
                return
        self._show_pages(*self._choose_page_shape(self.width, self.height))

    def _shapes_without_pages(self, width: float) -> list[tuple[int, list[float]]]:
        """Returns each possible number of columns, with the minimum heights of its rows."""
        column_counts = range(1, self._max_columns(width) + 1)
        return [(columns, self._row_heights(width, columns)) for columns in column_counts]

    def page_count_at(self, width: float, height: float) -> int:
        """Returns the number of pages of keys at this size."""
        if self.confirmation is not None:
            return 1
        if (width, height) not in self._page_counts:
            self._page_counts[width, height] = self._count_pages(width, height)
        return self._page_counts[width, height]

    def _count_pages(self, width: float, height: float) -> int:
        if any(_total_height(heights) <= height + 1 for _, heights in self._shapes_without_pages(width)):
            return 1
        columns, rows = self._choose_page_shape(width, height)
        return ceil(len(self._rows_of(self._keys_on_pages(), width, columns)) / rows)

    def _place_in_rows(self, columns: int, min_heights: Sequence[float]) -> None:
        """Places the keys in rows, as equal in height as their minimum heights allow."""
        keys, gap = list(self.keys.values()), _gap()
        self._show_keys(keys)
        height_without_gaps = self.grid.height - gap * (len(min_heights) - 1)
        heights = _raise_low_rows(min_heights, height_without_gaps)
        column_width = _span_width(self.grid.width, columns, 1) + gap
        for number, row in enumerate(self._rows_of(keys, self.width, columns)):
            y = self.grid.y + _total_height(heights[number:]) - heights[number]
            for key, column, span in row:
                key.size_hint = (None, None)
                key.size = (_span_width(self.grid.width, columns, span), heights[number])
                key.pos = (self.grid.x + column * column_width, y)
        if len(keys) > 1:
            _set_apart(keys[-1])

    def _keys_on_pages(self) -> list[OptionKey]:
        """Returns the keys that pages show; the declining key stands beside the page keys."""
        keys = list(self.keys.values())
        return keys[:-1] if self._has_decline_key() else keys

    def _choose_page_shape(self, width: float, height: float) -> tuple[int, int]:
        """Returns the columns and rows with the fewest pages and, of equal ones, the widest keys."""
        keys = self._keys_on_pages()
        column_counts = range(1, self._max_columns(width) + 1)
        shapes = [(columns, self._rows_per_page(keys, columns, width, height)) for columns in column_counts]
        return min(shapes, key=lambda shape: ceil(len(self._rows_of(keys, width, shape[0])) / shape[1]))

    def _rows_per_page(self, keys: Sequence[OptionKey], columns: int, width: float, height: float) -> int:
        """Returns how many rows fit above the page keys, on any page."""
        target, gap = theme.length.target, _gap()
        heights = self._row_heights_of(keys, width, columns)
        for rows in range(int((height + gap) / (target + gap)) - 1, 1, -1):
            pages = [heights[first : first + rows] for first in range(0, len(heights), rows)]
            if all(
                _total_height([*page, *[target] * (rows - len(page)), target]) <= height + 1 for page in pages
            ):
                return rows
        return 1

    def _has_decline_key(self) -> bool:
        return _is_decline_option(self._options_in_key_order()[-1][1])

    def _show_keys(self, keys: Sequence[Key]) -> None:
        if [*reversed(self.grid.children)] != keys:
            self._page_shape = None
            for key in keys:
                detach_from_parent(key)
            self.grid.clear_widgets()
            for key in keys:
                self.grid.add_widget(key)

    @property
    def belongs_on_one_page(self) -> bool:
        """Returns whether people choose one of themselves: everybody looks for their own name."""
        options = [option for option in self.request.options.values() if not _is_decline_option(option)]
        return all(isinstance(option, Seat) for option in options)

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with pages: two rows of options and the page keys."""
        return self._min_compact_height if len(self.keys) > MAX_KEYS_NEVER_ON_PAGES else 0.0

    def _show_pages(self, columns: int, rows: int) -> None:
        """Shows the rows of keys on pages; the declining key stays in the corner, beside the page keys."""
        shape = self.width, columns
        if self.pager is None or self._page_shape != shape:
            page = 0 if self.pager is None else self.pager.page
            for key in self.keys.values():
                detach_from_parent(key)
            corner = list(self.keys.values())[-1] if self._has_decline_key() else None
            key_rows = self._rows_of(self._keys_on_pages(), self.width, columns)
            items = [self._make_row_box(row, columns) for row in key_rows]
            self.pager = Pager(items=items, cols=1, rows=rows, between=_gap(), spacing=_gap(), corner=corner)
            self.pager.page = min(page, self.pager.page_count - 1)
            self._page_shape = shape
            self.grid.clear_widgets()
            self.grid.add_widget(self.pager)
        self.pager.rows = rows
        self.pager.pos, self.pager.size = self.grid.pos, self.grid.size

    def _make_row_box(self, row: KeyRow, columns: int) -> BoxLayout:
        """Returns a row of keys for a page; columns behind the last key stay empty."""
        height = max(
            one.key.min_height_at(_span_width(self.width, columns, one.span)) / theme.length.target
            for one in row
        )
        box = BoxLayout(spacing=_gap(), size_hint_y=max(1.0, height))
        for key, _, span in row:
            key.size_hint = (None, 1)
            key.width = _span_width(self.width, columns, span)
            box.add_widget(key)
        return box

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


def _span_width(width: float, columns: int, span: int) -> float:
    """Returns the width of a key that takes `span` of these columns."""
    column_width = (width - _gap() * (columns - 1)) / columns
    return column_width * span + _gap() * (span - 1)


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
