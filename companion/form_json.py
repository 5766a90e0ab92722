"""The form of a question as JSON, which docs/json.md calls `form`: for programs and for phones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.half_numbers import number_to_json
from companion.languages import ENGLISH
from companion.requests import (
    CardsField,
    ConfirmField,
    FallingPriceStep,
    Field,
    Form,
    NumberField,
    OptionField,
    QuantitiesField,
    TextField,
)
from companion.requests.choose import option_line_with_details
from companion.table.seats import Seat
from companion.texts import render

Json = dict[str, Any]


def form_as_json(form: Form, language: str = ENGLISH) -> Json:
    """Returns a form as JSON with texts in a language, without the keys that have their default value."""
    line: Json = {"fields": [_field_as_json(field, language) for field in form.fields]}
    if form.decline is not None:
        line["decline"] = {
            "key": form.decline.key,
            "label": render(form.decline.label, language),
            "answer": form.decline.answer,
        }
        if form.decline.barred_reason is not None:
            line["decline"]["barred"] = render(form.decline.barred_reason, language)
    flags = {"many": form.is_list_answer, "at_once": form.is_race, "app_answers": form.app_may_roll}
    line |= {name: True for name, is_set in flags.items() if is_set}
    if form.confirmations:
        line["cautions"] = [
            {"answer": answer, "text": render(text, language)} for answer, text in form.confirmations.items()
        ]
    return line | {name: _fact_as_json(fact, language) for name, fact in form.side_facts.items()}


def _field_as_json(field: Field, language: str) -> Json:
    line: Json = {"type": "confirm"}
    match field:
        case NumberField():
            return _number_as_json(field, language)
        case OptionField(options=options, barred_options=barred_options):
            line = {
                "type": "option",
                "options": {
                    key: render(option_line_with_details(option), language) for key, option in options.items()
                },
            }
            if barred_options:
                line["barred"] = {key: render(why, language) for key, (_, why) in barred_options.items()}
        case QuantitiesField():
            return _quantities_as_json(field, language)
        case CardsField(least=least, most=most, required_values=required_values, counts=counts):
            line = {"type": "cards", "least": least, "most": most}
            if required_values:
                line["shows"] = dict(required_values)
            if counts is not None:
                line |= {
                    "counts": _quantities_as_json(counts, language),
                    "rates": [dict(rate) for rate in field.rates],
                }
        case TextField(max_letters=most):
            line = {"type": "text", "most": most}
        case ConfirmField(answer=answer) if answer is not True:
            line["answer"] = answer
    return line


def _number_as_json(number: NumberField, language: str) -> Json:
    line: Json = {"type": "number"}
    if number.key:
        line["key"] = number.key
    if label := render(number.label, language):
        line["label"] = label
    if number.values:
        line["values"] = list(number.values)
    else:
        most = None if number.most is None else number_to_json(number.most)
        line |= {"least": number_to_json(number.least), "most": most, "step": number_to_json(number.step)}
    if number.confirm_above is not None:
        line["confirm_above"] = number.confirm_above
    if number.value_names:
        line["names"] = [render(name, language) for name in number.value_names]
    return line | ({"each": number.unit_value} if number.unit_value != 1 else {})


def _quantities_as_json(numbers: QuantitiesField, language: str) -> Json:
    parts = [_number_as_json(part, language) for part in numbers.numbers]
    total = {"least": numbers.least, "most": numbers.most, "kinds": numbers.max_nonzero_numbers}
    return {"type": "quantities", "parts": parts, **total}


def _fact_as_json(fact: Any, language: str) -> Any:
    """Returns a public fact as JSON: seats by name, texts as people read them."""
    match fact:
        case Mapping():
            return {
                _fact_as_json(key, language): _fact_as_json(value, language) for key, value in fact.items()
            }
        case tuple():
            return [_fact_as_json(item, language) for item in fact]
        case Seat():
            return fact.name
        case FallingPriceStep():
            return {"price": fact.price, "then": fact.next_price}
        case int() | str() | None:
            return fact
    return render(fact, language)
