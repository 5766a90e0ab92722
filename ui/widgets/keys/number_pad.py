"""The number pad: a large number, ten digits, step keys, and a key for a half where halves are allowed.

    NumberPad(least=5, most=99, limits_text="From 5 to 99",
              confirm_text="Bid {amount}", decline_text="Withdraw")

No digit is ever hidden: the confirming key is disabled until the amount is valid.
`ui.widgets.keys.typed_number` has the effect of each key on the number.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.half_numbers import HALF_SIGN, HalfNumber, WholeOrHalf
from companion.requests import NumberField
from companion.texts import render
from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.line_breaking import count_wrapped_lines, widest_phrase_width
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.key import Key
from ui.widgets.keys.typed_number import TypedNumber
from ui.words import get_running_translator

DIGIT_ROWS = 3
DIGITS_PATTERN = re.compile(r"[\d½]+")
"""Pattern of the numbers in a text, without their signs."""
PREFERRED_TO_LEAST_KEY_HEIGHT_RATIO = 1.25
"""Preferred height of a digit key, as a ratio to its least height."""
DIGIT_KEYS_WIDTH_TARGETS = 4.2
"""Width of the block of digit keys beside the amount, in targets."""
AMOUNT_HEIGHT_TARGETS, LOW_AMOUNT_HEIGHT_TARGETS, STEP_KEYS_HEIGHT_TARGETS = 2.7, 1.45, 1.15
"""Heights in targets: of amount and keys above the digits, of both side by side, and of the step keys."""
GAPS_HEIGHT_TARGETS = 0.25
"""Height of all gaps together, in targets: between amount and digits, and between rows of digits."""
MIN_HEIGHT_WITH_STEP_KEYS_TARGETS = 4.2
"""Least height in targets at which the step keys fit beside the digits."""


class NumberPad(EventMixin, BoxLayout):
    """Number pad on which people type one number, with a half if the step is a half.

    `amount` is None until a digit is typed. `least`, `most` (None: no limit) and `step` are what
    the request allows, or `values` are the only numbers; `limits_text` says so in the reader's language.
    With `values`, a step key shows the value that it sets.
    """

    typed_number = ObjectProperty(TypedNumber())
    """The number as typed so far."""
    least = ObjectProperty(0)
    most = ObjectProperty(None, allownone=True)
    step = ObjectProperty(1)
    values = ObjectProperty(())
    limits_text = StringProperty("")
    confirm_text = StringProperty("{amount}")
    """Text of the confirming key; `{amount}` stands for the number, or a dash."""
    decline_text = StringProperty("")
    amount_beside_min_width_targets: ClassVar[float] = 6.1
    """Least width in targets at which the amount stands beside the digits."""
    keys_per_row: ClassVar[int] = 4
    are_step_keys_stacked: ClassVar[bool] = False
    """Whether the step keys stand below each other instead of in a row above the answer keys."""
    has_answer_keys_beside_digits: ClassVar[bool] = True
    """Whether the keys that confirm and decline are beside the digits, below the amount, on a wide pad."""
    step_key_steps: ClassVar[tuple[int, ...]] = (-1, 1, 5)
    """Number of steps that each step key adds."""
    is_amount_allowed = ObjectProperty(None, allownone=True)
    """Function that decides whether an amount may be confirmed; None: the limits decide."""
    __events__ = (
        "on_confirm",  # amount: the amount was confirmed; it fits the limits
        "on_decline",  # the decline key was pressed, where `decline_text` names one
    )

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("spacing", theme.length.gap)
        super().__init__(**kwargs)
        self._narrow: tuple[bool, bool, bool] | None = None
        self._slip = BoxLayout()
        self._build()
        limits = ("least", "most", "step", "values")
        for name in ("typed_number", *limits, "limits_text", "confirm_text", "decline_text"):
            self.fbind(name, self._show)
        self.fbind("limits_text", self._fit_limits)
        self.amount_sheet.fbind("size", self._fit_limits)
        self.fbind("size", self._arrange)
        self._show()

    def _build(self) -> None:
        """Builds all parts, before they are placed."""
        self.amount_label = FittedLabel(style="number", halign="center")
        self.limits_label = FittedLabel(style="quiet", halign="center", lines=3, size_hint_y=0.5)
        self.amount_sheet = add_children(
            PaperBoxLayout(spacing=0, padding=theme.length.gap), self.amount_label, self.limits_label
        )
        self.step_keys = [self._build_step_key(steps) for steps in self.step_key_steps]
        self.decline_key = Key(
            name="way out", has_narrow_margins=True, lines=1, on_release=lambda _: self.dispatch("on_decline")
        )
        self.half_key = Key(text=HALF_SIGN, name="half", style="digit", on_press=lambda _: self._type_half())
        self.half_key.size_hint_x, self.half_key.width = None, theme.length.target
        self.confirm_key = Key(look="brass", name="confirm")
        self.confirm_key.bind(on_release=lambda _: self.dispatch("on_confirm", self.amount))
        self.answer_key_row = BoxLayout(
            size_hint_y=None, height=theme.length.row, spacing=theme.length.gap / 2
        )
        add_children(self.answer_key_row, self.confirm_key)
        self.digit_grid = self._build_digits()

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at that width."""
        sizes = theme.length
        least = DIGIT_ROWS * sizes.target + (DIGIT_ROWS - 1) * sizes.gap / 2
        preferred = least * PREFERRED_TO_LEAST_KEY_HEIGHT_RATIO
        if self._is_narrow(width):  # the amount stands above the digits
            least += LOW_AMOUNT_HEIGHT_TARGETS * sizes.target + sizes.gap
            preferred += AMOUNT_HEIGHT_TARGETS * sizes.target + sizes.gap
        elif self._is_decline_key_above(width):
            amount_height = LOW_AMOUNT_HEIGHT_TARGETS * sizes.target
            least = max(least, amount_height + sizes.target + sizes.row + 2 * sizes.gap)
        return least, max(least, preferred)

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the keys would be too narrow at that width."""
        return bool(width < self.keys_per_row * (theme.length.target + theme.length.gap / 2))

    def _is_narrow(self, width: float) -> bool:
        return width < self.amount_beside_min_width_targets * theme.length.target

    def _slip_width(self, width: float) -> float:
        """Returns the width of the amount and of the answer keys."""
        if self._is_narrow(width):
            return width
        return float(width - DIGIT_KEYS_WIDTH_TARGETS * theme.length.target - theme.length.gap)

    def _arrange(self, *_: object) -> None:
        """Places the amount beside the digits, or above them if it is too narrow."""
        narrow = self._is_narrow(self.width)
        needed_targets = (
            DIGIT_ROWS + AMOUNT_HEIGHT_TARGETS + STEP_KEYS_HEIGHT_TARGETS + GAPS_HEIGHT_TARGETS
            if narrow
            else MIN_HEIGHT_WITH_STEP_KEYS_TARGETS
        )
        slip_width = self._slip_width(self.width)
        do_steps_fit = slip_width >= len(self.step_keys) * (theme.length.target + theme.length.gap / 2)
        is_high = self.height > needed_targets * theme.length.target
        roomy = is_high and (do_steps_fit or self.are_step_keys_stacked)
        low = (
            narrow
            and self.height < (DIGIT_ROWS + AMOUNT_HEIGHT_TARGETS + GAPS_HEIGHT_TARGETS) * theme.length.target
        )
        if (narrow, roomy, low) == self._narrow:
            self._show_or_hide_decline_key()
            return
        self._narrow = (narrow, roomy, low)
        self.orientation = "vertical" if narrow else "horizontal"
        self.clear_widgets()
        self.answer_key_row.size_hint_y = 1 if low else None
        self._slip = self._lay_slip(narrow=narrow, roomy=roomy, low=low)
        add_children(self, self._slip, self.digit_grid)
        self.digit_grid.size_hint_x, self.digit_grid.width = (
            (1, 0) if narrow else (None, DIGIT_KEYS_WIDTH_TARGETS * theme.length.target)
        )
        self._show_or_hide_decline_key()

    def _fit_limits(self, *_: object) -> None:
        """Gives the limits the height that their lines need; the amount gets the rest.

        If no line would be left for the amount, or a phrase is wider than a line, limits that are two numbers
        are shown without words.
        """
        sizes = theme.length
        text_width = max(1.0, self.amount_sheet.width - 2 * sizes.gap)
        line_height, height = sizes.smallest * 1.2, self.amount_sheet.height - 2 * sizes.gap
        text = self.limits_text
        needed_height = _count_quiet_lines(text, text_width) * line_height
        is_too_wide = widest_phrase_width(text, _measure_quiet_text) > text_width
        limits_in_numbers = self._limits_in_numbers()
        if limits_in_numbers and (is_too_wide or needed_height > height - line_height):
            text = limits_in_numbers
            needed_height = _count_quiet_lines(text, text_width) * line_height
        self.limits_label.text = text
        is_too_low = needed_height > height / 3
        self.limits_label.size_hint_y, self.limits_label.height = (
            (None, needed_height) if is_too_low else (0.5, self.limits_label.height)
        )

    def _limits_in_numbers(self) -> str:
        """Returns the limits as two numbers; empty if they say less, or more, than the words."""
        names_most = str(self.most).lstrip("-") in DIGITS_PATTERN.findall(self.limits_text)
        if self.values or self.most is None or not names_most:
            return ""
        least, most = (TypedNumber.from_amount(limit).display_text for limit in (self.least, self.most))
        return f"{least} – {most}"

    def _lay_slip(self, *, narrow: bool, roomy: bool, low: bool) -> BoxLayout:
        """Builds the amount above the answer keys or beside them, with step keys if there is room."""
        slip = BoxLayout(orientation="horizontal" if low else "vertical", spacing=theme.length.gap)
        if narrow:
            targets = (
                LOW_AMOUNT_HEIGHT_TARGETS
                if low
                else AMOUNT_HEIGHT_TARGETS + (STEP_KEYS_HEIGHT_TARGETS if roomy else 0)
            )
            slip.size_hint_y, slip.height = None, targets * theme.length.target
        add_children(slip, self.amount_sheet)
        if roomy and self.step_keys:
            step_row = BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.gap / 2)
            add_children(slip, add_children(step_row, *self.step_keys))
        return add_children(slip, self.answer_key_row)

    def _build_step_key(self, steps: int) -> Key:
        key = Key(style="digit", on_release=lambda _: self._step(steps))
        key.steps = steps
        return key

    def _build_digits(self) -> GridLayout:
        """Builds only three rows, so that the table above has room, with digits as on a till."""
        grid = GridLayout(cols=4, spacing=theme.length.gap / 2)
        self.sign_or_clear_key = Key(style="digit", on_press=lambda _: self._change_sign_or_clear())
        delete_key = Key(icon="delete", name="delete", on_press=self._delete)
        key_after_digit = {"9": delete_key, "6": self.sign_or_clear_key}
        for digit in "7894561230":
            add_children(grid, Key(text=digit, style="digit", on_press=self._type))
            if digit in key_after_digit:
                add_children(grid, key_after_digit[digit])
        return grid

    @property
    def amount(self) -> WholeOrHalf | None:
        """The typed amount; None before the first digit or half."""
        typed_number: TypedNumber = self.typed_number
        return typed_number.amount

    def allow_numbers_of(self, field: NumberField) -> None:
        """Takes the limits, the step and the values of a number field."""
        self.least, self.most, self.step, self.values = field.least, field.most, field.step, field.values

    def is_number_allowed(self) -> bool:
        """Returns whether the request allows the amount."""
        amount = self.amount
        if amount is None:
            return False
        if self.is_amount_allowed is not None:
            return bool(self.is_amount_allowed(amount))
        if self.values:
            return amount in self.values
        return bool(
            self.least <= amount
            and (self.most is None or amount <= self.most)
            and (amount - self.least) % self.step == 0
        )

    def _why_not_confirmed(self) -> str:
        """Returns in a few words why the amount can't be confirmed; "" if no reason is known."""
        app = get_running_translator()
        if self.amount is None:
            return str(app.tr("type a number"))
        field = NumberField(least=self.least, most=self.most, step=self.step, values=tuple(self.values))
        reason = field.why_refused(self.amount)
        return "" if reason is None else render(reason, app.lang)

    def prefill_amount(self, amount: WholeOrHalf | None) -> None:
        """Offers an amount, which the first typed digit replaces."""
        self.typed_number = TypedNumber.from_amount(amount, is_offered=True)

    def clear(self) -> None:
        """Removes everything typed."""
        self.typed_number = TypedNumber()

    def _type(self, key: Key) -> None:
        self.typed_number = self.typed_number.with_digit(key.text)

    def _type_half(self) -> None:
        self.typed_number = self.typed_number.with_half()

    def _delete(self, _key: Key) -> None:
        self.typed_number = self.typed_number.without_last_digit_or_sign()

    def _change_sign_or_clear(self) -> None:
        """Changes the sign if numbers may be negative; else clears. One can clear with the delete key too."""
        if self.least < 0:
            self.typed_number = self.typed_number.with_opposite_sign()
        else:
            self.clear()

    def _step(self, steps: int) -> None:
        self.typed_number = self._number_after_steps(steps)

    def _number_after_steps(self, steps: int) -> TypedNumber:
        typed_number: TypedNumber = self.typed_number
        if self.values:
            return typed_number.changed_to_further_value(steps, self.values)
        return typed_number.changed_by_steps(steps, self.least, self.most, self.step)

    def _show(self, *_: object) -> None:
        self._show_figure()
        if self.amount is None:  # a tick instead of a text such as "Take –"
            self.confirm_key.text, self.confirm_key.icon = "", "tick"
        else:
            amount_text = TypedNumber.from_amount(self.amount).display_text
            self.confirm_key.text, self.confirm_key.icon = self.confirm_text.format(amount=amount_text), ""
        self.confirm_key.disabled = not self.is_number_allowed()
        self.confirm_key.reason = self._why_not_confirmed()
        may_be_negative = self.least < 0
        self.sign_or_clear_key.text = "±" if may_be_negative else "C"
        self.sign_or_clear_key.name = "sign" if may_be_negative else "clear"
        for key in self.step_keys:
            key.text = (
                f"→{self._number_after_steps(key.steps).display_text}"
                if self.values
                else format_with_sign(key.steps * self.step)
            )
        self._show_or_hide_decline_key()
        self._show_or_hide_half_key()

    def _show_figure(self) -> None:
        self.amount_label.text = self.typed_number.display_text
        self._fit_limits()

    def _show_or_hide_decline_key(self) -> None:
        self.decline_key.text = self.decline_text
        is_above = self._is_decline_key_above(self.width)
        parent = (self._slip if is_above else self.answer_key_row) if self.decline_text else None
        if self.decline_key.parent is parent:
            return
        if self.decline_key.parent is not None:
            self.decline_key.parent.remove_widget(self.decline_key)
        if parent is not None:
            self.decline_key.size_hint_y = None if is_above else 1
            self.decline_key.height = theme.length.target
            parent.add_widget(self.decline_key, index=1)

    def _is_decline_key_above(self, width: float) -> bool:
        """Returns whether the decline key is above the confirming key, as its text is too wide beside that.

        The amount beside the digits leaves room for that; the amount above the digits leaves none.
        """
        if not (self.decline_text and self.has_answer_keys_beside_digits) or self._is_narrow(width):
            return False
        sizes, keys_width = theme.length, self._slip_width(width) - self.answer_key_row.spacing
        key_width = measure_text_width(self.decline_text, sizes.smallest) + sizes.gap + sizes.line
        return bool(key_width > keys_width / 2)

    def _show_or_hide_half_key(self) -> None:
        """Shows the key for a half before the other keys of its row, if halves are allowed."""
        allows_halves = isinstance(self.step, HalfNumber)
        if allows_halves == (self.half_key.parent is None):
            if allows_halves:
                self.answer_key_row.add_widget(self.half_key, index=len(self.answer_key_row.children))
            else:
                self.answer_key_row.remove_widget(self.half_key)


def format_with_sign(number: WholeOrHalf) -> str:
    """Returns a number with its sign, such as +5 or −½."""
    return f"+{number}" if number > 0 else f"{number}".replace("-", "−")


def _count_quiet_lines(text: str, width: float) -> int:
    return count_wrapped_lines(text, width, _measure_quiet_text)


def _measure_quiet_text(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)
