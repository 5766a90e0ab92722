"""Helpers for scripts of any game."""

from __future__ import annotations

from companion.log.events import Answered, Step
from companion.requests import Together
from companion.session.session import Session
from companion.testing import Script
from companion.texts import render


def asked_players(script: Script) -> str:
    """Returns the names of the players who are asked, such as `Aki, Ben`; empty for the table."""
    return ", ".join(seat.name for seat in script.question.seats)


def question_heading(script: Script) -> str:
    """Returns the heading above the question."""
    assert script.session.table.heading is not None
    return render(script.session.table.heading)


def correct_count(script: Script, count: int, piece: str, source: str, target: str) -> Script:
    """Moves pieces by a correction, instead of playing that far; a negative count moves them back."""
    if count < 0:
        count, source, target = -count, target, source
    line = f"correct {count} {piece} from {source} to {target}: for the test"
    return script.says(line) if count else script


def set_count(script: Script, count: int, piece: str, place: str, other_place: str = "bank") -> Script:
    """Sets the count of a piece at a place: missing ones come from the other place, surplus ones go there."""
    return correct_count(script, count - script[place, piece], piece, other_place, place)


def repeat_step(session: Session, step: Step) -> None:
    """Repeats a step of another session: an answer, a sealed round, or a move by hand."""
    if not isinstance(step, Answered):
        moves = [(one.source, one.target, one.piece, one.count) for one in step.moves]
        session.correct_all(moves, step.reason)
    elif isinstance(session.question, Together) and not session.question.is_open:
        for number, answer in step.answer.items():
            session.put_answer_in_envelope(
                session.question_number, session.table.seats.seat_numbered(int(number)), answer
            )
    else:
        session.answer(session.question_number, step.answer)
