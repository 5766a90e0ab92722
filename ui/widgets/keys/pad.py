"""The number pad: a big amount, ten digits, and quick steps.

    Pad(least=5, most=99, sentence="From 5 to 99", yes="Bid {amount}", way_out="Withdraw")

It never says what can't be typed by hiding it; the confirming key waits until the amount fits.
What the keys make of each other stands in `ui.widgets.keys.numeral`.
"""

from __future__ import annotations

from typing import Any

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from ui import theme
from ui.events import Tells
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.numeral import Numeral

DIGIT_ROWS = 4


class Pad(Tells, BoxLayout):
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
    allows = ObjectProperty(None, allownone=True)
    """Whether a number may be confirmed, as the request decides it; None: the limits alone say so."""
    __events__ = (
        "on_confirm",  # amount: the amount was confirmed; it fits the limits
        "on_no",  # the way out was taken, where `way_out` names one
    )

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("spacing", theme.length.space)
        super().__init__(**kwargs)
        self.add_widget(self._build_slip())
        self.add_widget(self._build_digits())
        for name in ("numeral", "least", "most", "step", "sentence", "yes", "way_out"):
            self.fbind(name, self._show)
        self._show()

    def _build_slip(self) -> BoxLayout:
        slip = BoxLayout(orientation="vertical", spacing=theme.length.gap)
        sheet = Sheet(spacing=0, padding=theme.length.gap)
        self.figure = Writing(style="number", halign="center")
        self.limits = Writing(style="quiet", halign="center", lines=2, size_hint_y=0.4)
        sheet.add_widget(self.figure)
        sheet.add_widget(self.limits)
        slip.add_widget(sheet)
        quick = BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.gap / 2)
        for key in self._build_keys(-1, 1, 5):
            quick.add_widget(key)
        slip.add_widget(quick)
        self.confirm_key.size_hint_y, self.confirm_key.height = None, theme.length.row
        self.answers = BoxLayout(size_hint_y=None, height=theme.length.row, spacing=theme.length.gap)
        self.answers.add_widget(self.confirm_key)
        slip.add_widget(self.answers)
        return slip

    def _build_keys(self, *steps: int) -> list[Key]:
        """The quick keys, which are given back, the confirming key and the way out."""
        self.quick = [self._quick(by) for by in steps]
        self.no_key = Key(name="way out", size_hint_y=None, on_release=lambda _: self.dispatch("on_no"))
        self.confirm_key = Key(look="brass", name="confirm")
        self.confirm_key.bind(on_release=lambda _: self.dispatch("on_confirm", self.amount))
        return self.quick

    def _quick(self, steps: int) -> Key:
        key = Key(style="digit", on_release=lambda _: self._step(steps))
        key.steps = steps
        return key

    def _build_digits(self) -> GridLayout:
        grid = GridLayout(cols=3, spacing=theme.length.gap / 2)
        for digit in "789456123":
            grid.add_widget(Key(text=digit, style="digit", on_press=self._type))
        self.corner = Key(style="digit", on_press=lambda _: self._turn_or_clear())
        grid.add_widget(self.corner)
        grid.add_widget(Key(text="0", style="digit", on_press=self._type))
        grid.add_widget(Key(icon="delete", name="delete", on_press=self._delete))
        return grid

    @property
    def amount(self) -> int | None:
        """The number as it stands."""
        numeral: Numeral = self.numeral
        return numeral.amount

    @property
    def least_height(self) -> float:
        """How high it must be so that every digit is large enough."""
        return DIGIT_ROWS * theme.length.target + (DIGIT_ROWS - 1) * theme.length.gap / 2

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
        self.figure.text = self.numeral.shown
        self.limits.text = self.sentence
        self.confirm_key.text = self.yes.format(amount=Numeral.of(self.amount).shown)
        self.confirm_key.disabled = not self.fits()
        turns = self.least < 0
        self.corner.text, self.corner.icon = ("±", "") if turns else ("", "cross")
        self.corner.name = "sign" if turns else "clear"
        for key in self.quick:
            key.text = f"{key.steps * self.step:+d}".replace("-", "−")
        self._show_way_out()

    def _show_way_out(self) -> None:
        self.no_key.text = self.way_out
        self.no_key.height = theme.length.row
        if bool(self.way_out) == (self.no_key.parent is None):
            if self.way_out:
                self.answers.add_widget(self.no_key, index=1)
            else:
                self.answers.remove_widget(self.no_key)
