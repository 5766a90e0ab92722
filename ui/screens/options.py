"""Options on slips of paper: the rules of a game before it begins, and settings.

    OptionsPager(options, values)

A value is chosen on the slip, for example in steps, or on a list, a number pad or the keyboard that the slip
opens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple

from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.widget import Widget

from companion.rules.game import ChoiceOption, GameOption, NumberOption, TextOption
from companion.table.table import OptionValue
from companion.texts import render
from ui import theme
from ui.events import EventMixin
from ui.host import get_companion_app
from ui.pages import DialogChoice, make_key, open_choice_dialog, open_keyboard
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.text import wrap_at_size
from ui.widgets.keys.key import Key, SingleChoiceRow
from ui.widgets.keys.number_pad import NumberPad
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import CountSteps
from ui.widgets.sheets.overlays import Overlay

Builder.load_file(str(Path(__file__).with_suffix(".kv")))

SLIP_KEYS_WIDTH_SHARE = 0.44
"""The share of a slip's width for its keys."""
MAX_SENTENCE_LINES = 3
"""The most lines of a sentence on a slip."""
LINE_HEIGHT_EM = 1.2
"""The height of a line of a sentence on a slip."""
MAX_SLIPS_PER_COLUMN = 5
CHOICE_LIST_COLUMNS = 2
"""Columns of a list of choices."""
MAX_CHOICES_WITH_KEYS_ON_SLIP = 2
"""The most choices with keys on the slip; for more, the slip opens a list."""
MAX_STEPS = 10
"""The most steps from the least to the greatest number of a slip with a plus key and a minus key."""
CHOICE_LIST_FRAME_ROWS = 3
"""The height of the frame of a sheet, in rows: title, keys and edges."""


def _has_steps(option: NumberOption) -> bool:
    """Returns whether people change the number of an option in steps; otherwise they type it."""
    return option.default is not None and option.most - option.least <= MAX_STEPS


class SlipWithKey(NamedTuple):
    """A slip without a value: a title, a sentence, and a key that runs something."""

    key: str
    label: str
    hint: str
    key_text: str
    run: Callable[[], object]


class SlipLayout(NamedTuple):
    """How slips are laid out on a page; `is_stacked`: the keys of a slip are below its words."""

    columns: int
    rows: int
    is_stacked: bool


class OptionSlip(PaperBoxLayout):
    """A slip with one option; `is_stacked`: the keys are below the words."""

    title = StringProperty("")
    sentence = StringProperty("")
    is_stacked = BooleanProperty(defaultvalue=False)

    def __init__(self, option: GameOption | SlipWithKey, control: Widget, **kwargs: Any) -> None:
        padding = (theme.length.space, theme.length.line)
        super().__init__(orientation="horizontal", padding=padding, **kwargs)
        lang = get_companion_app().lang
        self.title, self.sentence = render(option.label, lang), render(option.hint, lang)
        self.ids.control.add_widget(control)


class OptionsPager(EventMixin, Pager):
    """Pages of options, with a slip of paper for each.

    `values` are the chosen values by key. `own_choice_text_by_option` is, by option, the text of a choice
    that people can make themselves; the option's list has a key for it. `first_key` is the key of the option
    whose page is shown first.
    """

    __events__ = (
        "on_value",  # key, value: people chose another value
        "on_own",  # option: people make a choice of their own
    )

    def __init__(
        self,
        options: Sequence[GameOption],
        values: Mapping[str, OptionValue],
        own_choice_text_by_option: Mapping[str, str] = {},
        *,
        first_key: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.app, self._own = get_companion_app(), own_choice_text_by_option
        self._first_key, self._is_stepping = first_key, False
        self._values: Mapping[str, OptionValue] = {}
        self._layout = SlipLayout(1, 1, is_stacked=False)
        self.bind(size=lambda *_: self._fit())
        self.show_options(options, values)

    def _fit(self) -> None:
        """Shows as many options on a page as have room, and the page of the first one."""
        self.show_options(self._options, self._values)
        keys = [option.key for option in self._options]
        self.page = keys.index(self._first_key) // (self.cols * self.rows) if self._first_key in keys else 0

    def show_options(
        self,
        options: Sequence[GameOption | SlipWithKey],
        value_by_option: Mapping[str, OptionValue],
    ) -> None:
        """Shows these options with these values, and these actions.

        The slips are in one column or in two, whichever needs fewer pages. The keys of all slips are below
        the words if a sentence has no room beside the keys. They are also below the words if keys have no
        room beside the words, unless fewer slips would fit on a page; in that case the choices are a list.
        """
        if self._is_stepping and value_by_option == self._values:
            return  # the slip with the steps shows the new number already, and a finger is on its key
        self._options, self._values = options, value_by_option
        if self.get_parent_window() is None or not self.height:
            return  # the page isn't laid out yet; `_fit` shows the options as soon as there is room
        layouts = [self._layout_in_columns(1), self._layout_in_columns(2)]
        possible = [layouts[0], *(layout for layout in layouts[1:] if not self._is_crowded(layout))]
        self._layout = min(possible, key=lambda layout: ceil(len(options) / (layout.columns * layout.rows)))
        self.cols, self.rows, is_stacked = self._layout
        self.items = [
            OptionSlip(option, self._make_control(option), is_stacked=is_stacked) for option in options
        ]

    def _layout_in_columns(self, columns: int) -> SlipLayout:
        """Returns the best layout with that many columns."""
        stacked = self._fill_column(columns, is_stacked=True)
        unstacked = self._fill_column(columns, is_stacked=False)
        is_cut = any(self._count_lines(option, unstacked) > MAX_SENTENCE_LINES for option in self._options)
        is_tight = any(not self._fit_side_by_side(option, unstacked) for option in self._options)
        count = len(self._options)
        needs_no_more_pages = min(stacked.rows, count) == min(unstacked.rows, count)
        return stacked if is_cut or (is_tight and needs_no_more_pages) else unstacked

    def _is_crowded(self, layout: SlipLayout) -> bool:
        """Returns whether a sentence or the choices of an option have no room in a layout."""
        return any(
            self._count_lines(option, layout) > MAX_SENTENCE_LINES
            or not self._fit_side_by_side(option, layout)
            for option in self._options
        )

    def _slip_width(self, columns: int) -> float:
        return float((self.width - self.grid.spacing[0] * (columns - 1)) / columns)

    def _fill_column(self, columns: int, *, is_stacked: bool) -> SlipLayout:
        """Returns the layout with as many slips below each other as have room."""
        sizes, gap = theme.length, self.grid.spacing[1]
        layout = SlipLayout(columns, 1, is_stacked)
        slip_height = 1.0
        for option in self._options:
            lines = min(MAX_SENTENCE_LINES, self._count_lines(option, layout))
            height = sizes.key * 1.1 + ceil(lines * sizes.smallest * LINE_HEIGHT_EM)
            height = height + sizes.row + sizes.gap if is_stacked else max(height, float(sizes.target))
            slip_height = max(slip_height, height + 2 * sizes.line)
        available_height = self.height
        if not self.has_external_keys:
            available_height -= sizes.target + sizes.gap
        most = theme.grow_count(MAX_SLIPS_PER_COLUMN)
        rows = max(1, min(most, int((available_height + gap) / (slip_height + gap))))
        return SlipLayout(columns, rows, is_stacked)

    def _count_lines(self, option: GameOption | SlipWithKey, layout: SlipLayout) -> int:
        """Returns how many lines the sentence of an option takes."""
        width = self._slip_width(layout.columns) - 2 * theme.length.space
        if not layout.is_stacked:
            width = (width - theme.length.gap) * (1 - SLIP_KEYS_WIDTH_SHARE)
        sentence = render(option.hint, self.app.lang)
        return len(wrap_at_size(sentence, max(1.0, width), theme.length.smallest, bold=False))

    def _is_listed(self, option: ChoiceOption) -> bool:
        """Returns whether the choices of an option are always a list."""
        return option.key in self._own or len(option.choices) > MAX_CHOICES_WITH_KEYS_ON_SLIP

    def _fit_side_by_side(self, option: GameOption | SlipWithKey, layout: SlipLayout) -> bool:
        """Returns whether the values of an option fit side by side; True if they are not shown so."""
        if not isinstance(option, ChoiceOption) or self._is_listed(option):
            return True
        share = 1 if layout.is_stacked else SLIP_KEYS_WIDTH_SHARE
        keys_width = (self._slip_width(layout.columns) - 2 * theme.length.space - theme.length.gap) * share
        key_width = keys_width / len(option.choices) - theme.length.gap / 2
        texts = self._text_by_choice(option).values()
        return all(Key(text=text).min_width_in_two_lines() <= key_width for text in texts)

    def _make_control(self, option: GameOption | SlipWithKey) -> Widget:
        """Returns the keys of a slip: a key for each value, or one that shows the value and changes it."""
        if isinstance(option, SlipWithKey):
            return make_key(option.key, option.key_text, option.run)
        value = self._values[option.key]
        match option:
            case NumberOption() if _has_steps(option):
                return self._make_steps(option)
            case NumberOption():
                style = "digit" if value is not None else "key"
                text = self.app.tr("None") if value is None else str(value)
                key = Key(text=text, style=style, name=option.key)
                key.bind(on_release=lambda _: self._ask_number(option))
            case TextOption():
                key = Key(text=str(value) or self.app.tr("None"), name=option.key)
                key.bind(on_release=lambda _: self._ask_text(option))
            case ChoiceOption():
                texts = self._text_by_choice(option)
                if not self._is_listed(option) and self._fit_side_by_side(option, self._layout):
                    chips = SingleChoiceRow(choices=[*texts.items()], chosen=value, name=option.key)
                    chips.bind(chosen=lambda _, chosen: self.dispatch("on_value", option.key, chosen))
                    return chips
                text = texts[value] if value in texts else self._own[option.key]
                key = Key(text=text, name=option.key, lines=2)
                key.bind(on_release=lambda _: self._open_choice_list(option))
            case _:
                raise NotImplementedError(option.key)  # an option without a slip is a programming error
        return key

    def _make_steps(self, option: NumberOption) -> CountSteps:
        """Returns the number of an option between a minus key and a plus key."""

        def change(_steps: CountSteps, count: int) -> None:
            self._values, self._is_stepping = {**self._values, option.key: count}, True
            self.dispatch("on_value", option.key, count)
            self._is_stepping = False

        steps = CountSteps(option.key, count=self._values[option.key], least=option.least, most=option.most)
        steps.bind(count=change)
        return steps

    def _text_by_choice(self, option: ChoiceOption) -> dict[OptionValue, str]:
        """Returns the choices in the reader's language."""
        return {value: render(label, self.app.lang) for value, label in option.choices.items()}

    def _open_choice_list(self, option: ChoiceOption) -> None:
        """Shows a list of choices; below it is a key for a choice of people's own, if the option has one."""
        choose = partial(self.dispatch, "on_value", option.key)
        bottom_choices = [DialogChoice("no", self.app.tr("Cancel"))]
        if own_text := self._own.get(option.key):
            bottom_choices.append(DialogChoice("own", own_text, partial(self.dispatch, "on_own", option)))
        choices = [
            DialogChoice(
                f"{option.key} {value}",
                text,
                partial(choose, value),
                is_chosen=value == self._values[option.key],
            )
            for value, text in self._text_by_choice(option).items()
        ]
        open_choice_dialog(
            render(option.label, self.app.lang),
            choices,
            *bottom_choices,
            columns=CHOICE_LIST_COLUMNS,
            rows_per_page=self._count_list_rows(len(choices)),
            lines=2,
        )

    def _count_list_rows(self, choice_count: int) -> int:
        """Returns how many rows of a list of choices have room on a page."""
        available_height = self.app.stage.next_page_size[1] - CHOICE_LIST_FRAME_ROWS * theme.length.row
        rows = max(1, int(available_height // (theme.length.target + theme.length.gap)))
        needed_rows = -(-choice_count // CHOICE_LIST_COLUMNS)
        # If there are several pages, the keys that turn them need a row.
        return needed_rows if needed_rows <= rows else max(1, rows - 1)

    def _ask_number(self, option: NumberOption) -> None:
        app, current, may_be_none = self.app, self._values[option.key], option.default is None
        pad = NumberPad(
            least=option.least,
            most=option.most,
            confirm_text=app.tr("Take {amount}", amount="{amount}"),
            decline_text=app.tr("None") if may_be_none else app.tr("Cancel"),
            limits_text=app.tr("From {least} to {most}", least=option.least, most=option.most),
            padding=theme.length.margin,
        )
        pad.prefill_amount(current if isinstance(current, int) else None)
        overlay = Overlay(pad)

        def confirm(value: int | None) -> None:
            overlay.close()
            if value is not None or may_be_none:
                self.dispatch("on_value", option.key, value)

        pad.bind(on_confirm=lambda _, amount: confirm(amount), on_decline=lambda _: confirm(None))
        app.stage.show_overlay(overlay)

    def _ask_text(self, option: TextOption) -> None:
        title, text = render(option.label, self.app.lang), str(self._values[option.key])
        choose = partial(self.dispatch, "on_value", option.key)
        open_keyboard(title, choose, max_letters=option.max_letters, text=text)
