"""Egypt sentence by sentence: its flow, its rulings, its refusals, its score sheet."""

import pytest

from companion.errors import StaleAnswer, UserError
from companion.games.egypt.rulebook import CHIP_NUMBERS, GAME
from companion.requests import Raise, Read
from companion.testing import Script
from companion.texts import render
from tests.support.games.egypt_helpers import (
    NAMES,
    buy_chips,
    deal_first_round,
    hand_sizes_of_script,
    knocked_out_players,
    pay_with_other_cards,
    point_counts,
    set_hand_size,
)
from tests.support.games.script_helpers import asked_players

# The worked example


def test_the_worked_example() -> None:
    """Aki 2, Ben 4, Chie withdraws, Dai 5: Dai gets chip 6; 2, 4 and 5 are paid; Dai leads chip 7."""
    script = buy_chips(deal_first_round(4), "Aki", "Aki")
    set_hand_size(script, "Aki", 21)
    script.says("Aki 2", "Ben 4", "Chie withdraws", "Dai 5", "Aki withdraws", "Ben withdraws")
    assert script.last_notes == ["Dai wins daughter 6 at 5.", "To pay: Aki 2, Ben 4, Dai 5."]
    script.says("Aki pays 6", "Ben pays 6 2×other")
    assert script.refuses("Dai can't pay") == "Dai has enough cards to pay 5."
    script.says("Dai pays 6 6 other")
    assert script["Dai/front", "chip 6"] == 1
    assert hand_sizes_of_script(script) == [20, 18, 21, 18]
    assert script.question_log_key == "Raise Dai: chip 7"


# Parts and preparation


@pytest.mark.parametrize(("players", "each", "left"), [(3, 25, 10), (4, 21, 1), (5, 17, 0)])
def test_the_deal(players: int, each: int, left: int) -> None:
    """3 players get 25 cards each, 4 get 21, 5 get 17; what is left stays out of the round."""
    script = Script(GAME, *NAMES[:players]).says("table: Aki")
    assert (
        script.question_log_key
        == f"Done: Shuffle, deal {each} cards each, box the rest, lay out the daughters."
    )
    script.says("table: done")
    assert hand_sizes_of_script(script) == [each] * players
    assert script["box", "card"] == left


@pytest.mark.parametrize("players", [2, 6])
def test_how_many_play(players: int) -> None:
    """Three to five play."""
    with pytest.raises(UserError, match=f"Egypt is for 3 to 5 players, not {players}."):
        Script(GAME, *(*NAMES, "Fumi")[:players])


def test_the_table_chooses_who_leads_first() -> None:
    """The table chooses who leads the very first auction."""
    script = Script(GAME, *NAMES[:4])
    assert script.question_log_key == "Choose: Who leads the first auction?"
    script.says("table: Chie", "table: done")
    assert script.question_log_key == "Raise Chie: chip 4"


def test_the_round_is_told() -> None:
    """The heading names the round, then the daughter now auctioned."""
    script = Script(GAME, *NAMES[:3]).says("table: Aki")
    heading = script.session.table.heading
    assert heading is not None
    assert render(heading) == "Round 1"
    script.says("table: done")
    heading = script.session.table.heading
    assert heading is not None
    assert render(heading) == "Round 1 · daughter 4"


# Bidding


def test_one_auction_a_chip_from_4_to_13() -> None:
    """For each chip 4, 5, … 13, in that order, one auction."""
    script = deal_first_round()
    asks = []
    for _ in CHIP_NUMBERS:
        asks.append(script.question_log_key)
        buy_chips(script, "Aki")
    assert asks == [f"Raise Aki: chip {number}" for number in range(4, 14)]
    assert script.question_log_key.startswith("Done: Shuffle")


def test_bidding_goes_clockwise_from_the_leader() -> None:
    """The leader opens; then clockwise, round and round."""
    script = deal_first_round(3, "Ben")
    order = []
    for amount in range(1, 8):
        order.append(asked_players(script))
        script.says(f"{order[-1]} {amount}")
    assert order == ["Ben", "Chie", "Aki", "Ben", "Chie", "Aki", "Ben"]


@pytest.mark.parametrize("line", ["Aki withdraws", "Aki 0", "Aki -3"])
def test_the_leader_must_open(line: str) -> None:
    """The leader opens and must bid at least 1."""
    assert deal_first_round().refuses(line) == "Aki must bid at least 1."


@pytest.mark.parametrize("line", ["Ben 4", "Ben 3", "Ben 0"])
def test_a_bid_is_above_the_current_one(line: str) -> None:
    """On a turn a bid is above the current bid."""
    assert deal_first_round().says("Aki 4").refuses(line) == "Ben must bid more than 4."


def test_a_bid_is_at_most_99() -> None:
    """No bid is above 99, the opening no more than the others."""
    assert deal_first_round().refuses("Aki 100") == "Aki can bid at most 99."
    assert deal_first_round().says("Aki 1").refuses("Ben 100") == "Ben can bid at most 99."


def test_after_99_only_withdrawing_is_left() -> None:
    """Whoever bids 99 can't be outbid, and the others are told so."""
    script = deal_first_round().says("Aki 99")
    assert script.open_question_limits["least"] is None
    for bid in (99, 100):
        assert script.refuses(f"Ben {bid}") == "Ben can't bid for daughter 4 now and must withdraw."
    script.says("Ben withdraws", "Chie withdraws")
    assert script.question_log_key == "Read Aki: Payment for chip 4"


@pytest.mark.parametrize("given", ["many", True, 2.5, [3]])
def test_a_bid_is_a_whole_number(given: object) -> None:
    """A bid is a whole amount."""
    script = deal_first_round()
    with pytest.raises(UserError, match=r"^Aki must answer with a whole number\.$"):
        script.session.answer(script.question_number, given)
    assert script.question_log_key == "Raise Aki: chip 4"


def test_any_whole_amount_above_is_a_bid() -> None:
    """A bid may leap, and may be above what a hand can pay: never blocked, never hinted at."""
    script = deal_first_round(5).says("Aki 7", "Ben 8", "Chie 60")
    assert script.last_notes == []
    assert script.open_question_limits == {
        "least": 61,
        "most": 99,
        "step": 1,
        "no": "withdraw",
        "bids": {"Aki": 7, "Ben": 8, "Chie": 60},
    }


def test_who_withdraws_is_out_of_this_auction() -> None:
    """Who withdraws isn't asked again in this auction, but in the next."""
    script = deal_first_round(4).says("Aki 1", "Ben withdraws", "Chie 2", "Dai 3", "Aki 4")
    assert asked_players(script) == "Chie"
    script.says("Chie withdraws", "Dai withdraws", "Aki pays 4×other", "Chie pays 2×other")
    script.says("Dai pays 3×other", "Aki 1")
    assert script.question_log_key == "Raise Ben: chip 5"


def test_only_who_is_asked_answers() -> None:
    """A question is one seat's: nobody bids out of turn or after withdrawing."""
    script = deal_first_round().says("Aki 1", "Ben withdraws", "Chie 2")
    assert [seat.name for seat in script.question.seats] == ["Aki"]
    assert isinstance(script.question, Raise)
    assert [seat.name for seat in script.question.still_bidding] == ["Aki", "Chie"]


def test_a_late_bid_does_not_count_for_the_next_seat() -> None:
    """A second press of the same bid is refused: its question is no longer open."""
    script = deal_first_round()
    n = script.question_number
    script.says("Aki 1")
    with pytest.raises(
        StaleAnswer, match=rf"^Question {n} has been answered. Question {n + 1}\ is open now.$"
    ):
        script.session.answer(n, 2)
    assert asked_players(script) == "Ben"


def test_the_last_one_left_wins_at_the_own_last_bid() -> None:
    """The last one left wins the chip at their own last bid."""
    script = deal_first_round().says("Aki 1", "Ben 5", "Chie withdraws", "Aki withdraws")
    assert script.last_notes[0] == "Ben wins daughter 4 at 5."
    pay_with_other_cards(script)
    assert (script["Ben/front", "chip 4"], script["market/4", "chip 4"]) == (1, 0)


# Paying


def test_everyone_who_bid_pays_their_own_last_bid() -> None:
    """Winner or not, everyone who bid pays their own last bid; who never bid pays nothing."""
    script = deal_first_round(5).says("Aki 1", "Ben 2", "Chie withdraws", "Dai 6", "Emi withdraws", "Aki 7")
    script.says("Ben withdraws", "Dai withdraws")
    assert script.last_notes == ["Aki wins daughter 4 at 7.", "To pay: Aki 7, Ben 2, Dai 6."]
    pay_with_other_cards(script)
    assert hand_sizes_of_script(script) == [10, 15, 17, 11, 17]
    assert script["bank", "card"] == 15


def test_payments_are_asked_clockwise_from_the_leader() -> None:
    """Payments are asked clockwise from the auction's leader, whoever won."""
    script = deal_first_round(4, "Chie").says("Chie 1", "Dai 2", "Aki 3", "Ben 4")
    script.says("Chie withdraws", "Dai withdraws", "Aki withdraws")
    payers = []
    while isinstance(script.question, Read):
        payers.append(asked_players(script))
        script.says(f"{payers[-1]} pays {script.open_question_limits['owed']}×other")
    assert payers == ["Chie", "Dai", "Aki", "Ben"]


def test_winning_bid_rule() -> None:
    """With pay_rule winning_bid each who bid at least once owes the winning bid."""
    script = deal_first_round(4, pay_rule="winning_bid").says("Aki 1", "Ben 2", "Chie withdraws", "Dai 5")
    script.says("Aki withdraws", "Ben withdraws")
    assert script.last_notes == ["Dai wins daughter 4 at 5.", "To pay: Aki 5, Ben 5, Dai 5."]
    assert script.refuses("Aki pays 4×other") == "These cards are worth 4; the price is 5."
    pay_with_other_cards(script)
    assert hand_sizes_of_script(script) == [16, 16, 21, 16]


def test_an_unknown_pay_rule() -> None:
    """There is no third way to pay."""
    with pytest.raises(UserError, match=r"^pay_rule must be one of own_bid, winning_bid, not half\.$"):
        deal_first_round(pay_rule="half")


def test_an_unknown_option() -> None:
    """An option that doesn't exist is named with what exists."""
    with pytest.raises(UserError, match=r"^Egypt has no option rule. Its options: pay_rule\.$"):
        Script(GAME, *NAMES[:3], options={"rule": "own_bid"})


@pytest.mark.parametrize(
    "payment", ["4 4 other", "card:4.1 card:4.2 card:9.1", "tag:04a1 tag:04a2 other", "card:4.1 4 other"]
)
def test_a_payment_is_scanned_picked_or_typed(payment: str) -> None:
    """A card numbered n is worth 2 and any other 1, whichever way it was read."""
    script = deal_first_round().says("Aki 5", "Ben withdraws", "Chie withdraws", f"Aki pays {payment}")
    assert hand_sizes_of_script(script) == [22, 25, 25]
    assert script.history_texts[-1] == "Aki lays down 3 cards."
    assert script.question_log_key == "Raise Aki: chip 5"


def test_no_change_is_given() -> None:
    """Cards can't be split: whoever owes 1 and pays a card worth 2 loses the rest, without a warning."""
    script = deal_first_round().says("Aki 1", "Ben withdraws", "Chie withdraws", "Aki pays 4")
    assert script.question_log_key == "Raise Aki: chip 5"
    assert hand_sizes_of_script(script) == [24, 25, 25]


def test_what_is_owed_is_shown() -> None:
    """The question says what is owed, what each kind of card counts, and how many cards are there."""
    script = deal_first_round().says("Aki 3", "Ben withdraws", "Chie withdraws")
    assert script.open_question_limits == {
        "least": 1,
        "most": 25,
        "cant": False,
        "owed": 3,
        "worth": [
            {"label": "cards numbered 4", "values": {"number": 4}, "each": 2},
            {"label": "other cards", "values": {}, "each": 1},
        ],
    }


def owing(owed: int) -> Script:
    """Aki owes this much for chip 4."""
    return deal_first_round().says(f"Aki {owed}", "Ben withdraws", "Chie withdraws")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki pays 4 other", "These cards are worth 3; the price is 4."),
        ("Aki pays nothing", "At least 1 card is needed."),
        ("Aki can't pay", "Aki has enough cards to pay 4."),
        ("Aki pays 26×other", "Aki's hand has only 25 cards, not 26."),
        ("Aki pays 5×4", "card 4: the deck has only 4, not 5."),
        ("Aki pays card:4.1 card:4.1", "Card 4.1 is listed twice. Remove one of the two entries."),
        ("Aki pays card:4.5", "There is no card 4.5 in this deck."),
        ("Aki pays tag:99 4 4", "Tag 99 belongs to card ruby of another game: oyakata."),
        ("Aki pays tag:07 4 4", "Tag 07 doesn't belong to a card yet. Pick or type the card."),
    ],
)
def test_payments_that_are_refused(line: str, why: str) -> None:
    """A payment of too little, of too many cards, or of cards that can't be there changes nothing."""
    assert owing(4).refuses(line) == why


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("4", 'Answer with a list of cards, such as [{"card": id}].'),
        ([4], 'Write a card as {"card": id}, {"tag": uid} or {"values": {…}}.'),
        ([{"values": {"number": 14}}], "No card in this deck shows number 14."),
    ],
)
def test_answers_that_are_no_payment(given: object, why: str) -> None:
    """What is no list of this deck's cards is refused with what would be one."""
    script = owing(4)
    with pytest.raises(UserError) as refusal:
        script.session.answer(script.question_number, given)
    assert str(refusal.value) == why
    assert hand_sizes_of_script(script) == [25, 25, 25]


def test_a_card_is_paid_once_a_round() -> None:
    """A card or its tag paid in this round is refused until the next."""
    script = deal_first_round().says("Aki 1", "Ben 2", "Chie withdraws", "Aki withdraws", "Aki pays card:4.1")
    assert script.refuses("Ben pays tag:04a1") == "card 4.1 was already paid."
    script.says("Ben pays tag:04a2", "Ben 1", "Chie withdraws", "Aki withdraws")
    assert script.refuses("Ben pays card:4.1") == "card 4.1 was already paid."
    script.says("Ben pays other")
    buy_chips(script, *["Ben"] * 8)
    script.says("table: done", "Ben 1", "Chie withdraws", "Aki withdraws", "Ben pays card:4.1")
    assert script.question_log_key == "Raise Ben: chip 5"


def test_no_more_cards_numbered_n_than_exist() -> None:
    """There are n copies, counting all paid in this auction and those of number n scanned earlier."""
    script = deal_first_round().says("Aki 1", "Ben withdraws", "Chie withdraws", "Aki pays card:6.1")
    buy_chips(script, "Aki").says("Aki 3", "Ben 5", "Chie withdraws", "Aki withdraws")
    script.says("Aki pays card:6.2 6")
    assert script.refuses("Ben pays 4×6") == "At least one of these cards can't be here any more: 4 × card 6."
    script.says("Ben pays 2×6 card:6.3")
    assert script.question_log_key == "Raise Ben: chip 7"


def test_a_card_that_was_read_is_there_whatever_was_typed() -> None:
    """Only cards typed by hand can be too many: one that was read lies on the table."""
    script = deal_first_round().says(
        "Aki 7", "Ben 8", "Chie withdraws", "Aki withdraws", "Aki pays 3×4 other"
    )
    why = "At least one of these cards can't be here any more: 2 × card 4."
    assert script.refuses("Ben pays 2×4 4×other") == why
    script.says("Ben pays card:4.1 card:4.2 4×other")
    assert script.question_log_key == "Raise Ben: chip 5"


@pytest.mark.parametrize(
    ("owed", "payment", "offer", "then"),
    [
        (1, "other other", "Take back 1 card not numbered 4 · 2 paid, 1 owed", 24),
        (2, "4 other", "Take back 1 card not numbered 4 · 3 paid, 2 owed", 24),
        (1, "4 4", "Take back 1 card numbered 4 · 4 paid, 1 owed", 24),
        (3, "card:13.1 4 4", "Take back 1 card numbered 13 · 5 paid, 3 owed", 23),
        (1, "4 4 other 4", "Take back 1 card not numbered 4, 2 cards numbered 4 · 7 paid, 1 owed", 24),
        (3, "4 card:9.1 other card:9.2", "Take back 2 cards numbered 9 · 5 paid, 3 owed", 23),
    ],
)
def test_a_payment_with_a_card_too_many(owed: int, payment: str, offer: str, then: int) -> None:
    """Where one card less would cover the bid the payer is warned and told which one to take back."""
    script = owing(owed).says(f"Aki pays {payment}")
    assert script.question_log_key == "Choose Aki: One card less would be enough for chip 4."
    assert script.open_question_limits["options"] == {"take_back": offer, "leave": "Pay all these cards"}
    script.says("Aki: take_back")
    assert script.question_log_key == "Raise Aki: chip 5"
    assert hand_sizes_of_script(script) == [then, 25, 25]


def test_an_overpayment_is_accepted_after_the_warning() -> None:
    """Who leaves it so has paid it all; the rest is lost."""
    script = owing(1).says("Aki pays 4 4 4", "Aki: Pay all these cards")
    assert script.question_log_key == "Raise Aki: chip 5"
    assert hand_sizes_of_script(script) == [22, 25, 25]


def test_the_warning_comes_once() -> None:
    """All cards that were too many are named at once, and what is left is just enough."""
    script = owing(2).says("Aki pays 4 other other", "Aki: take_back")
    assert script.question_log_key == "Raise Aki: chip 5"
    assert hand_sizes_of_script(script) == [24, 25, 25]


def paid_nines(payment: str, owed: int = 4) -> Script:
    """Aki paid for daughter 9 and took back what was too much; then Ben has to pay for daughter 10."""
    script = buy_chips(deal_first_round(), *["Aki"] * 5).says(
        f"Aki {owed}", "Ben withdraws", "Chie withdraws"
    )
    script.says(f"Aki pays {payment}", "Aki: take_back", "Aki 1", "Ben 4", "Chie withdraws")
    return script.says("Aki withdraws", "Aki pays other")


@pytest.mark.parametrize("card", ["9.1", "9.2", "9.3"])
def test_whichever_of_equal_cards_was_taken_back_is_paid_later(card: str) -> None:
    """Nobody said which 9 was taken back: each is accepted until one is seen; then the others were paid."""
    script = paid_nines("card:9.1 card:9.2 card:9.3").says(f"Ben pays card:{card} 3×other")
    assert script.question_log_key == "Raise Ben: chip 11"
    script.says("Ben 1", "Chie withdraws", "Aki withdraws")
    for other in {"9.1", "9.2", "9.3"} - {card}:
        assert script.refuses(f"Ben pays card:{other}") == f"card {other} was already paid."


def test_only_as_many_of_equal_cards_as_were_taken_back() -> None:
    """Two of the three can't come: two of them were paid. The fourth 9 was never seen and may be paid."""
    script = paid_nines("card:9.1 card:9.2 card:9.3")
    why = "At least one of these cards can't be here any more: card 9.1, card 9.2."
    assert script.refuses("Ben pays card:9.1 card:9.2 2×other") == why
    assert script.says("Ben pays card:9.1 card:9.4 2×other").question_log_key == "Raise Ben: chip 11"


def test_a_card_that_was_typed_and_taken_back() -> None:
    """Of a typed 9 and a scanned one either may have been taken back: the scanned one may be paid again."""
    script = paid_nines("card:9.1 2×9").says("Ben pays card:9.1 3×other")
    assert script.question_log_key == "Raise Ben: chip 11"
    paid_nines("card:9.1 2×9").says("Ben pays card:9.2 card:9.3 2×other")


def test_a_card_taken_back_may_be_paid_later() -> None:
    """A card that was taken back has not been paid."""
    script = owing(3).says("Aki pays card:9.1 4 4", "Aki: take_back", "Aki 1", "Ben withdraws")
    script.says("Chie withdraws", "Aki pays card:9.1")
    assert script.question_log_key == "Raise Aki: chip 6"


def test_undoing_a_payment_says_what_to_give_back() -> None:
    """Cards laid down have left the hand, also while the warning waits for an answer."""
    script = owing(1).says("Aki pays 4 4", "undo")
    assert script.moves_by_hand == ["2 cards from bank back to Aki's hand"]
    assert hand_sizes_of_script(script) == [25, 25, 25]


def test_paid_cards_lie_face_down() -> None:
    """Paid cards are a count, never a list, on every view and in the history."""
    script = owing(3).says("Aki pays card:4.1 other")
    assert script["bank", "card"] == 2
    faces = [account for account in script.session.table.ledger if account.piece.key.startswith("card ")]
    assert all(account.covered for account in faces)
    assert script.history_texts[-1] == "Aki lays down 2 cards."


# Knocked out


def test_who_cannot_pay_is_knocked_out() -> None:
    """Who holds fewer cards than are owed is believed: out of the round, all cards to the bank unscanned."""
    script = owing(26)
    assert script.open_question_limits["cant"]
    script.says("Aki can't pay")
    assert knocked_out_players(script) == ["Aki"]
    assert hand_sizes_of_script(script) == [0, 25, 25]
    assert script["bank", "card"] == 25
    assert script.last_notes == [
        "Aki can't pay and is knocked out of the round.",
        "Nobody gets daughter 4. The chip leaves the round.",
        "Ben leads the next auction.",
    ]


def test_who_could_pay_with_a_card_worth_2_pays() -> None:
    """26 can be paid with 25 cards if one of them counts 2."""
    script = owing(26).says("Aki pays 4 24×other")
    assert knocked_out_players(script) == []
    assert script.last_notes == [
        "Aki has no cards left.",
        "Ben leads the next auction.",
    ]


def test_no_knock_out_before_all_have_paid() -> None:
    """Nobody's knock-out takes effect before all payments of the auction are done."""
    script = deal_first_round(4).says(
        "Aki 22", "Ben 23", "Chie 24", "Dai withdraws", "Aki withdraws", "Ben withdraws"
    )
    script.says("Aki can't pay", "Ben can't pay")
    assert (knocked_out_players(script), hand_sizes_of_script(script)) == ([], [21, 21, 21, 21])
    script.says("Chie can't pay")
    assert (knocked_out_players(script), hand_sizes_of_script(script)) == (
        ["Aki", "Ben", "Chie"],
        [0, 0, 0, 21],
    )


def test_a_knocked_out_player_bids_no_more_in_this_round() -> None:
    """The knocked out are skipped in all auctions of the round and are in again in the next."""
    script = owing(99).says("Aki can't pay")
    for _ in CHIP_NUMBERS[1:]:
        assert script.open_question_limits["bids"] == {}
        script.says("Ben 1", "Chie withdraws", "Ben pays other")
    assert point_counts(script) == [0, 1, 0]
    script.says("table: done", "Ben 1", "Chie withdraws")
    assert asked_players(script) == "Aki"


def test_a_knocked_out_player_stays_out_with_cards() -> None:
    """A knock-out counts until the next deal, even if a correction puts cards into that hand."""
    script = owing(99).says("Aki can't pay", "correct 3 card from bank to Aki/hand: put down too many")
    buy_chips(script, "Ben", "Ben").says("Ben 1", "Chie withdraws")
    assert script.question_log_key == "Read Ben: Payment for chip 7"


def test_a_knocked_out_player_gets_no_point() -> None:
    """Whatever chips they hold, the knocked out score nothing."""
    script = buy_chips(deal_first_round(), *["Aki"] * 9)
    script.says("Aki 99", "Ben withdraws", "Chie withdraws")
    set_hand_size(script, "Ben", 6)
    script.says("Aki can't pay")
    assert script.last_notes == [
        "Aki can't pay and is knocked out of the round.",
        "Nobody gets daughter 13. The chip leaves the round.",
        "Aki is knocked out and scores nothing.",
        "Ben: daughters 0 + cards 2 = 2.",
        "Chie: daughters 0 + cards 8 = 8.",
        "Chie has the highest total and gets the point.",
        "Chie leads the next round.",
    ]


def test_a_winner_who_is_knocked_out_gets_no_chip() -> None:
    """The chip is out of the round and doesn't count as sold."""
    script = buy_chips(deal_first_round(), "Chie").says(
        "Chie 99", "Aki withdraws", "Ben withdraws", "Chie can't pay"
    )
    assert (script["box", "chip 5"], script["market/5", "chip 5"], script["Chie/front", "chip 5"]) == (
        1,
        0,
        0,
    )
    assert script.question_log_key == "Raise Aki: chip 6"


# Who leads


def test_the_winner_leads_the_next_auction() -> None:
    """The winner leads the next auction."""
    assert buy_chips(deal_first_round(), "Chie").question_log_key == "Raise Chie: chip 5"


def test_a_leader_without_cards_is_replaced_clockwise_from_the_winner() -> None:
    """If the winner has no cards left the next clockwise who holds cards leads."""
    script = set_hand_size(set_hand_size(deal_first_round(4), "Ben", 2), "Chie", 0)
    script.says("Aki 1", "Ben 2", "Chie withdraws", "Dai withdraws", "Aki withdraws")
    script.says("Aki pays other", "Ben pays 2×other")
    assert script.last_notes == [
        "Ben has no cards left.",
        "Dai leads the next auction.",
    ]
    assert script.question_log_key == "Raise Dai: chip 5"


def test_the_next_leader_is_fixed_after_all_payments() -> None:
    """A player knocked out by the same payments doesn't lead, though next to the winner."""
    script = deal_first_round(4).says("Aki 98", "Ben 99", "Chie withdraws", "Dai withdraws", "Aki withdraws")
    script.says("Aki can't pay", "Ben can't pay")
    assert script.question_log_key == "Raise Chie: chip 5"
    script.says("Chie 1", "Dai 99", "Chie withdraws", "Chie pays other")
    set_hand_size(script, "Dai", 5).says("Dai can't pay", "table: play_on")
    assert script.question_log_key == "Raise Chie: chip 6"


def test_a_player_without_cards_is_skipped_and_can_win_the_round() -> None:
    """Without cards one is skipped in auctions, keeps the chips and can still win the round."""
    script = deal_first_round().says("Aki 25", "Ben withdraws", "Chie withdraws", "Aki pays 25×other")
    assert script.last_notes == [
        "Aki has no cards left.",
        "Ben leads the next auction.",
    ]
    script.says("Ben 98", "Chie 99")
    assert asked_players(script) == "Ben"
    script.says("Ben withdraws", "Ben can't pay", "Chie can't pay")
    assert point_counts(script) == [1, 0, 0]
    assert "Aki: daughters 4 + cards 0 = 4." in script.last_notes


def test_only_one_player_still_holds_cards() -> None:
    """That player leads every remaining chip, must bid, wins at once and pays."""
    script = set_hand_size(set_hand_size(deal_first_round(), "Aki", 1), "Ben", 2)
    buy_chips(script, "Ben")
    assert script.question_log_key == "Raise Chie: chip 5"
    assert script.refuses("Chie withdraws") == "Chie must bid at least 1."
    script.says("Chie 3")
    assert script.question_log_key == "Read Chie: Payment for chip 5"
    script.says("Chie pays 5 other")
    assert script.question_log_key == "Raise Chie: chip 6"
    assert script["Chie/front", "chip 5"] == 1


def test_nobody_who_is_in_holds_cards() -> None:
    """The remaining chips are not sold and the round ends."""
    script = set_hand_size(set_hand_size(set_hand_size(deal_first_round(), "Aki", 1), "Ben", 2), "Chie", 0)
    buy_chips(script, "Ben")
    assert script.last_notes == [
        "Ben has no cards left.",
        "None of the remaining players has any cards, so the other daughters aren't sold.",
        "Aki: daughters 0 + cards 0 = 0.",
        "Ben: daughters 4 + cards 0 = 4.",
        "Chie: daughters 0 + cards 0 = 0.",
        "Ben has the highest total and gets the point.",
        "Ben leads the next round.",
    ]


# One player left


def alone() -> Script:
    """Aki and Ben are knocked out at chip 4; Chie is left."""
    script = deal_first_round().says("Aki 98", "Ben 99", "Chie withdraws", "Aki withdraws")
    return script.says("Aki can't pay", "Ben can't pay")


def test_the_last_player_left_is_offered_the_point() -> None:
    """The companion offers to end the round at once; that player gets the point and leads."""
    script = alone()
    assert script.question_log_key == "Choose: Only one player is left. End the round?"
    assert script.open_question_limits["options"] == {
        "end_round": "End the round · the point goes to Chie",
        "play_on": "Play on",
    }
    script.says("table: end_round")
    assert point_counts(script) == [0, 0, 1]
    assert script.says("table: done").question_log_key == "Raise Chie: chip 4"


def test_playing_on_alone() -> None:
    """Refused, play goes on, and the offer isn't made again in this round."""
    script = alone().says("table: play_on")
    buy_chips(script, *["Chie"] * 9)
    assert point_counts(script) == [0, 0, 1]
    assert "Chie: daughters 81 + cards 5 = 86." in script.last_notes


def test_the_last_player_can_still_fall() -> None:
    """Playing on, the last one left can be knocked out too: nobody gets the point."""
    script = alone().says("table: play_on", "Chie 99", "Chie can't pay")
    assert point_counts(script) == [0, 0, 0]
    assert script.last_notes[-2:] == [
        "Everybody is knocked out: nobody gets the point.",
        "Aki leads the next round.",
    ]


def test_no_offer_to_a_last_player_without_cards() -> None:
    """The last one left without cards ends the round by that: a single highest total of 0 gets the point."""
    script = set_hand_size(deal_first_round(3, "Chie"), "Chie", 1)
    script.says("Chie 1", "Aki 98", "Ben 99", "Chie withdraws", "Aki withdraws")
    script.says("Chie pays other", "Aki can't pay", "Ben can't pay")
    assert point_counts(script) == [0, 0, 1]
    assert "Chie: daughters 0 + cards 0 = 0." in script.last_notes


def test_no_offer_after_the_last_chip() -> None:
    """After chip 13 there is nothing to end early."""
    script = buy_chips(deal_first_round(), *["Aki"] * 9)
    script.says("Aki 98", "Ben 99", "Chie withdraws", "Aki withdraws", "Aki can't pay", "Ben can't pay")
    assert script.question_log_key.startswith("Done: Shuffle")
    assert point_counts(script) == [0, 0, 1]


# The point


def test_chips_and_a_point_for_three_cards() -> None:
    """After chip 13 each scores the sum of chips won and one point per 3 cards still held."""
    script = buy_chips(deal_first_round(), "Aki", *["Ben"] * 9)
    assert script.last_notes == [
        "Aki: daughters 4 + cards 7 = 11.",
        "Ben: daughters 81 + cards 5 = 86.",
        "Chie: daughters 0 + cards 8 = 8.",
        "Ben has the highest total and gets the point.",
        "Ben leads the next round.",
    ]
    assert script.says("table: done").question_log_key == "Raise Ben: chip 4"


def test_a_tie_for_the_highest_total() -> None:
    """Nobody gets the point, and the winner of the round's last sold chip leads."""
    script = buy_chips(deal_first_round(), *["Aki"] * 5, *["Ben"] * 3, "Aki")
    set_hand_size(set_hand_size(script, "Aki", 4), "Ben", 4)
    buy_chips(script, "Ben")
    assert script.last_notes == [
        "Aki: daughters 42 + cards 1 = 43.",
        "Ben: daughters 43 + cards 0 = 43.",
        "Chie: daughters 0 + cards 8 = 8.",
        "Aki, Ben share the highest total: nobody gets the point.",
        "Ben leads the next round.",
    ]
    assert point_counts(script) == [0, 0, 0]
    assert script.says("table: done").question_log_key == "Raise Ben: chip 4"


def test_the_last_buyer_leads_even_if_knocked_out_later() -> None:
    """The winner of the last sold chip leads after a tie, even if knocked out later in the round."""
    script = buy_chips(deal_first_round(), *["Chie"] * 9).says(
        "Chie 99", "Aki withdraws", "Ben withdraws", "Chie can't pay"
    )
    assert script.last_notes[-2:] == [
        "Aki, Ben share the highest total: nobody gets the point.",
        "Chie leads the next round.",
    ]
    assert script.says("table: done").question_log_key == "Raise Chie: chip 4"


def test_nothing_sold_and_no_point() -> None:
    """Whoever led the round's first auction leads again."""
    script = deal_first_round(3, "Ben").says("Ben 99", "Chie withdraws", "Aki withdraws", "Ben can't pay")
    script.says("Chie 98", "Aki 99", "Chie withdraws", "Chie can't pay", "Aki can't pay")
    assert script.last_notes[-2:] == [
        "Everybody is knocked out: nobody gets the point.",
        "Ben leads the next round.",
    ]


def test_nothing_sold_but_a_point() -> None:
    """Who gets the point leads the next round, also when no chip was sold."""
    script = alone().says("table: end_round")
    assert script["box", "chip 4"] == 1
    assert script.says("table: done").question_log_key == "Raise Chie: chip 4"


# The next round and the end


def test_all_is_gathered_and_dealt_again() -> None:
    """Below 2 points all cards and chips are gathered and dealt again, and everyone is in again."""
    script = alone().says("table: end_round")
    assert (hand_sizes_of_script(script), script["bank", "card"], knocked_out_players(script)) == (
        [0, 0, 25],
        50,
        ["Aki", "Ben"],
    )
    heading = script.session.table.heading
    assert heading is not None
    assert render(heading) == "Round 2"
    script.says("table: done")
    assert (hand_sizes_of_script(script), script["bank", "card"], script["box", "card"]) == (
        [25, 25, 25],
        0,
        10,
    )
    assert all(script[f"market/{number}", f"chip {number}"] == 1 for number in CHIP_NUMBERS)
    assert knocked_out_players(script) == []


def test_corrected_pieces_are_gathered_too() -> None:
    """A card or chip that people put elsewhere by hand comes back in the next round."""
    script = buy_chips(deal_first_round(5), "Aki").says(
        "correct 1 card from Ben/hand to Emi/front: put down here"
    )
    script.says("correct 1 chip 9 from market/9 to bank: fell off the table")
    buy_chips(script, *["Aki"] * 9).says("table: done")
    assert hand_sizes_of_script(script) == [17] * 5
    assert script["market/9", "chip 9"] == 1


def test_a_chip_that_is_not_there_is_not_handed_out() -> None:
    """A chip that people took from the market by hand stays where they put it."""
    script = deal_first_round().says("correct 1 chip 4 from market/4 to Ben/front: bought before")
    buy_chips(script, "Aki")
    assert (script["Aki/front", "chip 4"], script["Ben/front", "chip 4"]) == (0, 1)


@pytest.mark.parametrize("place", ["bank", "Ben/hand"])
def test_a_leader_who_is_corrected_away_is_chosen_anew(place: str) -> None:
    """Where people took the leader's mark from all players by hand, the table says who leads the round."""
    script = Script(GAME, "Aki", "Ben", "Chie").says("table: Aki")
    script.says(f"correct 1 leader from Aki/front to {place}: whose was it?", "table: done")
    assert script.question_log_key == "Choose: Who leads the first auction?"
    script.says("table: Chie")
    assert (script.question_log_key, script[place, "leader"]) == ("Raise Chie: chip 4", 0)


def test_a_winner_gets_the_lead_from_wherever_people_put_it() -> None:
    """A leader's mark taken away by hand during an auction comes to its winner."""
    script = deal_first_round().says("Aki 1", "correct 1 leader from Aki/front to bank: whose was it?")
    script.says("Ben 2", "Chie withdraws", "Aki withdraws", "Aki pays other", "Ben pays other other")
    assert script.question_log_key == "Raise Ben: chip 5"


def test_the_table_chooses_though_the_mark_was_given_before() -> None:
    """A leader's mark handed out by hand before anybody was chosen goes to who is chosen."""
    script = Script(GAME, "Aki", "Ben", "Chie").says("correct 1 leader from box to Aki/front: she leads")
    script.says("table: Ben", "table: done")
    assert script.question_log_key == "Raise Ben: chip 4"


def test_two_points_win() -> None:
    """The first with two points wins the match."""
    script = buy_chips(deal_first_round(), *["Aki"] * 10).says("table: done")
    buy_chips(script, *["Aki"] * 10)
    assert script.question_log_key == ""
    assert script.last_notes[-2:] == [
        "Aki has the highest total and gets the point.",
        "Aki wins the match.",
    ]
    assert script.result_json["winners"] == ["Aki"]


def test_the_score_sheet() -> None:
    """Ranked by points, 1224, which alone count; for information what the last round brought."""
    script = deal_first_round(4)
    for name in ("Chie", "Ben", "Aki", "Aki"):
        buy_chips(script, *[name] * 10)
        if script.question_log_key:
            script.says("table: done")
    assert [(row["seat"], row["rank"], row["total"]) for row in script.result_json["standings"]] == [
        ("Aki", 1, 2),
        ("Ben", 2, 1),
        ("Chie", 2, 1),
        ("Dai", 4, 0),
    ]
    assert [row["lines"] for row in script.result_json["standings"]][:2] == [
        [
            {"label": "points", "value": 2, "counts": True},
            {"label": "last round: daughters", "value": 85, "counts": False},
            {"label": "last round: bonus for 11 cards", "value": 3, "counts": False},
            {"label": "last round: total", "value": 88, "counts": False},
        ],
        [
            {"label": "points", "value": 1, "counts": True},
            {"label": "last round: daughters", "value": 0, "counts": False},
            {"label": "last round: bonus for 21 cards", "value": 7, "counts": False},
            {"label": "last round: total", "value": 7, "counts": False},
        ],
    ]


def test_the_score_sheet_of_the_knocked_out() -> None:
    """Who was knocked out in the last round keeps the chips on the sheet, and a total of 0 that says why."""
    script = buy_chips(deal_first_round(), *["Aki"] * 10).says("table: done")
    buy_chips(script, *["Ben"] * 9).says("Ben 99", "Chie withdraws", "Aki withdraws")
    set_hand_size(script, "Chie", 6).says("Ben can't pay")
    assert script.result_json["winners"] == ["Aki"]
    assert script.result_json["standings"][1] == {
        "seat": "Ben",
        "rank": 2,
        "out": False,
        "total": 0,
        "why": None,
        "lines": [
            {"label": "points", "value": 0, "counts": True},
            {"label": "last round: daughters", "value": 72, "counts": False},
            {"label": "last round: bonus for 0 cards", "value": 0, "counts": False},
            {"label": "last round: knocked out", "value": 0, "counts": False},
        ],
    }
