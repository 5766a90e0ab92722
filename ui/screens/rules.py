"""Second page of set-up: the options of the game, with their defaults and a sentence each."""

from __future__ import annotations

from typing import Any

from kivy.properties import ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.evening.boxes import NumberOption, Option, Timed, WordOption
from ui.events import Tells
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.keys.chips import Chips
from ui.widgets.keys.key import Key


class Rule(Sheet):
    """One option on its slip of paper."""

    title = StringProperty("")
    sentence = StringProperty("")

    def __init__(self, option: Option, control: Widget, **kwargs: Any) -> None:
        super().__init__(orientation="horizontal", **kwargs)
        self.title, self.sentence = option.title, option.sentence
        self.ids.control.add_widget(control)


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
        self.bind(options=self._lay, values=self._lay)
        self._lay()

    def _lay(self, *_: object) -> None:
        self.ids.options.things = [Rule(option, self._control(option)) for option in self.options]

    def _control(self, option: Option) -> Widget:
        value = self.values[option.key]
        if isinstance(option, NumberOption):
            shown = str(option.none if value is None else value)
            key = Key(text=shown, style="digit" if value is not None else "key", name=option.key)
            key.bind(on_release=lambda _: self.dispatch("on_number", option))
            return key
        if isinstance(option, WordOption):
            key = Key(text=str(value) or "–", name=option.key)
            key.bind(on_release=lambda _: self.dispatch("on_word", option))
            return key
        if isinstance(option, Timed) or option.is_listed:
            key = Key(text=option.called(value), name=option.key, lines=2)
            key.bind(on_release=lambda _: self.dispatch("on_list", option))
            return key
        chips = Chips(choices=option.choices, chosen=value, spacing=theme.length.gap / 2)
        chips.bind(chosen=lambda _, chosen: self.dispatch("on_value", option.key, chosen))
        return chips
