"""Describes a card by what is printed on it.

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
from ui.host import running_app
from ui.questions.question import is_narrow
from ui.widgets.drawing.line_breaking import lines_in
from ui.widgets.drawing.text import Writing, across
from ui.widgets.keys.key import Chips, Key, across_key
from ui.widgets.keys.number_pad import Pad
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import Dial

WORDS = (3, 4)
"""Columns and rows of words to choose from."""
CANCEL = 0.7
"""How wide the key that gives up is beside the brass one."""
DONE_LINES = 2
"""Lines of words on a key that is a target high."""


class Describing(EventMixin, BoxLayout):
    """The fields of a card that shows `shows`; which there are may follow from what is chosen.

    It begins with `values`; `done` is what its brass key says, if not that this card is taken.
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
        shows: CardValues,
        values: CardValues | None = None,
        *,
        done: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(orientation="vertical", spacing=theme.length.gap / 4, **kwargs)
        self.deck, self.shows = deck, dict(shows)
        self.values: dict[str, Any] = dict(values or {})
        self.app = running_app()
        self.done = done or self.app.tr("Take this card")
        self._compact_height = 0.0
        self._lay()
        self.fbind("size", self._fit)

    def _lay(self, *_: object) -> None:
        """A dial for each field that such a card has, and the keys below."""
        sizes = theme.length
        self.clear_widgets()
        self._complete()
        fields = self.deck.fields_for(self.shows | self.values)
        self.dials = {name: self._dial(name, field) for name, field in fields if name not in self.shows}
        self.pager = Pager(cols=2, between=(sizes.gap / 2, sizes.gap / 4), is_apart=True)
        self.foot = BoxLayout(orientation="vertical", size_hint_y=None, spacing=sizes.gap / 4)
        self.add_widget(self.pager)
        self.add_widget(self.foot)
        self._fit()
        self.pager.things = list(self.dials.values())

    def _lay_keys(self) -> None:
        """The ways out; between them those to other pages, where there are any."""
        tr = self.app.tr
        cancel = Key(text=tr("Cancel"), name="cancel", size_hint_x=CANCEL, lines=1)
        cancel.bind(on_release=lambda _: self.dispatch("on_cancel"))
        done = Key(text=self.done, name="described", look="brass")
        done.bind(on_release=lambda _: self.dispatch("on_described", dict(self.values)))
        turning = (self.pager.back, self.pager.on) if self._rows > self.pager.rows else ()
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
        """Rows of all dials."""
        return max(1, ceil(len(self.dials) / int(self.pager.cols)))

    def min_height(self, width: float) -> float:
        """A row for each pair of dials, or where it is narrow for each, and the keys."""
        rows = ceil(len(self.dials) / self._columns(width))
        self._compact_height = self._high(1 + self._is_folded(width, paged=rows > 1))
        return self._high(rows)

    @property
    def compact_height(self) -> float:
        """A row of dials a page, and the keys."""
        return self._compact_height

    def _is_folded(self, width: float, *, paged: bool) -> bool:
        """Whether the ways to other pages stand above the other keys, whose words have no room else."""
        sizes = theme.length
        room = (width - 2 * (sizes.target + sizes.gap) - sizes.gap) / (1 + CANCEL)
        inner = room - 2 * sizes.gap - sizes.rim
        has_room = across_key(self.app.tr("Cancel")) <= room * CANCEL and across_key(self.done) <= room
        return paged and not (has_room and lines_in(self.done, inner, _small) <= DONE_LINES)

    @property
    def min_width(self) -> float:
        """Room for the longest word between the keys of its dial."""
        words = [word for dial in self.dials.values() for word in dial.text.split()]
        longest = max((across(word, theme.length.smallest, bold=False) for word in words), default=0.0)
        return longest + 2 * theme.length.target

    def _columns(self, width: float) -> int:
        beside = (width - theme.length.gap / 2) / 2
        return 1 if is_narrow(width) or beside < self.min_width else 2

    def _high(self, rows: int) -> float:
        return float((max(1, rows) + 1) * (theme.length.target + self.spacing))

    def _fit(self, *_: object) -> None:
        self.pager.cols = 2 if self.parent is None else self._columns(self.width)
        rows = int((self.height + 1 - theme.length.target) // (theme.length.target + self.spacing))
        rows -= self._is_folded(self.width, paged=rows < self._rows)
        self.pager.rows = max(1, min(self._rows, rows)) if self.parent is not None else self._rows
        self._lay_keys()

    def _complete(self) -> None:
        """Every field has a value until people change it: the usual one, one near 0, the first choice."""
        before: dict[str, Any] | None = None
        while before != self.values:
            before = dict(self.values)
            fields = dict(self.deck.fields_for(self.shows | before))
            self.values = {
                name: before.get(name, _first(field))
                for name, field in fields.items()
                if name not in self.shows
            }

    def _dial(self, name: str, field: CardField) -> Dial:
        said, lang = render, self.app.lang
        dial = Dial(name=name)
        dial.text = said(field_label(name), lang)
        if field.choices:
            dial.most = len(field.choices) - 1
            dial.words = [said(word_label(choice), lang) for choice in field.choices]
            dial.count = field.choices.index(self.values[name])
        else:
            dial.least, dial.most, dial.by = field.least, field.most, field.step
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
        """A number that rises takes along the one it stands under, one that falls those under it."""
        count = self.values[name]
        if above := self.dials.get(field.under):
            above.count = max(above.count, count)
        for other, dial in self.dials.items():
            if self.deck.fields[other].under == name:
                dial.count = min(dial.count, count)

    def _type(self, dial: Dial) -> None:
        self.clear_widgets()
        self.add_widget(self._words_of(dial) if dial.words else self._pad_of(dial))

    def _pad_of(self, dial: Dial) -> Pad:
        pad = Pad(least=dial.least, most=dial.most, step=dial.by, sentence=dial.text)
        pad.yes = self.app.tr("Take {amount}", amount="{amount}")
        pad.way_out, pad.no_key.lines = self.app.tr("Cancel"), 1
        pad.start_at(int(dial.count))
        pad.bind(on_confirm=lambda _, amount: self._typed(dial, amount), on_no=lambda _: self._back_to(dial))
        return pad

    def _words_of(self, dial: Dial) -> Pager:
        """Each word as a key."""
        cols, rows = WORDS
        keys = [Key(text=word, chosen=at == dial.count, is_full=True) for at, word in enumerate(dial.words)]
        for at, key in enumerate(keys):
            key.bind(on_release=lambda _, at=at: self._typed(dial, at))
        return Pager(things=keys, cols=cols, rows=min(rows, ceil(len(keys) / cols)))

    def _typed(self, dial: Dial, amount: int) -> None:
        dial.count = amount
        self._back_to(dial)

    def _back_to(self, dial: Dial) -> None:
        """All fields again, at the page of that one."""
        page = int(self.pager.page)
        self._lay()
        self.pager.page = page
        self.dispatch("on_turned", dial.figure.name.partition(" ")[2])


def _first(field: CardField) -> Any:
    if field.default is not None:
        return field.default
    return field.choices[0] if field.choices else min(max(field.least, 0), field.most)


def _small(text: str) -> float:
    return across(text, theme.length.smallest)


# The form for a few small numbers


FIELDS, NUMBERS = 5, 6
"""Most rows, and most numbers in a row, that can be read at a glance."""


def is_small(deck: Deck, shows: CardValues) -> bool:
    """Whether everything such a card says beside `shows` is a few numbers, each one of a few."""
    fields = [field for name, field in deck.fields_for(shows) if name not in shows]
    return 0 < len(fields) <= FIELDS and all(
        not field.choices and (field.most - field.least) // field.step < NUMBERS for field in fields
    )


class PrintedDigits(EventMixin, BoxLayout):
    """The last number that is missing describes the card; none is chosen before people choose it."""

    __events__ = (
        "on_described",  # values: the card is described, with everything but `shows`
        "on_cancel",  # nothing was described
    )

    def __init__(self, deck: Deck, shows: CardValues, **kwargs: Any) -> None:
        sizes, app = theme.length, running_app()
        super().__init__(orientation="vertical", spacing=sizes.gap / 4, **kwargs)
        self.values: dict[str, int] = {}
        self.rows: dict[str, Chips] = {}
        self._words = 0.0
        for name, field in deck.fields_for(shows):
            if name not in shows:
                numbers = range(field.least, field.most + 1, field.step)
                choices = [(number, str(number)) for number in numbers]
                chips = Chips(name=name, choices=choices, style="digit", size_hint_x=3.4)
                chips.size_hint_min_x = len(choices) * (sizes.target + chips.spacing)
                self.rows[name] = chips
                chips.bind(chosen=partial(self._choose, name))
                row = BoxLayout(spacing=sizes.gap)
                text = render(field_label(name), app.lang)
                self._words = max(self._words, across(text, sizes.smallest))
                row.add_widget(Writing(text=text, style="key", felt=True, halign="right", lines=2))
                row.add_widget(chips)
                self.add_widget(row)
        cancel = Key(text=app.tr("Cancel"), name="cancel", lines=1)
        cancel.size_hint_y, cancel.height = None, sizes.target
        cancel.bind(on_release=lambda _: self.dispatch("on_cancel"))
        self.add_widget(cancel)
        self.fbind("height", self._fit)

    def _fit(self, *_: object) -> None:
        """Rows lie as far apart as there is room for."""
        between = (self.height - self.compact_height) / len(self.rows)
        self.spacing = min(theme.length.gap / 4, max(0.0, between))

    def min_height(self, _width: float) -> float:
        """A row for each number, and the way out."""
        return self.compact_height + len(self.rows) * theme.length.gap / 4

    @property
    def compact_height(self) -> float:
        """None is left out, but nothing lies between them."""
        return float((len(self.rows) + 1) * theme.length.target)

    @property
    def min_width(self) -> float:
        """A target for each number, and its word."""
        numbers = max(chips.size_hint_min_x for chips in self.rows.values())
        return float(numbers + self._words + theme.length.gap)

    def _choose(self, name: str, _chips: Chips, number: int) -> None:
        self.values[name] = number
        if len(self.values) == len(self.rows):
            self.dispatch("on_described", dict(self.values))
