"""High Bid's sets of equal cards: who scans, picks or types one, and which of them may be where since."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.errors import IllegalAnswer
from companion.games.high_bid.rulebook import GAME
from companion.testing import Script
from tests.support.games.high_bid_helpers import (
    DECK,
    NAMES,
    deal_first_round,
    open_cards_at,
    put_up_and_roll,
    turn_up_and_sell,
    turn_up_cards,
)


def board(*cards: str) -> Script:
    """Aki sold these to the warehouse and has won a lot with a Buyer's card."""
    script = turn_up_and_sell(deal_first_round(), "Aki")
    for card in cards:
        put_up_and_roll(script, "Aki", card, 25, 1)
    script.says("Aki: done")
    return turn_up_cards(script, "buyer", "rugs").says("Aki 40", "Ben 0", "Chie 0", "Dai 0")


def bought(*cards: str, what: str) -> Script:
    """Aki bought one of these equal cards, nobody said which, and wins another lot."""
    script = board(*cards).says("Aki: buy", "Aki lays buyer", f"Aki: warehouse {what}")
    return turn_up_and_sell(script.says("Aki: enough", "Aki: done"), "Aki", "silver").says("Aki: sell")


BOOKS = ("card:books.1", "card:books.2", "card:books.3")
LAMPS = ("card:paintings.1", "card:paintings.2", "card:paintings.3")


def test_three_books_are_known_and_no_more() -> None:
    """One of them was bought: any may be it; when one was shown the others lie on the board."""
    script = bought(*BOOKS, what="books").says("Aki puts card:books.1", "Aki: 100 1")
    assert (open_cards_at(script, "collector"), open_cards_at(script, "warehouse")) == (
        ["Books"],
        ["Books", "Books"],
    )
    script.says("Aki: sell")
    for name in ("books.2", "books.3"):
        assert script.refuses(f"Aki puts card:{name}") == (
            f"Books {name[-1]} is already at another place: warehouse."
        )
    assert (
        script.refuses("Aki puts books")
        == "Books: all 3 copies are already at other places: collector, warehouse."
    )


def test_a_card_that_lies_on_the_table_does_not_come_up() -> None:
    """It lies on the board or before who bought one like it; the pile can't hold it."""
    script = bought(*LAMPS, what="paintings").says("Aki can't", "Aki: done")
    assert script.refuses("table: turns card:paintings.2") == (
        "Paintings 2 is already at one of these places: Aki's front, warehouse."
    )
    script.says("table: turns card:paintings.4")
    assert open_cards_at(script, "auction block") == ["Paintings"]


def test_a_copy_never_seen_is_not_the_one_that_was_bought() -> None:
    """It comes out of the hand, and the one that was bought still lies there."""
    script = bought(*LAMPS, what="paintings")
    held = script["Aki/hand", "card"]
    script.says("Aki puts card:paintings.4", "Aki: 50 1")
    assert script["Aki/hand", "card"] == held - 1
    assert "Paintings" in open_cards_at(script, "Aki/front")


def test_a_pick_is_bound_to_no_copy() -> None:
    """Of two Buyer's cards before Aki one was picked and used: the other one may be either."""
    for spent in ("buyer.1", "buyer.2"):
        script = turn_up_and_sell(deal_first_round(), "Aki", "lamps")
        put_up_and_roll(script, "Aki", "maps", 25, 1)
        put_up_and_roll(script, "Aki", "maps", 25, 1).says("Aki: done")
        turn_up_cards(script, "card:buyer.1", "card:buyer.2", "rugs").says(
            "Aki 40", "Ben 0", "Chie 0", "Dai 0"
        )
        script.says("Aki: buy", "Aki lays buyer", "Aki: warehouse maps", "Aki: enough", "Aki: done")
        turn_up_and_sell(script, "Aki", "silver").says(
            "Aki: buy", f"Aki lays card:{spent}", "Aki: warehouse maps"
        )
        assert open_cards_at(script, "bank") == ["Buyer's card", "Buyer's card"]
        assert open_cards_at(script.says("Aki: done"), "Aki/front") == sorted(
            ["Lamps", "Maps", "Maps", "Rugs", "Silver"]
        )


def test_the_card_that_was_picked_may_have_come_from_the_hand() -> None:
    """Aki has Books 1 before her and picks Books: Books 1 may still be hers, and its tag is taken."""
    script = turn_up_and_sell(
        turn_up_and_sell(deal_first_round(), "Aki", "card:books.1").says("Aki: done"), "Aki", "rugs"
    )
    held = script["Aki/hand", "card"]
    put_up_and_roll(script, "Aki", "books", 100, 1)
    assert (open_cards_at(script, "Aki/front"), script["Aki/hand", "card"]) == ([], held)
    put_up_and_roll(script, "Aki", "card:books.1", 25, 1)
    assert script["Aki/hand", "card"] == held - 1
    assert (open_cards_at(script, "collector"), open_cards_at(script, "warehouse")) == (["Books"], ["Books"])


def test_a_scanned_card_need_not_be_the_one_that_was_typed() -> None:
    """A Buyer's card was scanned, one typed and one spent: none of them is known to be in the bank."""
    script = turn_up_and_sell(deal_first_round(), "Aki", "maps")
    put_up_and_roll(script, "Aki", "maps", 25, 1)
    put_up_and_roll(script, "Aki", "maps", 25, 1)
    put_up_and_roll(script, "Aki", "maps", 25, 1).says("Aki: done")
    turn_up_cards(script, "card:buyer.1", "buyer", "rugs").says("Aki 40", "Ben 0", "Chie 0", "Dai 0")
    script.says("Aki: buy", "Aki lays buyer", "Aki: warehouse maps", "Aki: enough", "Aki: done")
    turn_up_and_sell(script, "Aki", "silver").says("Aki: buy", "Aki lays card:buyer.3", "Aki: warehouse maps")
    turn_up_and_sell(script.says("Aki: enough", "Aki: done"), "Aki", "lamps")
    script.says("Aki: buy", "Aki lays card:buyer.1", "Aki: warehouse maps")
    assert open_cards_at(script, "bank") == ["Buyer's card"] * 3


def test_a_typed_card_is_moved_by_hand_to_where_none_lay() -> None:
    """One of two known Lamps was picked, and one lies before Ben by mistake: it may be either."""
    script = turn_up_and_sell(deal_first_round(), "Aki", "card:lamps.1").says("Aki: done")
    turn_up_and_sell(script, "Aki", "card:lamps.2").says("Aki: done")
    turn_up_and_sell(script, "Aki", "rugs")
    put_up_and_roll(script, "Aki", "lamps", 25, 1)
    script.says("correct 1 card any lamps from Aki/front to Ben/front: mixed up")
    put_up_and_roll(script, "Aki", "lamps", 50, 1).says("Aki: done")
    turn_up_and_sell(script, "Ben", "silver").says("Ben: sell", "Ben puts card:lamps.2")
    assert (open_cards_at(script, "Ben/front"), open_cards_at(script, "Ben/offer")) == ([], ["Lamps"])


@pytest.mark.parametrize(("first", "then"), [("books", "card:books.1"), ("card:books.1", "books")])
def test_a_card_that_was_moved_by_hand_is_told_in_another_way(first: str, then: str) -> None:
    """It was typed and an amendment scans it, or the other way round: the correction still fits."""
    script = turn_up_and_sell(deal_first_round(), "Aki", first).says("Aki: done")
    n = next(
        told.question_number
        for told in script.session.rulebook_run.answered_questions
        if told.question.kind == "Read"
    )
    face = f"card {first.removeprefix('card:')}" if ":" in first else f"card any {first}"
    script.says(f"correct 1 {face} from Aki/front to Ben/front: mixed up", f"amend {n}: table turns {then}")
    assert (open_cards_at(script, "Aki/front"), open_cards_at(script, "Ben/front")) == ([], ["Books"])


def test_either_of_two_cards_was_moved_by_hand() -> None:
    """Two Books were typed and one lies before Ben by mistake; once one is scanned, it may be that one."""
    script = turn_up_and_sell(
        turn_up_and_sell(deal_first_round(), "Aki", "books").says("Aki: done"), "Aki", "books"
    ).says("Aki: done")
    first = next(
        told.question_number
        for told in script.session.rulebook_run.answered_questions
        if told.question.kind == "Read"
    )
    script.says("correct 1 card any books from Aki/front to Ben/front: mixed up")
    script.says(f"amend {first}: table turns card:books.1")
    turn_up_and_sell(script, "Ben", "rugs").says("Ben: sell", "Ben puts card:books.1")
    assert (open_cards_at(script, "Aki/front"), open_cards_at(script, "Ben/offer")) == (["Books"], ["Books"])


def test_a_hand_can_be_laid_down_whatever_was_picked_before() -> None:
    """The card that was sold was picked from the list: any Maps of the hand may be laid down at the end."""
    script = put_up_and_roll(turn_up_and_sell(deal_first_round(2), "Aki"), "Aki", "maps", 25, 1).says(
        "Aki: done", "table: can't", "table: Ben"
    )
    script.says("Aki lays card:maps.1 card:maps.2 card:maps.4")
    assert open_cards_at(script, "Aki/front") == ["Lamps", "Maps", "Maps", "Maps"]


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({}, "kind is missing. Allowed: one of property, buyer."),
        ({"kind": "property"}, "size is missing. Allowed: a number from 3 to 6."),
    ],
)
def test_nothing_is_no_description_of_a_lot(values: dict[str, str], why: str) -> None:
    """A card of which nothing or too little was typed isn't put up, entered or not; in a terminal neither."""
    script = deal_first_round()
    with pytest.raises(IllegalAnswer) as refused:
        script.session.answer(script.question_number, [{"values": values}])
    assert str(refused.value) == why
    assert script.refuses("table: turns other") == "kind is missing. Allowed: one of property, buyer."


PRICES = {"kind": "property", "size": 3, "collector": 240, "gallery": 180, "dealer": 120, "warehouse": 60}


def test_a_set_that_is_not_in_an_entered_deck() -> None:
    """A typing error makes no thirteenth set; as long as the deck is a guess it may be one."""
    script = Script(GAME, *NAMES, decks={"high_bid": replace(DECK, provisional=False)})
    script.says("table: Aki", "table: done")
    with pytest.raises(IllegalAnswer) as refused:
        script.session.answer(script.question_number, [{"values": {**PRICES, "value": 1230}}])
    assert str(refused.value) == "No card in this deck shows value 1230."
    script.session.answer(script.question_number, [{"values": {**PRICES, "value": 900}}])
    assert open_cards_at(script, "auction block") == ["Books"]
    guessed = deal_first_round()
    guessed.session.answer(guessed.question_number, [{"values": {**PRICES, "value": 1230}}])
    assert open_cards_at(guessed, "auction block") != ["Books"]
