"""Options on slips of paper: the rules of a game before it begins, and settings.

    OptionsPager(options, values)

A value is chosen on the slip, or on a list, a number pad or the keyboard that the slip opens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.widget import Widget

from companion.rules.game import ChoiceOption, GameOption, NumberOption, TextOption
from companion.table.table import OptionValue
from companion.texts import render
from ui import theme
from ui.events import EventMixin
from ui.host import get_companion_app
from ui.pages import DialogChoice, open_choice_dialog, open_keyboard
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.text import measure_text_width
from ui.widgets.keys.key import Key, SingleChoiceRow
from ui.widgets.keys.number_pad import NumberPad
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.overlays import Overlay

Builder.load_file(str(Path(__file__).with_suffix(".kv")))

SLIP_KEYS_WIDTH_SHARE = 0.45
"""The share of a slip's width for its keys."""
MAX_SENTENCE_LINES = 3
"""The most lines of a sentence on a slip."""
MAX_ROWS = 5
CHOICE_LIST_COLUMNS = 2
"""Columns of a list of choices."""
MAX_CHOICES_WITH_KEYS_ON_SLIP = 2
"""The most choices with keys on the slip; for more, the slip opens a list."""
SHEET_FRAME_ROWS = 3
"""The height of the frame of a sheet, in rows: title, keys and edges."""


class OptionSlip(PaperBoxLayout):
    """A slip with one option; `is_stacked`: the keys are below the words."""

    title = StringProperty("")
    sentence = StringProperty("")
    is_stacked = BooleanProperty(defaultvalue=False)

    def __init__(self, option: GameOption, control: Widget, **kwargs: Any) -> None:
        around = (theme.length.space, theme.length.gap / 2)
        super().__init__(orientation="horizontal", padding=around, **kwargs)
        lang = get_companion_app().lang
        self.title, self.sentence = render(option.label, lang), render(option.hint, lang)
        self.ids.control.add_widget(control)


class OptionsPager(EventMixin, Pager):
    """Pages of options, with a slip of paper for each.

    `values` are the chosen values by key. `own` is, by option, the name of what people can make themselves;
    the option's list leads there.
    """

    __events__ = (
        "on_value",  # key, value: another value was chosen
        "on_own",  # option: people want to make a choice of their own
    )

    def __init__(
        self,
        options: Sequence[GameOption],
        values: Mapping[str, OptionValue],
        own: Mapping[str, str] = {},
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.app, self._own = get_companion_app(), own
        self.bind(size=lambda *_: self.show_options(self._options, self._values))
        self.show_options(options, values)

    def show_options(self, options: Sequence[GameOption], value_by_option: Mapping[str, OptionValue]) -> None:
        """Shows these options with these values.

        Keys are below the words of all slips if a sentence has no room beside them, or if keys have no room
        beside the words, unless fewer slips would fit on a page. In that case the choices are a list.
        """
        self._options, self._values = options, value_by_option
        stacked, beside = self._rows(is_stacked=True), self._rows(is_stacked=False)
        is_cut = any(self._lines(option, is_stacked=False) > MAX_SENTENCE_LINES for option in options)
        is_tight = any(not self._are_abreast(option, is_stacked=False) for option in options)
        is_stacked = is_cut or (is_tight and min(stacked, len(options)) == min(beside, len(options)))
        self.rows = stacked if is_stacked else beside
        self.items = [
            OptionSlip(option, self._control(option, is_stacked=is_stacked), is_stacked=is_stacked)
            for option in options
        ]

    def _rows(self, *, is_stacked: bool) -> int:
        """Returns how many slips have room on a page."""
        sizes, gap = theme.length, theme.length.gap
        least = 1.0
        for option in self._options:
            lines = min(MAX_SENTENCE_LINES, self._lines(option, is_stacked=is_stacked))
            high = sizes.key * 1.1 + lines * sizes.smallest * 1.3
            high = high + sizes.row + 2 * gap if is_stacked else max(high, float(sizes.row)) + gap
            least = max(least, high)
        room = self.height - sizes.target - gap
        return max(1, min(MAX_ROWS, int((room + gap) / (least + gap))))

    def _lines(self, option: GameOption, *, is_stacked: bool) -> int:
        """Returns how many lines the sentence of an option takes."""
        space, width = theme.length.space, self.width
        room = width - 2 * space if is_stacked else width * (1 - SLIP_KEYS_WIDTH_SHARE) - 3 * space
        long: float = 1.08 * measure_text_width(
            render(option.hint, self.app.lang), theme.length.smallest, bold=False
        )
        return ceil(long / float(max(1.0, room)))

    def _is_listed(self, option: ChoiceOption) -> bool:
        """Returns whether the choices of an option are always a list."""
        return option.key in self._own or len(option.choices) > MAX_CHOICES_WITH_KEYS_ON_SLIP

    def _are_abreast(self, option: GameOption, *, is_stacked: bool) -> bool:
        """Returns whether the values of an option fit side by side, if they are shown so at all."""
        if not isinstance(option, ChoiceOption) or self._is_listed(option):
            return True
        room = self.width * (1 if is_stacked else SLIP_KEYS_WIDTH_SHARE) - 2 * theme.length.space
        share = room / len(option.choices) - theme.length.gap / 2
        return all(Key(text=text).min_width_in_two_lines() <= share for text in self._named(option).values())

    def _control(self, option: GameOption, *, is_stacked: bool) -> Widget:
        """Returns the keys of a slip: all values, or one that shows the value and asks for another."""
        value = self._values[option.key]
        match option:
            case NumberOption():
                style = "digit" if value is not None else "key"
                text = self.app.tr("None") if value is None else str(value)
                key = Key(text=text, style=style, name=option.key)
                key.bind(on_release=lambda _: self._ask_number(option))
            case TextOption():
                key = Key(text=str(value) or self.app.tr("None"), name=option.key)
                key.bind(on_release=lambda _: self._ask_word(option))
            case ChoiceOption():
                named = self._named(option)
                if not self._is_listed(option) and self._are_abreast(option, is_stacked=is_stacked):
                    chips = SingleChoiceRow(choices=[*named.items()], chosen=value, name=option.key)
                    chips.bind(chosen=lambda _, chosen: self.dispatch("on_value", option.key, chosen))
                    return chips
                text = named[value] if value in named else self._own[option.key]
                key = Key(text=text, name=option.key, lines=2)
                key.bind(on_release=lambda _: self._ask_which(option))
            case _:
                raise NotImplementedError(option.key)  # an option without a slip is a fault of ours
        return key

    def _named(self, option: ChoiceOption) -> dict[OptionValue, str]:
        """Returns the choices in the reader's language."""
        return {value: render(label, self.app.lang) for value, label in option.choices.items()}

    def _ask_which(self, option: ChoiceOption) -> None:
        """Shows a list of choices, with a way to what people can make themselves, if possible."""
        choose, below = (
            partial(self.dispatch, "on_value", option.key),
            [DialogChoice("no", self.app.tr("Cancel"))],
        )
        if own := self._own.get(option.key):
            below.append(DialogChoice("own", own, partial(self.dispatch, "on_own", option)))
        choices = [
            DialogChoice(
                f"{option.key} {value}",
                text,
                partial(choose, value),
                is_chosen=value == self._values[option.key],
            )
            for value, text in self._named(option).items()
        ]
        rows = self._rows_of_list(len(choices))
        open_choice_dialog(
            render(option.label, self.app.lang),
            choices,
            *below,
            columns=CHOICE_LIST_COLUMNS,
            rows_per_page=rows,
            lines=2,
        )

    def _rows_of_list(self, count: int) -> int:
        """Returns how many rows of a list of `count` choices have room on a page."""
        room = self.app.stage.next_page_size[1] - SHEET_FRAME_ROWS * theme.length.row
        rows = max(1, int(room // (theme.length.target + theme.length.gap)))
        needed = -(-count // CHOICE_LIST_COLUMNS)
        return needed if needed <= rows else max(1, rows - 1)

    def _ask_number(self, option: NumberOption) -> None:
        app, value, may_be_none = self.app, self._values[option.key], option.default is None
        pad = NumberPad(
            least=option.least,
            most=option.most,
            confirm_text=app.tr("Take {amount}", amount="{amount}"),
            decline_text=app.tr("None") if may_be_none else app.tr("Cancel"),
            limits_text=app.tr("From {least} to {most}", least=option.least, most=option.most),
            padding=theme.length.margin,
        )
        pad.offer_amount(value if isinstance(value, int) else None)
        overlay = Overlay(pad)

        def take(value: int | None) -> None:
            overlay.close()
            if value is not None or may_be_none:
                self.dispatch("on_value", option.key, value)

        pad.bind(on_confirm=lambda _, amount: take(amount), on_no=lambda _: take(None))
        app.stage.show_overlay(overlay)

    def _ask_word(self, option: TextOption) -> None:
        def take(word: str) -> None:
            self.dispatch("on_value", option.key, word)

        title, text = render(option.label, self.app.lang), str(self._values[option.key])
        open_keyboard(title, take, max_letters=option.max_letters, text=text)
