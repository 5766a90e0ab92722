"""Discontent in Oyakata sentence by sentence: chips, explosions, what they do, bonus."""

from __future__ import annotations

import pytest

from companion.requests import Choose
from companion.testing import Script
from tests.support.games.oyakata_helpers import (
    add_discontent_chips,
    add_gems,
    begin_first_day,
    begin_first_night,
    begin_script,
    discontent_stack,
    gold_counts,
    idle_through_turns,
    idle_until_question,
    move_marker,
    option_keys,
    set_gold,
    worker_count,
)
from tests.support.games.script_helpers import asked_players, correct_count
from tests.support.refusals import options_named_in_refusal


def exploding(*colours: str, drawn: str, **chosen: str) -> Script:
    """Aki has dug with four chips on the stack and draws a fifth."""
    script = add_discontent_chips(begin_first_day(2, **chosen), "Aki", *colours)
    return script.says("Aki: dig", "Aki: nothing", f"Aki: {drawn}")


# Chips


def test_only_colours_that_are_left_are_drawn() -> None:
    """A discontent colour of which all five are out can't be drawn."""
    script = correct_count(begin_first_day(), 5, "red chip", "discontent bag", "Ben/discontent").says(
        "Aki: dig", "Aki: nothing"
    )
    assert option_keys(script) == ["blue", "black", "yellow", "white"]
    assert options_named_in_refusal(script.refuses("Aki: red")) == ["blue", "black", "yellow", "white"]


def test_an_empty_discontent_bag() -> None:
    """Where all 25 chips are out nobody draws one."""
    script = begin_first_day()
    for colour in ("blue", "black", "red", "yellow", "white"):
        correct_count(script, 5, f"{colour} chip", "discontent bag", "Ben/discontent")
    script.says("Aki: dig", "Aki: nothing")
    assert script.last_notes == [
        "Aki digs up nothing.",
        "The discontent bag is empty: Aki draws nothing.",
    ]
    assert script.question_log_key == "Choose Aki: Night: the boss's action"


def test_who_has_no_employees_has_no_discontent() -> None:
    """Without employees the chips go to 0 at once, also where people moved the marker by hand."""
    script = move_marker(
        add_discontent_chips(begin_script(), "Aki", "blue", "red"), "Aki", "workers", -2
    ).says("table: shows M1")
    assert discontent_stack(script, "Aki") == []
    assert script["discontent bag", "blue chip"] == 5


# Explosions


def test_the_commonest_colour_stays() -> None:
    """At 5 chips only the commonest colour stays, the rest goes back."""
    script = exploding("blue", "red", "blue", "white", drawn="blue")
    assert discontent_stack(script, "Aki") == ["blue", "blue", "blue"]
    assert (script["discontent bag", "red chip"], script["discontent bag", "blue chip"]) == (5, 2)
    assert script.last_notes[1:3] == [
        "Aki's discontent explodes: 3 blue chips left.",
        "Aki suffers from illness.",
    ]


def test_the_worked_example_of_a_tie() -> None:
    """Blue, red, blue, red, yellow: red is nearer the top than blue, so red stays and 2 employees leave."""
    script = exploding("blue", "red", "blue", "red", drawn="yellow")
    assert script.last_notes[1:3] == [
        "Aki's discontent explodes: 2 red chips left.",
        "Aki loses 2 employees.",
    ]
    assert (worker_count(script, "Aki"), discontent_stack(script, "Aki")) == (1, [])


def test_five_alike_explode_again_at_the_sixth() -> None:
    """Five of one colour stay five; whatever chip comes next explodes again."""
    script = exploding(*["blue"] * 4, drawn="blue")
    assert discontent_stack(script, "Aki") == ["blue"] * 5
    meet_accident(script).says("Ben: white", "Aki: red")
    assert "Aki's discontent explodes: 5 blue chips left." in script.last_notes
    assert discontent_stack(script, "Aki") == ["blue"] * 5


def meet_accident(script: Script) -> Script:
    """The next turn is Ben's: he digs nothing, draws a white chip, surveys tiles B and meets an accident."""
    idle_until_question(script, "Choose Ben: Day")
    set_gold(script, "Ben", 9).says("Ben: dig", "Ben: nothing", "Ben: white")
    return script.says("Ben: survey_B", "Ben can't")


# Illness


def test_illness() -> None:
    """Blue: no employee acts; the boss digs alone, skill and all, without discontent, and acts at night."""
    script = move_marker(exploding("blue", "blue", "blue", "red", drawn="white"), "Aki", "digging", 1)
    idle_until_question(script, "Choose Aki: Day")
    assert discontent_stack(script, "Aki") == ["blue"] * 2
    set_gold(script, "Aki", 3).says("Aki: dig")
    assert script.open_question_limits["most"] == 2
    script.says("Aki: soil 2")
    assert script.question_log_key == "Choose Aki: Night: the boss's action"
    script.says("Aki: survey_A", "Aki places nothing")
    assert script.question_log_key.startswith("Read: Round 1: market card")


def test_illness_ends_when_its_chips_are_gone() -> None:
    """At the start of each own turn one chip goes back, then it is looked whether any is left."""
    script = exploding("blue", "blue", "red", "white", drawn="black")
    assert discontent_stack(script, "Aki") == ["blue", "blue"]
    assert script["Aki/board", "illness"] == 1
    idle_until_question(script, "Choose Aki: Day")
    assert script.open_question_limits["options"]["dig"] == "Dig · up to 1"
    idle_until_question(script, "Choose Aki: Day")
    assert script.open_question_limits["options"]["dig"] == "Dig · up to 3"
    assert (discontent_stack(script, "Aki"), script["Aki/board", "illness"]) == ([], 0)


def test_illness_at_day_leaves_the_boss_a_night() -> None:
    """If it begins by day the boss still acts tonight, and nobody else."""
    script = set_gold(
        add_discontent_chips(begin_first_day(), "Aki", "blue", "blue", "red", "white"), "Aki", 9
    )
    script.says("Aki: dig", "Aki: nothing", "Aki: blue", "Aki: digging")
    assert option_keys(script) == ["bonus_1", "end"]


def test_a_holiday_in_illness() -> None:
    """A holiday is legal in illness and shortens it."""
    script = move_marker(exploding("blue", "blue", "blue", "white", drawn="red"), "Aki", "dormitory", 1)
    idle_until_question(script, "Choose Aki: Day")
    script.says("Aki: holiday", "Aki: nothing")
    assert (discontent_stack(script, "Aki"), script["Aki/board", "illness"]) == ([], 0)


def test_a_bonus_shortens_illness() -> None:
    """Whoever pays the last blue chips away has employees who act tonight."""
    script = set_gold(
        add_discontent_chips(begin_first_day(), "Aki", "blue", "blue", "red", "white"), "Aki", 30
    )
    script.says("Aki: dig", "Aki: nothing", "Aki: black", "Aki: digging")
    assert "hire" not in option_keys(script)
    script.says("Aki: bonus_2")
    assert "hire" in option_keys(script)
    script.says("Aki: storage", "Aki: blue")
    assert script["Aki/board", "illness"] == 0


def test_new_chips_prolong_what_lasts() -> None:
    """The effect lasts while chips of its colour lie there, whenever they came."""
    script = exploding("blue", "blue", "red", "white", drawn="yellow")
    idle_until_question(script, "Choose Ben: Night")
    add_discontent_chips(script, "Aki", "red", "blue")
    idle_until_question(script, "Choose Aki: Day")
    assert discontent_stack(script, "Aki") == ["blue", "blue", "red"]
    assert script.open_question_limits["options"]["dig"] == "Dig · up to 1"


def test_a_chip_drawn_later_is_no_illness() -> None:
    """Once the illness is over a blue chip is like any other, also where people took the last one away."""
    script = exploding("blue", "blue", "red", "white", drawn="yellow")
    correct_count(script, 2, "blue chip", "Aki/discontent", "discontent bag")
    meet_accident(script).says("Ben: red", "Aki: blue")
    assert (discontent_stack(script, "Aki"), script["Aki/board", "illness"]) == (["blue"], 0)


# Strike


def test_a_strike() -> None:
    """Black, 3 kept: the next own turns are passed, passed, and normal; a market card comes all the same."""
    script = exploding("black", "black", "red", "white", drawn="black")
    assert script.question_log_key == "Read: Round 1: market card 2"
    seen = []
    for card in range(2, 8):
        script.says(f"table: shows M{card}")
        seen.append((asked_players(script), [note for note in script.last_notes if "Strike" in note]))
        while isinstance(script.question, Choose) or script.question_log_key.startswith("Counts"):
            idle_one(script)
    assert seen == [
        ("Ben", []),
        ("", ["Strike: no employee works, so Aki misses this turn."]),
        ("Ben", []),
        ("", ["Strike: no employee works, so Aki misses this turn."]),
        ("Ben", []),
        ("Aki", []),
    ]
    assert discontent_stack(script, "Aki") == []


def idle_one(script: Script) -> None:
    """The shortest answer to a question of a turn."""
    if script.question_log_key.startswith("Counts"):
        script.says(f"{asked_players(script)}: nothing")
    else:
        script.says(f"{asked_players(script)}: {'holiday' if 'holiday' in option_keys(script) else 'end'}")


def test_a_strike_by_day_ends_the_turn() -> None:
    """Black in the own turn: the running action is finished, then the turn is over."""
    script = set_gold(
        add_discontent_chips(begin_first_day(), "Aki", "black", "black", "red", "white"), "Aki", 9
    )
    script.says("Aki: dig", "Aki: soil 1", "Aki: black")
    assert script.question_log_key == "Read: Round 1: market card 2"
    assert script.last_notes[-1] == "Aki suffers from strike."


def test_a_strike_in_a_survey() -> None:
    """The survey is finished, an employee's chip for it drawn too; then the night is over."""
    script = set_gold(add_discontent_chips(begin_first_day(), "Aki", "black", "black", "red"), "Aki", 20)
    script.says("Aki: dig", "Aki: nothing", "Aki: white", "Aki: digging", "Aki: survey_B", "Aki can't")
    script.says("Aki: black", "Ben: white")
    assert script["Aki/board", "strike"] == 1
    assert script.question_log_key == "Read Aki: Tiles B placed"
    script.says("Aki places B1")
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: Survey, tiles B"
    script.says("Aki: red")
    assert script.question_log_key == "Read: Round 1: market card 2"
    assert discontent_stack(script, "Aki") == ["black", "black", "black", "red"]


def test_nothing_but_a_pass_in_a_strike() -> None:
    """In a strike there is nothing to choose, not even a bonus."""
    script = set_gold(exploding("black", "black", "red", "white", drawn="black"), "Aki", 99)
    idle_until_question(script, "Read: Round 1: market card 3")
    script.says("table: shows M20")
    assert script.question_log_key == "Read: Round 1: market card 4"
    assert gold_counts(script)[0] == 99


def test_another_explosion_replaces_what_lasts() -> None:
    """If discontent explodes again, what lasted before is over."""
    script = exploding("blue", "blue", "red", "white", drawn="yellow")
    meet_accident(add_discontent_chips(script, "Aki", "black", "black")).says("Ben: red", "Aki: black")
    assert discontent_stack(script, "Aki") == ["black"] * 3
    assert (script["Aki/board", "illness"], script["Aki/board", "strike"]) == (0, 1)


# Those who leave, thieves, the fifth colour


def test_employees_leave() -> None:
    """Red: as many employees leave at once as chips stay, at most all; all chips go back."""
    script = exploding("red", "red", "blue", "red", drawn="white")
    assert script.last_notes[1:3] == [
        "Aki's discontent explodes: 3 red chips left.",
        "Aki loses 2 employees.",
    ]
    assert (
        worker_count(script, "Aki"),
        discontent_stack(script, "Aki"),
        script["discontent bag", "red chip"],
    ) == (1, [], 5)
    script = exploding("red", "blue", "white", "red", drawn="yellow", boss_on_track="false")
    assert (worker_count(script, "Aki"), discontent_stack(script, "Aki")) == (1, [])


def test_a_thief() -> None:
    """Yellow: a gem for each chip, each time the dearest in the own storage at today's price."""
    script = add_gems(
        add_discontent_chips(begin_first_day(), "Aki", "yellow", "yellow", "red", "white"),
        "Aki",
        white=1,
        red=1,
    )
    script.says("Aki: dig", "Aki: nothing", "Aki: blue")
    assert script.last_notes[:4] == [
        "Aki draws 1 blue chip.",
        "Aki's discontent explodes: 2 yellow chips left.",
        "Aki loses a white gem.",
        "Aki loses a red gem.",
    ]
    assert (script["centre", "white gem"], script["Aki/storage", "red gem"]) == (15, 0)
    assert discontent_stack(script, "Aki") == []


def test_a_thief_finds_nothing() -> None:
    """With an empty storage nothing is stolen; the chips go back all the same."""
    script = exploding("yellow", "yellow", "red", "white", drawn="yellow")
    assert script.last_notes[1] == "Aki's discontent explodes: 3 yellow chips left."
    assert discontent_stack(script, "Aki") == []


def test_the_owner_picks_among_gems_as_dear() -> None:
    """Where the dearest colours tie, the owner picks which gem is stolen."""
    script = add_gems(
        add_discontent_chips(begin_first_day(card="M9"), "Aki", "yellow", "yellow", "red", "white"),
        "Aki",
        yellow=1,
        white=2,
    )
    script.says("Aki: dig", "Aki: nothing", "Aki: blue")
    assert script.question_log_key == "Choose Aki: Which gem is stolen?"
    assert option_keys(script) == ["yellow", "white"]
    script.says("Aki: yellow")
    assert (script["Aki/storage", "yellow gem"], script["Aki/storage", "white gem"]) == (0, 1)


def test_the_fifth_colour_does_nothing() -> None:
    """The fifth colour has no effect; its chips go back."""
    script = exploding("white", "white", "red", "blue", drawn="white")
    assert discontent_stack(script, "Aki") == []
    assert script["discontent bag", "white chip"] == 5
    assert worker_count(script, "Aki") == 3
    assert script.question_log_key == "Choose Aki: Night: the boss's action"


def test_an_explosion_outside_the_own_turn() -> None:
    """An accident elsewhere explodes at once, and what it does begins with the next own turn."""
    script = add_discontent_chips(begin_first_day(), "Ben", "black", "black", "red", "white")
    set_gold(script, "Aki", 9).says("Aki: dig", "Aki: nothing", "Aki: white")
    script.says("Aki: survey_B", "Aki can't", "Aki: white")
    script.says("Ben: black")
    assert discontent_stack(script, "Ben") == ["black"] * 3
    script.says("Aki places nothing", "Aki: end", "table: shows M2")
    assert script.last_notes == ["Strike: no employee works, so Ben misses this turn."]


def test_an_explosion_on_payday() -> None:
    """An unpaid employee's chip may explode too; illness waits for the next turn."""
    script = set_gold(idle_through_turns(begin_script(), 19), "Aki", 0)
    idle_until_question(script, "Choose Ben: Night")
    add_discontent_chips(script, "Aki", "blue", "blue", "red", "white").says("Ben: end", "Aki: blue")
    assert discontent_stack(script, "Aki") == ["blue"] * 3
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: wages"


# Bonus


def test_a_bonus() -> None:
    """2 gold for each employee return 1 chip, 4 gold for each return 2; it is no action."""
    script = add_discontent_chips(set_gold(begin_script(), "Aki", 20), "Aki", "blue", "red", "white").says(
        "table: shows M1"
    )
    assert option_keys(script) == ["dig", "holiday", "bonus_1", "bonus_2"]
    assert script.open_question_limits["options"]["bonus_2"] == "Bonus: 2 chips go back · costs 8"
    script.says("Aki: bonus_1", "Aki: top")
    assert (gold_counts(script)[0], discontent_stack(script, "Aki")) == (16, ["blue", "red"])
    script.says("Aki: bonus_2")
    assert (gold_counts(script)[0], discontent_stack(script, "Aki")) == (8, [])
    assert option_keys(script) == ["dig", "holiday"]


def test_a_bonus_is_for_all_employees() -> None:
    """Three employees need 6 gold at once: less buys nothing for one of them alone."""
    script = move_marker(
        add_discontent_chips(set_gold(begin_script(), "Aki", 5), "Aki", "blue"), "Aki", "workers", 1
    ).says("table: shows M1")
    assert options_named_in_refusal(script.refuses("Aki: bonus_1")) == ["dig", "holiday"]


def test_a_bonus_without_enough_chips() -> None:
    """A bonus that returns 2 chips is refused with 1; without employees there is none."""
    script = add_discontent_chips(set_gold(begin_script(), "Aki", 30), "Aki", "blue").says("table: shows M1")
    assert options_named_in_refusal(script.refuses("Aki: bonus_2")) == ["dig", "holiday", "bonus_1"]


def test_a_bonus_in_the_night() -> None:
    """The bonus is offered in every menu of the own turn and doesn't count as an action."""
    script = begin_first_night(gold=20).says("Aki: bonus_1")
    assert script.question_log_key == "Choose Aki: Night: the boss's action"
    assert discontent_stack(script, "Aki") == []
    script.says("Aki: digging", "Aki: storage", "Aki: red", "Aki: bonus_1", "Aki: dormitory", "Aki: red")
    assert "bonus_1" in option_keys(script)


def test_the_owner_picks_the_chips_that_go_back() -> None:
    """The top ones are proposed; others may be picked, exactly as many; of a colour the topmost goes."""
    script = add_discontent_chips(
        set_gold(begin_script(), "Aki", 20), "Aki", "blue", "red", "blue", "white"
    ).says("table: shows M1")
    script.says("Aki: bonus_2")
    assert script.open_question_limits["options"] == {
        "top": "Top of the stack: white, blue",
        "others": "Other chips",
    }
    script.says("Aki: others")
    assert script.refuses("Aki: red 1") == "The sum is 1; it must be exactly 2."
    assert script.refuses("Aki: red 1, blue 2") == "The sum is 3; it must be exactly 2."
    assert script.refuses("Aki: red 2") == "red can be at most 1."
    script.says("Aki: red 1, blue 1")
    assert discontent_stack(script, "Aki") == ["blue", "white"]


def test_nobody_is_asked_which_of_equal_chips() -> None:
    """Where all chips are of one colour or all go back, there is nothing to pick."""
    script = add_discontent_chips(set_gold(begin_script(), "Aki", 20), "Aki", "blue", "blue").says(
        "table: shows M1", "Aki: bonus_1"
    )
    assert discontent_stack(script, "Aki") == ["blue"]
    assert script.question_log_key == "Choose Aki: Day"


@pytest.mark.parametrize("chosen", ["top", "others"])
def test_a_holiday_returns_as_many_as_it_may(chosen: str) -> None:
    """A holiday returns exactly what the dormitory says."""
    script = add_discontent_chips(begin_first_day(), "Aki", "blue", "red").says(
        "Aki: holiday", "Aki: nothing", f"Aki: {chosen}"
    )
    if chosen == "others":
        assert script.refuses("Aki: nothing") == "The sum is 0; it must be exactly 1."
        script.says("Aki: blue 1")
    assert discontent_stack(script, "Aki") == (["blue"] if chosen == "top" else ["red"])


def test_who_loses_all_employees_by_hand_draws_no_chip() -> None:
    """People take the employees away before they say which chip came: nobody asks any more."""
    script = begin_first_day().says("Aki: dig", "Aki: nothing")
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: dig"
    correct_count(script, 1 - worker_count(script, "Aki"), "workers", "box", "Aki/board")
    assert script.question_log_key == "Choose Aki: Night: the boss's action"
    assert discontent_stack(script, "Aki") == []
