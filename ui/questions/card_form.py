"""Forms in which people describe a card by its printed values.

The general form has a stepper for each field. Cards with only a few small numbers
have a row of digits for each.
"""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.cards import CardField, CardValues, Deck
from companion.cards.deck import field_label, word_label
from companion.texts import render
from ui import theme
from ui.events import EventMixin
from ui.host import get_companion_app
from ui.questions.question import needs_single_column
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.key import Key, SingleChoiceRow, min_key_width_in_two_lines
from ui.widgets.keys.number_pad import NumberPad
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import Dial

WORD_KEY_COLUMNS_AND_ROWS = (3, 4)
"""The columns and rows of the keys for choosing a word."""
CANCEL_TO_DONE_WIDTH_RATIO = 0.7
"""The width of the cancel key relative to the done key beside it."""


class CardValuesForm(EventMixin, BoxLayout):
    """A form with a dial for each printed field of a card, to enter its values.

    There is no dial for the `known_values`. Which fields there are may depend on chosen values.
    The form starts with `values`. `done_text` is the text of the brass key, if not "Take this card".
    Fields that have no room are on further pages.
    """

    __events__ = (
        "on_described",  # values: the card is described, with everything but `shows`
        "on_cancel",  # nothing was described
        "on_turned",  # field: it has another value
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
        self._lay()
        self.fbind("size", self._fit)

    def _lay(self, *_: object) -> None:
        """Builds a dial for each field of such a card, and the keys below."""
        sizes = theme.length
        self.clear_widgets()
        self._complete()
        fields = self.deck.fields_for(self.known_values | self.values)
        self.dials = {
            name: self._dial(name, field) for name, field in fields if name not in self.known_values
        }
        self.pager = Pager(cols=2, between=(sizes.gap / 2, sizes.gap / 4), is_apart=True)
        self.foot = BoxLayout(orientation="vertical", size_hint_y=None, spacing=sizes.gap / 4)
        self.add_widget(self.pager)
        self.add_widget(self.foot)
        self._fit()
        self.pager.items = list(self.dials.values())

    def _lay_keys(self) -> None:
        """Builds the cancel and done keys; the page keys are between them, if there are pages."""
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
        turning = (self.pager.back_key, self.pager.next_key) if self._rows > self.pager.rows else ()
        for key in turning:
            key.look, key.width, key.size_hint_x = "paper", theme.length.target, None
        folded = self._is_folded(self.width, paged=bool(turning))
        if folded:
            for key in turning:
                key.size_hint_x = 1
        self.foot.clear_widgets()
        for keys in (turning, (cancel, done)) if folded else ((cancel, *turning, done),):
            row = BoxLayout(spacing=theme.length.gap)
            for key in keys:
                if key.parent is not None:
                    key.parent.remove_widget(key)
                row.add_widget(key)
            self.foot.add_widget(row)
        self.foot.height = (1 + folded) * (theme.length.target + self.spacing) - self.spacing

    @property
    def _rows(self) -> int:
        """Returns the number of rows of all dials."""
        return max(1, ceil(len(self.dials) / int(self.pager.cols)))

    def min_height(self, width: float) -> float:
        """Returns the minimum height at this width: the rows of dials (one or two per row), and the keys."""
        rows = ceil(len(self.dials) / self._columns(width))
        self._min_compact_height = self._high(1 + self._is_folded(width, paged=rows > 1))
        return self._high(rows)

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with pages: one row of dials, and the keys."""
        return self._min_compact_height

    def _is_folded(self, width: float, *, paged: bool) -> bool:
        """Returns whether the page keys need a row of their own, to leave room for the other keys' texts."""
        turning = 2 * (theme.length.target + theme.length.gap)
        return paged and self._min_keys_width + turning > width

    @property
    def _min_keys_width(self) -> float:
        """Returns the minimum width of the cancel and done keys side by side."""
        cancel = min_key_width_in_two_lines(self.app.tr("Cancel"), has_narrow_margins=True)
        return cancel + theme.length.gap + min_key_width_in_two_lines(self.done_text)

    @property
    def min_width(self) -> float:
        """Returns the minimum width: each dial has room, and so have the cancel and done keys."""
        return max(self._min_dial_width, self._min_keys_width)

    @property
    def _min_dial_width(self) -> float:
        """Returns the minimum width of a dial: the longest word has room between its keys."""
        words = [word for dial in self.dials.values() for word in dial.text.split()]
        longest = max(
            (measure_text_width(word, theme.length.smallest, bold=False) for word in words), default=0.0
        )
        return longest + 2 * theme.length.target

    def _columns(self, width: float) -> int:
        beside = (width - theme.length.gap / 2) / 2
        return 1 if needs_single_column(width) or beside < self._min_dial_width else 2

    def _high(self, rows: int) -> float:
        return float((max(1, rows) + 1) * (theme.length.target + self.spacing))

    def _fit(self, *_: object) -> None:
        self.pager.cols = 2 if self.parent is None else self._columns(self.width)
        rows = int((self.height + 1 - theme.length.target) // (theme.length.target + self.spacing))
        rows -= self._is_folded(self.width, paged=rows < self._rows)
        self.pager.rows = max(1, min(self._rows, rows)) if self.parent is not None else self._rows
        self._lay_keys()

    def _complete(self) -> None:
        """Gives every field a first value: the default, the number nearest to 0, or the first choice."""
        before: dict[str, Any] | None = None
        while before != self.values:
            before = dict(self.values)
            fields = dict(self.deck.fields_for(self.known_values | before))
            self.values = {
                name: before.get(name, _first(field))
                for name, field in fields.items()
                if name not in self.known_values
            }

    def _dial(self, name: str, field: CardField) -> Dial:
        said, lang = render, self.app.lang
        dial = Dial(name=name)
        dial.text = said(field_label(name), lang)
        if field.choices:
            dial.most = len(field.choices) - 1
            dial.words_by_count = [said(word_label(choice), lang) for choice in field.choices]
            dial.count = field.choices.index(self.values[name])
        else:
            dial.least, dial.most, dial.step_size = field.least, field.most, field.step
            dial.count = self.values[name]
        dial.fbind("count", lambda _, count: self._turn(name, field, int(count)))
        dial.bind(on_type=lambda _: self._type(dial))
        return dial

    def _turn(self, name: str, field: CardField, count: int) -> None:
        if not field.choices:
            self.values[name] = count
            self._push(name, field)
        else:
            self.values[name] = field.choices[count]
            if any(name in other.on for other in self.deck.fields.values()):
                self._lay()
        self.dispatch("on_turned", name)

    def _push(self, name: str, field: CardField) -> None:
        """Changes other numbers with this one: raises its upper bound, lowers those it bounds."""
        count = self.values[name]
        if above := self.dials.get(field.under):
            above.count = max(above.count, count)
        for other, dial in self.dials.items():
            if self.deck.fields[other].under == name:
                dial.count = min(dial.count, count)

    def _type(self, dial: Dial) -> None:
        self.clear_widgets()
        self.add_widget(self._words_of(dial) if dial.words_by_count else self._pad_of(dial))

    def _pad_of(self, dial: Dial) -> NumberPad:
        pad = NumberPad(least=dial.least, most=dial.most, step=dial.step_size, limits_text=dial.text)
        pad.confirm_text = self.app.tr("Take {amount}", amount="{amount}")
        pad.decline_text, pad.decline_key.lines = self.app.tr("Cancel"), 1
        pad.offer_amount(int(dial.count))
        pad.bind(on_confirm=lambda _, amount: self._typed(dial, amount), on_no=lambda _: self._back_to(dial))
        return pad

    def _words_of(self, dial: Dial) -> Pager:
        """Returns a pager with a key for each word."""
        cols, rows = WORD_KEY_COLUMNS_AND_ROWS
        keys = [
            Key(text=word, chosen=at == dial.count, has_narrow_margins=True)
            for at, word in enumerate(dial.words_by_count)
        ]
        for at, key in enumerate(keys):
            key.bind(on_release=lambda _, at=at: self._typed(dial, at))
        return Pager(items=keys, cols=cols, rows=min(rows, ceil(len(keys) / cols)))

    def _typed(self, dial: Dial, amount: int) -> None:
        dial.count = amount
        self._back_to(dial)

    def _back_to(self, dial: Dial) -> None:
        """Shows all fields again, at the page of this dial."""
        page = int(self.pager.page)
        self._lay()
        self.pager.page = page
        self.dispatch("on_turned", dial.number.name.partition(" ")[2])


def _first(field: CardField) -> Any:
    if field.default is not None:
        return field.default
    return field.choices[0] if field.choices else min(max(field.least, 0), field.most)


# The form for a few small numbers


MAX_DIGIT_ROWS, MAX_DIGITS_IN_A_ROW = 5, 6
"""Most rows, and most numbers in a row, that can be read at a glance."""


def has_only_few_small_numbers(deck: Deck, known_values: CardValues) -> bool:
    """Returns whether a card's fields besides `known_values` are only a few numbers with few values each."""
    fields = [field for name, field in deck.fields_for(known_values) if name not in known_values]
    return 0 < len(fields) <= MAX_DIGIT_ROWS and all(
        not field.choices and (field.most - field.least) // field.step < MAX_DIGITS_IN_A_ROW
        for field in fields
    )


class CardDigitsForm(EventMixin, BoxLayout):
    """A form with a row of digit keys for each printed number of a card.

    No number is chosen at the start. Choosing the last missing number completes the description.
    """

    __events__ = (
        "on_described",  # values: the card is described, with everything but `shows`
        "on_cancel",  # nothing was described
    )

    def __init__(self, deck: Deck, known_values: CardValues, **kwargs: Any) -> None:
        sizes, app = theme.length, get_companion_app()
        super().__init__(orientation="vertical", spacing=sizes.gap / 4, **kwargs)
        self.values: dict[str, int] = {}
        self.rows: dict[str, SingleChoiceRow] = {}
        self._words = 0.0
        for name, field in deck.fields_for(known_values):
            if name not in known_values:
                numbers = range(field.least, field.most + 1, field.step)
                choices = [(number, str(number)) for number in numbers]
                chips = SingleChoiceRow(name=name, choices=choices, style="digit", size_hint_x=3.4)
                chips.size_hint_min_x = len(choices) * (sizes.target + chips.spacing)
                self.rows[name] = chips
                chips.bind(chosen=partial(self._choose, name))
                row = BoxLayout(spacing=sizes.gap)
                text = render(field_label(name), app.lang)
                self._words = max(self._words, measure_text_width(text, sizes.smallest))
                row.add_widget(FittedLabel(text=text, style="key", is_on_felt=True, halign="right", lines=2))
                row.add_widget(chips)
                self.add_widget(row)
        cancel = Key(text=app.tr("Cancel"), name="cancel", lines=1)
        cancel.size_hint_y, cancel.height = None, sizes.target
        cancel.bind(on_release=lambda _: self.dispatch("on_cancel"))
        self.add_widget(cancel)
        self.fbind("height", self._fit)

    def _fit(self, *_: object) -> None:
        """Spaces the rows as far apart as there is room for."""
        between = (self.height - self.min_compact_height) / len(self.rows)
        self.spacing = min(theme.length.gap / 4, max(0.0, between))

    def min_height(self, _width: float) -> float:
        """Returns the minimum height: a row for each number, and the cancel key."""
        return self.min_compact_height + len(self.rows) * theme.length.gap / 4

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height without gaps between the rows; no row can be left out."""
        return float((len(self.rows) + 1) * theme.length.target)

    @property
    def min_width(self) -> float:
        """Returns the minimum width: a label, and a target for each digit of the longest row."""
        numbers = max(chips.size_hint_min_x for chips in self.rows.values())
        return float(numbers + self._words + theme.length.gap)

    def _choose(self, name: str, _chips: SingleChoiceRow, number: int) -> None:
        self.values[name] = number
        if len(self.values) == len(self.rows):
            self.dispatch("on_described", dict(self.values))
