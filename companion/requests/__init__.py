"""Every question a rulebook may ask: one file a kind.

A small closed set; each kind costs a widget, a keypad mapping and a terminal form.
"""

from companion.requests.amount import Amount
from companion.requests.choose import DECLINED, Choose, Falling, Need, Offer, choose_seat
from companion.requests.counts import Count, Counts
from companion.requests.done import Done
from companion.requests.fields import (
    CardsField,
    ConfirmField,
    Decline,
    Field,
    Form,
    NumberField,
    OptionField,
    QuantitiesField,
    TextField,
    from_numbers,
    slots,
    to_numbers,
    total_of,
)
from companion.requests.raise_ import Raise
from companion.requests.read import Rate, Read, Worth
from companion.requests.request import Limit, Request, alike
from companion.requests.roll import Die, Roll
from companion.requests.together import Together
from companion.requests.write import Write

KINDS: dict[str, type[Request[object]]] = {
    kind.kind: kind  # type: ignore[misc]  # each kind answers with its own type
    for kind in (Choose, Raise, Amount, Counts, Read, Roll, Write, Done, Together)
}

__all__ = [
    "DECLINED",
    "KINDS",
    "Amount",
    "CardsField",
    "Choose",
    "ConfirmField",
    "Count",
    "Counts",
    "Decline",
    "Die",
    "Done",
    "Falling",
    "Field",
    "Form",
    "Limit",
    "Need",
    "NumberField",
    "Offer",
    "OptionField",
    "QuantitiesField",
    "Raise",
    "Rate",
    "Read",
    "Request",
    "Roll",
    "TextField",
    "Together",
    "Worth",
    "Write",
    "alike",
    "choose_seat",
    "from_numbers",
    "slots",
    "to_numbers",
    "total_of",
]
