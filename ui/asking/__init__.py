"""How each kind of question is put to people: one widget a kind, whatever the game.

    widget = asking(request, seen)
    widget.bind(on_answer=lambda _, plain: …)

A widget knows the request and the view it was asked in, nothing else.
"""

from __future__ import annotations

from typing import Any

from companion.requests import Amount, Choose, Counts, Done, Raise, Read, Roll, Together, Write
from companion.session.view import View
from ui.asking.amount import AmountPad
from ui.asking.card_list import CardList
from ui.asking.choose import OptionKeys
from ui.asking.counts import CountsPad
from ui.asking.done import DoneKey
from ui.asking.open_round import OpenRound
from ui.asking.question import Question, asking
from ui.asking.raise_ import RaisePad
from ui.asking.read import CardPayment
from ui.asking.roll import RollKeys
from ui.asking.together import TogetherEnvelopes
from ui.asking.write import WriteKeys

__all__ = ["asking"]

asking.register(Amount, AmountPad)
asking.register(Choose, OptionKeys)
asking.register(Counts, CountsPad)
asking.register(Done, DoneKey)
asking.register(Raise, RaisePad)
asking.register(Roll, RollKeys)
asking.register(Write, WriteKeys)


@asking.register
def open_or_sealed(request: Together, seen: View) -> Question[Together[Any]]:  # type: ignore[type-arg]  # a class
    """Rows for all to see, or envelopes."""
    return OpenRound(request, seen) if request.open else TogetherEnvelopes(request, seen)


@asking.register
def pick_or_pay(request: Read, seen: View) -> Question[Read]:
    """Steppers where the cards must reach a price, else the deck to pick from."""
    return CardPayment(request, seen) if request.worth else CardList(request, seen)
