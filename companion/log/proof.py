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
    PlayerLeft,
    PlayerReturned,
    Redone,
    Sealed,
    Undone,
    seal_letters,
)
from companion.log.log import SealedDraft
from companion.log.timeline import Timeline
from companion.texts import Say, say


class SealedRound(msgspec.Struct):
    """A round of sealed answers that were revealed, and whether the envelopes held them.

    `event_number`: the event that opened the envelopes. `seal_letters_by_seat`: the letters that the
    envelopes showed, by the number of the seat. `seats_with_false_seal`: the seats, by number as in the
    answer, whose envelope had held something else. `amended_during_questions`: the questions that were open
    when the round was amended. `taken_back_during_question`: the question that was open when the round was
    undone; None if the round counts.
    """

    question_number: int
    event_number: int
    seal_letters_by_seat: dict[int, str]
    seats_with_false_seal: tuple[str, ...]
    amended_during_questions: list[int] = []
    taken_back_during_question: int | None = None


def describe_first_misplaced_event(events: Sequence[Event]) -> Say | None:
    """Returns a sentence about the first event that can't stand where it is; None if all are in order."""
    last_time = 0.0
    try:
        for number, event in enumerate(events_checked_for_order(events), 1):
            event_time = getattr(event, "at", 0.0)
            if 0 < event_time < last_time:
                return say("Event {at} is older than the event before it.", at=number)
            last_time = event_time or last_time
    except UserError as error:
        return error.text
    return None


def events_checked_for_order(events: Iterable[Event]) -> Iterator[Event]:
    """Yields the events of a log; raises `UserError` at the first event that can't stand where it is."""
    timeline, seat_count = Timeline(), 0
    for number, event in enumerate(events, 1):
        if isinstance(event, Began):
            seat_count = len(event.names)
        if (why := _why_misplaced(timeline, number, event, seat_count)) is not None:
            raise UserError(say("Event {at}: {why}.", at=number, why=why))
        timeline.add_event(event)
        yield event


def _why_misplaced(timeline: Timeline, number: int, event: Event, seat_count: int) -> Say | None:
    """Returns why an event can't stand at this number of the log; None if it can."""
    if number == 1:
        return None if isinstance(event, Began) else say("the first event must say who plays")
    if isinstance(event, (Sealed, PlayerLeft, PlayerReturned)) and not 1 <= event.seat <= seat_count:
        return say("there is no seat {seat}", seat=event.seat)
    try:
        timeline.require_possible_next_event(event)
    except UserError as error:
        return error.text
    return None


def sealed_rounds(events: Iterable[Event]) -> list[SealedRound]:
    """Returns all sealed rounds of a log, in the order in which they were opened."""
    timeline, round_by_question = Timeline(), dict[int, SealedRound]()
    for number, event in enumerate(events, 1):
        commitments = dict(timeline.commitment_by_seat)
        timeline.add_event(event)
        if isinstance(event, Answered) and (commitments or event.salts):
            letters = {seat: seal_letters(commitment) for seat, commitment in sorted(commitments.items())}
            false_seats = _find_false_seats(event, commitments)
            round_by_question[event.n] = SealedRound(event.n, number, letters, false_seats)
        elif isinstance(event, Undone | Redone | Amended):
            _mark_changed_rounds(round_by_question, timeline, event)
    return list(round_by_question.values())


def _find_false_seats(opened: Answered, commitment_by_seat: Mapping[int, str]) -> tuple[str, ...]:
    """Returns the seats whose seal or answer is missing, or whose seal doesn't fit the opened answer."""
    answers = opened.answer if isinstance(opened.answer, dict) else {}
    true_seats = {
        str(seat)
        for seat, commitment in commitment_by_seat.items()
        if str(seat) in answers
        and str(seat) in opened.salts
        and SealedDraft(opened.n, seat, answers[str(seat)], opened.salts[str(seat)]).commitment == commitment
    }
    return tuple(sorted({*answers, *opened.salts, *map(str, commitment_by_seat)} - true_seats))


def _mark_changed_rounds(
    round_by_question: Mapping[int, SealedRound], timeline: Timeline, event: Undone | Redone | Amended
) -> None:
    """Records in the rounds what an event changed: an amendment, a taken back or a redone reveal."""
    if isinstance(event, Amended) and event.event in round_by_question:
        round_by_question[event.event].amended_during_questions.append(event.n)
    if not round_by_question:
        return
    answered_numbers = {step.n for step in timeline.steps if isinstance(step, Answered)}
    for sealed_round in round_by_question.values():
        if sealed_round.question_number in answered_numbers:
            sealed_round.taken_back_during_question = None
        elif sealed_round.taken_back_during_question is None:
            sealed_round.taken_back_during_question = event.n
