"""TOML that people write: read within bounds, and what is wrong with it in plain words.

    rows = read(text)
    reader = fit(rows["reader"][0], Reader)

It knows neither file nor section; whoever does names them. Bounds are checked before anything is parsed: what
nests without end, or has keys of a thousand parts, would hold up or end the program.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from companion.bounds import LETTERS
from companion.characters import check_showable
from companion.errors import TableError
from companion.words import Say, Text, say

T = TypeVar("T")
MOST = 250_000
"""Characters of a file; the longest that ships has a tenth of that."""
DEEPEST = 16
"""Lists and tables in one another, and parts of a key."""
LONGEST = 64
"""Characters of a key, of a number, and of any other word without quotes."""
SHOWN = 40
"""Characters of a value that a sentence repeats."""
TOKEN = re.compile(
    r'''"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|\Z)'''
    r"""|'''(?:[^']++|'(?!''))*+(?:'''|\Z)"""
    r"""|"(?:[^"\\\n]++|\\.)*+"?"""
    r"""|'[^'\n]*+'?"""
    r"""|\#[^\n]*+"""
    r"""|[\[\]{}.=,\n]"""
    r"""|[A-Za-z0-9_+-]++""",
    re.DOTALL,
)
"""Texts and remarks are whole, so that what stands in them counts for nothing."""
PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
SAID: Mapping[str, Say] = {
    "Cannot|Duplicate": say("it is defined twice"),
    "Unclosed|Unterminated|Expected '?[\\]\"}]": say("a bracket or a quotation mark is not closed"),
    "Illegal|Found invalid": say("this character isn't allowed here"),
    "Invalid value|Invalid date|Invalid hex|Unescaped|Escaped": say(
        "a value can't be read; put texts in quotation marks"
    ),
}
"""What Python's reader says, by how that begins; all else is a line that is none."""
NO_LINE = say("a line must be KEY = VALUE, [SECTION] or [[SECTION]]")
UNKNOWN = re.compile("Object contains unknown field `(.*)`", re.DOTALL)
MISSING = re.compile("Object missing required field `(.*)`", re.DOTALL)
STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


class WrongValue(TableError):
    """A value that can't be; `key` says where in it, such as `sounds[2]`, or nothing for the whole."""

    def __init__(self, key: str, text: Say) -> None:
        super().__init__(text)
        self.key = key


def read(text: str) -> dict[str, Any]:
    """The keys and values of a TOML text; raises `TableError`, which says where and why."""
    _check_bounds(text)
    try:
        rows = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise TableError(_why(str(error))) from None
    _check_lengths(rows)
    return rows


def fit(value: object, kind: type[T], dec_hook: Callable[[type, Any], Any] | None = None) -> T:
    """The value as one of that kind; raises `WrongValue`."""
    try:
        return msgspec.convert(value, kind, dec_hook=dec_hook)
    except msgspec.ValidationError as error:
        raise _wrong_value(value, error) from None


def shown(value: object) -> Text:
    """A value as a sentence repeats it, cut where it is long."""
    match value:
        case dict():
            return say("a table")
        case list():
            return say("a list")
        case str() | bool():
            return cut(json.dumps(value, ensure_ascii=not str(value).isprintable()))
    return cut(str(value))


def cut(text: str) -> str:
    """A text as it can be repeated in one line: its beginning, where it is long."""
    text = text if text.isprintable() else json.dumps(text)[1:-1]
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _check_bounds(text: str) -> None:
    if len(text) > MOST:
        raise TableError(say("it has more than {most} characters", most=MOST))
    depth = parts = 0
    for found in TOKEN.finditer(text):
        word = found[0]
        depth = max(0, depth + (word in "[{") - (word in "]}"))
        parts = parts + 1 if word == "." else 0 if word in "=,\n" else parts
        if max(depth, parts) > DEEPEST:
            why = say("lists, tables or parts of a key are nested more than {most} levels deep", most=DEEPEST)
        elif len(word) > LONGEST and (word[0].isalnum() or word[0] in "+-_"):
            why = say("a number, or a word without quotes, can have at most {most} characters", most=LONGEST)
        else:
            continue
        raise TableError(say("line {line}: {why}", line=text.count("\n", 0, found.start()) + 1, why=why))


def _check_lengths(value: object) -> None:
    """No key and no text may be so long, or so odd, that a sentence can't name it."""
    if isinstance(value, dict):
        for key in value:
            if not (0 < len(key) <= LONGEST and key.isprintable()):
                raise TableError(say("a key must have 1 to {most} visible characters", most=LONGEST))
            check_showable(key)
    if isinstance(value, str) and len(value) > LETTERS:
        text = "the text {value} has more than {most} characters"
        raise TableError(say(text, value=shown(value), most=LETTERS))
    if isinstance(value, str):
        check_showable(value)
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _check_lengths(each)


def _why(said: str) -> Say:
    why = next((plain for begins, plain in SAID.items() if re.match(begins, said)), NO_LINE)
    place = PLACE.search(said)
    if place is None or place[1] is None:
        return say("at the end of the file: {why}", why=why)
    return say("line {line}, column {column}: {why}", line=int(place[1]), column=int(place[2]), why=why)


def _wrong_value(value: object, error: msgspec.ValidationError) -> WrongValue:
    said, _, place = str(error).rpartition(" - at `$")
    key = ""
    for name, number in STEP.findall(place) if said else ():
        key += f".{name}" if name else f"[{int(number) + 1}]"
        value = _step(value, name or int(number))
    return WrongValue(key.removeprefix("."), _plain(value, said or str(error), error.__cause__))


def _step(value: object, step: str | int) -> object:
    if isinstance(value, dict):
        return value.get(step)
    return value[step] if isinstance(value, list) and isinstance(step, int) else value


def _plain(value: object, said: str, cause: object) -> Say:
    if isinstance(cause, TableError):
        return cause.text
    if unknown := UNKNOWN.fullmatch(said):
        return say("unknown key {key}", key=unknown[1])
    if missing := MISSING.fullmatch(said):
        return say("{key} is missing", key=missing[1])
    return say("{value} isn't allowed here", value=shown(value))
