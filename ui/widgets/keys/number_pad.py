"""The number pad: a large number, ten digits and quick steps.

    Pad(least=5, most=99, sentence="From 5 to 99", yes="Bid {amount}", way_out="Withdraw")

It never says what can't be typed by hiding it: the confirming key waits until the amount fits.
What each key makes of the number is in `ui.widgets.keys.typed_number`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.line_breaking import lines_in
from ui.widgets.drawing.surfaces import Sheet
from ui.widgets.drawing.text import Writing, across
from ui.widgets.keys.key import Key
from ui.widgets.keys.typed_number import Numeral

DIGIT_ROWS = 3
LIKED = 1.25
"""Keys like to be so many times as high as they must be."""
DIGITS_WIDE = 4.2
"""Targets that the digits are wide there."""
SLIP, SLIP_LOW, STEPS = 2.7, 1.45, 1.15
"""Targets that amount and keys are high above the digits, side by side, and that the quick steps are."""
BETWEEN = 0.25
"""Targets that lie between amount and digits, and between the rows of digits."""
ROOMY = 4.2
"""From so many targets on there is room for quick steps beside the digits."""


class Pad(EventMixin, BoxLayout):
    """Asks for one whole number; `amount` is None until a digit is typed.

    `least`, `most` (None: no limit shown or kept) and `step` are what the request allows;
    `sentence` says them in the reader's language.
    """

    numeral = ObjectProperty(Numeral())
    """What is typed so far."""
    least = NumericProperty(0)
    most = NumericProperty(None, allownone=True)
    step = NumericProperty(1)
    sentence = StringProperty("")
    yes = StringProperty("{amount}")
    """The confirming key's text; `{amount}` stands for the number, or a dash."""
    way_out = StringProperty("")
    wide: ClassVar[float] = 6.1
    """Targets that it must be wide for its amount to stand beside the digits."""
    keys_across: ClassVar[int] = 4
    are_steps_apart: ClassVar[bool] = False
    """Whether the quick keys stand below each other, and not over those that give the amount."""
    steps: ClassVar[tuple[int, ...]] = (-1, 1, 5)
    """What the quick keys add."""
    allows = ObjectProperty(None, allownone=True)
    """Whether a number may be confirmed, as the request decides it; None: the limits alone say so."""
    __events__ = (
        "on_confirm",  # amount: the amount was confirmed; it fits the limits
        "on_no",  # the way out was taken, where `way_out` names one
    )

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("spacing", theme.length.gap)
        super().__init__(**kwargs)
        self._narrow: tuple[bool, bool, bool] | None = None
        self._build()
        for name in ("numeral", "least", "most", "step", "sentence", "yes", "way_out"):
            self.fbind(name, self._show)
        for part, name in ((self, "sentence"), (self.sheet, "size")):
            part.fbind(name, self._fit_limits)
        self.fbind("size", self._arrange)
        self._show()

    def _build(self) -> None:
        """Every part, before it has a place."""
        self.figure = Writing(style="number", halign="center")
        self.limits = Writing(style="quiet", halign="center", lines=3, size_hint_y=0.5)
        self.sheet = put(Sheet(spacing=0, padding=theme.length.gap), self.figure, self.limits)
        self.quick = [self._quick(by) for by in self.steps]
        self.no_key = Key(name="way out", is_full=True, lines=1, on_release=lambda _: self.dispatch("on_no"))
        self.confirm_key = Key(look="brass", name="confirm")
        self.confirm_key.bind(on_release=lambda _: self.dispatch("on_confirm", self.amount))
        self.answers = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.gap / 2)
        put(self.answers, self.confirm_key)
        self.digits = self._build_digits()

    def height_range(self, width: float) -> tuple[float, float]:
        """How high it must be where it is so wide, and how high it likes to be."""
        sizes = theme.length
        digits = DIGIT_ROWS * sizes.target + (DIGIT_ROWS - 1) * sizes.gap / 2
        narrow = self._is_narrow(width)
        least, above = (slip * sizes.target + sizes.gap if narrow else 0.0 for slip in (SLIP_LOW, SLIP))
        return digits + least, digits * LIKED + above

    def is_too_narrow(self, width: float) -> bool:
        """Whether its keys would be too narrow there."""
        return bool(width < self.keys_across * (theme.length.target + theme.length.gap / 2))

    def _is_narrow(self, width: float) -> bool:
        return width < self.wide * theme.length.target

    def _arrange(self, *_: object) -> None:
        """What was typed beside the digits, or above them where there is no room beside."""
        narrow = self._is_narrow(self.width)
        targets = DIGIT_ROWS + SLIP + STEPS + BETWEEN if narrow else ROOMY
        beside = self.width if narrow else self.width - DIGITS_WIDE * theme.length.target - theme.length.gap
        has_steps = beside >= len(self.quick) * (theme.length.target + theme.length.gap / 2)
        roomy = self.height > targets * theme.length.target and (has_steps or self.are_steps_apart)
        low = narrow and self.height < (DIGIT_ROWS + SLIP + BETWEEN) * theme.length.target
        if (narrow, roomy, low) == self._narrow:
            return
        self._narrow = (narrow, roomy, low)
        self.orientation = "vertical" if narrow else "horizontal"
        self.clear_widgets()
        self.answers.size_hint_y = 1 if low else None
        put(self, self._lay_slip(narrow=narrow, roomy=roomy, low=low), self.digits)
        self.digits.size_hint_x, self.digits.width = (
            (1, 0) if narrow else (None, DIGITS_WIDE * theme.length.target)
        )
        self._show_way_out()

    def _fit_limits(self, *_: object) -> None:
        """What is allowed has the room that its lines need; the amount has the rest."""
        sizes = theme.length
        inner = self.sheet.width - 2 * sizes.gap
        lines = lines_in(self.sentence, max(1.0, inner), _small)
        needed, high = lines * sizes.smallest * 1.2, self.sheet.height - 2 * sizes.gap
        is_low = needed > high / 3
        self.limits.size_hint_y, self.limits.height = (None, needed) if is_low else (0.5, self.limits.height)

    def _lay_slip(self, *, narrow: bool, roomy: bool, low: bool) -> BoxLayout:
        """The amount over the keys that give it, or beside them; quick steps where there is room."""
        slip = BoxLayout(orientation="horizontal" if low else "vertical", spacing=theme.length.gap)
        if narrow:
            targets = SLIP_LOW if low else SLIP + (STEPS if roomy else 0)
            slip.size_hint_y, slip.height = None, targets * theme.length.target
        put(slip, self.sheet)
        if roomy and self.quick:
            quick = BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.gap / 2)
            put(slip, put(quick, *self.quick))
        return put(slip, self.answers)

    def _quick(self, steps: int) -> Key:
        key = Key(style="digit", on_release=lambda _: self._step(steps))
        key.steps = steps
        return key

    def _build_digits(self) -> GridLayout:
        """Three rows, so that the table above has room: the digits as on a till, the others beside them."""
        grid = GridLayout(cols=4, spacing=theme.length.gap / 2)
        self.corner = Key(style="digit", on_press=lambda _: self._turn_or_clear())
        delete = Key(icon="delete", name="delete", on_press=self._delete)
        last = {"9": delete, "6": self.corner}
        for digit in "7894561230":
            put(grid, Key(text=digit, style="digit", on_press=self._type))
            if digit in last:
                put(grid, last[digit])
        return grid

    @property
    def amount(self) -> int | None:
        """The number as it stands."""
        numeral: Numeral = self.numeral
        return numeral.amount

    def fits(self) -> bool:
        """Whether the amount is one the request would take."""
        amount = self.amount
        if amount is None or self.allows is not None:
            return amount is not None and bool(self.allows(amount))
        return bool(
            self.least <= amount
            and (self.most is None or amount <= self.most)
            and (amount - self.least) % self.step == 0
        )

    def start_at(self, amount: int | None) -> None:
        """Offer an amount that the first digit typed replaces."""
        self.numeral = Numeral.of(amount, is_offered=True)

    def clear(self) -> None:
        """Nothing is typed."""
        self.numeral = Numeral()

    def _type(self, key: Key) -> None:
        self.numeral = self.numeral.typed(key.text)

    def _delete(self, _key: Key) -> None:
        self.numeral = self.numeral.deleted()

    def _turn_or_clear(self) -> None:
        """One key for both: where numbers may be negative, the sign is the harder to do without."""
        if self.least < 0:
            self.numeral = self.numeral.turned()
        else:
            self.clear()

    def _step(self, steps: int) -> None:
        self.numeral = self.numeral.stepped(steps, self.least, self.most, self.step)

    def _show(self, *_: object) -> None:
        self._show_figure()
        # Before the first digit it promises nothing: no "Take –".
        self.confirm_key.text = (
            "" if self.amount is None else self.yes.format(amount=Numeral.of(self.amount).shown)
        )
        self.confirm_key.icon = "tick" if self.amount is None else ""
        self.confirm_key.disabled = not self.fits()
        turns = self.least < 0
        self.corner.text = "±" if turns else "C"
        self.corner.name = "sign" if turns else "clear"
        for key in self.quick:
            key.text = f"{key.steps * self.step:+d}".replace("-", "−")
        self._show_way_out()

    def _show_figure(self) -> None:
        self.figure.text, self.limits.text = self.numeral.shown, self.sentence

    def _show_way_out(self) -> None:
        self.no_key.text = self.way_out
        if bool(self.way_out) == (self.no_key.parent is None):
            if self.way_out:
                self.answers.add_widget(self.no_key, index=1)
            else:
                self.answers.remove_widget(self.no_key)


def _small(text: str) -> float:
    return across(text, theme.length.smallest, bold=False)
