"""Rounds, contracts, sheets, majorities, teams, leaving, tracks, tournaments and chance of Any Game."""

from collections.abc import Callable
from itertools import product
from math import floor
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import logtext
from companion.cards import CardDesign, Deck
from companion.errors import UserError
from companion.games.any_game.contract import ContractRules
from companion.games.any_game.majority import majority_points
from companion.games.any_game.rulebook import GAME, check_deck
from companion.log.log import MemoryLog
from companion.presets import starting_decks
from companion.requests import Together
from companion.requests.fields import NumberField
from companion.scenes import evaluate_scene, middle_tables
from companion.session.session import Session
from companion.session.view import make_view, movable_holdings_by_place
from companion.table.ledger import Place
from companion.table.seats import make_seats
from companion.testing import Script
from companion.texts import render, say
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    begin_with_cards_and_coins,
    purse_counts,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import correct_count, question_heading

NAMES = ("Aki", "Ben", "Chie", "Dai")
NOWHERE = Path("/nonexistent")
SEATS = make_seats(NAMES)
ROW, BOTH = "table: 1, 2, 3", "table: bid 1, made 1; bid 1, made 1; bid 1, made 1"
"""A round of three people."""


def deck(template: str, **rules: int | str) -> Deck:
    """A template, with some of its rules changed."""
    found = starting_decks(GAME, NOWHERE, {"template": template})["any_game"]
    designs = [
        replace(one, values=one.values | rules) if one.values["kind"] == "rules" else one
        for one in found.designs
    ]
    return replace(found, designs=tuple(designs))


def table(template: str, *names: str, options: dict[str, str] | None = None, **rules: int | str) -> Script:
    """People with a template, some of whose rules are others."""
    return Script(GAME, *(names or NAMES[:3]), options=options, decks={"any_game": deck(template, **rules)})


def menu(script: Script) -> list[str]:
    """The keys of the menu."""
    return list(script.open_question_limits["options"])


def result(script: Script) -> dict[str, tuple[int, float]]:
    """Rank and total of each seat."""
    return {one["seat"]: (one["rank"], one["total"]) for one in script.result_json["standings"]}


def grids(script: Script) -> list[str]:
    """The tables in the middle, a line a row, as the terminal writes them."""
    laid = evaluate_scene(make_view(script.session), script.session.scene)
    return [
        " ".join(render(cell) if cell else "·" for cell in row)
        for written in middle_tables(laid)
        for row in (written.column_headings, *written.lines)
    ]


def said(script: Script) -> list[str]:
    """What was told, but for the notes that change hands."""
    return [note for note in script.last_notes if " from " not in note]


# Rounds


def test_a_round_is_one_line() -> None:
    """All points of a round at once, two touches a round; then the next round begins by itself."""
    script = table("points")
    assert menu(script) == ["write_round", "start_player", "points", "chance", "finish"]
    assert render(script.open_question_limits["options"]["write_round"]) == "Round 1"
    script.says("table: write_round")
    assert script.question_log_key == "Together Aki Ben Chie: Round 1: points"
    script.says("table: 12, -3, 10")
    assert render(make_view(script.session).heading or say("none")) == "Round 2"
    script.says("table: write_round", "Ben 5", "Aki 1", "Chie 0", "table: points", "table: 0, 4, 0")
    script.says("table: finish")
    assert result(script) == {"Aki": (1, 13), "Chie": (2, 10), "Ben": (3, 6)}


def test_points_of_a_round_lie_at_its_place() -> None:
    """Gained and lost, by seat and round; what is written down besides belongs to no round."""
    script = table("points").says(
        "table: write_round", "table: 12, -3, 10", "table: points", "table: 1, 2, 3"
    )
    assert script["Aki/front/1", "points"] == 12
    assert script["Ben/front/1", "points lost"] == 3
    assert script["Ben/front", "bonus"] == 2


def test_the_grid_shows_rounds_and_sums() -> None:
    """A line a round, then what came besides, then all of it; and a table of the kinds of points."""
    script = table("points")
    assert "round 1" not in grids(script)
    script.says("table: write_round", "table: 12, -3, 10", "table: write_round", "table: 1, 1, 1")
    script.says("table: points", "table: 0, 5, 0")
    assert grids(script)[:8] == [
        "· Aki Ben Chie",
        "round 1 12 -3 10",
        "round 2 1 1 1",
        "other points 0 5 0",
        "total 13 3 11",
        "· Aki Ben Chie",
        "points 13 -2 11",
        "bonus 0 5 0",
    ]


def test_a_cell_is_amended_with_its_round() -> None:
    """The question of a round is about the place of that round, so that its answer is found again."""
    script = table("points").says(
        "table: write_round", "table: 12, -3, 10", "table: write_round", "table: 1, 1, 1"
    )
    told = next(
        one
        for one in script.session.rulebook_run.answered_questions
        if one.question.about == Place(say("front"), slot=1)
    )
    script.says(f"amend {told.question_number}: Ben 3")
    assert script["Ben/front/1", "points"] == 3
    assert script["Ben/front/2", "points"] == 1


def test_marks_of_rounds_are_not_moved_by_hand() -> None:
    """The bank doesn't list them: a round is amended with its answer."""
    script = table("points").says("table: write_round", "table: 12, -3, 10")
    assert not any(place.slot for place in movable_holdings_by_place(script.session))


def test_the_table_is_asked_after_the_last_round() -> None:
    """A fixed number of rounds ends the game with a question, once a round; nobody need end it."""
    script = table("points", rounds=1).says("table: write_round", "table: 1, 2, 3")
    assert script.question_log_key == "Choose: Finish now?"
    assert render(script.question.text) == "All rounds have been played. Finish the game?"
    assert render(make_view(script.session).heading or say("none")) == "Round 1"
    script.says("table: go_on", "table: points", "table: 0, 0, 9")
    assert script.question_log_key == "Choose: What is next?"
    script.says("table: write_round", "table: 5, 0, 0", "table: finish")
    assert result(script) == {"Chie": (1, 12), "Aki": (2, 6), "Ben": (3, 2)}


def test_the_table_is_asked_once_a_score_is_reached() -> None:
    """Whoever has reached it is named, and the fewest win where the template says so."""
    script = table("lowest").says(
        "table: write_round", "table: 60, 20, 70", "table: write_round", "table: 30, 40, 30"
    )
    assert render(script.question.text) == "Target of 100 points reached: Chie. Finish the game?"
    script.says("table: finish")
    assert result(script) == {"Ben": (1, 60), "Aki": (2, 90), "Chie": (3, 100)}


def test_a_free_table_has_rounds_too() -> None:
    """Where points are written down at any time they belong to the round that is counted."""
    script = table("majority").says("table: points", "table: goals", "table: 1, 2, 3")
    assert script["Chie/front", "goals"] == 3
    script.says("table: north", "table: 3, 0, 1", "table: done")
    assert script["Aki/front/1", "north"] == 6
    script.says("table: round", "table: round", "table: round")
    assert render(script.question.text) == "All rounds have been played. Finish the game?"


def test_the_first_of_so_many_rounds_is_open_from_the_beginning() -> None:
    """It stands above the table, and what a round brings comes with it; after the last one people finish."""
    script = begin_with_cards_and_coins(rules_card(rounds=2, deal="left", income=5))
    assert (question_heading(script), script["round track", "round"]) == ("Round 1", 1)
    assert purse_counts(script) == [105] * 3
    script.says("table: round")
    assert (question_heading(script), script["Ben/front", "dealer"], purse_counts(script)) == (
        "Round 2",
        1,
        [110] * 3,
    )
    script.says("table: round")
    assert render(script.question.text) == "All rounds have been played. Finish the game?"
    script.says("table: finish")
    assert script.session.result


@pytest.mark.parametrize("scoring", ["free", "rounds", "contract"])
def test_nothing_of_another_round_happens_before_people_go_on(scoring: str) -> None:
    """The heading, the count, the marker and everybody's money stay until then, and are asked about again."""
    category = template_card("category", "points")
    script = begin_with_cards_and_coins(
        rules_card(scoring=scoring, rounds=1, deal="left", income=5), category
    )
    before, play = purse_counts(script)[0], {"free": ["table: round"], "contract": [BOTH]}.get(scoring, [ROW])
    play = play if scoring == "free" else ["table: write_round", *play]
    script.says(*play)
    assert render(script.question.text) == "All rounds have been played. Finish the game?"
    assert (question_heading(script), script["round track", "round"]) == ("Round 1", 1)
    assert (script["Aki/front", "dealer"], purse_counts(script)) == (1, [before] * 3)
    script.says("table: go_on")
    assert script.question_log_key == "Choose: What is next?"
    assert (question_heading(script), script["Ben/front", "dealer"]) == ("Round 2", 1)
    assert purse_counts(script) == [before + 5] * 3
    script.says(*play)
    assert render(script.question.text) == "All rounds have been played. Finish the game?"


def test_a_score_is_asked_about_once_a_round() -> None:
    """Whoever goes on as a round is over is asked no more in the next one."""
    script = begin_with_cards_and_coins(rules_card(target=50), template_card("category", "points")).says(
        "table: points", "table: 50, 0, 0"
    )
    assert render(script.question.text) == "Target of 50 points reached: Aki, Ben, Chie. Finish the game?"
    script.says("table: go_on", "table: round")
    assert script.question_log_key == "Choose: Finish now?"
    script.says("table: go_on", "table: points", "table: 1, 0, 0")
    assert script.question_log_key == "Choose: What is next?"


# Dealer and start player


def test_the_dealer_moves_by_itself() -> None:
    """The first seat deals first, and with each round the next; who sits to the left begins.

    While people say who deals, nobody is marked.
    """
    script = table("lowest", options={"tie_rule": "turn_order"})
    assert menu(script) == ["write_round", "start_player", "chance", "finish"]
    assert render(script.open_question_limits["options"]["start_player"]) == "Dealer"
    assert script["Aki/front", "dealer"] == 1
    script.says("table: write_round", "table: 1, 1, 1")
    assert script.last_notes == ["Ben deals."]
    assert badges(script) == {"Ben": ["dealer"]}
    script.says("table: start_player")
    assert render(script.question.text) == "Who deals?"
    assert badges(script) == {}
    script.says("table: Chie", "table: finish")
    assert result(script) == {"Aki": (1, 1), "Ben": (2, 1), "Chie": (3, 1)}


def badges(script: Script) -> dict[str, list[str]]:
    """What is marked on the panels."""
    mats = evaluate_scene(make_view(script.session), script.session.scene).mats
    return {mat.seat.name: [render(label) for label, _ in mat.badges] for mat in mats if mat.badges}


# Contract


@pytest.mark.parametrize(
    ("bid", "made", "points"), [(0, 0, 20), (3, 3, 50), (3, 1, -20), (0, 2, -20), (1, 2, -10)]
)
def test_a_contract_scores(bid: int, made: int, points: int) -> None:
    """Once for being met and for each of its tricks, or for each that it was missed by."""
    assert ContractRules(hit=20, each=10, miss=-10).points_for_bid(bid, made) == points


def test_a_contract_is_one_screen_a_round() -> None:
    """Bid and made of everybody in one go; the points are told and lie at the round's place."""
    script = table("contract").says("table: write_round")
    assert script.question_log_key == "Together Aki Ben Chie: Round 1: bids"
    script.says("Aki bid 2, made 2", "Ben bid 1, made 3", "Chie bid 0, made 0")
    assert script.last_notes == [
        "Aki bid 2 and made 2. Points: 40.",
        "Ben bid 1 and made 3. Points: -20.",
        "Chie bid 0 and made 0. Points: 20.",
        "Ben deals.",
    ]
    assert script["Ben/front/1", "points lost"] == 20


def test_bids_may_be_entered_before_the_round() -> None:
    """Then they lie before everybody while it is played."""
    script = table("contract", bids="before", tricks=5).says("table: write_round")
    assert script.refuses("Aki 6") == "Aki can answer at most 5."
    script.says("table: 2, 1, 0")
    assert script.question_log_key == "Together Aki Ben Chie: Round 1: tricks"
    assert [script[f"{name}/front", "bid"] for name in NAMES[:3]] == [2, 1, 0]
    script.says("table: 2, 3, 0")
    assert [script[f"{name}/front", "bid"] for name in NAMES[:3]] == [0, 0, 0]
    assert script["Aki/front/1", "points"] == 40


# Sheet


def test_a_sheet_is_filled_in_turn() -> None:
    """Whoever has filled least fills one box, from the start player on; nothing is an answer too."""
    script = table("sheet", "Aki", "Ben").says("table: start_player", "table: Ben", "table: turns")
    assert script.question_log_key == "Choose Ben: Which box?"
    script.says("Ben: sixes")
    assert script.refuses("Ben 31") == "Ben can answer at most 30."
    assert script.refuses("Ben 13") == "Ben must answer 0 or more, in steps of 6."
    script.says("Ben 18", "Aki: house", "Aki 0")
    assert "sixes" not in script.open_question_limits["options"]
    assert grids(script)[-9:] == [
        "sixes – 18",
        "upper bonus 0 0",
        "three alike – –",
        "four alike – –",
        "full house 0 –",
        *[f"{box} – –" for box in ("short run", "long run", "five alike", "any dice")],
    ]
    script.says("Ben: back")
    assert script.question_log_key == "Choose: What is next?"


def sums_of_all_dice(dice: int, is_in_box: Callable[[tuple[int, ...]], bool]) -> set[int]:
    """The sums of every throw that counts in a box, and 0 for a box that is crossed out."""
    throws = product(range(1, 7), repeat=dice)
    return {0, *(sum(throw) for throw in throws if is_in_box(throw))}


@pytest.mark.parametrize(("box", "alike"), [("three", 3), ("four", 4), ("any", 1)])
def test_a_box_for_all_dice_takes_only_what_dice_can_show(box: str, alike: int) -> None:
    """Five dice show 5 at least and 30 at most; 0 crosses the box out."""
    script = table("sheet", "Aki", "Ben").says("table: turns", f"Aki: {box}")
    possible = sums_of_all_dice(5, lambda throw: max(map(throw.count, throw)) >= alike)
    accepted = {
        points for points in range(40) if script.question.form.is_decline(points) or accepts(script, points)
    }
    assert accepted >= possible
    assert (min(accepted - {0}), max(accepted)) == (min(possible - {0}), max(possible)) == (5, 30)
    for points in (1, 4):
        assert script.refuses(f"Aki {points}") == "Aki must answer 0, or at least 5."
    assert script.refuses("Aki 31") == "Aki can answer at most 30."


def accepts(script: Script, points: int) -> bool:
    """Whether the number field of the open question accepts these points."""
    field = script.question.form.single_field
    return isinstance(field, NumberField) and field.accepts(points)


def test_a_crossed_out_box_says_so_on_its_key() -> None:
    """0 isn't a bid here."""
    script = table("sheet", "Aki", "Ben").says("table: turns", "Aki: three")
    decline = script.question.form.decline
    assert decline is not None
    assert render(decline.label) == "cross out"
    assert "three alike 0 –" in grids(script.says("Aki 0"))


def test_a_lowest_number_is_on_the_grid_and_whole() -> None:
    """With half points 4½ is fewer than 5, too; of multiples of 4 the first one from 5 on is 8."""
    for design, least in (({"lowest": 5}, 5), ({"lowest": 5, "multiple": 4}, 8)):
        cards = template_card("category", "three", **design), rules_card(scoring="sheet", half_points="yes")
        script = begin_with_cards(*cards).says("table: turns", "Aki: three")
        refused = f"Aki must answer 0, or at least {least}."
        assert script.refuses("Aki 4½") == refused
        script.says(f"Aki {least}")


def test_a_full_sheet_ends_the_game() -> None:
    """Once all boxes are filled the table is asked."""
    script = table("sheet", "Aki", "Ben").says("table: turns")
    while script.question_log_key.endswith("Which box?"):
        name = script.question.seats[0].name
        script.says(f"{name}: {menu(script)[0]}", f"{name} 0")
    assert render(script.question.text) == "All boxes are filled. Finish the game?"


# Majority


@pytest.mark.parametrize(
    ("ties", "counts", "points"),
    [
        ("split", (3, 2, 1, 0), (6, 3, 1, 0)),
        ("split", (3, 3, 1, 0), (4, 4, 1, 0)),
        ("split", (2, 2, 2, 2), (2, 2, 2, 2)),
        ("lower", (3, 3, 1, 0), (3, 3, 1, 0)),
        ("higher", (3, 3, 1, 1), (6, 6, 1, 1)),
        ("lower", (2, 1, 1, 1), (6, 0, 0, 0)),
        ("split", (0, 0, 0, 0), (0, 0, 0, 0)),
        ("next", (4, 3, 2, 0), (6, 3, 1, 0)),
        ("next", (3, 3, 1, 1), (3, 3, 0, 0)),
        ("next", (2, 1, 1, 1), (6, 1, 1, 1)),
        ("next", (0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_majorities(ties: str, counts: tuple[int, ...], points: tuple[int, ...]) -> None:
    """The most gets most; who ties shares, or gets the lower or the higher; nothing gets nothing."""
    found = majority_points(dict(zip(SEATS, counts, strict=True)), (6, 3, 1), ties)
    assert tuple(floor(found[seat]) for seat in SEATS) == points


@pytest.mark.parametrize(
    ("prizes", "counts", "points"),
    [
        # Both examples of El Grande's rulebook
        ((5, 3, 1), (4, 4, 4, 3), (3, 3, 3, 1)),
        ((6, 4, 2), (4, 3, 2, 2), (6, 4, 0, 0)),
        # Arcs has two prizes: after a tie for first nobody else gets one, a tie for second gets nothing
        ((5, 3, 0), (4, 4, 2, 1), (3, 3, 0, 0)),
        ((5, 3, 0), (4, 4, 4, 4), (3, 3, 3, 3)),
        ((5, 3, 0), (4, 2, 2, 1), (5, 0, 0, 0)),
    ],
)
def test_tied_seats_get_the_next_lower_prize(
    prizes: tuple[int, ...], counts: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """However many tie, their own prize goes to nobody, and seats behind them go on after the next one."""
    found = majority_points(dict(zip(SEATS, counts, strict=True)), prizes, "next")
    assert tuple(found.values()) == points


def test_a_template_gives_tied_seats_the_next_lower_prize() -> None:
    """With the word `next` in its category, as in El Grande."""
    north = template_card("category", "north", first=5, second=3, third=1, ties="next")
    script = begin_with_cards_and_coins(rules_card(), north, names=NAMES).says(
        "table: points", "table: 4, 4, 4, 3"
    )
    assert script.last_notes == ["Points: Aki 3, Ben 3, Chie 3, Dai 1."]


def test_a_prize_is_for_its_place() -> None:
    """Where the second gets nothing the third gets what it should; a first that gets nothing is one too."""
    script = begin_with_cards_and_coins(
        rules_card(), template_card("category", "north", first=8, third=2)
    ).says("table: points", "table: 5, 3, 1")
    assert script.last_notes == ["Points: Aki 8, Ben 0, Chie 2."]
    script = begin_with_cards_and_coins(rules_card(), template_card("category", "north", second=3)).says(
        "table: points", "table: 5, 3, 1"
    )
    assert script.last_notes == ["Points: Aki 0, Ben 3, Chie 0."]


def test_an_area_is_counted() -> None:
    """Everybody's number is asked, never below zero, and what it gives is told."""
    script = table("majority").says("table: points", "table: east")
    assert render(script.question.text) == "How many pieces does everybody have in east?"
    assert script.refuses("Aki -1") == "Aki must answer at least 0."
    script.says("table: 4, 4, 1")
    assert script.last_notes == ["Points: Aki 4 (rounded down), Ben 4 (rounded down), Chie 1."]


# Teams


def test_a_team_shares_points_and_rank() -> None:
    """Partners alternate around the table; one answers for both, and behind two first comes a second."""
    script = table("points", *NAMES, teams=2).says("table: write_round")
    assert script.question_log_key == "Together Aki Ben: Round 1: points"
    question = script.question
    assert isinstance(question, Together)
    assert [render(part.text) for part in question.parts_by_seat.values()] == ["Aki, Chie", "Ben, Dai"]
    script.says("table: 4, 9", "table: finish")
    assert result(script) == {"Ben": (1, 9), "Dai": (1, 9), "Aki": (2, 4), "Chie": (2, 4)}


def test_a_team_shares_a_purse() -> None:
    """What its members begin with lies together, and every mat shows it."""
    coin = CardDesign("coin", 1, {"kind": "piece", "start": 10, "worth": 1})
    rules = CardDesign("rules", 1, {"kind": "rules", "teams": 2})
    found = deck("points")
    script = Script(GAME, *NAMES, decks={"any_game": replace(found, designs=(coin, rules))})
    assert script["Aki/purse", "coin"] == 20
    mats = evaluate_scene(make_view(script.session), script.session.scene).mats
    assert [(mat.headline and mat.headline.value, mat.cells[0].value) for mat in mats] == [(20, 20)] * 4
    script.says("table: finish")
    assert [one["total"] for one in script.result_json["standings"]] == [20] * 4


def test_turn_order_decides_a_tie_for_a_whole_team() -> None:
    """Of two teams with equal totals the one first in turn wins with all its members, wherever they sit."""
    script = begin_with_cards_and_coins(rules_card(teams=2), names=NAMES, tie_rule="turn_order").says(
        "table: finish"
    )
    assert result(script) == {"Aki": (1, 200), "Chie": (1, 200), "Ben": (2, 200), "Dai": (2, 200)}


def test_a_team_is_called_by_all_its_names() -> None:
    """Whoever is asked which side pays, borrows or leaves reads the names of all who are in it."""
    script = begin_with_cards_and_coins(rules_card(teams=2, out="yes", payments="yes", debts=20), names=NAMES)
    out = script.copy().says("table: out")
    assert out.open_question_limits["options"] == {"1": "Aki, Chie", "2": "Ben, Dai"}
    script.says("table: payment")
    assert {"Aki, Chie", "Ben, Dai"} <= set(script.open_question_limits["options"].values())


# Leaving


def test_whoever_has_the_marker_as_the_first_round_begins_keeps_it_for_that_round() -> None:
    """The first to deal does so, and the two after them pay the blinds; with the second round it passes."""
    script = table("poker").says("table: done", "table: round")
    assert script["Aki/front", "dealer"] == 1
    assert said(script) == ["Ben pays a blind of 1.", "Chie pays a blind of 2."]
    said_then = said(script.says("table: round"))
    assert said_then == ["Ben deals.", "Chie pays a blind of 1.", "Aki pays a blind of 2."]
    chosen = table("plain").says("table: start_player", "table: Chie", "table: round")
    assert chosen["Chie/front", "start player"] == 1
    assert chosen.says("table: round").last_notes == ["Aki is the start player."]


def test_who_is_out_is_ranked_by_leaving() -> None:
    """The last one in is first, whatever the points; nobody asks them any more."""
    script = table("points", *NAMES, out="yes", deal="left").says("table: write_round", "table: 9, 8, 7, 6")
    script.says("table: out", "table: Ben")
    assert script.last_notes == ["Ben is out."]
    script.says("table: write_round")
    assert script.question_log_key == "Together Aki Chie Dai: Round 2: points"
    script.says("table: 0, 0, 0", "table: out", "table: Aki", "table: out", "table: Chie")
    assert render(script.question.text) == "Only Dai is still in the game. Finish the game?"
    script.says("table: go_on")
    assert "out" not in menu(script)
    script.says("table: finish")
    assert result(script) == {"Dai": (1, 6), "Chie": (2, 7), "Aki": (3, 9), "Ben": (4, 8)}


def test_a_marker_stays_with_whoever_leaves_until_the_next_round() -> None:
    """Then it goes to the next who is in the game, once; nobody loses the deal."""
    script = table("points", *NAMES, out="yes", deal="left").says("table: out", "table: Aki")
    assert script["Aki/front", "dealer"] == 1
    script.says("table: write_round", "table: 0, 0, 0")
    assert script.last_notes == ["Ben deals."]
    script.says("table: write_round", "table: 0, 0, 0")
    assert script.last_notes == ["Chie deals."]


def test_the_next_one_starts_where_the_start_player_has_left() -> None:
    """Bids go round from there; with the next round the marker comes there too."""
    script = begin_with_cards_and_coins(rules_card(out="yes"), names=NAMES).says(
        "table: start_player", "table: Ben", "table: round"
    )
    script.says("table: out", "table: Ben", "table: auction")
    assert [seat.name for seat in script.question.seats] == ["Chie"]
    script.says("undo", "table: round")
    assert script.last_notes == ["Chie is the start player."]


def test_the_next_one_sells_where_the_seller_has_left() -> None:
    """With each lot the marker passes on from there."""
    script = begin_with_cards_and_coins(rules_card(out="yes", payee="seller", auction="fixed"), names=NAMES)
    script.says("table: start_player", "table: Ben", "table: out", "table: Ben", "table: auction")
    assert [seat.name for seat in script.question.seats] == ["Chie"]
    script.says("Chie 5")
    while script.question_log_key != "Choose: What is next?":
        script.says(f"{script.question.seats[0].name}: pass")
    assert script["Dai/front", "start player"] == 1


def test_blinds_where_the_dealer_leaves() -> None:
    """Before the first round the deal passes, too, and the two after the dealer who are in pay them."""
    script = begin_with_cards_and_coins(
        rules_card(out="yes", deal="left", small_blind=1, big_blind=2),
        template_card("place", "pot"),
        names=NAMES,
    )
    script.says("table: out", "table: Aki", "table: round")
    assert said(script) == ["Ben deals.", "Chie pays a blind of 1.", "Dai pays a blind of 2."]
    script.says("table: out", "table: Ben", "table: round")
    assert said(script) == ["Chie deals.", "Chie pays a blind of 1.", "Dai pays a blind of 2."]


def test_a_team_leaves_as_a_whole() -> None:
    """Its partner goes with whoever leaves."""
    script = table("points", *NAMES, out="yes", teams=2).says(
        "table: out", "table: Ben, Dai", "table: finish"
    )
    assert result(script) == {"Aki": (1, 0), "Chie": (1, 0), "Ben": (2, 0), "Dai": (2, 0)}


def test_somebody_is_always_in_the_game() -> None:
    """Where people lay a mark before everybody by hand, all play on; a team is in as long as one of it is."""
    script = begin_with_cards_and_coins(rules_card(out="yes", teams=2), names=NAMES)
    for name in ("Ben", "Aki", "Dai", "Chie"):
        correct_count(script, 1, "out", "box", f"{name}/front")
    script.says("table: sealed_bid")
    assert [seat.name for seat in script.question.seats] == ["Aki", "Ben"]
    script.says("undo")
    correct_count(script, -1, "out", "box", "Dai/front")
    script.says("table: sealed_bid")
    assert [seat.name for seat in script.question.seats] == ["Ben"]


# Tracks


def test_all_lose_together() -> None:
    """A track that is full ends the game with a question; all of it is lost, whatever else was reached."""
    script = table("coop").says("table: track", "table: danger +3", "table: track", "table: danger +3")
    assert script.last_notes == ["danger: step 6 of 8."]
    script.says("table: track", "table: danger -1", "table: track", "table: danger +3")
    assert script.last_notes == ["danger: step 8 of 8."]
    assert render(script.question.text) == "The track “danger” has reached its end. Finish the game?"
    script.says("table: finish")
    assert script.result_json["winners"] == []
    assert {one["why"] for one in script.result_json["standings"]} == {"lost: danger"}


def test_all_win_together() -> None:
    """The aim is reached; before that nobody has won."""
    script = table("coop")
    assert script.session.rulebook_run.result_or_score_so_far() is not None
    assert not script.session.rulebook_run.result_or_score_so_far().winners  # type: ignore[union-attr]  # there is one
    for _ in range(4):
        script.says("table: track", "table: quest +3")
    script.says("table: finish")
    assert script.result_json["winners"] == list(NAMES[:3])


# Tournament


def test_a_tournament_of_five() -> None:
    """Who loses a match is out; who is left over goes on; losers of one stage share a rank."""
    script = table("tournament", *NAMES, "Emi").says("table: match")
    assert render(script.question.text) == "Aki meets Ben: who wins?"
    script.says("table: Ben", "table: match", "table: Chie")
    assert script.last_notes == ["Dai is out.", "Emi has no opponent this time and goes on."]
    script.says("table: match")
    assert render(script.question.text) == "Emi meets Ben: who wins?"
    script.says("table: Emi")
    assert script.last_notes == ["Ben is out.", "Chie has no opponent this time and goes on."]
    script.says("table: match", "table: Emi")
    assert render(script.question.text) == "Only Emi is still in the game. Finish the game?"
    script.says("table: go_on")
    assert menu(script) == ["chance", "finish"]
    script.says("table: finish")
    assert result(script) == {"Emi": (1, 2), "Chie": (2, 1), "Ben": (3, 1), "Aki": (4, 0), "Dai": (4, 0)}


def test_the_draw_says_who_meets_whom() -> None:
    """An order that is drawn, or entered from real lots, is the draw."""
    script = table("tournament", *NAMES).says("table: chance", "table: order", "table: 4 2 1")
    assert script.last_notes == ["The order: Dai, Ben, Aki, Chie."]
    script.says("table: chance", "table: order", "table: 4 2 1", "table: match")
    assert render(script.question.text) == "Dai meets Ben: who wins?"


# Chance


def test_dice_are_rolled_or_entered() -> None:
    """The template's dice, any other, several of a kind that nobody sells, and any number to draw."""
    script = table("coop").says("table: chance", "table: dice", "table: 5")
    assert script.last_notes == ["Rolled: 5."]
    script.says("table: chance", "table: other_dice", "table: d6 2, d20 1", "table: 3 4 17")
    assert script.last_notes == ["Rolled: 3, 4, 17, together 24."]
    script.says("table: chance", "table: any_dice", "table: 30", "table: 2", "table: 7 30")
    assert script.last_notes == ["Rolled: 7, 30, together 37."]
    script.says("table: chance", "table: number")
    assert script.refuses("table: 1") == "The table must answer at least 2."
    script.says("table: 100")
    assert render(script.question.text) == "Draw a number, or enter your own."
    script.says("table: 42")
    assert script.last_notes == ["Drawn: 42."]
    script.says("table: chance", "table: back")
    assert script.question_log_key == "Choose: What is next?"


def test_an_order_is_told() -> None:
    """Without a tournament it is told and moves nothing."""
    script = table("coop").says("table: chance", "table: order", "table: 2 2")
    assert script.last_notes == ["The order: Ben, Chie, Aki."]


def test_a_coin() -> None:
    """Heads or tails, which its faces are called."""
    script = table("coop").says("table: chance", "table: coin")
    assert script.open_question_limits == {
        "dice": [{"label": "coin", "faces": [1, 2], "names": ["heads", "tails"]}]
    }
    script.says("table: 1")
    assert script.last_notes == ["Heads."]
    script.says("table: chance", "table: coin", "table: 2")
    assert script.last_notes == ["Tails."]


def test_lots_say_who_starts() -> None:
    """The marker goes there; undone and drawn again it is the same."""
    script = table("coop").says("table: chance", "table: starts", "roll")
    first = script.last_notes
    script.says("undo", "roll")
    assert script.last_notes == first
    script.says("undo")
    assert script.open_question_limits["lots"] == ["Aki", "Ben", "Chie"]
    script.says("table: 3")
    assert script.last_notes == ["Chie is the start player."]
    assert script["Chie/front", "start player"] == 1
    dealt = table("lowest", chance="yes").says("table: chance", "table: starts", "table: 2")
    assert dealt.last_notes == ["Ben deals."]


# What is wrong


@pytest.mark.parametrize(
    ("designs", "why"),
    [
        (
            [("rules", "rules", {"scoring": "rounds"}), ("coin", "piece", {})],
            '"scoring = rounds" needs',
        ),
        (
            [("rules", "rules", {}), ("more", "rules", {}), ("p", "category", {})],
            "Only one card can have kind",
        ),
        ([("rules", "rules", {"scoring": "knockout"})], 'A tournament needs the setting "out = yes"'),
        (
            [("rules", "rules", {"scoring": "knockout", "out": "yes", "teams": 2})],
            "has no teams",
        ),
        (
            [("rules", "rules", {"scoring": "sheet"}), ("p", "category", {"when": "end"})],
            '"scoring = sheet" needs',
        ),
    ],
)
def test_a_template_that_contradicts_itself(
    designs: list[tuple[str, str, dict[str, int | str]]], why: str
) -> None:
    """Is refused with a sentence."""
    found = tuple(CardDesign(key, 1, {"kind": kind, **values}) for key, kind, values in designs)
    with pytest.raises(UserError, match=why):
        check_deck(replace(deck("points"), designs=found))


def test_points_of_one_kind_of_several_are_named() -> None:
    """Whoever looks up later sees what the points were for."""
    cards = [template_card("category", name) for name in ("goals", "cards")]
    script = begin_with_cards_and_coins(rules_card(), *cards)
    script.says("table: points", "table: goals", "Aki 3", "Ben 0", "Chie 7")
    assert script.last_notes == ["goals: Aki 3, Ben 0, Chie 7."]


def test_a_game_begun_before_templates_had_rules_asks_as_it_did() -> None:
    """Its points are asked for seat by seat, of the one kind that was chosen."""
    path = Path(__file__).parents[1] / "golden/older/any_game-1-points.log"
    events = logtext.parse_log_text(path.read_text(encoding="utf-8"))
    session = Session(GAME, events[:1], MemoryLog())
    session.answer(session.question_number, "points")
    assert session.question is not None
    assert session.question.log_key == "Choose: Points for what?"
    session.answer(session.question_number, "1")
    for points in (3, -2, 5):
        session.answer(session.question_number, points)
    assert [session.table.ledger.find_account_by_keys(f"@{n}/front", piece).count for n, piece in
            ((1, "cards"), (2, "cards lost"), (3, "cards"))] == [3, 2, 5]  # fmt: skip  # one line a seat
