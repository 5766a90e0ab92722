"""Oyakata sentence by sentence: setup, market, rounds, days, payday, score, options.

Nights, discontent, sums and bags have files of their own.
"""

import pytest

from companion.errors import UserError
from companion.games.oyakata.rulebook import GAME
from companion.requests import Choose, Counts, Read
from companion.testing import Script
from companion.texts import render
from tests.support.games.oyakata_helpers import (
    NAMES,
    add_discontent_chips,
    add_gems,
    answer_with_least_effect,
    begin_first_day,
    begin_first_night,
    begin_script,
    discontent_stack,
    gold_counts,
    idle_through_turns,
    idle_until_question,
    move_marker,
    set_gold,
    worker_count,
)
from tests.support.games.script_helpers import asked_players, correct_count
from tests.support.refusals import options_named_in_refusal


def dig_limit(script: Script) -> int:
    """How many chips the open question lets somebody dig."""
    most = script.open_question_limits["most"]
    assert isinstance(most, int)
    return most


# The worked example


def test_the_worked_example() -> None:
    """Storage 4 with 2 gems: 2 dug, soil and mud; 2 red sold at 3; one hired for 2; 7 gold, 4 workers."""
    script = add_gems(begin_first_day(card="M3"), "Aki", red=2)
    soil = script["centre", "soil"]
    script.says("Aki: dig")
    assert dig_limit(script) == 2
    assert script.refuses("Aki: soil 2, mud 1") == "The sum is 3; it can be at most 2."
    script.says("Aki: soil 1, mud 1")
    assert (script["centre", "soil"], script["bag/1", "mud"]) == (soil + 1, 1)
    assert [script["Aki/storage", f"{colour} gem"] for colour in ("red", "blue")] == [2, 0]
    script.says("Aki: blue")
    assert discontent_stack(script, "Aki") == ["blue"]
    assert script.question_log_key == "Choose Aki: Night: the boss's action"
    script.says("Aki: sell", "Aki: red 2")
    assert script.last_notes == ["Aki sells 2 red gems for 6 gold."]
    assert gold_counts(script) == [9, 3]
    assert script.question_log_key == "Choose Aki: Night: an employee's action"
    script.says("Aki: hire", "Aki: 1")
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: Hire"
    script.says("Aki: white")
    assert gold_counts(script) == [7, 3]
    assert worker_count(script, "Aki") == 4
    assert discontent_stack(script, "Aki") == ["blue", "white"]


# Parts and setup


@pytest.mark.parametrize("players", [1, 5])
def test_how_many_play(players: int) -> None:
    """Two to four play."""
    with pytest.raises(UserError, match=f"Oyakata is for 2 to 4 players, not {players}."):
        Script(GAME, *(*NAMES, "Emi")[:players])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_each_begins_with(players: int) -> None:
    """Everybody has 3 gold, 3 workers, 3 soil and 1 mud in the bag; nothing else."""
    script = Script(GAME, *NAMES[:players], options={"bag_odds": "true"})
    for number, name in enumerate(NAMES[:players], 1):
        assert (script[f"{name}/purse", "gold"], worker_count(script, name)) == (3, 3)
        assert (script[f"bag/{number}", "soil"], script[f"bag/{number}", "mud"]) == (3, 1)
        assert script[f"{name}/storage", "red gem"] == 0
    assert script["centre", "soil"] == 60 - 3 * players
    assert script["centre", "white gem"] == 15
    assert script["discontent bag", "black chip"] == 5
    assert (script["market pile", "market card"], script["pile", "tile A"], script["pile", "tile B"]) == (
        20,
        35,
        35,
    )


def test_the_start_tiles() -> None:
    """From the start player each draws 2 tiles A, places 1, and puts what is printed on it into the bag."""
    script = Script(GAME, *NAMES[:3]).says("table: Ben")
    assert script.question_log_key == "Read Ben: Start tile"
    script.says("Ben places A10")
    assert (script["bag/2", "soil"], script["bag/2", "red gem"], script["bag/2", "blue gem"]) == (6, 1, 1)
    assert script.question_log_key == "Read Chie: Start tile"
    script.says("Chie places A1")
    assert script.question_log_key == "Read Aki: Start tile"
    script.says("Aki places A1")
    assert (script["pile", "tile A"], script["discards", "tile A"], script["Ben/tunnel", "tile A"]) == (
        29,
        3,
        1,
    )
    assert gold_counts(script) == [3, 3, 3]
    assert script.question_log_key == "Read: Round 1: market card 1"
    assert script["Ben/board", "start player"] == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki places nothing", "At least 1 card is needed."),
        ("Aki places A1 A2", "Only 1 card may be laid down here, not 2."),
        ("Aki places B1", "card B1 doesn't show letter A."),
        ("Aki places card:M1", "card M1 doesn't show kind tile, letter A, accident no."),
    ],
)
def test_start_tiles_that_are_refused(line: str, why: str) -> None:
    """Exactly one tile A is placed at the start."""
    assert Script(GAME, *NAMES[:2]).says("table: Aki").refuses(line) == why


def test_a_tile_typed_that_is_not_in_the_list() -> None:
    """Any tile can be typed as soil and gems; a number that can't be printed is refused."""
    script = Script(GAME, *NAMES[:2]).says("table: Aki")
    typed = {"soil": 7, "red_gems": 0, "blue_gems": 2, "yellow_gems": 0, "white_gems": 0}
    with pytest.raises(UserError, match=r"^soil must be a number from 0 to 9, not 10\.$"):
        script.session.answer(script.question_number, [{"values": typed | {"soil": 10}}])
    script.session.answer(script.question_number, [{"values": typed}])
    assert (script["bag/1", "soil"], script["bag/1", "blue gem"]) == (10, 2)


def test_a_tile_lies_in_one_tunnel() -> None:
    """A tile that lies in a tunnel can't be placed again."""
    script = Script(GAME, *NAMES[:2]).says("table: Aki", "Aki places card:A1.1")
    assert script.refuses("Ben places card:A1.1") == "card A1.1 has already been turned over."


# The market


def test_a_market_card_each_turn() -> None:
    """At the start of each turn a market card is turned up; it holds until the next."""
    script = begin_first_day()
    assert [script["market price", f"{colour} price"] for colour in ("red", "blue", "yellow", "white")] == [
        1,
        2,
        3,
        4,
    ]
    script.says("Aki: holiday", "Aki: nothing", "Aki: end")
    assert script.question_log_key == "Read: Round 1: market card 2"
    script.says("table: shows M2")
    assert script["market price", "red price"] == 2
    assert (script["market pile", "market card"], script["turned up", "market card"]) == (18, 2)
    assert shown(script) == "Round 1 · card 2/20 · wages 4"


def test_prices_can_be_typed() -> None:
    """Four prices describe a market card that nobody listed; each is 1 to 5."""
    script = begin_script()
    prices = {"red": 5, "blue": 5, "yellow": 5, "white": 5}
    for wrong in (0, 6):
        with pytest.raises(UserError, match=rf"^white must be a number from 1 to 5, not {wrong}\.$"):
            script.session.answer(script.question_number, [{"values": prices | {"white": wrong}}])
    with pytest.raises(UserError, match=r"^white is missing. Allowed: a number from 1 to 5\.$"):
        script.session.answer(script.question_number, [{"values": {"red": 5, "blue": 5, "yellow": 5}}])
    script.session.answer(script.question_number, [{"values": prices}])
    assert script["market price", "white price"] == 5
    assert asked_players(script) == "Aki"


def test_a_market_card_comes_once_a_round() -> None:
    """A market card that was turned up comes again only in the next round, when all are shuffled."""
    script = begin_script().says("table: shows card:M1")
    idle_until_question(script, "Read")
    assert script.refuses("table: shows card:M1") == "card M1 has already been turned over."
    idle_through_turns(script, 19)
    assert script.question_log_key == "Read: Round 2: the bottom market card"
    script.says("table: shows card:M1")
    assert script["final price", "red price"] == 1


def test_a_market_card_is_no_tile() -> None:
    """A tile is refused where a market card is asked for."""
    assert begin_script().refuses("table: shows card:A2.1") == "card A2.1 doesn't show kind market."


def test_a_price_put_right_counts() -> None:
    """A price corrected by hand is today's price, also while gems are being counted."""
    script = begin_first_night(stored="red red").says("Aki: sell")
    correct_count(script, 3, "red price", "box", "market price")
    script.says("Aki: red 2")
    assert gold_counts(script) == [11, 3]


# Rounds


def test_two_rounds_of_twenty_cards() -> None:
    """After 20 turns comes the payday and the second round, whose bottom card lies open from its start."""
    script = idle_through_turns(begin_script(), 20)
    assert "The market cards are shuffled: round 2 begins." in script.last_notes
    assert script.question_log_key == "Read: Round 2: the bottom market card"
    script.says("table: shows card:M9")
    assert [script["final price", f"{colour} price"] for colour in ("red", "white")] == [2, 4]
    assert (script["market pile", "market card"], script["final price", "market card"]) == (19, 1)
    assert script.question_log_key == "Read: Round 2: market card 1"
    assert script.refuses("table: shows card:M9") == "card M9 has already been turned over."
    idle_through_turns(script, 18)
    assert script.question_log_key == "Read: Round 2: market card 19"
    answer_with_least_effect(script)
    while script["final price", "market card"]:
        answer_with_least_effect(script)
    assert "The bottom market card shows today's prices." in script.last_notes
    assert [script["market price", f"{colour} price"] for colour in ("red", "white")] == [2, 4]
    assert script["final price", "red price"] == 0
    assert script["turned up", "market card"] == 20
    assert asked_players(script) == "Ben"


def turns_taken(script: Script, rounds: int) -> list[list[str]]:
    """Who has the turn at each market card of so many rounds, when nothing is done."""
    taken: list[list[str]] = [[] for _ in range(rounds)]
    last = 0
    while script.session.question is not None:
        script_round, card = script["round track", "round"], script["turned up", "market card"]
        if card != last and isinstance(script.question, Choose):
            taken[script_round - 1].append(asked_players(script))
            last = card
        answer_with_least_effect(script)
    return taken


def test_three_players_take_the_turns_as_they_come() -> None:
    """3 players: 7, 7 and 6 turns in the first round, 7, 6 and 7 in the second, in unbroken order."""
    first, second = turns_taken(step_all(begin_script(3), "workers", -2), 2)
    assert [first.count(name) for name in NAMES[:3]] == [7, 7, 6]
    assert [second.count(name) for name in NAMES[:3]] == [7, 6, 7]
    assert [*first, *second] == [NAMES[turn % 3] for turn in range(40)]


def step_all(script: Script, track: str, steps: int) -> Script:
    """Everybody's marker goes so far."""
    for seat in script.session.table.seats:
        move_marker(script, seat.name, track, steps)
    return script


def test_the_turn_goes_on_from_whoever_has_the_mark() -> None:
    """If people hand the turn to somebody by hand, that player is asked at once; it goes on clockwise."""
    script = begin_first_day(3).says("correct 1 turn from Aki/board to Chie/board: it is hers")
    script.says("Chie: holiday", "Chie: nothing", "Chie: end", "table: shows M2")
    assert asked_players(script) == "Aki"
    script.says("Aki: holiday", "correct 1 turn from Aki/board to Chie/board: Ben is away", "Aki: nothing")
    assert asked_players(script.says("Aki: end", "table: shows M3")) == "Chie"


def test_a_card_a_round_of_the_table() -> None:
    """With market_per round one card holds for a turn of everybody; payday comes after 20 of them."""
    script = begin_script(3, market_per="round").says("table: shows M1")
    for name in NAMES[:3]:
        assert asked_players(script) == name
        script.says(f"{name}: holiday", f"{name}: nothing", f"{name}: end")
    assert script.question_log_key == "Read: Round 1: market card 2"
    taken = 1
    while script["round track", "round"] == 1:
        taken += script.question_log_key.startswith("Read")
        answer_with_least_effect(script)
    assert taken == 20
    assert gold_counts(script) == [1, 1, 1]


def test_the_hidden_final_price() -> None:
    """With final_price hidden the second round's last card is turned up like any other."""
    script = idle_through_turns(begin_script(final_price="hidden"), 20)
    assert script.question_log_key == "Read: Round 2: market card 1"
    idle_through_turns(script, 19)
    assert script.question_log_key == "Read: Round 2: market card 20"


def test_one_round_for_beginners() -> None:
    """With rounds 1 there is no payday, and the 20th card is the final price and not open before."""
    script = add_gems(idle_through_turns(begin_script(rounds="1"), 19), "Aki", red=2)
    assert script.question_log_key == "Read: Round 1: market card 20"
    script.says("table: shows card:M20")
    while script.session.question is not None:
        answer_with_least_effect(script)
    assert not any("Payday" in told for told in script.history_texts)
    assert script.result_json["winners"] == ["Aki"]
    assert script.result_json["standings"][0]["total"] == 3 + 2 * 4


# Day


def test_a_dig() -> None:
    """Soil goes to the centre, gems to the storage, mud back into the bag; then a discontent chip."""
    script = move_marker(
        correct_count(begin_first_day(), 2, "red gem", "centre", "bag/1"), "Aki", "workers", 1
    ).says("Aki: dig")
    assert dig_limit(script) == 4
    soil = script["centre", "soil"]
    script.says("Aki: soil 2, mud 1, red 1")
    assert script["centre", "soil"] == soil + 2
    assert (script["Aki/storage", "red gem"], script["bag/1", "red gem"], script["bag/1", "mud"]) == (1, 1, 1)
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: dig"


def test_a_dig_of_nothing_costs_a_chip_of_discontent() -> None:
    """Whoever has employees at work draws a discontent chip, however many chips were dug, 0 too."""
    script = begin_first_day().says("Aki: dig", "Aki: nothing")
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: dig"


def test_nothing_fits_into_a_full_storage() -> None:
    """With 2 places free 2 chips may be drawn, with none free none; the employees are discontented anyway."""
    script = add_gems(begin_first_day(), "Aki", red=2, blue=2).says("Aki: dig")
    assert script.last_notes == ["Aki's storage is full, so Aki can't dig."]
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: dig"


def test_up_to_five_employees_and_three_steps_of_skill_dig() -> None:
    """At most 5 on the track and 3 steps of skill dig 8 chips, where the storage has room."""
    script = move_marker(
        move_marker(move_marker(begin_script(), "Aki", "workers", 2), "Aki", "digging", 3),
        "Aki",
        "storage",
        3,
    )
    script.says("table: shows M1")
    assert script.open_question_limits["options"]["dig"] == "Dig · up to 8"
    script.says("Aki: dig")
    assert dig_limit(script) == 8


def test_a_boss_alone_causes_no_discontent() -> None:
    """Without employees only the boss digs, and nobody is discontented."""
    script = move_marker(begin_first_day(), "Aki", "workers", -2).says("Aki: dig")
    assert dig_limit(script) == 1
    script.says("Aki: soil 1")
    assert script.question_log_key == "Choose Aki: Night: the boss's action"


def test_a_holiday() -> None:
    """The boss digs up to 1, whatever the skill; chips by the dormitory go back; no employee acts tonight."""
    script = add_discontent_chips(move_marker(begin_first_day(), "Aki", "digging", 2), "Aki", "blue", "red")
    script.says("Aki: holiday")
    assert (script.question_log_key, dig_limit(script)) == ("Counts Aki: Chips dug on the holiday", 1)
    script.says("Aki: soil 1")
    assert script.question_log_key == "Choose Aki: Chips that go back: holiday"
    script.says("Aki: top")
    assert discontent_stack(script, "Aki") == ["blue"]
    script.says("Aki: survey_A", "Aki places nothing")
    assert script.question_log_key == "Read: Round 1: market card 2"


def test_a_holiday_with_a_full_storage() -> None:
    """With a full storage the boss digs nothing on a holiday."""
    script = add_gems(begin_first_day(), "Aki", red=4).says("Aki: holiday")
    assert script.question_log_key == "Choose Aki: Night: the boss's action"


def test_a_dormitory_takes_more_discontent_away() -> None:
    """The dormitory says how many chips go back; where there are fewer, all of them."""
    script = add_discontent_chips(move_marker(begin_first_day(), "Aki", "dormitory", 2), "Aki", "blue", "red")
    script.says("Aki: holiday", "Aki: nothing")
    assert discontent_stack(script, "Aki") == []
    assert script.question_log_key == "Choose Aki: Night: the boss's action"


# Payday and score


def test_payday_after_twenty_turns() -> None:
    """2 gold an employee, clockwise from the start player; who can't pay all pays as many as may be."""
    script = idle_through_turns(begin_script(first="Ben"), 19)
    assert script.question_log_key == "Read: Round 1: market card 20"
    set_gold(set_gold(move_marker(script, "Aki", "workers", 2), "Aki", 9), "Ben", 3)
    idle_until_question(script, "Choose Ben: Discontent chip drawn: wages")
    assert script.last_notes[-2:] == [
        "Payday: Ben pays 2 gold.",
        "Payday: Ben can't pay 1 employee.",
    ]
    script.says("Ben: black")
    assert script.last_notes[:2] == ["Ben draws 1 black chip.", "Payday: Aki pays 8 gold."]
    assert not any("Aki can't pay" in note for note in script.last_notes)
    assert gold_counts(script) == [1, 1]
    assert discontent_stack(script, "Ben") == ["black"]


def test_unpaid_employees_who_leave_in_between() -> None:
    """The number unpaid is fixed first; chips are drawn one by one until no employees are left."""
    script = idle_through_turns(begin_script(), 19)
    set_gold(move_marker(script, "Aki", "workers", 1), "Aki", 0)
    idle_until_question(script, "Choose Ben: Night")
    add_discontent_chips(script, "Aki", "red", "red", "blue", "red").says("Ben: end")
    assert script.last_notes == ["Ben ends the night.", "Payday: Aki can't pay 3 employees."]
    script.says("Aki: red")
    assert script.last_notes == [
        "Aki draws 1 red chip.",
        "Aki's discontent explodes: 4 red chips left.",
        "Aki loses 3 employees.",
        "Payday: Ben pays 2 gold.",
        "Payday: Ben can't pay 1 employee.",
    ]
    assert worker_count(script, "Aki") == 1


def test_employees_taken_away_by_hand_between_two_chips() -> None:
    """A chip that is drawn after people took the last employees away goes back to its bag."""
    script = idle_through_turns(begin_script(), 19)
    set_gold(move_marker(script, "Aki", "workers", 1), "Aki", 0)
    idle_until_question(script, "Choose Ben: Night")
    move_marker(script.says("Ben: end", "Aki: white"), "Aki", "workers", -3)
    assert script.question_log_key == "Choose Aki: Discontent chip drawn: wages"
    script.says("Aki: blue")
    assert script.question_log_key == "Choose Ben: Discontent chip drawn: wages"
    assert discontent_stack(script, "Aki") == []


def test_wages_due_are_shown() -> None:
    """The heading says what is owed on payday: 2 gold an employee, 5 in the last round, 0 in a single one."""
    script = begin_first_night(gold=20).says("Aki: hire", "Aki: 1")
    assert shown(script) == "Round 1 · card 1/20 · wages 6"
    script = idle_until_question(idle_through_turns(begin_script(), 20), "Choose")
    assert shown(script) == "Round 2 · card 1/20 · wages 10"
    assert shown(begin_first_day(rounds="1")) == "Round 1 · card 1/20 · wages 0"


def shown(script: Script) -> str:
    """The heading."""
    heading = script.session.table.heading
    assert heading is not None
    return render(heading)


def test_the_last_payday_costs_five() -> None:
    """After the second round each employee costs 5 gold; then the game is over."""
    script = idle_through_turns(begin_script(final_price="hidden"), 39)
    set_gold(set_gold(script, "Aki", 12), "Ben", 3)
    idle_until_question(script, "Choose Ben: Discontent chip drawn: wages")
    assert "Payday: Aki pays 10 gold." in script.last_notes
    assert script.last_notes[-1] == "Payday: Ben can't pay 2 employees."
    script.says("Ben: white", "Ben: white")
    assert script.result_json["winners"] == ["Aki"]


def last_night() -> Script:
    """The last question before the end of a short game in which nobody has employees."""
    script = idle_through_turns(begin_script(rounds="1"), 19).says("table: shows card:M20")
    for name in ("Aki", "Ben"):
        move_marker(script, name, "workers", -2)
    idle_until_question(script, "Choose Ben: Night")
    return script


def test_the_score_sheet() -> None:
    """Gold, gems at the final price without the bonus, less one gold for each discontent chip."""
    script = add_gems(
        move_marker(set_gold(last_night(), "Ben", 7), "Ben", "negotiation", 2), "Ben", red=2, white=1
    )
    add_discontent_chips(move_marker(script, "Ben", "workers", 1), "Ben", "blue", "red").says("Ben: top")
    add_discontent_chips(script, "Ben", "red").says("Ben: end")
    assert script.result_json["winners"] == ["Ben"]
    assert script.result_json["standings"][0] == {
        "seat": "Ben",
        "rank": 1,
        "out": False,
        "total": 7 + 2 * 4 + 4 - 2,
        "why": None,
        "lines": [
            {"label": "gold", "value": 7, "counts": True},
            {"label": "red gems", "value": 8, "counts": True},
            {"label": "blue gems", "value": 0, "counts": True},
            {"label": "yellow gems", "value": 0, "counts": True},
            {"label": "white gems", "value": 4, "counts": True},
            {"label": "discontent", "value": -2, "counts": True},
            {"label": "chips in the bag", "value": 5, "counts": False},
        ],
    }


def test_a_total_may_be_negative() -> None:
    """Discontent may cost more than there is; gold itself is never below 0."""
    script = add_discontent_chips(move_marker(last_night(), "Ben", "workers", 1), "Ben", "blue", "red").says(
        "Ben: top"
    )
    set_gold(add_discontent_chips(script, "Ben", "red"), "Ben", 0).says("Ben: end")
    assert [standing["total"] for standing in script.result_json["standings"]] == [3, -2]


def test_no_employees_no_discontent_in_the_end() -> None:
    """Whoever has no employees in the end has no discontent either."""
    script = add_discontent_chips(set_gold(last_night(), "Ben", 5), "Ben", "blue", "red").says("Ben: end")
    assert script.result_json["standings"][0]["total"] == 5


def test_a_tie_goes_to_the_emptier_bag() -> None:
    """As rich, but fewer chips of any kind left in the bag: that wins, as for other places, and is said."""
    script = correct_count(last_night(), 1, "soil", "bag/2", "centre").says("Ben: end")
    assert script.result_json["winners"] == ["Ben"]
    whys = [standing["why"] for standing in script.result_json["standings"]]
    assert whys == ["wins the tie with fewer chips in the bag", None]
    assert [standing["rank"] for standing in script.result_json["standings"]] == [1, 2]


def test_a_tie_with_as_many_chips_is_shared() -> None:
    """As rich and as many chips in the bag: the win is shared."""
    script = last_night().says("Ben: end")
    assert script.result_json["winners"] == ["Aki", "Ben"]


# Options


def test_the_track_may_count_employees_only() -> None:
    """With boss_on_track false 3 on the track are 3 employees, and 4 dig; all may be dismissed."""
    script = begin_first_day(boss_on_track="false").says("Aki: dig")
    assert dig_limit(script) == 4
    set_gold(script, "Aki", 6).says("Aki: soil 1", "Aki: red", "Aki: dismiss", "Aki: 3")
    assert worker_count(script, "Aki") == 0
    idle_until_question(script, "Choose Aki: Day")
    set_gold(script, "Aki", 9).says("Aki: dig")
    assert dig_limit(script) == 1
    script.says("Aki: nothing", "Aki: hire")
    assert script.open_question_limits["options"]["5"] == "hire 5 · costs 8"


def test_without_discontent() -> None:
    """With discontent false no chips are drawn, no bonus is offered, a night is one action of the boss's."""
    script = begin_first_day(discontent="false").says("Aki: dig", "Aki: nothing")
    assert script.question_log_key == "Choose Aki: Night: the boss's action"
    script.says("Aki: survey_A", "Aki places nothing")
    assert script.question_log_key == "Read: Round 1: market card 2"
    script.says("table: shows M2", "Ben: holiday", "Ben: nothing", "Ben: end")
    idle_through_turns(script, 17)
    set_gold(script, "Aki", 0)
    idle_until_question(script, "Read: Round 2")
    assert "Payday: Aki can't pay 2 employees." in script.last_notes
    assert discontent_stack(script, "Aki") == []


def test_open_bags() -> None:
    """With bag_odds the bags lie open, and a refusal says what is in them."""
    script = begin_first_day(bag_odds="true").says("Aki: dig")
    assert script.open_question_limits["counts"]["soil"] == 4
    assert script.refuses("Aki: mud 2") == "mud can be at most 1."


@pytest.mark.parametrize(
    ("key", "wrong", "allowed"),
    [
        ("boss_on_track", "maybe", "boss_on_track must be one of true, false, not maybe."),
        ("market_per", "day", "market_per must be one of turn, round, not day."),
        ("final_price", "no", "final_price must be one of open, hidden, not no."),
        ("rounds", "3", "rounds must be a number from 1 to 2, not 3."),
        ("discontent", "yes", "discontent must be one of true, false, not yes."),
        ("bag_odds", "1", "bag_odds must be one of true, false, not 1."),
    ],
)
def test_options_that_do_not_exist(key: str, wrong: str, allowed: str) -> None:
    """Each option says what it may be."""
    with pytest.raises(UserError) as refusal:
        Script(GAME, *NAMES[:2], options={key: wrong})
    assert str(refusal.value) == allowed


# Bad input


def test_no_night_before_the_day() -> None:
    """A night action before the day's is refused; so is anything but dig and holiday."""
    assert options_named_in_refusal(begin_first_day().refuses("Aki: hire")) == ["dig", "holiday"]


@pytest.mark.parametrize(
    "given", [{"soil": "1"}, {"soil": True}, {"gold": 1}, [1], "soil", None, {"soil": 0.5}]
)
def test_what_is_no_dig(given: object) -> None:
    """What was dug is whole numbers for soil, mud and the four gems."""
    script = begin_first_day().says("Aki: dig")
    with pytest.raises(UserError):
        script.session.answer(script.question_number, given)
    assert script.question_log_key == "Counts Aki: Chips dug"


def test_only_what_is_in_the_bag_is_dug() -> None:
    """More of a kind than the bag holds is refused in one way, and nobody learns how many there are."""
    script = begin_first_day().says("Aki: dig")
    assert script.open_question_limits["counts"] == dict.fromkeys(
        ["soil", "mud", "red", "blue", "yellow", "white"]
    )
    assert script.refuses("Aki: red 1") == "These pieces can't come from Aki's bag."
    assert script.refuses("Aki: mud 2") == "These pieces can't come from Aki's bag."
    assert script.refuses("Aki: soil -1") == "soil must be at least 0."
    assert script.refuses("Aki: soil 4") == "The sum is 4; it can be at most 3."


def test_only_whose_turn_it_is_acts() -> None:
    """The questions of a turn are one player's."""
    assert [seat.name for seat in begin_first_day().question.seats] == ["Aki"]


def test_a_correction_of_a_track_counts() -> None:
    """A marker moved by hand decides what may be done from the next question on."""
    script = begin_first_day().says("correct 1 digging from box to Aki/board: forgotten", "Aki: dig")
    assert dig_limit(script) == 4


def test_undo_says_what_to_move_back() -> None:
    """Undo of a night's action names gold and markers."""
    script = begin_first_night(gold=9).says("Aki: storage", "undo")
    assert script.moves_by_hand == [
        "2 gold from bank back to Aki",
        "1 step of storage from Aki's board back to box",
    ]


def test_undo_says_what_goes_back_into_the_bag() -> None:
    """Undo of a dig names soil and gems for the bag, undo of a survey what comes out of it again."""
    script = correct_count(begin_first_day(), 2, "red gem", "centre", "bag/1").says(
        "Aki: dig", "Aki: soil 2, red 1", "undo"
    )
    assert script.moves_by_hand == [
        "2 soil from centre back to Aki's bag",
        "1 red gem from Aki's storage back to Aki's bag",
    ]
    script = begin_first_night().says("Aki: survey_A", "Aki places A2", "undo")
    assert script.moves_by_hand == [
        "2 soil from Aki's bag back to centre",
        "1 red gem from Aki's bag back to centre",
        "1 A tile from discards back to Aki's drawn tiles",
        "1 A tile from Aki's tunnel back to Aki's drawn tiles",
    ]


def test_a_restart_in_the_middle_of_a_survey() -> None:
    """The program may be started again at any question."""
    script = begin_first_night().says("Aki: survey_B", "Aki can't", "Aki: red", "restart")
    assert script.question_log_key == "Choose Ben: Discontent chip drawn: accident"
    assert isinstance(script.says("Ben: red").question, Read)
    assert isinstance(begin_first_day().says("Aki: dig", "restart").question, Counts)
