"""Picking cards from a list; people can also lay cards on a reader or type their values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from math import ceil
from typing import Any, NamedTuple

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.cards import face_of_card
from companion.cards.deck import field_label, word_label
from companion.requests import Request
from companion.session.card_offers import (
    CardChoice,
    CardChoiceGroup,
    group_by_first_distinguishing_field,
    list_card_choices,
)
from companion.session.view import View
from companion.texts import render
from ui import theme
from ui.host import get_companion_app
from ui.questions.card_form import CardDigitsForm, CardValuesForm, can_use_digits_form
from ui.questions.question import QuestionWidget
from ui.widgets.drawing.containers import add_children
from ui.widgets.keys.key import Key, min_key_width_in_two_lines
from ui.widgets.keys.option_key import CardKey, OptionKey
from ui.widgets.keys.pager import Pager


class UseCardsOnReaderKey(Key):
    """A key that uses the cards waiting on the reader for the answer; it shows how many there are.

    The key doesn't show which cards: somebody's hand of cards may have come near the reader by chance.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(name="take", **kwargs)
        self.waiting_count = 0
        self.update_texts()

    def show_waiting_count(self, waiting_count: int) -> None:
        """Shows how many cards wait on the reader."""
        self.waiting_count = waiting_count
        self.update_texts()

    def add_or_remove_in_row(self, row: BoxLayout, right_neighbour: Widget) -> None:
        """Adds the key to the row while cards wait on the reader, and removes it when none do.

        The key is left of `right_neighbour`.
        """
        if self.parent is row and not self.waiting_count:
            row.remove_widget(self)
        if self.parent is None and self.waiting_count:
            row.add_widget(self, index=row.children.index(right_neighbour) + 1)

    def update_texts(self) -> None:
        """Updates the text, which says how many cards wait."""
        app = get_companion_app()
        self.text = app.trn("Use this card", "Use these {n} cards", self.waiting_count)


# The list of cards


MAX_CARD_COLUMNS, NARROW_CARD_COLUMNS = 4, 3
"""The number of cards side by side, and the number in a narrow widget."""
MIN_CARD_WIDTH_IN_TARGETS = 1.25
"""The minimum width of a card, in targets, for the larger number of columns."""
MIN_ROWS_PER_PAGE, USUAL_ROWS_PER_PAGE = 2, 4
"""The minimum rows of a page, and the rows that the widget needs at least without pages."""

MAX_FOOT_KEYS_WITH_TEXT = 3
"""The most keys at the foot that have room for texts."""


class PickedCard(NamedTuple):
    """A picked card: the name of its key, empty for a card without a key, and its item in the answer."""

    key_name: str
    answer_item: dict[str, Any]


class CardPicker(QuestionWidget[Request[Any]]):
    """The widget for picking cards: a list of the cards that people can touch.

    If the question asks for one card, a touch on it is the answer. Cards that are known to be in the place
    come first. If the cards don't fit on a page, people first choose a printed value to filter by. Cards on
    a reader are picked too, and no touch can unpick them.
    """

    __events__ = ("on_use_reader_cards",)  # people want to pick the cards that already lay on the reader

    def build_widgets(self) -> None:
        """Builds the list, and the keys below it."""
        self.spacing = theme.length.gap / 4
        self._min_compact_height, self._min_collapsed_height = self._height_of_rows(MIN_ROWS_PER_PAGE), 0.0
        self.picked: list[PickedCard] = []
        self.cards_on_reader: list[PickedCard] = []
        self.use_cards_key = UseCardsOnReaderKey(has_narrow_margins=True)
        self.use_cards_key.bind(on_release=lambda _: self.dispatch("on_use_reader_cards"))
        self.card_choices = list_card_choices(self.cards_field, self.view, self.app.lang)
        self.filter_path: list[CardChoiceGroup] = []
        self.keys = {offer.name: self._make_card_key(offer) for offer in self.card_choices}
        self.pager = Pager(
            cols=MAX_CARD_COLUMNS,
            rows=USUAL_ROWS_PER_PAGE,
            between=self.spacing,
            look="paper",
            has_external_keys=True,
        )
        self.open_form: CardValuesForm | CardDigitsForm | None = None
        self._filter_keys: list[tuple[OptionKey, CardChoiceGroup]] = []
        self._forms: list[CardValuesForm | CardDigitsForm] = []
        """The forms for typing a card, the preferred first; `open_form` is the first one that fits."""
        self.pager.items = self._list_items()
        self._foot = self._make_foot()
        if self.card_choices:
            self._show_list()
        else:
            self._show_forms()

    # How high it is

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width.

        The minimum shows a usual page, the preferred height all cards. While people type a card, the heights
        are those of its form.
        """
        if self.open_form is not None:
            form, smallest_form = self._form_for_width(width), self._forms[-1]
            min_height, _ = form.min_height_at(width), smallest_form.min_height_at(width)
            self._min_compact_height, self._min_collapsed_height = (
                form.min_compact_height,
                smallest_form.min_compact_height,
            )
            return min_height, min_height * 1.25
        row_count = self._row_count(width)
        rows_per_page = min(USUAL_ROWS_PER_PAGE, row_count)
        self._min_compact_height = self._height_of_rows(
            MIN_ROWS_PER_PAGE + self._needs_two_foot_rows(width, has_pages=row_count > MIN_ROWS_PER_PAGE)
        )
        min_height = self._height_of_rows(
            rows_per_page + self._needs_two_foot_rows(width, has_pages=row_count > rows_per_page)
        )
        return min_height, max(min_height, self._height_of_rows(row_count * 1.25))

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the keys at the foot.

        While people type a card, only the form for typing counts.
        """
        if self.open_form is not None:
            return width < self._forms[-1].min_width
        return self._needs_two_foot_rows(width, has_pages=self._row_count(width) > USUAL_ROWS_PER_PAGE)

    def _needs_two_foot_rows(self, width: float, *, has_pages: bool) -> bool:
        """Returns whether the keys at the foot need two rows; `has_pages`: with the page keys."""
        target, is_crowded = (
            theme.length.target,
            self._foot_key_count(has_pages=has_pages) > MAX_FOOT_KEYS_WITH_TEXT,
        )
        keys_width = target * (bool(self.filter_path) + 2 * has_pages)
        if self.form.decline:
            keys_width += min_key_width_in_two_lines(self.decline_label, has_narrow_margins=True)
        if self.cards_field.deck.fields:
            keys_width += target if is_crowded else min_key_width_in_two_lines(self.app.tr("Type it"), "pen")
        if not self.is_single_card_answer:
            done = self.app.tr("Done: {n}", n=len(self.all_picked_cards))
            keys_width += target + min_key_width_in_two_lines(done, "" if is_crowded else "tick")
        return bool(
            width < keys_width + (self._foot_key_count(has_pages=has_pages) - 1) * theme.length.gap / 2
        )

    def _foot_key_count(self, *, has_pages: bool) -> int:
        """Returns the number of keys at the foot."""
        other_keys = (
            bool(self.form.decline)
            + bool(self.cards_field.deck.fields)
            + 2 * (not self.is_single_card_answer)
        )
        return other_keys + bool(self.filter_path) + 2 * has_pages

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with pages of two rows.

        While people type a card, the height is that of its form.
        """
        return self._min_compact_height

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height with nearly all parts on other pages.

        While people type a card, the height is that of the smallest form. While the list is shown, it is 0.
        """
        return self._min_collapsed_height if self.open_form is not None else 0.0

    def _form_for_width(self, width: float) -> CardValuesForm | CardDigitsForm:
        """Returns the first form that fits the width, else the last one."""
        return next((form for form in self._forms if form.min_width <= width), self._forms[-1])

    def _height_of_rows(self, rows: float) -> float:
        return (rows + 1) * theme.length.target + rows * self.spacing

    def _column_count(self, width: float) -> int:
        columns = (
            MAX_CARD_COLUMNS
            if width >= MAX_CARD_COLUMNS * MIN_CARD_WIDTH_IN_TARGETS * theme.length.target
            else NARROW_CARD_COLUMNS
        )
        while columns > 1 and any(self._is_key_too_small(key, width, columns) for key in self.pager.items):
            columns -= 1
        return columns

    def _is_key_too_small(self, key: Key, width: float, columns: int) -> bool:
        """Returns whether the text of a filter key doesn't fit on one target of height.

        The name of a card that shows nothing else may take more lines, but no phrase is broken.
        """
        key_width = (width - self.spacing * (columns - 1)) / columns
        if not isinstance(key, OptionKey):
            return isinstance(key, CardKey) and key.shows_only_name and key.min_width() > key_width
        return key.is_too_narrow(key_width) or key.min_height_at(key_width) > theme.length.target + 1

    def _row_count(self, width: float) -> int:
        """Returns the number of rows for all cards."""
        return max(MIN_ROWS_PER_PAGE, ceil(len(self.pager.items) / self._column_count(width)))

    def adapt_to_size(self) -> None:
        """Adapts to the size: as many rows on a page as fit, or the first form that fits."""
        if self.open_form is not None:
            form = self._form_for_width(self.width)
            self._show_form(form if form.min_compact_height <= self.height + 1 else self._forms[-1])
            return
        self._arrange_foot()
        for attempt in count():
            list_height = self.height - self._foot.height
            rows = min(self._row_count(self.width), int(list_height // (theme.length.target + self.spacing)))
            shape = self._column_count(self.width), max(MIN_ROWS_PER_PAGE, rows)
            # Without pages the foot may be wider and need a second row, which the list then lacks: from the
            # second attempt on, the list only becomes lower.
            if shape == (self.pager.cols, self.pager.rows) or (attempt and shape[1] > self.pager.rows):
                return
            self.pager.cols, self.pager.rows = shape
            self._rebuild_foot()
            self._arrange_foot()

    def page_count_at(self, width: float, height: float) -> int:
        """Returns the number of pages of cards at this size."""
        if self.open_form is not None:
            return 1
        row_height, columns = theme.length.target + self.spacing, self._column_count(width)
        rows = max(MIN_ROWS_PER_PAGE, int((height - self._foot_height(width, has_pages=False)) // row_height))
        if columns * rows >= len(self.pager.items):
            return 1
        rows = max(MIN_ROWS_PER_PAGE, int((height - self._foot_height(width, has_pages=True)) // row_height))
        return ceil(len(self.pager.items) / (columns * rows))

    def _foot_height(self, width: float, *, has_pages: bool) -> float:
        """Returns the height of the keys at the foot; `has_pages`: with the page keys."""
        if not self._foot_key_count(has_pages=has_pages):
            return 0.0
        return theme.length.target * (1 + self._needs_two_foot_rows(width, has_pages=has_pages))

    def _arrange_foot(self) -> None:
        """Arranges the keys of the foot in one row or two; the second row ends with the page keys."""
        if self._foot.height > 0:
            self._foot.rows = (
                2 if self._needs_two_foot_rows(self.width, has_pages=self.pager.page_count > 1) else 1
            )
            if self._foot.rows > 1:
                add_children(self._foot, *self.pager.page_turn_keys)
            rows, gap = self._foot.rows, self._foot.spacing[1]
            self._foot.height = rows * theme.length.target + (rows - 1) * gap

    # The items of the list

    def _list_items(self) -> list[Widget]:
        """Returns a key for each card or, if there are too many cards, for each printed value to filter by.

        Sets `groups`, too.
        """
        offers = list(self.filter_path[-1].cards) if self.filter_path else self.card_choices
        self._filter_keys.clear()
        reader_keys = [self.use_cards_key] if self.use_cards_key.waiting_count else []
        self.groups = groups = (
            group_by_first_distinguishing_field(offers)
            if len(offers) > MAX_CARD_COLUMNS * USUAL_ROWS_PER_PAGE
            else []
        )
        if not groups:
            return [*reader_keys, *(self.keys[offer.name] for offer in offers)]
        return [*reader_keys, *(self._make_filter_key(group) for group in groups)]

    def find_group_of_card(self, card_name: str) -> CardChoiceGroup | None:
        """Returns the shown group that contains the card; None if the card has a key of its own."""
        groups = (group for group in self.groups if len(group.cards) > 1)
        return next((group for group in groups if card_name in [offer.name for offer in group.cards]), None)

    def _make_filter_key(self, group: CardChoiceGroup) -> Key:
        """Returns the key that shows only the cards with a value; the card's own key if there is only one."""
        if len(group.cards) == 1:
            return self.keys[group.cards[0].name]
        key = OptionKey(name=f"narrow {group.field} {group.value}", has_narrow_margins=True)
        key.bind(on_release=lambda _: self._filter_by([*self.filter_path, group]))
        self._filter_keys.append((key, group))
        self._update_filter_key_texts(key, group)
        return key

    def _update_filter_key_texts(self, key: OptionKey, group: CardChoiceGroup) -> None:
        lang = self.app.lang
        value_text = (
            render(word_label(group.value), lang) if isinstance(group.value, str) else str(group.value)
        )
        key.text = f"{render(field_label(group.field), lang)} {value_text}"
        key.detail_text = self.app.trn("{n} card", "{n} cards", len(group.cards))

    def _filter_by(self, path: list[CardChoiceGroup]) -> None:
        """Shows only the cards with the values of this path."""
        self.filter_path = path
        self.pager.page, self.pager.items = 0, self._list_items()
        self._rebuild_foot()
        self._request_new_height()
        self.adapt_to_size()
        self.update_texts()

    def _rebuild_foot(self) -> None:
        is_list_shown = self.open_form is None
        self._foot.clear_widgets()
        self._foot = self._make_foot()
        if is_list_shown:
            self._place_list()
        self.update_texts()

    @property
    def is_single_card_answer(self) -> bool:
        """Returns whether the answer is exactly one card."""
        return self.cards_field.least == 1 == self.cards_field.most

    @property
    def all_picked_cards(self) -> list[PickedCard]:
        """Returns all picked cards: those on the reader, then those touched or typed."""
        return [*self.cards_on_reader, *self.picked]

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view, and rebuilds the list if other cards can be picked now, as after moves by hand.

        Picks that are still possible stay.
        """
        super().show_newer_view(view)
        names = [offer.name for offer in list_card_choices(self.cards_field, view, self.app.lang)]
        if names != list(self.keys):
            picked = [card for card in self.picked if card.key_name in (*names, "")]
            tags, waiting_count = (
                [card.answer_item["tag"] for card in self.cards_on_reader],
                self.use_cards_key.waiting_count,
            )
            self.clear_widgets()
            self.build_widgets()
            self.picked = picked
            self.show_tags_on_reader(tags, waiting_count)
        else:
            self.update_texts()

    def show_tags_on_reader(self, accepted_tags: Sequence[str], waiting_count: int) -> None:
        """Picks the accepted cards on the reader, and shows a first key if more cards wait there."""
        self.cards_on_reader = [PickedCard(self._key_name_of_tag(tag), {"tag": tag}) for tag in accepted_tags]
        was_waiting = self.use_cards_key.waiting_count
        self.use_cards_key.show_waiting_count(waiting_count)
        if bool(waiting_count) != bool(was_waiting):
            self.pager.items = self._list_items()
            self._rebuild_foot()
            self._request_new_height()
        self.update_texts()

    def _key_name_of_tag(self, tag: str) -> str:
        """Returns the name of the key of a tag's card, or ""; all copies of a card share one key."""
        card = self.cards_field.parse_card_item({"tag": tag})
        return next((name for name in (card.id, card.design) if name in self.keys), "") or ""

    def _make_foot(self) -> GridLayout:
        sizes = theme.length
        row = GridLayout(rows=1, size_hint_y=None, height=sizes.target, spacing=sizes.gap / 2)
        self.decline_key = Key(name="cant", has_narrow_margins=True, size_hint_x=1.4)
        self.decline_key.size_hint_min_x = sizes.target
        self.decline_key.bind(on_release=lambda _: self.dispatch("on_answer", None))
        self.type_key = Key(name="describe", icon="pen", size_hint_min_x=sizes.target)
        self.type_key.bind(on_release=lambda _: self._show_forms())
        self.undo_pick_key = Key(icon="delete", name="take back", size_hint_x=None, width=sizes.target)
        self.undo_pick_key.bind(on_release=lambda _: self._remove_last_pick())
        self.done_key = Key(look="brass", name="lay", icon="tick", size_hint_min_x=sizes.target)
        self.done_key.bind(
            on_release=lambda _: self.dispatch(
                "on_answer", [card.answer_item for card in self.all_picked_cards]
            )
        )
        up_key = Key(icon="up", name="all cards", size_hint_x=None, width=sizes.target)
        up_key.bind(on_release=lambda _: self._filter_by(self.filter_path[:-1]))
        keys: list[Widget] = [up_key] if self.filter_path else []
        keys += [self.decline_key] if self.form.decline else []
        keys += [self.pager.back_key, self.pager.next_key] if self.pager.page_count > 1 else []
        keys += [self.type_key] if self.cards_field.deck.fields else []
        keys += [] if self.is_single_card_answer else [self.undo_pick_key, self.done_key]
        self.is_crowded = self._foot_key_count(has_pages=self.pager.page_count > 1) > MAX_FOOT_KEYS_WITH_TEXT
        if self.is_crowded:
            self.type_key.size_hint_x, self.type_key.width = None, sizes.target
            self.done_key.icon = ""
        for key in keys or [Widget()]:
            row.add_widget(key)
        row.height = sizes.target if keys else 0
        self._update_foot_texts()
        return row

    def _update_foot_texts(self) -> None:
        """Updates the texts of the keys at the foot, and their minimum widths for two lines of text."""
        tr = self.app.tr
        self.decline_key.text = self.decline_label
        self.type_key.text = "" if self.is_crowded else tr("Type it")
        self.done_key.text = tr("Done: {n}", n=len(self.all_picked_cards))
        for key in (self.decline_key, self.type_key, self.done_key):
            key.size_hint_min_x = key.min_width_in_two_lines()

    def update_texts(self) -> None:
        """Updates the names of the cards, the picks, and the texts of the keys."""
        lang = self.app.lang
        self.card_choices = list_card_choices(self.cards_field, self.view, lang)
        for offer in self.card_choices:
            key = self.keys[offer.name]
            key.lang = lang
            key.text, key.style, key.lines = offer.title, "body" if "\n" in offer.title else "key", 3
            key.chosen = any(card.key_name == offer.name for card in self.all_picked_cards)
        for key, group in self._filter_keys:
            self._update_filter_key_texts(key, group)
        self.use_cards_key.update_texts()
        self._update_foot_texts()
        self.bar_declining(self.decline_key)
        reason = self.cards_field.why_count_refused(len(self.all_picked_cards))
        self.done_key.disabled = reason is not None
        self.done_key.look = "brass" if self.all_picked_cards else "paper"
        self.done_key.reason = "" if reason is None else render(reason, lang)
        self.undo_pick_key.disabled = not self.picked

    def _make_card_key(self, offer: CardChoice) -> Key:
        face = face_of_card(self.view.face_layouts, offer.card)
        key = CardKey(name=f"card {offer.name}", has_narrow_margins=True, card=face, lang=self.app.lang)
        key.bind(on_release=lambda _: self._toggle_pick(offer))
        return key

    def _show_list(self) -> None:
        self.open_form = None
        self._place_list()
        self._request_new_height()

    def _place_list(self) -> None:
        self.clear_widgets()
        self.add_widget(self.pager)
        self.add_widget(self._foot)

    def _toggle_pick(self, offer: CardChoice) -> None:
        """Picks a card, or unpicks a card with only one copy if people touch it again."""
        card = PickedCard(offer.name, offer.item)
        if offer.copies == 1 and any(card.key_name == offer.name for card in self.cards_on_reader):
            return
        if offer.copies == 1 and card in self.picked:
            self.picked.remove(card)
            self.update_texts()
        else:
            self._add_pick(card)

    def _add_pick(self, card: PickedCard) -> None:
        if self.is_single_card_answer:
            self.dispatch("on_answer", [card.answer_item])
            return
        self.picked.append(card)
        self.update_texts()

    def _remove_last_pick(self) -> None:
        self.picked.pop()
        self.update_texts()

    def _show_forms(self) -> None:
        """Shows a form for typing a card in place of the list, until people finish or cancel it."""
        deck, known_values = self.cards_field.deck, self.cards_field.required_values
        self._forms = [CardValuesForm(deck, known_values)]
        self._forms[:0] = (
            [CardDigitsForm(deck, known_values)] if can_use_digits_form(deck, known_values) else []
        )
        for form in self._forms:
            form.bind(on_described=lambda _, values: self._add_typed_card(values))
            form.bind(on_cancel=lambda _: self._close_form())
        self._show_form(self._forms[0])
        self._request_new_height()

    def _show_form(self, form: CardValuesForm | CardDigitsForm) -> None:
        """Shows this form alone."""
        self.open_form = form
        if self.children != [form]:
            self.clear_widgets()
            self.add_widget(form)

    def _request_new_height(self) -> None:
        """Makes the layout ask for the height again, because the new content may need more than the old."""
        self.property("height").dispatch(self)

    def _close_form(self) -> None:
        if self.card_choices:
            self._show_list()
        else:
            self._show_forms()

    def _add_typed_card(self, values: dict[str, Any]) -> None:
        self._close_form()
        self._add_pick(PickedCard("", {"values": values}))
