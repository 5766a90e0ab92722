"""Mammon sentence by sentence: parts, wagers, the start player, the auction, arming, the score sheet."""

import pytest

from companion.cards import shipped_deck
from companion.errors import UserError, WouldUndoReveal
from companion.games.mammon.board import MARKET
from companion.games.mammon.rulebook import GAME, HAND_QUOTA
from companion.requests import Amount, Counts, Together
from companion.session.view import list_history_entries, movable_holdings_by_place
from companion.testing import Script
from companion.texts import render
from tests.support.games.mammon_helpers import (
    COLOURS,
    NAMES,
    asked_players,
    begin_battle,
    begin_market,
    begin_start_auction,
    buy_until_market_closes,
    counts_by_player,
    filled_market_slots,
    option_keys,
    own_coin_counts,
    set_treasury,
    treasury_by_owner,
    wager_in_turn,
)
from tests.support.games.script_helpers import correct_count, question_heading, set_count
from tests.support.refusals import options_named_in_refusal
from tests.support.terminal_sessions import begin_session, play_lines

every_count = pytest.mark.parametrize("players", [2, 3, 4, 5])


def limits(script: Script) -> list[dict[str, object]]:
    """What each of those asked at once may answer."""
    assert isinstance(script.question, Together)
    return [part.limits_json for part in script.question.parts_by_seat.values()]


# Parts and preparation


@pytest.mark.parametrize("players", [1, 6])
def test_how_many_play(players: int) -> None:
    """Two to five play."""
    with pytest.raises(UserError, match=f"^Mammon is for 2 to 5 players, not {players}.$"):
        Script(GAME, *(*NAMES, "Fumi")[:players])


@every_count
def test_the_coins(players: int) -> None:
    """Everybody takes 20 coins of the own colour; colours of nobody stay in the box."""
    script = Script(GAME, *NAMES[:players])
    assert own_coin_counts(script, "treasury") == [20] * players
    totals = script.session.table.ledger.total_by_piece_key()
    assert {key: count for key, count in totals.items() if key.endswith(" coin")} == {
        f"{colour} coin": 20 for colour in COLOURS[:players]
    }


def test_the_cards() -> None:
    """18 mercenary cards: 9 kinds, 2 of each, all face down in a row."""
    kinds = {design.id: design.copies for design in shipped_deck("mammon").designs}
    assert kinds == dict.fromkeys(
        ["mansion", "ambush", "spy", "retreat", "command", "exchange", "confusion", "resolve", "dung"], 2
    )
    assert not shipped_deck("mammon").provisional
    assert filled_market_slots(Script(GAME, *NAMES[:2])) == list(range(1, 19))


def test_the_row_is_laid_first() -> None:
    """Before anything else the table lays the row and takes the coins; then the first card is turned up."""
    script = Script(GAME, *NAMES[:3])
    assert script.question_log_key == (
        "Done: Lay the shuffled cards in a row, face down; everybody takes 20 coins of a colour."
    )
    script.says("table: done")
    assert script.last_notes == ["The first market card lies face up beside the others."]
    assert script["turned up", "card"] == 1
    assert question_heading(script) == "Start player"


# A wager


@every_count
def test_everybody_wagers_at_once(players: int) -> None:
    """Everybody concerned bets any number of treasury coins, 0 too; nothing is known until all are in."""
    script = begin_start_auction(players)
    assert asked_players(script) == list(NAMES[:players])
    assert limits(script) == [{"least": 0, "most": 20, "step": 1}] * players
    bets_but_one = [f"{name} 0" for name in NAMES[: players - 1]]
    script.says(*bets_but_one)
    assert (script.history_texts[1:], own_coin_counts(script, "bet")) == ([], [0] * players)
    script.says(f"{NAMES[players - 1]} 20")
    assert script.last_notes[0] == f"{NAMES[players - 1]} is the start player."


def test_a_bet_can_be_replaced_until_all_are_in() -> None:
    """A hand may be opened and closed again as long as one is missing."""
    script = begin_start_auction().says("Aki 3", "Ben 5", "Aki 7", "Chie 1")
    assert script.last_notes == ["Aki is the start player."]


def test_the_winner_of_a_wager_pays_the_others_take_their_coins_back() -> None:
    """The winner's bet goes to the bank, the losers' bets back to their treasuries."""
    script = begin_start_auction().says("Aki 3", "Ben 5", "Chie 1")
    assert own_coin_counts(script, "treasury") == [20, 15, 20]
    assert script["bank", "sky coin"] == 5
    assert own_coin_counts(script, "bet") == [0, 0, 0]


def test_a_wager_is_undone_only_on_purpose() -> None:
    """What was revealed can't be unseen: undo asks first."""
    script = begin_market()
    with pytest.raises(WouldUndoReveal):
        script.says("undo")
    script.says("undo past a reveal")
    assert script.question_log_key == "Together Aki Ben Chie: Start wager 1"
    assert script.moves_by_hand == [
        "1 of Aki's coins from bank back to Aki's treasury",
        "1 card from Aki's hand back to turned up",
    ]


# Start player


@pytest.mark.parametrize("starter", NAMES)
def test_one_winner_is_the_start_player(starter: str) -> None:
    """A lone winner pays, takes the card turned up and is the start player."""
    script = begin_market(5, starter)
    at = NAMES.index(starter)
    assert counts_by_player(script, "hand", "card") == [int(seat == at) for seat in range(5)]
    assert counts_by_player(script, "front", "start player") == [int(seat == at) for seat in range(5)]
    assert own_coin_counts(script, "treasury")[at] == 19
    assert asked_players(script) == [NAMES[(at + 1) % 5]]


def test_those_who_tie_wager_again() -> None:
    """Several winners: coins back, the next card, and only those tied wager again."""
    script = begin_start_auction(4).says("Aki 4", "Ben 2", "Chie 4", "Dai 0")
    assert script.last_notes == [
        "Aki, Chie tie and bet again.",
        "The first market card lies face up beside the others.",
    ]
    assert own_coin_counts(script, "treasury") == [20, 20, 20, 20]
    assert script.question_log_key == "Together Aki Chie: Start wager 2"
    script.says("Aki 6", "Chie 6")
    assert script.question_log_key == "Together Aki Chie: Start wager 3"
    script.says("Aki 0", "Chie 1")
    assert script.last_notes == ["Chie is the start player."]
    assert script["Chie/hand", "card"] == 3, "all the cards turned up so far"
    assert own_coin_counts(script, "treasury") == [20, 20, 19, 20]


def test_nobody_bets() -> None:
    """All bid 0: the next card, and the same players wager again, also those who tied before."""
    script = begin_start_auction().says("Aki 0", "Ben 0", "Chie 0")
    assert script.last_notes == [
        "Nobody made a bet, so everybody bets again.",
        "The first market card lies face up beside the others.",
    ]
    assert script.question_log_key == "Together Aki Ben Chie: Start wager 2"
    script.says("Aki 1", "Ben 1", "Chie 0", "Aki 0", "Ben 0")
    assert script.question_log_key == "Together Aki Ben: Start wager 4"
    script.says("Aki 1", "Ben 0")
    assert script["Aki/hand", "card"] == 4


def test_start_wagers_go_on_without_a_card() -> None:
    """With no card left the wagers go on without one, and the auction has nothing to sell."""
    script = begin_start_auction(2)
    for _ in range(18):
        script.says("Aki 0", "Ben 0")
    assert script.last_notes == ["Nobody made a bet, so everybody bets again."]
    assert script.question_log_key == "Together Aki Ben: Start wager 19"
    script.says("Aki 2", "Ben 5")
    assert counts_by_player(script, "hand", "card") == [0, 18]
    assert script.question_log_key == "Together Aki Ben: Arming"


def test_cards_from_the_start_wagers_count_for_the_quota() -> None:
    """The cards turned up count for the quota, and more than the quota is kept."""
    script = begin_start_auction(2)
    for _ in range(6):
        script.says("Aki 0", "Ben 0")
    script.says("Aki 1", "Ben 0")
    assert script["Aki/hand", "card"] == 7
    buy_until_market_closes(script)
    assert counts_by_player(script, "hand", "card") == [7, 6]
    assert script["Ben/front", "card played"] == 0


# Phase 1: whose turn


def test_the_auction_begins_at_the_left_of_the_start_player() -> None:
    """From the left of the start player, clockwise."""
    script, turns = begin_market(3, "Ben"), []
    for _ in range(6):
        turns.append(asked_players(script)[0])
        head_bought(script)
    assert turns == ["Chie", "Aki", "Ben"] * 2
    assert question_heading(script) == "Auction phase"


def head_bought(script: Script) -> Script:
    """One turn: surveys what comes first and buys the head."""
    name = asked_players(script)[0]
    while asked_players(script) == [name] and "Buy" not in script.question_log_key:
        script.says(f"{name}: {option_keys(script)[0]}")
    return script.says(f"{name}: {filled_market_slots(script)[0]}")


@every_count
def test_the_quota(players: int) -> None:
    """2 players take 6 cards, 3: 5, 4: 4, 5: 3; the rest goes to the box unseen, its coins to the bank."""
    script = buy_until_market_closes(begin_market(players))
    quota = {2: 6, 3: 5, 4: 4, 5: 3}[players]
    assert HAND_QUOTA[players] == quota
    assert counts_by_player(script, "hand", "card") == [quota] * players
    assert script["box", "card"] == 18 - players * quota
    assert filled_market_slots(script) == []
    assert all(script[f"market/{slot}", f"{COLOURS[0]} coin"] == 0 for slot in range(1, 19))
    held = [sum(treasury_by_owner(script, name).values()) for name in NAMES[:players]]
    banked = sum(script["bank", f"{colour} coin"] for colour in COLOURS[:players])
    assert sum(held) + banked == 20 * players


def test_whoever_has_the_quota_is_skipped() -> None:
    """Players at their quota take no turn."""
    script = begin_start_auction(3)
    for _ in range(4):
        script.says("Aki 0", "Ben 0", "Chie 0")
    script.says("Aki 0", "Ben 1", "Chie 0")
    turns = []
    for _ in range(4):
        turns.append(asked_players(script)[0])
        head_bought(script)
    assert turns == ["Chie", "Aki", "Chie", "Aki"]


def test_the_auction_ends_when_the_market_is_empty() -> None:
    """Ends when the market is empty, though somebody hasn't got the quota."""
    script = begin_start_auction(2)
    for _ in range(16):
        script.says("Aki 0", "Ben 0")
    script.says("Aki 1", "Ben 0")
    assert asked_players(script) == ["Ben"]
    head_bought(script)
    assert script.question_log_key == "Together Aki Ben: Arming"
    assert counts_by_player(script, "hand", "card") == [17, 1]


# Phase 1: survey


def test_two_cards_are_surveyed() -> None:
    """Two different cards are looked at, put back, and get an own coin each."""
    script = begin_market()
    assert script.question_log_key == "Choose Ben: Survey a first card"
    assert option_keys(script) == [str(slot) for slot in range(2, 19)]
    script.says("Ben: 7")
    assert script.question_log_key == "Choose Ben: Survey a second card"
    assert option_keys(script) == [str(slot) for slot in range(2, 19) if slot != 7]
    script.says("Ben: 2")
    assert script.question_log_key == "Choose Ben: Buy a card"
    assert (script["market/7", "sky coin"], script["market/2", "sky coin"]) == (1, 1)
    assert own_coin_counts(script, "treasury") == [19, 18, 20]
    assert filled_market_slots(script) == list(range(2, 19))


@pytest.mark.parametrize("line", ["Ben: 1", "Ben: 19", "Ben: no more", "Ben: pass"])
def test_too_few_are_surveyed(line: str) -> None:
    """One that isn't in the market, or too few are refused."""
    assert options_named_in_refusal(begin_market().says("Ben: 7").refuses(line))[:3] == ["2", "3", "4"]


@pytest.mark.parametrize("line", ["Ben: 1", "Ben: 19", "Ben: pass"])
def test_a_purchase_is_of_a_card_in_the_market(line: str) -> None:
    """One must buy, and only what lies there."""
    assert options_named_in_refusal(begin_market().says("Ben: 7", "Ben: 8").refuses(line))[:3] == [
        "2",
        "3",
        "4",
    ]


def test_an_option_says_where_the_card_lies_and_what_it_would_cost() -> None:
    """A card is called by its position now, with the number of cards before it; its key stays."""
    script = begin_market().says("Ben: 2", "Ben: 3", "Ben: 2")
    assert script.open_question_limits["options"]["3"] == "market card 1 · costs 0"
    assert script.open_question_limits["options"]["18"] == "market card 16 · costs 15"


def test_a_surveyed_card_is_not_surveyed_again() -> None:
    """A card with an own coin isn't surveyed, though it is listed; one with another's coin is."""
    script = begin_market(2).says("Ben: 5")
    assert script.refuses("Ben: 5") == "Already surveyed."
    script.says("Ben: 6", "Ben: 2", "Aki: 5", "Aki: 7", "Aki: 3")
    assert script.refuses("Ben: 5") == "Already surveyed."


def test_the_number_of_a_choice_is_the_position() -> None:
    """Whoever types or presses 3 means the third card of the row, whatever was surveyed or bought."""
    script = begin_market(2).says("Ben: 5", "Ben: 6", "Ben: 4", "Aki: 7")
    assert script.question_log_key == "Choose Aki: Survey a second card"
    for number, option in enumerate(script.open_question_limits["options"].values(), 1):
        assert option == f"market card {number} · costs {number - 1}"


@pytest.mark.parametrize(
    ("coins", "new", "surveys"), [(20, 16, 2), (2, 5, 2), (1, 5, 1), (0, 5, 0), (4, 1, 1), (4, 0, 0)]
)
def test_how_many_are_surveyed(coins: int, new: int, surveys: int) -> None:
    """min(2, market cards without an own coin, own coins in the treasury) cards, no fewer."""
    script = begin_market(2, "Ben")
    set_treasury(script, "Ben", own=coins + 16 - new)
    for slot in range(3 + new, 19):
        correct_count(script, 1, "sky coin", "Ben/treasury", f"market/{slot}")
    head_bought(script)
    asks = []
    while "Survey" in script.question_log_key:
        asks.append(script.question_log_key)
        script.says(f"Ben: {option_keys(script)[0]}")
    assert asks == ["Choose Ben: Survey a first card", "Choose Ben: Survey a second card"][:surveys]
    assert script.question_log_key == "Choose Ben: Buy a card"


# Phase 1: purchase


def surveyed(players: int = 3) -> Script:
    """Ben has looked at market 17 and 18 and may buy."""
    return begin_market(players).says("Ben: 17", "Ben: 18")


def test_the_head_is_free() -> None:
    """The head of the market costs nothing."""
    script = surveyed().says("Ben: 2")
    assert own_coin_counts(script, "treasury") == [19, 18, 20]
    assert script["Ben/hand", "card"] == 1
    assert asked_players(script) == ["Chie"]


def test_the_price_is_the_number_of_cards_before_it() -> None:
    """Each card before it costs a coin, to the bank; any card may be bought, surveyed or not."""
    script = surveyed().says("Ben: 9")
    assert own_coin_counts(script, "treasury") == [19, 11, 20]
    assert script["bank", "sky coin"] == 7


def test_the_row_closes_up() -> None:
    """Positions and prices are counted again after a purchase; coins stay on their cards."""
    script = surveyed().says("Ben: 9", "Chie: 3", "Chie: 4")
    assert script.open_question_limits["options"]["17"] == "market card 15 · costs 14"
    assert script.open_question_limits["options"]["8"] == "market card 7 · costs 6"
    script.says("Chie: 17")
    assert script.last_notes == ["Chie buys market card 15 for 14."]
    assert treasury_by_owner(script, "Chie") == {"Chie": 4, "Ben": 1}
    assert script["market/18", "sky coin"] == 1


def test_by_hand_a_card_comes_back_to_where_it_lay() -> None:
    """Undo names the position that the card will have, redo the one that it has; so do coins on it."""
    script = surveyed().says("Ben: 9", "Chie: 3", "Chie: 4", "Chie: 17")
    assert [render(text) for text in script.session.undo()] == [
        "1 of Ben's coins from Chie's treasury back to market 15",
        "14 of Chie's coins from bank back to Chie's treasury",
        "1 card from Chie's hand back to market 15",
    ]
    assert "1 card from market 15 to Chie's hand" in [render(text) for text in script.session.redo()]


def test_a_card_is_corrected_by_the_number_that_it_has_now() -> None:
    """On the terminal and in the history; what was bought leaves no place but the last to lay a card down."""
    script = surveyed().says("Ben: 9", "Chie: 3", "Chie: 4")
    session = script.session
    assert "Corrected." in play_lines(session, "correct 1 card from market 14 to discard pile: torn")
    assert session.table.ledger.find_account_by_keys("market/16", "card").count == 0
    assert (
        render(list_history_entries(session)[-2].text)
        == "Corrected: 1 card from market 14 to discard pile (torn)"
    )
    slots, lies = session.table.ledger.current_slot_by_place(), movable_holdings_by_place(session)
    there = [
        (render(slots.get(place, place)), bool(held)) for place, held in lies.items() if place.name == MARKET
    ]
    assert [name for name, held in there if held] == [f"market {n}" for n in range(1, 16)]
    assert len([name for name, held in there if not held]) == 1


def test_the_terminal_counts_the_row_anew() -> None:
    """Each card of the market stands there with its number now and the coins on it."""
    session = begin_session(GAME, "Aki", "Ben")
    text = play_lines(session, "", "2", "1", "2", "3", "2", "state")
    row = next(line for line in reversed(text.splitlines()) if line.startswith("    market"))
    assert row.startswith("    market   1: card · 2: card + Ben's coin · 3: card · ")
    assert row.endswith(" · 16: card")
    assert (
        "  1  market card 1 · costs 0\n  2  market card 2 · costs 1\n" in text.rpartition("Survey a first")[2]
    )


def test_coins_on_the_card_can_not_pay_for_it() -> None:
    """The coins on a card come with it, but not before it is paid for."""
    script = begin_market(2).says("Ben: 17")
    correct_count(script, 16, "sky coin", "Ben/treasury", "market/18")
    script.says("Ben: 6")
    assert option_keys(script) == ["2", "3", "4"]
    assert script.refuses("Ben: 18") == "Too dear."


def test_the_coins_on_a_card_come_with_it() -> None:
    """Own coins come back as own, others become foreign."""
    script = begin_market(3).says("Ben: 2", "Ben: 3", "Ben: 18", "Chie: 2", "Chie: 3", "Chie: 17")
    script.says("Aki: 2", "Aki: 3", "Aki: 2")
    assert treasury_by_owner(script, "Aki") == {"Aki": 18, "Ben": 1, "Chie": 1}
    assert [script["market/2", f"{colour} coin"] for colour in COLOURS[:3]] == [0, 0, 0]


# Phase 1: payment


def buyer(price: int = 5, own_coins: int = 9, **foreign: int) -> Script:
    """Ben buys a card for this price, and holds these coins."""
    script = begin_market(4, "Chie")
    for _ in range(2):
        head_bought(script)
    set_treasury(script, "Ben", own=own_coins + 2, **foreign)
    script.says("Ben: 17", "Ben: 18")
    return script.says(f"Ben: {filled_market_slots(script)[price]}")


def test_a_price_is_paid_in_own_and_foreign_coins() -> None:
    """Who holds foreign coins says how many own and foreign ones are paid, each worth 1."""
    script = buyer(5, 9, Aki=3)
    assert script.question_log_key == "Counts Ben: Payment for market/9"
    assert script.open_question_limits["counts"] == {"own": 9, "foreign": 3}
    assert (script.open_question_limits["least"], script.open_question_limits["most"]) == (5, 5)
    script.says("Ben: own 3, foreign 2")
    assert treasury_by_owner(script, "Ben") == {"Ben": 6, "Aki": 1}
    assert script["bank", "orange coin"] == 2


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Ben: own 4", "The sum is 4; it must be exactly 5."),
        ("Ben: own 4, foreign 2", "The sum is 6; it must be exactly 5."),
        ("Ben: nothing", "The sum is 0; it must be exactly 5."),
        ("Ben: own 1, foreign 4", "foreign coins can be at most 3."),
        ("Ben: own 10", "own coins can be at most 9."),
        ("Ben: own 6, foreign -1", "foreign coins must be at least 0."),
        ("Ben can't", "Ben must answer with numbers."),
    ],
)
def test_a_price_not_matched(line: str, why: str) -> None:
    """A payment that isn't the price, or that isn't held, is refused."""
    assert buyer(5, 9, Aki=3).refuses(line) == why


def test_own_coins_only_are_not_asked_for() -> None:
    """Who holds no foreign coins just pays."""
    script = buyer(5, 9)
    assert asked_players(script) == ["Chie"]
    assert treasury_by_owner(script, "Ben") == {"Ben": 4}


@pytest.mark.parametrize(("own_coins", "left"), [(2, {}), (0, {"Aki": 2})])
def test_a_payment_without_a_choice_is_not_asked_for(own_coins: int, left: dict[str, int]) -> None:
    """Where only one payment is possible it is made."""
    script = buyer(5, own_coins, Aki=5 - own_coins + sum(left.values()))
    assert asked_players(script) == ["Chie"]
    assert treasury_by_owner(script, "Ben") == left


def test_nothing_is_asked_for_the_head() -> None:
    """A card that is free is not paid for, whatever is held."""
    assert asked_players(buyer(0, 9, Aki=3)) == ["Chie"]


def test_foreign_coins_are_paid_from_the_most_numerous_colour() -> None:
    """Coin by coin from the foreign colour held most of at that moment; equal: the next seat clockwise."""
    script = buyer(5, 9, Aki=4, Chie=1, Dai=2).says("Ben: own 2, foreign 3")
    assert script.question_log_key == "Counts Ben: Payment for market/9: which foreign coins?"
    assert script.open_question_limits["cant"]
    script.says("Ben can't")
    assert script.history_texts[-1] == "Ben: most common colour first"
    assert treasury_by_owner(script, "Ben") == {"Ben": 7, "Aki": 2, "Chie": 1, "Dai": 1}


def test_another_split_may_be_entered() -> None:
    """The payer may say which foreign coins are paid."""
    script = buyer(5, 9, Aki=4, Chie=1, Dai=2).says("Ben: own 2, foreign 3")
    assert script.open_question_limits["counts"] == {"green": 1, "vermilion": 2, "orange": 4}
    assert script.refuses("Ben: green 2, orange 1") == "Chie's coin can be at most 1."
    assert script.refuses("Ben: green 1, orange 1") == "The sum is 2; it must be exactly 3."
    script.says("Ben: green 1, orange 2")
    assert treasury_by_owner(script, "Ben") == {"Ben": 7, "Aki": 2, "Dai": 2}


@pytest.mark.parametrize(
    ("foreign", "given"), [({"Aki": 3}, 2), ({"Aki": 2, "Dai": 1}, 3), ({"Aki": 2, "Dai": 1}, 0)]
)
def test_a_split_without_a_choice_is_not_asked_for(foreign: dict[str, int], given: int) -> None:
    """The split is asked only if more than one exists."""
    script = buyer(5, 9, **foreign).says(f"Ben: own {5 - given}, foreign {given}")
    assert asked_players(script) == ["Chie"]


# Phase 2


def to_arm(players: int = 3) -> Script:
    """The auction is over."""
    return buy_until_market_closes(begin_market(players))


@every_count
def test_everybody_arms_at_once(players: int) -> None:
    """Everyone turns own coins into strength at once; nothing is known until all are in."""
    script = to_arm(players)
    assert asked_players(script) == list(NAMES[:players])
    assert question_heading(script) == "Arming"
    held = own_coin_counts(script, "treasury")
    script.says(*(f"{name} 2" for name in NAMES[: players - 1]))
    assert own_coin_counts(script, "strength") == [0] * players
    script.says(f"{NAMES[players - 1]} 3")
    assert own_coin_counts(script, "strength") == [2] * (players - 1) + [3]
    assert own_coin_counts(script, "treasury") == [coins - 2 for coins in held[:-1]] + [held[-1] - 3]


def test_arming_with_foreign_coins() -> None:
    """Only own coins arm: what is foreign in the treasury can't."""
    script = to_arm()
    set_treasury(script, "Aki", own=4, Ben=5)
    assert script.refuses("Aki 5") == "Aki's treasury has only 4 of Aki's coins."
    assert script.refuses("Aki -1") == "Aki must answer at least 0."
    assert all(isinstance(part, Amount) for part in script.question.parts_by_seat.values())
    script.says("Aki 4", "Ben 1", "Chie 1")
    assert treasury_by_owner(script, "Aki") == {"Ben": 5}


def test_the_question_says_what_0_means() -> None:
    """Whoever arms 0 is out, and reads so before."""
    script = to_arm()
    texts = {render(part.text) for part in script.question.parts_by_seat.values()}
    assert texts == {"How many coins of your colour become strength? With 0 you are out."}


def test_0_is_confirmed_before_the_envelope_closes() -> None:
    """An entry of 0 when arming is asked about as part of the entry."""
    script = to_arm()
    doubts = [part.confirmation_for(0) for part in script.question.parts_by_seat.values()]
    sure = {render(doubt) for doubt in doubts if doubt}
    assert sure == {"With 0 strength you are out before the first battle. Do you really want 0?"}


# Wagers later


def test_a_wager_in_own_and_foreign_coins() -> None:
    """Who holds foreign coins counts both; who holds none names a number; strength can't be bet."""
    script = begin_battle(5, 5, 5)
    set_treasury(script, "Aki", own=4, Ben=2, Chie=1)
    script.says("Aki: battle_1")
    parts = list(script.question.parts_by_seat.values())
    assert [type(part) for part in parts] == [Counts, Amount, Amount]
    assert limits(script)[0]["counts"] == {"own": 4, "foreign": 3}
    assert (limits(script)[0]["least"], limits(script)[0]["most"]) == (0, None)
    assert limits(script)[1]["most"] == own_coin_counts(script, "treasury")[1]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki: own 5", "own coins can be at most 4."),
        ("Aki: foreign 4", "foreign coins can be at most 3."),
        ("Aki: own -1, foreign 1", "own coins must be at least 0."),
        ("Ben 14", "Ben's treasury has only 13 of Ben's coins."),
        ("Ben -1", "Ben must answer at least 0."),
        ("Ben many", "Ben must answer with a whole number."),
    ],
)
def test_a_wager_above_the_treasury(line: str, why: str) -> None:
    """A bet above what the treasury holds is refused."""
    script = begin_battle(5, 5, 5)
    set_treasury(script, "Aki", own=4, Ben=2, Chie=1)
    assert script.says("Aki: battle_1").refuses(line) == why


def test_a_start_wager_above_the_treasury() -> None:
    """Nobody can bet more than 20 for the start."""
    assert begin_start_auction().refuses("Aki 21") == "Aki's treasury has only 20 of Aki's coins."


def test_a_bet_that_no_longer_fits_is_made_again() -> None:
    """Coins taken from a treasury by hand: whose hand held more bets again, once all are open."""
    script = begin_start_auction().says("Aki 20", "Ben 2")
    correct_count(script, 1, "orange coin", "Aki/treasury", "bank")
    script.says("Chie 3")
    assert script.question_log_key == "Amount Aki: How many coins do you bet? 0 is no bet."
    assert script.last_notes == ["Only Aki must answer again: Aki's treasury has only 19 of Aki's coins."]
    script.says("Aki 19")
    assert script.last_notes == ["Aki is the start player."]


# What people do by hand


def test_a_market_without_cards() -> None:
    """Where the last card is taken away by hand nothing is surveyed or bought, and the auction ends."""
    script = begin_start_auction(2)
    for _ in range(16):
        script.says("Aki 0", "Ben 0")
    script.says("Aki 1", "Ben 0")
    set_count(script, 0, "card", "market/18", "box")
    assert script.question_log_key == "Together Aki Ben: Arming"
    assert script["bank", "sky coin"] == 0


def test_the_start_player_is_who_has_the_marker() -> None:
    """Whoever gets the start player's marker by hand begins Armageddon."""
    script = to_arm()
    script.says("correct 1 start player from Aki/front to Ben/front: mixed up", "Aki 1", "Ben 1", "Chie 1")
    assert asked_players(script) == ["Ben"]


def test_without_a_start_player_the_first_seat_begins() -> None:
    """Where the marker was taken away by hand, and nobody brings it back."""
    script = to_arm()
    script.says("correct 1 start player from Aki/front to box: lost", "Aki 1", "Ben 1", "Chie 1")
    assert asked_players(script) == ["Aki"]


# The score sheet


def test_the_score_sheet() -> None:
    """Ranked by elimination, later is better, which is said; total: strength; the rest is for information."""
    script = begin_battle(5, 2, 0, 1)
    assert script.last_notes == ["Chie has no strength left and is eliminated: all cards and coins go back."]
    set_treasury(script, "Aki", own=10)
    script.says("Aki: mansion", "Ben: battle_2")
    wager_in_turn(script, [2, 0, 3])
    script.says("Ben pass", "Dai spy", "Aki pass", "Ben pass", "Dai pass")
    assert script.last_notes[-1] == "Ben has no strength left and is eliminated: all cards and coins go back."
    script.says("Dai: battle_1")
    wager_in_turn(script, [0, 4])
    script.says("Dai pass", "Aki pass")
    assert script.result_json == {
        "winners": ["Aki"],
        "standings": [
            standing("Aki", 1, 5, (2, 8, 1, 8), None),
            standing("Dai", 2, 0, (1, 0, 1, 0), "number 3 to go out"),
            standing("Ben", 3, 0, (0, 0, 0, 0), "number 2 to go out"),
            standing("Chie", 4, 0, (0, 0, 0, 0), "number 1 to go out"),
        ],
    }


def standing(
    name: str, rank: int, strength: int, apart: tuple[int, int, int, int], why: str | None
) -> dict[str, object]:
    """A row of the score sheet: strength counts, the rest is for information."""
    labels = ("battles won", "coins paid in bets", "cards played", "treasury")
    lines = [("strength", strength), *zip(labels, apart, strict=True)]
    return {
        "seat": name,
        "rank": rank,
        "out": rank > 1,
        "total": strength,
        "why": why,
        "lines": [{"label": what, "value": number, "counts": what == "strength"} for what, number in lines],
    }


def test_everybody_arms_nothing() -> None:
    """If nobody is left, those eliminated last share the win."""
    script = begin_battle(0, 0, 0)
    assert script.result_json["winners"] == ["Aki", "Ben", "Chie"]
    assert {row["rank"] for row in script.result_json["standings"]} == {1}


def test_the_last_ones_fall_together() -> None:
    """Those who fall together at the end share the win; who fell before ranks after them."""
    script = begin_battle(1, 1, 0)
    script.says("Aki: battle_1", "Aki 0", "Ben 0", "Aki pass", "Ben pass")
    assert script.result_json["winners"] == ["Aki", "Ben"]
    assert [(row["seat"], row["rank"], row["out"]) for row in script.result_json["standings"]] == [
        ("Aki", 1, False),
        ("Ben", 1, False),
        ("Chie", 3, True),
    ]


def test_those_eliminated_together_rank_equally() -> None:
    """Eliminated together is equal."""
    script = begin_battle(3, 0, 0, 0)
    assert [(row["seat"], row["rank"]) for row in script.result_json["standings"]] == [
        ("Aki", 1),
        ("Ben", 2),
        ("Chie", 2),
        ("Dai", 2),
    ]
