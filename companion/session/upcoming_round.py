"""The round that people most likely enter next, while the menu that opens it is still the open question.

A game names the option that opens a round: `Game.typed_numbers_option_key`. A front end may ask for the
numbers of the next round at once instead of showing the menu. The first answer then chooses the option too.
Until then nothing is answered, so log, undo and clocks know only the menu. Screen and devices show the round.
"""

from __future__ import annotations

from typing import Any

from companion.log.events import Answered
from companion.requests import Form, NumberField, OptionField, QuantitiesField, Request, Together
from companion.session.run import parse_and_check_answer
from companion.session.session import Session
from companion.table.seats import Seat
from companion.texts import Say


def can_open_round(opening_option_key: str, question: Request[Any] | None) -> bool:
    """Returns True if the option that opens a round can be chosen now."""
    field = question.form.single_field if question else None
    return isinstance(field, OptionField) and opening_option_key in field.options


def find_upcoming_round(session: Session) -> Together[Any] | None:
    """Returns the open round of numbers to which the menu leads, if the last menu led to a round; else None.

    After any other choice from the menu, people look for something else, and the menu stays. It also stays
    while something can be redone: undo leads back to the menu, and would seem to do nothing otherwise. The
    result is a preview: when the round is opened, the rulebook asks it anew.
    """
    key, question = session.game.typed_numbers_option_key, session.question
    if session.is_put_away or session.may_redo or not can_open_round(key, question):
        return None
    last_choice = next(
        (
            answered.answer
            for answered in reversed(session.rulebook_run.answered_questions)
            if can_open_round(key, answered.question)
        ),
        None,
    )
    upcoming = session.question_after(key) if last_choice == key else None
    return upcoming if isinstance(upcoming, Together) and _is_open_round_of_numbers(upcoming) else None


def _is_open_round_of_numbers(question: Together[Any]) -> bool:
    return question.is_open and all(
        isinstance(part.form.single_field, NumberField | QuantitiesField)
        for part in question.parts_by_seat.values()
    )


def is_same_round(first: Together[Any] | None, second: Together[Any] | None) -> bool:
    """Returns True if two questions ask the same players for the same numbers in the same words."""
    if first is None or second is None:
        return first is second
    return (first.log_key, _describe_parts(first)) == (second.log_key, _describe_parts(second))


def _describe_parts(question: Together[Any]) -> dict[Seat, tuple[Say, Form]]:
    return {seat: (part.text, part.form) for seat, part in question.parts_by_seat.items()}


def open_round(session: Session, answer_source: str = "screen") -> None:
    """Opens the round that the open menu offers: chooses its option."""
    session.answer(session.question_number, session.game.typed_numbers_option_key, answer_source)


def answer_in_upcoming_round(
    session: Session,
    upcoming_round: Together[Any],
    seat: Seat,
    json_answer: object,
    answer_source: str = "screen",
) -> None:
    """Opens the upcoming round, and enters the answer of a seat; an illegal answer opens nothing."""
    parse_and_check_answer(upcoming_round.parts_by_seat[seat], json_answer)
    open_round(session, answer_source)
    session.put_answer_in_envelope(session.question_number, seat, json_answer, answer_source)


def is_round_just_opened(session: Session) -> bool:
    """Returns True if the last thing in force is the choice that opened the round which is asked now.

    One undo then leads back to the menu.
    """
    key, steps = session.game.typed_numbers_option_key, session.steps
    if not (steps and isinstance(session.question, Together) and isinstance(steps[-1], Answered)):
        return False
    last_answer = session.rulebook_run.answered_questions[-1]
    return last_answer.answer == key and can_open_round(key, last_answer.question)
