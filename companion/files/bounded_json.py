"""Reads JSON from outside within limits, so that no text can hold up or end the program.

The module knows neither line nor file; its callers name them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, NamedTuple, NoReturn, TypeVar

import msgspec

from companion.errors import UserError
from companion.files import toml
from companion.texts import say

T = TypeVar("T")
MAX_JSON_NUMBER = 2**53 - 1
"""The largest whole number in JSON; readers of JSON don't agree on larger ones."""
MAX_INTEGER_CHARACTERS = len(str(-MAX_JSON_NUMBER))
MAX_JSON_NESTING = 50
"""The most lists and objects inside each other; a final score with its reasons has 14."""
MAX_ENTRIES_PER_CONTAINER = 1_000
"""The most entries of one list or object; no player has that many cards."""


def parse_json(text: str, max_characters: int) -> Any:
    """Returns the value of a JSON text; raises `UserError` for a value beyond the limits.

    Raises `JSONDecodeError` for text that isn't JSON.
    """
    with _refusing_deep_nesting():
        value = _BOUNDED_DECODER.decode(text)
    _require_within_limits(value, max_characters, MAX_JSON_NESTING)
    return value


class JsonPrefix(NamedTuple):
    """A JSON value at the beginning of a text, and the index of the first character after it."""

    value: Any
    end: int


def parse_json_prefix(text: str, max_characters: int) -> JsonPrefix:
    """Parses the JSON value that a text begins with; raises like `parse_json`."""
    with _refusing_deep_nesting():
        value, end = _BOUNDED_DECODER.raw_decode(text)
    _require_within_limits(value, max_characters, MAX_JSON_NESTING)
    return JsonPrefix(value, end)


def decode_stored_json(decoder: msgspec.json.Decoder[T], stored_json: str | bytes) -> T:
    """Returns the value of JSON from our database.

    Raises `msgspec.DecodeError` or `UnicodeDecodeError` if the JSON is damaged.
    """
    try:
        return decoder.decode(stored_json)
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None


@contextmanager
def _refusing_deep_nesting() -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise UserError(say("lists or objects are nested too deeply.")) from None


def _require_within_limits(value: object, max_characters: int, levels_left: int) -> None:
    if isinstance(value, str):
        _require_valid_text(value, max_characters)
    if not isinstance(value, dict | list):
        return
    if not levels_left:
        raise UserError(say("lists or objects are nested too deeply."))
    if len(value) > MAX_ENTRIES_PER_CONTAINER:
        raise UserError(say("a list can have at most {most} entries.", most=MAX_ENTRIES_PER_CONTAINER))
    for entry in chain.from_iterable(value.items()) if isinstance(value, dict) else value:
        _require_within_limits(entry, max_characters, levels_left - 1)


def _require_valid_text(text: str, max_characters: int) -> None:
    if len(text) > max_characters:
        why = "the text {value} has more than {most} characters."
        raise UserError(say(why, value=toml.quote_value(text), most=max_characters))
    try:
        text.encode()
    except UnicodeError:
        raise UserError(say("this is not valid UTF-8.")) from None


def _parse_integer(digits: str) -> int:
    if len(digits) > MAX_INTEGER_CHARACTERS or abs(int(digits)) > MAX_JSON_NUMBER:
        raise UserError(say("a number can be at most {largest}.", largest=MAX_JSON_NUMBER))
    return int(digits)


def _parse_float(digits: str) -> float:
    number = float(digits)
    if abs(number) > MAX_JSON_NUMBER:
        raise UserError(say("a number can be at most {largest}.", largest=MAX_JSON_NUMBER))
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise UserError(say("{name} is not a number in JSON.", name=name))


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in names if names.count(name) > 1)
        raise UserError(say('"{key}" appears twice.', key=duplicate))
    return values


_BOUNDED_DECODER = json.JSONDecoder(
    parse_int=_parse_integer,
    parse_float=_parse_float,
    parse_constant=_refuse_constant,
    object_pairs_hook=_refuse_duplicate_keys,
)
