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
`leaves 14`: so much of what an amendment took back still waits; `redo 14 past 1`: 14 came back, 1 didn't.
`no` is JSON's null, a word stands for itself, `[#6.2, number 7, any]` are cards, `{own 2, foreign 1}` counts,
`{Aki: 3, Ben: 4}` goes by seat; what has no short form, or one that could be read in two ways, is JSON.
Blank lines and lines that begin with # mean nothing. Nothing here opens a file or plays a rule.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import ParamSpec, TypeVar

import msgspec

from companion.bounds import MAX_CARDS_PER_DECK, MAX_EVENTS_PER_GAME, BoundedInteger
from companion.cards import CardField, Deck, Design
from companion.errors import UserError
from companion.files import toml
from companion.log.events import (
    Amended,
    Answered,
    Began,
    Corrected,
    Event,
    Left,
    PutAway,
    Redone,
    Reopened,
    Returned,
    Sealed,
    Transfer,
    Undone,
)
from companion.log.timeline import Timeline
from companion.logtext.short_forms import LineScanner, LogWriter, check_bounds, to_json_line
from companion.table.seats import Seats, make_seats
from companion.table.table import OptionValue
from companion.texts import say

ASKED_AGAIN, PUT_AWAY_EARLY, LEAVES_REDO, REDO_SKIPPED = " and asked again", " early", " leaves ", " past "
UNDONE_CORRECTION, ON_TIMEOUT = " the correction", " by silence"
WITH_FACE, ARROW, NEXT_MOVE, AFTER_GOING_BACK = " with ", " -> ", " then ", " after going back "
FACE_DELIMITERS = NEXT_MOVE, ASKED_AGAIN, AFTER_GOING_BACK, LEAVES_REDO
_EVENT_WORDS: dict[type[Event], str] = {
    Left: "left",
    Returned: "returned",
    Undone: "undo",
    Redone: "redo",
    Reopened: "reopened",
}
SECONDS_PATTERN = re.compile(r"([0-9.e+-]+) s")
COUNT_PATTERN = re.compile(r" ([0-9]{1,9})")
MAX_CHARACTERS_PER_EVENT = 1_000
"""On average; a game of sealed rounds for twelve takes 130."""
MAX_LOG_CHARACTERS = MAX_EVENTS_PER_GAME * MAX_CHARACTERS_PER_EVENT
"""Characters of a log, written or read."""
MAX_HEADER_LINES = 10 * MAX_CARDS_PER_DECK
COMMITMENT_PATTERN = re.compile(r"[0-9a-f]{64}")


def write_log_text(events: Sequence[Event]) -> str:
    """The text of a log, which begins with `Began`; raises `UserError` where it couldn't be read back."""
    began, *rest = events
    assert isinstance(began, Began)
    pen = LogWriter(make_seats(began.names, began.colours))
    lines = [*format_header(began, pen), "", *(_format_event(event, pen) for event in rest)]
    text = "\n".join(lines) + "\n"
    if len(text) > MAX_LOG_CHARACTERS:
        raise UserError(say("The log of this game has more than {most} characters.", most=MAX_LOG_CHARACTERS))
    return text


def read_log_text(text: str) -> list[Event]:
    """The events of a log; raises `UserError`, which names the line and what is wrong with it."""
    header, lines = _split_header(text)
    began = read_header(HeaderReader(header, text.count("\n") + 1))
    seats, timeline, events = make_seats(began.names, began.colours), Timeline(), list[Event]([began])
    for at, line in lines:
        event = with_line_number(at, _read_event, LineScanner(line, seats))
        with_line_number(at, timeline.check, event)
        timeline.add(event)
        events.append(event)
    return events


def _split_header(text: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """The lines of the header and of the events, each with its number; raises `UserError` for too many."""
    header, events = list[tuple[int, str]](), list[tuple[int, str]]()
    for at, line in _numbered_lines(text):
        if not events and not line[0].isdigit():
            header.append((at, line))
        else:
            events.append((at, line))
        if len(events) > MAX_EVENTS_PER_GAME:
            raise UserError(say("This log has more than {most} events.", most=MAX_EVENTS_PER_GAME))
        if len(header) > MAX_HEADER_LINES:
            text = "This log has more than {most} lines before its first event."
            raise UserError(say(text, most=MAX_HEADER_LINES))
    return header, events


def _numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line that means something, with its number; one after the other, as there may be very many."""
    start, at = 0, 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        at, line, start = at + 1, text[start:end].strip(), end + 1
        if line and not line.startswith("#"):
            yield at, line


def _format_event(event: Event, pen: LogWriter) -> str:
    assert not isinstance(event, Began)
    return f"{event.n}  {_format_details(event, pen)}"


def _format_details(event: Event, pen: LogWriter) -> str:
    match event:
        case Answered(_, asks, answer, via, at, salts, rest):
            opened = f" salts {to_json_line(salts)}" if salts else ""
            tail = pen.text(via, ", ", ")") + (f", {at} s" if at else "")
            return f"{pen.asks(asks)} = {pen.value(answer)}  ({tail}){_format_redo_left(rest)}{opened}"
        case Sealed(_, seat, commitment, at, silent):
            return f"sealed {pen.seat(seat)} = {commitment}{ON_TIMEOUT * silent}{_format_time(at)}"
        case Corrected():
            return _format_correction(event, pen)
        case Amended(_, changed, answer, kept, at, rest):
            tail = f"{_format_redo_left(rest)}{_format_time(at)}"
            return f"amend {changed} = {pen.value(answer)}  (keeps {kept}){tail}"
        case PutAway(_, result, early):
            how = f"put away{PUT_AWAY_EARLY * early}"
            return how if result is None else f"{how} = {to_json_line(result)}"
    return _format_short_event(event, pen)


def _format_correction(event: Corrected, pen: LogWriter) -> str:
    """What was moved from where to where, why, and what more came of it."""
    first, *more = event.moves
    transfer, reason = _format_transfer(first, pen, " = "), to_json_line(event.reason)
    line = f"correct {transfer} = {reason}  ({event.at} s){_format_face(first, pen)}"
    for one in more:
        line += (
            f"{NEXT_MOVE}{_format_transfer(one, pen, WITH_FACE, *FACE_DELIMITERS)}{_format_face(one, pen)}"
        )
    back = f"{AFTER_GOING_BACK}{event.back}" if event.back else ""
    return f"{line}{ASKED_AGAIN * event.again}{back}{_format_redo_left(event.rest)}"


def _format_transfer(one: Transfer, pen: LogWriter, *ends: str) -> str:
    way = f"{pen.place(one.source, ARROW)}{ARROW}{pen.place(one.target, *ends)}"
    return f"{one.count} {pen.text(one.piece, ': ')}: {way}"


def _format_face(one: Transfer, pen: LogWriter) -> str:
    return (
        f"{WITH_FACE}{pen.text(one.face, ARROW)}{ARROW}{pen.place(one.face_to, *FACE_DELIMITERS)}"
        if one.face
        else ""
    )


def _format_short_event(event: Event, pen: LogWriter) -> str:
    """What is a word, and at most one thing more."""
    word = _EVENT_WORDS[type(event)]
    if isinstance(event, Left | Returned):
        return f"{word} {pen.seat(event.seat)}"
    if isinstance(event, Reopened):
        return word
    assert isinstance(event, Undone | Redone)
    many = f" {event.count}" if event.count > 1 else ""
    if isinstance(event, Undone):
        return f"{word}{UNDONE_CORRECTION * event.correction}{many}{_format_time(event.at)}"
    past = f"{REDO_SKIPPED}{event.skipped}" if event.skipped else ""
    return f"{word}{many}{past}{_format_time(event.at)}"


def _format_redo_left(rest: int) -> str:
    return f"{LEAVES_REDO}{rest}" if rest else ""


def _format_time(at: float) -> str:
    """Nothing where a log knows no time."""
    return f"  ({at} s)" if at else ""


def _read_event(line: LineScanner) -> Event:
    n = line.whole()
    line.take("  ")
    for word, reading in _EVENT_READERS.items():
        if line.may_take(word):
            event = reading(n, line)
            break
    else:
        event = _read_answered(n, line)
    line.end()
    return check_bounds(event)


def _read_answered(n: int, line: LineScanner) -> Answered:
    asks = line.asks()
    line.take(" = ")
    answer = line.value()
    line.take("  (")
    via = line.text(", ", ")")
    at = _read_seconds(line) if line.may_take(", ") else 0.0
    line.take(")")
    rest = _read_redo_left(line)
    salts = line.json() if line.may_take(" salts ") else {}
    if not isinstance(salts, dict):
        raise UserError(
            say(
                'the "salts" of the seals must be listed by seat number, not {json}', json=to_json_line(salts)
            )
        )
    return Answered(n, asks, answer, via, at, salts, rest)


def _read_sealed(n: int, line: LineScanner) -> Sealed:
    seat = line.seat()
    line.take(" = ")
    commitment = line.may_match(COMMITMENT_PATTERN)
    if commitment is None:
        raise UserError(
            say("a seal must have 64 characters, each of them 0-9 or a-f, not '{rest}'", rest=line.rest)
        )
    silent = line.may_take(ON_TIMEOUT)
    return Sealed(n, seat, commitment, _read_optional_time(line), silent)


def _read_corrected(n: int, line: LineScanner) -> Corrected:
    source, target, piece, count = _read_transfer(line, " = ")
    line.take(" = ")
    reason = line.text("  (")
    line.take("  (")
    at = _read_seconds(line)
    line.take(")")
    face = _read_face(line)
    more = []
    while line.may_take(NEXT_MOVE):
        more.append(Transfer(*_read_transfer(line, WITH_FACE, *FACE_DELIMITERS), *_read_face(line)))
    again = line.may_take(ASKED_AGAIN)
    back = line.whole() if line.may_take(AFTER_GOING_BACK) else 0
    rest = _read_redo_left(line)
    return Corrected(n, source, target, piece, count, reason, at, again, rest, back, *face, tuple(more))


def _read_transfer(line: LineScanner, *ends: str) -> tuple[str, str, str, int]:
    """From where, to where, which piece and how many."""
    count = line.whole()
    line.take(" ")
    piece = line.text(": ")
    line.take(": ")
    source = line.place(ARROW)
    line.take(ARROW)
    return source, line.place(*ends), piece, count


def _read_face(line: LineScanner) -> tuple[str, str]:
    if not line.may_take(WITH_FACE):
        return "", ""
    face = line.text(ARROW)
    line.take(ARROW)
    return face, line.place(*FACE_DELIMITERS)


def _read_amended(n: int, line: LineScanner) -> Amended:
    event = line.whole()
    line.take(" = ")
    answer = line.value()
    line.take("  (keeps ")
    kept = line.whole()
    line.take(")")
    rest = _read_redo_left(line)
    return Amended(n, event, answer, kept, _read_optional_time(line), rest)


def _read_put_away(n: int, line: LineScanner) -> PutAway:
    early = line.may_take(PUT_AWAY_EARLY)
    return PutAway(n, line.json() if line.may_take(" = ") else None, early)


def _read_undone(n: int, line: LineScanner) -> Undone:
    correction = line.may_take(UNDONE_CORRECTION)
    count = line.may_match(COUNT_PATTERN)
    return Undone(n, int(count or 1), _read_optional_time(line), correction)


def _read_redone(n: int, line: LineScanner) -> Redone:
    count = line.may_match(COUNT_PATTERN)
    skipped = line.whole() if line.may_take(REDO_SKIPPED) else 0
    return Redone(n, _read_optional_time(line), int(count or 1), skipped)


def _read_redo_left(line: LineScanner) -> int:
    return line.whole() if line.may_take(LEAVES_REDO) else 0


def _read_optional_time(line: LineScanner) -> float:
    if not line.may_take("  ("):
        return 0.0
    at = _read_seconds(line)
    line.take(")")
    return at


def _read_seconds(line: LineScanner) -> float:
    try:
        return float(line.may_match(SECONDS_PATTERN) or "")
    except ValueError:
        raise UserError(
            say("a time in seconds, such as 61.2 s, is expected here, not '{rest}'", rest=line.rest)
        ) from None


_EVENT_READERS: dict[str, Callable[[int, LineScanner], Event]] = {
    "sealed ": _read_sealed,
    "correct ": _read_corrected,
    "undo": _read_undone,
    "redo": _read_redone,
    "amend ": _read_amended,
    "left ": lambda n, line: Left(n, line.seat()),
    "returned ": lambda n, line: Returned(n, line.seat()),
    "put away": _read_put_away,
    "reopened": lambda n, _line: Reopened(n),
}


# The header of a log: game, seats, options, seed and decks, written and read back.
#
# It checks the form of each line, not whether such a game exists.


FIRST_LINE = "companion log 1"
PROVISIONAL_MARK = " provisional"

P = ParamSpec("P")
T = TypeVar("T")


def format_header(began: Began, pen: LogWriter) -> Iterator[str]:
    """The lines before the first event: what the game began with."""
    yield FIRST_LINE
    yield f"game {pen.text(began.game, ' ')} {began.version}"
    for name, colour in zip(began.names, began.colours, strict=True):
        yield f"seat {name} ({colour})"
    for key, setting in began.options.items():
        yield f"option {pen.text(key, ' = ')} = {pen.value(setting)}"
    yield f"seed {began.seed}"
    for deck in began.decks.values():
        yield f"deck {pen.text(deck.name, ' ')}{PROVISIONAL_MARK * deck.provisional}"
        for name, field in deck.fields.items():
            yield f"field {pen.text(name, ' = ')} = {to_json_line(_field_as_json(field))}"
        for name, row in deck.board.items():
            yield f"board {pen.text(name, ' = ')} = {to_json_line(list(row))}"
        for design in deck.designs:
            yield f"card {design.copies} × {pen.text(design.id, ': ')}: {pen.values(design.values)}"


def _field_as_json(field: CardField) -> dict[str, object]:
    """What may be printed there; `only`, `under` and `hint` aren't in the logs of fields that have none."""
    printable = msgspec.to_builtins(field)
    for one, key in product((printable, *printable["only"]), ("under", "hint")):
        if not one[key]:
            del one[key]
    return {key: value for key, value in printable.items() if value or key != "only"}


class HeaderReader:
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

    def all(self, head: str, reading: Callable[[LineScanner], T]) -> list[T]:
        """The next lines that begin with this word."""
        found = []
        while self._lines and self._lines[0][1].startswith(f"{head} "):
            found.append(self.one(head, reading))
        return found

    def one(self, head: str, reading: Callable[[LineScanner], T]) -> T:
        """The next line, which must begin with this word."""
        at, text = self._lines.popleft() if self._lines else (self._last, "")
        if not text.startswith(f"{head} "):
            raise UserError(
                say("Line {line}: '{head} …' is expected here, not '{text}'", line=at, head=head, text=text)
            )
        line = LineScanner(text.removeprefix(f"{head} "), Seats())
        return with_line_number(at, _read_whole_line, line, reading)


def _read_whole_line(line: LineScanner, reading: Callable[[LineScanner], T]) -> T:
    found = reading(line)
    line.end()
    return found


def read_header(header: HeaderReader) -> Began:
    """What the game began with; raises `UserError`, which names the line."""
    header.one("companion log", _read_log_version)
    game, version = header.one("game", _read_game)
    first_seat = header.at
    people = [header.one("seat", _read_seat), *header.all("seat", _read_seat)]
    names, colours = (tuple(person[at] for person in people) for at in (0, 1))
    with_line_number(first_seat, make_seats, names, colours)
    options = dict(header.all("option", _read_option))
    seed = header.one("seed", LineScanner.whole)
    decks = {}
    while header.more:
        first_line = header.at
        name, provisional = header.one("deck", _read_deck)
        fields, board = dict(header.all("field", _read_field)), dict(header.all("board", _read_board_row))
        designs = tuple(header.all("card", _read_design))
        decks[name] = with_line_number(first_line, Deck, name, designs, board, fields, provisional)
    return with_line_number(1, check_bounds, Began(game, version, names, colours, options, decks, seed))


def _read_log_version(line: LineScanner) -> None:
    line.take("1")


def _read_game(line: LineScanner) -> tuple[str, int]:
    key = line.text(" ")
    line.take(" ")
    return key, line.whole()


def _read_seat(line: LineScanner) -> tuple[str, str]:
    name, _, colour = line.rest.rpartition(" (")
    line.take(f"{name} ({colour.removesuffix(')')})")
    return name, colour.removesuffix(")")


def _read_option(line: LineScanner) -> tuple[str, OptionValue]:
    key = line.text(" = ")
    line.take(" = ")
    setting = line.value()
    if setting is not None and type(setting) not in {int, str}:
        raise UserError(
            say('an option must be a number, a word or "no", not {json}', json=to_json_line(setting))
        )
    return key, setting


def _read_deck(line: LineScanner) -> tuple[str, bool]:
    return line.text(" "), line.may_take(PROVISIONAL_MARK)


def _read_field(line: LineScanner) -> tuple[str, CardField]:
    return _read_named_json(line, CardField)


def _read_board_row(line: LineScanner) -> tuple[str, tuple[int, ...]]:
    return _read_named_json(line, tuple[BoundedInteger, ...])


def _read_named_json(line: LineScanner, kind: type[T]) -> tuple[str, T]:
    """`name = ` and something of that kind in JSON."""
    name = line.text(" = ")
    line.take(" = ")
    try:
        return name, toml.convert_value(line.json(), kind)
    except toml.InvalidTomlValue as error:
        raise UserError(say("this can't be read: {why}", why=error.text)) from None


def _read_design(line: LineScanner) -> Design:
    copies = line.whole()
    line.take(" × ")
    name = line.text(": ")
    line.take(": ")
    return check_bounds(Design(name, copies, line.values()))


def with_line_number(at: int, reading: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What reading returns; names the line in the `UserError` it raises."""
    try:
        return reading(*args, **kwargs)
    except UserError as error:
        raise UserError(say("Line {line}: {why}", line=at, why=error.text)) from error
