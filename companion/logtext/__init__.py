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
from collections.abc import Callable, Iterator, Sequence

from companion.bounds import MAX_CARDS_PER_DECK, MAX_EVENTS_PER_GAME
from companion.errors import UserError
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
from companion.logtext.header import Header, at_line, header_lines, read_header
from companion.logtext.shortform import LogLine, Pen, as_json, bounded
from companion.table.seats import make_seats
from companion.texts import say

AGAIN, EARLY, LEAVES, PAST = " and asked again", " early", " leaves ", " past "
OF_CORRECTION, BY_SILENCE = " the correction", " by silence"
FACE, TO, THEN, BACK = " with ", " -> ", " then ", " after going back "
FACE_ENDS = THEN, AGAIN, BACK, LEAVES
_WORDS: dict[type[Event], str] = {
    Left: "left",
    Returned: "returned",
    Undone: "undo",
    Redone: "redo",
    Reopened: "reopened",
}
SECONDS = re.compile(r"([0-9.e+-]+) s")
COUNT = re.compile(r" ([0-9]{1,9})")
MOST_LETTERS_AN_EVENT = 1_000
"""On average; a game of sealed rounds for twelve takes 130."""
MOST = MAX_EVENTS_PER_GAME * MOST_LETTERS_AN_EVENT
"""Characters of a log, written or read."""
MOST_LINES_OF_A_HEADER = 10 * MAX_CARDS_PER_DECK
COMMITMENT = re.compile(r"[0-9a-f]{64}")


def write(events: Sequence[Event]) -> str:
    """The text of a log, which begins with `Began`; raises `UserError` where it couldn't be read back."""
    began, *rest = events
    assert isinstance(began, Began)
    pen = Pen(make_seats(began.names, began.colours))
    lines = [*header_lines(began, pen), "", *(_event(event, pen) for event in rest)]
    text = "\n".join(lines) + "\n"
    if len(text) > MOST:
        raise UserError(say("The log of this game has more than {most} characters.", most=MOST))
    return text


def read(text: str) -> list[Event]:
    """The events of a log; raises `UserError`, which names the line and what is wrong with it."""
    header, lines = _parts(text)
    began = read_header(Header(header, text.count("\n") + 1))
    seats, timeline, events = make_seats(began.names, began.colours), Timeline(), list[Event]([began])
    for at, line in lines:
        event = at_line(at, _read_event, LogLine(line, seats))
        at_line(at, timeline.check, event)
        timeline.add(event)
        events.append(event)
    return events


def _parts(text: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """The lines of the header and of the events, each with its number; raises `UserError` for too many."""
    header, events = list[tuple[int, str]](), list[tuple[int, str]]()
    for at, line in _lines(text):
        if not events and not line[0].isdigit():
            header.append((at, line))
        else:
            events.append((at, line))
        if len(events) > MAX_EVENTS_PER_GAME:
            raise UserError(say("This log has more than {most} events.", most=MAX_EVENTS_PER_GAME))
        if len(header) > MOST_LINES_OF_A_HEADER:
            text = "This log has more than {most} lines before its first event."
            raise UserError(say(text, most=MOST_LINES_OF_A_HEADER))
    return header, events


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line that means something, with its number; one after the other, as there may be very many."""
    start, at = 0, 0
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        at, line, start = at + 1, text[start:end].strip(), end + 1
        if line and not line.startswith("#"):
            yield at, line


def _event(event: Event, pen: Pen) -> str:
    assert not isinstance(event, Began)
    return f"{event.n}  {_told(event, pen)}"


def _told(event: Event, pen: Pen) -> str:
    match event:
        case Answered(_, asks, answer, via, at, salts, rest):
            opened = f" salts {as_json(salts)}" if salts else ""
            tail = pen.text(via, ", ", ")") + (f", {at} s" if at else "")
            return f"{pen.asks(asks)} = {pen.value(answer)}  ({tail}){_leaves(rest)}{opened}"
        case Sealed(_, seat, commitment, at, silent):
            return f"sealed {pen.seat(seat)} = {commitment}{BY_SILENCE * silent}{_when(at)}"
        case Corrected():
            return _by_hand(event, pen)
        case Amended(_, changed, answer, kept, at, rest):
            return f"amend {changed} = {pen.value(answer)}  (keeps {kept}){_leaves(rest)}{_when(at)}"
        case PutAway(_, result, early):
            how = f"put away{EARLY * early}"
            return how if result is None else f"{how} = {as_json(result)}"
    return _short(event, pen)


def _by_hand(event: Corrected, pen: Pen) -> str:
    """What was moved from where to where, why, and what more came of it."""
    first, *more = event.moves
    line = f"correct {_way(first, pen, ' = ')} = {as_json(event.reason)}  ({event.at} s){_face(first, pen)}"
    for one in more:
        line += f"{THEN}{_way(one, pen, FACE, *FACE_ENDS)}{_face(one, pen)}"
    back = f"{BACK}{event.back}" if event.back else ""
    return f"{line}{AGAIN * event.again}{back}{_leaves(event.rest)}"


def _way(one: Transfer, pen: Pen, *ends: str) -> str:
    way = f"{pen.place(one.source, TO)}{TO}{pen.place(one.target, *ends)}"
    return f"{one.count} {pen.text(one.piece, ': ')}: {way}"


def _face(one: Transfer, pen: Pen) -> str:
    return f"{FACE}{pen.text(one.face, TO)}{TO}{pen.place(one.face_to, *FACE_ENDS)}" if one.face else ""


def _short(event: Event, pen: Pen) -> str:
    """What is a word, and at most one thing more."""
    word = _WORDS[type(event)]
    if isinstance(event, Left | Returned):
        return f"{word} {pen.seat(event.seat)}"
    if isinstance(event, Reopened):
        return word
    assert isinstance(event, Undone | Redone)
    many = f" {event.count}" if event.count > 1 else ""
    if isinstance(event, Undone):
        return f"{word}{OF_CORRECTION * event.correction}{many}{_when(event.at)}"
    past = f"{PAST}{event.skipped}" if event.skipped else ""
    return f"{word}{many}{past}{_when(event.at)}"


def _leaves(rest: int) -> str:
    return f"{LEAVES}{rest}" if rest else ""


def _when(at: float) -> str:
    """Nothing where a log knows no time."""
    return f"  ({at} s)" if at else ""


def _read_event(line: LogLine) -> Event:
    n = line.whole()
    line.take("  ")
    for word, reading in _VERBS.items():
        if line.may_take(word):
            event = reading(n, line)
            break
    else:
        event = _answered(n, line)
    line.end()
    return bounded(event)


def _answered(n: int, line: LogLine) -> Answered:
    asks = line.asks()
    line.take(" = ")
    answer = line.value()
    line.take("  (")
    via = line.text(", ", ")")
    at = _seconds(line) if line.may_take(", ") else 0.0
    line.take(")")
    rest = _may_leave(line)
    salts = line.json() if line.may_take(" salts ") else {}
    if not isinstance(salts, dict):
        raise UserError(
            say('the "salts" of the seals must be listed by seat number, not {json}', json=as_json(salts))
        )
    return Answered(n, asks, answer, via, at, salts, rest)


def _sealed(n: int, line: LogLine) -> Sealed:
    seat = line.seat()
    line.take(" = ")
    commitment = line.may_match(COMMITMENT)
    if commitment is None:
        raise UserError(
            say("a seal must have 64 characters, each of them 0-9 or a-f, not '{rest}'", rest=line.rest)
        )
    silent = line.may_take(BY_SILENCE)
    return Sealed(n, seat, commitment, _may_be_when(line), silent)


def _corrected(n: int, line: LogLine) -> Corrected:
    source, target, piece, count = _read_way(line, " = ")
    line.take(" = ")
    reason = line.text("  (")
    line.take("  (")
    at = _seconds(line)
    line.take(")")
    face = _read_face(line)
    more = []
    while line.may_take(THEN):
        more.append(Transfer(*_read_way(line, FACE, *FACE_ENDS), *_read_face(line)))
    again = line.may_take(AGAIN)
    back = line.whole() if line.may_take(BACK) else 0
    rest = _may_leave(line)
    return Corrected(n, source, target, piece, count, reason, at, again, rest, back, *face, tuple(more))


def _read_way(line: LogLine, *ends: str) -> tuple[str, str, str, int]:
    """From where, to where, which piece and how many."""
    count = line.whole()
    line.take(" ")
    piece = line.text(": ")
    line.take(": ")
    source = line.place(TO)
    line.take(TO)
    return source, line.place(*ends), piece, count


def _read_face(line: LogLine) -> tuple[str, str]:
    if not line.may_take(FACE):
        return "", ""
    face = line.text(TO)
    line.take(TO)
    return face, line.place(*FACE_ENDS)


def _amended(n: int, line: LogLine) -> Amended:
    event = line.whole()
    line.take(" = ")
    answer = line.value()
    line.take("  (keeps ")
    kept = line.whole()
    line.take(")")
    rest = _may_leave(line)
    return Amended(n, event, answer, kept, _may_be_when(line), rest)


def _put_away(n: int, line: LogLine) -> PutAway:
    early = line.may_take(EARLY)
    return PutAway(n, line.json() if line.may_take(" = ") else None, early)


def _undone(n: int, line: LogLine) -> Undone:
    correction = line.may_take(OF_CORRECTION)
    count = line.may_match(COUNT)
    return Undone(n, int(count or 1), _may_be_when(line), correction)


def _redone(n: int, line: LogLine) -> Redone:
    count = line.may_match(COUNT)
    skipped = line.whole() if line.may_take(PAST) else 0
    return Redone(n, _may_be_when(line), int(count or 1), skipped)


def _may_leave(line: LogLine) -> int:
    return line.whole() if line.may_take(LEAVES) else 0


def _may_be_when(line: LogLine) -> float:
    if not line.may_take("  ("):
        return 0.0
    at = _seconds(line)
    line.take(")")
    return at


def _seconds(line: LogLine) -> float:
    try:
        return float(line.may_match(SECONDS) or "")
    except ValueError:
        raise UserError(
            say("a time in seconds, such as 61.2 s, is expected here, not '{rest}'", rest=line.rest)
        ) from None


_VERBS: dict[str, Callable[[int, LogLine], Event]] = {
    "sealed ": _sealed,
    "correct ": _corrected,
    "undo": _undone,
    "redo": _redone,
    "amend ": _amended,
    "left ": lambda n, line: Left(n, line.seat()),
    "returned ": lambda n, line: Returned(n, line.seat()),
    "put away": _put_away,
    "reopened": lambda n, _line: Reopened(n),
}
