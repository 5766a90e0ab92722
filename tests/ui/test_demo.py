"""The recorded match on the screen: which keys give an answer, and how the score sheet reads."""

from __future__ import annotations

from typing import Any

import pytest

from companion import catalogue
from companion.events import Answered, Began, Memory, fold
from companion.logs import recorded
from companion.session import Session
from companion.words import render
from ui.demo import keys, sheet, touches


@pytest.fixture
def match() -> tuple[Session, list[Any]]:
    """The recorded match of Egypt before its first answer, and its answers."""
    events = recorded("egypt")
    assert isinstance(events[0], Began)
    return Session(catalogue.game("egypt"), events[:1], Memory()), fold(events).steps


def test_every_recorded_answer_has_its_keys(match: tuple[Session, list[Any]]) -> None:
    """On the screen and on a keypad; the first of each kind as people would press them."""
    session, steps = match
    first: dict[str, tuple[list[str], str]] = {}
    for step in steps:
        assert isinstance(step, Answered)
        name = f"{session.question.kind} no" if step.answer is None else session.question.kind  # type: ignore[union-attr]  # an answer
        pressed = (touches(session.question, step.answer), keys(session.question, step.answer))
        first.setdefault(name, pressed)
        session.answer(session.n, step.answer)
    assert first == {
        "Choose": (["4"], "4 OK"),
        "Done": (["done"], "OK"),
        "Raise": (["2", "confirm"], "2 OK"),
        "Raise no": (["way out"], "NO"),
        "Read": (["more 1", "lay"], "1.0 OK"),
        "Read no": (["cant"], "NO"),
    }


def test_the_score_sheet_has_every_line(match: tuple[Session, list[Any]]) -> None:
    """Rank, name and total, then the lines of the sum."""
    session, steps = match
    for step in steps:
        session.answer(session.n, step.answer)
    assert session.result
    text = sheet(session.result)
    assert text.startswith("1. Aki: 2\n     points: 2\n")
    lines = [render(line.label) for standing in session.result.standings for line in standing.lines]
    assert text.count("\n") == len(lines) + len(session.result.standings)
