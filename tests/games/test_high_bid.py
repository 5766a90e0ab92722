"""High Bid sentence by sentence: lots, open and closed bids, payment, returned lots, and how it ends.

What the winner of a lot may do is in `test_high_bid_rights.py`, arithmetic in `test_high_bid_arithmetic.py`.
"""

import pytest

from companion.errors import IllegalAnswer, UserError
from companion.games.high_bid.rulebook import GAME
from companion.testing import Script
from tests.support.games.high_bid_helpers import (
    NAMES,
    deal_first_round,
    dollar_counts,
    open_cards_at,
    pass_all,
    put_up_and_roll,
    rank_explanation,
    remove_dealt_cards,
    score_lines,
    sell_to,
    set_dollars,
    set_pile_size,
    turn_up_and_sell,
    turn_up_cards,
)
from tests.support.games.script_helpers import question_heading

# The worked example


def test_the_worked_example() -> None:
    """Ben buys for $80 after three passes, sells for $150, then for $200 and a bonus of $200."""
    script = turn_up_cards(deal_first_round(4), "books")
    script.says("Aki 60", "Ben 80", "Chie passes", "Dai passes")
    assert script.question_log_key == "Raise Aki: lot 1"
    script.says("Aki passes")
    assert script.last_notes == ["Ben pays $80 for Books."]
    assert dollar_counts(script) == [2000, 1920, 2000, 2000]
    put_up_and_roll(script, "Ben", "coins", 75, 3)
    assert script.last_notes == ["The gallery pays Ben $150 for Coins."]
    put_up_and_roll(script, "Ben", "coins", 200, 5)
    assert script.last_notes == ["The collector pays Ben $200 for Coins.", "Ben gets a bonus of $200."]
    assert dollar_counts(script) == [2000, 2470, 2000, 2000]
    assert (open_cards_at(script, "gallery"), open_cards_at(script, "collector")) == (["Coins"], ["Coins"])


# Parts and preparation


@pytest.mark.parametrize(("players", "each", "pile"), [(2, 10, 34), (3, 7, 33), (4, 7, 26)])
def test_the_deal(players: int, each: int, pile: int) -> None:
    """Two players get 10 cards each, three or four 7; everybody gets $2000; the rest is the auction pile."""
    script = Script(GAME, *NAMES[:players]).says("table: Aki")
    assert (
        script.question_log_key == f"Done: Deal {each} cards each, face down; the rest is the auction pile."
    )
    script.says("table: done")
    assert [script[f"{name}/hand", "card"] for name in NAMES[:players]] == [each] * players
    assert script["auction pile", "card"] == pile
    assert dollar_counts(script) == [2000] * players
    assert script.last_notes == ["Everybody begins with $2000: six $10, seven $20, eight $100 and one $1000."]


@pytest.mark.parametrize("players", [1, 5])
def test_how_many_play(players: int) -> None:
    """Two to four play."""
    with pytest.raises(UserError, match=f"^High Bid is for 2 to 4 players, not {players}.$"):
        Script(GAME, *(*NAMES, "Emi")[:players])


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"penalty": "none"}, "penalty must be one of warehouse, bid, not none."),
        ({"red_200": "twice"}, "red_200 must be one of collector_plus_bonus, bonus_keep, not twice."),
        ({"goal": "9"}, "High Bid has no option goal. Its options: penalty, red_200."),
    ],
)
def test_options_that_are_refused(options: dict[str, str], why: str) -> None:
    """A wrong option is refused with what is allowed."""
    with pytest.raises(UserError) as refusal:
        Script(GAME, *NAMES, options=options)
    assert str(refusal.value) == why


# A lot


def test_a_property_is_a_lot() -> None:
    """The top card is turned up; a property is sold by open bids from its warehouse price."""
    script = deal_first_round()
    assert (script.question_log_key, question_heading(script)) == (
        "Read: Auction 1: turn up card 1",
        "Auction 1",
    )
    turn_up_cards(script, "clocks")
    assert script.history_texts[-1] == "Turned over: Clocks."
    assert script.last_notes == ["Clocks: open bids from $80."]
    assert (script.question_log_key, question_heading(script)) == ("Raise Aki: lot 1", "Auction 1 · Clocks")
    assert open_cards_at(script, "auction block") == ["Clocks"]
    assert script["auction pile", "card"] == 25


@pytest.mark.parametrize("card", ["books", "card:books.3", "tag:04b1"])
def test_a_card_is_scanned_picked_or_typed(card: str) -> None:
    """A card is known whichever way it was read, and is the same on the block."""
    script = turn_up_cards(deal_first_round(), card)
    assert open_cards_at(script, "auction block") == ["Books"]
    assert open_cards_at(sell_to(script, "Ben"), "Ben/set aside") == ["Books"]


def test_a_stack_of_buyers_cards_is_one_lot() -> None:
    """Over a Buyer's card another is turned up, until there is a property; all is sold by closed bids."""
    script = turn_up_cards(deal_first_round(), "buyer", "buyer")
    assert script.question_log_key == "Read: Auction 1: turn up card 3"
    assert script.refuses("table: can't") == "You must lay down cards."
    turn_up_cards(script, "maps")
    assert script.last_notes == ["Maps, Buyer's card, Buyer's card: closed bids from $50."]
    script.says("Aki 0", "Ben 50", "Chie 0", "Dai 0")
    assert open_cards_at(script, "Ben/front") == ["Buyer's card", "Buyer's card"]
    assert open_cards_at(script, "Ben/set aside") == ["Maps"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("table: turns card:nothing.1", "There is no card nothing.1 in this deck."),
        ("table: turns tag:99", "Tag 99 belongs to card 4.1 of another game: egypt."),
        ("table: turns 2×maps", "Only 1 card may be laid down here, not 2."),
        ("table: turns nothing", "At least 1 card is needed."),
        ("table: turns card:books.1", "Books 1 is already at another place: Aki's front."),
    ],
)
def test_cards_that_can_not_be_turned_up(line: str, why: str) -> None:
    """One card of this game that isn't known to be elsewhere."""
    script = turn_up_and_sell(deal_first_round(), "Aki", "card:books.1").says("Aki: done")
    assert script.refuses(line) == why


def test_more_copies_than_there_are() -> None:
    """A typed card is refused once all of its set are known to lie elsewhere."""
    script = deal_first_round()
    for _ in range(3):
        turn_up_and_sell(script, "Aki", "jewels").says("Aki: done")
    assert (
        script.refuses("table: turns jewels")
        == "Jewels: all 3 copies are already at other places: Aki's front."
    )


def test_a_card_that_is_not_in_the_list() -> None:
    """A copy with other sets is played by typing what is printed; three such cards make their set."""
    script = deal_first_round()
    values = {"kind": "property", "size": 3, "value": 2000, "collector": 400}
    values |= {"gallery": 300, "dealer": 200, "warehouse": 100}
    vases = {"name": "Vases"} | values | {"warehouse": 50}
    script.session.answer(script.question_number, [{"values": vases}])
    assert script.last_notes == ["Vases: open bids from $50."]
    pass_all(script)
    for _ in range(3):
        script.session.answer(script.question_number, [{"values": values}])
        assert script.last_notes == ["the $2000 set: open bids from $100."]
        sell_to(script, "Ben").says("Ben: done")
    script.says("table: can't", "table: Ben", *[f"{name} lays nothing" for name in NAMES])
    assert score_lines(script, "Ben")["the $2000 set"] == 2000


@pytest.mark.parametrize(
    ("field", "price", "why"),
    [
        ("gallery", 410, "gallery can't be higher than collector: at most 400, not 410."),
        ("dealer", 310, "dealer can't be higher than gallery: at most 300, not 310."),
        ("warehouse", 210, "warehouse can't be higher than dealer: at most 200, not 210."),
        ("warehouse", 0, "warehouse must be a number from 10 to 1000 in steps of 10, not 0."),
        ("warehouse", 55, "warehouse must be a number from 10 to 1000 in steps of 10, not 55."),
    ],
)
def test_typed_prices_that_can_not_be(field: str, price: int, why: str) -> None:
    """Collector, gallery, dealer, warehouse: none is above the one before it, at least 10, in steps of 10."""
    prices = {"collector": 400, "gallery": 300, "dealer": 200, "warehouse": 100, field: price}
    script = deal_first_round()
    with pytest.raises(IllegalAnswer) as refused:
        script.session.answer(
            script.question_number, [{"values": {"kind": "property", "size": 3, "value": 900, **prices}}]
        )
    assert str(refused.value) == why
    script.says("table: turns maps")


# Open bids


def test_the_last_winners_left_opens() -> None:
    """At first whom the table chose opens; then the player to the left of the last winner."""
    script = turn_up_cards(deal_first_round(4, "Chie"), "maps")
    assert script.question_log_key == "Raise Chie: lot 1"
    sell_to(script, "Aki").says("Aki: done")
    assert script["Aki/front", "last winner"] == 1
    assert script["Chie/front", "opens"] == 0
    assert turn_up_cards(script, "maps").question_log_key == "Raise Ben: lot 2"


def test_whoever_is_no_last_winner_does_not_open() -> None:
    """Where people took the marks away, seat 1 opens."""
    script = deal_first_round(4, "Ben").says("correct 1 opens from Ben/front to box: for the test")
    assert turn_up_cards(script, "maps").question_log_key == "Raise Aki: lot 1"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki 40", "Aki must bid at least 60."),
        ("Aki 0", "Aki must bid at least 60."),
        ("Aki 70", "Aki must bid 60 or more, in steps of 20."),
        ("Aki bids a lot", "Aki must answer with a whole number, or null to pass."),
    ],
)
def test_first_bids_that_are_refused(line: str, why: str) -> None:
    """The first bid is the warehouse price, or that and a multiple of $20."""
    assert turn_up_cards(deal_first_round(), "books").refuses(line) == why


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Ben 60", "Ben must bid at least 80."),
        ("Ben 90", "Ben must bid 80 or more, in steps of 20."),
        ("Ben 70", "Ben must bid at least 80."),
    ],
)
def test_raises_that_are_refused(line: str, why: str) -> None:
    """A raise is the current bid and a positive multiple of $20."""
    assert turn_up_cards(deal_first_round(), "books").says("Aki 60").refuses(line) == why


def test_a_pass_is_not_final() -> None:
    """Who passed may bid when the turn comes round again; n - 1 passes since the last bid end it."""
    script = turn_up_cards(deal_first_round(3), "books").says(
        "Aki passes", "Ben 60", "Chie passes", "Aki 100", "Ben passes"
    )
    script.says("Chie 500", "Aki passes")
    assert script.question_log_key == "Raise Ben: lot 1"
    assert script.says("Ben passes").last_notes == ["Chie pays $500 for Books."]


def test_bids_above_the_cash_are_taken() -> None:
    """A bid is never measured by anybody's cash, and nothing hints at it."""
    script = turn_up_cards(deal_first_round(), "books").says("Aki 50060")
    assert script.open_question_limits == {
        "least": 50080,
        "most": None,
        "step": 20,
        "no": "pass",
        "bids": {"Aki": 50060},
    }
    assert script.last_notes == []


def test_nobody_bids() -> None:
    """After a pass of everybody with no bid the lot is returned, and the last winner is who it was."""
    script = turn_up_and_sell(deal_first_round(), "Chie", "maps").says("Chie: done")
    pass_all(turn_up_cards(script, "books"))
    assert script.last_notes == [
        "Nobody bids for Books.",
        "Books is returned. The card will be auctioned once more at the end.",
    ]
    assert open_cards_at(script, "returned lot/2") == ["Books"]
    assert turn_up_cards(script, "coins").question_log_key == "Raise Dai: lot 3"


# Closed bids


def closed(players: int = 4, first: str = "Aki", **options: str) -> Script:
    """Books ($60) and a Buyer's card are up."""
    return turn_up_cards(deal_first_round(players, first, **options), "buyer", "books")


def test_closed_bids_are_everybodys() -> None:
    """Everybody bids in secret, also with no cash; the highest takes the lot."""
    script = set_dollars(closed(), "Dai", 0)
    assert script.question_log_key == "Together Aki Ben Chie Dai: Closed bids in auction 1"
    script.says("Dai 0", "Ben 130", "Aki 60")
    assert script.history_texts[-1] != "Aki: 60, Ben: 130, Chie: 120, Dai: 0"
    script.says("Chie 120")
    assert script.history_texts[-1] == "Aki: 60, Ben: 130, Chie: 120, Dai: 0"
    assert script.last_notes == ["Ben pays $130 for Books."]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki 50", "Aki must answer 0, or at least 60."),
        ("Aki -10", "Aki must answer 0, or at least 60."),
        ("Aki 65", "Aki must answer 60 or more, in steps of 10."),
    ],
)
def test_closed_bids_that_are_refused(line: str, why: str) -> None:
    """A closed bid is 0, or at least the warehouse price, in $10."""
    assert closed().refuses(line) == why


def test_no_closed_bid() -> None:
    """With no bid the lot is returned with its Buyer's cards."""
    script = closed().says("Aki 0", "Ben 0", "Chie 0", "Dai 0")
    assert open_cards_at(script, "returned lot/1") == ["Books", "Buyer's card"]


def test_a_tie_bids_again() -> None:
    """Those tied bid again, each at least the tied amount; 0 is refused; the highest takes the lot."""
    script = closed().says("Aki 100", "Ben 100", "Chie 90", "Dai 100")
    assert script.last_notes == ["Tie at $100: Aki, Ben, Dai bid again."]
    assert script.question_log_key == "Together Aki Ben Dai: Tie in auction 1: bid again"
    assert script.refuses("Ben 0") == "Ben must answer at least 100."
    assert script.refuses("Ben 90") == "Ben must answer at least 100."
    script.says("Aki 100", "Ben 140", "Dai 130")
    assert script.last_notes == ["Ben pays $140 for Books."]


def test_a_second_tie_before_the_first_sale() -> None:
    """Before the first sale the player whom the table chose is first among those still tied."""
    script = closed(4, "Ben").says("Aki 100", "Ben 90", "Chie 100", "Dai 100")
    script.says("Aki 120", "Chie 120", "Dai 110")
    assert script.last_notes == [
        "Tie at $120 again: Chie is first in bidding order and wins the lot.",
        "Chie pays $120 for Books.",
    ]


def test_a_second_tie_goes_from_the_last_winners_left() -> None:
    """Of those still tied the nearest from the last winner's left takes it; the last winner is last."""
    script = turn_up_and_sell(deal_first_round(), "Ben", "maps").says("Ben: done")
    turn_up_cards(script, "buyer", "books").says(
        "Aki 100", "Ben 100", "Chie 0", "Dai 0", "Aki 150", "Ben 150"
    )
    assert script.last_notes == [
        "Tie at $150 again: Aki is first in bidding order and wins the lot.",
        "Aki pays $150 for Books.",
    ]


# Paying


def test_the_winner_pays_the_bank() -> None:
    """The money goes to the bank, and the winner is the last winner."""
    script = turn_up_and_sell(deal_first_round(), "Dai", "books")
    assert dollar_counts(script) == [2000, 2000, 2000, 1940]
    assert script["bank", "dollar"] == 60 - 8000
    assert script["Dai/front", "last winner"] == 1


@pytest.mark.parametrize(("options", "penalty"), [({}, 60), ({"penalty": "bid"}, 510)])
def test_who_can_not_pay(options: dict[str, str], penalty: int) -> None:
    """The penalty is the warehouse price or a quarter of the bid; the lot is returned; no rights."""
    script = turn_up_cards(deal_first_round(4, "Aki", **options), "books").says("Aki passes", "Ben 2020")
    pass_all(script)
    assert script.last_notes == [
        f"Ben can't pay $2020. Penalty: ${penalty} to the bank, or all of Ben's cash.",
        "Books is returned. The card will be auctioned once more at the end.",
    ]
    assert dollar_counts(script) == [2000, 2000 - penalty, 2000, 2000]
    assert [script[f"{name}/front", "last winner"] for name in NAMES] == [0, 0, 0, 0]
    assert script.question_log_key == "Read: Auction 2: turn up card 1"


def test_a_penalty_goes_as_far_as_the_cash() -> None:
    """What the cash doesn't reach is forgiven, and nobody is told how much that was."""
    script = set_dollars(turn_up_cards(deal_first_round(), "books"), "Ben", 20)
    sell_to(script, "Ben", 100)
    assert dollar_counts(script)[1] == 0
    assert script.last_notes[0] == "Ben can't pay $100. Penalty: $60 to the bank, or all of Ben's cash."


def test_the_last_dollar_pays() -> None:
    """A bid of exactly the cash is paid."""
    script = sell_to(set_dollars(turn_up_cards(deal_first_round(), "books"), "Ben", 60), "Ben", 60)
    assert dollar_counts(script)[1] == 0
    assert script["Ben/front", "last winner"] == 1


# Returned lots


def test_returned_lots_come_up_again_oldest_first() -> None:
    """When the pile is used up the returned lots come up as they were, oldest first."""
    script = closed().says("Aki 0", "Ben 0", "Chie 0", "Dai 0")
    script = pass_all(turn_up_cards(set_pile_size(script, 1), "maps"))
    assert script.question_log_key == "Choose: Auction 3: the next returned lot"
    script.says("table: Auction the lot again")
    assert script.last_notes == ["Books, Buyer's card: closed bids from $60."]
    assert script["auction block", "second time"] == 1
    script.says("Aki 0", "Ben 70", "Chie 0", "Dai 0", "Ben: done")
    assert script["auction block", "second time"] == 0
    script.says("table: go_on")
    assert script.last_notes == ["Maps: open bids from $50."]


def test_a_lot_that_is_not_sold_the_second_time_is_out() -> None:
    """One that nobody wants the second time leaves the game with its Buyer's cards."""
    script = set_pile_size(closed(), 0).says("Aki 0", "Ben 0", "Chie 0", "Dai 0", "table: go_on")
    script.says("Aki 0", "Ben 0", "Chie 0", "Dai 0")
    assert script.last_notes == ["Nobody bids for Books.", "Books leaves the game."]
    assert open_cards_at(script, "box") == ["Books", "Buyer's card"]
    assert script.question_log_key == "Read Aki: Lay down the cards of your hand"


def test_a_lot_that_is_not_paid_the_second_time_is_out() -> None:
    """Bought the second time and not paid is not sold either."""
    script = pass_all(set_pile_size(turn_up_cards(deal_first_round(), "books"), 0)).says("table: go_on")
    sell_to(script, "Ben", 2040)
    assert script.last_notes[-1] == "Books leaves the game."
    assert dollar_counts(script) == [2000, 1940, 2000, 2000]


def test_a_returned_lot_that_is_paid_makes_the_last_winner() -> None:
    """Its winner opens from then on and has the rights while another lot waits."""
    script = pass_all(turn_up_cards(deal_first_round(), "maps"))
    script = pass_all(set_pile_size(turn_up_cards(script, "books"), 0)).says("table: go_on")
    sell_to(script, "Ben")
    assert script.question_log_key == "Choose Ben: Auction 3: sell, buy, or done?"
    script.says("Ben: done", "table: go_on")
    assert script.question_log_key == "Raise Chie: lot 4"


# The end


def test_the_last_lot_has_no_rights() -> None:
    """Pile and returned pile are empty as a lot is sold: the game ends, and its winner has no more rights."""
    script = sell_to(set_pile_size(turn_up_cards(deal_first_round(), "books"), 0), "Ben")
    assert script.question_log_key == "Read Aki: Lay down the cards of your hand"
    script.says(*[f"{name} lays nothing" for name in NAMES])
    assert script.result_json["winners"] == ["Aki", "Chie", "Dai"]


def test_rights_while_cards_are_left_and_only_buyers_come_up() -> None:
    """The winner has rights while the pile has cards; if only Buyer's cards come then, the game ends."""
    script = sell_to(set_pile_size(turn_up_cards(deal_first_round(), "books"), 2), "Ben")
    assert script.question_log_key.startswith("Choose Ben:")
    turn_up_cards(script.says("Ben: done"), "buyer", "buyer")
    assert script.last_notes == ["Only Buyer's cards were left: the game is over."]
    assert open_cards_at(script, "box") == ["Buyer's card", "Buyer's card"]
    assert script.question_log_key == "Read Aki: Lay down the cards of your hand"


def test_buyers_cards_at_the_bottom_join_the_oldest_returned_lot() -> None:
    """They lie with the oldest returned lot, which is then sold by closed bids, for the second time."""
    script = pass_all(turn_up_cards(deal_first_round(), "books"))
    script = pass_all(turn_up_cards(script, "maps"))
    turn_up_cards(set_pile_size(script, 1), "buyer")
    assert script.last_notes == ["Books, Buyer's card: closed bids from $60."]
    script.says("Aki 0", "Ben 0", "Chie 0", "Dai 0")
    assert open_cards_at(script, "box") == ["Books", "Buyer's card"]
    assert script.question_log_key == "Choose: Auction 4: the next returned lot"


@pytest.mark.parametrize("place", ["collector", "gallery", "dealer", "warehouse", "Aki/set aside"])
def test_cards_can_be_put_where_none_have_lain_yet(place: str) -> None:
    """Sections are known from the beginning, so that whatever lies there on the table can be put right."""
    script = deal_first_round().says(f"correct 1 card from Aki/hand to {place}: lies there")
    assert script[place, "card"] == 1


def test_a_returned_lot_that_was_taken_away_by_hand() -> None:
    """Where people took the property of a returned lot away, it is no lot any more."""
    script = pass_all(turn_up_cards(deal_first_round(), "card:books.1"))
    script.says("correct 1 card books.1 from returned lot/1 to box: for the test")
    turn_up_cards(set_pile_size(script, 1), "buyer")
    assert script.last_notes == ["Only Buyer's cards were left: the game is over."]


@pytest.mark.parametrize(("players", "goal"), [(2, 7500), (3, 5000), (4, 5000)])
def test_the_end_is_declared(players: int, goal: int) -> None:
    """Between lots, before the first too, a player declares the end with $5000, two players with $7500."""
    script = deal_first_round(players).says("table: can't")
    assert script.history_texts[-1] == "The table: declare the end of the game"
    assert script.question_log_key == "Choose: Auction 1: who declares the end?"
    script.says("table: Ben", *[f"{name} lays nothing" for name in NAMES[:players]])
    assert script["Ben/front", "declared the end"] == 1
    assert score_lines(script, "Ben") == {
        "cash": 2000,
        "unused Buyer's cards": 0,
        "total": 2000,
    }
    assert rank_explanation(script, "Ben") == f"declared the end; short of ${goal} by ${goal - 2000}"
    assert rank_explanation(script, "Aki") is None


def test_nobody_declares_after_all() -> None:
    """Pressed by mistake, play goes on with the same lot."""
    script = deal_first_round().says("table: can't", "table: nobody")
    assert turn_up_cards(script, "maps").question_log_key == "Raise Aki: lot 1"
    script = pass_all(set_pile_size(script, 0)).says("table: declare", "table: Nobody: play on")
    assert script.question_log_key == "Choose: Auction 2: the next returned lot"
    assert script.says("table: declare", "table: Dai").last_notes == ["Dai declares the end of the game."]


def test_a_declaration_is_refused_only_to_whom_the_companion_knows() -> None:
    """While a hand holds unknown cards its owner is believed; else cash and cards must reach the limit."""
    script = remove_dealt_cards(deal_first_round(), "Ben").says("table: can't")
    assert script.refuses("table: Ben") == "Ben doesn't have $5000."
    set_dollars(script, "Ben", 4990)
    assert script.refuses("table: Ben") == "Ben doesn't have $5000."
    set_dollars(script, "Ben", 5000).says(
        "table: Ben", "Aki lays nothing", "Chie lays nothing", "Dai lays nothing"
    )
    assert score_lines(script, "Ben") == {"cash": 5000, "unused Buyer's cards": 0, "total": 5000}
    assert rank_explanation(script, "Ben") is None
    assert script.result_json["winners"] == ["Ben"]


def test_known_cards_count_for_a_declaration() -> None:
    """What a player is known to have counts with the cash, a Buyer's card as $500 or more."""
    script = sell_to(turn_up_cards(remove_dealt_cards(deal_first_round(), "Ben"), "coins"), "Ben")
    sell_to(turn_up_cards(script, "coins"), "Ben").says("Ben: done")
    turn_up_cards(script, "buyer", "maps").says(
        "Aki 0", "Ben 50", "Chie 0", "Dai 0", "Ben: done", "table: can't"
    )
    set_dollars(script, "Ben", 4190)
    assert script.refuses("table: Ben") == "Ben doesn't have $5000."
    assert set_dollars(script, "Ben", 4200).says("table: Ben").last_notes == [
        "Ben declares the end of the game."
    ]


def test_hands_are_laid_down_at_the_end() -> None:
    """Who holds unknown cards lays down what counts: whole sets, one with a Buyer's card, Buyer's cards."""
    script = turn_up_and_sell(deal_first_round(2), "Ben", "stamps").says(
        "Ben: done", "table: can't", "table: Ben", "Aki lays nothing"
    )
    assert script.question_log_key == "Read Ben: Lay down the cards of your hand"
    script.says("Ben lays 3×coins 2×glass stamps 2×buyer")
    assert script.history_texts[-1] == (
        "Ben turns over these cards: Coins, Coins, Coins, Glass, Glass, Stamps, Buyer's card, Buyer's card."
    )
    assert score_lines(script, "Ben") == {
        "cash": 1960,
        "Coins": 800,
        "Glass with a Buyer's card": 1000,
        "Stamps with a Buyer's card": 600,
        "unused Buyer's cards": 0,
        "total": 4360,
    }
    assert rank_explanation(script, "Ben") == "declared the end; short of $7500 by $3140"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki lays 5×rugs 3×lamps", "Aki's hand has only 7 cards, not 8."),
        ("Aki lays 4×coins", "Coins: the deck has only 3, not 4."),
        ("Aki lays card:stamps.1", "Stamps 1 is already at another place: Ben's front."),
        (
            "Aki lays card:books.1 card:books.1",
            "Card books.1 is listed twice. Remove one of the two entries.",
        ),
    ],
)
def test_hands_that_are_refused(line: str, why: str) -> None:
    """No more than the hand holds, and nothing that is known to be somebody else's."""
    script = turn_up_and_sell(deal_first_round(), "Ben", "card:stamps.1").says(
        "Ben: done", "table: can't", "table: Ben"
    )
    assert script.refuses(line) == why


def test_most_wealth_wins_and_ties_share() -> None:
    """Ranks are 1224, by wealth."""
    script = deal_first_round().says("table: can't", "table: Aki", "Aki lays nothing", "Ben lays 3×glass")
    script.says("Chie lays 3×coins", "Dai lays 2×buyer")
    assert [(one["seat"], one["rank"], one["total"]) for one in script.result_json["standings"]] == [
        ("Ben", 1, 3000),
        ("Dai", 1, 3000),
        ("Chie", 3, 2800),
        ("Aki", 4, 2000),
    ]


# Mending


def test_an_undone_sale_says_what_to_move_back() -> None:
    """Cards go back by hand; of the money nothing is said that all could add up."""
    script = put_up_and_roll(turn_up_and_sell(deal_first_round(), "Ben", "maps"), "Ben", "coins", 75, 3).says(
        "undo"
    )
    assert script.moves_by_hand == ["1 card (Coins) from gallery back to Ben's offer"]
    assert dollar_counts(script)[1] == 1950


def test_a_misheard_bid_is_amended() -> None:
    """An earlier bid is changed and all later ones still fit."""
    script = turn_up_cards(deal_first_round(), "books")
    n = script.question_number
    script.says("Aki 60", "Ben 120", "Chie passes", "Dai passes", "Aki passes", f"amend {n}: Aki 100")
    assert dollar_counts(script) == [2000, 1880, 2000, 2000]


def test_who_opens_is_amended_under_closed_bids() -> None:
    """Closed bids are the same question whoever is asked first: that Ben opens changes nothing of them."""
    script = closed().says("Aki 60", "Ben 70", "Chie 0", "Dai 0", "amend 1: table: Ben")
    assert script.last_notes == ["Ben pays $70 for Books."]
    assert dollar_counts(script) == [2000, 1930, 2000, 2000]


def test_a_card_read_wrong_is_amended() -> None:
    """Another card on the block leaves the bids as they are, if they fit its price."""
    script = turn_up_cards(deal_first_round(), "books")
    n = script.question_number - 1
    script.says("Aki 100", "Ben passes", "Chie passes", "Dai passes", f"amend {n}: table: turns silver")
    script.says("Aki: done")
    assert open_cards_at(script, "Aki/front") == ["Silver"]
