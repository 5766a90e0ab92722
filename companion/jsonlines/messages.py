"""Lines of JSON as they come in: which shapes there are, and what is wrong with a line that has none of them.

The shape of what a line can `do` follows from the table of actions. This module knows no game; whether an
answer is legal is said by the question.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import msgspec

from companion.actions import ACTIONS, LATER_ANSWERS, REVEAL
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

    needed: Mapping[str, type] = {}
    optional: Mapping[str, type] = {}


ANSWER = Shape({"n": int, "answer": object}, {"seat": str})
OWN = {"state": Shape()}
"""What a line can `do` besides the actions of the table."""
NOT_HERE = ("back", "pause", "go_on", "set_clocks")
"""Actions that no line does: `undo` has `to` instead of `back`, and no clock runs here."""
MORE: Mapping[str, Mapping[str, type]] = {"undo": {"to": int}, "redo": {"past_reveal": bool}}
"""Keys that an action has only here; the one of `redo` has no effect."""
CONFIRMED_BY = {LATER_ANSWERS: "go_back", REVEAL: "past_reveal"}
"""What a program must confirm, and by which key; all else it has thought of."""


def deeds() -> list[str]:
    """Returns everything that a line can `do`."""
    return [*(key for key in ACTIONS if key not in NOT_HERE), *OWN]


def shape_of(do: str | None) -> Shape:
    """Returns the shape of a line that does this; None: of an answer."""
    if do is None:
        return ANSWER
    if do in OWN:
        return OWN[do]
    action = ACTIONS[do]
    keys = {one.key: one for one in action.parameters}
    confirmations = [CONFIRMED_BY[key] for key in action.confirmations if key in CONFIRMED_BY]
    return Shape(
        {key: one.json for key, one in keys.items() if not one.is_optional},
        {
            **{key: one.json for key, one in keys.items() if one.is_optional},
            **dict.fromkeys(confirmations, bool),
            **MORE.get(do, {}),
        },
    )


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
    known = deeds()
    if do is not None and do not in known:
        raise TableError(
            say('"do" can\'t be {do}; choose from: {deeds}.', do=_json(do), deeds=", ".join(known))
        )
    shape = shape_of(do)
    for key in shape.needed:
        if key not in said:
            raise TableError(say('"{key}" is missing; {keys}.', key=key, keys=_keys(do, shape)))
    for key, value in said.items():
        _check(do, shape, key, value)
    return Message(do, said)


def _check(do: str | None, shape: Shape, key: str, value: object) -> None:
    allowed = {**shape.needed, **shape.optional}.get(key)
    if allowed is None:
        raise TableError(say('"{key}" is unknown here; {keys}.', key=key, keys=_keys(do, shape)))
    if allowed is not object and type(value) is not allowed:
        raise TableError(
            say('"{key}" must be {kind}, not {value}.', key=key, kind=_CALLED[allowed], value=_json(value))
        )


def _keys(do: str | None, shape: Shape) -> Say:
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
