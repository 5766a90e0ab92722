"""Tricks with bids in Any Game, as four games count them: Skull King, Wizard, Oh Hell and Spades.

The figures are those of their rulebooks, or of the public pages that retell them.
"""

from __future__ import annotations

from random import Random

import pytest

from companion.cards import Deck
from companion.games.any_game.contract import BAG_MARKER, ContractRules
from companion.games.any_game.rulebook import GAME
from companion.games.any_game.template import Template
from companion.half_numbers import WholeOrHalf
from companion.scenes import evaluate_scene
from companion.session.view import make_view
from companion.testing import Script
from companion.testing.random_game import RandomGame, answer_randomly
from tests.any_game_presets import read
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    question_text,
    rank_and_total_by_player,
    rules_card,
    template_card,
)
from tests.support.terminal_sessions import play_lines

FOUR = ("Aki", "Ben", "Chie", "Dai")
POINTS = template_card("category", "points")
SKULL_KING = {
    "each": 20, "miss": -10, "zero": "round", "zero_hit": 10, "zero_miss": -10, "bonus": "yes",
    "trick_sum": "round", "rounds": 10,
}  # fmt: skip  # rules by subject
SPADES = {
    "teams": 2, "tricks": 13, "trick_sum": "tricks", "each": 10, "each_missed": -10,
    "overtricks": "count", "over": 1, "bags": 10, "bag_penalty": -100,
    "zero": "flat", "zero_hit": 100, "zero_miss": -100,
}  # fmt: skip  # rules by subject


def contract(*names: str, **said: object) -> Script:
    """People with a template of tricks with bids."""
    return begin_with_cards(rules_card(scoring="contract", **said), POINTS, names=names or FOUR[:3])


def play(script: Script, *rows: str) -> Script:
    """Rounds in which each player's bid, tricks and bonus are written like `2/3/40`."""
    for row in rows:
        keys = ("bid", "made", "bonus")
        parts = [
            ", ".join(f"{key} {number}" for key, number in zip(keys, part.split("/"), strict=False))
            for part in row.split()
        ]
        script.says("table: write_round", f"table: {'; '.join(parts)}")
    return script


def points(script: Script) -> dict[str, WholeOrHalf]:
    """The points of each seat now."""
    score_so_far = script.session.table.score_so_far
    assert score_so_far is not None
    return {one.seat.name: one.total for one in score_so_far().standings}


def bags(script: Script) -> list[object]:
    """What the panels say about bags, in the order of the seats."""
    mats = evaluate_scene(make_view(script.session), script.session.scene).mats
    return [cell.value for mat in mats for cell in mat.cells if cell.label == BAG_MARKER.label]


# Arithmetic


def deck_with(**said: object) -> Deck:
    """A template of tricks with bids."""
    return read(
        "\n".join(f"[[card]]\n{one}" for one in (rules_card(scoring="contract", **said), POINTS)), "own.toml"
    )


def contract_rules(**said: object) -> ContractRules:
    """What such a template says about bids."""
    return Template(deck_with(**said)).read_rules(ContractRules)


@pytest.mark.parametrize(
    ("round_number", "bid", "made", "bonus", "expected"),
    [
        # Skull King: 20 a trick, −10 for each trick off, 10 times the round for a bid of 0
        (3, 3, 3, 0, 60),
        (5, 2, 4, 0, -20),
        (5, 4, 1, 0, -30),
        (7, 0, 0, 0, 70),
        (9, 0, 2, 0, -90),
        # A bonus counts only with a bid that was made
        (6, 2, 2, 30, 70),
        (6, 2, 3, 30, -10),
        (6, 0, 0, 20, 80),
        (6, 0, 1, 20, -60),
    ],
)
def test_skull_king(round_number: int, bid: int, made: int, bonus: int, expected: int) -> None:
    """Bids of 0 count by the round, and bonus points only if the bid was made."""
    assert contract_rules(**SKULL_KING).points_for_bid(bid, made, bonus, round_number) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        # 10 and the bid if it was made, nothing if it was missed
        ({"hit": 10, "each": 1}, [10, 13, 0, 0]),
        # A point for each trick in any case, and 10 for a bid that was made
        ({"hit": 10, "always": 1}, [10, 13, 2, 1]),
        # The bid is lost if it was missed
        ({"hit": 10, "each": 1, "each_missed": -1}, [10, 13, -3, 0]),
        # Each trick of the bid counts 10 times, and a bid of 0 counts 5
        ({"each": 10, "each_missed": -10, "zero": "flat", "zero_hit": 5, "zero_miss": -5}, [5, 30, -30, -5]),
    ],
)
def test_oh_hell(said: dict[str, object], expected: list[int]) -> None:
    """Four of its ways to count: bids of 0 and 3 that were made, 3 with 2 tricks, and 0 with 1 trick."""
    found = [contract_rules(**said).points_for_bid(*one) for one in ((0, 0), (3, 3), (3, 2), (0, 1))]
    assert found == expected


@pytest.mark.parametrize(
    ("bid", "made", "expected"),
    [(6, 6, 60), (6, 7, 61), (6, 5, -60), (6, 0, -60), (0, 0, 100), (0, 1, -100)],
)
def test_spades(bid: int, made: int, expected: int) -> None:
    """Ten a trick of the bid, won or lost whole; one for each trick above it; 100 for a nil."""
    assert contract_rules(**SPADES).points_for_bid(bid, made) == expected


def test_tricks_above_a_bid_of_0_may_count() -> None:
    """Where a bid of 0 is like any other one, any number of tricks makes it."""
    lenient = ContractRules(hit=5, overtricks="count", over=2)
    assert [lenient.points_for_bid(0, made) for made in (0, 3)] == [5, 11]


# Evenings


def test_rounds_of_skull_king() -> None:
    """The round is known: a bid of 0 counts 10 in the first round and 30 in the third."""
    script = play(contract(**SKULL_KING), "0/0/0 1/1/0 1/0/0")
    assert script.last_notes == [
        "Aki bid 0 and made 0. Points: 10.",
        "Ben bid 1 and made 1. Points: 20.",
        "Chie bid 1 and made 0. Points: -10.",
    ]
    play(script, "0/1/0 1/1/30 2/0/0", "0/0/0 2/2/40 2/1/20")
    assert points(script) == {"Aki": 10 - 20 + 30, "Ben": 20 + 50 + 80, "Chie": -10 - 20 - 10}


def test_rounds_of_wizard() -> None:
    """20 and 10 for each trick, or −10 for each trick off; round n has n tricks."""
    script = contract(hit=20, each=10, miss=-10, trick_sum="round", bids="before")
    for bids, made in (("0, 1, 1", "0, 1, 0"), ("1, 1, 1", "2, 0, 0"), ("0, 2, 1", "0, 2, 1")):
        script.says("table: write_round", f"table: {bids}", f"table: {made}")
    assert rank_and_total_by_player(script) == {
        "Ben": (1, 30 - 10 + 40),
        "Aki": (2, 20 - 10 + 20),
        "Chie": (3, -10 - 10 + 30),
    }


def test_rounds_of_oh_hell_have_one_trick_fewer_each() -> None:
    """Seven tricks, then six; below one the number isn't known and isn't checked."""
    script = play(contract(hit=10, always=1, tricks=2, trick_sum="down"), "1/1 0/1 0/0", "0/1 0/0 0/0")
    assert points(script) == {"Aki": 12, "Ben": 11, "Chie": 20}
    play(script, "0/2 0/0 1/1")
    assert question_text(script) == "What is next?"
    assert points(script) == {"Aki": 14, "Ben": 21, "Chie": 31}


def test_rounds_of_spades_in_teams() -> None:
    """Partners add up their bids and tricks; each nil is a contract of its own."""
    script = contract(*FOUR, **SPADES).says("table: write_round")
    assert script.question_log_key == "Together Aki Ben Chie Dai: Round 1: bids"
    script.says("Aki bid 4, made 5", "Ben bid 0, made 0", "Chie bid 3, made 3", "Dai bid 5, made 5")
    assert script.last_notes[:3] == [
        "Aki, Chie bid 7 and made 8. Points: 71.",
        "Dai bid 5 and made 5. Points: 50.",
        "Ben bid 0 and made 0. Points: 100.",
    ]
    assert points(script) == {"Aki": 71, "Chie": 71, "Ben": 150, "Dai": 150}
    assert bags(script) == [1, 0, 1, 0]


def test_tricks_of_a_missed_nil_are_bags_and_help_nobody() -> None:
    """Partners with one trick each for bids of 0 and 2 lose 120 points, and get a bag, as MSN Spades says."""
    script = play(contract(*FOUR, **SPADES), "0/1 5/5 2/1 6/6")
    assert points(script) == {"Aki": -120, "Chie": -120, "Ben": 110, "Dai": 110}
    assert bags(script) == [1, 0, 1, 0]


def test_partners_may_both_bid_nil() -> None:
    """Then they have no other contract."""
    script = play(contract(*FOUR, **SPADES), "0/0 6/7 0/1 5/5")
    assert points(script)["Aki"] == 100 - 100
    assert bags(script) == [1] * 4


def test_ten_bags_settle_by_themselves() -> None:
    """They go back, cost 100 points in that round, and bags above ten stay; undo and a changed answer too."""
    script = play(contract(*FOUR, **SPADES), *["2/5 2/2 2/4 2/2"] * 2)
    assert (points(script)["Aki"], bags(script)[0]) == (45 + 45 - 100, 0)
    assert script.last_notes[:2] == [
        "Aki, Chie bid 4 and made 9. Points: 45.",
        "Aki, Chie gave back 10 bags. Points: -100.",
    ]
    assert script["Aki/front/2", "points lost"] == 55
    script.says("undo")
    assert (points(script)["Aki"], bags(script)[0]) == (45, 5)
    script.says("table: bid 2, made 6; bid 2, made 1; bid 2, made 5; bid 2, made 1")
    assert (points(script)["Aki"], bags(script)[0]) == (45 + 47 - 100, 2)


def test_bags_corrected_by_hand_count() -> None:
    """They lie before the captain of the team, and people may put them right."""
    script = play(contract(*FOUR, **SPADES), "2/5 2/2 2/4 2/2")
    script.session.correct("box", "Aki/front", "overtrick bag", 4, "")
    assert bags(script) == [9, 0, 9, 0]
    play(script, "4/5 2/2 4/4 2/2")
    assert (points(script)["Aki"], bags(script)[0]) == (45 + 81 - 100, 0)


# The sum of the tricks


def test_tricks_that_do_not_add_up_are_asked_about() -> None:
    """People enter them again, or keep them, as after the Kraken of Skull King; nothing is scored before."""
    script = play(contract(**SKULL_KING), "0/0/0 1/1/0 1/0/0", "0/0/0 1/1/0 1/0/0")
    assert script.question_log_key == "Choose: Check the tricks"
    assert question_text(script) == (
        "The tricks add up to 1, but this round has 2. Enter them again, or keep them?"
    )
    assert points(script) == {"Aki": 10, "Ben": 20, "Chie": -10}
    script.says("table: again")
    assert script.question_log_key == "Together Aki Ben Chie: Round 2: bids"
    script.says("table: bid 0, made 0, bonus 0; bid 1, made 3, bonus 0; bid 1, made 0, bonus 0")
    assert question_text(script).startswith("The tricks add up to 3, but this round has 2.")
    script.says("table: again")
    script.says(
        "table: bid 0, made 0, bonus 0; bid 1, made 1, bonus 0; bid 1, made 0, bonus 0", "table: keep"
    )
    assert points(script) == {"Aki": 30, "Ben": 40, "Chie": -20}


def test_bids_stay_while_the_tricks_are_checked() -> None:
    """Bids that were entered before the round lie there, and only the tricks are asked for again."""
    script = contract(hit=10, tricks=4, trick_sum="tricks", bids="before", bonus="yes")
    script.says("table: write_round", "table: 2, 1, 1", "table: made 2, bonus 0; made 1, bonus 5; made 0")
    assert question_text(script).startswith("The tricks add up to 3, but this round has 4.")
    assert [script[f"{name}/front", "bid"] for name in FOUR[:3]] == [2, 1, 1]
    script.says("table: again")
    assert script.question_log_key == "Together Aki Ben Chie: Round 1: tricks"
    script.says("table: made 2, bonus 0; made 1, bonus 5; made 1, bonus 0")
    assert points(script) == {"Aki": 10, "Ben": 15, "Chie": 10}
    assert [script[f"{name}/front", "bid"] for name in FOUR[:3]] == [0, 0, 0]


def test_a_round_that_was_kept_can_be_amended() -> None:
    """The question is gone with its reason; the table goes back to it, and all later rounds come back."""
    script = contract(hit=10, trick_sum="round")
    play(script, "1/0 0/0 0/0").says("table: keep")
    play(script, "1/1 1/1 0/0", "1/1 1/1 0/1")
    before = points(script)
    assert before == {"Aki": 20, "Ben": 30, "Chie": 20}
    first = next(one for one in script.session.rulebook_run.answered_questions if one.question.about)
    script.says(
        f"amend {first.question_number}: Aki bid 1, made 1, going back", "redo", "redo", "redo", "redo"
    )
    assert points(script) == {**before, "Aki": 30}


def test_an_amended_round_whose_sum_is_off_is_asked_about() -> None:
    """Then people keep it, and all later rounds come back."""
    script = contract(hit=10, trick_sum="round")
    play(script, "1/1 0/0 0/0", "1/1 1/1 0/0")
    first = next(one for one in script.session.rulebook_run.answered_questions if one.question.about)
    script.says(f"amend {first.question_number}: Ben bid 1, made 1, going back")
    assert question_text(script).startswith("The tricks add up to 2, but this round has 1.")
    script.says("table: keep", "redo", "redo")
    assert points(script) == {"Aki": 20, "Ben": 20, "Chie": 20}


def test_a_player_put_out_by_hand_while_a_round_is_played_still_enters_tricks() -> None:
    """Everybody who bid is asked for tricks."""
    script = contract(out="yes", hit=10, bids="before").says("table: write_round", "table: 1, 0, 0")
    script.session.correct("box", "Aki/front", "out", 1, "")
    script.says("table: 1, 0, 0")
    assert points(script) == {"Ben": 10, "Chie": 10, "Aki": 10}


# Templates


def test_a_round_with_bonus_points_is_one_line_in_the_terminal() -> None:
    """Bid, tricks and bonus of each."""
    script = contract(**SKULL_KING)
    assert "\n! " not in play_lines(script.session, "0/0/0 1/1/10 0/0/0")
    assert points(script) == {"Aki": 10, "Ben": 30, "Chie": 10}


def test_a_piece_may_still_be_called_bag() -> None:
    """Older templates with such a piece go on."""
    bag = 'id = "bag"\nkind = "piece"\nstart = 3'
    assert begin_with_cards(bag, rules_card(scoring="contract"), POINTS)["Aki/purse", "bag"] == 3


@pytest.mark.parametrize("said", [SKULL_KING, {**SPADES, "bids": "before"}, {"zero": "flat", "out": "yes"}])
def test_any_answers_can_be_given_and_replayed(said: dict[str, object]) -> None:
    """Random evenings with these rules go on and on, and their logs lead to the same tables."""
    deck = deck_with(**said)
    assert GAME.check_deck(deck) == []
    trial = RandomGame.begin(GAME, 4, Random(8), {"any_game": deck})
    for _ in range(60):
        if trial.session.question is not None:
            answer_randomly(trial.session, trial.rng)
    trial.check_replay()
