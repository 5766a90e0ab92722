"""Corrections in the middle of a turn: what is asked then, what is taken back, and what no table can have."""

import pytest

from companion.errors import UserError
from companion.games.mammon.rulebook import GAME as MAMMON
from companion.games.oyakata.rulebook import GAME as OYAKATA
from companion.testing import Script
from companion.texts import render
from tests.support.games import high_bid_helpers, mammon_helpers
from tests.support.games.oyakata_helpers import (
    add_discontent_chips,
    add_gems,
    begin_first_day,
    begin_first_night,
    discontent_stack,
    option_keys,
    set_gold,
)
from tests.support.games.script_helpers import asked_players, correct_count

# Oyakata


def test_what_can_no_longer_be_paid_is_asked_anew() -> None:
    """Gold for two, then for one, who is hired without a question, as the answer is played again."""
    script = begin_first_night(gold=9).says("Aki: hire")
    assert option_keys(script) == ["1", "2"]
    settled = script.session.correct("Aki/purse", "bank", "gold", 6, "miscounted")
    assert [render(move) for move in settled.moves_by_hand] == [
        "2 gold from Aki to bank",
        "1 step of workers from box to Aki's board",
    ]
    assert script.question_log_key == "Choose Aki: Night: an employee's action"
    assert [script["Aki/board", "workers"], script["Aki/purse", "gold"]] == [4, 1]


def test_what_can_not_be_paid_at_all_is_taken_back() -> None:
    """Without the gold for one the night's menu is open again, and doesn't offer to hire."""
    script = begin_first_night(gold=9).says("Aki: hire")
    correct_count(script, 8, "gold", "Aki/purse", "bank")
    assert script.question_log_key == "Choose Aki: Night: the boss's action"
    assert "hire" not in option_keys(script)
    assert script.says("Aki: end").question_log_key == "Read: Round 1: market card 2"


def test_a_gem_that_is_gone_is_not_stolen() -> None:
    """Two colours are as dear to the thief; one goes by hand, and the other is stolen without a question."""
    script = add_gems(
        add_discontent_chips(begin_first_day(card="M9"), "Aki", "yellow", "yellow", "red", "white"),
        "Aki",
        yellow=1,
        white=1,
    )
    script.says("Aki: dig", "Aki: nothing", "Aki: blue")
    assert script.question_log_key == "Choose Aki: Which gem is stolen?"
    correct_count(script, 1, "yellow gem", "Aki/storage", "centre")
    assert script.question_log_key == "Choose Aki: Night: the boss's action"
    assert script["Aki/storage", "white gem"] == 0


def test_chips_that_go_back_are_those_that_lie_there() -> None:
    """What is offered as the top ones is asked again with the chips that are left."""
    script = add_discontent_chips(
        set_gold(begin_first_day(), "Aki", 20), "Aki", "red", "blue", "white", "red"
    ).says("Aki: bonus_2")
    assert script.open_question_limits["options"]["top"] == "Top of the stack: red, white"
    correct_count(script, 1, "red chip", "Aki/discontent", "discontent bag")
    assert script.open_question_limits["options"]["top"] == "Top of the stack: white, blue"
    script.says("Aki: others")
    correct_count(script, 1, "white chip", "Aki/discontent", "discontent bag")
    assert script.refuses("Aki: white 1, blue 1") == "white can be at most 0."
    assert discontent_stack(script.says("Aki: red 1, blue 1"), "Aki") == []


@pytest.mark.parametrize(
    ("count", "piece", "most"),
    [
        (3, "workers", "Aki's board has room for only 5 steps of workers."),
        (4, "digging skill", "Aki's board has room for only 3 steps of digging skill."),
    ],
)
def test_a_marker_stays_on_its_track(count: int, piece: str, most: str) -> None:
    """No more steps than the track has places; up to its last place it goes."""
    key = "digging" if piece == "digging skill" else piece
    script = begin_first_day()
    assert script.refuses(f"correct {count} {key} from box to Aki/board: so many") == most
    script.says(f"correct {count - 1} {key} from box to Aki/board: so many")
    assert script["Aki/board", key] in {3, 5}


def test_without_employees_discontent_is_gone_at_once() -> None:
    """When people correct the last employee away, the chips go back in the same moment, and effects end."""
    script = add_discontent_chips(begin_first_day(), "Aki", "red", "blue")
    assert discontent_stack(correct_count(script, 2, "workers", "Aki/board", "box"), "Aki") == []
    assert script["discontent bag", "red chip"] == 5
    assert discontent_stack(script.says("undo"), "Aki") == ["red", "blue"]


def test_in_an_accident_too() -> None:
    """Whose employees are corrected away while their chip is drawn has none of it."""
    script = begin_first_night(gold=9).says("Aki: survey_B", "Aki can't", "Aki: red")
    assert script.question_log_key == "Choose Ben: Discontent chip drawn: accident"
    correct_count(script, 2, "workers", "Ben/board", "box").says("Ben: blue")
    assert script.question_log_key == "Read Aki: Tiles B placed"
    assert discontent_stack(script, "Ben") == []
    assert script["discontent bag", "blue chip"] == 5


def test_in_a_pile_lies_only_what_belongs_there() -> None:
    """Gold is no discontent."""
    refused = begin_first_day().refuses("correct 1 gold from bank to Aki/discontent: so")
    assert refused == "gold can't be placed at Aki's discontent. Choose another place."


def test_without_the_mark_of_the_turn_the_first_seat_goes_on() -> None:
    """Where people lay it back into the box, nobody is forgotten."""
    script = correct_count(begin_first_day(3), 1, "turn", "Aki/board", "box").says(
        "Aki: holiday", "Aki: nothing", "Aki: end"
    )
    assert asked_players(script.says("table: shows M1")) == "Aki"


def test_tiles_are_placed_though_the_pile_was_taken_away() -> None:
    """What was placed counts, whatever people have done with the pile."""
    script = Script(OYAKATA, "Aki", "Ben")
    correct_count(script, 35, "tile A", "pile", "discards").says(
        "table: Aki", "Aki places A1", "Ben places A1"
    )
    assert script.question_log_key == "Read: Round 1: market card 1"
    script = correct_count(Script(OYAKATA, "Aki", "Ben"), 35, "tile A", "pile", "Ben/tunnel").says(
        "table: Aki"
    )
    assert script.says("Aki places A1", "Ben places A1")["Aki/tunnel", "tile A"] == 0


# Mammon


def test_strength_that_is_gone_can_not_be_put_forward() -> None:
    """A battle needs strength of its scale at the moment it is called."""
    script = mammon_helpers.begin_battle(3, 3, 3)
    assert "battle_3" in mammon_helpers.option_keys(script)
    correct_count(script, 2, "orange coin", "Aki/strength", "bank")
    assert script.refuses("Aki: battle_2") == "Not enough strength."
    assert script.says("Aki: battle_1").question_log_key == "Together Aki Ben Chie: Aki's battle"


def test_the_start_player_is_found_wherever_the_mark_lies() -> None:
    """Who wins the start wagers gets it from where people have put it."""
    script = mammon_helpers.begin_start_auction()
    correct_count(script, 1, "start player", "box", "Chie/hand")
    assert script.says("Aki 1", "Ben 0", "Chie 0")["Aki/front", "start player"] == 1
    script = mammon_helpers.begin_start_auction()
    correct_count(script, 1, "start player", "box", "Aki/front")
    assert script.says("Aki 1", "Ben 0", "Chie 0")["Aki/front", "start player"] == 1


def test_a_row_that_people_cleared_is_not_bought_from() -> None:
    """A card taken away by hand is no longer offered."""
    script = mammon_helpers.begin_market()
    while "Buy" not in script.question_log_key:
        script.says(f"{mammon_helpers.asked_players(script)[0]}: {mammon_helpers.option_keys(script)[-1]}")
    last = mammon_helpers.option_keys(script)[-1]
    correct_count(script, 1, "card", f"market/{last}", "box")
    assert last not in mammon_helpers.option_keys(script)


# High Bid


def test_where_the_pile_is_gone_the_game_goes_to_its_end() -> None:
    """The last cards of the pile are taken away by hand while one is to be turned up: there is none."""
    script = high_bid_helpers.deal_first_round()
    correct_count(script, script["auction pile", "card"], "card", "auction pile", "box")
    assert script.question_log_key == "Read Aki: Lay down the cards of your hand"
    correct_count(script, 3, "card", "box", "auction pile")
    assert script.question_log_key == "Read: Auction 1: turn up card 1"


def test_a_back_takes_its_face_along() -> None:
    """A card that lies alone is moved as one thing, by its back or by its name; undo brings both back."""
    script = high_bid_helpers.turn_up_cards(high_bid_helpers.deal_first_round(), "buyer")
    face = next(
        one.piece.key
        for one in script.session.table.ledger
        if one.place.key_with_player_name == "auction block" and one.piece.is_card_face
    )
    for piece in ("card", face):
        correct_count(script, 1, piece, "auction block", "Aki/set aside")
        assert [script["Aki/set aside", one] for one in ("card", face)] == [1, 1]
        assert high_bid_helpers.open_cards_at(script, "auction block") == []
        assert script.history_texts[-1].startswith(("Corrected: 1 card ", "Corrected: Buyer's card "))
        script.says("undo")
        assert high_bid_helpers.open_cards_at(script, "auction block") != []


def test_of_several_cards_people_say_which() -> None:
    """A back alone says nothing where several cards lie open; all of one hand are only backs."""
    script = high_bid_helpers.turn_up_cards(high_bid_helpers.deal_first_round(), "buyer", "lamps")
    refused = script.refuses("correct 1 card from auction block to box: lost")
    assert refused == "There are several cards at auction block. Move each card by its name."
    correct_count(script, 2, "card", "Aki/hand", "Ben/hand")
    assert script["Ben/hand", "card"] == 9
    script = correct_count(
        high_bid_helpers.turn_up_cards(high_bid_helpers.deal_first_round(), "buyer"),
        1,
        "card",
        "auction pile",
        "auction block",
    )
    assert script.refuses("correct 2 card from auction block to box: lost") == refused
    assert (
        high_bid_helpers.open_cards_at(correct_count(script, 1, "card", "auction block", "box"), "box") == []
    )


def test_no_more_open_cards_than_lie_there() -> None:
    """Of a card of which there may be more than the list has, as that is a guess, too."""
    script = high_bid_helpers.deal_first_round()
    prices = {"value": 900, "collector": 300, "gallery": 200, "dealer": 100, "warehouse": 50}
    script.session.answer(script.question_number, [{"values": {"kind": "property", "size": 3, **prices}}])
    lying = [
        one.piece
        for one in script.session.table.ledger
        if one.place.key_with_player_name == "auction block" and one.count
    ]
    face = next(piece for piece in lying if piece.is_card_face)
    refused = script.refuses(f"correct 2 {face.key} from auction block to gallery: so")
    assert refused.startswith("auction block has only a card with kind property, ")


def test_a_seen_card_is_hidden_among_the_unseen() -> None:
    """Laid into a hand or under the pile nobody knows it any more: it can come up again."""
    script = high_bid_helpers.turn_up_cards(high_bid_helpers.deal_first_round(), "buyer")
    correct_count(script, 1, "card", "auction block", "auction pile")
    assert (
        high_bid_helpers.open_cards_at(script, "auction pile")
        == high_bid_helpers.open_cards_at(script, "auction block")
        == []
    )
    assert script.says("table: turns buyer")["auction block", "card"] == 1


@pytest.mark.parametrize("piece", ["card", "start player"])
def test_a_correction_that_is_refused_moves_nothing(piece: str) -> None:
    """Neither back nor face, whatever the reason is."""
    script = Script(MAMMON, "Aki", "Ben")
    before = [(one.place, one.piece, one.count) for one in script.session.table.ledger]
    with pytest.raises(UserError):
        script.session.correct("box", "Aki/hand", piece, 99, "so")
    assert [(one.place, one.piece, one.count) for one in script.session.table.ledger] == before
