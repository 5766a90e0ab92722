"""Picking cards from the list of their deck; a reader or typed values can name cards, too."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

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
from ui.questions.card_form import CardDigitsForm, CardValuesForm, has_only_few_small_numbers
from ui.questions.question import Question
from ui.widgets.drawing.containers import add_children
from ui.widgets.keys.key import Key, min_key_width_in_two_lines
from ui.widgets.keys.option_key import CardKey, OptionKey
from ui.widgets.keys.pager import Pager


class UseCardsOnReaderKey(Key):
    """A key that uses the cards waiting on the reader for the answer; it shows how many there are.

    It doesn't show which cards: a hand may have come near the reader by chance.
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


COLUMNS, NARROW_COLUMNS = 4, 3
"""The cards side by side, and how many if there is little room."""
MIN_CARD_WIDTH_IN_TARGETS = 1.25
"""The minimum width of a card, in targets, for the larger number of columns."""
MIN_ROWS_PER_PAGE, USUAL_ROWS_PER_PAGE = 2, 4
"""The minimum rows of a page, and the rows for which the widget asks room."""

MAX_FOOT_KEYS_WITH_TEXT = 3
"""The most keys at the foot that have room for texts."""


class CardPicker(Question[Request[Any]]):
    """The widget for picking cards: a list of the cards that people can touch.

    If only one card is asked for, a touch on it is the answer.
    Cards that are known to be in the place come first. If they don't fit on a page, people first choose
    a printed value to filter by. Cards on a reader are picked too, and no touch can unpick those.
    """

    __events__ = ("on_take",)  # the cards that already lay there are to be picked

    def build_widgets(self) -> None:
        """Builds the list, and the keys below it."""
        self.spacing = theme.length.gap / 4
        self._min_compact_height, self._min_collapsed_height = self._high(MIN_ROWS_PER_PAGE), 0.0
        self.picked: list[tuple[str, dict[str, Any]]] = []
        self.cards_on_reader: list[tuple[str, dict[str, Any]]] = []
        self.use_cards_key = UseCardsOnReaderKey(has_narrow_margins=True)
        self.use_cards_key.bind(on_release=lambda _: self.dispatch("on_take"))
        self.offers = list_card_choices(self.cards, self.view, self.app.lang)
        self.filter_path: list[CardChoiceGroup] = []
        self.keys = {offer.name: self._key(offer) for offer in self.offers}
        self.pager = Pager(cols=COLUMNS, rows=USUAL_ROWS_PER_PAGE, between=self.spacing, is_apart=True)
        self.open_form: CardValuesForm | CardDigitsForm | None = None
        self._forms: list[CardValuesForm | CardDigitsForm] = []
        """In which a card may be typed: the first that has room is `form`."""
        self.pager.items = self._things()
        self._foot = self._make_foot()
        if self.offers:
            self._list()
        else:
            self._describe()

    # How high it is

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width: all cards, up to a page of rows."""
        if self.open_form is not None:
            form, last = self._form_at(width), self._forms[-1]
            least, _ = form.min_height(width), last.min_height(width)
            self._min_compact_height, self._min_collapsed_height = (
                form.min_compact_height,
                last.min_compact_height,
            )
            return least, least * 1.25
        needed = self._rows(width)
        rows = min(USUAL_ROWS_PER_PAGE, needed)
        self._min_compact_height = self._high(
            MIN_ROWS_PER_PAGE + self._is_folded(width, paged=needed > MIN_ROWS_PER_PAGE)
        )
        least = self._high(rows + self._is_folded(width, paged=needed > rows))
        return least, max(least, self._high(needed * 1.25))

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the keys at the foot.

        While people type a card, only the form for typing counts.
        """
        if self.open_form is not None:
            return width < self._forms[-1].min_width
        return self._is_folded(width, paged=self._rows(width) > USUAL_ROWS_PER_PAGE)

    def _is_folded(self, width: float, *, paged: bool) -> bool:
        """Returns whether the keys at the foot need two rows; `paged`: with the page keys."""
        target, is_crowded = theme.length.target, self._foot_key_count(paged=paged) > MAX_FOOT_KEYS_WITH_TEXT
        wide = target * (bool(self.filter_path) + 2 * paged)
        if self.form.decline:
            wide += min_key_width_in_two_lines(self.decline_label, has_narrow_margins=True)
        if self.cards.deck.fields:
            wide += target if is_crowded else min_key_width_in_two_lines(self.app.tr("Type it"), "pen")
        if not self.is_single_card_answer:
            done = self.app.tr("Done: {n}", n=len(self.all_picked_cards))
            wide += target + min_key_width_in_two_lines(done, "" if is_crowded else "tick")
        return bool(width < wide + (self._foot_key_count(paged=paged) - 1) * theme.length.gap / 2)

    def _foot_key_count(self, *, paged: bool) -> int:
        """Returns the number of keys at the foot."""
        others = bool(self.form.decline) + bool(self.cards.deck.fields) + 2 * (not self.is_single_card_answer)
        return others + bool(self.filter_path) + 2 * paged

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with pages of two rows; while people type a card, that of its form."""
        return self._min_compact_height

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height with nearly all parts on other pages.

        While people type a card, that is the height of the smallest form. While the list is shown, it is 0.
        """
        return self._min_collapsed_height if self.open_form is not None else 0.0

    def _form_at(self, width: float) -> CardValuesForm | CardDigitsForm:
        """Returns the first form that fits the width."""
        return next((form for form in self._forms if form.min_width <= width), self._forms[-1])

    def _high(self, rows: float) -> float:
        return (rows + 1) * theme.length.target + rows * self.spacing

    def _columns(self, width: float) -> int:
        columns = (
            COLUMNS if width >= COLUMNS * MIN_CARD_WIDTH_IN_TARGETS * theme.length.target else NARROW_COLUMNS
        )
        worded = [thing for thing in self.pager.items if isinstance(thing, OptionKey)]
        while columns > 1 and any(self._is_too_small(key, width, columns) for key in worded):
            columns -= 1
        return columns

    def _is_too_small(self, key: OptionKey, width: float, columns: int) -> bool:
        """Returns whether the text of a value to filter by doesn't fit on a key that is one target high."""
        share = (width - self.spacing * (columns - 1)) / columns
        return key.is_too_narrow(share) or key.min_height_at(share) > theme.length.target + 1

    def _rows(self, width: float) -> int:
        """Returns the number of rows for all cards."""
        return max(MIN_ROWS_PER_PAGE, ceil(len(self.pager.items) / self._columns(width)))

    def adapt_to_size(self) -> None:
        """Adapts to the size: as many rows on a page as fit, or the first form that fits."""
        if self.open_form is not None:
            form = self._form_at(self.width)
            self._show_form(form if form.min_compact_height <= self.height + 1 else self._forms[-1])
            return
        self._fold_foot()
        room = self.height - self._foot.height
        rows = min(self._rows(self.width), int(room // (theme.length.target + self.spacing)))
        shape = self._columns(self.width), max(MIN_ROWS_PER_PAGE, rows)
        if shape != (self.pager.cols, self.pager.rows):
            self.pager.cols, self.pager.rows = shape
            self._renew_foot()
            self._fold_foot()

    def _fold_foot(self) -> None:
        """Lays out the keys of the foot in one row or two; the second row ends with the page keys."""
        if self._foot.height > 0:
            self._foot.rows = 2 if self._is_folded(self.width, paged=self.pager.page_count > 1) else 1
            if self._foot.rows > 1:
                add_children(self._foot, *self.pager.page_turn_keys)
            rows, apart = self._foot.rows, self._foot.spacing[1]
            self._foot.height = rows * theme.length.target + (rows - 1) * apart

    # What is offered

    def _things(self) -> list[Widget]:
        """Returns a key for each card or, if there are too many, for each printed value to filter by."""
        offers = list(self.filter_path[-1].cards) if self.filter_path else self.offers
        first = [self.use_cards_key] if self.use_cards_key.waiting_count else []
        self.groups = groups = (
            group_by_first_distinguishing_field(offers) if len(offers) > COLUMNS * USUAL_ROWS_PER_PAGE else []
        )
        if not groups:
            return [*first, *(self.keys[offer.name] for offer in offers)]
        return [*first, *(self._narrower(group) for group in groups)]

    def find_shown_group(self, card_name: str) -> CardChoiceGroup | None:
        """Returns the shown group that contains the card; None if the card has a key of its own."""
        groups = (group for group in self.groups if len(group.cards) > 1)
        return next((group for group in groups if card_name in [offer.name for offer in group.cards]), None)

    def _narrower(self, group: CardChoiceGroup) -> Key:
        """Returns a key for a value that leads to its cards; the card's own key if there is only one."""
        if len(group.cards) == 1:
            return self.keys[group.cards[0].name]
        key = OptionKey(name=f"narrow {group.field} {group.value}", has_narrow_margins=True)
        lang = self.app.lang
        value = render(word_label(group.value), lang) if isinstance(group.value, str) else str(group.value)
        key.text = f"{render(field_label(group.field), lang)} {value}"
        key.detail_text = self.app.trn("{n} card", "{n} cards", len(group.cards))
        key.bind(on_release=lambda _: self._narrow([*self.filter_path, group]))
        return key

    def _narrow(self, path: list[CardChoiceGroup]) -> None:
        """Shows only the cards with the values of this path."""
        self.filter_path = path
        self.pager.page, self.pager.items = 0, self._things()
        self._renew_foot()
        self.adapt_to_size()
        self.update_texts()

    def _renew_foot(self) -> None:
        listed = self.open_form is None
        self._foot.clear_widgets()
        self._foot = self._make_foot()
        if listed:
            self._list()
        self.update_texts()

    @property
    def is_single_card_answer(self) -> bool:
        """Returns whether the answer is exactly one card."""
        return self.cards.least == 1 == self.cards.most

    @property
    def all_picked_cards(self) -> list[tuple[str, dict[str, Any]]]:
        """Returns all picked cards: those on the reader, then those touched or typed."""
        return [*self.cards_on_reader, *self.picked]

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view; rebuilds the list if other cards can be picked now, as after moves by hand.

        Picks that are still possible stay.
        """
        super().show_newer_view(view)
        names = [offer.name for offer in list_card_choices(self.cards, view, self.app.lang)]
        if names != list(self.keys):
            picked = [(name, item) for name, item in self.picked if name in (*names, "")]
            tags, waiting = (
                [item["tag"] for _, item in self.cards_on_reader],
                self.use_cards_key.waiting_count,
            )
            self.clear_widgets()
            self.build_widgets()
            self.picked = picked
            self.show_tags_on_reader(tags, waiting)
        else:
            self.update_texts()

    def show_tags_on_reader(self, accepted_tags: Sequence[str], waiting_count: int) -> None:
        """Picks the accepted cards on the reader, and shows a key in front if more cards wait there."""
        self.cards_on_reader = [(self._named(tag), {"tag": tag}) for tag in accepted_tags]
        was_waiting = self.use_cards_key.waiting_count
        self.use_cards_key.show_waiting_count(waiting_count)
        if bool(waiting_count) != bool(was_waiting):
            self.pager.items = self._things()
            self._renew_foot()
        self.update_texts()

    def _named(self, tag: str) -> str:
        """Returns the name of the key of a tag's card; all copies of a card share one key."""
        card = self.cards.parse_card_item({"tag": tag})
        return next((name for name in (card.id, card.design) if name in self.keys), "") or ""

    def _make_foot(self) -> GridLayout:  # noqa: PLR0915 - a line or two for each of its keys
        sizes = theme.length
        row = GridLayout(rows=1, size_hint_y=None, height=sizes.target, spacing=sizes.gap / 2)
        self.decline_key = Key(
            name="cant", has_narrow_margins=True, size_hint_x=1.4, disabled=not self.form.may_decline
        )
        self.decline_key.size_hint_min_x = sizes.target
        self.decline_key.bind(on_release=lambda _: self.dispatch("on_answer", None))
        self.type_key = Key(name="describe", icon="pen", size_hint_min_x=sizes.target)
        self.type_key.bind(on_release=lambda _: self._describe())
        self.back = Key(icon="delete", name="take back", size_hint_x=None, width=sizes.target)
        self.back.bind(on_release=lambda _: self._take_back())
        self.done_key = Key(look="brass", name="lay", icon="tick", size_hint_min_x=sizes.target)
        self.done_key.bind(
            on_release=lambda _: self.dispatch("on_answer", [item for _, item in self.all_picked_cards])
        )
        wider = Key(icon="up", name="all cards", size_hint_x=None, width=sizes.target)
        wider.bind(on_release=lambda _: self._narrow(self.filter_path[:-1]))
        keys: list[Widget] = [wider] if self.filter_path else []
        keys += [self.decline_key] if self.form.decline else []
        keys += [self.pager.back_key, self.pager.next_key] if self.pager.page_count > 1 else []
        keys += [self.type_key] if self.cards.deck.fields else []
        keys += [] if self.is_single_card_answer else [self.back, self.done_key]
        for key in (self.pager.back_key, self.pager.next_key):
            key.look, key.width = "paper", sizes.target
        self.is_crowded = self._foot_key_count(paged=self.pager.page_count > 1) > MAX_FOOT_KEYS_WITH_TEXT
        if self.is_crowded:
            self.type_key.size_hint_x, self.type_key.width = None, sizes.target
            self.done_key.icon = ""
        for key in keys or [Widget()]:
            row.add_widget(key)
        row.height = sizes.target if keys else 0
        self._name_foot()
        return row

    def _name_foot(self) -> None:
        """Updates the texts of the keys at the foot; each key is wide enough for its text in two lines."""
        tr = self.app.tr
        self.decline_key.text = self.decline_label
        self.type_key.text = "" if self.is_crowded else tr("Type it")
        self.done_key.text = tr("Done: {n}", n=len(self.all_picked_cards))
        for key in (self.decline_key, self.type_key, self.done_key):
            key.size_hint_min_x = key.min_width_in_two_lines()

    def update_texts(self) -> None:
        """Updates the names of the cards, the picks, and the texts of the keys."""
        lang = self.app.lang
        self.offers = list_card_choices(self.cards, self.view, lang)
        for offer in self.offers:
            key = self.keys[offer.name]
            key.lang = lang
            key.text, key.style, key.lines = offer.title, "body" if "\n" in offer.title else "key", 3
            key.chosen = any(name == offer.name for name, _ in self.all_picked_cards)
        self.use_cards_key.update_texts()
        self._name_foot()
        most = self.cards.most
        self.decline_key.disabled = not self.form.may_decline
        self.done_key.disabled = len(self.all_picked_cards) < self.cards.least
        self.done_key.disabled |= most is not None and len(self.all_picked_cards) > most
        self.back.disabled = not self.picked

    def _key(self, offer: CardChoice) -> Key:
        face = face_of_card(self.view.face_layouts, offer.card)
        key = CardKey(name=f"card {offer.name}", has_narrow_margins=True, card=face, lang=self.app.lang)
        key.bind(on_release=lambda _: self._pick(offer))
        return key

    def _list(self, *_: object) -> None:
        self.open_form = None
        self.clear_widgets()
        self.add_widget(self.pager)
        self.add_widget(self._foot)
        self._ask_for_room()

    def _pick(self, offer: CardChoice) -> None:
        """Picks a card; a second touch unpicks a card with only one copy."""
        pick = (offer.name, offer.item)
        if offer.copies == 1 and any(name == offer.name for name, _ in self.cards_on_reader):
            return
        if offer.copies == 1 and pick in self.picked:
            self.picked.remove(pick)
            self.update_texts()
        else:
            self._add(*pick)

    def _add(self, name: str, item: dict[str, Any]) -> None:
        if self.is_single_card_answer:
            self.dispatch("on_answer", [item])
            return
        self.picked.append((name, item))
        self.update_texts()

    def _take_back(self) -> None:
        self.picked.pop()
        self.update_texts()

    def _describe(self) -> None:
        """Shows the form for typing a card in place of the list, until people finish or cancel it."""
        deck, shows = self.cards.deck, self.cards.required_values
        self._forms = [CardValuesForm(deck, shows)]
        self._forms[:0] = [CardDigitsForm(deck, shows)] if has_only_few_small_numbers(deck, shows) else []
        for form in self._forms:
            form.bind(on_described=lambda _, values: self._described(values))
            form.bind(on_cancel=lambda _: self._cancel())
        self._show_form(self._forms[0])
        self._ask_for_room()

    def _show_form(self, form: CardValuesForm | CardDigitsForm) -> None:
        """Shows this form alone."""
        self.open_form = form
        if self.children != [form]:
            self.clear_widgets()
            self.add_widget(form)

    def _ask_for_room(self) -> None:
        """Makes the layout ask for the height again: the new content may need more than the old."""
        self.property("height").dispatch(self)

    def _cancel(self) -> None:
        if self.offers:
            self._list()
        else:
            self._describe()

    def _described(self, values: dict[str, Any]) -> None:
        self._cancel()
        self._add("", {"values": values})
