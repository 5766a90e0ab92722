"""One number: a pad."""

from __future__ import annotations

from companion.requests import Amount
from ui.asking.question import Question
from ui.widgets.pad import Pad


class AmountPad(Question[Amount]):
    """The pad with the limits of the request; nothing is typed beforehand."""

    def build(self) -> None:
        """The pad."""
        limits = self.request.limits
        self.pad = Pad(least=limits["least"], most=limits["most"], step=limits["step"])
        self.pad.bind(on_confirm=lambda _, amount: self.dispatch("on_answer", amount))
        self.pad.bind(on_no=lambda _: self.dispatch("on_answer", 0))
        self.add_widget(self.pad)

    @property
    def least(self) -> float:
        """Four rows of keys."""
        return self.pad.least_height

    def speak(self) -> None:
        """What is allowed, and what the key does."""
        self.pad.sentence = self._allowed()
        self.pad.yes = self.app.tr(self.app.lang, "Take {amount}", amount="{amount}")
        self.pad.way_out = self.app.tr(self.app.lang, "No bid") if self.request.none else ""

    def _allowed(self) -> str:
        least, most = self.pad.least, self.pad.most
        if most is None:
            return str(self.app.tr(self.app.lang, "{least} or more", least=least))
        return str(self.app.tr(self.app.lang, "From {least} to {most}", least=least, most=most))

    def forget(self) -> None:
        """The number is wiped off the very pad that knew it."""
        self.pad.amount = None
