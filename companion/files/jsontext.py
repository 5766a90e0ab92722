"""JSON as others write it: read within bounds, so that nothing in it can hold up or end the program.

It knows neither line nor file; whoever does names them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

import msgspec

from companion.errors import TableError
from companion.files import toml
from companion.words import say

T = TypeVar("T")
LARGEST = 2**53 - 1
"""Beyond this, readers of JSON no longer agree on a whole number."""
DIGITS = len(str(-LARGEST))
DEEPEST = 50
"""Lists and objects in one another: a final score that says why has 14."""
MOST = 1_000
"""Things in one list or object: nobody has so many cards."""


def read(text: str, letters: int) -> Any:
    """What a text says, whose own texts have at most so many letters; raises `TableError` for what is beyond.

    Raises `JSONDecodeError` for what is no JSON.
    """
    with _not_too_deep():
        found = _DECODER.decode(text)
    _check(found, letters, DEEPEST)
    return found


def first(text: str, letters: int) -> tuple[Any, int]:
    """What a text begins with, and where that ends; raises like `read`."""
    with _not_too_deep():
        found, end = _DECODER.raw_decode(text)
    _check(found, letters, DEEPEST)
    return found, end


def decoded(decoder: msgspec.json.Decoder[T], body: str | bytes) -> T:
    """What a row of ours says; raises `msgspec.DecodeError` or `UnicodeDecodeError` where it was altered."""
    try:
        return decoder.decode(body)
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None


@contextmanager
def _not_too_deep() -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise TableError(say("lists or objects are nested too deeply.")) from None


def _check(value: object, letters: int, deeper: int) -> None:
    if isinstance(value, str):
        _check_text(value, letters)
    if not isinstance(value, dict | list):
        return
    if not deeper:
        raise TableError(say("lists or objects are nested too deeply."))
    if len(value) > MOST:
        raise TableError(say("a list can have at most {most} entries.", most=MOST))
    for each in value.items() if isinstance(value, dict) else value:
        for one in each if isinstance(value, dict) else (each,):
            _check(one, letters, deeper - 1)


def _check_text(text: str, letters: int) -> None:
    if len(text) > letters:
        why = "the text {value} has more than {most} characters."
        raise TableError(say(why, value=toml.shown(text), most=letters))
    try:
        text.encode()
    except UnicodeError:
        raise TableError(say("this is not valid UTF-8.")) from None


def _whole(digits: str) -> int:
    if len(digits) > DIGITS or abs(int(digits)) > LARGEST:
        raise TableError(say("a number can be at most {largest}.", largest=LARGEST))
    return int(digits)


def _fraction(digits: str) -> float:
    found = float(digits)
    if abs(found) > LARGEST:
        raise TableError(say("a number can be at most {largest}.", largest=LARGEST))
    return found


def _no_number(name: str) -> NoReturn:
    raise TableError(say("{name} is not a number in JSON.", name=name))


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise TableError(say('"{key}" appears twice.', key=twice))
    return found


_DECODER = json.JSONDecoder(
    parse_int=_whole, parse_float=_fraction, parse_constant=_no_number, object_pairs_hook=_each_key_once
)
