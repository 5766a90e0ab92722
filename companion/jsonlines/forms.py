"""The form of a question as JSON: what docs/json.md calls `form`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.requests import (
    CardsField,
    Falling,
    Field,
    Form,
    NumberField,
    OptionField,
    QuantitiesField,
    TextField,
)
from companion.requests.choose import described
from companion.table.seats import Seat
from companion.words import Labelled, render

Json = dict[str, Any]


def write_form(form: Form) -> Json:
    """Returns a form as JSON; what a program can leave out is left out."""
    line: Json = {"fields": [_field(field) for field in form.fields]}
    if form.decline is not None:
        line["decline"] = {
            "key": form.decline.key,
            "label": render(form.decline.label),
            "answer": form.decline.answer,
        }
        if form.decline.barred is not None:
            line["decline"]["barred"] = render(form.decline.barred)
    line |= {name: True for name in ("many", "at_once", "app_answers") if getattr(form, name)}
    if form.cautions:
        line["cautions"] = [
            {"answer": answer, "text": render(text)} for answer, text in form.cautions.items()
        ]
    return line | {name: _fact(fact) for name, fact in form.facts.items()}


def _field(field: Field) -> Json:
    line: Json = {"type": "confirm"}
    match field:
        case NumberField():
            line = _number(field)
        case OptionField(options=options, barred=barred):
            line = {"type": "option", "options": {key: _text(option) for key, option in options.items()}}
            if barred:
                line["barred"] = {key: render(why) for key, (_, why) in barred.items()}
        case QuantitiesField():
            line = _quantities(field)
        case CardsField(least=least, most=most, shows=shows, counts=counts):
            line = {"type": "cards", "least": least, "most": most}
            if shows:
                line["shows"] = dict(shows)
            if counts is not None:
                line |= {"counts": _quantities(counts), "rates": [dict(rate) for rate in field.rates]}
        case TextField(most=most):
            line = {"type": "text", "most": most}
    return line


def _number(number: NumberField) -> Json:
    line: Json = {"type": "number"}
    if number.key:
        line["key"] = number.key
    if label := render(number.label):
        line["label"] = label
    if number.values:
        line["values"] = list(number.values)
    else:
        line |= {"least": number.least, "most": number.most, "step": number.step}
    if number.names:
        line["names"] = [render(name) for name in number.names]
    return line | ({"each": number.each} if number.each != 1 else {})


def _quantities(numbers: QuantitiesField) -> Json:
    parts = [_number(part) for part in numbers.parts]
    total = {"least": numbers.least, "most": numbers.most, "kinds": numbers.kinds}
    return {"type": "quantities", "parts": parts, **total}


def _text(option: Labelled) -> str:
    return render(described(option))


def _fact(fact: Any) -> Any:
    """What stands beside the fields: seats by name, names and texts as people read them."""
    match fact:
        case Mapping():
            return {_fact(key): _fact(value) for key, value in fact.items()}
        case tuple():
            return [_fact(one) for one in fact]
        case Seat():
            return fact.name
        case Falling():
            return {"price": fact.price, "then": fact.then}
        case int() | str() | None:
            return fact
    return render(fact)
