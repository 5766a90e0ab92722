"""The base class of all widgets that ask a question: texts in the reader's language, and one event."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from typing import Any, ClassVar, Generic, TypeVar

from kivy.uix.boxlayout import BoxLayout

from companion.clocks import ClockState
from companion.requests import CardsField, Form, Request
from companion.rules.scene_views import MiddlePartView
from companion.session.view import View
from companion.table.ledger import Place
from companion.table.seats import Seat
from companion.texts import Labelled, Text, render
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import get_companion_app
from ui.widgets.drawing.text import shorten_name
from ui.widgets.keys.key import Key
from ui.words import render_sentence, replace_seat_names

MAX_EXTRA_HEIGHT_IN_TARGETS = 4
"""The most height, in targets, that a question's widget prefers above its minimum height."""
MIN_TWO_COLUMN_WIDTH_IN_TARGETS = 6.3
"""The minimum width, in targets, for two columns; a narrower widget has one column."""
R = TypeVar("R", bound=Request[Any])


def needs_single_column(width: float) -> bool:
    """Returns whether the width has room for one column only."""
    return width < MIN_TWO_COLUMN_WIDTH_IN_TARGETS * theme.length.target


class QuestionWidget(EventMixin, BoxLayout, Generic[R]):
    """The base class of the widgets that ask a question: `request`.

    An answer that people have begun stays when the language changes.
    """

    __events__ = ("on_answer",)  # plain: the answer as JSON
    is_reusable: ClassVar[bool] = False
    """Whether the widget can be reused for another request (`try_reuse_for`), so that it is worth keeping."""
    outranks_notes: ClassVar[bool] = False
    """Whether the notes of what happened shrink to a line before keys of the widget go to another page."""
    is_sealed = False
    """Whether the answer goes into an envelope: the key that gives it says so."""
    takes_answers_at_panels: ClassVar[bool] = False
    """Whether players may touch their panels to answer, if the screen lies flat."""
    question_number = 0
    """The number of the question to which the answers of seats belong, if the widget sends such answers."""

    def __init__(self, request: R, view: View, **kwargs: Any) -> None:
        kwargs.setdefault("orientation", "vertical")
        kwargs.setdefault("spacing", theme.length.gap)
        super().__init__(**kwargs)
        self.request = request
        self.view = view
        self.app = get_companion_app()
        self.build_widgets()
        self.update_texts()
        bind_weak(self.app, "lang", self._translate)
        self.fbind("size", lambda *_: self.adapt_to_size())

    def show_clock(self, clock: ClockState | None) -> None:
        """Shows what the clock of the question means for the answer; by default nothing."""

    @property
    def form(self) -> Form:
        """Returns the form of the answer as it is now; its limits may change while the question is open."""
        return self.request.form

    @property
    def cards_field(self) -> CardsField:
        """Returns the cards field of a question that asks for cards."""
        field = self.form.single_field
        assert isinstance(field, CardsField)
        return field

    @property
    def decline_label(self) -> str:
        """Returns the text for declining, such as "Pass"; "" if the question can't be declined."""
        decline = self.form.decline
        return self.render_key_text(decline.label) if decline else ""

    @property
    def decline_key_text(self) -> str:
        """Returns the text of the key that declines; "" if people may not decline now."""
        decline = self.form.decline
        if decline is None or decline.barred_reason is not None:
            return ""
        return self.decline_label

    def bar_declining(self, key: Key) -> None:
        """Disables the key that declines while people may not decline, with the reason."""
        decline = self.form.decline
        reason = None if decline is None else decline.barred_reason
        key.disabled = not self.form.may_decline_now
        key.reason = "" if reason is None else self.render_with_short_names(reason)

    def build_widgets(self) -> None:
        """Builds the keys and other child widgets, without any text."""
        raise NotImplementedError  # each subclass implements it

    def adapt_to_size(self) -> None:
        """Adapts the parts to a changed size; subclasses override it."""

    def update_texts(self) -> None:
        """Updates all texts, in the current language."""
        raise NotImplementedError  # each subclass implements it

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view of the same question."""
        self.view = view

    def prefill(self, previous_answer: Any) -> None:
        """Fills in the previous answer as a start, if that is quicker than entering it anew."""

    def prefill_only_answer(self) -> None:
        """Fills in the answer if everybody may know that it is the only one; one touch then gives it."""

    def show_tags_on_reader(self, accepted_tags: Sequence[str], waiting_count: int) -> None:
        """Shows the accepted tags on the reader, and how many more cards wait there.

        The tags are accepted for this question. Most questions ask for no cards and ignore it.
        """

    def take_parts_of_middle(self, parts: Sequence[MiddlePartView]) -> Sequence[MiddlePartView]:
        """Shows parts of the middle of the table on the keys; returns the other parts.

        So nothing is shown twice. Most questions take none.
        """
        return parts

    def try_choose_thing_at(self, _place: Place) -> bool:
        """Answers the question as if people touched the key of the thing at a place; returns whether it did.

        Most questions aren't about single things on the table.
        """
        return False

    def try_begin_answer_of(self, _seat: Seat) -> bool:
        """Lets a seat that touched its panel answer; returns whether it still may.

        Most questions have no part for each seat that everybody may see.
        """
        return False

    def rotate_toward_seats(self, quarter_turns_by_seat: Mapping[Seat, int]) -> None:
        """Turns parts toward their players, by quarter turns from the reader's side.

        Most questions turn nothing.
        """

    @property
    def min_height(self) -> float:
        """Returns the minimum height of the complete widget."""
        return 0.0

    @property
    def belongs_on_one_page(self) -> bool:
        """Returns whether people miss a key on another page more than a part of the middle of the table."""
        return False

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with some parts left out or on other pages.

        0 means that no part can be: the widget has no compact form.
        """
        return 0.0

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height with nearly all parts on other pages.

        0 means that this isn't possible: the widget has no collapsed form.
        """
        return 0.0

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:  # noqa: ARG002 - some subclasses are higher if narrow
        """Returns the minimum and the preferred height at this width."""
        if self.size_hint_y is None:
            return float(self.height), float(self.height)
        return self.min_height, self.min_height + MAX_EXTRA_HEIGHT_IN_TARGETS * theme.length.target

    def is_too_narrow(self, _width: float) -> bool:
        """Returns whether some keys would be too narrow at this width."""
        return False

    def page_count_at(self, _width: float, _height: float) -> int:
        """Returns the number of pages of keys at this size; most widgets show all keys at once."""
        return 1

    def clear_answer(self) -> None:
        """Removes every trace of an answer, given or begun, from the widget."""
        self.clear_widgets()
        self.build_widgets()
        self.update_texts()

    def try_show_refusal(self, _text: str) -> bool:
        """Shows on the widget why an answer is refused, if it can; returns whether it did.

        Most questions leave it to the screen.
        """
        return False

    def try_reuse_for(self, request: R, view: View) -> bool:  # noqa: ARG002 - some subclasses need it
        """Reuses the widget for another request of the same kind, if it can; returns whether it did."""
        return False

    def render_with_short_names(self, text: Labelled | Text | int) -> str:
        """Returns a text of the game in the reader's language, with very long player names cut short."""
        return render(replace_seat_names(text, shorten_name), self.app.lang)

    def render_key_text(self, label: Labelled | Text) -> str:
        """Returns the text of a key in the reader's language: it begins with a capital letter."""
        return render_sentence(replace_seat_names(label, shorten_name), self.app.lang)

    def _update_texts(self, *_: object) -> None:
        self.update_texts()

    def _translate(self, *_: object) -> None:
        """Updates the texts after a change of the language, if the widget is on the screen.

        A removed widget lives on for a while, but the things in its question have changed.
        """
        if self.get_root_window() is not None:
            self.update_texts()


@singledispatch
def make_question_widget(request: Request[Any], view: View) -> QuestionWidget[Any]:
    """Returns a new widget that asks this question.

    `ui.questions` registers a widget for each field and for some kinds of questions.
    """
    raise NotImplementedError(request.kind)  # a field without a widget is a fault of ours


def report_touches_on_unavailable_options(
    question: QuestionWidget[Any], show_reason: Callable[[str], object]
) -> None:
    """Calls `show_reason` with the reason when somebody touches an option that can't be chosen now."""
    if question.is_event_type("on_unavailable_option"):
        question.bind(
            on_unavailable_option=lambda _, reason: show_reason(question.render_with_short_names(reason))
        )
