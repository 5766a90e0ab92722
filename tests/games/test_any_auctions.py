"""Any Game's auctions: each way to sell, who is paid, and what limits a bid."""

import pytest
from msgspec.structs import replace

from companion.games.any_game.rulebook import GAME
from companion.requests import Together
from companion.testing import Script
from tests.support.games.any_game_helpers import (
    NAMES,
    begin_with_cards_and_coins,
    purse_counts,
    question_text,
    rank_and_total_by_player,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import correct_count

SHARES = [template_card("company", name, shares=3, step_at=2) for name in ("lime", "rust")]


@pytest.mark.parametrize(
    ("auction", "lines", "note", "held"),
    [
        ("open", ["Aki 5", "Ben 9", "Chie passes", "Aki passes"], "Ben wins with 9.", [100, 91, 100]),
        ("final", ["Aki 5", "Ben 9", "Chie withdraws", "Aki withdraws"], "Ben wins with 9.", [100, 91, 100]),
        ("once", ["Aki 5", "Ben passes", "Chie 6"], "Chie wins with 6.", [100, 100, 94]),
        ("once", ["Aki passes", "Ben passes", "Chie passes"], "Nobody wins.", [100, 100, 100]),
        ("fixed", ["table 20", "Aki: pass", "Ben: take"], "Ben wins with 20.", [100, 80, 100]),
        ("fixed", ["table 20", "Aki: pass", "Ben: pass", "Chie: pass"], "Nobody wins.", [100, 100, 100]),
        ("falling", ["table 20", "Aki: pass", "Aki: pass", "Chie: 3"], "Chie wins with 18.", [100, 100, 82]),
        ("aloud", ["table: 2", "Ben 42"], "Ben wins with 42.", [100, 58, 100]),
        ("aloud", ["table: pass"], "Nobody wins.", [100, 100, 100]),
        ("sealed", ["Aki 3", "Ben 0", "Chie 7"], "Chie wins with 7.", [100, 100, 93]),
    ],
)
def test_ways_to_sell(auction: str, lines: list[str], note: str, held: list[int]) -> None:
    """Whoever wins pays the bank; the same when the table names the way each time."""
    script = begin_with_cards_and_coins(rules_card(auction=auction)).says("table: auction", *lines)
    assert script.last_notes[0] == note
    assert purse_counts(script) == held
    asked = begin_with_cards_and_coins(rules_card(auction="ask")).says(
        "table: auction", f"table: {auction}", *lines
    )
    assert purse_counts(asked) == held


def test_a_template_without_auctions_has_none() -> None:
    """Nor sealed bids; one way of selling alone is one line of the menu."""
    assert {"auction", "sealed_bid"}.isdisjoint(
        begin_with_cards_and_coins(rules_card(auction="none")).open_question_limits["options"]
    )
    assert (
        "sealed_bid"
        not in begin_with_cards_and_coins(rules_card(auction="open")).open_question_limits["options"]
    )
    assert (
        "sealed_bid" in begin_with_cards_and_coins(rules_card(payments="yes")).open_question_limits["options"]
    )


def test_those_who_withdraw_keep_a_part_of_their_bid() -> None:
    """Half, rounded down: of 5 they keep 2. Whoever withdraws without a bid pays nothing."""
    script = begin_with_cards_and_coins(rules_card(auction="final", refund=50)).says("table: auction")
    script.says("Aki 5", "Ben 8", "Chie withdraws", "Aki withdraws")
    assert script.last_notes == [
        "Aki gets back 2 (rounded down) of 5.",
        "Ben wins with 8.",
        "Aki pays 3.",
        "Ben pays 8.",
    ]
    assert purse_counts(script) == [97, 92, 100]
    script.says("table: auction", "Aki withdraws", "Ben withdraws", "Chie withdraws")
    assert script.last_notes == ["Nobody wins."]


def test_step_and_reserve() -> None:
    """The least bid and how much more a bid is; a falling price falls by as much, down to the reserve."""
    script = begin_with_cards_and_coins(rules_card(auction="open", step=5, reserve=20)).says("table: auction")
    assert script.refuses("Aki 19") == "Aki must bid at least 20."
    assert script.says("Aki 20").refuses("Ben 24") == "Ben must bid at least 25."
    falls = begin_with_cards_and_coins(rules_card(auction="falling", step=15, reserve=20)).says(
        "table: auction"
    )
    assert falls.refuses("table 19") == "The table must answer at least 20."
    assert falls.refuses("table 15021") == "The table can answer at most 15020."
    falls.says("table 60", "Aki: pass", "Aki: pass")
    assert question_text(falls) == "Who takes lot 1 for 30?"
    assert falls.open_question_limits["falling"] == {"price": 30, "then": 20}
    falls.says("Aki: pass")
    assert falls.open_question_limits["falling"] == {"price": 20, "then": None}
    assert falls.says("Aki: pass").last_notes == ["Nobody wins."]


@pytest.mark.parametrize(
    ("first", "offered"),
    [(27, [27, 17, 7, 5]), (25, [25, 15, 5]), (14, [14, 5]), (6, [6, 5]), (5, [5])],
)
def test_a_falling_price_falls_to_the_reserve(first: int, offered: list[int]) -> None:
    """It is offered last, also where the last fall is less than a step."""
    falls = begin_with_cards_and_coins(rules_card(auction="falling", step=10, reserve=5)).says(
        "table: auction", f"table {first}"
    )
    prices = []
    while "falling" in falls.open_question_limits:
        prices.append(falls.open_question_limits["falling"]["price"])
        falls.says("Aki: pass")
    assert (prices, falls.last_notes) == (offered, ["Nobody wins."])


@pytest.mark.parametrize(
    ("payee", "held", "pot"),
    [("bank", [100, 90, 100], 0), ("place", [100, 90, 100], 10), ("others", [105, 90, 105], 0)],
)
def test_who_is_paid(payee: str, held: list[int], pot: int) -> None:
    """The bank, a place, or all others evenly."""
    script = begin_with_cards_and_coins(
        rules_card(auction="aloud", payee=payee), template_card("place", "pot")
    ).says("table: auction", "table: 2", "Ben 10")
    assert purse_counts(script) == held
    assert script["pot", "coin"] == pot


def test_sellers_are_paid_in_turn() -> None:
    """Who sells is asked once and bids last; then the left sells. Who buys from oneself pays the bank."""
    script = begin_with_cards_and_coins(rules_card(auction="once", payee="seller")).says(
        "table: auction", "table: Aki"
    )
    script.says("Ben 5", "Chie passes", "Aki passes")
    assert script.last_notes == ["Ben wins with 5.", "Ben pays Aki 5."]
    script.says("table: auction", "Chie passes", "Aki passes", "Ben 1")
    assert purse_counts(script) == [105, 94, 100]
    assert script["Chie/front", "start player"] == 1
    deals = begin_with_cards_and_coins(rules_card(auction="once", payee="seller", deal="left")).says(
        "table: auction", "Chie passes"
    )
    deals.says("Aki passes", "Ben passes", "table: auction")
    assert deals.question.seats[0].name == "Aki", "Chie sells after Ben, next to the dealer, and bids last"
    fixed = begin_with_cards_and_coins(rules_card(auction="fixed", payee="seller")).says(
        "table: auction", "table: Aki"
    )
    assert question_text(fixed) == "Price of lot 1?"
    assert fixed.question.seats[0].name == "Aki"
    fixed.says("Aki 30", "Ben: pass", "Chie: take")
    assert purse_counts(fixed) == [130, 100, 70]
    falls = begin_with_cards_and_coins(rules_card(auction="falling", payee="seller")).says(
        "table: auction", "table: Ben", "Ben 9"
    )
    assert [seat.name for seat in falls.question.seats] == ["Chie", "Aki"]


def test_whoever_sells_says_the_least_bid_and_the_step() -> None:
    """Of each lot anew, where the template leaves it to them; of a price, and of bids aloud, no step."""
    script = begin_with_cards_and_coins(rules_card(auction="once", payee="seller", reserve_by="seller"))
    script.says("table: auction", "table: Aki")
    assert question_text(script) == "Lowest bid for lot 1?"
    assert script.question.seats[0].name == "Aki"
    script.says("Aki 20")
    assert question_text(script) == "Step of lot 1?"
    assert script.says("Aki 5").refuses("Ben 19") == "Ben must bid at least 20."
    assert script.says("Ben 20").refuses("Chie 24") == "Chie must bid at least 25."
    script.says("Chie passes", "Aki passes", "table: auction")
    assert question_text(script) == "Lowest bid for lot 2?"
    assert script.question.seats[0].name == "Ben"
    aloud = begin_with_cards_and_coins(rules_card(auction="aloud", reserve_by="seller")).says(
        "table: auction", "table 30", "table: 2"
    )
    assert aloud.refuses("Ben 29") == "Ben must answer at least 30."
    fixed = begin_with_cards_and_coins(rules_card(auction="fixed", reserve_by="seller")).says(
        "table: auction"
    )
    assert question_text(fixed) == "Price of lot 1?"
    falls = begin_with_cards_and_coins(rules_card(auction="falling", reserve_by="seller")).says(
        "table: auction", "table 10", "table 4"
    )
    falls.says("table 19", "Aki: pass", "Aki: pass")
    assert question_text(falls) == "Who takes lot 1 for 11?"
    falls.says("Aki: pass")
    assert question_text(falls) == "Who takes lot 1 for 10?"
    assert falls.says("Aki: pass").last_notes == ["Nobody wins."]


def test_most_is_above_every_least_bid() -> None:
    """The table's own limit holds for whoever says the least bid."""
    script = begin_with_cards_and_coins(rules_card(auction="once", reserve_by="seller"), most="40").says(
        "table: auction"
    )
    assert script.refuses("table 41") == "The table can answer at most 40."


@pytest.mark.parametrize(
    ("payee", "held", "pot"),
    [
        ("bank", [100, 90, 100], 0),
        ("place 0", [100, 90, 100], 10),
        ("others", [105, 90, 105], 0),
        ("1", [110, 90, 100], 0),
        ("2", [100, 90, 100], 0),
    ],
)
def test_who_is_paid_may_be_asked_for_each_lot(payee: str, held: list[int], pot: int) -> None:
    """Somebody who sells it bids last; who buys from oneself pays the bank. The marker stays where it is."""
    script = begin_with_cards_and_coins(
        rules_card(auction="aloud", payee="ask"), template_card("place", "pot")
    ).says("table: auction")
    assert list(script.open_question_limits["options"]) == ["1", "2", "3", "bank", "place 0", "others"]
    script.says(f"table: {payee}", "table: 2", "Ben 10")
    assert purse_counts(script) == held
    assert script["pot", "coin"] == pot
    again = begin_with_cards_and_coins(rules_card(auction="once", payee="ask")).says(
        "table: start_player", "table: Aki", "table: auction"
    )
    again.says("table: Chie", "Aki 5", "Ben passes", "Chie passes")
    assert purse_counts(again) == [95, 100, 105]
    assert again["Aki/front", "start player"] == 1


def test_sealed_bids_for_whatever_are_paid_to_whom_is_said() -> None:
    """Beside auctions of lots; nobody sells it where sellers take turns, so the bank is paid."""
    for payee, said, held in (("ask", ["table: Chie"], [100, 92, 108]), ("seller", [], [100, 92, 100])):
        script = begin_with_cards_and_coins(rules_card(payee=payee)).says(
            "table: sealed_bid", *said, "Aki 3", "Ben 8", "Chie 0"
        )
        assert purse_counts(script) == held


def test_a_share_is_sold_in_three_answers() -> None:
    """The menu has a line for each company; the winner gets the share, as long as there is one."""
    script = begin_with_cards_and_coins(rules_card(auction="aloud", lots="shares"), *SHARES)
    assert script.open_question_limits["options"]["lot 1"] == "rust · Auction"
    for price in (9, 8, 7):
        script.says("table: lot 1", "table: 3", f"Chie {price}")
    assert purse_counts(script, "rust") == [0, 0, 3]
    script.says("table: lot 0", "table: pass")
    assert purse_counts(script, "lime") == [0, 0, 0]
    assert rank_and_total_by_player(script) == {"Chie": (1, 136), "Aki": (2, 100), "Ben": (2, 100)}


def test_a_share_that_nobody_pays_stays_in_the_bank() -> None:
    """Whoever wins and pays nothing gets none; for a part of it the table has let them have it."""
    script = begin_with_cards_and_coins(rules_card(auction="once", lots="shares", limit="nothing"), *SHARES)
    script.says("table: lot 1", "Aki 101", "Ben passes", "Chie passes")
    part = script.copy().says("table: part")
    assert (purse_counts(part), purse_counts(part, "rust")) == ([0, 100, 100], [1, 0, 0])
    script.says("table: nothing")
    assert (purse_counts(script), purse_counts(script, "rust")) == ([100, 100, 100], [0, 0, 0])
    assert script.last_notes == ["Aki paid nothing and gets no share."]


def test_a_reserve_in_secret() -> None:
    """A sealed bid is none, or as much as the reserve."""
    script = begin_with_cards_and_coins(rules_card(auction="sealed", reserve=20)).says("table: auction")
    assert script.refuses("Aki 19") == "Aki must answer 0, or at least 20."
    script.says("Aki 20", "Ben 0", "Chie 0")
    assert script.last_notes == ["Aki wins with 20.", "Aki pays 20."]


@pytest.mark.parametrize("auction", ["open", "final", "once", "aloud"])
def test_purses_limit_bids_unless_the_template_says_otherwise(auction: str) -> None:
    """Where they don't, whoever wins and can't pay is asked."""
    name = "table: 1", "Aki 101"
    lines = name if auction == "aloud" else ("Aki 101",)
    limited = begin_with_cards_and_coins(rules_card(auction=auction)).says("table: auction", *lines[:-1])
    assert "100" in limited.refuses(lines[-1])
    free = begin_with_cards_and_coins(rules_card(auction=auction, limit="nothing")).says(
        "table: auction", *lines
    )
    for _ in range({"aloud": 0}.get(auction, 2)):
        seat = free.question.seats[0].name
        free.says(f"{seat} passes" if auction != "final" else f"{seat} withdraws")
    assert question_text(free) == "Aki must pay bank 101, but has only 100. What now?"


def test_a_price_falls_until_somebody_can_pay_it() -> None:
    """Who hasn't so much is shown with the reason; nobody is charged what isn't there."""
    script = correct_count(
        begin_with_cards_and_coins(rules_card(auction="falling", step=30)), 60, "coin", "Ben/purse", "bank"
    )
    script.says("table: auction", "table 110")
    assert set(script.open_question_limits["cant"]) == {"1", "2", "3"}
    script.says("Aki: pass")
    assert script.refuses("Ben: 2") == "Ben can't pay 80."
    assert purse_counts(script.says("Aki: pass", "Ben: pass", "Ben: 2")) == [100, 20, 100]


def test_where_nobody_pays_only_the_winner_is_told() -> None:
    """The option holds for every way of selling."""
    script = begin_with_cards_and_coins(rules_card(auction="aloud"), pays="nobody").says(
        "table: auction", "table: 1", "Aki 999"
    )
    assert (script.last_notes, purse_counts(script)) == (["Aki wins with 999."], [100, 100, 100])


def test_bids_in_several_notes() -> None:
    """All money of a purse limits a bid, and pays it with change."""
    chips = [template_card("piece", name, note=note, start=2) for name, note in (("five", 5), ("one", 1))]
    script = begin_with_cards_and_coins(rules_card(auction="aloud"), *chips)
    correct_count(script, 100, "coin", "Aki/purse", "bank")
    script.says("table: auction", "table: 1")
    assert script.refuses("Aki 13") == "Aki can answer at most 12."
    script.says("Aki 8")
    assert (script["Aki/purse", "five"], script["Aki/purse", "one"]) == (0, 4)


def test_a_covered_purse_limits_a_bid_in_silence() -> None:
    """What was bid was there, so it is paid without another question."""
    script = begin_with_cards_and_coins(rules_card(auction="sealed", covered="yes")).says("table: auction")
    assert isinstance(script.question, Together)
    assert script.refuses("Aki 101") == "Aki can't answer that."
    script.says("Aki 40", "Ben 41", "Chie 0")
    assert (script.last_notes, purse_counts(script)) == (
        ["Ben wins with 41.", "Ben pays 41."],
        [100, 59, 100],
    )


def test_a_game_from_before_templates_had_rules_goes_on() -> None:
    """A winner whose purse was emptied pays what is there, as was so when it was begun."""
    deck = begin_with_cards_and_coins().session.began.decks["any_game"]
    kind = replace(deck.fields["kind"], choices=("piece", "category"))
    old = replace(deck, fields={**deck.fields, "kind": kind})
    script = Script(GAME, *NAMES, decks={"any_game": old}).says("table: auction", "Aki 15", "Ben passes")
    correct_count(script, 90, "coin", "Aki/purse", "bank").says("Chie passes")
    assert script.last_notes == ["Aki wins with 15.", "Aki can pay only 10."]
    assert question_text(script) == "What is next?"


@pytest.mark.parametrize("covered", ["yes", "no"])
def test_nobody_wins_aloud_who_has_not_the_least_bid(covered: str) -> None:
    """It would be asked for how much, and nothing could be answered; with enough in the purse they win."""
    script = begin_with_cards_and_coins(rules_card(auction="aloud", reserve=20, covered=covered)).says(
        "table: auction"
    )
    correct_count(script, 85, "coin", "Ben/purse", "bank")
    assert script.refuses("table: 2") == "Ben can't pay 20."
    correct_count(script, 5, "coin", "bank", "Ben/purse")
    assert script.says("table: 2", "Ben 20").last_notes == ["Ben wins with 20.", "Ben pays 20."]


@pytest.mark.parametrize("auction", ["fixed", "falling"])
def test_no_team_buys_from_itself(auction: str) -> None:
    """Whoever keeps the purse that is paid isn't asked."""
    names = ("Aki", "Ben", "Chie", "Dai")
    script = begin_with_cards_and_coins(rules_card(teams=2, auction=auction, payee="seller"), names=names)
    script.says("table: start_player", "table: Chie", "table: auction", "Chie 10")
    assert [seat.name for seat in script.question.seats] == ["Ben"]
