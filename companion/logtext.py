"""A log as text that people read, write and mail: a header, then one event per line, and exactly back again.

    companion log 1
    game egypt 1
    seat Aki (orange)
    option pay_rule = own_bid
    seed 4242
    deck egypt
    card 4 × 4: number 4

    12  Raise Aki: chip 7 = 5  (screen, 61.2 s)

The number at the beginning of a line is that of the open question.
`leaves 14`: 14 steps that an amendment undid can still be redone; `redo 14 past 1`: 14 were redone, 1 wasn't.
`no` is JSON's null, a word stands for itself, `[#6.2, number 7, any]` are cards, `{own 2, foreign 1}` are
counts, `{Aki: 3, Ben: 4}` are values by seat. A value without an unambiguous short form is JSON.
Blank lines and lines that begin with # are ignored. This module opens no file and plays no rule. It checks
the form of each line, not whether such a game exists.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, ParamSpec, TypeVar

import msgspec

from companion.bounds import (
    MAX_CARDS_PER_DECK,
    MAX_EVENTS_PER_GAME,
    MAX_LOGGED_TEXT_CHARACTERS,
    BoundedInteger,
)
from companion.cards import CardDesign, CardField, Deck
from companion.cards.deck import CardValue
from companion.errors import UserError
from companion.files import bounded_json, toml
from companion.log.events import (
    Amended,
    Answered,
    Began,
    Corrected,
    CorrectionMove,
    Event,
    PlayerLeft,
    PlayerReturned,
    PutAway,
    Redone,
    Reopened,
    Sealed,
    Undone,
)
from companion.log.timeline import Timeline
from companion.table.seats import Seats, make_seats
from companion.table.table import OptionValue
from companion.texts import say

ASKED_AGAIN_MARK, PUT_AWAY_EARLY_MARK, REMAINING_REDO_MARK, SKIPPED_REDO_MARK = (
    " and asked again",
    " early",
    " leaves ",
    " past ",
)
UNDONE_CORRECTION_MARK, TIMEOUT_MARK = " the correction", " by silence"
FACE_MARK, ARROW, NEXT_TRANSFER_MARK, GOING_BACK_MARK = " with ", " -> ", " then ", " after going back "
DELIMITERS_AFTER_FACE = NEXT_TRANSFER_MARK, ASKED_AGAIN_MARK, GOING_BACK_MARK, REMAINING_REDO_MARK
_EVENT_WORDS: dict[type[Event], str] = {
    PlayerLeft: "left",
    PlayerReturned: "returned",
    Undone: "undo",
    Redone: "redo",
    Reopened: "reopened",
}
SECONDS_PATTERN = re.compile(r"([0-9.e+-]+) s")
COUNT_PATTERN = re.compile(r" ([0-9]{1,9})")
MAX_AVERAGE_CHARACTERS_PER_EVENT = 1_000
"""The most characters of an event on average; the events of a game of sealed rounds for twelve take 130."""
MAX_LOG_TEXT_CHARACTERS = MAX_EVENTS_PER_GAME * MAX_AVERAGE_CHARACTERS_PER_EVENT
"""The greatest length of a log as text, written or read."""
MAX_HEADER_LINES = 10 * MAX_CARDS_PER_DECK
COMMITMENT_PATTERN = re.compile(r"[0-9a-f]{64}")


def format_log_text(events: Sequence[Event]) -> str:
    """Returns the text of a log, whose first event is `Began`; raises `UserError` if the text is too long."""
    began, *rest = events
    assert isinstance(began, Began)
    writer = ShortFormWriter(make_seats(began.names, began.colours))
    lines = [*format_header(began, writer), "", *(_format_event(event, writer) for event in rest)]
    text = "\n".join(lines) + "\n"
    if len(text) > MAX_LOG_TEXT_CHARACTERS:
        raise UserError(
            say("The log of this game has more than {most} characters.", most=MAX_LOG_TEXT_CHARACTERS)
        )
    return text


def parse_log_text(text: str) -> list[Event]:
    """Returns the events of a log; raises `UserError`, which names the line and what is wrong with it."""
    header, lines = _split_header(text)
    began = read_header(HeaderReader(header, text.count("\n") + 1))
    seats, timeline, events = make_seats(began.names, began.colours), Timeline(), list[Event]([began])
    for line_number, line in lines:
        event = call_naming_line_in_errors(line_number, _read_event, LineScanner(line, seats))
        call_naming_line_in_errors(line_number, timeline.require_possible_next_event, event)
        timeline.add_event(event)
        events.append(event)
    return events


def _split_header(text: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Returns the numbered lines of the header and of the events; raises `UserError` for too many."""
    header, events = list[tuple[int, str]](), list[tuple[int, str]]()
    for line_number, line in _numbered_lines(text):
        if not events and not line[0].isdigit():
            header.append((line_number, line))
        else:
            events.append((line_number, line))
        if len(events) > MAX_EVENTS_PER_GAME:
            raise UserError(say("This log has more than {most} events.", most=MAX_EVENTS_PER_GAME))
        if len(header) > MAX_HEADER_LINES:
            raise UserError(
                say("This log has more than {most} lines before its first event.", most=MAX_HEADER_LINES)
            )
    return header, events


def _numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yields each line that isn't ignored, with its number; lazily, because there may be very many lines."""
    start, line_number = 0, 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line_number, line, start = line_number + 1, text[start:end].strip(), end + 1
        if line and not line.startswith("#"):
            yield line_number, line


def _format_event(event: Event, writer: ShortFormWriter) -> str:
    assert not isinstance(event, Began)
    return f"{event.n}  {_format_details(event, writer)}"


def _format_details(event: Event, writer: ShortFormWriter) -> str:
    match event:
        case Answered(_, asks, answer, via, time, salts, rest):
            salts_text = f" salts {to_json_line(salts)}" if salts else ""
            details = writer.format_text(via, ", ", ")") + (f", {time} s" if time else "")
            question, remaining_redo = writer.format_question_key(asks), _format_remaining_redo_count(rest)
            return f"{question} = {writer.format_value(answer)}  ({details}){remaining_redo}{salts_text}"
        case Sealed(_, seat, commitment, time, silent):
            tail = f"{TIMEOUT_MARK * silent}{_format_time(time)}"
            return f"sealed {writer.format_seat_as_name(seat)} = {commitment}{tail}"
        case Corrected():
            return _format_correction(event, writer)
        case Amended(_, amended_question, answer, kept, time, rest):
            details = f"{_format_remaining_redo_count(rest)}{_format_time(time)}"
            return f"amend {amended_question} = {writer.format_value(answer)}  (keeps {kept}){details}"
        case PutAway(_, result, early):
            words = f"put away{PUT_AWAY_EARLY_MARK * early}"
            return words if result is None else f"{words} = {to_json_line(result)}"
    return _format_short_event(event, writer)


def _format_correction(event: Corrected, writer: ShortFormWriter) -> str:
    """Returns the words for a correction: what was moved from where to where, why, and the consequences."""
    first, *later_transfers = event.moves
    moved, reason = _format_transfer(first, writer, " = "), to_json_line(event.reason)
    line = f"correct {moved} = {reason}  ({event.at} s){_format_face(first, writer)}"
    for transfer in later_transfers:
        moved = _format_transfer(transfer, writer, FACE_MARK, *DELIMITERS_AFTER_FACE)
        line += f"{NEXT_TRANSFER_MARK}{moved}{_format_face(transfer, writer)}"
    back = f"{GOING_BACK_MARK}{event.back}" if event.back else ""
    return f"{line}{ASKED_AGAIN_MARK * event.again}{back}{_format_remaining_redo_count(event.rest)}"


def _format_transfer(transfer: CorrectionMove, writer: ShortFormWriter, *delimiters: str) -> str:
    source = writer.format_place(transfer.source, ARROW)
    target = writer.format_place(transfer.target, *delimiters)
    return f"{transfer.count} {writer.format_text(transfer.piece, ': ')}: {source}{ARROW}{target}"


def _format_face(transfer: CorrectionMove, writer: ShortFormWriter) -> str:
    if not transfer.face:
        return ""
    place = writer.format_place(transfer.face_to, *DELIMITERS_AFTER_FACE)
    return f"{FACE_MARK}{writer.format_text(transfer.face, ARROW)}{ARROW}{place}"


def _format_short_event(event: Event, writer: ShortFormWriter) -> str:
    """Returns the word for an event, with at most one more value and a time."""
    word = _EVENT_WORDS[type(event)]
    if isinstance(event, PlayerLeft | PlayerReturned):
        return f"{word} {writer.format_seat_as_name(event.seat)}"
    if isinstance(event, Reopened):
        return f"{word}{_format_time(event.at)}"
    assert isinstance(event, Undone | Redone)
    count = f" {event.count}" if event.count > 1 else ""
    if isinstance(event, Undone):
        return f"{word}{UNDONE_CORRECTION_MARK * event.correction}{count}{_format_time(event.at)}"
    skipped = f"{SKIPPED_REDO_MARK}{event.skipped}" if event.skipped else ""
    return f"{word}{count}{skipped}{_format_time(event.at)}"


def _format_remaining_redo_count(rest: int) -> str:
    return f"{REMAINING_REDO_MARK}{rest}" if rest else ""


def _format_time(time: float) -> str:
    """Returns the time of an event; "" if the log has no time."""
    return f"  ({time} s)" if time else ""


def _read_event(line: LineScanner) -> Event:
    n = line.read_integer()
    line.expect("  ")
    for word, reader in _EVENT_READERS.items():
        if line.accept(word):
            event = reader(n, line)
            break
    else:
        event = _read_answered(n, line)
    line.expect_end()
    return require_within_bounds(event)


def _read_answered(n: int, line: LineScanner) -> Answered:
    asks = line.read_question_key()
    line.expect(" = ")
    answer = line.read_value()
    line.expect("  (")
    via = line.read_string(", ", ")")
    time = _read_seconds(line) if line.accept(", ") else 0.0
    line.expect(")")
    rest = _read_remaining_redo_count(line)
    salts = line.read_json() if line.accept(" salts ") else {}
    if not isinstance(salts, dict):
        raise UserError(
            say(
                'the "salts" of the seals must be listed by seat number, not {json}', json=to_json_line(salts)
            )
        )
    return Answered(n, asks, answer, via, time, salts, rest)


def _read_sealed(n: int, line: LineScanner) -> Sealed:
    seat = line.read_seat_name_as_number()
    line.expect(" = ")
    commitment = line.match(COMMITMENT_PATTERN)
    if commitment is None:
        raise UserError(
            say("a seal must have 64 characters, each of them 0-9 or a-f, not '{rest}'", rest=line.remaining)
        )
    is_silent = line.accept(TIMEOUT_MARK)
    return Sealed(n, seat, commitment, _read_optional_time(line), is_silent)


def _read_corrected(n: int, line: LineScanner) -> Corrected:
    source, target, piece, count = _read_transfer(line, " = ")
    line.expect(" = ")
    reason = line.read_string("  (")
    line.expect("  (")
    time = _read_seconds(line)
    line.expect(")")
    face = _read_face(line)
    later_transfers = []
    while line.accept(NEXT_TRANSFER_MARK):
        later_transfers.append(
            CorrectionMove(*_read_transfer(line, FACE_MARK, *DELIMITERS_AFTER_FACE), *_read_face(line))
        )
    again = line.accept(ASKED_AGAIN_MARK)
    back = line.read_integer() if line.accept(GOING_BACK_MARK) else 0
    rest = _read_remaining_redo_count(line)
    return Corrected(
        n, source, target, piece, count, reason, time, again, rest, back, *face, tuple(later_transfers)
    )


def _read_transfer(line: LineScanner, *delimiters: str) -> tuple[str, str, str, int]:
    """Returns the source, the target, the piece and the count of a transfer."""
    count = line.read_integer()
    line.expect(" ")
    piece = line.read_string(": ")
    line.expect(": ")
    source = line.read_place(ARROW)
    line.expect(ARROW)
    return source, line.read_place(*delimiters), piece, count


def _read_face(line: LineScanner) -> tuple[str, str]:
    if not line.accept(FACE_MARK):
        return "", ""
    face = line.read_string(ARROW)
    line.expect(ARROW)
    return face, line.read_place(*DELIMITERS_AFTER_FACE)


def _read_amended(n: int, line: LineScanner) -> Amended:
    amended_question = line.read_integer()
    line.expect(" = ")
    answer = line.read_value()
    line.expect("  (keeps ")
    kept = line.read_integer()
    line.expect(")")
    rest = _read_remaining_redo_count(line)
    return Amended(n, amended_question, answer, kept, _read_optional_time(line), rest)


def _read_put_away(n: int, line: LineScanner) -> PutAway:
    is_early = line.accept(PUT_AWAY_EARLY_MARK)
    return PutAway(n, line.read_json() if line.accept(" = ") else None, is_early)


def _read_undone(n: int, line: LineScanner) -> Undone:
    correction = line.accept(UNDONE_CORRECTION_MARK)
    count = line.match(COUNT_PATTERN)
    return Undone(n, int(count or 1), _read_optional_time(line), correction)


def _read_redone(n: int, line: LineScanner) -> Redone:
    count = line.match(COUNT_PATTERN)
    skipped = line.read_integer() if line.accept(SKIPPED_REDO_MARK) else 0
    return Redone(n, _read_optional_time(line), int(count or 1), skipped)


def _read_remaining_redo_count(line: LineScanner) -> int:
    return line.read_integer() if line.accept(REMAINING_REDO_MARK) else 0


def _read_optional_time(line: LineScanner) -> float:
    if not line.accept("  ("):
        return 0.0
    time = _read_seconds(line)
    line.expect(")")
    return time


def _read_seconds(line: LineScanner) -> float:
    try:
        return float(line.match(SECONDS_PATTERN) or "")
    except ValueError:
        raise UserError(
            say("a time in seconds, such as 61.2 s, is expected here, not '{rest}'", rest=line.remaining)
        ) from None


_EVENT_READERS: dict[str, Callable[[int, LineScanner], Event]] = {
    "sealed ": _read_sealed,
    "correct ": _read_corrected,
    "undo": _read_undone,
    "redo": _read_redone,
    "amend ": _read_amended,
    "left ": lambda n, line: PlayerLeft(n, line.read_seat_name_as_number()),
    "returned ": lambda n, line: PlayerReturned(n, line.read_seat_name_as_number()),
    "put away": _read_put_away,
    "reopened": lambda n, line: Reopened(n, _read_optional_time(line)),
}


# Header


FIRST_LINE = "companion log 1"
PROVISIONAL_MARK = " provisional"

P = ParamSpec("P")
T = TypeVar("T")


def format_header(began: Began, writer: ShortFormWriter) -> Iterator[str]:
    """Yields the lines of a log before its first event: what the game began with."""
    yield FIRST_LINE
    yield f"game {writer.format_text(began.game, ' ')} {began.version}"
    for name, colour in zip(began.names, began.colours, strict=True):
        yield f"seat {name} ({colour})"
    for key, value in began.options.items():
        yield f"option {writer.format_text(key, ' = ')} = {writer.format_value(value)}"
    yield f"seed {began.seed}"
    for deck in began.decks.values():
        yield f"deck {writer.format_text(deck.name, ' ')}{PROVISIONAL_MARK * deck.provisional}"
        for name, field in deck.fields.items():
            yield f"field {writer.format_text(name, ' = ')} = {to_json_line(_field_as_json(field))}"
        for name, numbers in deck.board.items():
            yield f"board {writer.format_text(name, ' = ')} = {to_json_line(list(numbers))}"
        for design in deck.designs:
            name, values = writer.format_text(design.id, ": "), writer.format_printed_values(design.values)
            yield f"card {design.copies} × {name}: {values}"


def _field_as_json(field: CardField) -> dict[str, object]:
    """Returns a field as JSON.

    `only`, `under`, `hint` and `halves_on` are omitted if empty, as in the logs of older versions.
    """
    field_json = msgspec.to_builtins(field)
    for variant, key in product((field_json, *field_json["only"]), ("under", "hint", "halves_on")):
        if not variant[key]:
            del variant[key]
    return {key: value for key, value in field_json.items() if value or key != "only"}


class HeaderReader:
    """Reads the header of a log as text, line by line from the top."""

    def __init__(self, lines: Sequence[tuple[int, str]], last_line_number: int) -> None:
        self._lines = deque(lines)
        self._last_line_number = last_line_number

    @property
    def has_more_lines(self) -> bool:
        """True if there are more lines."""
        return bool(self._lines)

    @property
    def next_line_number(self) -> int:
        """The number of the next line; if there is none, that of the log's last line."""
        return self._lines[0][0] if self._lines else self._last_line_number

    def read_lines_starting_with(self, first_word: str, parse_line: Callable[[LineScanner], T]) -> list[T]:
        """Parses the next lines as long as they begin with a word, and returns their values."""
        values = []
        while self._lines and self._lines[0][1].startswith(f"{first_word} "):
            values.append(self.read_line_starting_with(first_word, parse_line))
        return values

    def read_line_starting_with(self, first_word: str, parse_line: Callable[[LineScanner], T]) -> T:
        """Parses the next line, which must begin with a word, and returns its value."""
        line_number, text = self._lines.popleft() if self._lines else (self._last_line_number, "")
        if not text.startswith(f"{first_word} "):
            raise UserError(
                say(
                    "Line {line}: '{head} …' is expected here, not '{text}'",
                    line=line_number,
                    head=first_word,
                    text=text,
                )
            )
        line = LineScanner(text.removeprefix(f"{first_word} "), Seats())
        return call_naming_line_in_errors(line_number, _read_whole_line, line, parse_line)


def _read_whole_line(line: LineScanner, parse_line: Callable[[LineScanner], T]) -> T:
    value = parse_line(line)
    line.expect_end()
    return value


def read_header(header: HeaderReader) -> Began:
    """Returns the event that a game began from the header of its log.

    Raises `UserError`, which names the line.
    """
    header.read_line_starting_with("companion log", lambda line: line.expect("1"))
    game, version = header.read_line_starting_with("game", _read_game)
    first_seat_line = header.next_line_number
    seats = [
        header.read_line_starting_with("seat", _read_seat),
        *header.read_lines_starting_with("seat", _read_seat),
    ]
    names, colours = tuple(name for name, _ in seats), tuple(colour for _, colour in seats)
    call_naming_line_in_errors(first_seat_line, make_seats, names, colours)
    options = dict(header.read_lines_starting_with("option", _read_option))
    seed = header.read_line_starting_with("seed", LineScanner.read_integer)
    decks = {}
    while header.has_more_lines:
        deck_line = header.next_line_number
        name, is_provisional = header.read_line_starting_with("deck", _read_deck)
        fields = dict(
            header.read_lines_starting_with("field", lambda line: _read_name_and_json(line, CardField))
        )
        board = dict(
            header.read_lines_starting_with(
                "board", lambda line: _read_name_and_json(line, tuple[BoundedInteger, ...])
            )
        )
        designs = tuple(header.read_lines_starting_with("card", _read_design))
        decks[name] = call_naming_line_in_errors(
            deck_line, Deck, name, designs, board, fields, is_provisional
        )
    return call_naming_line_in_errors(
        1, require_within_bounds, Began(game, version, names, colours, options, decks, seed)
    )


def _read_game(line: LineScanner) -> tuple[str, int]:
    key = line.read_string(" ")
    line.expect(" ")
    return key, line.read_integer()


def _read_seat(line: LineScanner) -> tuple[str, str]:
    name, _, colour = line.remaining.rpartition(" (")
    line.expect(f"{name} ({colour.removesuffix(')')})")
    return name, colour.removesuffix(")")


def _read_option(line: LineScanner) -> tuple[str, OptionValue]:
    key = line.read_string(" = ")
    line.expect(" = ")
    value = line.read_value()
    if value is not None and type(value) not in {int, str}:
        raise UserError(
            say('an option must be a number, a word or "no", not {json}', json=to_json_line(value))
        )
    return key, value


def _read_deck(line: LineScanner) -> tuple[str, bool]:
    return line.read_string(" "), line.accept(PROVISIONAL_MARK)


def _read_name_and_json(line: LineScanner, value_type: type[T]) -> tuple[str, T]:
    """Reads `name = ` and a JSON value of a type."""
    name = line.read_string(" = ")
    line.expect(" = ")
    try:
        return name, toml.convert_value(line.read_json(), value_type)
    except toml.InvalidTomlValue as error:
        raise UserError(say("this can't be read: {why}", why=error.text)) from None


def _read_design(line: LineScanner) -> CardDesign:
    copies = line.read_integer()
    line.expect(" × ")
    name = line.read_string(": ")
    line.expect(": ")
    return require_within_bounds(CardDesign(name, copies, line.read_printed_values()))


def call_naming_line_in_errors(
    line_number: int, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Calls a function and returns its result; adds the line number to a `UserError` that it raises."""
    try:
        return function(*args, **kwargs)
    except UserError as error:
        raise UserError(say("Line {line}: {why}", line=line_number, why=error.text)) from error


# The short forms of values in a line. A short form is used only if it reads back as exactly what was written;
# everything else is JSON.


PLAIN_WORD_PATTERN = re.compile(r"(?!(?:no|true|false|null|any)\b)[A-Za-z_][A-Za-z0-9_]*")
WHOLE_NUMBER_PATTERN = re.compile(r"-?[0-9]{1,19}(?![0-9.eE])")
HALF_NUMBER_PATTERN = re.compile(r"-?[0-9]{1,15}[.]5(?![0-9.eE])")
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
