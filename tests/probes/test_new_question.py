"""A new kind of question needs one file: script, terminal, JSON, keypads, pads and buttons read its form."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from companion.jsonlines import play_over_streams
from companion.log.log import MemoryLog
from companion.requests import Done
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import say
from hardware.desk.answers import MIN_QUESTION_READING_SECONDS, submit_device_answer
from hardware.desk.entry import (
    MIN_PRESS_FOR_NO_SECONDS,
    MIN_PRESS_FOR_OK_SECONDS,
    ButtonEntry,
    KeyEntry,
    apply_button_signal,
    apply_key,
)
from hardware.desk.prompts import build_seat_panel
from hardware.signals import ButtonDown, ButtonUp, ControlKeyAnswer, NumbersAnswer
from tests.probes.dial import Dial
from tests.support.terminal_sessions import play_lines

SHOWN = 100.0


async def match(table: Table) -> GameResult:
    """Everybody dials once."""
    dialled = {seat: await Dial(seat, say("Dial a number")) for seat in table.seats}
    await Done(None, say("Pack up"))
    return rank_seats(table.seats, lambda seat: dialled[seat] or 0, lambda _: ())


GAME = Game("dial", 1, say("Dialling"), (2, 4), match)


@pytest.fixture
def session() -> Session:
    """Aki is asked."""
    return Session.begin(GAME, ["Aki", "Ben"], {}, MemoryLog(), seed=1)


def test_a_test_script_answers_it() -> None:
    """A number, or the word for declining; the question refuses in its own words."""
    script = Script(GAME, "Aki", "Ben")
    assert script.refuses("Aki 3") == "Dial an even number up to 8."
    assert script.says("Aki 4", "Ben skip").question_log_key == "Done: Pack up"
    assert script.history_texts == ["dialled 4", "skipped"]


def test_the_terminal_shows_and_reads_it(session: Session) -> None:
    """The hint has the limits and what to type for declining."""
    said = play_lines(session, "often", "4", "s")
    assert "Aki: Dial a number" in said
    assert "0 to 8, in steps of 2; s = skip" in said
    assert "Aki, type a number from 0 to 8, in steps of 2. Type s for: skip." in said
    assert [told.answer for told in session.rulebook_run.answered_questions] == [4, None]


def test_programs_read_its_form(session: Session) -> None:
    """The form says what can be entered and how to decline."""
    out = BytesIO()
    play_over_streams(session, BytesIO(b'{"n": 1, "answer": null}\n'), out)
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert first["form"] == {
        "fields": [{"type": "number", "least": 0, "most": 8, "step": 2}],
        "decline": {"key": "skip", "label": "skip", "answer": None},
    }
    assert second["asks"] == "Dial Ben: Dial a number"
    assert session.rulebook_run.answered_questions[-1].answer is None


def test_a_keypad_shows_its_keys_and_answers_it(session: Session) -> None:
    """The line has the numbers and NO; other numbers are refused with it."""
    aki = session.table.seats[0]
    assert build_seat_panel(make_view(session), aki, "en").line == "Dial 0,2..8/NO"
    refused = submit_device_answer(
        session, aki, NumbersAnswer("keypad", 1, (3,), SHOWN + MIN_QUESTION_READING_SECONDS, 1), SHOWN
    )
    assert refused is not None
    assert refused.text.in_language("en") == "Only 0,2..8/NO"
    assert (
        submit_device_answer(
            session, aki, ControlKeyAnswer("keypad", 1, "no", SHOWN + MIN_QUESTION_READING_SECONDS, 1), SHOWN
        )
        is None
    )
    assert session.rulebook_run.answered_questions[-1].answer is None


def test_a_number_pad_answers_it(session: Session) -> None:
    """Digits and OK are the number."""
    entry, _ = apply_key(KeyEntry(), "6", shown_question=1)
    _, said = apply_key(entry, "OK", shown_question=1)
    assert said == (6,)
    assert (
        submit_device_answer(
            session,
            session.table.seats[0],
            NumbersAnswer("numpad", 1, said, SHOWN + MIN_QUESTION_READING_SECONDS, 1),
            SHOWN,
        )
        is None
    )
    assert session.rulebook_run.answered_questions[-1].answer == 6


def test_buttons_count_in_its_steps(session: Session) -> None:
    """Each press of plus is a step more; OK gives the number, OK held very long declines."""
    question = session.question
    assert question is not None
    entry, said = ButtonEntry(), None
    for signal in _pressed(("plus", 0.1), ("plus", 0.1), ("ok", MIN_PRESS_FOR_OK_SECONDS)):
        entry, said = apply_button_signal("two", entry, signal, question.form)
    assert said == (4,)
    for signal in _pressed(("ok", MIN_PRESS_FOR_NO_SECONDS)):
        entry, said = apply_button_signal(
            "two", ButtonEntry(held_since_by_button=entry.held_since_by_button), signal, question.form
        )
    assert said == "no"


def _pressed(*caps: tuple[Any, float]) -> list[Any]:
    signals: list[Any] = []
    for at, (cap, seconds) in enumerate(caps):
        signals += [ButtonDown("buttons", cap, 10.0 * at), ButtonUp("buttons", cap, 10.0 * at + seconds)]
    return signals
