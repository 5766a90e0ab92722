"""How questions are put to people, whatever the game: a widget for each field of a form.

    widget = asking(request, seen)
    widget.bind(on_answer=lambda _, plain: …)

A widget knows the request and the view it was asked in, nothing else.
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
from ui.questions.buttons import DoneKey, WriteKeys
from ui.questions.card_payment import CardPayment
from ui.questions.card_picker import CardList
from ui.questions.choose import OptionKeys
from ui.questions.counts import CountsPad
from ui.questions.number import AmountPad, RaisePad
from ui.questions.open_round import OpenRound
from ui.questions.question import Question, asking
from ui.questions.roll import RollKeys
from ui.questions.sealed_round import TogetherEnvelopes

__all__ = ["asking"]

WIDGETS: dict[type, type[Question[Any]]] = {
    NumberField: AmountPad,
    QuantitiesField: CountsPad,
    TextField: WriteKeys,
    ConfirmField: DoneKey,
}

asking.register(Choose, OptionKeys)
asking.register(Raise, RaisePad)
asking.register(Roll, RollKeys)


@asking.register
def open_or_sealed(request: Together, seen: View) -> Question[Together[Any]]:  # type: ignore[type-arg]  # a class
    """Rows for all to see, or envelopes."""
    return OpenRound(request, seen) if request.is_open else TogetherEnvelopes(request, seen)


@asking.register
def ask_by_field(request: Request, seen: View) -> Question[Request[Any]]:  # type: ignore[type-arg]  # a class
    """The widget for the field, where the kind of question has no widget of its own.

    Where only declining is left, the pad that declines with a number, or the counts without any dial.
    """
    form = request.form
    match form.single_field:
        case CardsField(counts=None):
            return CardList(request, seen)
        case CardsField():
            return CardPayment(request, seen)
        case None:
            is_number = form.decline is not None and isinstance(form.decline.answer, int)
            return AmountPad(request, seen) if is_number else CountsPad(request, seen)
        case field:
            return WIDGETS[type(field)](request, seen)
