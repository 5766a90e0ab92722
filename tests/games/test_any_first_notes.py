"""What Any Game notes before the first question, such as the income of the first round."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest

from companion import cli
from companion.jsonlines import play_over_streams
from companion.logtext import format_log_text
from companion.record.record import create_record
from companion.record.text_export import record_to_text
from companion.session.view import beginning_of_history, make_view
from companion.testing import Script
from companion.texts import render
from tests.support.games.any_game_helpers import begin_with_cards_and_coins, rules_card, template_card
from tests.support.terminal_sessions import play_lines

POINTS = template_card("category", "points")
INCOME = "bank pays Aki, Ben, Chie 30 in all."


@pytest.fixture
def script() -> Script:
    """Three people at a game with contracts and income; as in Wizard, the first round begins at once."""
    return begin_with_cards_and_coins(rules_card(scoring="contract", income=10), POINTS)


def test_the_first_question_comes_with_what_happened_before_it(script: Script) -> None:
    """After the first answer the view has the notes of this answer; undo brings the first ones back."""
    assert script.last_notes == [INCOME]
    assert script.says("table: write_round").last_notes == []
    assert script.says("undo", "restart").last_notes == [INCOME]


def test_without_notes_the_history_has_no_beginning() -> None:
    """A game that notes nothing before its first question begins as before."""
    script = begin_with_cards_and_coins(rules_card(scoring="contract"), POINTS)
    assert make_view(script.session).notes == ()
    assert beginning_of_history(script.session) == []
    assert "Nothing has happened yet." in play_lines(script.session, "history")


def test_the_terminal_prints_it_before_the_first_question_and_in_the_history(script: Script) -> None:
    """Before the table, and later only in the history."""
    lines = play_lines(script.session).splitlines()
    assert lines[1:3] == ["The game begins.", INCOME]
    script.says("table: write_round")
    assert INCOME not in play_lines(script.session)
    history = play_lines(script.session, "history")
    assert f"       The game begins.\n       {INCOME}\n    1  What is next? Round 1\n" in history


def test_json_has_it_in_the_first_line(script: Script) -> None:
    """The notes stand with the first question."""
    out = BytesIO()
    play_over_streams(script.session, BytesIO(), out)
    assert json.loads(out.getvalue())["notes"] == [INCOME]


def test_the_record_begins_with_it(script: Script) -> None:
    """The first entry has no time; the answers follow."""
    script.says("table: write_round")
    record = create_record(script.session, list(script.log))
    first, second, *_ = record.entries
    assert (render(first.text), [render(note) for note in first.notes]) == ("The game begins.", [INCOME])
    assert (first.played_seconds, render(second.text)) == (None, "What is next? Round 1")
    assert INCOME in record_to_text(record)


def test_a_replayed_log_tells_it(script: Script, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`companion replay` prints the beginning like an answer."""
    log = tmp_path / "income.log"
    log.write_text(format_log_text(list(script.log)), encoding="utf-8")
    assert cli.main(["replay", str(log)]) == 0
    assert capsys.readouterr().out.startswith(f"      The game begins.\n      {INCOME}\n")
