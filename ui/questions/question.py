"""What all widgets that put a question share: its texts in the reader's language, and one event."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from typing import Any, ClassVar, Generic, TypeVar

from kivy.uix.boxlayout import BoxLayout

from companion.requests import CardsField, Form, Request
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import Labelled, Text, render
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import running_app
from ui.widgets.drawing.text import called
from ui.words import rename_seats

ROOMY = 4
"""Targets by which the widget of a question likes to exceed its least height at most."""
NARROW = 6.3
"""With fewer targets side by side than these everything stands in one column."""
R = TypeVar("R", bound=Request[Any])


def is_narrow(width: float) -> bool:
    """Whether there is room for one column only."""
    return width < NARROW * theme.length.target


class Question(EventMixin, BoxLayout, Generic[R]):
    """Puts `request`; what people have begun to answer outlives a change of the language."""

    __events__ = ("on_answer",)  # plain: the answer as JSON
    renews: ClassVar[bool] = False
    """Whether it can `renew`, so that it is worth keeping."""

    def __init__(self, request: R, seen: View, **kwargs: Any) -> None:
        kwargs.setdefault("orientation", "vertical")
        kwargs.setdefault("spacing", theme.length.gap)
        super().__init__(**kwargs)
        self.request = request
        self.seen = seen
        self.app = running_app()
        self.build()
        self.speak()
        bind_weak(self.app, "lang", self._translate)
        self.fbind("size", lambda *_: self.fit())

    @property
    def form(self) -> Form:
        """Returns how the question is answered now; limits are live."""
        return self.request.form

    @property
    def cards(self) -> CardsField:
        """Returns the cards asked for, of a question that asks for cards."""
        field = self.form.single_field
        assert isinstance(field, CardsField)
        return field

    @property
    def decline_label(self) -> str:
        """Returns what declining is called; "" if the question can't be declined."""
        declined = self.form.decline
        return self.said(declined.label) if declined else ""

    @property
    def way_out(self) -> str:
        """Returns what the key that declines says; "" if declining isn't allowed."""
        declined = self.form.decline
        if declined is None or declined.barred_reason is not None:
            return ""
        return self.decline_label[:1].upper() + self.decline_label[1:]

    def build(self) -> None:
        """Makes the keys, without any text."""
        raise NotImplementedError  # each kind of widget says it

    def fit(self) -> None:
        """Called after the size has changed; a kind of question adapts its parts here."""

    def speak(self) -> None:
        """Writes every text, in the language of this moment."""
        raise NotImplementedError  # each kind of widget says it

    def show(self, seen: View) -> None:
        """Takes a newer view of the same question."""
        self.seen = seen

    def begin_at(self, answer: Any) -> None:
        """Begins with what was answered before, where that is quicker than to begin anew."""

    def show_laid(self, laid: Sequence[str], waiting: int) -> None:
        """Shows the tags laid for this question, and how many more lie there; most ask for no cards."""

    def turn(self, around: Mapping[Seat, int]) -> None:
        """At which side of the question each sits, in quarters, the reader's own being 0; most don't turn."""

    @property
    def min_height(self) -> float:
        """How high it must be, where it can be higher."""
        return 0.0

    @property
    def compact_height(self) -> float:
        """How high it must be where there is room for nothing else; 0: as high as always."""
        return 0.0

    @property
    def collapsed_height(self) -> float:
        """How high it must be where it may leave out more, or leave all to a page; 0: it may not."""
        return 0.0

    def height_range(self, width: float) -> tuple[float, float]:  # noqa: ARG002 - for those that narrow rooms make higher
        """How high it must be where it is so wide, and how high it likes to be."""
        if self.size_hint_y is None:
            return float(self.height), float(self.height)
        return self.min_height, self.min_height + ROOMY * theme.length.target

    def is_too_narrow(self, _width: float) -> bool:
        """Whether some of its keys would be too narrow there."""
        return False

    def forget(self) -> None:
        """Leaves nothing of an answer, given or begun, on the widget or in it."""
        self.clear_widgets()
        self.build()
        self.speak()

    def refuse(self, _text: str) -> bool:
        """Whether this widget says itself why an answer can't be; most leave it to the screen."""
        return False

    def renew(self, request: R, seen: View) -> bool:  # noqa: ARG002 - for those that can
        """Puts another question of the same kind, if that is quicker than making a new widget."""
        return False

    def said(self, text: Labelled | Text | int) -> str:
        """A text of the game; on keys and beside numbers a very long name is its beginning."""
        return render(rename_seats(text, called), self.app.lang)

    def _speak(self, *_: object) -> None:
        self.speak()

    def _translate(self, *_: object) -> None:
        """A question that has left the screen lives on for a while, but what it asks about has changed."""
        if self.get_root_window() is not None:
            self.speak()


@singledispatch
def asking(request: Request[Any], seen: View) -> Question[Any]:
    """The widget for a question; `ui.questions` registers one for each field and for some kinds."""
    raise NotImplementedError(request.kind)  # a field without a widget is a fault of ours


def hear_why_not(question: Question[Any], refuse: Callable[[str], object]) -> None:
    """Where a touched option can't be chosen now, that is said by `refuse`."""
    if question.is_event_type("on_cant"):
        question.bind(on_cant=lambda _, why: refuse(question.said(why)))
