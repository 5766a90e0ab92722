"""Forms in which people describe a card by its printed values.

The general form has a dial for each field. The form for cards with only a few small numbers has a row of
digits for each number.
"""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.cards import CardField, CardValues, Deck
from companion.cards.deck import field_label, word_label
from companion.half_numbers import JsonNumber, WholeOrHalf, number_from_float, number_to_json
from companion.texts import render
from ui import theme
from ui.events import EventMixin
from ui.host import get_companion_app
from ui.questions.question import needs_single_column
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.key import Key, SingleChoiceRow, min_key_width_in_two_lines
from ui.widgets.keys.number_pad import NumberPad
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import TypableStepper, min_dial_label_width

WORD_KEY_COLUMNS_AND_ROWS = (3, 4)
"""The columns and rows of the keys for choosing a word."""
CANCEL_TO_DONE_WIDTH_RATIO = 0.7
"""The width of the cancel key relative to the done key beside it."""


class CardValuesForm(EventMixin, BoxLayout):
    """A form with a dial for each printed field of a card, to enter its values.

    The `known_values` have no dials. The fields may depend on chosen values. The form starts with `values`.
    `done_text` is the text of the brass key, if not "Take this card". Fields without room are on further
    pages.
    """

    __events__ = (
        "on_described",  # values: the card is described, with everything but `shows`
        "on_cancel",  # people cancelled the form
        "on_value_changed",  # field: people have changed its value
    )

    def __init__(
        self,
        deck: Deck,
        known_values: CardValues,
        values: CardValues | None = None,
        *,
        done_text: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(orientation="vertical", spacing=theme.length.gap / 4, **kwargs)
        self.deck, self.known_values = deck, dict(known_values)
        self.values: dict[str, Any] = dict(values or {})
        self.app = get_companion_app()
        self.done_text = done_text or self.app.tr("Take this card")
        self._min_compact_height = 0.0
        self._build_dials()
        self.fbind("size", self._fit)

    def _build_dials(self) -> None:
        """Builds a dial for each field, and the keys below."""
        sizes = theme.length
        self.clear_widgets()
        self._add_first_values()
        fields = self.deck.fields_for(self.known_values | self.values)
        self.dials = {
            name: self._build_dial(name, field)
            for name, field in fields.items()
            if name not in self.known_values
        }
        self.pager = Pager(cols=2, between=(sizes.gap / 2, sizes.gap / 4), has_external_keys=True)
        self.foot = BoxLayout(orientation="vertical", size_hint_y=None, spacing=sizes.gap / 4)
        self.add_widget(self.pager)
        self.add_widget(self.foot)
        self._fit()
        self.pager.items = list(self.dials.values())

    def _arrange_keys(self) -> None:
        """Builds the cancel and done keys, with the page keys between or above them if there are pages."""
        tr = self.app.tr
        cancel = Key(
            text=tr("Cancel"),
            name="cancel",
            size_hint_x=CANCEL_TO_DONE_WIDTH_RATIO,
            has_narrow_margins=True,
        )
        cancel.bind(on_release=lambda _: self.dispatch("on_cancel"))
        done = Key(text=self.done_text, name="described", look="brass")
        done.bind(on_release=lambda _: self.dispatch("on_described", dict(self.values)))
        for key in (cancel, done):
            key.size_hint_min_x = key.min_width_in_two_lines()
        page_keys = (self.pager.back_key, self.pager.next_key) if self._row_count > self.pager.rows else ()
        for key in page_keys:
            key.look, key.width, key.size_hint_x = "paper", theme.length.target, None
        is_folded = self._needs_row_for_page_keys(self.width, has_pages=bool(page_keys))
        if is_folded:
            for key in page_keys:
                key.size_hint_x = 1
        self.foot.clear_widgets()
        for keys in (page_keys, (cancel, done)) if is_folded else ((cancel, *page_keys, done),):
            row = BoxLayout(spacing=theme.length.gap)
            for key in keys:
                if key.parent is not None:
                    key.parent.remove_widget(key)
                row.add_widget(key)
            self.foot.add_widget(row)
        self.foot.height = (1 + is_folded) * (theme.length.target + self.spacing) - self.spacing

    @property
    def _row_count(self) -> int:
        """Returns the number of rows of all dials."""
        return max(1, ceil(len(self.dials) / int(self.pager.cols)))

    def min_height_at(self, width: float) -> float:
        """Returns the minimum height at this width without pages.

        A row has one dial or two.
        """
        rows = ceil(len(self.dials) / self._column_count(width))
        self._min_compact_height = self._height_of_rows(
            1 + self._needs_row_for_page_keys(width, has_pages=rows > 1)
        )
        return self._height_of_rows(rows)

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with pages: one row of dials, and the keys."""
        return self._min_compact_height

    def _needs_row_for_page_keys(self, width: float, *, has_pages: bool) -> bool:
        """Returns whether the page keys need a row of their own, so that the other keys' texts fit."""
        page_keys_width = 2 * (theme.length.target + theme.length.gap)
        return has_pages and self._min_keys_width + page_keys_width > width

    @property
    def _min_keys_width(self) -> float:
        """Returns the minimum width of the cancel and done keys side by side."""
        cancel = min_key_width_in_two_lines(self.app.tr("Cancel"), has_narrow_margins=True)
        return cancel + theme.length.gap + min_key_width_in_two_lines(self.done_text)

    @property
    def min_width(self) -> float:
        """Returns the minimum width for a dial, and for the cancel and done keys side by side."""
        return max(self._min_dial_width, self._min_keys_width)

    @property
    def _min_dial_width(self) -> float:
        """Returns the minimum width of a dial, whose keys leave room for each label in two lines."""
        labels = [dial.text for dial in self.dials.values()]
        max_word_width = max(
            (
                measure_text_width(word, theme.length.smallest, bold=False)
                for label in labels
                for word in label.split()
            ),
            default=0.0,
        )
        return max(max_word_width, min_dial_label_width(labels)) + 2 * theme.length.target

    def _column_count(self, width: float) -> int:
        half_width = (width - theme.length.gap / 2) / 2
        return 1 if needs_single_column(width) or half_width < self._min_dial_width else 2

    def _height_of_rows(self, rows: int) -> float:
        return float((max(1, rows) + 1) * (theme.length.target + self.spacing))

    def _fit(self, *_: object) -> None:
        self.pager.cols = 2 if self.parent is None else self._column_count(self.width)
        rows = int((self.height + 1 - theme.length.target) // (theme.length.target + self.spacing))
        rows -= self._needs_row_for_page_keys(self.width, has_pages=rows < self._row_count)
        self.pager.rows = max(1, min(self._row_count, rows)) if self.parent is not None else self._row_count
        self._arrange_keys()

    def _add_first_values(self) -> None:
        """Adds a first value for each field without a value.

        A value may add further fields, so the loop ends only when nothing changes.
        A first value is the default, the number nearest to 0, or the first choice.
        """
        previous_values: dict[str, Any] | None = None
        while previous_values != self.values:
            previous_values = dict(self.values)
            fields = self.deck.fields_for(self.known_values | previous_values)
            self.values = {
                name: previous_values.get(name, _first_value(field))
                for name, field in fields.items()
                if name not in self.known_values
            }

    def _build_dial(self, name: str, field: CardField) -> TypableStepper:
        lang = self.app.lang
        dial = TypableStepper(name=name)
        dial.text = render(field_label(name), lang)
        if field.choices:
            dial.most = len(field.choices) - 1
            dial.words_by_count = [render(word_label(choice), lang) for choice in field.choices]
            dial.count = field.choices.index(self.values[name])
        else:
            dial.least, dial.most, dial.step_size = field.least, field.most, number_from_float(field.step)
            dial.count = number_from_float(self.values[name])
        dial.fbind("count", lambda _, count: self._change_value(name, field, number_to_json(count)))
        dial.bind(on_type_request=lambda _: self._open_entry(dial))
        return dial

    def _change_value(self, name: str, field: CardField, count: JsonNumber) -> None:
        if not field.choices:
            self.values[name] = count
            self._push_bounded_numbers(name, field)
        else:
            self.values[name] = field.choices[int(count)]
            if name in self.deck.deciding_fields:
                self._build_dials()
        self.dispatch("on_value_changed", name)

    def _push_bounded_numbers(self, name: str, field: CardField) -> None:
        """Moves other numbers with a changed one: raises its upper bound, lowers numbers that it bounds."""
        count = self.values[name]
        if upper_dial := self.dials.get(field.under):
            upper_dial.count = max(upper_dial.count, count)
        for other_name, dial in self.dials.items():
            if self.deck.fields[other_name].under == name:
                dial.count = min(dial.count, count)

    def _open_entry(self, dial: TypableStepper) -> None:
        self.clear_widgets()
        self.add_widget(self._make_word_keys(dial) if dial.words_by_count else self._make_number_pad(dial))

    def _make_number_pad(self, dial: TypableStepper) -> NumberPad:
        pad = NumberPad(least=dial.least, most=dial.most, step=dial.step_size, limits_text=dial.text)
        pad.confirm_text = self.app.tr("Take {amount}", amount="{amount}")
        pad.decline_text, pad.decline_key.lines = self.app.tr("Cancel"), 1
        pad.prefill_amount(dial.count)
        pad.bind(
            on_confirm=lambda _, amount: self._enter(dial, amount), on_decline=lambda _: self._return_to(dial)
        )
        return pad

    def _make_word_keys(self, dial: TypableStepper) -> Pager:
        """Returns a pager with a key for each word."""
        cols, rows = WORD_KEY_COLUMNS_AND_ROWS
        keys = [
            Key(text=word, chosen=index == dial.count, has_narrow_margins=True)
            for index, word in enumerate(dial.words_by_count)
        ]
        for index, key in enumerate(keys):
            key.bind(on_release=lambda _, index=index: self._enter(dial, index))
        return Pager(items=keys, cols=cols, rows=min(rows, ceil(len(keys) / cols)))

    def _enter(self, dial: TypableStepper, amount: WholeOrHalf) -> None:
        dial.count = amount
        self._return_to(dial)

    def _return_to(self, dial: TypableStepper) -> None:
        """Shows all fields again, at the page of this dial."""
        page = int(self.pager.page)
        self._build_dials()
        self.pager.page = page
        self.dispatch("on_value_changed", dial.number.name.partition(" ")[2])


def _first_value(field: CardField) -> Any:
    """Returns the default, else the first choice or the number nearest to 0."""
    if field.default is not None:
        return field.default
    return field.choices[0] if field.choices else min(max(field.least, 0), field.most)


# The form for a few small numbers


MAX_DIGIT_ROWS, MAX_DIGITS_IN_A_ROW = 5, 6
"""The most rows, and the most numbers in a row, that people can read at a glance."""


def can_use_digits_form(deck: Deck, known_values: CardValues) -> bool:
    """Returns whether the fields besides `known_values` are few, and all are numbers with few values."""
    fields = [field for name, field in deck.fields_for(known_values).items() if name not in known_values]
    return 0 < len(fields) <= MAX_DIGIT_ROWS and all(
        not field.choices
        and isinstance(field.step, int)
        and (field.most - field.least) // field.step < MAX_DIGITS_IN_A_ROW
        for field in fields
    )


class CardDigitsForm(EventMixin, BoxLayout):
    """A form with a row of digit keys for each printed number of a card.

    No number is chosen at the start. Choosing the last missing number completes the description.
    """

    __events__ = (
        "on_described",  # values: the card is described, with everything but `shows`
        "on_cancel",  # people cancelled the form
    )

    def __init__(self, deck: Deck, known_values: CardValues, **kwargs: Any) -> None:
        sizes, app = theme.length, get_companion_app()
        super().__init__(orientation="vertical", spacing=sizes.gap / 4, **kwargs)
        self.values: dict[str, int] = {}
        self.rows: dict[str, SingleChoiceRow] = {}
        self._labels_width = 0.0
        for name, field in deck.fields_for(known_values).items():
            if name not in known_values:
                numbers = range(field.least, field.most + 1, int(field.step))
                choices = [(number, str(number)) for number in numbers]
                choice_row = SingleChoiceRow(name=name, choices=choices, style="digit", size_hint_x=3.4)
                choice_row.size_hint_min_x = len(choices) * (sizes.target + choice_row.spacing)
                self.rows[name] = choice_row
                choice_row.bind(chosen=partial(self._choose, name))
                row = BoxLayout(spacing=sizes.gap)
                text = render(field_label(name), app.lang)
                self._labels_width = max(self._labels_width, measure_text_width(text, sizes.smallest))
                row.add_widget(FittedLabel(text=text, style="key", is_on_felt=True, halign="right", lines=2))
                row.add_widget(choice_row)
                self.add_widget(row)
        cancel = Key(text=app.tr("Cancel"), name="cancel", lines=1)
        cancel.size_hint_y, cancel.height = None, sizes.target
        cancel.bind(on_release=lambda _: self.dispatch("on_cancel"))
        self.add_widget(cancel)
        self.fbind("height", self._fit)

    def _fit(self, *_: object) -> None:
        """Spaces the rows as far apart as fits, up to the usual gap."""
        gap = (self.height - self.min_compact_height) / len(self.rows)
        self.spacing = min(theme.length.gap / 4, max(0.0, gap))

    def min_height_at(self, _width: float) -> float:
        """Returns the minimum height: a row for each number, and the cancel key."""
        return self.min_compact_height + len(self.rows) * theme.length.gap / 4

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height without gaps between the rows; no row can be left out."""
        return float((len(self.rows) + 1) * theme.length.target)

    @property
    def min_width(self) -> float:
        """Returns the minimum width: a label, and a target for each digit of the longest row."""
        digits_width = max(choice_row.size_hint_min_x for choice_row in self.rows.values())
        return float(digits_width + self._labels_width + theme.length.gap)

    def _choose(self, name: str, _row: SingleChoiceRow, number: int) -> None:
        self.values[name] = number
        if len(self.values) == len(self.rows):
            self.dispatch("on_described", dict(self.values))
