"""An earlier question put once more, with the widget of its kind, to change what was answered then."""

from __future__ import annotations

from typing import Any

from kivy.uix.widget import Widget

from companion.requests import Request
from companion.session.view import View
from companion.words import render
from ui import theme
from ui.asking import asking
from ui.asking.question import hear_why_not
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.sheets.head import Head, Page
from ui.widgets.sheets.slip import Refusal


class Amend(Page):
    """`question` as it was asked, in the view of that moment; it begins at the `answer` that was given."""

    __events__: tuple[str, ...] = ("on_answer",)  # plain: the answer, as JSON, that should have been given

    def __init__(self, question: Request[Any], seen: View, answer: Any, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        app = self.app
        self.head = Head(render(question.text, app.lang))
        before = Writing(
            text=app.tr("Current answer: {answer}", answer=render(question.told(answer), app.lang)),
            style="quiet",
            felt=True,
            lines=2,
            line_height=1.0,
            padding=(sizes.bar + sizes.gap, 0, 0, 0),
            size_hint_y=None,
            height=sizes.body * 1.5,
        )
        self.refusal = Refusal()
        self.question: Any = asking(question, seen)
        self.question.begin_at(answer)
        self.question.bind(on_answer=lambda _, plain: self.dispatch("on_answer", plain))
        hear_why_not(self.question, self.refuse)
        self.lay_under(self.head, before, self.question)
        if self.question.size_hint_y is None:
            put(self, Widget())

    def refuse(self, text: str) -> None:
        """Why that can't be the answer."""
        if not self.question.refuse(text):
            self.refusal.text = text
            self.refusal.lay_over(self, self.head.beside)

    def on_touch_down(self, touch: Any) -> bool:
        """The next touch takes the refusal away."""
        return self.refusal.take(touch) or bool(super().on_touch_down(touch))
