"""What a log proves without any rule: the order of its events, and that envelopes held the opened answers.

Answers that people amended or undid after the reveal are reported, not judged.
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
    """A sealed round of a log: its question, when it was opened, and what changed it later.

    Event `event_number` opened question `question_number`. `letters_by_seat`: the letters that the
    envelopes showed, by the number of the seat. `false_seats`: the seats, by number as in the answer,
    whose envelope had held something else. `amended_during_questions`: the questions that were open
    when the round was amended. `taken_back_at`: the question that was open when the round was undone;
    None if the round counts.
    """

    question_number: int
    event_number: int
    letters_by_seat: dict[int, str]
    false_seats: tuple[str, ...]
    amended_during_questions: list[int] = []
    taken_back_at: int | None = None


def find_misplaced_event(events: Sequence[Event]) -> Say | None:
    """Finds the first misplaced event, and returns a sentence about it.

    An event is misplaced if it can't stand where it is. None if all are in order.
    """
    before = 0.0
    try:
        for at, event in enumerate(events_checked_for_order(events), 1):
            now = getattr(event, "at", 0.0)
            if 0 < now < before:
                return say("Event {at} is older than the event before it.", at=at)
            before = now or before
    except UserError as error:
        return error.text
    return None


def events_checked_for_order(events: Iterable[Event]) -> Iterator[Event]:
    """Yields the events of a log, each checked for its order.

    Raises `UserError` at the first event that can't stand where it is.
    """
    timeline, seats = Timeline(), 0
    for at, event in enumerate(events, 1):
        if isinstance(event, Began):
            seats = len(event.names)
        if (why := _out_of_place(timeline, at, event, seats)) is not None:
            raise UserError(say("Event {at}: {why}.", at=at, why=why))
        timeline.add_event(event)
        yield event


def _out_of_place(timeline: Timeline, at: int, event: Event, seats: int) -> Say | None:
    if at == 1:
        return None if isinstance(event, Began) else say("the first event must say who plays")
    if isinstance(event, (Sealed, Left, Returned)) and not 1 <= event.seat <= seats:
        return say("there is no seat {seat}", seat=event.seat)
    try:
        timeline.require_possible_next_event(event)
    except UserError as error:
        return error.text
    return None


def sealed_rounds(events: Iterable[Event]) -> list[SealedRound]:
    """Returns all sealed rounds of a log, in the order in which they were opened."""
    timeline, found = Timeline(), dict[int, SealedRound]()
    for at, event in enumerate(events, 1):
        seals = dict(timeline.commitment_by_seat)
        timeline.add_event(event)
        if isinstance(event, Answered) and (seals or event.salts):
            shown = {seat: seal_letters(seal) for seat, seal in sorted(seals.items())}
            found[event.n] = SealedRound(event.n, at, shown, _false(event, seals))
        elif isinstance(event, Undone | Redone | Amended):
            _note(found, timeline, event)
    return list(found.values())


def _false(opened: Answered, seals: Mapping[int, str]) -> tuple[str, ...]:
    """Returns the seats whose seal or answer is missing, or whose seal doesn't fit the opened answer."""
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
        found[event.event].amended_during_questions.append(event.n)
    in_force = {step.n for step in timeline.steps if isinstance(step, Answered)} if found else set()
    for one in found.values():
        if one.question_number in in_force:
            one.taken_back_at = None
        elif one.taken_back_at is None:
            one.taken_back_at = event.n
