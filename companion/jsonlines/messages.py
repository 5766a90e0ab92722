"""Messages as JSON: checks incoming lines, and writes the form of a question.

The keys of a line that does an action come from the table of actions. This module knows no game; the question
decides whether an answer is legal.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import msgspec

from companion.actions import ACTIONS, LATER_ANSWERS_CONFIRMATION, REVEAL_CONFIRMATION
from companion.bounds import MAX_TEXT_CHARACTERS
from companion.errors import UserError
from companion.files import bounded_json
from companion.half_numbers import number_to_json
from companion.requests import (
    CardsField,
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
from companion.texts import Labelled, Say, render, say

MAX_LINE_BYTES = 1_000_000
"""The greatest length of a line; a longer line is read to its end and refused."""
MAX_LETTERS_OF_VALUE_IN_ERROR = 40
"""The most letters of a wrong value that an error repeats."""


class MessageShape(msgspec.Struct, frozen=True):
    """The keys of one kind of line and the types of their values."""

    required_keys: Mapping[str, type] = {}
    optional_keys: Mapping[str, type] = {}


ANSWER_SHAPE = MessageShape({"n": int, "answer": object}, {"seat": str})
JSON_ONLY_ACTIONS = {"state": MessageShape()}
"""The actions that only JSON lines have."""
ACTIONS_NOT_IN_JSON = ("back", "pause", "go_on", "set_clocks")
"""The actions that are not in JSON lines.

`undo` has `to` instead of `back`, and no clock runs here.
"""
EXTRA_KEYS_BY_ACTION: Mapping[str, Mapping[str, type]] = {"undo": {"to": int}, "redo": {"past_reveal": bool}}
"""The extra JSON keys of each action, with their types.

The key of `redo` has no effect.
"""
JSON_KEY_BY_CONFIRMATION = {LATER_ANSWERS_CONFIRMATION: "go_back", REVEAL_CONFIRMATION: "past_reveal"}
"""The JSON key with which a program confirms, for each confirmation.

A confirmation without a key counts as given.
"""


def action_names() -> list[str]:
    """Returns the names of all actions in JSON, the possible values of `do`."""
    return [*(key for key in ACTIONS if key not in ACTIONS_NOT_IN_JSON), *JSON_ONLY_ACTIONS]


def message_shape(action_name: str | None) -> MessageShape:
    """Returns the keys that a line with an action must and may have; None stands for an answer."""
    if action_name is None:
        return ANSWER_SHAPE
    if action_name in JSON_ONLY_ACTIONS:
        return JSON_ONLY_ACTIONS[action_name]
    action = ACTIONS[action_name]
    confirmation_keys = [
        JSON_KEY_BY_CONFIRMATION[key] for key in action.confirmations if key in JSON_KEY_BY_CONFIRMATION
    ]
    return MessageShape(
        {parameter.key: parameter.json_type for parameter in action.parameters if not parameter.is_optional},
        {
            **{
                parameter.key: parameter.json_type for parameter in action.parameters if parameter.is_optional
            },
            **dict.fromkeys(confirmation_keys, bool),
            **EXTRA_KEYS_BY_ACTION.get(action_name, {}),
        },
    )


_TYPE_NAMES = {int: "a whole number", str: "a text", bool: "true or false"}


class JsonMessage(msgspec.Struct, frozen=True):
    """A parsed line: its action, and its other keys as arguments; without an action, an answer."""

    action: str | None
    arguments: dict[str, Any]


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yields the lines of a stream; of a line that is too long, only its first `MAX_LINE_BYTES` + 1 bytes."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(MAX_LINE_BYTES)
        yield line


def parse_message(line_number: int, line: bytes) -> JsonMessage:
    """Returns the message in a line; raises `UserError`, which names the line and what is wrong with it."""
    if line_number == 1:
        line = line.removeprefix(BOM_UTF8)  # Windows begins files with it
    try:
        return _make_message(_parse_json_object(line))
    except UserError as error:
        raise UserError(say("Line {line}: {why}", line=line_number, why=error.text)) from error


def _parse_json_object(line: bytes) -> dict[str, Any]:
    if len(line) > MAX_LINE_BYTES:
        raise UserError(say("a line can have at most {most} bytes.", most=MAX_LINE_BYTES))
    try:
        value = bounded_json.parse_json(line.decode().rstrip("\r\n"), MAX_TEXT_CHARACTERS)
    except UnicodeError:
        raise UserError(say("this is not valid UTF-8.")) from None
    except json.JSONDecodeError as error:
        raise UserError(
            say("this is not valid JSON: {why} at column {column}.", why=error.msg, column=error.pos + 1)
        ) from None
    if not isinstance(value, dict):
        raise UserError(say('a line must be a JSON object, such as {{"do": "state"}}.'))
    return value


def _make_message(json_object: dict[str, Any]) -> JsonMessage:
    action = json_object.pop("do", None)
    names = action_names()
    if action is not None and action not in names:
        raise UserError(
            say(
                '"do" can\'t be {do}; choose from: {deeds}.', do=_format_value(action), deeds=", ".join(names)
            )
        )
    shape = message_shape(action)
    for key in shape.required_keys:
        if key not in json_object:
            raise UserError(
                say('"{key}" is missing; {keys}.', key=key, keys=_describe_allowed_keys(action, shape))
            )
    for key, value in json_object.items():
        _check_key_and_type(action, shape, key, value)
    return JsonMessage(action, json_object)


def _check_key_and_type(action: str | None, shape: MessageShape, key: str, value: object) -> None:
    expected_type = {**shape.required_keys, **shape.optional_keys}.get(key)
    if expected_type is None:
        raise UserError(
            say('"{key}" is unknown here; {keys}.', key=key, keys=_describe_allowed_keys(action, shape))
        )
    if expected_type is not object and type(value) is not expected_type:
        raise UserError(
            say(
                '"{key}" must be {kind}, not {value}.',
                key=key,
                kind=_TYPE_NAMES[expected_type],
                value=_format_value(value),
            )
        )


def _describe_allowed_keys(action: str | None, shape: MessageShape) -> Say:
    required = ", ".join(shape.required_keys) or "none"
    optional = ", ".join(shape.optional_keys) or "none"
    subject = say("an answer") if action is None else say("{do}", do=action)
    return say(
        "{what} needs these keys: {needed}. It can also have these keys: {optional}",
        what=subject,
        needed=required,
        optional=optional,
    )


def _format_value(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_LETTERS_OF_VALUE_IN_ERROR else text[:MAX_LETTERS_OF_VALUE_IN_ERROR] + "…"


# The form of a question, which docs/json.md calls `form`


Json = dict[str, Any]


def form_as_json(form: Form) -> Json:
    """Returns a form as JSON, without the keys that have their default value."""
    line: Json = {"fields": [_field_as_json(field) for field in form.fields]}
    if form.decline is not None:
        line["decline"] = {
            "key": form.decline.key,
            "label": render(form.decline.label),
            "answer": form.decline.answer,
        }
        if form.decline.barred_reason is not None:
            line["decline"]["barred"] = render(form.decline.barred_reason)
    flags = {"many": form.is_list_answer, "at_once": form.is_race, "app_answers": form.app_may_roll}
    line |= {name: True for name, is_set in flags.items() if is_set}
    if form.confirmations:
        line["cautions"] = [
            {"answer": answer, "text": render(text)} for answer, text in form.confirmations.items()
        ]
    return line | {name: _fact_as_json(fact) for name, fact in form.side_facts.items()}


def _field_as_json(field: Field) -> Json:
    line: Json = {"type": "confirm"}
    match field:
        case NumberField():
            return _number_as_json(field)
        case OptionField(options=options, barred_options=barred_options):
            line = {
                "type": "option",
                "options": {key: _render_option(option) for key, option in options.items()},
            }
            if barred_options:
                line["barred"] = {key: render(why) for key, (_, why) in barred_options.items()}
        case QuantitiesField():
            return _quantities_as_json(field)
        case CardsField(least=least, most=most, required_values=required_values, counts=counts):
            line = {"type": "cards", "least": least, "most": most}
            if required_values:
                line["shows"] = dict(required_values)
            if counts is not None:
                line |= {"counts": _quantities_as_json(counts), "rates": [dict(rate) for rate in field.rates]}
        case TextField(max_letters=most):
            line = {"type": "text", "most": most}
    return line


def _number_as_json(number: NumberField) -> Json:
    line: Json = {"type": "number"}
    if number.key:
        line["key"] = number.key
    if label := render(number.label):
        line["label"] = label
    if number.values:
        line["values"] = list(number.values)
    else:
        most = None if number.most is None else number_to_json(number.most)
        line |= {"least": number_to_json(number.least), "most": most, "step": number_to_json(number.step)}
    if number.value_names:
        line["names"] = [render(name) for name in number.value_names]
    return line | ({"each": number.unit_value} if number.unit_value != 1 else {})


def _quantities_as_json(numbers: QuantitiesField) -> Json:
    parts = [_number_as_json(part) for part in numbers.numbers]
    total = {"least": numbers.least, "most": numbers.most, "kinds": numbers.max_nonzero_numbers}
    return {"type": "quantities", "parts": parts, **total}


def _render_option(option: Labelled) -> str:
    return render(option_line_with_details(option))


def _fact_as_json(fact: Any) -> Any:
    """Returns a public fact as JSON: seats by name, texts as people read them."""
    match fact:
        case Mapping():
            return {_fact_as_json(key): _fact_as_json(value) for key, value in fact.items()}
        case tuple():
            return [_fact_as_json(item) for item in fact]
        case Seat():
            return fact.name
        case FallingPriceStep():
            return {"price": fact.price, "then": fact.next_price}
        case int() | str() | None:
            return fact
    return render(fact)
