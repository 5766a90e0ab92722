"""Second page of set-up: the options of the game, with their defaults and a sentence each."""

from __future__ import annotations

from math import ceil
from typing import Any

from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.evening.boxes import NumberOption, Option, Timed, WordOption
from ui.events import Tells, heed
from ui.host import running
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.inscribed import across
from ui.widgets.keys.chips import Chips
from ui.widgets.keys.key import Key, across_key
from ui.widgets.keys.pager import Pager

CONTROL = 0.45
"""The share of a slip's width that its keys have."""
LINES = 3
"""Lines of a sentence at most."""
MOST_ROWS = 5


class Rule(Sheet):
    """One option on its slip of paper."""

    title = StringProperty("")
    sentence = StringProperty("")
    is_stacked = BooleanProperty(defaultvalue=False)
    """Whether its keys stand below its words, because they have no room beside them."""

    def __init__(self, option: Option, control: Widget, **kwargs: Any) -> None:
        around = (theme.length.space, theme.length.gap / 2)
        super().__init__(orientation="horizontal", padding=around, **kwargs)
        self.title, self.sentence = option.title, option.sentence
        self._words = [text for _, text in control.choices] if isinstance(control, Chips) else []
        self.ids.control.add_widget(control)
        self.bind(width=lambda _, width: setattr(self, "is_stacked", self._is_tight(width)))

    def high(self, width: float) -> float:
        """How high it must be where it is so wide: its title and sentence, or its keys."""
        sizes = theme.length
        stacked = self._is_tight(width)
        room = width - 2 * sizes.space if stacked else width * (1 - CONTROL) - 3 * sizes.space
        lines = min(LINES, ceil(1.08 * across(self.sentence, sizes.smallest, bold=False) / max(1.0, room)))
        words = sizes.key * 1.1 + lines * sizes.smallest * 1.3
        if stacked:
            return words + sizes.row + 2 * sizes.gap
        return max(words, float(sizes.row)) + sizes.gap

    def _is_tight(self, width: float) -> bool:
        """Whether a word on a key would be broken beside the others."""
        share = (width * CONTROL - 2 * theme.length.space) / max(1, len(self._words))
        return any(across_key(text) + theme.length.gap / 2 > share for text in self._words)


class Rules(Tells, BoxLayout):
    """`options` and the `values` now chosen, by the option's key."""

    options = ListProperty()
    values = ObjectProperty()
    __events__ = (
        "on_value",  # key, value: another value was chosen
        "on_number",  # option: a number is to be typed
        "on_word",  # option: a word is to be typed
        "on_list",  # option: a value is to be chosen from a list
        "on_done",  # the rules are as the table wants them
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.app = running()
        self.begin = Key(look="brass", name="begin", on_release=lambda _: self.dispatch("on_done"))
        self.pager = Pager(corner=self.begin)
        self.add_widget(self.pager)
        heed(self.app, "lang", self._speak)
        self.bind(options=self._lay, values=self._lay, size=self._fit)
        self._speak()
        self._lay()

    def _speak(self, *_: object) -> None:
        self.begin.text = self.app.tr("Begin")

    def _lay(self, *_: object) -> None:
        self.pager.things = [Rule(option, self._control(option)) for option in self.options]
        self._fit()

    def _fit(self, *_: object) -> None:
        """As many a page as have room."""
        gap = theme.length.gap
        least = max((rule.high(self.width) for rule in self.pager.things), default=1.0)
        room = self.height - theme.length.target - gap
        self.pager.rows = max(1, min(MOST_ROWS, int((room + gap) / (least + gap))))

    def _control(self, option: Option) -> Widget:
        value = self.values[option.key]
        if isinstance(option, NumberOption):
            shown = str(option.none if value is None else value)
            key = Key(text=shown, style="digit" if value is not None else "key", name=option.key)
            key.bind(on_release=lambda _: self.dispatch("on_number", option))
            return key
        if isinstance(option, WordOption):
            key = Key(text=str(value) or self.app.tr("None"), name=option.key)
            key.bind(on_release=lambda _: self.dispatch("on_word", option))
            return key
        if isinstance(option, Timed) or option.is_listed:
            key = Key(text=option.called(value), name=option.key, lines=2)
            key.bind(on_release=lambda _: self.dispatch("on_list", option))
            return key
        chips = Chips(choices=option.choices, chosen=value, spacing=theme.length.gap / 2)
        chips.bind(chosen=lambda _, chosen: self.dispatch("on_value", option.key, chosen))
        return chips
