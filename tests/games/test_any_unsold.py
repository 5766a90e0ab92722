"""Any Game's lots that nobody takes: who gets them then, and for how much."""

import pytest
from msgspec.structs import replace

from companion.games.any_game.bank import MAX_PAYMENT
from companion.games.any_game.rulebook import GAME
from companion.testing import Script
from tests.support.games.any_game_helpers import (
    COIN_CARD,
    begin_with_cards,
    begin_with_cards_and_coins,
    purse_counts,
    question_text,
    rules_card,
    template_deck,
)

FEW = COIN_CARD.replace("100", "4")
SELLER_BUYS = {"payee": "seller", "unsold": "seller", "reserve": 0}


def unsold(auction: str, *lines: str, **said: object) -> Script:
    """An auction of three people with 100 coins each, after these lines."""
    return begin_with_cards_and_coins(rules_card(auction=auction, **said)).says("table: auction", *lines)


def won(script: Script) -> dict[str, int]:
    """The number of lots that each player has won, without those who have none."""
    found: dict[str, int] = {}
    for account in script.session.table.ledger:
        if account.place.key.endswith("lots won") and account.count and account.place.seat:
            found[account.place.seat.name] = found.get(account.place.seat.name, 0) + account.count
    return found


@pytest.mark.parametrize(
    ("auction", "lines"),
    [
        ("open", ["Ben passes", "Chie passes", "Aki passes"]),
        ("once", ["Ben passes", "Chie passes", "Aki passes"]),
        ("sealed", ["Ben 0", "Chie 0", "Aki 0"]),
    ],
)
def test_in_modern_art_a_seller_whose_picture_nobody_bids_for_gets_it_for_nothing(
    auction: str, lines: list[str]
) -> None:
    """Without a lowest bid the seller pays nothing (Modern Art: open, once around, hidden)."""
    script = unsold(auction, "table: Aki", *lines, **SELLER_BUYS)
    assert script.last_notes == ["Nobody takes lot 1. Aki gets it for nothing."]
    assert (purse_counts(script), won(script)) == ([100, 100, 100], {"Aki": 1})


def test_in_modern_art_a_seller_buys_at_the_fixed_price_that_nobody_paid() -> None:
    """Nobody pays 30, so the seller pays them to the bank (Modern Art: fixed price)."""
    script = unsold("fixed", "table: Aki", "Aki 30", "Ben: pass", "Chie: pass", **SELLER_BUYS)
    assert script.last_notes == ["Nobody takes lot 1. Aki must buy it for 30.", "Aki pays 30."]
    assert (purse_counts(script), won(script)) == ([70, 100, 100], {"Aki": 1})
    bought = unsold("fixed", "table: Aki", "Aki 30", "Ben: pass", "Chie: take", **SELLER_BUYS)
    assert (purse_counts(bought), won(bought)) == ([130, 100, 70], {"Chie": 1})


def test_a_seller_names_no_price_above_the_own_purse_where_nobody_else_may_take_the_lot() -> None:
    """With 100 coins the highest price is 100 (Modern Art). Elsewhere the price has no such limit."""
    script = unsold("fixed", "table: Aki", **SELLER_BUYS)
    assert script.open_question_limits["most"] == 100
    assert "100" in script.refuses("Aki 101")
    unsold("fixed", "table: Aki", "Aki 101", payee="seller")
    free = unsold("fixed", "table: Aki", limit="nothing", **SELLER_BUYS).says("Aki 101")
    assert (
        question_text(free.says("Ben: pass", "Chie: pass"))
        == "Aki must pay bank 101, but has only 100. What now?"
    )


def test_a_seller_without_money_can_still_sell() -> None:
    """Also where the lowest bid is 20, a seller can name any price that the purse holds, down to 0."""
    script = begin_with_cards(FEW, rules_card(auction="fixed", payee="seller", unsold="seller", reserve=20))
    script.says("table: auction", "table: Aki")
    assert (script.open_question_limits["least"], script.open_question_limits["most"]) == (0, 4)
    script.says("Aki 0", "Ben: take")
    assert (purse_counts(script), won(script)) == ([4, 4, 4], {"Ben": 1})


@pytest.mark.parametrize("held", [0, 7, 100])
def test_a_covered_purse_isnt_told_by_the_price_that_its_owner_can_name(held: int) -> None:
    """Limits and sentences are the same whatever the seller's covered purse holds."""
    purse = COIN_CARD.replace("100", str(held))
    script = begin_with_cards(purse, rules_card(auction="fixed", covered="yes", **SELLER_BUYS))
    script.says("table: auction", "table: Aki")
    assert (script.open_question_limits["least"], script.open_question_limits["most"]) == (0, MAX_PAYMENT)
    assert script.refuses("Aki 101") == "Aki can't answer that."
    script.says(f"Aki {held}", "Ben: pass", "Chie: pass")
    assert purse_counts(script) == [0, held, held]


def test_a_seller_who_names_the_lowest_bid_buys_for_it() -> None:
    """Nobody bids the 20 that the seller asks for, so the seller pays them; at most what the purse holds."""
    said = {"payee": "seller", "unsold": "seller", "reserve_by": "seller"}
    script = unsold("once", "table: Aki", **said)
    assert "100" in script.refuses("Aki 101")
    script.says("Aki 20", "Aki 5", "Ben passes", "Chie passes", "Aki passes")
    assert script.last_notes == ["Nobody takes lot 1. Aki must buy it for 20.", "Aki pays 20."]
    free = unsold("once", "table: Aki", "Aki 0", "Aki 1", **said)
    assert free.refuses("Ben 0") == "Ben must bid at least 1."
    assert purse_counts(free.says("Ben passes", "Chie passes", "Aki passes")) == [100, 100, 100]


def test_a_seller_with_a_covered_purse_is_asked_for_a_lowest_bid_that_the_template_sets() -> None:
    """Whether the purse holds 20 is nobody's business, so the question comes in either case."""
    for held in (4, 100):
        purse = COIN_CARD.replace("100", str(held))
        said = rules_card(auction="once", payee="seller", unsold="seller", reserve=20, covered="yes")
        script = begin_with_cards(purse, said).says("table: auction", "table: Aki")
        script.says("Ben passes", "Chie passes", "Aki passes")
        assert question_text(script) == "Aki must pay bank 20. What now?"


def test_a_lot_that_nobody_buys_is_free_for_the_first_in_turn() -> None:
    """The first bidder gets it, here the start player; a seller never does."""
    script = begin_with_cards_and_coins(rules_card(auction="open", unsold="free")).says(
        "table: start_player", "table: Ben"
    )
    script.says("table: auction", "Ben passes", "Chie passes", "Aki passes")
    assert script.last_notes == ["Nobody takes lot 1. Ben gets it for nothing."]
    assert (purse_counts(script), won(script)) == ([100, 100, 100], {"Ben": 1})
    sold = unsold("fixed", "table: Aki", "Aki 30", "Ben: pass", "Chie: pass", payee="seller", unsold="free")
    assert won(sold) == {"Ben": 1}


def test_in_1830_the_cheapest_company_costs_5_less_each_time_all_pass() -> None:
    """20, 15, 10, 5; then the first player must take it for nothing (1830: the first private company)."""
    script = unsold("once", unsold="cheaper", reserve=20, step=5)
    for price in (20, 15, 10, 5):
        assert script.refuses(f"Aki {price - 1}") == f"Aki must bid at least {price}."
        script.says("Aki passes", "Ben passes", "Chie passes")
    assert script.last_notes == ["Nobody takes lot 1. Aki gets it for nothing."]
    assert (purse_counts(script), won(script)) == ([100, 100, 100], {"Aki": 1})
    sold = unsold(
        "once", *["Aki passes", "Ben passes", "Chie passes"] * 2, unsold="cheaper", reserve=20, step=5
    )
    assert sold.last_notes == ["Nobody takes lot 1. Now: 10"]
    assert purse_counts(sold.says("Aki passes", "Ben 10", "Chie passes")) == [100, 90, 100]


@pytest.mark.parametrize(
    ("auction", "first", "passing"),
    [
        ("open", [], ["Aki passes", "Ben passes", "Chie passes"]),
        ("final", [], ["Aki withdraws", "Ben withdraws", "Chie withdraws"]),
        ("fixed", ["table 20"], ["Aki: pass", "Ben: pass", "Chie: pass"]),
        ("falling", ["table 20"], ["Aki: pass"]),
        ("aloud", [], ["table: pass"]),
        ("sealed", [], ["Aki 0", "Ben 0", "Chie 0"]),
    ],
)
def test_every_way_to_sell_can_become_cheaper(auction: str, first: list[str], passing: list[str]) -> None:
    """The price isn't asked for again: 20, then 12, then 4, then the lot is free."""
    script = unsold(auction, *first, *passing, unsold="cheaper", reserve=20, step=8)
    assert script.last_notes == ["Nobody takes lot 1. Now: 12"]
    script.says(*passing)
    assert script.last_notes == ["Nobody takes lot 1. Now: 4"]
    script.says(*passing)
    assert script.last_notes == ["Nobody takes lot 1. Aki gets it for nothing."]
    assert won(script) == {"Aki": 1}


def test_a_price_falls_to_0_and_the_first_to_press_has_the_lot_for_nothing() -> None:
    """With reserve = 0 the last price is 0."""
    script = unsold("falling", "table 5", "Aki: pass", "Aki: pass", reserve=0, step=2)
    assert script.open_question_limits["falling"] == {"price": 1, "then": 0}
    script.says("Aki: pass")
    assert script.open_question_limits["falling"] == {"price": 0, "then": None}
    script.says("Chie: 3")
    assert script.last_notes == ["Chie wins with 0."]
    assert (purse_counts(script), won(script)) == ([100, 100, 100], {"Chie": 1})


def test_without_a_lowest_bid_bids_begin_at_1() -> None:
    """A bid of 0 is none, with reserve = 0 too."""
    assert unsold("open", reserve=0).refuses("Aki 0") == "Aki must bid at least 1."
    aloud = unsold("aloud", "table: 2", reserve=0)
    assert aloud.refuses("Ben 0") == "Ben must answer at least 1."


def test_in_for_sale_the_last_one_left_gets_the_best_card_without_a_bid() -> None:
    """All others passed, so the last one pays nothing and isn't asked (For Sale). Refunds are as always."""
    script = unsold("final", "Aki withdraws", "Ben withdraws", unsold="last", refund=50)
    assert script.last_notes == ["All others have withdrawn. Chie gets lot 1 for nothing."]
    assert (purse_counts(script), won(script)) == ([100, 100, 100], {"Chie": 1})
    asked = unsold("final", "Aki withdraws", "Ben withdraws")
    assert question_text(asked) == "Chie, bid for lot 1 or withdraw."
    bid = unsold("final", "Aki 2", "Ben 4", "Chie withdraws", "Aki withdraws", unsold="last", refund=50)
    assert purse_counts(bid) == [99, 96, 100]


def test_the_only_bidder_is_asked_as_nobody_has_withdrawn() -> None:
    """All play as one team, so Aki has no rival: withdrawing leaves the lot unsold."""
    script = begin_with_cards_and_coins(rules_card(auction="final", unsold="last", teams=1))
    assert question_text(script.says("table: auction")) == "Aki, bid for lot 1 or withdraw."
    assert script.says("Aki withdraws").last_notes == ["Nobody wins."]
    assert won(script) == {}


def test_a_tie_in_the_first_round_of_bids_isnt_a_lot_that_nobody_takes() -> None:
    """Aki and Ben bid again and both say 0: the lot is neither free nor bought by its seller."""
    tied = ["Aki 3", "Ben 3", "Chie 0", "Aki 0", "Ben 0"]
    said = rules_card(auction="sealed", unsold="free")
    script = begin_with_cards_and_coins(said, ties="again").says("table: auction", *tied)
    assert (script.last_notes, won(script)) == (["Nobody wins."], {})


def test_a_tie_isnt_a_lot_that_nobody_takes() -> None:
    """Where sealed bids tie, the table goes by its own rules."""
    script = unsold("sealed", "Aki 3", "Ben 3", "Chie 0", unsold="free")
    assert won(script) == {}


@pytest.mark.parametrize("auction", ["fixed", "falling"])
def test_a_seller_who_is_silent_doesnt_give_the_lot_away(auction: str) -> None:
    """A price of 0 is allowed, but no clock names it, and people are asked whether they mean it."""
    script = unsold(auction, "table: Aki", **SELLER_BUYS)
    assert script.open_question_limits["least"] == 0
    assert script.open_question_limits["sure"] == "Offer it for nothing?"
    for line in ("time is up", "Aki leaves"):
        assert question_text(script.says(line)) == "Price of lot 1?"
    asked = unsold("once", "table: Aki", payee="seller", unsold="seller", reserve_by="seller")
    assert (asked.open_question_limits["least"], asked.question.default_answer) == (0, None)
    assert "sure" not in unsold(auction, "table: Aki", payee="seller").open_question_limits


def test_who_goes_out_while_the_seller_names_the_lowest_bid_isnt_asked() -> None:
    """The bidders are those who are there when the bidding begins."""
    said = rules_card(auction="once", payee="seller", reserve_by="seller", out="yes")
    script = begin_with_cards_and_coins(said).says("table: auction", "table: Aki")
    script.says("correct 1 out from box to Ben/front: left", "Aki 5", "Aki 1")
    assert question_text(script) == "Chie, bid for lot 1 or pass."


def test_who_went_out_during_the_auction_gets_no_lot_for_nothing() -> None:
    """Aki passes and leaves; of those who are still there Ben is the first in turn."""
    script = begin_with_cards_and_coins(rules_card(auction="once", unsold="free", out="yes"))
    script.says("table: auction", "Aki passes", "correct 1 out from box to Aki/front: left")
    script.says("Ben passes", "Chie passes")
    assert (script.last_notes[-1:], won(script)) == (
        ["Nobody takes lot 1. Ben gets it for nothing."],
        {"Ben": 1},
    )


def older_match(*names: str, **said: object) -> Script:
    """A match whose log was begun before templates said what happens with unsold lots."""
    deck = template_deck(COIN_CARD, rules_card(**said))
    newer = ("unsold", "bid_with")
    designs = tuple(
        replace(one, values={key: value for key, value in one.values.items() if key not in newer})
        for one in deck.designs
    )
    fields = {key: field for key, field in deck.fields.items() if key not in newer}
    return Script(GAME, *names, decks={"any_game": replace(deck, designs=designs, fields=fields)})


@pytest.mark.parametrize(("auction", "lines"), [("fixed", ["Aki 30"]), ("falling", ["Aki 30", "Aki: pass"])])
def test_an_older_match_asks_for_a_price_that_nobody_could_pay(auction: str, lines: list[str]) -> None:
    """Its log holds the answer, so it opens unchanged."""
    script = older_match("Aki", "Ben", auction=auction, payee="seller", teams=1, reserve=30)
    script.says("table: auction", "table: 1")
    assert question_text(script) == "Price of lot 1?"
    script.says(*lines)
    assert script.last_notes[-1] == "Nobody wins."


def test_the_sellers_side_is_last_whoever_of_the_team_sells() -> None:
    """Aki and Chie are a team; Chie sells, so Ben and Dai bid first. An older match keeps its order."""
    names, said = ("Aki", "Ben", "Chie", "Dai"), {"auction": "once", "payee": "seller", "teams": 2}
    begin = ["table: start_player", "table: Chie", "table: auction"]
    script = begin_with_cards_and_coins(rules_card(**said), names=names).says(*begin)
    assert question_text(script) == "Ben, bid for lot 1 or pass."
    older = older_match(*names, **said).says(*begin)
    assert question_text(older) == "Aki, bid for lot 1 or pass."


def test_a_seller_gets_the_lot_where_nobody_pays() -> None:
    """With pays = nobody a price is only a word, also for the seller."""
    script = begin_with_cards_and_coins(rules_card(auction="fixed", **SELLER_BUYS), pays="nobody").says(
        "table: auction", "table: Aki", "Aki 500", "Ben: pass", "Chie: pass"
    )
    assert script.last_notes == ["Nobody takes lot 1. Aki gets it for nothing."]
    assert (purse_counts(script), won(script)) == ([100, 100, 100], {"Aki": 1})


@pytest.mark.parametrize("auction", ["fixed", "falling"])
@pytest.mark.parametrize("word", ["stays", "seller", "free", "cheaper"])
def test_nobody_is_asked_for_a_price_that_nobody_but_the_seller_could_pay(auction: str, word: str) -> None:
    """Where all play on the seller's side, nobody can buy, so there is no question."""
    script = unsold(auction, "table: 1", payee="seller", teams=1, unsold=word)
    assert script.last_notes == ["Aki sells first.", "Nobody wins."]
    assert question_text(script) == "What is next?"


def test_a_lot_becomes_cheaper_only_while_somebody_could_take_it() -> None:
    """The seller's own side isn't asked again and again."""
    script = unsold("once", "table: 1", payee="seller", teams=1, unsold="cheaper", reserve=500)
    assert script.says("Aki passes").last_notes[0] == "Nobody wins."


def test_a_lot_becomes_cheaper_a_hundred_times_at_most() -> None:
    """Then it stays unsold, so that nobody passes all evening."""
    script = unsold("aloud", *["table: pass"] * 100, unsold="cheaper", reserve=500)
    assert question_text(script) == "lot 1: who wins?"
    assert script.says("table: pass").last_notes == ["Nobody wins."]


def test_undo_gives_an_unsold_lot_back() -> None:
    """What a lot's end moved is moved back."""
    script = unsold("open", "Aki passes", "Ben passes", "Chie passes", unsold="free")
    assert won(script) == {"Aki": 1}
    assert won(script.says("undo", "restart")) == {}
    assert won(script.says("Chie passes")) == {"Aki": 1}
