"""A log as text that people read, write and mail: a header, then one event a line, and back again exactly.

    companion log 1
    game egypt 1
    seat Aki (orange)
    option pay_rule = own_bid
    seed 4242
    deck egypt
    card 4 × 4: number 4

    12  Raise Aki: chip 7 = 5  (screen, 61.2 s)

The number at the head of a line is that of the question then open.
`no` is JSON's null, a word stands for itself, `[#6.2, number 7, any]` are cards, `{Aki: 3, Ben: 4}` goes by
seat; what has no short form, or one that could be read in two ways, is written as JSON.
Blank lines and lines that begin with # mean nothing. Nothing here opens a file or plays a rule.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import ParamSpec, TypeVar

from companion.cards import Deck, Design
from companion.errors import TableError
from companion.events import (
    Amended,
    Answered,
    Began,
    Corrected,
    Event,
    PutAway,
    Redone,
    Sealed,
    Timeline,
    Undone,
)
from companion.golden.shortform import Line, Pen, as_json
from companion.seats import Seats, seated
from companion.table import Setting
from companion.words import say

FIRST_LINE = "companion log 1"
SECONDS = re.compile(r"([0-9.e+-]+) s")
COMMITMENT = re.compile(r"[0-9a-f]{64}")

P = ParamSpec("P")
T = TypeVar("T")


def write(events: Sequence[Event]) -> str:
    """The text of a log, which begins with `Began`."""
    began, *rest = events
    assert isinstance(began, Began)
    pen = Pen(seated(began.names, began.colours))
    lines = [*_header(began, pen), "", *(_event(event, pen) for event in rest)]
    return "\n".join(lines) + "\n"


def read(text: str) -> list[Event]:
    """The events of a log; raises `TableError`, which names the line and what is wrong with it."""
    lines = [(at, line.strip()) for at, line in enumerate(text.split("\n"), 1)]
    lines = [(at, line) for at, line in lines if line and not line.startswith("#")]
    header = list(takewhile(lambda line: not line[1][0].isdigit(), lines))
    began = _began(_Header(header, text.count("\n") + 1))
    seats, timeline, events = seated(began.names, began.colours), Timeline(), list[Event]([began])
    for at, line in lines[len(header) :]:
        event = _at_line(at, _read_event, Line(line, seats))
        _at_line(at, _follow, timeline, event)
        events.append(event)
    return events


def _at_line(at: int, reading: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return reading(*args, **kwargs)
    except TableError as error:
        raise TableError(say("Line {line}: {why}", line=at, why=error.text)) from error


# The header


def _header(began: Began, pen: Pen) -> Iterator[str]:
    yield FIRST_LINE
    yield f"game {pen.text(began.game, ' ')} {began.version}"
    for name, colour in zip(began.names, began.colours, strict=True):
        yield f"seat {name} ({colour})"
    for key, setting in began.options.items():
        yield f"option {pen.text(key, ' = ')} = {pen.value(setting)}"
    yield f"seed {began.seed}"
    for deck in began.decks.values():
        yield f"deck {pen.text(deck.name)}"
        for design in deck.designs:
            yield f"card {design.copies} × {pen.text(design.id, ': ')}: {pen.values(design.values)}"


class _Header:
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

    def all(self, head: str, reading: Callable[[Line], T]) -> list[T]:
        """The next lines that begin with this word."""
        found = []
        while self._lines and self._lines[0][1].startswith(f"{head} "):
            found.append(self.one(head, reading))
        return found

    def one(self, head: str, reading: Callable[[Line], T]) -> T:
        """The next line, which must begin with this word."""
        at, text = self._lines.popleft() if self._lines else (self._last, "")
        if not text.startswith(f"{head} "):
            raise TableError(say("Line {line}: a log has here '{head} …', not '{text}'",
                                 line=at, head=head, text=text))  # fmt: skip
        line = Line(text.removeprefix(f"{head} "), Seats())
        return _at_line(at, _to_its_end, line, reading)


def _to_its_end(line: Line, reading: Callable[[Line], T]) -> T:
    found = reading(line)
    line.end()
    return found


def _began(header: _Header) -> Began:
    header.one("companion log", _log_version)
    game, version = header.one("game", _game)
    first_seat = header.at
    people = [header.one("seat", _seat), *header.all("seat", _seat)]
    names, colours = (tuple(person[at] for person in people) for at in (0, 1))
    _at_line(first_seat, seated, names, colours)
    options = dict(header.all("option", _option))
    seed = header.one("seed", Line.whole)
    decks = {}
    while header.more:
        name = header.one("deck", Line.text)
        decks[name] = Deck(name, tuple(header.all("card", _design)))
    return Began(game, version, names, colours, options, decks, seed)


def _log_version(line: Line) -> None:
    line.take("1")


def _game(line: Line) -> tuple[str, int]:
    key = line.text(" ")
    line.take(" ")
    return key, line.whole()


def _seat(line: Line) -> tuple[str, str]:
    name, _, colour = line.rest.rpartition(" (")
    line.take(f"{name} ({colour.removesuffix(')')})")
    return name, colour.removesuffix(")")


def _option(line: Line) -> tuple[str, Setting]:
    key = line.text(" = ")
    line.take(" = ")
    setting = line.value()
    if setting is not None and type(setting) not in {int, str}:
        raise TableError(say("an option is a number, a word or no, not {json}", json=as_json(setting)))
    return key, setting


def _design(line: Line) -> Design:
    copies = line.whole()
    line.take(" × ")
    name = line.text(": ")
    line.take(": ")
    return Design(name, copies, line.values())


# The events


def _event(event: Event, pen: Pen) -> str:
    assert not isinstance(event, Began)
    return f"{event.n}  {_told(event, pen)}"


def _told(event: Event, pen: Pen) -> str:
    match event:
        case Answered(_, asks, answer, via, at, salts):
            opened = f" salts {as_json(salts)}" if salts else ""
            tail = pen.text(via, ", ", ")") + (f", {at} s" if at else "")
            return f"{pen.asks(asks)} = {pen.value(answer)}  ({tail}){opened}"
        case Sealed(_, seat, commitment):
            return f"sealed {pen.seat(seat)} = {commitment}"
        case Corrected(_, source, target, piece, count, reason, at):
            way = f"{pen.place(source, ' -> ')} -> {pen.place(target, ' = ')}"
            return f"correct {count} {pen.text(piece, ': ')}: {way} = {as_json(reason)}  ({at} s)"
        case Amended(_, changed, answer, kept):
            return f"amend {changed} = {pen.value(answer)}  (keeps {kept})"
        case PutAway(_, result):
            return "put away" if result is None else f"put away = {as_json(result)}"
    return "undo" if isinstance(event, Undone) else "redo"


def _read_event(line: Line) -> Event:
    n = line.whole()
    line.take("  ")
    for word, reading in _VERBS.items():
        if line.may_take(word):
            event = reading(n, line)
            break
    else:
        event = _answered(n, line)
    line.end()
    return event


def _answered(n: int, line: Line) -> Answered:
    asks = line.asks()
    line.take(" = ")
    answer = line.value()
    line.take("  (")
    via = line.text(", ", ")")
    at = _seconds(line) if line.may_take(", ") else 0.0
    line.take(")")
    salts = line.json() if line.may_take(" salts ") else {}
    if not isinstance(salts, dict):
        raise TableError(say("salts go by the numbers of the seats, not {json}", json=as_json(salts)))
    return Answered(n, asks, answer, via, at, salts)


def _sealed(n: int, line: Line) -> Sealed:
    seat = line.seat()
    line.take(" = ")
    commitment = line.may_match(COMMITMENT)
    if commitment is None:
        raise TableError(say("a seal is 64 digits of SHA-256, not '{rest}'", rest=line.rest))
    return Sealed(n, seat, commitment)


def _corrected(n: int, line: Line) -> Corrected:
    count = line.whole()
    line.take(" ")
    piece = line.text(": ")
    line.take(": ")
    source = line.place(" -> ")
    line.take(" -> ")
    target = line.place(" = ")
    line.take(" = ")
    reason = line.text("  (")
    line.take("  (")
    at = _seconds(line)
    line.take(")")
    return Corrected(n, source, target, piece, count, reason, at)


def _amended(n: int, line: Line) -> Amended:
    event = line.whole()
    line.take(" = ")
    answer = line.value()
    line.take("  (keeps ")
    kept = line.whole()
    line.take(")")
    return Amended(n, event, answer, kept)


def _put_away(n: int, line: Line) -> PutAway:
    return PutAway(n, line.json() if line.may_take(" = ") else None)


def _seconds(line: Line) -> float:
    try:
        return float(line.may_match(SECONDS) or "")
    except ValueError:
        raise TableError(say("here should stand seconds, such as 61.2 s: '{rest}'", rest=line.rest)) from None


_VERBS: dict[str, Callable[[int, Line], Event]] = {
    "sealed ": _sealed,
    "correct ": _corrected,
    "undo": lambda n, line: Undone(n),  # noqa: ARG005 - the word says it all
    "redo": lambda n, line: Redone(n),  # noqa: ARG005 - the word says it all
    "amend ": _amended,
    "put away": _put_away,
}


def _follow(timeline: Timeline, event: Event) -> None:
    """Adds an event that a game could have kept at this moment."""
    assert not isinstance(event, Began)
    if timeline.over:
        raise TableError(say("the game was put away before this"))
    if event.n != timeline.n:
        raise TableError(say("this is about question {n}, but {now} is open", n=event.n, now=timeline.n))
    if isinstance(event, Undone) and not timeline.steps:
        raise TableError(say("there is nothing to undo"))
    if isinstance(event, Redone) and not timeline.undone:
        raise TableError(say("there is nothing to redo"))
    if isinstance(event, Amended):
        later = len(timeline.steps) - list(timeline.steps).index(timeline.answered(event.event)) - 1
        if not 0 <= event.kept <= later:
            raise TableError(say("only {later} later events can be kept", later=later))
    timeline.add(event)
