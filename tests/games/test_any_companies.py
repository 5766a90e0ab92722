"""Any Game's companies: shares, prices on a track, dividends, and what is left at the end."""

import pytest

from companion.scenes import evaluate_scene
from companion.session.view import make_view
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    begin_with_cards_and_coins,
    purse_counts,
    question_text,
    rank_and_total_by_player,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import correct_count

NORTH = template_card("company", "north", shares=5, step_at=3, treasury=40)
COAST = template_card("company", "coast", shares=2, step_at=0)


def test_shares_are_bought_and_sold_at_their_price() -> None:
    """Step 3 of the track is 30: three shares cost 90, and no more are sold than the purse pays for."""
    script = begin_with_cards_and_coins(rules_card(payments="yes"), NORTH, COAST).says("table: buy")
    assert script.open_question_limits["options"]["0"] == "north · 30 per share"
    assert script.refuses("table: 1") == "coast has no price yet."
    script.says("table: 0", "table: 1")
    assert question_text(script) == "How many shares of north do you buy at 30?"
    assert script.refuses("Aki 4") == "Aki can answer at most 3."
    script.says("Aki 3")
    assert (purse_counts(script), purse_counts(script, "north"), script["bank", "north"]) == (
        [10, 100, 100],
        [3, 0, 0],
        2,
    )
    script.says("table: sell")
    assert script.refuses("table: 1") == "Nobody has a share of coast."
    script.says("table: 0", "table: Aki")
    assert script.refuses("Aki 4") == "Aki has only 3 shares of north."
    script.says("Aki 2")
    assert (purse_counts(script), purse_counts(script, "north")) == ([70, 100, 100], [1, 0, 0])


def test_what_is_bought_is_paid_whole_or_not_at_all() -> None:
    """On a debt, if the template allows it and people say so; half a price buys nothing."""
    script = begin_with_cards_and_coins(rules_card(debts=50), NORTH)
    script.says("table: buy", "table: 0", "table: 1", "Aki 5")
    assert question_text(script) == "Aki must pay bank 150, but has only 100. What now?"
    assert list(script.open_question_limits["options"]) == ["pay", "nothing"]
    assert purse_counts(script.copy().says("table: nothing"), "north") == [0, 0, 0]
    assert purse_counts(script.copy().says("table: pay"), "north") == [5, 0, 0]


def test_a_price_goes_to_any_step() -> None:
    """One step up or down is said; what shares are worth at the end goes with it."""
    script = begin_with_cards_and_coins(NORTH).says(
        "table: buy", "table: 0", "table: 2", "Ben 2", "table: price", "table: 0"
    )
    assert question_text(script) == "What is the new price of north? It is 30 now."
    assert script.open_question_limits["options"]["step 4"] == "40 · raises the price by one step"
    assert script.open_question_limits["options"]["step 2"] == "20 · lowers the price by one step"
    assert "step 3" not in script.open_question_limits["options"]
    assert script.copy().says("table: step 1")["price track", "north price"] == 1
    script.says("table: 100")
    assert script.last_notes == ["The price of north is 100 now."]
    assert script["price track", "north price"] == 10
    assert rank_and_total_by_player(script) == {"Ben": (1, 240), "Aki": (2, 100), "Chie": (2, 100)}
    lines = {line["label"]: line["value"] for line in script.result_json["standings"][0]["lines"]}
    assert lines == {"coin": 40, "north": 200}


def test_a_dividend_goes_to_those_who_hold_shares() -> None:
    """Those in the bank get nothing, the company's own pay its treasury; or the company keeps it all."""
    script = begin_with_cards_and_coins(NORTH).says("table: buy", "table: 0", "table: 2", "Ben 2")
    correct_count(script, 1, "north", "bank", "north").says("table: dividend", "table: 0", "table 7")
    assert script.open_question_limits["options"]["kept"] == "The company keeps everything · 35 in all"
    assert script.open_question_limits["options"]["holders"] == "Shareholders · 7 per share · 21 in all"
    kept = script.copy().says("table: kept")
    assert (purse_counts(kept), kept["north", "coin"]) == ([100, 40, 100], 75)
    script.says("table: holders")
    assert script.last_notes == ["Ben gets 14.", "north gets 7."]
    assert (purse_counts(script), script["north", "coin"]) == ([100, 54, 100], 47)


def test_each_player_of_a_team_gets_the_dividend_of_their_shares() -> None:
    """Two players of a team hold shares by hand: both are paid, into the purse of the team."""
    names = ("Aki", "Ben", "Chie", "Dai")
    script = begin_with_cards_and_coins(rules_card(teams=2), NORTH, names=names)
    for count, place in ((2, "Aki/purse"), (1, "Chie/purse")):
        correct_count(script, count, "north", "bank", place)
    script.says("table: dividend", "table: 0", "table 7", "table: holders")
    assert script.last_notes == ["Aki gets 14.", "Aki gets 7."]
    assert script["Aki/purse", "coin"] == 221


def test_everybody_sells() -> None:
    """At the end of a season all shares go back to the bank at their prices."""
    script = begin_with_cards_and_coins(NORTH, template_card("company", "coast", shares=2, step_at=1))
    for company, seat, count in ((0, 1, 2), (1, 1, 1), (1, 3, 1)):
        name = ("Aki", "Ben", "Chie")[seat - 1]
        script.says("table: buy", f"table: {company}", f"table: {seat}", f"{name} {count}")
    assert purse_counts(script) == [30, 100, 90]
    script.says("table: sell_all")
    assert script.last_notes == ["Aki gets 70.", "Ben gets 0.", "Chie gets 10."]
    assert (purse_counts(script), script["bank", "north"]) == ([100, 100, 100], 5)


def test_a_broken_bank_takes_no_share_for_nothing() -> None:
    """Shares are paid whole or stay where they are; what is told is what was paid."""
    money = 'id = "coin"\nkind = "piece"\nstart = 100\nworth = 1\nsupply = 20'
    coast = template_card("company", "coast", shares=2, step_at=1)
    script = begin_with_cards(rules_card(payments="yes"), money, NORTH, coast, names=("Aki", "Ben"))
    for line in (
        "table: buy",
        "table: 0",
        "table: 1",
        "Aki 3",
        "table: buy",
        "table: 1",
        "table: 1",
        "Aki 1",
    ):
        script.says(line)
    correct_count(script, 105, "coin", "bank", "Ben/purse")
    sells = script.copy().says("table: sell", "table: 0", "table: 1", "Aki 3")
    assert question_text(sells) == "bank must pay Aki 90, but has only 15. What now?"
    assert list(sells.open_question_limits["options"]) == ["pay", "nothing"]
    assert purse_counts(sells.says("table: nothing"), "north") == [3, 0]
    script.says("table: sell_all", "table: nothing")
    assert script.last_notes == ["Aki gets 10.", "Ben gets 0."]
    assert (purse_counts(script), purse_counts(script, "north"), purse_counts(script, "coast")) == (
        [10, 205],
        [3, 0],
        [0, 0],
    )


def test_a_dividend_that_is_nobodys() -> None:
    """Where nobody has a share it is said."""
    script = begin_with_cards_and_coins(NORTH).says(
        "table: dividend", "table: 0", "table 7", "table: holders"
    )
    assert script.last_notes == ["Nobody has a share of north."]


def test_shares_and_loans_count_in_money() -> None:
    """A note of 50 that counts 50 makes a share at 20 count 20, and a loan of 30 count 30."""
    notes = (
        'id = "fifty"\nkind = "piece"\nstart = 1\nworth = 50\nnote = 50',
        'id = "one"\nkind = "piece"\nstart = 50\nworth = 1\nnote = 1',
    )
    script = begin_with_cards(
        rules_card(loans="yes"), *notes, template_card("company", "north", shares=5, step_at=2)
    )
    script.says("table: borrow", "table: 1", "Aki 30", "table: buy", "table: 0", "table: 2", "Ben 2")
    script.says("table: finish")
    found = {
        one["seat"]: (one["total"], {line["label"]: line["value"] for line in one["lines"]})
        for one in script.result_json["standings"]
    }
    assert (found["Aki"][0], found["Aki"][1]["loans"]) == (100, -30)
    assert (found["Ben"][0], found["Ben"][1]["north"]) == (100, 40)


def test_who_cant_pay_may_sell_shares_first() -> None:
    """What they bring goes into the purse; once it is enough it is paid."""
    script = begin_with_cards_and_coins(rules_card(payments="yes"), NORTH, COAST).says(
        "table: buy", "table: 0", "table: 1", "Aki 3"
    )
    script.says("table: payment", "table: 1", "table: 2", "Aki 50")
    assert script.open_question_limits["options"]["sell"] == "Sell shares first"
    script.says("table: sell")
    assert script.refuses("table: coast") == "Aki has no share of coast."
    script.says("table: north", "Aki 1")
    assert question_text(script) == "Aki must pay Ben 50, but has only 40. What now?"
    script.says("table: sell", "table: north", "Aki 1")
    assert (question_text(script), purse_counts(script)) == ("What is next?", [20, 150, 100])


def test_where_no_share_can_be_traded_it_is_said() -> None:
    """Nothing to buy, nothing to sell: a sentence, and the menu again."""
    script = begin_with_cards_and_coins(COAST).says("table: buy")
    assert (script.last_notes, question_text(script)) == (["There are no shares for sale."], "What is next?")
    assert script.refuses("table: sell") == "Nobody has a share."


def test_treasuries_are_paid_like_anybody() -> None:
    """A company pays and is paid as places are, and has only what it has."""
    script = begin_with_cards_and_coins(rules_card(payments="yes"), NORTH)
    script.says("table: payment", "table: company 0", "table: 1")
    assert script.refuses("table 50") == "north can pay at most 40."
    assert purse_counts(script.says("table 40")) == [140, 100, 100]


def test_shares_of_a_covered_purse() -> None:
    """Only what the owner answers is checked; nobody is told what the purse holds."""
    script = begin_with_cards_and_coins(rules_card(covered="yes"), NORTH).says(
        "table: buy", "table: 0", "table: 1"
    )
    assert script.open_question_limits["most"] == 5
    assert script.refuses("Aki 4") == "Aki can't answer that."
    script.says("Aki 3")
    assert question_text(script) == "Aki must pay bank 90. What now?"
    assert purse_counts(script.says("table: pay"), "north") == [3, 0, 0]


def test_a_price_that_was_moved_beyond_its_track_is_the_last_one() -> None:
    """By hand the marker may go further than there are steps; the table is drawn, and shares are dear."""
    script = begin_with_cards_and_coins(template_card("company", "lime", step_at=10))
    script.says("correct 5 lime price from box to price track: by mistake")
    laid = evaluate_scene(make_view(script.session), script.session.scene)
    assert "100" in repr(laid)
    script.says("table: buy", "table: 0", "table: Aki")
    assert question_text(script) == "How many shares of lime do you buy at 100?"


def test_shares_of_those_who_left_are_not_for_sale() -> None:
    """Where nobody else has any, nobody is asked who sells; those of all others still are."""
    script = begin_with_cards_and_coins(
        rules_card(out="yes"), NORTH, template_card("company", "south", shares=3, step_at=2)
    )
    script.says(
        "table: buy", "table: 0", "table: Aki", "Aki 2", "table: buy", "table: 1", "table: Ben", "Ben 1"
    )
    script.says("table: out", "table: Aki", "table: sell")
    assert script.refuses("table: 0") == "Nobody has a share of north."
    script.says("table: 1", "table: Ben", "Ben 1")
    assert script.refuses("table: sell") == "Nobody has a share."


@pytest.mark.parametrize(
    "money",
    [
        [template_card("piece", "ten", start=10, worth=10, note=10)],
        [template_card("piece", "wood"), template_card("piece", "coin", start=100, worth=1, note=1)],
        [template_card("piece", "debt", start=100, worth=-1)],
    ],
)
def test_strips_and_score_agree(money: list[str]) -> None:
    """What shares and loans count is one sum: before the seats, in the result, and line by line."""
    script = begin_with_cards(rules_card(loans="yes"), *money, NORTH)
    script.says("table: borrow", "table: 1", "Aki 50", "table: buy", "table: 0", "table: 2", "Ben 2")
    mats = evaluate_scene(make_view(script.session), script.session.scene).mats
    strips = {mat.seat.name: mat.headline.value for mat in mats if mat.headline}
    script.says("table: finish")
    rows = {one["seat"]: one for one in script.result_json["standings"]}
    assert strips == {name: row["total"] for name, row in rows.items()}
    for row in rows.values():
        assert row["total"] == sum(line["value"] for line in row["lines"])


def test_a_share_that_isnt_there_is_not_sold() -> None:
    """It is said before anybody bids or pays."""
    script = begin_with_cards_and_coins(
        rules_card(auction="aloud", lots="shares"), template_card("company", "rust", shares=1, step_at=1)
    )
    script.says("table: lot 0", "table: 3", "Chie 9", "table: lot 0")
    assert (question_text(script), script.last_notes) == (
        "What is next?",
        ["The bank has no more shares of rust."],
    )


def test_what_is_shared_among_all_others_is_paid() -> None:
    """Whatever of it stays: the winner of a share gets it."""
    script = begin_with_cards_and_coins(rules_card(auction="once", lots="shares", payee="others"), NORTH)
    script.says("table: lot 0", "Aki 1", "Ben passes", "Chie passes", "table: stays")
    assert purse_counts(script, "north") == [1, 0, 0]


# By hand while it is asked


def test_a_price_that_is_gone_sells_nothing() -> None:
    """Where people move the price away before somebody buys, the company has none."""
    script = begin_with_cards_and_coins(NORTH).says("table: buy", "table: 0")
    script.session.correct("price track", "box", "north price", 3, "")
    assert script.says("table: Aki").last_notes == ["north has no price yet."]
    assert question_text(script) == "What is next?"


def test_a_share_that_is_gone_is_not_sold() -> None:
    """Where people move the last share away, nobody is asked who sells."""
    script = begin_with_cards_and_coins(NORTH).says(
        "table: buy", "table: 0", "table: Aki", "Aki 1", "table: sell"
    )
    script.session.correct("Aki/purse", "bank", "north", 1, "")
    assert script.says("table: 0").last_notes == ["Nobody has a share of north."]
    assert question_text(script) == "What is next?"


def test_who_has_no_share_left_sells_none_to_pay() -> None:
    """Where people move the shares away, the payment is asked about again, without selling."""
    script = begin_with_cards_and_coins(NORTH, rules_card(payments="yes")).says(
        "table: buy", "table: 0", "table: Aki", "Aki 1"
    )
    script.says("table: payment", "table: Aki", "table: Ben", "Aki 200")
    script.session.correct("Aki/purse", "bank", "north", 1, "")
    assert script.says("table: sell").last_notes == ["Aki has no share of north."]
    assert list(script.open_question_limits["options"]) == ["pay", "part", "nothing"]


def test_a_payment_that_waits_moves_the_shares_that_are_left() -> None:
    """Where people move shares away while a covered purse is asked, the rest is bought."""
    script = begin_with_cards_and_coins(rules_card(covered="yes"), NORTH).says(
        "table: buy", "table: 0", "table: Aki", "Aki 3"
    )
    script.session.correct("bank", "Ben/purse", "north", 4, "")
    assert purse_counts(script.says("table: pay"), "north") == [1, 4, 0]


def test_shares_that_are_gone_while_the_bank_is_short_stay_where_they_are() -> None:
    """The bank pays for what was sold; what people moved elsewhere isn't moved again."""
    script = begin_with_cards(
        'id = "coin"\nkind = "piece"\nstart = 100\nsupply = 1',
        template_card("company", "north", shares=5, step_at=3),
    ).says("table: buy", "table: 0", "table: Aki", "Aki 2")
    script.session.correct("bank", "Ben/purse", "coin", 61, "")
    script.says("table: sell", "table: 0", "table: Aki", "Aki 2")
    script.session.correct("Aki/purse", "Chie/purse", "north", 2, "")
    script.session.correct("Ben/purse", "bank", "coin", 61, "")
    assert purse_counts(script.says("table: pay"), "north") == [0, 0, 2]
