"""One number: a pad."""

from __future__ import annotations

from typing import Any

from kivy.uix.widget import Widget

from companion.requests import NumberField, Request
from companion.session.view import View
from ui.asking.doubt import Doubt
from ui.asking.question import Question
from ui.widgets.keys.numeral import Numeral
from ui.widgets.keys.pad import Pad

ENDLESS = 99_999
"""Nobody comes to so much: a limit beyond it is not worth a word."""


class AmountPad(Question[Request[Any]]):
    """The pad with the limits of the question; nothing is typed beforehand."""

    def build(self) -> None:
        """The pad."""
        self.pad = Pad(allows=self._allows)
        self._limit()
        self.pad.bind(on_confirm=lambda _, amount: self._give(int(amount)))
        self.pad.bind(on_no=lambda _: self._decline())
        self.grave = 0
        self.doubt = Doubt()
        self.doubt.bind(
            on_sure=lambda _: self.dispatch("on_answer", self.grave), on_unsure=lambda _: self.forget()
        )
        self.add_widget(self.pad)

    def show(self, seen: View) -> None:
        """The limits are live."""
        super().show(seen)
        self._limit()
        self.speak()

    def begin_at(self, answer: int) -> None:
        """The number stands there until another is typed."""
        self.pad.start_at(answer)

    def _limit(self) -> None:
        number = self._number
        self.pad.least, self.pad.most, self.pad.step = number.least, number.most, number.step

    @property
    def _number(self) -> NumberField:
        """The number asked for; 0 alone where only declining is left."""
        field = self.form.field
        return field if isinstance(field, NumberField) else NumberField(most=0)

    def _allows(self, amount: int) -> bool:
        """What is covered doesn't count here: the key must not tell of it."""
        return self.form.declines(amount) or self._number.takes(amount)

    def _decline(self) -> None:
        """Gives the answer that declines."""
        declined = self.form.decline
        if declined is not None:
            self._give(declined.answer)

    def _give(self, answer: Any) -> None:
        """Answers; where the number is grave, asks first in the pad's place."""
        if answer not in self.form.cautions:
            self.dispatch("on_answer", answer)
            return
        self.grave = answer
        self.speak()
        self._show(self.doubt)

    def _show(self, part: Widget) -> None:
        self.clear_widgets()
        self.add_widget(part)

    def height_range(self, width: float) -> tuple[float, float]:
        """That of the pad."""
        return self.pad.height_range(width)

    def is_too_narrow(self, width: float) -> bool:
        """Whether the pad would be."""
        return self.pad.is_too_narrow(width)

    def speak(self) -> None:
        """What is allowed, and what the key does."""
        self.pad.sentence = self._allowed()
        self.pad.yes = self.app.tr("Take {amount}", amount="{amount}")
        self.pad.way_out = self.way_out
        caution = self.form.cautions.get(self.grave)
        self.doubt.text.text = self.said(caution) if caution else ""
        self.doubt.sure.text = self.app.tr("Take {amount}", amount=self.grave)
        self.doubt.unsure.text = self.app.tr("Cancel")

    def _allowed(self) -> str:
        least, most = Numeral.of(self.pad.least).shown, self.pad.most
        if most is None or most >= ENDLESS:
            return str(self.app.tr("{least} or more", least=least))
        most = Numeral.of(most).shown
        return str(self.app.tr("From {least} to {most}", least=least, most=most))

    def forget(self) -> None:
        """The number is wiped off the very pad that knew it."""
        self.pad.clear()
        self._show(self.pad)
