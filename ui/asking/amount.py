"""One number: a pad."""

from __future__ import annotations

from kivy.uix.widget import Widget

from companion.errors import IllegalAnswer
from companion.requests import Amount
from companion.session.view import View
from ui.asking.doubt import Doubt
from ui.asking.question import Question
from ui.widgets.keys.numeral import Numeral
from ui.widgets.keys.pad import Pad

ENDLESS = 99_999
"""Nobody comes to so much: a limit beyond it is not worth a word."""


class AmountPad(Question[Amount]):
    """The pad with the limits of the request; nothing is typed beforehand."""

    def build(self) -> None:
        """The pad."""
        self.pad = Pad(step=self.request.step, allows=self._allows)
        self._limit()
        self.pad.bind(on_confirm=lambda _, amount: self._give(int(amount)))
        self.pad.bind(on_no=lambda _: self._give(0))
        self.doubt = Doubt()
        self.doubt.bind(on_sure=lambda _: self.dispatch("on_answer", 0), on_unsure=lambda _: self.forget())
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
        limits = self.request.limits
        self.pad.least, self.pad.most = limits["least"], limits["most"]

    def _allows(self, amount: int) -> bool:
        """What is covered doesn't count here: the key must not tell of it."""
        try:
            self.request.check_known(amount)
        except IllegalAnswer:
            return False
        return True

    def _give(self, amount: int) -> None:
        """Answers; where the number is grave, asks first in the pad's place."""
        if self.request.doubt(amount) is None:
            self.dispatch("on_answer", amount)
        else:
            self._show(self.doubt)

    def _show(self, part: Widget) -> None:
        self.clear_widgets()
        self.add_widget(part)

    def wish(self, width: float) -> tuple[float, float]:
        """That of the pad."""
        return self.pad.wish(width)

    def is_cramped(self, width: float) -> bool:
        """Whether the pad would be."""
        return self.pad.is_cramped(width)

    def speak(self) -> None:
        """What is allowed, and what the key does."""
        self.pad.sentence = self._allowed()
        self.pad.yes = self.app.tr("Take {amount}", amount="{amount}")
        self.pad.way_out = self.app.tr("No bid") if self.request.none else ""
        self.doubt.text.text = self.said(self.request.sure) if self.request.sure else ""
        self.doubt.sure.text = self.app.tr("Take {amount}", amount=0)
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
