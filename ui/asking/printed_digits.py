"""A card typed by its small numbers: a row for each field, a touch for each number, and it is described."""

from __future__ import annotations

from functools import partial
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.cards import Deck, Values
from companion.cards.deck import field_word
from companion.words import render
from ui import theme
from ui.events import Tells
from ui.host import running
from ui.widgets.drawing.inscribed import across
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.chips import Chips
from ui.widgets.keys.key import Key

FIELDS, NUMBERS = 5, 6
"""Most rows, and most numbers in a row, that can be read at a glance."""


def is_small(deck: Deck, shows: Values) -> bool:
    """Whether everything such a card says beside `shows` is a few numbers, each one of a few."""
    fields = [field for name, field in deck.fields_of(shows) if name not in shows]
    return 0 < len(fields) <= FIELDS and all(
        not field.choices and (field.most - field.least) // field.step < NUMBERS for field in fields
    )


class PrintedDigits(Tells, BoxLayout):
    """The last number that is missing describes the card; none is chosen before people choose it."""

    __events__ = (
        "on_described",  # values: the card is described, with everything but `shows`
        "on_cancel",  # nothing was described
    )

    def __init__(self, deck: Deck, shows: Values, **kwargs: Any) -> None:
        sizes, app = theme.length, running()
        super().__init__(orientation="vertical", spacing=sizes.gap / 4, **kwargs)
        self.values: dict[str, int] = {}
        self.rows: dict[str, Chips] = {}
        self._words = 0.0
        for name, field in deck.fields_of(shows):
            if name not in shows:
                numbers = range(field.least, field.most + 1, field.step)
                choices = [(number, str(number)) for number in numbers]
                chips = Chips(name=name, choices=choices, style="digit", size_hint_x=3.4)
                chips.size_hint_min_x = len(choices) * (sizes.target + chips.spacing)
                self.rows[name] = chips
                chips.bind(chosen=partial(self._choose, name))
                row = BoxLayout(spacing=sizes.gap)
                text = render(field_word(name), app.lang)
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
