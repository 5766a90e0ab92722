"""Half points of Any Game, as in the World Chess Championship of 1972.

Fischer beat Spassky by 12½ to 8½. A win was a point and a draw half a point for each; whoever had 12½ points
of 24 games won the title (https://en.wikipedia.org/wiki/World_Chess_Championship_1972).
"""

from __future__ import annotations

import json

import msgspec
import pytest

from companion.errors import UserError
from companion.games.any_game.rulebook import check_deck
from companion.half_numbers import HalfNumber, number_from_halves
from companion.jsonlines import public_table_as_json, question_as_json
from companion.log.events import PutAway
from companion.logtext import format_log_text, parse_log_text
from companion.record.exports import record_to_csv, record_to_json
from companion.record.html_page import record_to_html
from companion.record.record import create_record, result_from_json
from companion.record.text_export import record_to_text, score_summary
from companion.requests import Choose
from companion.rules.scene_views import GridView
from companion.scenes import evaluate_scene
from companion.session.view import list_history_entries, make_view
from companion.table.scores import StoredResult
from companion.testing import Script
from companion.texts import render
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    begin_with_cards_and_coins,
    question_text,
    rank_and_total_by_player,
    rules_card,
    template_card,
    template_deck,
)

POINTS = template_card("category", "points")
MATCH = rules_card(scoring="rounds", half_points="yes", fixed_sum="yes", round_sum=1, target=12.5)
PLAYERS = ("Spassky", "Fischer")
GAMES_OF_1972: tuple[str, ...] = ("1-0", "1-0", "0-1", "½", "0-1", "0-1", "½", "0-1", "½", "0-1", "1-0")
GAMES_OF_1972 += ("½", "0-1", "½", "½", "½", "½", "½", "½", "½", "0-1")
ROUND_LINE_BY_GAME = {"1-0": "table: 1, 0", "0-1": "table: 0, 1", "½": "table: ½, ½"}


def begin_match(*cards: str) -> Script:
    """Spassky and Fischer, before their first game."""
    return begin_with_cards(*(cards or (POINTS, MATCH)), names=PLAYERS)


def play_games(script: Script, *games: str) -> Script:
    """Plays games of the match; each is a round."""
    for game in games:
        script.says("table: write_round", ROUND_LINE_BY_GAME[game])
    return script


def test_the_match_of_1972_ends_when_fischer_has_twelve_and_a_half() -> None:
    """The target of 12½ is reached in the 21st game, not before; the totals are exact."""
    script = play_games(begin_match(), *GAMES_OF_1972[:-1])
    assert question_text(script) == "What is next?"
    play_games(script, GAMES_OF_1972[-1])
    assert question_text(script) == "Target of 12½ points reached: Fischer. Finish the game?"
    script.says("table: finish")
    standings = script.result_json["standings"]
    assert [(one["seat"], one["rank"], one["total"]) for one in standings] == [
        ("Fischer", 1, 12.5),
        ("Spassky", 2, 8.5),
    ]


def test_a_whole_total_is_a_whole_number() -> None:
    """Two draws are one point, in JSON 1 and not 1.0."""
    totals = rank_and_total_by_player(play_games(begin_match(), "½", "½"))
    assert totals == {"Spassky": (1, 1), "Fischer": (1, 1)}
    assert all(type(total) is int for _, total in totals.values())


def test_a_log_has_halves_as_json_and_plays_again() -> None:
    """The log of a draw reads `{Spassky: 0.5, Fischer: 0.5}`, and a log read from its text is equal."""
    script = play_games(begin_match(), "½", "1-0")
    text = format_log_text(list(script.log))
    assert "{Spassky: 0.5, Fischer: 0.5}" in text
    assert parse_log_text(text) == list(script.log)
    before = make_view(script.session).holdings
    script.says("restart")
    assert make_view(script.session).holdings == before


def test_a_half_lies_on_the_table_as_a_marker_of_its_own() -> None:
    """What is on the table is always whole: 1½ is a point and a half, -1½ a point lost and a half lost."""
    script = begin_with_cards(POINTS, rules_card(scoring="rounds", half_points="yes"), names=PLAYERS)
    script.says("table: write_round", "table: 1½, -1.5")
    places = public_table_as_json(script.session)["places"]
    assert places["Spassky/front/1"] == {"points": 1, "points half": 1}
    assert places["Fischer/front/1"] == {"points lost": 1, "points half lost": 1}


def test_undo_and_amend_work_with_halves() -> None:
    """A draw that is amended to a win takes the half from the loser."""
    script = play_games(begin_match(), "½", "½")
    script.says("amend 2: table: 1, 0")
    assert rank_and_total_by_player(script) == {"Spassky": (1, 1.5), "Fischer": (2, 0.5)}


@pytest.mark.parametrize("answer", [0.25, 7.3, "½", True, 0.1 + 0.2])
def test_a_number_that_is_no_multiple_of_a_half_is_refused(answer: object) -> None:
    """The sentence says what is allowed."""
    script = begin_match().says("table: write_round")
    with pytest.raises(UserError) as refusal:
        script.session.answer(script.question_number, {"1": answer, "2": 0})
    assert str(refusal.value) == "Spassky must answer with a whole number or a half, such as 7½."


def test_without_half_points_a_half_is_refused() -> None:
    """A template says nothing: points are whole, as before."""
    script = begin_match(POINTS, rules_card(scoring="rounds")).says("table: write_round")
    with pytest.raises(UserError, match=r"Spassky must answer with a whole number\."):
        script.session.answer(script.question_number, {"1": 0.5, "2": 0.5})


def test_the_form_says_that_halves_are_allowed() -> None:
    """The step of the number is a half; every front end reads it from there."""
    script = begin_match().says("table: write_round")
    part = question_as_json(script.session)["parts"]["Fischer"]
    limits = {"least": -99999999, "most": 99999999, "step": 0.5, "confirm_above": 9999}
    assert part["form"]["fields"] == [{"type": "number", **limits}]
    assert part["limits"] == {"least": -99999999, "most": 99999999, "step": 0.5}


def test_a_wrong_sum_names_halves() -> None:
    """A game has one point: 1 and ½ can't be right."""
    script = begin_match().says("table: write_round", "table: 1, ½")
    assert question_text(script) == "Round 1, points: the points add up to 1½, not to 1."
    assert isinstance(script.question, Choose)
    assert [render(label) for label in script.question.options.values()][:2] == [
        "½ for Spassky",
        "0 for Fischer",
    ]
    script.says("table: 1")
    assert question_text(script) == "What is next?"
    assert rank_and_total_by_player(script) == {"Spassky": (1, 0.5), "Fischer": (1, 0.5)}


def test_everybody_sees_halves_in_history_and_on_the_table() -> None:
    """History, mats and the grid of rounds write ½."""
    script = play_games(begin_match(), "½", "1-0")
    history = [render(entry.text) for entry in list_history_entries(script.session)]
    assert "Spassky: ½, Fischer: ½" in history
    scene_view = evaluate_scene(make_view(script.session), script.session.scene)
    assert [str(mat.headline.value) for mat in scene_view.mats if mat.headline] == ["1½", "½"]
    grid = next(iter(scene_view.middle_parts))
    assert isinstance(grid, GridView)
    assert [[str(cell.value) for cell in cells if cell] for _, cells in grid.lines] == [
        ["½", "½"],
        ["1", "0"],
        ["1½", "½"],
    ]
    assert grid.running_column_sums == [[number_from_halves(1)] * 2, [HalfNumber(3), HalfNumber(1)]]


def test_points_of_the_menu_and_of_the_end_may_be_halves() -> None:
    """Free points, and a bonus at the end, are entered with halves, too; coins stay whole."""
    bonus = template_card("category", "bonus", when="end")
    script = begin_with_cards_and_coins(POINTS, bonus, rules_card(half_points="yes"), names=("Ann", "Ben"))
    script.says(
        "table: points", "table: points", "table: 2½, 0", "table: bonus", "table: -½, ½", "table: done"
    )
    assert rank_and_total_by_player(script) == {"Ann": (1, 102), "Ben": (2, 100.5)}
    lines = script.result_json["standings"][0]["lines"]
    assert [(line["label"], line["value"]) for line in lines] == [
        ("coin", 100),
        ("points", 2.5),
        ("bonus", -0.5),
    ]


def test_a_tied_prize_is_rounded_to_halves() -> None:
    """Two share 4 and 3 points: 3½ each, where whole points would be rounded down to 3."""
    prizes = template_card("category", "points", first=4, second=3)
    script = begin_with_cards(prizes, rules_card(scoring="rounds", half_points="yes"), names=("Ann", "Ben"))
    script.says("table: write_round", "table: 5, 5")
    assert rank_and_total_by_player(script) == {"Ann": (1, 3.5), "Ben": (1, 3.5)}
    whole = begin_with_cards(prizes, rules_card(scoring="rounds"), names=("Ann", "Ben"))
    assert rank_and_total_by_player(whole.says("table: write_round", "table: 5, 5"))["Ann"] == (1, 3)


def test_a_tied_prize_of_thirds_is_rounded_to_the_half_below() -> None:
    """Three share 5 points: 1⅔ each is rounded down to 1½, and a note says so."""
    prizes = template_card("category", "points", first=5)
    script = begin_with_cards(
        prizes, rules_card(scoring="rounds", half_points="yes"), names=("Ann", "Ben", "Cleo")
    )
    script.says("table: write_round", "table: 5, 5, 5")
    assert render(script.session.table.notes[-1]).startswith("Points: Ann 1½ (rounded down), Ben 1½")


def test_tricks_may_score_halves() -> None:
    """A template gives half a point for each trick, and takes 1½ for each trick of difference."""
    rules = rules_card(scoring="contract", half_points="yes", each=0.5, hit=2, miss=-1.5)
    script = begin_with_cards(POINTS, rules, names=("Ann", "Ben"))
    script.says("table: write_round", "table: bid 3, made 3; bid 2, made 1")
    notes = [render(note) for note in make_view(script.session).notes]
    assert notes[:2] == ["Ann bid 3 and made 3. Points: 3½.", "Ben bid 2 and made 1. Points: -1½."]
    assert rank_and_total_by_player(script) == {"Ann": (1, 3.5), "Ben": (2, -1.5)}


def test_the_boxes_of_a_score_sheet_may_have_halves() -> None:
    """A box takes halves up to its limit; with a multiple of 5 it takes only these."""
    boxes = (
        template_card("category", "style", highest=10),
        template_card("category", "speed", multiple=5),
    )
    script = begin_with_cards(*boxes, rules_card(scoring="sheet", half_points="yes"), names=("Ann", "Ben"))
    script.says("table: turns", "Ann: style")
    assert script.refuses("Ann 10½") == "Ann can answer at most 10."
    script.says("Ann 9½", "Ben: speed")
    assert script.refuses("Ben 7½") == "Ben must answer 0 or more, in steps of 5."
    script.says("Ben 5", "Ann: speed", "Ann 0", "Ben: style", "Ben ½")
    assert rank_and_total_by_player(script) == {"Ann": (1, 9.5), "Ben": (2, 5.5)}


def test_who_comes_later_may_begin_with_a_half() -> None:
    """The last place has ½: whoever joins on its level begins with it, and a note says so."""
    rules = rules_card(scoring="rounds", half_points="yes", join="level")
    script = begin_with_cards(POINTS, rules, names=("Ann", "Ben", "Cleo"))
    script.says("table: Cleo", "table: write_round", "table: 1½, ½", "table: join")
    assert "Cleo begins with ½ points." in [render(note) for note in make_view(script.session).notes]
    assert rank_and_total_by_player(script)["Cleo"] == (2, 0.5)


@pytest.mark.parametrize(
    "field", ["target", "round_sum", "hit", "each", "miss", "each_missed", "always", "over"]
)
def test_a_half_in_a_template_needs_half_points(field: str) -> None:
    """A number such as 0.5 is refused in a template whose points are whole."""
    with pytest.raises(UserError) as refusal:
        template_deck(POINTS, rules_card(**{field: 0.5}))
    assert f"{field} must be a number from" in str(refusal.value)
    assert "not 0.5" in str(refusal.value)


@pytest.mark.parametrize("value", ["0.25", "7.0", "1e300", "nan", "inf"])
def test_a_template_has_only_halves(value: str) -> None:
    """Other fractions are refused, and so is 7.0, which is 7; the sentence says which numbers are allowed."""
    with pytest.raises(UserError, match="target must be a number from 0 to 99999999 in steps of ½, not "):
        template_deck(POINTS, rules_card(half_points="yes") + f"\ntarget = {value}")


def test_a_category_may_not_have_the_name_of_a_half() -> None:
    """`points half` is the marker of half a point; in a template without halves it is an ordinary name."""
    other = template_card("category", "points half")
    assert check_deck(template_deck(POINTS, other, rules_card())) == []
    with pytest.raises(UserError, match=r"points half is a reserved name\."):
        check_deck(template_deck(POINTS, other, rules_card(half_points="yes")))


def test_the_record_of_a_game_has_its_halves() -> None:
    """JSON and CSV have 7.5 for programs; page, text and the code for a phone have 7½ for people."""
    script = play_games(begin_match(), *GAMES_OF_1972).says("table: finish", "put away")
    record = create_record(script.session, list(script.log))
    assert record.result is not None
    exported = json.loads(record_to_json(record))
    assert [one["total"] for one in exported["result"]["standings"]] == [12.5, 8.5]
    assert exported["standing"][-1]["totals"] == {"Spassky": 8.5, "Fischer": 12.5}
    assert "total,,,Fischer,,12.5" in record_to_csv(record)
    text, page = record_to_text(record), record_to_html(record)
    assert "1. Fischer: 12½\n     12½  points\n" in text
    assert "Target of 12½ points reached: Fischer." in text
    assert "<b>12½</b>" in page
    assert "<figure>" in page
    assert score_summary("Chess", record.result) == "Chess\n1. Fischer 12½\n2. Spassky 8½"


def test_a_saved_result_is_read_exactly() -> None:
    """What the log says of the end is what a record shows, also where the rules are gone."""
    script = play_games(begin_match(), "½", "1-0").says("table: finish", "put away")
    last_event = parse_log_text(format_log_text(list(script.log)))[-1]
    assert isinstance(last_event, PutAway)
    stored = msgspec.json.decode(msgspec.json.encode(last_event), type=PutAway).result
    result = result_from_json(stored, script.session.table.seats)
    assert result is not None
    assert [str(standing.total) for standing in result.standings] == ["1½", "½"]
    assert all(standing.lines_add_up for standing in result.standings)


@pytest.mark.parametrize("total", [0.25, 1e300])
def test_a_saved_result_has_no_other_fractions(total: float) -> None:
    """A damaged result is refused, not rounded."""
    standing = {"seat": "Ann", "rank": 1, "out": False, "total": total, "lines": []}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"winners": [], "standings": [standing]}, StoredResult)
