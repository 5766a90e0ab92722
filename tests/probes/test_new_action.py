"""A new action needs one entry in the table: terminal, JSON and scripts have it then.

The window has it too, see `tests/ui/test_actions.py`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.actions import ACTIONS, TableAction
from companion.games.any_game.rulebook import GAME as ANY_GAME
from companion.jsonlines import JsonSession
from companion.session.session import Session
from companion.testing import Script
from tests.probes.gift import GIFT
from tests.support.terminal_sessions import begin_session, play_lines


@pytest.fixture
def gift(monkeypatch: pytest.MonkeyPatch) -> TableAction:
    """An action more in the table."""
    monkeypatch.setitem(ACTIONS, GIFT.key, GIFT)
    return GIFT


def coins(session: Session) -> list[int]:
    """How many coins everybody has."""
    return [
        session.table.ledger.find_account_by_keys(f"{seat.key}/purse", "coin").count
        for seat in session.table.seats
    ]


@pytest.mark.usefixtures("gift")
def test_a_new_action_is_a_command_of_the_terminal() -> None:
    """It is in the help, takes its parameters from the line or asks for them, and asks before it is done."""
    session = begin_session(ANY_GAME, "Aki", "Ben")
    assert "\n  gift Aki 3 " in play_lines(session, "help")
    text = play_lines(session, "gift Ben 4", "yes")
    assert "Gifts make the others envious.\nGive Ben a gift? (yes or no)" in text
    assert "\nBen has got 4 coins.\n" in text
    assert coins(session) == [0, 4]
    text = play_lines(session, "gift", "Aki", "2", "yes")
    assert "Who gets a gift?\n  1  Aki\n  2  Ben\n> " in text
    assert "How many coins?\n  1 to 3\n> " in text
    assert coins(session) == [2, 4]
    play_lines(session, "gift Ben 4", "no")
    assert "Or did you mean gift?" in play_lines(session, "gfit")
    assert coins(session) == [2, 4]


@pytest.mark.usefixtures("gift")
def test_a_new_action_is_something_that_json_can_do() -> None:
    """Its keys are checked; what people confirm a program has thought of."""
    session = begin_session(ANY_GAME, "Aki", "Ben")
    wire = JsonSession(session)

    def says(**line: object) -> dict[str, Any]:
        return wire.reply(1, json.dumps({"do": "gift", **line}).encode())

    came = says(seat="Ben", coins=4)
    assert (came["done"], came["kind"], coins(session)) == ("gift", "Choose", [0, 4])
    assert says(seat="Ben")["error"].startswith('Line 1: "coins" is missing; gift needs ')
    assert says(seat="Ben", coins="4")["error"] == 'Line 1: "coins" must be a whole number, not "4".'
    assert says(seat="Zoe", coins=4)["error"] == "There is no player called Zoe. Players: Aki, Ben."
    assert "put_away, reopen, gift, state." in wire.reply(1, b'{"do": "fly"}')["error"]


@pytest.mark.usefixtures("gift")
def test_a_new_action_can_be_said_in_a_script() -> None:
    """By its word, with a word for each parameter."""
    script = Script(ANY_GAME, "Aki", "Ben").says("gift Ben 4")
    assert coins(script.session) == [0, 4]
    with pytest.raises(AssertionError):
        script.says("gift Ben 4 5")


def test_the_product_names_no_action_of_a_test() -> None:
    """The toy isn't in any file that ships."""
    root = Path(__file__).parents[2]
    code = [path for room in ("companion", "hardware", "ui") for path in (root / room).rglob("*.py")]
    assert not [path for path in code if '"gift"' in path.read_text(encoding="utf-8")]
