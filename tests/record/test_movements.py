"""The movements: what moved, thing by thing."""

import pytest

from companion.games.any_game.rulebook import GAME as ANY_GAME
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.record.record import movements_by_step
from companion.rules.game import Game
from companion.testing import Script
from companion.texts import render
from tests.support.stall_game import STALL_GAME


def told(script: Script) -> list[tuple[str, list[str], bool]]:
    """Each of the movements."""
    return [
        (render(one.text), [render(move) for move in one.moves], one.is_correction)
        for one in movements_by_step(script.session)
    ]


def test_what_rules_and_people_move_is_told() -> None:
    """An answer with the pieces it moved, a correction as it was made; what moved nothing has no moves."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says(
        "table: Aki", "table: done", "Aki 1", "Ben withdraws", "Chie withdraws", "Aki pays 6",
        "correct 1 card from box to Ben/hand: miscounted",
    )  # fmt: skip  # a game as it is told
    lines = told(script)
    assert lines[2] == ("Aki bids 1 for daughter 4.", [], False)
    assert lines[5][1] == ["1 card from Aki's hand to bank", "daughter 4 from market 4 to Aki's front"]
    assert lines[6] == ("Corrected: 1 card from box to Ben's hand (miscounted)", [], True)


def test_free_moves_are_told() -> None:
    """Without a reason it is a move like any other, not a correction for no reason."""
    script = Script(ANY_GAME, "Aki", "Ben").says(
        "correct 3 coin from bank to Aki/purse: ", "correct 1 coin from Aki/purse to bank: too many"
    )
    assert told(script) == [
        ("3 coins from bank to Aki", [], True),
        ("Corrected: 1 coin from Aki to bank (too many)", [], True),
    ]


def test_the_movements_do_not_tell_what_is_covered() -> None:
    """Coins that came out of a covered purse are no line of it; the gem that was bought is."""
    script = Script(STALL_GAME, "Aki", "Ben").says("table: sell", "Aki 4", "Ben 3")
    script.says("correct 1 coin from Aki/purse to till: change")
    assert told(script)[1:] == [
        ("Aki: 4, Ben: 3", ["1 gem from till to Aki's front"], False),
        ("Hidden correction (change)", [], True),
    ]


@pytest.mark.parametrize("game", [EGYPT, ANY_GAME, STALL_GAME], ids=lambda game: game.key)
def test_a_new_game_has_no_movements(game: Game) -> None:
    """Before anything has happened nothing has moved."""
    assert told(Script(game, "Aki", "Ben", "Chie")) == []
