"""What the winner of a lot may do in High Bid: put up properties, roll, auction them publicly, and buy."""

import pytest

from companion.testing import Script
from tests.support.games.high_bid_helpers import (
    deal_first_round,
    dollar_counts,
    open_cards_at,
    pass_all,
    put_up_and_roll,
    remove_dealt_cards,
    sell_to,
    set_dollars,
    set_pile_size,
    turn_up_and_sell,
    turn_up_cards,
)
from tests.support.refusals import options_named_in_refusal


def options(script: Script) -> list[str]:
    """What the winner is offered."""
    return list(script.open_question_limits["options"])


def won_before(card: str = "maps") -> Script:
    """Aki won this card before and now the right to sell it, by another."""
    script = turn_up_and_sell(deal_first_round(), "Aki", card).says("Aki: done")
    return turn_up_and_sell(script, "Aki")


# Putting up


@pytest.mark.parametrize(
    ("red", "section", "paid"),
    [(100, "collector", 200), (75, "gallery", 150), (50, "dealer", 100), (25, "warehouse", 50)],
)
def test_the_red_die_names_the_section(red: int, section: str, paid: int) -> None:
    """Green not 0: the bank pays the price of the section, and the card lies there."""
    script = put_up_and_roll(turn_up_and_sell(deal_first_round()), "Aki", "maps", red, 1)
    assert script.last_notes == [f"The {section} pays Aki ${paid} for Maps."]
    assert open_cards_at(script, section) == ["Maps"]
    assert dollar_counts(script)[0] == 1970 + paid
    assert script["Aki/hand", "card"] == 6


def test_red_200_with_the_collector() -> None:
    """Red 200: sold at 100 %, lies with the collector, and $200 on top."""
    script = put_up_and_roll(turn_up_and_sell(deal_first_round()), "Aki", "maps", 200, 1)
    assert (dollar_counts(script)[0], open_cards_at(script, "collector")) == (2370, ["Maps"])


def test_red_200_and_keep() -> None:
    """With bonus_keep the bank pays $200, the card is kept, and the attempt is used up."""
    script = put_up_and_roll(
        turn_up_and_sell(deal_first_round(red_200="bonus_keep")), "Aki", "card:maps.1", 200, 1
    )
    assert script.last_notes == ["Aki gets a bonus of $200.", "Aki keeps Maps."]
    assert dollar_counts(script)[0] == 2170
    assert script["Aki/front", "sale tried"] == 1
    script.says("Aki: sell")
    assert script.refuses("Aki puts card:maps.1") == "Maps 1 is already at another place: Aki's set aside."


def test_three_attempts() -> None:
    """Up to three attempts; the fourth is refused with the reason; the next win begins again."""
    script = turn_up_and_sell(deal_first_round())
    for left in (3, 2, 1):
        assert script.open_question_limits["options"]["sell"] == f"Put a property up for sale · {left} left"
        put_up_and_roll(script, "Aki", "maps", 25, 1)
    assert [*script.open_question_limits["options"]] == ["buy", "done"]
    assert script.refuses("Aki: sell") == "No more sales."
    assert (
        turn_up_and_sell(script.says("Aki: done"), "Aki").open_question_limits["options"]["sell"]
        == "Put a property up for sale · 3 left"
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki puts card:lamps.1", "Lamps 1 is already at another place: Aki's set aside."),
        (
            "Aki puts buyer",
            "Buyer's card doesn't show kind property. If no card fits, answer \"never mind\".",
        ),
        (
            "Aki puts card:buyer.1",
            "Buyer's card doesn't show kind property. If no card fits, answer \"never mind\".",
        ),
        ("Aki puts card:books.1", "Books 1 is already at another place: Ben's front."),
        ("Aki puts card:coins.1", "Coins 1 is already at another place: returned lot 3."),
        ("Aki puts card:maps.1", "Maps 1 is already at another place: dealer."),
        ("Aki puts maps silver", "Only 1 card may be laid down here, not 2."),
    ],
)
def test_properties_that_can_not_be_put_up(line: str, why: str) -> None:
    """None of this lot, no Buyer's card, none known to be another's, on the board or in a returned lot."""
    script = put_up_and_roll(
        turn_up_and_sell(deal_first_round(), "Ben", "card:books.1"), "Ben", "card:maps.1", 50, 1
    ).says("Ben: done")
    turn_up_cards(script, "buyer", "card:rugs.1").says("Aki 0", "Ben 40", "Chie 0", "Dai 0", "Ben: done")
    pass_all(turn_up_cards(script, "card:coins.1"))
    script = turn_up_and_sell(script, "Aki", "card:lamps.1").says("Aki: sell")
    assert script.refuses(line) == why


def test_a_property_that_is_out_of_the_game() -> None:
    """What left the game can't be put up."""
    script = pass_all(set_pile_size(turn_up_cards(deal_first_round(), "card:books.1"), 0)).says(
        "table: go_on", "correct 2 card from box to auction pile: for the test"
    )
    script = turn_up_and_sell(pass_all(script), "Aki").says("Aki: sell")
    assert script.refuses("Aki puts card:books.1") == "Books 1 is already at another place: box."


def test_a_card_won_before_is_put_up() -> None:
    """What was won in an earlier win lies open before its owner and can be put up."""
    script = put_up_and_roll(remove_dealt_cards(won_before(), "Aki"), "Aki", "maps", 75, 2)
    assert open_cards_at(script, "gallery") == ["Maps"]
    assert open_cards_at(script, "Aki/front") == ["Lamps"]


def test_a_card_that_was_picked_from_the_list_is_laid_on_the_reader() -> None:
    """What was won as one of its set is put up by its name: it is that card, not one dealt besides."""
    script = turn_up_and_sell(
        turn_up_and_sell(deal_first_round(), "Aki", "books").says("Aki: done"), "Aki", "lamps"
    )
    script.says("Aki: sell", "Aki puts card:books.1")
    assert (open_cards_at(script, "Aki/front"), open_cards_at(script, "Aki/offer")) == ([], ["Books"])
    assert script["Aki/hand", "card"] == 7


def test_a_card_never_seen_counts_as_dealt() -> None:
    """A card never seen counts as dealt to the seat that shows it, as long as its hand holds unknown ones."""
    script = remove_dealt_cards(won_before(), "Aki").says("Aki: sell")
    assert (
        script.refuses("Aki puts books") == "These cards must come from Aki's hand, which has only 0: Books."
    )
    script.says("correct 1 card from box to Aki/hand: for the test", "Aki puts books", "Aki: 25 1")
    assert open_cards_at(script, "warehouse") == ["Books"]
    assert script["Aki/hand", "card"] == 0


def test_buyers_cards_count_as_dealt_too() -> None:
    """A Buyer's card never seen is one of those dealt, and stays known."""
    script = put_up_and_roll(turn_up_and_sell(deal_first_round()), "Aki", "maps", 25, 1).says(
        "Aki: buy", "Aki lays buyer", "Aki: enough"
    )
    assert script["Aki/hand", "card"] == 5
    assert open_cards_at(script, "Aki/front") == ["Buyer's card"]


def test_thinking_again() -> None:
    """Nothing is used up by who lays nothing down after all."""
    script = turn_up_and_sell(deal_first_round()).says("Aki: sell", "Aki can't")
    assert script.history_texts[-1] == "Aki: never mind"
    assert script["Aki/front", "sale tried"] == 0
    put_up_and_roll(script, "Aki", "maps", 25, 1).says("Aki: buy", "Aki can't")
    assert options(script) == ["sell", "buy", "done"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki: 30 1", "red can show only: 25, 50, 75, 100, 200."),
        ("Aki: 0 1", "red can show only: 25, 50, 75, 100, 200."),
        ("Aki: 25 7", "green can show only: 0, 1, 2, 3, 4, 5."),
        ("Aki: 25", "Answer with a list of 2 faces, in the order of the dice."),
    ],
)
def test_dice_that_are_refused(line: str, why: str) -> None:
    """Only what is on the dice."""
    script = turn_up_and_sell(deal_first_round()).says("Aki: sell", "Aki puts maps")
    assert script.question_log_key == "Roll Aki: Auction 1, sale 1: roll both dice"
    assert script.refuses(line) == why


def test_the_companion_rolls() -> None:
    """Without dice at the table the companion rolls them."""
    script = turn_up_and_sell(deal_first_round()).says("Aki: sell", "Aki puts maps", "roll")
    assert script.history_texts[-1].startswith("Aki rolls: red ")


# The public auction


def public(first: str = "Aki", **options: str) -> Script:
    """Aki rolled green 0 for Maps."""
    return put_up_and_roll(
        turn_up_and_sell(deal_first_round(4, first, **options)), "Aki", "card:maps.1", 200, 0
    )


def test_green_0_is_a_public_auction() -> None:
    """Green 0: red doesn't count, no bonus; bids from $20, from the seller's left; the seller is last."""
    script = public()
    assert script.last_notes == ["The green die shows 0: Maps goes to public auction."]
    assert dollar_counts(script)[0] == 1970
    asked = []
    for _ in range(3):
        asked.append(script.question_log_key)
        script.says(f"{script.question.seats[0].name} passes")
    assert [*asked, script.question_log_key] == [
        f"Raise {name}: lot 1 sale 1" for name in ("Ben", "Chie", "Dai", "Aki")
    ]
    assert script.open_question_limits["least"] == 20


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Ben 10", "Ben must bid at least 20."),
        ("Ben 50", "Ben must bid 20 or more, in steps of 20."),
    ],
)
def test_public_bids_that_are_refused(line: str, why: str) -> None:
    """The first bid is a multiple of $20 from 20, raises are $20 or multiples."""
    assert public().refuses(line) == why


def test_another_buyer_pays_the_seller() -> None:
    """The buyer has the card, no rights, and isn't the last winner; the seller goes on."""
    script = sell_to(public(), "Chie", 200)
    assert dollar_counts(script) == [2170, 2000, 1800, 2000]
    assert open_cards_at(script, "Chie/front") == ["Maps"]
    assert script["Aki/front", "last winner"] == 1
    assert script.question_log_key == "Choose Aki: Auction 1: sell, buy, or done?"
    assert options(script) == ["sell", "done"]


def test_the_seller_bids_and_buys_back() -> None:
    """The seller may raise, and pays the bank for what nobody else wants at that price."""
    script = public().says("Ben 20", "Chie passes", "Dai passes", "Aki 40", "Ben passes", "Chie passes")
    script.says("Dai passes")
    assert script.last_notes == ["Aki pays $40 for Maps.", "Aki keeps Maps."]
    assert dollar_counts(script) == [1930, 2000, 2000, 2000]
    assert open_cards_at(script, "Aki/set aside") == ["Lamps", "Maps"]
    script.says("Aki: sell")
    assert script.refuses("Aki puts card:maps.1") == "Maps 1 is already at another place: Aki's set aside."


def test_a_card_that_is_taken_away_stays_where_it_is() -> None:
    """People lay it elsewhere while it is sold: it is paid for all the same, and nothing is carried."""
    script = public().says("Ben 20", "correct 1 card from Aki/offer to box: torn")
    for name in ("Chie", "Dai", "Aki"):
        script.says(f"{name} passes")
    assert dollar_counts(script)[1] == 1980
    assert (open_cards_at(script, "box"), open_cards_at(script, "Ben/front")) == (["Maps"], [])
    script = turn_up_and_sell(deal_first_round()).says("Aki: done", "table: turns books")
    script.says("correct 1 card maps.1 from unseen to Ben/set aside: a face without a card")
    assert sell_to(script, "Ben").says("Ben: done")["Ben/front", "card"] == 1


def test_nobody_bids_publicly() -> None:
    """The seller keeps the card, and the attempt is used up."""
    script = pass_all(public())
    assert script.last_notes == ["Aki keeps Maps."]
    assert script["Aki/front", "sale tried"] == 1
    assert open_cards_at(script.says("Aki: done"), "Aki/front") == ["Lamps", "Maps"]


@pytest.mark.parametrize(("options", "penalty"), [({}, 50), ({"penalty": "bid"}, 520)])
def test_a_public_buyer_who_can_not_pay(options: dict[str, str], penalty: int) -> None:
    """The penalty goes to the bank, and the seller keeps the card."""
    script = sell_to(public(**options), "Dai", 2060)
    assert script.last_notes == [
        f"Dai can't pay $2060. Penalty: ${penalty} to the bank, or all of Dai's cash.",
        "Aki keeps Maps.",
    ]
    assert dollar_counts(script) == [1970, 2000, 2000, 2000 - penalty]


def test_a_seller_who_can_not_buy_back() -> None:
    """The seller who can't pay for the own card pays the penalty and keeps it."""
    script = set_dollars(public(), "Aki", 30)
    sell_to(script, "Aki", 40)
    assert script.last_notes[-1] == "Aki keeps Maps."
    assert dollar_counts(script)[0] == 0


# Buying


def board(*cards: str, red: int = 25) -> Script:
    """Aki has won a lot with a Buyer's card after these properties were sold to one section."""
    script = turn_up_and_sell(deal_first_round(), "Aki")
    for card in cards:
        put_up_and_roll(script, "Aki", card, red, 1)
    script.says("Aki: done")
    return turn_up_cards(script, "buyer", "rugs").says("Aki 40", "Ben 0", "Chie 0", "Dai 0")


def test_a_buyers_card_buys_from_one_section() -> None:
    """One Buyer's card, one just won too, buys up to three at the section's price, and is gone."""
    script = board("maps", "coins", "books")
    before = dollar_counts(script)[0]
    script.says("Aki: buy", "Aki lays buyer", "Aki: warehouse maps")
    assert script.last_notes == ["Aki pays $50 for Maps."]
    assert open_cards_at(script, "bank") == ["Buyer's card"]
    script.says("Aki: warehouse books", "Aki: warehouse coins")
    assert dollar_counts(script)[0] == before - 50 - 60 - 50
    assert open_cards_at(script, "Aki/set aside") == ["Books", "Coins", "Maps", "Rugs"]
    assert open_cards_at(script, "warehouse") == []


def test_no_more_than_three() -> None:
    """The fourth isn't offered, and nobody buys twice in one win."""
    script = board("maps", "coins", "books")
    put_up_and_roll(script, "Aki", "glass", 25, 1)
    script.says("Aki: buy", "Aki lays buyer", "Aki: warehouse maps", "Aki: warehouse books")
    script.says("Aki: warehouse coins")
    assert [*script.open_question_limits["options"]] == ["sell", "done"]
    assert script.refuses("Aki: buy") == "Already used."


def test_only_one_section() -> None:
    """Once the first is bought only the same section is offered."""
    script = board("maps", "coins")
    put_up_and_roll(script, "Aki", "books", 50, 1)
    script.says("Aki: buy", "Aki lays buyer")
    assert script.open_question_limits["options"] == {
        "dealer books": "Books from the dealer · costs 120",
        "warehouse coins": "Coins from the warehouse · costs 50",
        "warehouse maps": "Maps from the warehouse · costs 50",
        "enough": "never mind",
    }
    script.says("Aki: dealer books")
    assert script.question_log_key == "Choose Aki: Auction 2: sell, buy, or done?"
    script = board("maps", "coins")
    put_up_and_roll(script, "Aki", "books", 50, 1)
    script.says("Aki: buy", "Aki lays buyer", "Aki: warehouse maps")
    assert options_named_in_refusal(script.refuses("Aki: dealer books")) == ["warehouse coins", "enough"]
    assert script.open_question_limits["options"]["enough"] == "No more"
    script.says("Aki: enough")
    assert open_cards_at(script, "warehouse") == ["Coins"]


def test_equal_cards_are_one_offer() -> None:
    """Of several cards of a set in a section one is offered at a time, and no more than lie there."""
    script = board("card:maps.1", "maps").says("Aki: buy", "Aki lays buyer")
    assert options(script) == ["warehouse maps", "enough"]
    script.says("Aki: warehouse maps", "Aki: warehouse maps")
    assert script.question_log_key == "Choose Aki: Auction 2: sell, buy, or done?"
    assert open_cards_at(script, "Aki/set aside") == ["Maps", "Maps", "Rugs"]


def test_whichever_of_equal_cards_was_bought_is_laid_on_the_reader() -> None:
    """Which copy a buyer took nobody said: the next win may show either, and the other stays on the board."""
    script = board("card:maps.1", "card:maps.2").says("Aki: buy", "Aki lays buyer", "Aki: warehouse maps")
    turn_up_and_sell(script.says("Aki: enough", "Aki: done"), "Aki", "coins").says(
        "Aki: sell", "Aki puts card:maps.2"
    )
    assert (open_cards_at(script, "warehouse"), open_cards_at(script, "Aki/offer")) == (["Maps"], ["Maps"])
    assert open_cards_at(script.says("Aki: 100 1"), "collector") == ["Maps"]
    assert open_cards_at(script, "warehouse") == ["Maps"]


def test_too_little_cash_to_buy() -> None:
    """What the cash doesn't reach is refused to who asked, whatever is missing; the Buyer's card stays."""
    script = set_dollars(board("maps", "books"), "Aki", 50).says("Aki: buy", "Aki lays buyer")
    assert script.refuses("Aki: warehouse books") == "Aki doesn't have enough cash for that."
    assert open_cards_at(script, "Aki/front") == ["Buyer's card", "Lamps"]
    script.says("Aki: warehouse maps")
    assert dollar_counts(script)[0] == 0
    assert script.refuses("Aki: warehouse books") == "Aki doesn't have enough cash for that."


def test_nothing_bought_after_all() -> None:
    """Who buys nothing keeps the Buyer's card, and may still buy."""
    script = board("maps").says("Aki: buy", "Aki lays buyer", "Aki: never mind")
    assert open_cards_at(script, "Aki/front") == ["Buyer's card", "Lamps"]
    assert options(script) == ["sell", "buy", "done"]


def test_nobody_buys_without_a_buyers_card() -> None:
    """Who is known to have none isn't offered to buy; a Buyer's card elsewhere is refused."""
    script = turn_up_and_sell(board("maps").says("Aki: done"), "Ben", "silver").says("Ben: buy")
    assert (
        script.refuses("Ben lays card:maps.1")
        == 'Maps doesn\'t show kind buyer. If no card fits, answer "never mind".'
    )
    script = turn_up_and_sell(remove_dealt_cards(board("maps").says("Aki: done"), "Ben"), "Ben", "silver")
    assert script.question_log_key == "Read: Auction 4: turn up card 1"


def test_what_was_sold_is_bought_back() -> None:
    """What was sold in this win may be bought back in it, and put up again only from the next on."""
    script = put_up_and_roll(board(), "Aki", "card:maps.1", 25, 1).says("Aki: buy", "Aki lays buyer")
    script.says("Aki: warehouse maps", "Aki: sell")
    assert script.refuses("Aki puts card:maps.1") == "Maps 1 is already at another place: Aki's set aside."
    script.says("Aki can't", "Aki: done")
    assert open_cards_at(script, "Aki/front") == ["Lamps", "Maps", "Rugs"]
    put_up_and_roll(turn_up_and_sell(script, "Aki", "silver"), "Aki", "card:maps.1", 50, 1)
    assert open_cards_at(script, "dealer") == ["Maps"]


def test_rights_end_where_nothing_is_left() -> None:
    """A winner who is known to have nothing to sell and no Buyer's card isn't asked."""
    script = turn_up_and_sell(remove_dealt_cards(deal_first_round(), "Aki"), "Aki")
    assert script.question_log_key == "Read: Auction 2: turn up card 1"
    assert open_cards_at(script, "Aki/front") == ["Lamps"]


def test_rights_in_any_order() -> None:
    """Selling and buying mix in any order until the winner is done."""
    script = put_up_and_roll(board("maps"), "Aki", "silver", 25, 1).says("Aki: buy", "Aki lays buyer")
    script.says("Aki: warehouse silver", "Aki: enough")
    put_up_and_roll(script, "Aki", "stamps", 75, 1).says("Aki: done")
    assert [script["Aki/front", mark] for mark in ("sale tried", "has bought")] == [0, 0]
    assert script.question_log_key == "Read: Auction 3: turn up card 1"


def test_a_card_of_no_list_is_sold_like_any_other() -> None:
    """A typed property is paid by its own prices and offered on the board."""
    script = turn_up_and_sell(deal_first_round()).says("Aki: sell")
    values = {"kind": "property", "size": 4, "value": 1500, "collector": 300}
    values |= {"gallery": 230, "dealer": 150, "warehouse": 80}
    script.session.answer(script.question_number, [{"values": values}])
    script.says("Aki: 75 1")
    assert script.last_notes == ["The gallery pays Aki $230 for the $1500 set."]
    script.says("Aki: buy", "Aki lays buyer")
    assert "the $1500 set from the gallery · costs 230" in script.open_question_limits["options"].values()
