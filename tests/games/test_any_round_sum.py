"""Rounds of Any Game whose points add up to one number."""

from __future__ import annotations

import pytest

from companion.errors import UserError
from companion.games.any_game.rulebook import check_deck
from companion.requests import Choose
from companion.testing import Script
from tests.any_game_presets import read
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    question_text,
    rank_and_total_by_player,
    rules_card,
    template_card,
)

FOUR = ("Aki", "Ben", "Chie", "Dai")
POINTS = template_card("category", "points")
MAHJONG = rules_card(scoring="rounds", fixed_sum="yes")
HEARTS = rules_card(scoring="rounds", best="lowest", fixed_sum="yes", round_sum=26)


def hand(rule: str, *points: int, cards: tuple[str, ...] = (POINTS,)) -> Script:
    """Four people enter the points of the first hand."""
    script = begin_with_cards(*cards, rule, names=FOUR)
    return script.says("table: write_round", *(f"{name} {n}" for name, n in zip(FOUR, points, strict=True)))


def test_points_that_add_up_are_not_asked_about() -> None:
    """Mahjong: the winner takes from the others what they lose (2 + 2 + 4)."""
    script = hand(MAHJONG, 8, -2, -2, -4)
    assert question_text(script) == "What is next?"
    assert [total for _, total in rank_and_total_by_player(script).values()] == [8, -2, -2, -4]


def test_the_last_number_is_worked_out() -> None:
    """Mahjong: the winner enters 0, and gets what the others lose."""
    script = hand(MAHJONG, 0, -2, -2, -4)
    assert question_text(script) == "Round 1, points: the points add up to -8, not to 0."
    assert isinstance(script.question, Choose)
    assert list(script.question.legal_option_keys) == ["1", "2", "3", "4", "again", "keep"]
    script.says("table: 1")
    assert {name: total for name, (_, total) in rank_and_total_by_player(script).items()} == dict(
        zip(FOUR, (8, -2, -2, -4), strict=True)
    )


def test_hearts_has_26_points_in_each_hand() -> None:
    """Hearts: 13 hearts and the queen of spades (13) are in the tricks; 25 points are a mistake."""
    script = hand(HEARTS, 5, 20, 0, 0)
    assert question_text(script) == "Round 1, points: the points add up to 25, not to 26."
    script.says("table: again", "Aki 6", "Ben 20", "Chie 0", "Dai 0")
    assert question_text(script) == "What is next?"
    assert rank_and_total_by_player(script)["Ben"] == (4, 20)


def test_a_sum_that_is_an_exception_is_kept() -> None:
    """Hearts: who takes all points gives 26 to each of the others."""
    script = hand(HEARTS, 0, 26, 26, 26).says("table: keep")
    assert question_text(script) == "What is next?"
    assert rank_and_total_by_player(script)["Aki"] == (1, 0)


def test_undo_and_amend_ask_again() -> None:
    """A number that is changed later is checked, too; the answer about the wrong sum goes with it."""
    script = hand(MAHJONG, 3, 0, 0, 0).says("table: 2")
    script.says("undo")
    assert question_text(script) == "Round 1, points: the points add up to 3, not to 0."
    script.says("undo", "Aki 0", "Ben 0", "Chie 0", "Dai 0")
    assert question_text(script) == "What is next?"


def test_a_round_of_two_categories_is_checked_in_each() -> None:
    """Points and bonus each add up to 0; categories of the end don't."""
    cards = (POINTS, template_card("category", "bonus"), template_card("category", "final", when="end"))
    script = hand(MAHJONG, 1, -1, 0, 0, cards=cards).says("Aki 1", "Ben 0", "Chie 0", "Dai 0")
    assert question_text(script) == "Round 1, bonus: the points add up to 1, not to 0."
    assert "Round 1, bonus: wrong sum" in script.question_log_key
    script.says("table: 4", "table: points", "Aki 5", "Ben 0", "Chie 0", "Dai 0")
    assert question_text(script) == "What is next?"


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        (rules_card(scoring="rounds", round_sum=26), 'round_sum needs the setting "fixed_sum = yes".'),
        (rules_card(fixed_sum="yes"), 'fixed_sum needs the setting "scoring = rounds".'),
    ],
)
def test_a_sum_that_nothing_checks_is_refused(rule: str, why: str) -> None:
    """A sentence names the setting that is missing."""
    check_refusal(POINTS, rule, why)


def test_a_fixed_sum_of_prizes_only_is_refused() -> None:
    """Prizes of a majority are worked out, so nobody can enter a wrong sum."""
    why = "fixed_sum needs a category without prizes, whose points are entered with each round."
    check_refusal(template_card("category", "north", first=5), MAHJONG, why)


def check_refusal(category: str, rule: str, why: str) -> None:
    """Checks that a template is refused with a sentence."""
    deck = read("\n".join(f"[[card]]\n{one}" for one in (category, rule)), "own.toml")
    with pytest.raises(UserError, match=f"^{why.replace('.', chr(92) + '.')}$"):
        check_deck(deck)


def test_a_team_is_offered_what_is_missing() -> None:
    """Two teams of two: each stands there with its players and the points that make the sum right."""
    script = begin_with_cards(POINTS, rules_card(scoring="rounds", fixed_sum="yes", teams=2), names=FOUR)
    script.says("table: write_round", "Aki 4", "Ben 0")
    options = script.open_question_limits["options"]
    assert [options["1"], options["2"]] == ["0 for Aki, Chie", "-4 for Ben, Dai"]
