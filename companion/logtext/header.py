"""The header of a log: game, seats, options, seed and decks, written and read back.

It checks the form of each line, not whether such a game exists.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import ParamSpec, TypeVar

import msgspec

from companion.bounds import BoundedInteger
from companion.cards import Deck, Design, Field
from companion.errors import UserError
from companion.files import toml
from companion.log.events import Began
from companion.logtext.shortform import LogLine, Pen, as_json, bounded
from companion.table.seats import Seats, make_seats
from companion.table.table import OptionValue
from companion.texts import say

FIRST_LINE = "companion log 1"
PROVISIONAL = " provisional"

P = ParamSpec("P")
T = TypeVar("T")


def header_lines(began: Began, pen: Pen) -> Iterator[str]:
    """The lines before the first event: what the game began with."""
    yield FIRST_LINE
    yield f"game {pen.text(began.game, ' ')} {began.version}"
    for name, colour in zip(began.names, began.colours, strict=True):
        yield f"seat {name} ({colour})"
    for key, setting in began.options.items():
        yield f"option {pen.text(key, ' = ')} = {pen.value(setting)}"
    yield f"seed {began.seed}"
    for deck in began.decks.values():
        yield f"deck {pen.text(deck.name, ' ')}{PROVISIONAL * deck.provisional}"
        for name, field in deck.fields.items():
            yield f"field {pen.text(name, ' = ')} = {as_json(_printable(field))}"
        for name, row in deck.board.items():
            yield f"board {pen.text(name, ' = ')} = {as_json(list(row))}"
        for design in deck.designs:
            yield f"card {design.copies} × {pen.text(design.id, ': ')}: {pen.values(design.values)}"


def _printable(field: Field) -> dict[str, object]:
    """What may be printed there; `only`, `under` and `hint` aren't in the logs of fields that have none."""
    printable = msgspec.to_builtins(field)
    for one, key in product((printable, *printable["only"]), ("under", "hint")):
        if not one[key]:
            del one[key]
    return {key: value for key, value in printable.items() if value or key != "only"}


class Header:
    """The lines before the first event, from the top."""

    def __init__(self, lines: Sequence[tuple[int, str]], last: int) -> None:
        self._lines = deque(lines)
        self._last = last

    @property
    def more(self) -> bool:
        """Whether there are any left."""
        return bool(self._lines)

    @property
    def at(self) -> int:
        """The number of the next line, or of the last where it is missing."""
        return self._lines[0][0] if self._lines else self._last

    def all(self, head: str, reading: Callable[[LogLine], T]) -> list[T]:
        """The next lines that begin with this word."""
        found = []
        while self._lines and self._lines[0][1].startswith(f"{head} "):
            found.append(self.one(head, reading))
        return found

    def one(self, head: str, reading: Callable[[LogLine], T]) -> T:
        """The next line, which must begin with this word."""
        at, text = self._lines.popleft() if self._lines else (self._last, "")
        if not text.startswith(f"{head} "):
            raise UserError(
                say("Line {line}: '{head} …' is expected here, not '{text}'", line=at, head=head, text=text)
            )
        line = LogLine(text.removeprefix(f"{head} "), Seats())
        return at_line(at, _to_its_end, line, reading)


def _to_its_end(line: LogLine, reading: Callable[[LogLine], T]) -> T:
    found = reading(line)
    line.end()
    return found


def read_header(header: Header) -> Began:
    """What the game began with; raises `UserError`, which names the line."""
    header.one("companion log", _log_version)
    game, version = header.one("game", _game)
    first_seat = header.at
    people = [header.one("seat", _seat), *header.all("seat", _seat)]
    names, colours = (tuple(person[at] for person in people) for at in (0, 1))
    at_line(first_seat, make_seats, names, colours)
    options = dict(header.all("option", _option))
    seed = header.one("seed", LogLine.whole)
    decks = {}
    while header.more:
        first_line = header.at
        name, provisional = header.one("deck", _deck)
        fields, board = dict(header.all("field", _field)), dict(header.all("board", _row))
        designs = tuple(header.all("card", _design))
        decks[name] = at_line(first_line, Deck, name, designs, board, fields, provisional)
    return at_line(1, bounded, Began(game, version, names, colours, options, decks, seed))


def _log_version(line: LogLine) -> None:
    line.take("1")


def _game(line: LogLine) -> tuple[str, int]:
    key = line.text(" ")
    line.take(" ")
    return key, line.whole()


def _seat(line: LogLine) -> tuple[str, str]:
    name, _, colour = line.rest.rpartition(" (")
    line.take(f"{name} ({colour.removesuffix(')')})")
    return name, colour.removesuffix(")")


def _option(line: LogLine) -> tuple[str, OptionValue]:
    key = line.text(" = ")
    line.take(" = ")
    setting = line.value()
    if setting is not None and type(setting) not in {int, str}:
        raise UserError(say('an option must be a number, a word or "no", not {json}', json=as_json(setting)))
    return key, setting


def _deck(line: LogLine) -> tuple[str, bool]:
    return line.text(" "), line.may_take(PROVISIONAL)


def _field(line: LogLine) -> tuple[str, Field]:
    return _entry(line, Field)


def _row(line: LogLine) -> tuple[str, tuple[int, ...]]:
    return _entry(line, tuple[BoundedInteger, ...])


def _entry(line: LogLine, kind: type[T]) -> tuple[str, T]:
    """`name = ` and something of that kind in JSON."""
    name = line.text(" = ")
    line.take(" = ")
    try:
        return name, toml.convert_value(line.json(), kind)
    except toml.InvalidTomlValue as error:
        raise UserError(say("this can't be read: {why}", why=error.text)) from None


def _design(line: LogLine) -> Design:
    copies = line.whole()
    line.take(" × ")
    name = line.text(": ")
    line.take(": ")
    return bounded(Design(name, copies, line.values()))


def at_line(at: int, reading: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What reading returns; names the line in the `UserError` it raises."""
    try:
        return reading(*args, **kwargs)
    except UserError as error:
        raise UserError(say("Line {line}: {why}", line=at, why=error.text)) from error
