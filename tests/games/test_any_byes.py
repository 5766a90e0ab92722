"""Who goes on without a match in a tournament of Any Game, whatever the number of people."""

from random import Random

import pytest

from companion.testing import Script
from tests.support.games.any_game_helpers import begin_with_shipped_template, question_text

TWELVE = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ida", "Jun", "Kei", "Leo")


def byes(script: Script) -> list[int]:
    """How often each who is still in went on without a match."""
    names = [seat.name for seat in script.session.table.seats_in_game()]
    return [script[f"{name}/front", "stage"] - script[f"{name}/front", "match won"] for name in names]


@pytest.mark.parametrize("luck", range(5))
@pytest.mark.parametrize("people", [3, 5, 6, 7, 9, 11, 12])
def test_nobody_has_a_second_bye_before_all_others_had_one(people: int, luck: int) -> None:
    """At any time no two people who are in differ by more than one, and the winner has played."""
    script, chance = begin_with_shipped_template("tournament", *TWELVE[:people]), Random(luck)
    if luck:
        script.says("table: chance", "table: order", "roll")
    while script.question_log_key == "Choose: What is next?":
        script.says("table: match")
        script.says(f"table: {chance.choice([*script.open_question_limits['options'].values()])}")
        assert max(byes(script)) - min(byes(script)) <= 1
    script.says("table: finish")
    (champion,) = script.result_json["winners"]
    assert script[f"{champion}/front", "match won"] > 0


def test_the_ninth_of_nine_plays_too() -> None:
    """Whoever was left over plays first in the next stage, and somebody else is left over."""
    script = begin_with_shipped_template("tournament", *TWELVE[:9])
    for winner in ("Aki", "Chie", "Emi", "Gen"):
        script.says("table: match", f"table: {winner}")
    assert script.last_notes == ["Hana is out.", "Ida has no opponent this time and goes on."]
    script.says("table: match", "table: Ida", "table: match", "table: Chie")
    assert script.last_notes == ["Emi is out.", "Gen has no opponent this time and goes on."]


def test_who_is_left_without_an_opponent_by_hand_goes_on() -> None:
    """Where people mark an opponent as out, the other one goes on, and the next match is played."""
    script = begin_with_shipped_template("tournament", "Aki", "Ben", "Chie", "Dai").says(
        "table: match", "table: Aki"
    )
    script.session.correct("box", "Dai/front", "out", 1, "")
    script.says("table: match")
    assert script.last_notes == ["Chie has no opponent this time and goes on."]
    assert question_text(script) == "Chie meets Aki: who wins?"


def test_no_match_is_played_alone() -> None:
    """Where people mark all others as out, the last one has won, and the table may finish."""
    script = begin_with_shipped_template("tournament", "Aki", "Ben", "Chie")
    for name in ("Aki", "Ben"):
        script.session.correct("box", f"{name}/front", "out", 1, "")
    assert question_text(script.says("table: match")) == "Only Chie is still in the game. Finish the game?"
