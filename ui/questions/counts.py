"""Several numbers with limits on their sum: a dial for each, and the sum in large digits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from functools import partial
from math import ceil
from typing import Any

from kivy.uix.boxlayout import BoxLayout

from companion.bounds import MAX_ENTERED_NUMBER
from companion.requests import NumberField, QuantitiesField, Request
from companion.session.view import View
from companion.texts import Labelled, render
from ui import theme
from ui.questions.question import MAX_EXTRA_HEIGHT_IN_TARGETS, QuestionWidget, needs_single_column
from ui.widgets.drawing.line_breaking import count_wrapped_lines, widest_word_width
from ui.widgets.drawing.surfaces import AutoRedrawWidget, draw_sunken_background
from ui.widgets.drawing.text import FittedLabel, measure_text_width, shorten_name
from ui.widgets.keys.key import Key
from ui.widgets.keys.number_pad import NumberPad
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import TypableStepper, min_dial_label_width
from ui.words import replace_seat_names

MAX_NAME_WIDTH_BESIDE_DIAL_IN_LETTERS = 5
"""The maximum width of a name beside a dial, in widest letters.

Longer names are cut short.
"""
MAX_DIALS_IN_ONE_COLUMN = 3
"""The most dials in one column beside their sum; more dials are in two columns above it.

If the names are long, one more dial is in that column.
"""
DIALS_WIDTH_IN_SUM_WIDTHS, DIALS_WIDTH_FOR_LONG_NAMES_IN_SUM_WIDTHS = 1.7, 3.0
"""The width of the dials in widths of the sum beside them: usually, and for long names."""
MIN_SUM_WIDTH_BESIDE_DIALS_IN_TARGETS, MIN_SUM_WIDTH_IN_FOOT_IN_TARGETS = 1.65, 2.2
"""The minimum width of the sum in targets: beside the dials, and between the keys."""
SUM_BESIDE_DIALS, SUM_BELOW_DIALS, SUM_IN_FOOT = "beside", "below", "in foot"
"""The place of the sum: beside the dials, in a line of its own below them, or between the keys."""
MIN_DIAL_ROWS_PER_PAGE = 2
"""The minimum rows of dials on a page."""


class SumDisplay(AutoRedrawWidget, BoxLayout):
    """A display of the sum in large digits, with a caption that names it and says what is missing.

    The caption is beside the sum or below it. The display is a dent in the felt, because it is no key.
    """

    def __init__(self, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap, gap / 4), spacing=gap / 2, **kwargs)
        self.figure = FittedLabel(halign="center", is_on_felt=True)
        self.caption = FittedLabel(style="body", halign="center", is_on_felt=True, line_height=1.0)
        self.add_widget(self.figure)
        self.add_widget(self.caption)
        for name in ("text", "lines"):
            self.caption.fbind(name, self._fit_caption_width)
        self.figure.fbind("text", self._fit_caption_width)
        self.bind(width=self._fit_caption_width, orientation=self._fit_caption_width)

    def _fit_caption_width(self, *_: object) -> None:
        """Makes the caption as wide as its longest word and all its lines need; the number gets the rest.

        The caption leaves the number the room for small digits.
        """
        texts = self.caption.text.split("\n")

        def has_room(width: int) -> bool:
            lines = sum(count_wrapped_lines(text, width, _label_text_width) for text in texts)
            return bool(lines <= self.caption.lines)

        widths = range(
            ceil(widest_word_width(self.caption.text, _label_text_width)),
            ceil(max(map(_label_text_width, texts))) + 1,
        )
        min_width = widths.start + bisect_left(widths, True, key=has_room)
        room = self.width - self.padding[0] - self.padding[2]
        if self.orientation == "horizontal":
            digits = self.figure.text
            room -= self.spacing + measure_text_width(digits, theme.length.smallest, theme.MONEY_FONT)
        self.caption.size_hint_min_x = min(min_width + theme.length.line, max(0.0, room))

    def draw(self) -> None:
        """Draws the display as a dent in the felt."""
        draw_sunken_background(self.box)

    def set_upright(self, *, upright: bool) -> None:
        """Places the number above its caption if `upright`, else beside it."""
        self.orientation = "vertical" if upright else "horizontal"
        self.figure.style, self.caption.lines = ("number", 4) if upright else ("amount", 3)
        self.caption.size_hint_y, self.figure.size_hint_x = (0.8, 1) if upright else (1, 0.7)


class CountDials(QuestionWidget[Request[Any]]):
    """The widget for several numbers with limits on their sum: a dial for each, and the sum.

    The numbers stay when the language or the limits change; `clear_answer` sets them to 0. A number that can
    only be 0 has no dial, unless none can be anything else.
    """

    def build_widgets(self) -> None:
        """Builds the dials, the sum and the keys."""
        self.dials = {number.key: self._make_dial(number.key) for number in self._numbers_with_dials}
        sizes = theme.length
        self.pad_and_dial: tuple[NumberPad, TypableStepper] | None = None
        self._min_compact_height = self._min_collapsed_height = 0.0
        if not self.dials:  # only declining is left
            self.foot = BoxLayout(size_hint_y=None, height=sizes.row)
            self._fill_foot(self.foot)
            self.add_widget(self.foot)
            return
        self.has_few_dials = len(self.dials) <= MAX_DIALS_IN_ONE_COLUMN or (
            len(self.dials) == MAX_DIALS_IN_ONE_COLUMN + 1 and self._has_long_label()
        )
        self.sum_display, self.body = SumDisplay(), BoxLayout(spacing=sizes.gap)
        self._sum_place = ""
        gaps = (sizes.gap / 2, sizes.gap / 4)
        self.pager = Pager(
            items=list(self.dials.values()),
            rows=len(self.dials),
            between=gaps,
            look="paper",
            has_external_keys=True,
        )
        is_dense = len(self.dials) > MAX_DIALS_IN_ONE_COLUMN
        self.foot = BoxLayout(
            size_hint_y=None, height=sizes.target if is_dense else sizes.row, spacing=sizes.gap
        )
        self.spacing = sizes.gap / 4 if is_dense else sizes.gap
        self._fill_foot(self.foot)
        self.body.add_widget(self.pager)
        self.adapt_to_size()
        self._show_dials()

    def adapt_to_size(self) -> None:
        """Adapts to the size: shows the dials in one column or two, and on pages if they still don't fit."""
        if not self.dials:
            return
        cols, rows, sum_place = self._choose_page_shape(self.width, self.height)
        self._apply_layout(cols, sum_place, self.width)
        self.pager.rows = rows
        page_keys = self.pager.page_turn_keys
        for key in (self.pager.back_key, self.pager.next_key):
            if (key in page_keys) == (key.parent is None):
                self.foot.add_widget(key, index=1) if key in page_keys else self.foot.remove_widget(key)

    def _choose_page_shape(self, width: float, height: float) -> tuple[int, int, str]:
        """Returns the columns and rows of dials on a page of this size, and the place of the sum."""
        is_low = height + 1 < self._min_height_at(width, is_low=False)
        cols, sum_place = self._choose_layout(width, is_low=is_low)
        rows = ceil(len(self.dials) / cols)
        other_height = self._min_height_at(width, is_low=is_low) - rows * self._row_height
        if (
            other_height + rows * self._row_height > height + 1
            and sum_place == SUM_IN_FOOT
            and self._is_foot_crowded(width)
        ):
            sum_place, other_height = SUM_BELOW_DIALS, other_height + theme.length.target + theme.length.gap
        return cols, max(1, min(rows, int((height + 1 - other_height) / self._row_height))), sum_place

    def page_count_at(self, width: float, height: float) -> int:
        """Returns the number of pages of dials at this size."""
        if not self.dials or self.pad_and_dial is not None:
            return 1
        cols, rows, _ = self._choose_page_shape(width, height)
        return ceil(len(self.dials) / (cols * rows))

    @property
    def _row_height(self) -> float:
        """Returns the height of a dial and the gap below it."""
        return theme.length.target + theme.length.gap / 4

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width.

        The minimum has two columns if that is lower. While people type a number, the heights are the pad's.
        """
        if not self.dials:
            return float(self.foot.height), float(self.foot.height)
        usual_height, low_height = (self._min_height_at(width, is_low=is_low) for is_low in (False, True))
        rows = ceil(len(self.dials) / self._choose_layout(width, is_low=True)[0])
        is_below = self._choose_layout(width, is_low=True)[1] == SUM_IN_FOOT and self._is_foot_crowded(width)
        sum_row_height = theme.length.target + theme.length.gap if is_below else 0.0
        self._min_compact_height, self._min_collapsed_height = (
            min(usual_height, low_height)
            - max(0, rows - max_rows) * self._row_height
            + (sum_row_height if rows > max_rows else 0.0)
            for max_rows in (MIN_DIAL_ROWS_PER_PAGE, 1)
        )
        if self.pad_and_dial is not None:
            return self.pad_and_dial[0].min_and_preferred_height(width)
        return min(usual_height, low_height), usual_height + MAX_EXTRA_HEIGHT_IN_TARGETS * theme.length.target

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with pages of two rows of dials."""
        return self._min_compact_height if self.pad_and_dial is None else 0.0

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height with pages of one row of dials; 0 if there are few dials."""
        return (
            self._min_collapsed_height
            if self.pad_and_dial is None and len(self.dials) > MIN_DIAL_ROWS_PER_PAGE
            else 0.0
        )

    def _min_height_at(self, width: float, *, is_low: bool) -> float:
        cols, sum_place = self._choose_layout(width, is_low=is_low)
        rows, sizes = ceil(len(self.dials) / cols), theme.length
        sum_row_height = sizes.target + sizes.gap if sum_place == SUM_BELOW_DIALS else 0.0
        return float(rows * self._row_height + self.foot.height + self.spacing + sum_row_height)

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the foot, or for a label between the keys of a dial."""
        if not self.dials:
            return False
        if self.pad_and_dial is not None:
            return self.pad_and_dial[0].is_too_narrow(width)
        cols, sum_place = self._choose_layout(width, is_low=False)
        page_keys_width = (
            2 * (theme.length.target + theme.length.gap) if len(self.dials) > MIN_DIAL_ROWS_PER_PAGE else 0.0
        )
        sum_width = (
            MIN_SUM_WIDTH_IN_FOOT_IN_TARGETS * theme.length.target if sum_place == SUM_IN_FOOT else 0.0
        )
        if self._min_foot_width + max(page_keys_width, sum_width) > width:
            return True
        label_width = (width - theme.length.gap / 2) / cols - 2 * theme.length.target
        available_width = (
            self._label_width_beside_sum(width) if sum_place == SUM_BESIDE_DIALS else label_width
        )
        return bool(available_width < self._min_label_width)

    @property
    def _min_foot_width(self) -> float:
        """Returns the minimum width of the keys at the foot."""
        return float(sum((key.size_hint_min_x or 0) + theme.length.gap for key in self._foot_keys))

    def _is_foot_crowded(self, width: float) -> bool:
        """Returns whether the sum doesn't fit at the foot beside the page keys."""
        target, gap = theme.length.target, theme.length.gap
        return self._min_foot_width + MIN_SUM_WIDTH_IN_FOOT_IN_TARGETS * target + 2 * (target + gap) > width

    def _label_width_beside_sum(self, width: float) -> float:
        """Returns the width for a label between the keys of a dial that is beside the sum."""
        ratio = self._dials_to_sum_ratio(width)
        return float((width - theme.length.gap) * ratio / (ratio + 1) - 2 * theme.length.target)

    @property
    def _min_label_width(self) -> float:
        """Returns the minimum width for a label: its longest word, two lines, and a target for its number."""
        words = [word for label in self._short_labels for word in label.split()]
        max_word_width = max(_label_text_width(word) for word in words)
        two_line_width = min_dial_label_width(self._short_labels)
        return max(max_word_width + theme.length.rim, two_line_width, theme.length.target)

    def _choose_layout(self, width: float, *, is_low: bool) -> tuple[int, str]:
        """Returns the number of columns of dials, one or two, and the place of the sum.

        Two columns need room for the labels. A few dials have two columns only if `is_low`.
        """
        is_few = self.has_few_dials and not (is_low and len(self.dials) > 1)
        cols = 1 if is_few or not self._do_labels_fit(width / 2) else 2
        return cols, self._choose_sum_place(width) if cols == 1 or not self.has_few_dials else SUM_IN_FOOT

    def _apply_layout(self, cols: int, sum_place: str, width: float) -> None:
        self.pager.cols = cols
        self.pager.size_hint_x = self._dials_to_sum_ratio(width) if sum_place == SUM_BESIDE_DIALS else 1
        if sum_place != self._sum_place:
            if self.sum_display.parent is not None:
                self.sum_display.parent.remove_widget(self.sum_display)
            self._sum_place = sum_place
            self.body.orientation = "vertical" if sum_place == SUM_BELOW_DIALS else "horizontal"
            self.sum_display.set_upright(upright=sum_place == SUM_BESIDE_DIALS)
            self.sum_display.size_hint_min_x = (
                MIN_SUM_WIDTH_IN_FOOT_IN_TARGETS * theme.length.target if sum_place == SUM_IN_FOOT else None
            )
            self.sum_display.size_hint_y, self.sum_display.height = (
                (None if sum_place == SUM_BELOW_DIALS else 1),
                theme.length.target,
            )
            if sum_place == SUM_IN_FOOT:
                self.foot.add_widget(self.sum_display, index=1)
            else:
                self.body.add_widget(self.sum_display)

    def _choose_sum_place(self, width: float) -> str:
        """Returns the place of the sum: beside a few dials, else between the keys, or below the dials.

        The sum is below the dials if the keys need the room.
        """
        if (
            self.has_few_dials
            and not (needs_single_column(width) and self._has_long_label())
            and self._label_width_beside_sum(width) >= self._min_label_width
        ):
            return SUM_BESIDE_DIALS
        is_foot_full = (
            needs_single_column(width)
            or self._min_foot_width + MIN_SUM_WIDTH_IN_FOOT_IN_TARGETS * theme.length.target > width
        )
        return SUM_BELOW_DIALS if self.form.decline and is_foot_full else SUM_IN_FOOT

    def _dials_to_sum_ratio(self, width: float) -> float:
        """Returns the ratio of the dials' width to the sum's, if possible with each label in one line."""
        target = theme.length.target
        max_label_width = max(
            measure_text_width(label, theme.length.smallest, bold=False) for label in self._short_labels
        )
        for ratio in (DIALS_WIDTH_IN_SUM_WIDTHS, DIALS_WIDTH_FOR_LONG_NAMES_IN_SUM_WIDTHS):
            sum_width = (width - theme.length.gap) / (ratio + 1)
            if (
                max_label_width <= sum_width * ratio - 2 * target
                and sum_width >= MIN_SUM_WIDTH_BESIDE_DIALS_IN_TARGETS * target
            ):
                return ratio
        return DIALS_WIDTH_IN_SUM_WIDTHS

    def _do_labels_fit(self, dial_width: float) -> bool:
        """Returns whether every label fits into a dial of this width, in two lines."""
        label_width = dial_width - theme.length.gap - 2 * theme.length.target
        return min_dial_label_width(self._short_labels) <= label_width

    @property
    def _short_labels(self) -> list[str]:
        return [self._short_label(number.label) for number in self._numbers_with_dials]

    def _short_label(self, label: Labelled) -> str:
        """Returns a label in the reader's language; long names are cut shorter here than on a key."""
        return render(replace_seat_names(label, _shorten_name_beside_dial), self.app.lang)

    def _has_long_label(self) -> bool:
        """Returns whether a label is too long for half the width."""
        max_label_width = max(
            measure_text_width(label, theme.length.smallest) for label in self._short_labels
        )
        return max_label_width > theme.length.target * 2.4

    def _make_dial(self, key: str) -> TypableStepper:
        dial = TypableStepper(name=key, shows_limit=True)
        dial.fbind("count", self._update_texts)
        dial.bind(on_type_request=lambda _: self._show_pad(key))
        return dial

    def _fill_foot(self, foot: BoxLayout) -> None:
        self.decline_key = Key(name="cant", size_hint_x=0.75)
        self.decline_key.bind(on_release=lambda _: self.dispatch("on_answer", None))
        self.done_key = Key(look="brass", name="take")
        self.done_key.bind(on_release=lambda _: self.dispatch("on_answer", self.make_answer()))
        for key in self._foot_keys:
            foot.add_widget(key)

    @property
    def quantities_field(self) -> QuantitiesField:
        """Returns the quantities field; an empty field if people can only decline."""
        field = self.form.single_field
        return field if isinstance(field, QuantitiesField) else QuantitiesField(numbers=())

    @property
    def _numbers_with_dials(self) -> tuple[NumberField, ...]:
        """Returns the numbers that can be above 0, as everybody may know; all numbers if none can."""
        numbers = self.quantities_field.numbers
        return tuple(number for number in numbers if number.most != 0) or numbers

    @property
    def _foot_keys(self) -> list[Key]:
        """Returns the key that declines and the key that takes the numbers, if there are any."""
        return [*([self.decline_key] if self.form.decline else []), *([self.done_key] if self.dials else [])]

    def make_answer(self) -> dict[str, int]:
        """Returns the number on each dial by key, and 0 for a number without a dial."""
        zeros = {number.key: 0 for number in self.quantities_field.numbers}
        return zeros | {key: int(dial.count) for key, dial in self.dials.items()}

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view, and rebuilds the dials if other numbers can be above 0 now.

        People who could only decline before may be able to enter numbers now. The other dials keep their
        numbers.
        """
        super().show_newer_view(view)
        if [*self.dials] != [number.key for number in self._numbers_with_dials]:
            counts = {key: int(dial.count) for key, dial in self.dials.items()}
            self.clear_answer()
            self.prefill(counts)
        self.update_texts()

    def prefill(self, previous_answer: Mapping[str, int] | None) -> None:
        """Sets each dial to its number in the previous answer; a number without a dial stays 0."""
        for key, count in (previous_answer or {}).items():
            if key in self.dials:
                self.dials[key].count = count

    def prefill_only_answer(self) -> None:
        """Sets the dials to the only numbers that fit the limits, if no others do."""
        self.prefill(self.quantities_field.only_fitting_numbers)

    def update_texts(self) -> None:
        """Updates labels, limits, the sum and its caption."""
        self.decline_key.text = self.decline_label
        if not self.dials:
            return
        numbers, total = self.quantities_field, sum(self.make_answer().values())
        most, max_kinds = numbers.most, numbers.max_nonzero_numbers
        is_full = most is not None and total >= most
        kind_count = sum(dial.count > 0 for dial in self.dials.values())
        for number, dial in zip(self._numbers_with_dials, self.dials.values(), strict=True):
            dial.can_increase = not is_full and (
                max_kinds is None or dial.count > 0 or kind_count < max_kinds
            )
            dial.most = number.most
            dial.text = self._short_label(number.label)
            dial.refresh_texts()
        is_exact_sum_wanted = most is not None and numbers.least == most
        self.sum_display.figure.text = f"{total}/{most}" if is_exact_sum_wanted else str(total)
        caption = self._caption_text(total, numbers)
        self.sum_display.caption.text = caption
        self.sum_display.caption.shorter_text = caption.partition("\n")[2]
        self._update_done_key(total)
        for key in (self.decline_key, self.done_key):
            key.size_hint_min_x = key.min_width_in_two_lines()
        if self.pad_and_dial is not None:
            self._update_pad_texts(*self.pad_and_dial)
        self.adapt_to_size()

    def _update_done_key(self, total: int) -> None:
        """Updates the key that takes the numbers; it says so if it would take nothing."""
        tr, reason = self.app.tr, self.quantities_field.why_total_refused(total)
        self.done_key.text = tr("Done") if total or reason is not None else tr("Done: nothing")
        self.done_key.disabled = reason is not None
        self.done_key.look = "brass" if total else "paper"
        self.done_key.reason = "" if reason is None else render(reason, self.app.lang)

    def _caption_text(self, total: int, numbers: QuantitiesField) -> str:
        tr = self.app.tr
        least, most, max_kinds = numbers.least, numbers.most, numbers.max_nonzero_numbers
        text = tr("total")
        if least is not None and total < least:
            text += "\n" + tr("{n} to go", n=least - total)
        elif most is not None and total > most:
            text += "\n" + tr("{n} too many", n=total - most)
        elif most is not None and least != most:
            text += "\n" + tr("at most {n}", n=most)
        if max_kinds is not None and max_kinds < len(self.dials):
            text += "\n" + self.app.trn("at most {n} kind", "at most {n} kinds", max_kinds)
        return str(text)

    def _show_dials(self, *_: object) -> None:
        self.pad_and_dial = None
        self.clear_widgets()
        for part in (self.body, self.foot):
            self.add_widget(part)
        self.property("height").dispatch(self)

    def _show_pad(self, key: str) -> None:
        """Shows a pad in place of the dials, until people type a number or cancel."""
        dial = self.dials[key]
        pad = NumberPad()
        pad.prefill_amount(int(dial.count))
        pad.bind(on_confirm=partial(self._enter, dial), on_decline=self._show_dials)
        self.pad_and_dial = pad, dial
        self._update_pad_texts(pad, dial)
        self.clear_widgets()
        self.add_widget(pad)
        self.property("height").dispatch(self)

    def _update_pad_texts(self, pad: NumberPad, dial: TypableStepper) -> None:
        pad.most = MAX_ENTERED_NUMBER if dial.most is None else int(dial.most)
        pad.limits_text = dial.text if dial.most is None else f"{dial.text} ≤ {dial.most}"
        pad.confirm_text = self.app.tr("Take {amount}", amount="{amount}")
        pad.decline_text = self.app.tr("Cancel")
        pad.decline_key.lines = 1

    def _enter(self, dial: TypableStepper, _pad: NumberPad, amount: int) -> None:
        dial.count = amount
        self._show_dials()


def _label_text_width(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)


def _shorten_name_beside_dial(name: str) -> str:
    return name if shorten_name(name) == name else shorten_name(name, MAX_NAME_WIDTH_BESIDE_DIAL_IN_LETTERS)
