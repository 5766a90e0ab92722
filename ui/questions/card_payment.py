"""Cards that must reach a price: counted by what each is worth, or laid on a reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.requests import CardsField, QuantitiesField, Request
from companion.session.view import View
from ui import theme
from ui.questions.card_picker import TakeKey
from ui.questions.question import ROOMY, Question, is_narrow
from ui.widgets.drawing.line_breaking import lines_in, longest, longest_phrase
from ui.widgets.drawing.surfaces import Sheet
from ui.widgets.drawing.text import Writing, across
from ui.widgets.keys.key import Key
from ui.widgets.keys.steppers import Stepper

STEPPERS = 2.6
"""How much wider the steppers are than what is owed beside them."""
STEP, STEP_WORDY, STEP_LIKED = 1.0, 1.12, 1.25
"""Targets that the row of a rate is high at least, where its words take two lines, and as it likes to be."""
LINES = 2
"""Most lines for the name of what a stepper counts."""
OWED_LOW, OWED = 0.6, 1.5
"""Rows of a rate that what is owed is as high as at least, where it has a row, and as it likes to be."""


class Owed(Sheet):
    """A large number and what it is."""

    caption = StringProperty("")
    amount = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(padding=theme.length.gap, spacing=0, **kwargs)
        self.above = Writing(style="body", halign="center", lines=2, size_hint_y=0.4)
        self.figure = Writing(style="number", halign="center", text="0")
        self.add_widget(self.above)
        self.add_widget(self.figure)
        self.fbind("caption", self.above.setter("text"))
        self.fbind("amount", lambda _, amount: setattr(self.figure, "text", str(amount)))


class CardPayment(Question[Request[Any]]):
    """A stepper for each rate, and what is still owed as the number that matters.

    Cards that are laid on a reader are counted by it, and no touch takes those back.
    """

    __events__ = ("on_take",)  # the cards that already lay there are to be counted too

    def build(self) -> None:
        """Steppers left, the sum right, the keys below."""
        self.spacing = theme.length.gap / 2
        self.body = body = BoxLayout(spacing=theme.length.space)
        self.column = column = BoxLayout(
            orientation="vertical", spacing=theme.length.gap / 2, size_hint_x=STEPPERS
        )
        self.steppers = [Stepper(name=part.key) for part in self.counts.numbers]
        for stepper in self.steppers:
            stepper.fbind("count", self._speak)
            column.add_widget(stepper)
        self.laid: list[str] = []
        self.owed = Owed()
        body.add_widget(column)
        body.add_widget(self.owed)
        self.add_widget(body)
        self.add_widget(self._foot())

    @property
    def counts(self) -> QuantitiesField:
        """The number of cards of each rate, and what they must reach."""
        counts = self.cards.counts
        assert counts is not None
        return counts

    renews = True

    def renew(self, request: Request[Any], seen: View) -> bool:
        """Reuses the steppers for the next payment, if it has as many rates."""
        form = request.form
        counts = form.single_field.counts if isinstance(form.single_field, CardsField) else None
        alike = counts is not None and len(counts.numbers) == len(self.steppers)
        if not alike or (form.decline is None) != (self.form.decline is None):
            return False
        self.request, self.seen, self.laid = request, seen, []
        for stepper in self.steppers:
            stepper.least = stepper.count = 0
        self.cant.disabled = not form.may_decline
        self.speak()
        return True

    def height_range(self, width: float) -> tuple[float, float]:
        """A row for each rate, and the keys; where it is narrow what is owed has a row too."""
        narrow, sizes = self._is_narrow(width), theme.length
        room = Stepper.room(width if narrow else self._beside(width))
        is_wordy = any(across(stepper.text, sizes.smallest, bold=False) > room for stepper in self.steppers)
        least = self._high(narrow=narrow, step=STEP_WORDY if is_wordy else STEP, owed=OWED_LOW)
        liked = self._high(narrow=narrow, step=STEP_LIKED, owed=OWED)
        return least, liked + ROOMY * sizes.target

    def _high(self, *, narrow: bool, step: float, owed: float) -> float:
        """How high it is where a rate has so many targets, and what is owed so many rates."""
        rows = len(self.steppers) + owed if narrow else max(2, len(self.steppers))
        between = (len(self.steppers) + narrow) * self.column.spacing
        return float(rows * theme.length.target * step + between + self.foot.height)

    def fit(self) -> None:
        """What is owed beside the steppers, or below them."""
        narrow = self._is_narrow(self.width)
        is_low = self.height < self._high(narrow=narrow, step=STEP_LIKED, owed=OWED)
        self.body.orientation = "vertical" if narrow else "horizontal"
        self.body.spacing = self.column.spacing if narrow else theme.length.space
        self.column.size_hint = (1, len(self.steppers)) if narrow else (STEPPERS, 1)
        self.owed.orientation = "horizontal" if narrow else "vertical"
        self.owed.size_hint_y = (OWED_LOW if is_low else OWED) if narrow else 1
        self.owed.padding = (theme.length.gap, 0) if narrow else theme.length.gap

    def _is_narrow(self, width: float) -> bool:
        return is_narrow(width) or self._is_tight(width)

    def is_too_narrow(self, width: float) -> bool:
        """Whether a word on a stepper has no room though it has the whole width, or one on the keys below."""
        space = theme.length.space
        declines = self.form.decline is not None
        keys = [(self.cant, 0.7), (self.lay, 1.0)] if declines else [(self.lay, 1.0)]
        share = (width - space * len(keys)) / (2.0 if declines else 1.0)
        no_room = any(longest_phrase(key.text, _small) + space > share * wide for key, wide in keys)
        return no_room or not self._have_room(Stepper.room(width))

    def _is_tight(self, width: float) -> bool:
        """Whether beside what is owed a word on a stepper would have no room."""
        return not self._have_room(Stepper.room(self._beside(width)))

    @staticmethod
    def _beside(width: float) -> float:
        """How wide a stepper is beside what is owed."""
        return (width - theme.length.space) * STEPPERS / (STEPPERS + 1)

    def _have_room(self, room: float) -> bool:
        """Whether what each stepper counts has room there in two lines."""
        texts = [stepper.text for stepper in self.steppers]
        return all(longest(text, _quiet) <= room and lines_in(text, room, _quiet) <= LINES for text in texts)

    def _foot(self) -> BoxLayout:
        """The row of keys, with "can't" far from the brass one."""
        self.foot = row = BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.space)
        self.there = TakeKey()
        self.there.bind(on_release=lambda _: self.dispatch("on_take"))
        self.cant = Key(name="cant", size_hint_x=0.7, disabled=not self.form.may_decline)
        self.cant.bind(on_release=lambda _: self.dispatch("on_answer", None))
        self.lay = Key(look="brass", name="lay")
        self.lay.bind(on_release=lambda _: self.dispatch("on_answer", self.answer()))
        for key in (self.cant, Widget(size_hint_x=0.3)) if self.form.decline else ():
            row.add_widget(key)
        row.add_widget(self.lay)
        return row

    def show(self, seen: View) -> None:
        """What can be paid with may change while it is asked for."""
        super().show(seen)
        self.cant.disabled = not self.form.may_decline
        self.speak()

    def show_laid(self, laid: Sequence[str], waiting: int) -> None:
        """A step for each card that was laid or lifted; a key where more lie there."""
        self.laid = list(laid)
        fitting = [self.cards.rate_of(self.cards.read({"tag": tag})) for tag in laid]
        for at, stepper in enumerate(self.steppers):
            before, stepper.least = stepper.least, fitting.count(at)
            stepper.count = max(stepper.least, stepper.count + stepper.least - before)
        self.there.show(waiting)
        self.there.stand_in(self.foot, before=self.lay)
        self.speak()

    def answer(self) -> list[object]:
        """The cards that were laid, and as many described ones of each rate as were counted besides."""
        typed = [
            {"values": dict(values)}
            for values, stepper in zip(self.cards.rates, self.steppers, strict=True)
            for _ in range(int(stepper.count - stepper.least))
        ]
        return [*({"tag": tag} for tag in self.laid), *typed]

    def speak(self) -> None:
        """What each card counts, and what is still owed."""
        self.cant.text = self.decline_label
        self.there.speak()
        self.lay.text = self.app.trn("Lay down {n} card", "Lay down {n} cards", len(self.answer()))
        cards, counts = self.cards, self.counts
        owed, most = counts.least or 0, cards.most
        laid = sum(stepper.count for stepper in self.steppers)
        counted = list(zip(counts.numbers, self.steppers, strict=True))
        for part, stepper in counted:
            stepper.text = self.said(part.label)
            stepper.note = self.app.tr("worth {n}", n=part.unit_value)
            stepper.most = stepper.count + (most - laid if most is not None else 1)
        paid = sum(part.unit_value * stepper.count for part, stepper in counted)
        self.owed.amount = abs(owed - paid)
        if paid == owed:
            self.owed.caption = self.app.tr("Paid exactly")
        else:
            self.owed.caption = self.app.tr("Too much") if paid > owed else self.app.tr("Still owed")
        self.lay.disabled = paid < owed or laid < cards.least
        self.fit()


def _small(text: str) -> float:
    return across(text, theme.length.smallest)


def _quiet(text: str) -> float:
    return across(text, theme.length.smallest, bold=False)
