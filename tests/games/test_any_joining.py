"""Any Game: somebody joins during the evening, with the pieces of the start and a fair number of points."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from companion.games.any_game.rulebook import GAME
from companion.record.player_statistics import results_on_table
from companion.record.record import create_record
from companion.record.text_export import record_to_text
from companion.store import Store
from companion.testing import Script, check_game
from companion.testing.random_game import RandomGame
from companion.texts import render
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    begin_with_cards_and_coins,
    purse_counts,
    question_text,
    rank_and_total_by_player,
    rules_card,
    template_card,
)
from tests.support.games.twin_games import compare_twins_at_random_answers
from tests.support.soak import SOAK

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fay")
CHIP = template_card("piece", "chip", look="chip", start=1000, worth=1)
POT = template_card("place", "pot")
POKER = rules_card(
    deal="left", payments="yes", auction="none", out="yes", small_blind=10, big_blind=20, join="yes"
)
POINTS = template_card("category", "points")


def poker() -> Script:
    """Six chairs at a poker table with 1,000 chips each; Fay comes at nine."""
    return begin_with_cards(POKER, CHIP, POT, names=NAMES).says("table: 6", "table: done")


def menu(script: Script) -> set[str]:
    """The keys of what the table may do next."""
    return set(script.open_question_limits["options"])


def points_of_round(script: Script, *lines: str) -> Script:
    """Everybody's points of a round."""
    return script.says("table: write_round", *lines)


def test_a_sixth_person_joins_a_poker_table() -> None:
    """A casino's late registration: Fay sits down in round 3 and gets the 1,000 chips of the start."""
    script = poker()
    assert purse_counts(script, "chip") == [1000] * 5 + [0]
    script.says("table: round", "table: round", "table: round")
    script.says("table: join")
    assert script.last_notes == ["Fay joins in round 3.", "Fay gets 1000 chips."]
    assert purse_counts(script, "chip")[5] == 1000
    assert sum(purse_counts(script, "chip")) + script["pot", "chip"] == 6000
    assert "join" not in menu(script)


def test_who_comes_later_pays_no_blind_and_doesnt_deal() -> None:
    """The dealer's marker passes an empty chair, and so do the blinds, until somebody sits there."""
    script = poker().says(*["table: round"] * 4)
    assert script["Dai/front", "dealer"] == 1
    assert script.last_notes == ["Dai deals.", "Emi pays a blind of 10.", "Aki pays a blind of 20."]
    script.says("table: round", "table: round")
    assert script.last_notes == ["Aki deals.", "Ben pays a blind of 10.", "Chie pays a blind of 20."]
    script.says("table: join", *["table: round"] * 4)
    assert script.last_notes == ["Emi deals.", "Fay pays a blind of 10.", "Aki pays a blind of 20."]
    script.says("table: round")
    assert script.last_notes[0] == "Fay deals."
    assert script["Fay/purse", "chip"] == 1000 - 20 - 10


def test_the_first_player_may_come_later() -> None:
    """Then the second one deals first."""
    script = begin_with_cards(POKER, CHIP, POT, names=NAMES).says("table: 1", "table: done")
    assert script["Ben/front", "dealer"] == 1


def test_undo_takes_the_player_away_again() -> None:
    """The chips go back into the box, and the chair is empty again; redo brings the player back."""
    script = poker().says("table: round", "table: join", "undo")
    assert script["Fay/purse", "chip"] == 0
    assert "join" in menu(script)
    script.says("redo")
    assert script["Fay/purse", "chip"] == 1000
    assert "join" not in menu(script)


def test_whoever_sits_down_gets_a_name() -> None:
    """A chair for guests is renamed when its player is known; the record has the player's name."""
    script = begin_with_cards(POKER, CHIP, POT, names=(*NAMES[:5], "Guest")).says("table: 6", "table: done")
    script.says("table: join")
    script.session.rename_player(script.session.table.seats[5], "Fay")
    assert "Fay joins." in record_to_text(create_record(script.session, script.log))


def test_several_come_later_in_any_order() -> None:
    """The table says who is missing, and later who joins; at least two are there from the beginning."""
    script = begin_with_cards_and_coins(POINTS, rules_card(scoring="rounds", join="yes"), names=NAMES[:4])
    assert question_text(script) == "Who comes later?"
    script.says("table: 2", "table: 3")
    assert question_text(script) == "What is next?"
    assert purse_counts(script) == [100, 0, 0, 100]
    script.says("table: join")
    assert question_text(script) == "Who joins?"
    script.says("table: 3")
    assert script.last_notes == ["Chie joins in round 1.", "Chie gets 100 coins."]
    script.says("table: join")
    assert script.last_notes == ["Ben joins in round 1.", "Ben gets 100 coins."]


def test_two_players_are_asked_nothing() -> None:
    """A table of two has nobody to spare, and a table where everybody is here is asked once."""
    script = begin_with_cards_and_coins(POINTS, rules_card(scoring="rounds", join="yes"), names=NAMES[:2])
    assert question_text(script) == "What is next?"
    script = begin_with_cards_and_coins(POINTS, rules_card(scoring="rounds", join="yes")).says("table: done")
    assert question_text(script) == "What is next?"
    assert "join" not in menu(script)
    assert question_text(begin_with_cards_and_coins(POINTS, rules_card(scoring="rounds"))) == "What is next?"


def test_only_who_is_there_writes_points() -> None:
    """The empty chair isn't asked; from the round in which somebody joins it is."""
    script = begin_with_cards(POINTS, rules_card(scoring="rounds", join="yes"), names=NAMES[:3]).says(
        "table: 3",
    )
    points_of_round(script, "Aki 10", "Ben 4")
    script.says("table: join")
    assert script.last_notes == ["Chie joins in round 2."]
    points_of_round(script, "Aki 1", "Ben 2", "Chie 3")
    assert rank_and_total_by_player(script) == {"Aki": (1, 11), "Ben": (2, 6), "Chie": (3, 3)}


@pytest.mark.parametrize(
    ("best", "last", "expected"),
    [
        ("highest", 4, {"Aki": (1, 11), "Chie": (2, 7), "Ben": (3, 6)}),
        ("lowest", 10, {"Ben": (1, 6), "Aki": (2, 11), "Chie": (3, 13)}),
    ],
)
def test_joining_in_last_place(best: str, last: int, expected: dict[str, tuple[int, int]]) -> None:
    """As clubs do with rummy: who joins has the points of the player in last place, and is never ahead."""
    script = begin_with_cards(
        POINTS, rules_card(scoring="rounds", join="level", best=best), names=NAMES[:3]
    ).says("table: 3")
    points_of_round(script, "Aki 10", "Ben 4")
    script.says("table: join")
    assert script.last_notes == ["Chie joins in round 2.", f"Chie begins with {last} points."]
    points_of_round(script, "Aki 1", "Ben 2", "Chie 3")
    assert rank_and_total_by_player(script) == expected


@pytest.mark.parametrize(("spent", "begins"), [(30, 70), (0, 100)])
def test_pieces_that_count_are_part_of_the_last_place(spent: int, begins: int) -> None:
    """With coins that count a point each: the coins of the start are in the total of the last place."""
    script = begin_with_cards_and_coins(
        POINTS, rules_card(join="level", payments="yes"), names=NAMES[:3]
    ).says("table: 3")
    if spent:
        script.says(f"pay Ben bank {spent}")
    script.says("table: join")
    assert script.last_notes[-1] == f"Chie begins with {begins} points."
    assert {seat: total for seat, (_, total) in rank_and_total_by_player(script).items()} == {
        "Aki": 100,
        "Ben": 100 - spent,
        "Chie": begins,
    }


def test_who_never_joins_is_last_of_all(tmp_path: Path) -> None:
    """Behind a player who is out, whatever the points; the score says why. No statistics have the player."""
    script = begin_with_cards_and_coins(POINTS, rules_card(out="yes", join="yes"), names=NAMES[:4]).says(
        "table: 4", "table: done"
    )
    script.says("table: out", "table: 2").says("table: finish")
    standings = [(one["seat"], one["rank"], one["out"]) for one in script.result_json["standings"]]
    assert standings == [("Aki", 1, False), ("Chie", 1, False), ("Ben", 3, True), ("Dai", 4, True)]
    assert script.session.result is not None
    assert render(script.session.result.standings[-1].text) == "4. Dai: didn't join (0)"
    assert [one.get("joined", True) for one in script.result_json["standings"]] == [True, True, True, False]
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        results = results_on_table(store, 1, script.session.result)
    assert [result.name for result in results] == ["Aki", "Chie", "Ben"]


def test_markers_moved_by_hand_decide_who_is_there() -> None:
    """People may put the marker back or take it away at any time, also while the question is open."""
    script = begin_with_cards_and_coins(
        POINTS, rules_card(scoring="rounds", join="yes"), names=NAMES[:3]
    ).says("table: 3")
    script.session.correct("Chie/front", "box", "comes later", 1, "")
    script.says("table: join")
    assert script.last_notes == ["Everybody has joined."]
    assert purse_counts(script) == [100, 100, 0]
    points_of_round(script, "Aki 1", "Ben 2", "Chie 3")


def test_the_record_says_from_which_round() -> None:
    """The history of the record has who joined, in which round, and with what."""
    script = begin_with_cards_and_coins(
        POINTS, rules_card(scoring="rounds", join="level"), names=NAMES[:3]
    ).says("table: 3")
    points_of_round(script, "Aki 10", "Ben 4")
    script.says("table: join", "table: finish")
    text = record_to_text(create_record(script.session, script.log))
    for sentence in ("Chie joins in round 2.", "Chie gets 100 coins.", "Chie begins with 104 points."):
        assert sentence in text


def test_covered_purses_stay_covered() -> None:
    """A template may cover its purses; notes say only what everybody had at the start."""
    script = begin_with_cards_and_coins(rules_card(join="yes", covered="yes"), names=NAMES[:3]).says(
        "table: 3", "table: join"
    )
    assert script.last_notes == ["Chie joins.", "Chie gets 100 coins."]


JOINING_TEMPLATES = (
    (POKER, CHIP, POT),
    (POINTS, CHIP, rules_card(scoring="rounds", join="level", deal="left")),
    (POINTS, CHIP, rules_card(join="yes", covered="yes", payments="yes", auction="sealed")),
)


@pytest.mark.without_coverage
@pytest.mark.parametrize("cards", JOINING_TEMPLATES)
def test_any_evening_with_late_players_keeps_every_promise(cards: tuple[str, ...]) -> None:
    """Random evenings: no piece is lost, undo and redo cancel each other, and nothing covered shows."""
    check_game(
        GAME, games=6 if SOAK else 3, seed=8, decks=begin_with_cards(*cards, names=NAMES).session.began.decks
    )


@pytest.mark.without_coverage
def test_twins_with_late_players_can_not_be_told_apart() -> None:
    """What lies in a covered purse shows neither at the beginning nor when somebody joins."""
    decks = begin_with_cards(*JOINING_TEMPLATES[2], names=NAMES).session.began.decks
    hidden = 0
    for number in range(1, 9 if SOAK else 2):
        trial = RandomGame.begin(GAME, number, Random(number), decks)
        hidden += compare_twins_at_random_answers(trial, max_answers=12)
    assert hidden


def test_people_may_empty_the_box_before_somebody_joins() -> None:
    """Then the bank gives what is missing; if the bank has too little, the player gets what there is."""
    coin = template_card("piece", "coin", start=100, supply=30)
    script = begin_with_cards(coin, rules_card(join="yes"), names=NAMES[:3]).says("table: 3")
    script.session.correct("box", "Aki/purse", "coin", 80, "")
    script.says("table: join")
    assert script.last_notes == ["Chie joins.", "Chie gets 50 coins."]
    assert (purse_counts(script), script["bank", "coin"]) == ([180, 100, 50], 0)


STORM = template_card("track", "storm", goal=1, ends="lost")


def test_the_start_is_dealt_once() -> None:
    """A guest who is marked as coming later by hand, after having joined, gets no second start."""
    script = begin_with_cards_and_coins(rules_card(join="yes")).says("table: 3", "table: join")
    script.session.correct("box", "Chie/front", "comes later", 1, "")
    script.says("table: round", "table: join")
    assert script.last_notes == ["Chie joins in round 1."]
    assert purse_counts(script) == [100, 100, 100]


def test_everybody_may_come_later() -> None:
    """If people mark everybody as coming later by hand, all play; who then joins has had the start."""
    script = begin_with_cards_and_coins(rules_card(join="yes"))
    for name in NAMES[:3]:
        script.session.correct("box", f"{name}/front", "comes later", 1, "")
    script.says("table: done", "table: join", "table: 1")
    assert purse_counts(script) == [100, 100, 100]


def test_a_table_with_guests_to_come_is_not_asked_to_finish() -> None:
    """Only one of those who are there is left, but the others are still on their way."""
    script = begin_with_cards_and_coins(rules_card(join="yes", out="yes"), names=NAMES[:4]).says(
        "table: 4", "table: 3"
    )
    assert question_text(script.says("table: out", "table: 1")) == "What is next?"
    script.says("table: join", "table: 3", "table: join")
    assert question_text(script.says("table: out", "table: 2")) == "What is next?"
    script.says("table: out", "table: 3")
    assert question_text(script) == "Only Dai is still in the game. Finish the game?"


def test_if_everybody_loses_who_is_out_stays_behind() -> None:
    """Everybody loses in a storm: those still in rank before who is out, and who never came is last."""
    script = begin_with_cards_and_coins(STORM, rules_card(join="yes", out="yes"), names=NAMES[:4]).says(
        "table: 4", "table: done", "table: out", "table: 2", "table: track", "table: storm +1"
    )
    script.says("table: finish")
    assert {one["seat"]: one["rank"] for one in script.result_json["standings"]} == {
        "Aki": 1,
        "Chie": 1,
        "Ben": 3,
        "Dai": 4,
    }


def test_one_point_is_singular() -> None:
    """Who joins in last place with 1 point begins with 1 point."""
    script = begin_with_cards(POINTS, rules_card(scoring="rounds", join="level"), names=NAMES[:3])
    points_of_round(script.says("table: 3"), "Aki 10", "Ben 1").says("table: join")
    assert script.last_notes[-1] == "Chie begins with 1 point."
