"""Short forms of what stands in a line of a log, and the eyes that read them back.

A short form is used only where it reads back as exactly what was written; everything else is JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from companion.bounds import MAX_LOGGED_TEXT_CHARACTERS
from companion.errors import UserError
from companion.files import bounded_json, toml
from companion.table.seats import Seats
from companion.texts import say

PLAIN_WORD = re.compile(r"(?!(?:no|true|false|null|any)\b)[A-Za-z_][A-Za-z0-9_]*")
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,19}(?![0-9.eE])")
T = TypeVar("T")
CARD_ID = re.compile(r"#([\w.]+)")
QUESTION_KIND = re.compile(r"[A-Z]\w*")


def check_bounds(value: T) -> T:
    """Returns the value unchanged, or raises `UserError`, which names what in it is out of bounds."""
    try:
        return toml.convert_value(msgspec.to_builtins(value), type(value))
    except toml.InvalidTomlValue as error:
        raise UserError(say("{key}: {why}", key=error.key, why=error.text)) from None


def to_json_line(value: Any) -> str:
    """One line of JSON, with every script as it is."""
    return json.dumps(value, ensure_ascii=False)


class LineScanner:
    """One line of a log, read from the left; every method takes what it gives and raises `UserError`."""

    def __init__(self, text: str, seats: Seats) -> None:
        self.rest = text
        self._seats = seats

    def take(self, literal: str) -> None:
        """Exactly this."""
        if not self.may_take(literal):
            raise UserError(
                say(
                    "'{literal}' is expected here, not '{rest}'", literal=literal, rest=self.rest or "the end"
                )
            )

    def may_take(self, literal: str) -> bool:
        """Whether this stood here."""
        found = self.rest.startswith(literal)
        self.rest = self.rest[len(literal) :] if found else self.rest
        return found

    def may_match(self, pattern: re.Pattern[str]) -> str | None:
        """What fits the pattern, its first group if it has one; None if nothing does."""
        found = pattern.match(self.rest)
        if found is None:
            return None
        self.rest = self.rest[found.end() :]
        return found[found.re.groups]

    def whole(self) -> int:
        """A whole number."""
        found = self.may_match(WHOLE_NUMBER)
        if found is None:
            raise UserError(say("a whole number is expected here, not '{rest}'", rest=self.rest or "the end"))
        return int(found)

    def text(self, *ends: str) -> str:
        """A text up to the first of these ends, or up to the end of the line."""
        if self.rest.startswith('"'):
            found = self.json()
            if isinstance(found, str):
                return found
        at = _first_end(self.rest, ends)
        found, self.rest = self.rest[:at], self.rest[at:]
        return found

    def seat(self) -> int:
        """The number of the seat whose name stands here."""
        for seat in sorted(self._seats, key=lambda seat: -len(seat.name)):
            if self.may_take(seat.name):
                return seat.number
        names = ", ".join(seat.name for seat in self._seats)
        raise UserError(say("one of {names} is expected here, not '{rest}'", names=names, rest=self.rest))

    def asks(self) -> str:
        """What a question asks, seats by number again."""
        if self.rest.startswith('"'):
            return self.text()
        kind = self.may_match(QUESTION_KIND)
        if kind is None:
            raise UserError(say("no question or event begins like '{rest}'", rest=self.rest))
        while self.may_take(" "):
            kind += f" @{self.seat()}"
        self.take(": ")
        return f"{kind}: {self.text(' = ')}"

    def place(self, *ends: str) -> str:
        """A place, its seat by number again."""
        if self.rest.startswith('"'):
            return self.text()
        place = self.text(*ends)
        owner, slash, what = place.partition("/")
        by_name = {seat.name: seat.key for seat in self._seats}
        return f"{by_name.get(owner, owner)}{slash}{what}"

    def value(self) -> Any:
        """Any JSON, in its short form if it has one."""
        before = self.rest
        for form in (self._scalar, self._cards, self._by_seat, self._counts):
            try:
                return form()
            except UserError:
                self.rest = before
        return self.json()

    def values(self) -> dict[str, int | str]:
        """What is printed on a card: `number 7 suit red`, or `any`."""
        if self.may_take("any"):
            return {}
        values: dict[str, int | str] = {}
        while not values or self.may_take(" "):
            name = self._word()
            self.take(" ")
            values[name] = self._word() if self.rest.startswith('"') else self._scalar()
        return values

    def json(self) -> Any:
        """JSON as it is."""
        try:
            found, at = bounded_json.parse_json_prefix(self.rest, MAX_LOGGED_TEXT_CHARACTERS)
        except json.JSONDecodeError as error:
            raise UserError(say("'{rest}' can't be read as an answer", rest=self.rest)) from error
        self.rest = self.rest[at:]
        return found

    def end(self) -> None:
        """Nothing more."""
        if self.rest:
            raise UserError(say("the line must end before '{rest}'", rest=self.rest))

    def _word(self) -> str:
        if self.rest.startswith('"'):
            return self.text()
        word = self.may_match(PLAIN_WORD)
        if word is None:
            raise UserError(say("a word is expected here, not '{rest}'", rest=self.rest))
        return word

    def _scalar(self) -> Any:
        for written, meant in (("no", None), ("true", True), ("false", False)):
            if self.may_match(re.compile(rf"{written}\b")):
                return meant
        word = self.may_match(PLAIN_WORD)
        return word if word is not None else self.whole()

    def _cards(self) -> list[Any]:
        return self._list("[", self._card, "]")

    def _card(self) -> dict[str, Any]:
        name = self.may_match(CARD_ID)
        return {"values": self.values()} if name is None else {"card": name}

    def _by_seat(self) -> dict[str, Any]:
        if self.rest.startswith('{"'):
            raise UserError(say("JSON is not allowed here: '{rest}'", rest=self.rest))
        return dict(self._list("{", self._part, "}"))

    def _part(self) -> tuple[str, Any]:
        seat = self.seat()
        self.take(": ")
        return str(seat), self.value()

    def _counts(self) -> dict[str, Any]:
        return dict(self._list("{", self._count, "}"))

    def _count(self) -> tuple[str, int]:
        key = self._word()
        self.take(" ")
        return key, self.whole()

    def _list(self, first: str, item: Callable[[], Any], last: str) -> list[Any]:
        self.take(first)
        items = [item()]
        while self.may_take(", "):
            items.append(item())
        self.take(last)
        return items


class LogWriter:
    """Writes short forms for the seats of one game."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats

    def value(self, value: Any) -> str:
        """Any JSON."""
        return self._checked(self._short(value), value, LineScanner.value)

    def asks(self, asks: str) -> str:
        """What a question asks, seats by name."""
        head, colon, about = asks.partition(": ")
        for seat in reversed(self._seats):
            head = head.replace(seat.key, seat.name)
        return self._checked(f"{head}{colon}{about}", asks, LineScanner.asks, " = ")

    def place(self, place: str, *ends: str) -> str:
        """A place, its seat by name."""
        owner, slash, what = place.partition("/")
        by_key = {seat.key: seat.name for seat in self._seats}
        named = f"{by_key.get(owner, owner)}{slash}{what}"
        return self._checked(named, place, lambda line: line.place(*ends), *ends)

    def text(self, text: str, *ends: str) -> str:
        """A text before one of these ends."""
        return self._checked(text, text, lambda line: line.text(*ends), *ends)

    def values(self, values: dict[str, Any]) -> str:
        """What is printed on a card."""
        pairs = (f"{self._word(name)} {self.value(value)}" for name, value in values.items())
        return " ".join(pairs) or "any"

    def seat(self, number: int) -> str:
        """The name of a seat."""
        return self._seats.seat_numbered(number).name

    def _short(self, value: Any) -> str:
        match value:
            case None:
                return "no"
            case str():
                return value
            case [{"card": str()} | {"values": dict()}, *_]:
                return f"[{', '.join(map(self._card, value))}]"
            case dict() if value and value.keys() <= {str(seat.number) for seat in self._seats}:
                parts = (f"{self.seat(int(number))}: {self.value(part)}" for number, part in value.items())
                return f"{{{', '.join(parts)}}}"
            case dict() if value and all(type(count) is int for count in value.values()):
                return f"{{{', '.join(f'{key} {count}' for key, count in value.items())}}}"
        return to_json_line(value)

    def _card(self, card: Any) -> str:
        match card:
            case {"card": str(name)}:
                return f"#{name}"
            case {"values": dict(values)}:
                return self.values(values)
        return to_json_line(card)

    def _word(self, word: str) -> str:
        return word if PLAIN_WORD.fullmatch(word) else to_json_line(word)

    def _checked(self, short: str, long: Any, read: Callable[[LineScanner], Any], *ends: str) -> str:
        """The short form, if it is read again as exactly the long one whatever follows it."""
        if not short.isprintable() or short.strip() != short or not short:
            return to_json_line(long)
        for end in ends or ("",):
            line = LineScanner(short + end, self._seats)
            try:
                exact = to_json_line(read(line)) == to_json_line(long) and line.rest == end
            except UserError:
                exact = False
            if not exact:
                return to_json_line(long)
        return short


def _first_end(text: str, ends: tuple[str, ...]) -> int:
    return min((at for at in map(text.find, ends) if at >= 0), default=len(text))
