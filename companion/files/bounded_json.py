"""JSON as others write it: read within bounds, so that nothing in it can hold up or end the program.

It knows neither line nor file; whoever does names them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

import msgspec

from companion.errors import UserError
from companion.files import toml
from companion.texts import say

T = TypeVar("T")
MAX_JSON_NUMBER = 2**53 - 1
"""Beyond this, readers of JSON no longer agree on a whole number."""
MAX_INTEGER_CHARACTERS = len(str(-MAX_JSON_NUMBER))
MAX_NESTING = 50
"""Lists and objects in one another: a final score that says why has 14."""
MAX_ENTRIES = 1_000
"""Things in one list or object: nobody has so many cards."""


def parse_json(text: str, letters: int) -> Any:
    """What a text says, whose own texts have at most so many letters; raises `UserError` for what is beyond.

    Raises `JSONDecodeError` for what is no JSON.
    """
    with _refusing_deep_nesting():
        found = _DECODER.decode(text)
    _check(found, letters, MAX_NESTING)
    return found


def parse_json_prefix(text: str, letters: int) -> tuple[Any, int]:
    """What a text begins with, and where that ends; raises like `read`."""
    with _refusing_deep_nesting():
        found, end = _DECODER.raw_decode(text)
    _check(found, letters, MAX_NESTING)
    return found, end


def decode_stored(decoder: msgspec.json.Decoder[T], body: str | bytes) -> T:
    """What a row of ours says; raises `msgspec.DecodeError` or `UnicodeDecodeError` where it was altered."""
    try:
        return decoder.decode(body)
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None


@contextmanager
def _refusing_deep_nesting() -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise UserError(say("lists or objects are nested too deeply.")) from None


def _check(value: object, letters: int, deeper: int) -> None:
    if isinstance(value, str):
        _check_text(value, letters)
    if not isinstance(value, dict | list):
        return
    if not deeper:
        raise UserError(say("lists or objects are nested too deeply."))
    if len(value) > MAX_ENTRIES:
        raise UserError(say("a list can have at most {most} entries.", most=MAX_ENTRIES))
    for each in value.items() if isinstance(value, dict) else value:
        for one in each if isinstance(value, dict) else (each,):
            _check(one, letters, deeper - 1)


def _check_text(text: str, letters: int) -> None:
    if len(text) > letters:
        why = "the text {value} has more than {most} characters."
        raise UserError(say(why, value=toml.quote_value(text), most=letters))
    try:
        text.encode()
    except UnicodeError:
        raise UserError(say("this is not valid UTF-8.")) from None


def _parse_integer(digits: str) -> int:
    if len(digits) > MAX_INTEGER_CHARACTERS or abs(int(digits)) > MAX_JSON_NUMBER:
        raise UserError(say("a number can be at most {largest}.", largest=MAX_JSON_NUMBER))
    return int(digits)


def _parse_float(digits: str) -> float:
    found = float(digits)
    if abs(found) > MAX_JSON_NUMBER:
        raise UserError(say("a number can be at most {largest}.", largest=MAX_JSON_NUMBER))
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise UserError(say("{name} is not a number in JSON.", name=name))


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UserError(say('"{key}" appears twice.', key=twice))
    return found


_DECODER = json.JSONDecoder(
    parse_int=_parse_integer,
    parse_float=_parse_float,
    parse_constant=_refuse_constant,
    object_pairs_hook=_refuse_duplicate_keys,
)
