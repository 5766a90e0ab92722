"""The kinds of questions that a rulebook can ask, one module for each kind.

The set is small and closed: each kind costs a widget, a keypad mapping and a terminal form.
"""

from companion.requests.amount import Amount
from companion.requests.choose import (
    PASS_KEY,
    Choose,
    DetailedOption,
    FallingPriceStep,
    OptionRequirement,
    choose_seat,
)
from companion.requests.counts import CountedItem, Counts
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
    answer_from_numbers,
    number_fields_replacing_all_fields,
    numbers_from_answer,
    quantities_field_with_total,
)
from companion.requests.raise_ import Raise
from companion.requests.read import CardRate, PriceInCards, Read
from companion.requests.request import Limit, Request, are_questions_equal
from companion.requests.roll import Die, Roll
from companion.requests.together import Together
from companion.requests.write import Write

REQUEST_TYPE_BY_KIND: dict[str, type[Request[object]]] = {
    kind.kind: kind  # type: ignore[misc]  # each kind answers with its own type
    for kind in (Choose, Raise, Amount, Counts, Read, Roll, Write, Done, Together)
}

__all__ = [
    "PASS_KEY",
    "REQUEST_TYPE_BY_KIND",
    "Amount",
    "CardRate",
    "CardsField",
    "Choose",
    "ConfirmField",
    "CountedItem",
    "Counts",
    "Decline",
    "DetailedOption",
    "Die",
    "Done",
    "FallingPriceStep",
    "Field",
    "Form",
    "Limit",
    "NumberField",
    "OptionField",
    "OptionRequirement",
    "PriceInCards",
    "QuantitiesField",
    "Raise",
    "Read",
    "Request",
    "Roll",
    "TextField",
    "Together",
    "Write",
    "answer_from_numbers",
    "are_questions_equal",
    "choose_seat",
    "number_fields_replacing_all_fields",
    "numbers_from_answer",
    "quantities_field_with_total",
]
