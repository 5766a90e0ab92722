"""The short forms of values in a line of a log: `ShortFormWriter` writes them, `LineScanner` reads them back.

A short form is used only if it reads back as exactly what was written; everything else is JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from companion.bounds import MAX_LOGGED_TEXT_CHARACTERS
from companion.cards.deck import CardValue
from companion.errors import UserError
from companion.files import bounded_json, toml
from companion.table.seats import Seats
from companion.texts import say

PLAIN_WORD_PATTERN = re.compile(r"(?!(?:no|true|false|null|any)\b)[A-Za-z_][A-Za-z0-9_]*")
WHOLE_NUMBER_PATTERN = re.compile(r"-?[0-9]{1,19}(?![0-9.eE])")
HALF_NUMBER_PATTERN = re.compile(r"-?[0-9]{1,15}[.]5(?![0-9.eE])")
T = TypeVar("T")
CARD_ID_PATTERN = re.compile(r"#([\w.]+)")
QUESTION_KIND_PATTERN = re.compile(r"[A-Z]\w*")


def require_within_bounds(value: T) -> T:
    """Returns the value unchanged if it is within its bounds.

    Raises `UserError`, which names the field that is out of bounds.
    """
    try:
        return toml.convert_value(msgspec.to_builtins(value), type(value))
    except toml.InvalidTomlValue as error:
        raise UserError(say("{key}: {why}", key=error.key, why=error.text)) from None


def to_json_line(value: Any) -> str:
    """Returns a value as one line of JSON, in which letters of all scripts stay readable."""
    return json.dumps(value, ensure_ascii=False)


class LineScanner:
    """Scans one line of a log from the left.

    Every method consumes what it returns, or raises `UserError`. `remaining` is what isn't consumed yet.
    """

    def __init__(self, text: str, seats: Seats) -> None:
        self.remaining = text
        self._seats = seats

    def expect(self, literal: str) -> None:
        """Consumes this text; raises `UserError` if another one comes next."""
        if not self.accept(literal):
            raise UserError(
                say(
                    "'{literal}' is expected here, not '{rest}'",
                    literal=literal,
                    rest=self.remaining or "the end",
                )
            )

    def accept(self, literal: str) -> bool:
        """Consumes this text if it comes next, and returns whether it did."""
        is_next = self.remaining.startswith(literal)
        self.remaining = self.remaining[len(literal) :] if is_next else self.remaining
        return is_next

    def match(self, pattern: re.Pattern[str]) -> str | None:
        """Consumes what the pattern matches and returns it, or its group if it has one; None for no match."""
        match = pattern.match(self.remaining)
        if match is None:
            return None
        self.remaining = self.remaining[match.end() :]
        return match[match.re.groups]

    def read_integer(self) -> int:
        """Reads a whole number."""
        digits = self.match(WHOLE_NUMBER_PATTERN)
        if digits is None:
            raise UserError(
                say("a whole number is expected here, not '{rest}'", rest=self.remaining or "the end")
            )
        return int(digits)

    def read_string(self, *delimiters: str) -> str:
        """Reads a text up to the first of these delimiters, or up to the end of the line."""
        if self.remaining.startswith('"'):
            text = self.read_json()
            if isinstance(text, str):
                return text
        end = _index_of_first_delimiter(self.remaining, delimiters)
        text, self.remaining = self.remaining[:end], self.remaining[end:]
        return text

    def read_seat_name_as_number(self) -> int:
        """Reads the name of a seat and returns the seat's number."""
        for seat in sorted(self._seats, key=lambda seat: -len(seat.name)):
            if self.accept(seat.name):
                return seat.number
        names = ", ".join(seat.name for seat in self._seats)
        raise UserError(
            say("one of {names} is expected here, not '{rest}'", names=names, rest=self.remaining)
        )

    def read_question_key(self) -> str:
        """Reads the log key of a question, with seats by number."""
        if self.remaining.startswith('"'):
            return self.read_string()
        key = self.match(QUESTION_KIND_PATTERN)
        if key is None:
            raise UserError(say("no question or event begins like '{rest}'", rest=self.remaining))
        while self.accept(" "):
            key += f" @{self.read_seat_name_as_number()}"
        self.expect(": ")
        return f"{key}: {self.read_string(' = ')}"

    def read_place(self, *delimiters: str) -> str:
        """Reads the key of a place, with its seat by number."""
        if self.remaining.startswith('"'):
            return self.read_string()
        place = self.read_string(*delimiters)
        owner, slash, rest = place.partition("/")
        key_by_name = {seat.name: seat.key for seat in self._seats}
        return f"{key_by_name.get(owner, owner)}{slash}{rest}"

    def read_value(self) -> Any:
        """Reads any JSON value, in its short form if it has one."""
        line = self.remaining
        for read in (self._read_scalar, self._read_cards, self._read_by_seat, self._read_counts):
            try:
                return read()
            except UserError:
                self.remaining = line
        return self.read_json()

    def read_printed_values(self) -> dict[str, CardValue]:
        """Reads what is printed on a card: `number 7 suit red`, or `any`."""
        if self.accept("any"):
            return {}
        values: dict[str, CardValue] = {}
        while not values or self.accept(" "):
            name = self._read_word()
            self.expect(" ")
            values[name] = self._read_word() if self.remaining.startswith('"') else self._read_scalar()
        return values

    def read_json(self) -> Any:
        """Reads a JSON value."""
        try:
            value, end = bounded_json.parse_json_prefix(self.remaining, MAX_LOGGED_TEXT_CHARACTERS)
        except json.JSONDecodeError as error:
            raise UserError(say("'{rest}' can't be read as an answer", rest=self.remaining)) from error
        self.remaining = self.remaining[end:]
        return value

    def expect_end(self) -> None:
        """Raises `UserError` unless the line ends here."""
        if self.remaining:
            raise UserError(say("the line must end before '{rest}'", rest=self.remaining))

    def _read_word(self) -> str:
        if self.remaining.startswith('"'):
            return self.read_string()
        word = self.match(PLAIN_WORD_PATTERN)
        if word is None:
            raise UserError(say("a word is expected here, not '{rest}'", rest=self.remaining))
        return word

    def _read_scalar(self) -> Any:
        for word, value in (("no", None), ("true", True), ("false", False)):
            if self.match(re.compile(rf"{word}\b")):
                return value
        name = self.match(PLAIN_WORD_PATTERN)
        if name is not None:
            return name
        half = self.match(HALF_NUMBER_PATTERN)
        return self.read_integer() if half is None else float(half)

    def _read_cards(self) -> list[Any]:
        return self._read_list("[", self._read_card, "]")

    def _read_card(self) -> dict[str, Any]:
        name = self.match(CARD_ID_PATTERN)
        return {"values": self.read_printed_values()} if name is None else {"card": name}

    def _read_by_seat(self) -> dict[str, Any]:
        if self.remaining.startswith('{"'):
            raise UserError(say("JSON is not allowed here: '{rest}'", rest=self.remaining))
        return dict(self._read_list("{", self._read_seat_value, "}"))

    def _read_seat_value(self) -> tuple[str, Any]:
        seat = self.read_seat_name_as_number()
        self.expect(": ")
        return str(seat), self.read_value()

    def _read_counts(self) -> dict[str, Any]:
        return dict(self._read_list("{", self._read_count, "}"))

    def _read_count(self) -> tuple[str, int]:
        key = self._read_word()
        self.expect(" ")
        return key, self.read_integer()

    def _read_list(self, opening: str, read_item: Callable[[], Any], closing: str) -> list[Any]:
        self.expect(opening)
        items = [read_item()]
        while self.accept(", "):
            items.append(read_item())
        self.expect(closing)
        return items


class ShortFormWriter:
    """Writes short forms for the seats of one game."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats

    def format_value(self, value: Any) -> str:
        """Returns any JSON value in its short form, if it has one."""
        return self._short_if_exact(self._short_form(value), value, LineScanner.read_value)

    def format_question_key(self, log_key: str) -> str:
        """Returns the log key of a question in its short form, with seats by name."""
        head, colon, about = log_key.partition(": ")
        for seat in reversed(self._seats):
            head = head.replace(seat.key, seat.name)
        return self._short_if_exact(f"{head}{colon}{about}", log_key, LineScanner.read_question_key, " = ")

    def format_place(self, place_key: str, *delimiters: str) -> str:
        """Returns the key of a place in its short form, with its seat by name."""
        owner, slash, rest = place_key.partition("/")
        name_by_key = {seat.key: seat.name for seat in self._seats}
        short = f"{name_by_key.get(owner, owner)}{slash}{rest}"
        return self._short_if_exact(short, place_key, lambda line: line.read_place(*delimiters), *delimiters)

    def format_text(self, text: str, *delimiters: str) -> str:
        """Returns a text as it is if it can be read back before each of these delimiters; else in quotes."""
        return self._short_if_exact(text, text, lambda line: line.read_string(*delimiters), *delimiters)

    def format_printed_values(self, values: dict[str, Any]) -> str:
        """Returns what is printed on a card: `number 7 suit red`, or `any`."""
        pairs = (f"{self._format_word(name)} {self.format_value(value)}" for name, value in values.items())
        return " ".join(pairs) or "any"

    def format_seat_as_name(self, seat_number: int) -> str:
        """Returns the name of a seat."""
        return self._seats.seat_numbered(seat_number).name

    def _short_form(self, value: Any) -> str:
        match value:
            case None:
                return "no"
            case str():
                return value
            case [{"card": str()} | {"values": dict()}, *_]:
                return f"[{', '.join(map(self._format_card, value))}]"
            case dict() if value and value.keys() <= {str(seat.number) for seat in self._seats}:
                parts = (
                    f"{self.format_seat_as_name(int(number))}: {self.format_value(part)}"
                    for number, part in value.items()
                )
                return f"{{{', '.join(parts)}}}"
            case dict() if value and all(type(count) is int for count in value.values()):
                return f"{{{', '.join(f'{key} {count}' for key, count in value.items())}}}"
        return to_json_line(value)

    def _format_card(self, card: Any) -> str:
        match card:
            case {"card": str(name)}:
                return f"#{name}"
            case {"values": dict(values)}:
                return self.format_printed_values(values)
        return to_json_line(card)

    def _format_word(self, word: str) -> str:
        return word if PLAIN_WORD_PATTERN.fullmatch(word) else to_json_line(word)

    def _short_if_exact(
        self, short: str, value: Any, read: Callable[[LineScanner], Any], *delimiters: str
    ) -> str:
        """Returns the short form if it is read back as exactly the value before each delimiter; else JSON."""
        if not short.isprintable() or short.strip() != short or not short:
            return to_json_line(value)
        for delimiter in delimiters or ("",):
            line = LineScanner(short + delimiter, self._seats)
            try:
                is_exact = to_json_line(read(line)) == to_json_line(value) and line.remaining == delimiter
            except UserError:
                is_exact = False
            if not is_exact:
                return to_json_line(value)
        return short


def _index_of_first_delimiter(text: str, delimiters: tuple[str, ...]) -> int:
    return min((index for index in map(text.find, delimiters) if index >= 0), default=len(text))
