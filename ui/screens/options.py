"""What people can choose, each option on a slip of paper: rules of a game before it begins, and settings.

    OptionPages(options, values)

A value is chosen on the slip, or on a list, a number pad or the keyboard that the slip opens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.widget import Widget

from companion.rules.game import Number, Option, Pick, Word
from companion.table.table import Setting
from companion.words import render
from ui import theme
from ui.events import Tells
from ui.host import running
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.inscribed import across
from ui.widgets.keys.chips import Chips
from ui.widgets.keys.key import Key
from ui.widgets.keys.pad import Pad
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Leaf
from ui.widgets.sheets.keyboard import keyboard
from ui.widgets.sheets.overlay import Overlay

Builder.load_file(str(Path(__file__).with_suffix(".kv")))

CONTROL = 0.45
"""The share of a slip's width that its keys have."""
LINES = 3
"""Lines of a sentence at most."""
MOST_ROWS = 5
COLUMNS = 2
"""Of a list to choose from."""
SIDE_BY_SIDE = 2
"""More choices than these are a list."""
LEAF = 3
"""Rows that the title of a leaf, its keys and its edges take."""


class OptionSlip(Sheet):
    """One option on its slip of paper."""

    title = StringProperty("")
    sentence = StringProperty("")
    is_stacked = BooleanProperty(defaultvalue=False)
    """Whether its keys stand below its words, because they have no room beside them."""

    def __init__(self, option: Option, control: Widget, **kwargs: Any) -> None:
        around = (theme.length.space, theme.length.gap / 2)
        super().__init__(orientation="horizontal", padding=around, **kwargs)
        lang = running().lang
        self.title, self.sentence = render(option.label, lang), render(option.hint, lang)
        self._abreast: Sequence[Key] = control.children if isinstance(control, Chips) else ()
        self.ids.control.add_widget(control)

    def high(self, width: float) -> float:
        """How high it must be where it is so wide: its title and sentence, or its keys."""
        sizes = theme.length
        room = width - 2 * sizes.space if self.is_stacked else width * (1 - CONTROL) - 3 * sizes.space
        lines = min(LINES, ceil(1.08 * across(self.sentence, sizes.smallest, bold=False) / max(1.0, room)))
        words = sizes.key * 1.1 + lines * sizes.smallest * 1.3
        if self.is_stacked:
            return words + sizes.row + 2 * sizes.gap
        return max(words, float(sizes.row)) + sizes.gap

    def is_tight(self, width: float) -> bool:
        """Whether the words on a key would be cut or broken, if its keys stood beside the option's words."""
        return not _have_room(self._abreast, width * CONTROL - 2 * theme.length.space)


class OptionPages(Tells, Pager):
    """The slips of `options`, as many on a page as have room, with the `values` now chosen by key.

    `own` names, by the key of the option, what people may make themselves; its list leads there.
    """

    __events__ = (
        "on_value",  # key, value: another value was chosen
        "on_own",  # option: people want to make a choice of their own
    )

    def __init__(
        self,
        options: Sequence[Option],
        values: Mapping[str, Setting],
        own: Mapping[str, str] = {},
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.app, self._own = running(), own
        self.bind(width=lambda *_: self.show(self._options, self._values), height=self._fit)
        self.show(options, values)

    def show(self, options: Sequence[Option], values: Mapping[str, Setting]) -> None:
        """Shows other options, or other values of these."""
        self._options, self._values = options, values
        self.things = [OptionSlip(option, self._control(option)) for option in options]
        self._fit()

    def _fit(self, *_: object) -> None:
        """All slips look alike: where one has no room for its keys beside its words, none has."""
        gap, is_tight = theme.length.gap, any(slip.is_tight(self.width) for slip in self.things)
        for slip in self.things:
            slip.is_stacked = is_tight
        least = max((slip.high(self.width) for slip in self.things), default=1.0)
        room = self.height - theme.length.target - gap
        self.rows = max(1, min(MOST_ROWS, int((room + gap) / (least + gap))))

    def _control(self, option: Option) -> Widget:
        """Returns the keys of a slip: all values, or one that shows the value and asks for another."""
        value = self._values[option.key]
        match option:
            case Number():
                style = "digit" if value is not None else "key"
                text = self.app.tr("None") if value is None else str(value)
                key = Key(text=text, style=style, name=option.key)
                key.bind(on_release=lambda _: self._ask_number(option))
            case Word():
                key = Key(text=str(value) or self.app.tr("None"), name=option.key)
                key.bind(on_release=lambda _: self._ask_word(option))
            case Pick():
                named = self._named(option)
                chips = Chips(choices=[*named.items()], chosen=value, name=option.key)
                is_listed = option.key in self._own or len(named) > SIDE_BY_SIDE
                if not is_listed and _have_room(chips.children, self.width - 2 * theme.length.space):
                    chips.bind(chosen=lambda _, chosen: self.dispatch("on_value", option.key, chosen))
                    return chips
                text = named[value] if value in named else self._own[option.key]
                key = Key(text=text, name=option.key, lines=2)
                key.bind(on_release=lambda _: self._ask_which(option))
            case _:
                raise NotImplementedError(option.key)  # an option without a slip is a fault of ours
        return key

    def _named(self, option: Pick) -> dict[Setting, str]:
        """Returns the choices in the reader's language."""
        return {value: render(label, self.app.lang) for value, label in option.choices.items()}

    def _ask_which(self, option: Pick) -> None:
        """A list, with a way to what people make themselves, if there is one."""
        answers, named = [("no", self.app.tr("Cancel"), "paper")], self._named(option)
        if own := self._own.get(option.key):
            answers.append(("own", own, "paper"))
        keys = [
            Key(text=text, name=f"{option.key} {value}", lines=2, chosen=value == self._values[option.key])
            for value, text in named.items()
        ]
        values = {key.name: value for key, value in zip(keys, named, strict=True)}
        deeds = {"own": lambda: self.dispatch("on_own", option)}
        title = render(option.label, self.app.lang)
        leaf = Leaf(title=title, body=self._paged(keys), answers=answers, deeds=deeds)
        leaf.leave_with(keys, lambda key: self.dispatch("on_value", option.key, values[key.name]))
        self.app.stage.lay(leaf)

    def _paged(self, keys: Sequence[Key]) -> Pager:
        """As many side by side and over each other as there is room for on a leaf with its keys."""
        room = self.app.stage.room[1] - LEAF * theme.length.row
        rows = max(1, int(room // (theme.length.target + theme.length.gap)))
        needed = -(-len(keys) // COLUMNS)
        rows = needed if needed <= rows else max(1, rows - 1)
        return Pager(things=keys, cols=COLUMNS, rows=rows, look="paper")

    def _ask_number(self, option: Number) -> None:
        app, value, may_be_none = self.app, self._values[option.key], option.default is None
        pad = Pad(
            least=option.least,
            most=option.most,
            yes=app.tr("Take {amount}", amount="{amount}"),
            way_out=app.tr("None") if may_be_none else app.tr("Cancel"),
            sentence=app.tr("From {least} to {most}", least=option.least, most=option.most),
            padding=theme.length.margin,
        )
        pad.start_at(value if isinstance(value, int) else None)
        overlay = Overlay(pad)

        def take(value: int | None) -> None:
            overlay.close()
            if value is not None or may_be_none:
                self.dispatch("on_value", option.key, value)

        pad.bind(on_confirm=lambda _, amount: take(amount), on_no=lambda _: take(None))
        app.stage.lay(overlay)

    def _ask_word(self, option: Word) -> None:
        def take(word: str) -> None:
            self.dispatch("on_value", option.key, word)

        title, text = render(option.label, self.app.lang), str(self._values[option.key])
        self.app.stage.lay(keyboard(title, take, most=option.letters, text=text))


def _have_room(keys: Sequence[Key], width: float) -> bool:
    """Whether the texts of these keys are whole where the keys stand side by side in that width."""
    share = width / max(1, len(keys)) - theme.length.gap / 2
    return all(key.across_in_two_lines() <= share for key in keys)
