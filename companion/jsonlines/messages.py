"""Lines of JSON as they come in: which shapes there are, and what is wrong with a line that has none of them.

It knows no game; whether an answer is legal is said by the question.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from companion.bounds import LETTERS
from companion.errors import TableError
from companion.files import jsontext
from companion.words import Say, say

LONGEST = 1_000_000
"""Bytes of a line; a longer one is read to its end and refused."""
SHOWN = 40
"""Letters of what was wrong that a sentence repeats."""


class Shape(msgspec.Struct, frozen=True):
    """The keys of one kind of line and what they hold."""

    needed: dict[str, type] = {}
    optional: dict[str, type] = {}


SHAPES: dict[str | None, Shape] = {
    None: Shape({"n": int, "answer": object}, {"seat": str}),
    "roll": Shape({"n": int}),
    "undo": Shape({}, {"past_reveal": bool, "to": int}),
    "redo": Shape({}, {"past_reveal": bool, "count": int}),
    "correct": Shape({"from": str, "to": str, "piece": str, "count": int, "reason": str}, {"again": bool}),
    "pay": Shape({"from": str, "to": str, "amount": int}, {"piece": str}),
    "amend": Shape({"event": int, "answer": object}, {"seat": str, "go_back": bool, "past_reveal": bool}),
    "rename": Shape({"seat": str, "name": str}),
    "leave": Shape({"seat": str}),
    "come_back": Shape({"seat": str}),
    "go_on_in": Shape({"directory": str}),
    "state": Shape(),
    "put_away": Shape(),
    "reopen": Shape(),
}
"""By what the line says to `do`; without it, it is an answer."""

_CALLED = {int: "a whole number", str: "a text", bool: "true or false"}


class Message(msgspec.Struct, frozen=True):
    """What one line says, in the shape of its `do`."""

    do: str | None
    said: dict[str, Any]


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long only the beginning, just longer than `LONGEST`."""
    while line := stream.readline(LONGEST + 1):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST)
        yield line


def read(number: int, line: bytes) -> Message:
    """The message in a line; raises `TableError`, which names the line and what is wrong with it."""
    if number == 1:
        line = line.removeprefix(BOM_UTF8)  # Windows begins texts so
    try:
        return _shaped(_parsed(line))
    except TableError as error:
        raise TableError(say("Line {line}: {why}", line=number, why=error.text)) from error


def _parsed(line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST:
        raise TableError(say("a line can have at most {most} bytes.", most=LONGEST))
    try:
        found = jsontext.read(line.decode().rstrip("\r\n"), LETTERS)
    except UnicodeError:
        raise TableError(say("this is not valid UTF-8.")) from None
    except json.JSONDecodeError as error:
        raise TableError(
            say("this is not valid JSON: {why} at column {column}.", why=error.msg, column=error.pos + 1)
        ) from None
    if not isinstance(found, dict):
        raise TableError(say('a line must be a JSON object, such as {{"do": "state"}}.'))
    return found


def _shaped(said: dict[str, Any]) -> Message:
    do = said.pop("do", None)
    shape = SHAPES.get(do) if isinstance(do, (str, type(None))) else None
    if shape is None:
        deeds = ", ".join(filter(None, SHAPES))
        raise TableError(say('"do" can\'t be {do}; choose from: {deeds}.', do=_json(do), deeds=deeds))
    for key in shape.needed:
        if key not in said:
            raise TableError(say('"{key}" is missing; {keys}.', key=key, keys=_keys(do)))
    for key, value in said.items():
        _check(do, shape, key, value)
    return Message(do, said)


def _check(do: str | None, shape: Shape, key: str, value: object) -> None:
    allowed = (shape.needed | shape.optional).get(key)
    if allowed is None:
        raise TableError(say('"{key}" is unknown here; {keys}.', key=key, keys=_keys(do)))
    if allowed is not object and type(value) is not allowed:
        raise TableError(
            say('"{key}" must be {kind}, not {value}.', key=key, kind=_CALLED[allowed], value=_json(value))
        )


def _keys(do: str | None) -> Say:
    shape = SHAPES[do]
    needed = ", ".join(shape.needed) or "none"
    optional = ", ".join(shape.optional) or "none"
    what = say("an answer") if do is None else say("{do}", do=do)
    return say(
        "{what} needs these keys: {needed}. It can also have these keys: {optional}",
        what=what,
        needed=needed,
        optional=optional,
    )


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
