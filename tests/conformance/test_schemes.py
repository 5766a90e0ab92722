"""Every scheme of buttons plays whole games; a new scheme must be listed here."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from companion.installed_games import playable_game
from companion.requests import Read
from companion.testing.random_game import sample_answer
from hardware.wiring import Buttons, Wiring
from hardware.wiring.pins import Pin
from hardware.wiring.sections import ButtonScheme
from tests.support.hardware.button_table import ButtonTable

WIRING_BY_SCHEME = {
    "one": Wiring(buttons=(Buttons(1, tap=Pin(4)), Buttons(2, tap=Pin(5)), Buttons(3, tap=Pin(6)))),
    "two": Wiring(
        buttons=(
            Buttons(1, plus=Pin(4), ok=Pin(5)),
            Buttons(2, plus=Pin(6), ok=Pin(7)),
            Buttons(3, plus=Pin(8), ok=Pin(9)),
        )
    ),
    "three": Wiring(
        buttons=(
            Buttons(1, minus=Pin(4), plus=Pin(5), ok=Pin(6)),
            Buttons(2, minus=Pin(7), plus=Pin(8), ok=Pin(9)),
            Buttons(3, minus=Pin(10), plus=Pin(11), ok=Pin(12)),
        )
    ),
}


def test_no_way_is_left_out() -> None:
    """Each scheme that a wiring can have is played."""
    assert set(get_args(ButtonScheme)) == WIRING_BY_SCHEME.keys()


@pytest.mark.sweep(5)
@pytest.mark.parametrize("key", ["egypt", "mammon", "sealed_bid"])
@pytest.mark.parametrize("scheme", WIRING_BY_SCHEME)
def test_a_game_is_played_to_its_end(scheme: str, key: str) -> None:
    """Every answer entered in this scheme is the one that the game takes, once; a reader reads the cards."""
    table, rng = ButtonTable(WIRING_BY_SCHEME[scheme]), random.Random(4)
    try:
        session = table.begin_game(playable_game(key))
        while session.question is not None:
            if isinstance(session.question, Read) and session.question.price is None:
                session.answer(session.question_number, sample_answer(session.question, rng), "reader")
                table.play_until(lambda: True)
            else:
                table.answer_randomly(rng)
        assert session.result is not None
        assert table.announcements == []
    finally:
        table.close()
