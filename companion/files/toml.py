"""Reads TOML that people write, within limits and with errors in plain words.

    rows = parse_toml(text)
    reader = convert_value(rows["reader"][0], Reader)

The module knows neither file nor section; its callers name them. Limits are checked before anything is
parsed, because endless nesting, or keys of a thousand parts, would hold up or end the program.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from companion.bounds import MAX_TEXT_CHARACTERS
from companion.errors import UserError
from companion.screen_characters import require_showable
from companion.texts import Say, Text, say

T = TypeVar("T")
MAX_TOML_CHARACTERS = 250_000
"""The greatest length of a TOML file; the longest one that ships has a tenth of that."""
MAX_TOML_NESTING = 16
"""The most lists and tables inside each other, and parts of a key."""
MAX_UNQUOTED_WORD_CHARACTERS = 64
"""The greatest length of a key, a number, and any other word without quotes."""
MAX_CHARACTERS_OF_VALUE_IN_ERROR = 40
"""The most characters of a value that an error sentence repeats."""
TOML_TOKEN_PATTERN = re.compile(
    r'''"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|\Z)'''
    r"""|'''(?:[^']++|'(?!''))*+(?:'''|\Z)"""
    r"""|"(?:[^"\\\n]++|\\.)*+"?"""
    r"""|'[^'\n]*+'?"""
    r"""|\#[^\n]*+"""
    r"""|[\[\]{}.=,\n]"""
    r"""|[A-Za-z0-9_+-]++""",
    re.DOTALL,
)
"""The pattern of a TOML token.

Strings and comments are whole tokens, so that brackets and dots in them don't count.
"""
ERROR_POSITION_PATTERN = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
TEXT_BY_TOMLLIB_ERROR: Mapping[str, Say] = {
    "Cannot|Duplicate": say("it is defined twice"),
    "Unclosed|Unterminated|Expected '?[\\]\"}]": say("a bracket or a quotation mark is not closed"),
    "Illegal|Found invalid": say("this character isn't allowed here"),
    "Invalid value|Invalid date|Invalid hex|Unescaped|Escaped": say(
        "a value can't be read; put texts in quotation marks"
    ),
}
"""Our error sentences by the beginning of `tomllib`'s message, as a pattern; others are `INVALID_LINE_TEXT`.
"""
INVALID_LINE_TEXT = say("a line must be KEY = VALUE, [SECTION] or [[SECTION]]")
UNKNOWN_FIELD_ERROR_PATTERN = re.compile("Object contains unknown field `(.*)`", re.DOTALL)
MISSING_FIELD_ERROR_PATTERN = re.compile("Object missing required field `(.*)`", re.DOTALL)
ERROR_PATH_PATTERN = re.compile(r"(?P<message>.*) - at `(?P<is_key>key` in `)?\$(?P<path>.*)`", re.DOTALL)
PATH_STEP_PATTERN = re.compile(r"\.(\w+)|\[(\d+)\]|\[\.\.\.\]")
"""The pattern of a step to an invalid value: a field, an index, or any key of a dict."""


class InvalidTomlValue(UserError):
    """Raised for a value that isn't allowed; `key` says where it is, such as `sounds[2]`.

    `key` is empty for the whole value.
    """

    def __init__(self, key: str, text: Say) -> None:
        super().__init__(text)
        self.key = key


def parse_toml(text: str) -> dict[str, Any]:
    """Returns the keys and values of a TOML text.

    Raises `UserError`, which says where the error is and what it is.
    """
    _require_within_limits(text)
    try:
        rows = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(_describe_syntax_error(str(error))) from None
    _require_nameable_values(rows)
    return rows


def convert_value(
    value: object, value_type: type[T], dec_hook: Callable[[type, Any], Any] | None = None
) -> T:
    """Returns the value converted to `value_type`; raises `InvalidTomlValue`."""

    def convert(value: Any) -> T:
        return msgspec.convert(value, value_type, dec_hook=dec_hook)

    try:
        return convert(value)
    except msgspec.ValidationError as error:
        raise _describe_invalid_value(value, error, convert) from None


def quote_value(value: object) -> Text:
    """Returns a value as an error sentence repeats it, shortened if it is long."""
    match value:
        case dict():
            return say("a table")
        case list():
            return say("a list")
        case str() | bool():
            return shorten_to_one_line(json.dumps(value, ensure_ascii=not str(value).isprintable()))
    return shorten_to_one_line(str(value))


def shorten_to_one_line(text: str) -> str:
    """Returns a text as one line for an error sentence, cut if it is long."""
    text = text if text.isprintable() else json.dumps(text)[1:-1]
    if len(text) <= MAX_CHARACTERS_OF_VALUE_IN_ERROR:
        return text
    return f"{text[:MAX_CHARACTERS_OF_VALUE_IN_ERROR]}…"


def _require_within_limits(text: str) -> None:
    if len(text) > MAX_TOML_CHARACTERS:
        raise UserError(say("it has more than {most} characters", most=MAX_TOML_CHARACTERS))
    depth = parts = 0
    for token in TOML_TOKEN_PATTERN.finditer(text):
        word = token[0]
        depth = max(0, depth + (word in "[{") - (word in "]}"))
        parts = parts + 1 if word == "." else 0 if word in "=,\n" else parts
        if max(depth, parts) > MAX_TOML_NESTING:
            why = say(
                "lists, tables or parts of a key are nested more than {most} levels deep",
                most=MAX_TOML_NESTING,
            )
        elif len(word) > MAX_UNQUOTED_WORD_CHARACTERS and (word[0].isalnum() or word[0] in "+-_"):
            why = say(
                "a number, or a word without quotes, can have at most {most} characters",
                most=MAX_UNQUOTED_WORD_CHARACTERS,
            )
        else:
            continue
        raise UserError(say("line {line}: {why}", line=text.count("\n", 0, token.start()) + 1, why=why))


def _require_nameable_values(value: object) -> None:
    """Raises `UserError` for a key or text that is too long, or that a sentence can't show."""
    if isinstance(value, dict):
        for key in value:
            if not (0 < len(key) <= MAX_UNQUOTED_WORD_CHARACTERS and key.isprintable()):
                raise UserError(
                    say("a key must have 1 to {most} visible characters", most=MAX_UNQUOTED_WORD_CHARACTERS)
                )
            require_showable(key)
    if isinstance(value, str) and len(value) > MAX_TEXT_CHARACTERS:
        text = "the text {value} has more than {most} characters"
        raise UserError(say(text, value=quote_value(value), most=MAX_TEXT_CHARACTERS))
    if isinstance(value, str):
        require_showable(value)
    if isinstance(value, dict | list):
        for entry in value.values() if isinstance(value, dict) else value:
            _require_nameable_values(entry)


def _describe_syntax_error(message: str) -> Say:
    why = next(
        (sentence for pattern, sentence in TEXT_BY_TOMLLIB_ERROR.items() if re.match(pattern, message)),
        INVALID_LINE_TEXT,
    )
    position = ERROR_POSITION_PATTERN.search(message)
    if position is None or position[1] is None:
        return say("at the end of the file: {why}", why=why)
    return say("line {line}, column {column}: {why}", line=int(position[1]), column=int(position[2]), why=why)


def _describe_invalid_value(
    value: object, error: msgspec.ValidationError, convert: Callable[[Any], object]
) -> InvalidTomlValue:
    """Returns the error with the key of the invalid value, if it has one; `convert` raised the error."""
    try:
        return _describe_value_at_path(value, error, convert)
    except (LookupError, TypeError):  # there is no path, or an unknown key looks like one
        return InvalidTomlValue("", _describe_reason(value, str(error), error.__cause__))


def _describe_value_at_path(
    value: Any, error: msgspec.ValidationError, convert: Callable[[Any], object]
) -> InvalidTomlValue:
    """Returns the error with the key of the invalid value; raises `LookupError` or `TypeError` without it."""
    found = ERROR_PATH_PATTERN.fullmatch(str(error))
    if found is None:
        raise LookupError(str(error))
    steps: list[str | int] = []
    for name, number in PATH_STEP_PATTERN.findall(found["path"] + "[...]" * bool(found["is_key"])):
        step = name or (int(number) if number else None)
        if step is None:
            value, step = _keep_only_invalid_key(value, steps, error, convert)
        steps.append(step)
    invalid_value = steps.pop() if found["is_key"] else _value_at(value, steps)
    key = "".join(f".{step}" if isinstance(step, str) else f"[{step + 1}]" for step in steps)
    reason = _describe_reason(invalid_value, found["message"], error.__cause__)
    return InvalidTomlValue(key.removeprefix("."), reason)


def _keep_only_invalid_key(
    value: Any, steps: Sequence[str | int], error: msgspec.ValidationError, convert: Callable[[Any], object]
) -> tuple[Any, str]:
    """Returns the value with only the invalid key of the dict at `steps`, and that key.

    The paths of `msgspec` don't name the keys of a dict, so each key is converted alone. Raises `LookupError`
    if each key is valid alone.
    """
    for key in _value_at(value, steps):
        alone = _replace_at(value, steps, {key: _value_at(value, [*steps, key])})
        try:
            convert(alone)
        except msgspec.ValidationError as error_of_key:
            if str(error_of_key) == str(error):
                return alone, key
    raise LookupError(str(error))


def _value_at(value: Any, steps: Iterable[str | int]) -> Any:
    for step in steps:
        value = value[step]
    return value


def _replace_at(value: Any, steps: Sequence[str | int], replacement: object) -> Any:
    """Returns a copy of a value with a replacement at the end of `steps`."""
    if not steps:
        return replacement
    copied: Any = dict(value) if isinstance(value, dict) else list(value)
    copied[steps[0]] = _replace_at(value[steps[0]], steps[1:], replacement)
    return copied


def _describe_reason(value: object, message: str, cause: object) -> Say:
    if isinstance(cause, UserError):
        return cause.text
    if unknown := UNKNOWN_FIELD_ERROR_PATTERN.fullmatch(message):
        return say("unknown key {key}", key=unknown[1])
    if missing := MISSING_FIELD_ERROR_PATTERN.fullmatch(message):
        return say("{key} is missing", key=missing[1])
    return say("{value} isn't allowed here", value=quote_value(value))
