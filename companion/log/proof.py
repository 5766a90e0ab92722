"""What a log proves by itself, without any rule: its order, and that envelopes held what was opened.

What a table amended or took back after the reveal is named, not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from companion.errors import UserError
from companion.log.events import (
    Amended,
    Answered,
    Began,
    Event,
    Left,
    Redone,
    Returned,
    Sealed,
    Undone,
    seal_letters,
)
from companion.log.log import Draft
from companion.log.timeline import Timeline
from companion.texts import Say, say


class SealedRound(msgspec.Struct):
    """The sealed round of question `n`, opened by event `at`, and what changed it after the reveal.

    `seals`: the letters that the envelopes showed, by the number of the seat.
    `false`: the seats, by number as in the answer, whose envelope had held something else.
    `amended`: the questions that were open then.
    `taken_back`: the event since which the round doesn't count.
    """

    n: int
    at: int
    seals: dict[int, str]
    false: tuple[str, ...]
    amended: list[int] = []
    taken_back: int | None = None


def find_disorder(events: Sequence[Event]) -> Say | None:
    """The first event that no game could have kept where it stands; None where all are in order."""
    before = 0.0
    try:
        for at, event in enumerate(check_order(events), 1):
            now = getattr(event, "at", 0.0)
            if 0 < now < before:
                return say("Event {at} is older than the event before it.", at=at)
            before = now or before
    except UserError as error:
        return error.text
    return None


def check_order(events: Iterable[Event]) -> Iterator[Event]:
    """A log event by event; raises `UserError` at the first that no game could have kept where it stands."""
    timeline, seats = Timeline(), 0
    for at, event in enumerate(events, 1):
        if isinstance(event, Began):
            seats = len(event.names)
        if (why := _out_of_place(timeline, at, event, seats)) is not None:
            raise UserError(say("Event {at}: {why}.", at=at, why=why))
        timeline.add(event)
        yield event


def _out_of_place(timeline: Timeline, at: int, event: Event, seats: int) -> Say | None:
    if at == 1:
        return None if isinstance(event, Began) else say("the first event must say who plays")
    if isinstance(event, (Sealed, Left, Returned)) and not 1 <= event.seat <= seats:
        return say("there is no seat {seat}", seat=event.seat)
    try:
        timeline.check(event)
    except UserError as error:
        return error.text
    return None


def sealed_rounds(events: Iterable[Event]) -> list[SealedRound]:
    """Every sealed round of a log, in the order of their opening."""
    timeline, found = Timeline(), dict[int, SealedRound]()
    for at, event in enumerate(events, 1):
        seals = dict(timeline.seals)
        timeline.add(event)
        if isinstance(event, Answered) and (seals or event.salts):
            shown = {seat: seal_letters(seal) for seat, seal in sorted(seals.items())}
            found[event.n] = SealedRound(event.n, at, shown, _false(event, seals))
        elif isinstance(event, Undone | Redone | Amended):
            _note(found, timeline, event)
    return list(found.values())


def _false(opened: Answered, seals: Mapping[int, str]) -> tuple[str, ...]:
    """Whose seal doesn't fit what was opened, or is missing; a seal without an answer too."""
    answers = opened.answer if isinstance(opened.answer, dict) else {}
    true = {
        str(seat)
        for seat, seal in seals.items()
        if str(seat) in answers
        and str(seat) in opened.salts
        and Draft(opened.n, seat, answers[str(seat)], opened.salts[str(seat)]).commitment == seal
    }
    return tuple(sorted({*answers, *opened.salts, *map(str, seals)} - true))


def _note(found: Mapping[int, SealedRound], timeline: Timeline, event: Undone | Redone | Amended) -> None:
    if isinstance(event, Amended) and event.event in found:
        found[event.event].amended.append(event.n)
    in_force = {step.n for step in timeline.steps if isinstance(step, Answered)} if found else set()
    for one in found.values():
        if one.n in in_force:
            one.taken_back = None
        elif one.taken_back is None:
            one.taken_back = event.n
