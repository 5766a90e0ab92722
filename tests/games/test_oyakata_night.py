"""Oyakata's nights sentence by sentence: the boss's action, the employees', sales and surveys."""

from __future__ import annotations

import pytest

from companion.testing import Script
from tests.support.games.oyakata_helpers import (
    add_discontent_chips,
    begin_first_day,
    begin_first_night,
    discontent_stack,
    gold_counts,
    idle_until_question,
    move_marker,
    option_keys,
    set_gold,
    worker_count,
)
from tests.support.games.script_helpers import correct_count

# Actions


def test_the_night_may_pass_without_an_action() -> None:
    """0 actions are allowed, and everybody is told that the night is over."""
    script = begin_first_night().says("Aki: end")
    assert script.last_notes == ["Aki ends the night."]
    assert script.question_log_key == "Read: Round 1: market card 2"


def test_the_boss_acts_first_then_employees() -> None:
    """The first action is the boss's and free of discontent; each further one costs a chip."""
    script = begin_first_night(gold=20).says("Aki: digging")
    assert script.question_log_key == "Choose Aki: Night: an employee's action"
    script.says("Aki: storage")
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: Storage"
    script.says("Aki: red", "Aki: dormitory", "Aki: blue")
    assert option_keys(script) == ["bonus_1", "bonus_2", "end"]
    assert discontent_stack(script, "Aki") == ["white", "red", "blue"]


def test_one_just_hired_may_act() -> None:
    """Employee actions taken tonight must be fewer than the employees there are now."""
    script = move_marker(begin_first_night(gold=20), "Aki", "workers", -1).says("Aki: hire", "Aki: 1")
    script.says("Aki: digging", "Aki: red", "Aki: storage", "Aki: blue")
    assert option_keys(script) == ["bonus_1", "bonus_2", "end"]


def test_no_action_twice_a_night() -> None:
    """An action that was taken tonight is refused with the reason; tomorrow it is offered again."""
    script = begin_first_night(gold=20).says("Aki: survey_A", "Aki places nothing")
    assert not {"survey_A", "survey_B"} & set(option_keys(script))
    assert script.refuses("Aki: survey_B") == "Already done tonight."
    script.says("Aki: negotiation", "Aki: red")
    assert "kinds" not in option_keys(script)
    idle_until_question(script, "Choose Aki: Day")
    script.says("Aki: dig", "Aki: nothing", "Aki: black")
    assert {"survey_A", "survey_B", "kinds"} <= set(option_keys(script))


@pytest.mark.parametrize("key", ["survey_B", "hire", "dismiss", "storage", "bonus_1"])
def test_gold_that_is_gone_by_now_pays_for_nothing(key: str) -> None:
    """A correction while the menu is open counts: what can't be paid any more is refused."""
    script = begin_first_night(gold=9)
    correct_count(script, 9, "gold", "Aki/purse", "bank")
    assert script.refuses(f"Aki: {key}") == "Not enough gold."


def test_what_can_not_be_done_tonight_says_why() -> None:
    """Every action stands in the menu; one that can't be taken is refused with the reason."""
    script = begin_first_night(gold=1)
    cant = script.open_question_limits["cant"]
    assert cant["survey_B"] == "Not enough gold."
    assert cant["hire"] == "Not enough gold."
    assert cant["sell"] == "There is no gem to sell."
    for key, why in cant.items():
        assert script.refuses(f"Aki: {key}") == why


def test_only_a_bonus_may_be_left() -> None:
    """Once no employee may act any more, the menu speaks of the bonus and the end, and of no action."""
    script = begin_first_night(gold=20).says("Aki: digging", "Aki: storage", "Aki: red")
    assert script.question_log_key == "Choose Aki: Night: an employee's action"
    script.says("Aki: dormitory", "Aki: blue")
    assert script.question_log_key == "Choose Aki: Night: a bonus, or the end"
    assert option_keys(script) == ["bonus_1", "bonus_2", "end"]


def test_both_skills_may_rise_in_one_night() -> None:
    """The digging skill and the survey skill are two things to learn."""
    script = begin_first_night(gold=20).says("Aki: digging", "Aki: survey", "Aki: red")
    assert (script["Aki/board", "digging"], script["Aki/board", "survey"]) == (1, 1)


@pytest.mark.parametrize(
    ("track", "prices"),
    [
        ("digging", [2, 3, 4]),
        ("survey", [2, 4]),
        ("dormitory", [2, 3]),
        ("storage", [2, 3, 4]),
        ("negotiation", [3, 5]),
        ("kinds", [1, 2, 3]),
    ],
)
def test_each_marker_goes_to_its_last_place(track: str, prices: list[int]) -> None:
    """Each step of a marker is paid at its price; past the last place it doesn't go, nor without the gold."""
    for at, price in enumerate(prices):
        script = move_marker(set_gold(begin_first_day(), "Aki", price - 1), "Aki", track, at)
        script.says("Aki: dig", "Aki: nothing", "Aki: white")
        assert track not in script.open_question_limits.get("options", {}), "no night at all without any gold"
        script = move_marker(begin_first_night(gold=price), "Aki", track, at).says(f"Aki: {track}")
        assert gold_counts(script) == [0, 3]
        assert script["Aki/board", track] == at + 1
    script = add_discontent_chips(begin_first_day(), "Aki", "white")
    move_marker(set_gold(script, "Aki", 99), "Aki", track, len(prices)).says("Aki: holiday", "Aki: nothing")
    assert track not in option_keys(script)


def test_hiring_several_at_once() -> None:
    """Each employee hired is paid at the price of the place reached, several in one action, up to 5."""
    script = move_marker(begin_first_night(gold=9), "Aki", "workers", -2).says("Aki: hire")
    assert script.open_question_limits["options"] == {
        "1": "hire 1 · costs 1",
        "2": "hire 2 · costs 2",
        "3": "hire 3 · costs 4",
        "4": "hire 4 · costs 7",
    }
    script.says("Aki: 4")
    assert (gold_counts(script), worker_count(script, "Aki")) == ([2, 3], 5)


def test_only_what_can_be_paid_can_be_hired() -> None:
    """With gold for one there is nothing to choose; with none hiring isn't offered, nor beyond 5."""
    script = begin_first_night(gold=4).says("Aki: hire")
    assert (gold_counts(script), worker_count(script, "Aki")) == ([2, 3], 4)
    assert "hire" not in option_keys(begin_first_night(gold=1))
    script = move_marker(set_gold(begin_first_day(), "Aki", 99), "Aki", "workers", 2).says(
        "Aki: holiday", "Aki: nothing"
    )
    assert "hire" not in option_keys(script)


@pytest.mark.parametrize(("dismissed", "price"), [(1, 1), (2, 3), (3, 6), (4, 10)])
def test_dismissing_several_at_once(dismissed: int, price: int) -> None:
    """One costs 1 gold, two 3, three 6, four 10, down to the boss alone."""
    script = move_marker(begin_first_night(gold=price), "Aki", "workers", 2).says("Aki: dismiss")
    if dismissed > 1:
        assert list(script.open_question_limits["options"]) == [
            str(count) for count in range(1, dismissed + 1)
        ]
        script.says(f"Aki: {dismissed}")
    assert gold_counts(script) == [0, 3]
    assert worker_count(script, "Aki") == 5 - dismissed


def test_without_employees_nobody_can_be_dismissed() -> None:
    """The boss alone can't be dismissed."""
    script = move_marker(begin_first_day(), "Aki", "workers", -2).says("Aki: dig", "Aki: nothing")
    assert "dismiss" not in option_keys(script)


def test_dismissing_as_an_employees_action() -> None:
    """Whoever dismissed the last employee has nobody left who is discontented about it."""
    script = begin_first_night(gold=20).says("Aki: survey_A", "Aki places nothing", "Aki: dismiss", "Aki: 2")
    assert script.question_log_key == "Read: Round 1: market card 2"
    assert discontent_stack(script, "Aki") == []


# Selling


def test_selling_some_of_one_colour() -> None:
    """Any number of gems of the allowed number of colours, at today's price, to the centre."""
    script = begin_first_night(stored="red white white").says("Aki: sell")
    assert script.open_question_limits["labels"]["white"] == "white gem at 4 gold"
    assert script.refuses("Aki: red 1, white 1") == "Choose at most 1 kind."
    assert script.refuses("Aki: white 3").endswith("at most 2.")
    assert script.refuses("Aki: yellow 1").endswith("at most 0.")
    assert script.refuses("Aki: nothing") == "The sum is 0; it must be at least 1."
    script.says("Aki: white 2")
    assert gold_counts(script) == [11, 3]
    assert (script["centre", "white gem"], script["Aki/storage", "red gem"]) == (15, 1)


def test_negotiation() -> None:
    """One marker brings a bonus for each gem, the other lets more colours be sold at once."""
    script = move_marker(
        move_marker(begin_first_night(stored="red red blue"), "Aki", "negotiation", 2), "Aki", "kinds", 1
    )
    script.says("Aki: sell", "Aki: red 2, blue 1")
    assert gold_counts(script) == [3 + 2 * 3 + 4, 3]


def test_nothing_to_sell() -> None:
    """Without gems in the storage selling isn't offered."""
    assert "sell" not in option_keys(begin_first_night())


# Survey


def test_a_survey() -> None:
    """One fee; two tiles drawn at first, one may be placed; its soil and gems go into the bag."""
    script = begin_first_night().says("Aki: survey_A")
    assert gold_counts(script) == [2, 3]
    assert script.question_log_key == "Read Aki: Tiles A placed"
    assert (
        script.open_question_limits["least"],
        script.open_question_limits["most"],
        script.open_question_limits["cant"],
    ) == (0, 1, False)
    assert script["Aki/drawn tiles", "tile A"] == 2
    assert script.refuses("Aki places A2 A3") == "Only 1 card may be laid down here, not 2."
    assert script.refuses("Aki places B2").startswith("card B2 doesn't show")
    script.says("Aki places A2")
    assert (script["bag/1", "soil"], script["bag/1", "red gem"]) == (6, 1)
    assert (script["Aki/tunnel", "tile A"], script["discards", "tile A"]) == (2, 3)


def test_a_survey_of_tiles_b() -> None:
    """Tiles B cost 2 gold; all tiles of a survey are of one letter."""
    script = begin_first_night().says("Aki: survey_B")
    assert gold_counts(script) == [1, 3]
    assert (
        script.refuses("Aki places A2")
        == 'card A2 doesn\'t show letter B. If no card fits, answer "An accident".'
    )
    assert script.refuses("Aki places accident") == (
        'card accident doesn\'t show accident no. If no card fits, answer "An accident".'
    )
    script.says("Aki places B1")
    assert (script["Aki/tunnel", "tile B"], script["discards", "tile B"]) == (1, 1)
    assert "survey_B" not in option_keys(begin_first_night(gold=1))


def test_survey_skill() -> None:
    """The survey skill says how many tiles are drawn and how many may be placed, 0 too."""
    script = move_marker(begin_first_night(), "Aki", "survey", 2).says("Aki: survey_A")
    assert (script["Aki/drawn tiles", "tile A"], script.open_question_limits["most"]) == (4, 3)
    script.says("Aki places A1 A2 A2")
    assert script["bag/1", "soil"] == 4 + 1 + 4
    script = move_marker(begin_first_night(), "Aki", "survey", 1).says("Aki: survey_A", "Aki places nothing")
    assert script["discards", "tile A"] == 2 + 3


def test_the_centre_gives_what_it_has() -> None:
    """What is printed goes into the bag as far as the centre has it."""
    script = correct_count(begin_first_night(), 51, "soil", "centre", "bag/2")
    assert script["centre", "soil"] == 1
    script.says("Aki: survey_A", "Aki places A2")
    assert script.last_notes == ["The centre gives only 1 soil: that's all it has left."]
    assert (script["centre", "soil"], script["bag/1", "soil"], script["bag/1", "red gem"]) == (0, 5, 1)


def test_an_empty_centre_is_told_in_words() -> None:
    """Where nothing at all is left, no number is told."""
    script = correct_count(begin_first_night(), 52, "soil", "centre", "bag/2")
    assert script["centre", "soil"] == 0
    script.says("Aki: survey_A", "Aki places A2")
    assert script.last_notes == ["The centre has no soil left and gives none."]


def accident(script: Script, *drawn: str) -> Script:
    """Aki's survey meets an accident; these chips are drawn, in this order."""
    script.says("Aki can't")
    for line in drawn:
        script.says(line)
    return script


def test_an_accident() -> None:
    """Everybody with employees draws a chip, the drawer first; the tile is replaced without a fee."""
    script = move_marker(begin_first_day(3), "Chie", "workers", -2).says(
        "Aki: dig", "Aki: nothing", "Aki: white"
    )
    script.says("Aki: survey_B")
    assert script.open_question_limits["cant"]
    script.says("Aki can't")
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: accident"
    script.says("Aki: red")
    assert script.question_log_key == "Choose Ben: Discontent chip drawn: accident"
    script.says("Ben: blue")
    assert script.question_log_key == "Read Aki: Tiles B placed"
    assert (script["Aki/drawn tiles", "tile B"], script["accidents", "tile B"]) == (2, 1)
    assert gold_counts(script) == [1, 3, 3]
    assert (
        discontent_stack(script, "Aki"),
        discontent_stack(script, "Ben"),
        discontent_stack(script, "Chie"),
    ) == (
        ["white", "red"],
        ["blue"],
        [],
    )


def test_accident_after_accident() -> None:
    """If the tile drawn instead shows one too, the same happens again; tiles are placed after all of them."""
    script = accident(begin_first_night().says("Aki: survey_B"), "Aki: red", "Ben: blue")
    accident(script, "Aki: red", "Ben: blue").says("Aki places B1")
    assert discontent_stack(script, "Ben") == ["blue", "blue"]
    assert (script["discards", "tile B"], script["accidents", "tile B"]) == (3, 0)


def test_no_more_accidents_than_tiles_show_one() -> None:
    """After the five accidents there are another can't be drawn in the same survey; tiles A show none."""
    script = begin_first_night(discontent="false").says("Aki: survey_B")
    for _ in range(5):
        accident(script)
    assert script.refuses("Aki can't") == "You must lay down cards."
    assert begin_first_night().says("Aki: survey_A").refuses("Aki can't") == "You must lay down cards."
    assert script.refuses("Aki places accident") == "card accident doesn't show accident no."


def test_an_empty_pile_is_made_of_its_discards() -> None:
    """When a pile is empty its own discards are shuffled, and the rest is drawn from them."""
    script = correct_count(begin_first_night(), 30, "tile A", "pile", "discards").says("Aki: survey_A")
    assert script.last_notes == [
        "The discarded A tiles are shuffled: they become the new pile.",
        "Aki surveys A tiles.",
    ]
    assert script["Aki/drawn tiles", "tile A"] == 2
    assert (script["pile", "tile A"], script["discards", "tile A"]) == (31, 0)


def test_accidents_of_this_survey_are_not_shuffled_in() -> None:
    """A tile put aside for an accident stays aside until the survey is over."""
    script = correct_count(begin_first_night(discontent="false"), 33, "tile B", "pile", "Ben/tunnel").says(
        "Aki: survey_B"
    )
    accident(script)
    assert script["Aki/drawn tiles", "tile B"] == 1
    accident(script)
    assert script.last_notes == ["There are no B tiles left to draw.", "The night is over."]
    assert (script["discards", "tile B"], script["accidents", "tile B"]) == (2, 0)
    assert script.question_log_key == "Read: Round 1: market card 2"


def test_fewer_tiles_than_the_skill_allows() -> None:
    """Where fewer tiles are left, fewer are drawn; with none left the survey isn't offered."""
    script = move_marker(
        correct_count(begin_first_night(), 30, "tile A", "pile", "Ben/tunnel"), "Aki", "survey", 2
    )
    correct_count(script, 2, "tile A", "discards", "Ben/tunnel").says("Aki: survey_A")
    assert (script["Aki/drawn tiles", "tile A"], script.open_question_limits["most"]) == (1, 1)
    script = correct_count(begin_first_day(), 31, "tile A", "pile", "Ben/tunnel")
    correct_count(script, 2, "tile A", "discards", "Ben/tunnel").says("Aki: holiday", "Aki: nothing")
    assert "survey_A" not in option_keys(script)
    assert "survey_B" in option_keys(script)
