"""Widgets for answering questions, whatever the game: one for each kind of field of a form.

    widget = make_question_widget(request, view)
    widget.bind(on_answer=lambda _, plain: …)

A widget knows the request and the view in which it was asked, nothing else.
"""

from __future__ import annotations

from typing import Any

from companion.requests import (
    CardsField,
    Choose,
    ConfirmField,
    NumberField,
    QuantitiesField,
    Raise,
    Request,
    Roll,
    TextField,
    Together,
)
from companion.session.view import View
from ui.questions.buttons import DoneKey, WriteOrDeclineKeys
from ui.questions.card_payment import CardPaymentWidget
from ui.questions.card_picker import CardPicker
from ui.questions.choose import OptionKeys
from ui.questions.counts import CountDials
from ui.questions.number import AmountPad, RaisePad
from ui.questions.open_round import OpenRoundWidget
from ui.questions.question import QuestionWidget, make_question_widget
from ui.questions.roll import RollKeys
from ui.questions.sealed_round import SealedRoundWidget

__all__ = ["make_question_widget"]

WIDGET_CLASS_BY_FIELD: dict[type, type[QuestionWidget[Any]]] = {
    NumberField: AmountPad,
    QuantitiesField: CountDials,
    TextField: WriteOrDeclineKeys,
    ConfirmField: DoneKey,
}

make_question_widget.register(Choose, OptionKeys)
make_question_widget.register(Raise, RaisePad)
make_question_widget.register(Roll, RollKeys)


@make_question_widget.register
def make_round_widget(request: Together, view: View) -> QuestionWidget[Together[Any]]:  # type: ignore[type-arg]  # a class
    """Returns the widget for a round: rows for an open round, envelopes for a sealed one."""
    return OpenRoundWidget(request, view) if request.is_open else SealedRoundWidget(request, view)


@make_question_widget.register
def make_widget_for_field(request: Request, view: View) -> QuestionWidget[Request[Any]]:  # type: ignore[type-arg]  # a class
    """Returns the widget for the request's field, if its kind of question has no widget of its own.

    If people can only decline, the widget is the pad that declines with a number, or counts without dials.
    """
    form = request.form
    match form.single_field:
        case CardsField(counts=None):
            return CardPicker(request, view)
        case CardsField():
            return CardPaymentWidget(request, view)
        case None:
            is_number = form.decline is not None and isinstance(form.decline.answer, int)
            return AmountPad(request, view) if is_number else CountDials(request, view)
        case field:
            return WIDGET_CLASS_BY_FIELD[type(field)](request, view)
