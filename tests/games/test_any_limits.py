"""Limits of Any Game fit each other, and are above the largest numbers of games that people own."""

from __future__ import annotations

import json

from msgspec.structs import replace

from companion.bounds import MAX_ENTERED_NUMBER, MAX_NUMBER
from companion.files.bounded_json import MAX_JSON_NUMBER
from companion.games.any_game.limits import MAX_AMOUNT, MAX_VALUE_OF_ONE
from companion.games.any_game.rulebook import GAME
from companion.jsonlines import JsonSession
from companion.log.events import PutAway
from companion.log.log import MemoryLog
from companion.logtext import format_log_text, parse_log_text
from companion.rules.game import NumberOption
from companion.session.session import Session
from tests.any_game_presets import read
from tests.support.games.any_game_helpers import (
    COIN_CARD,
    NAMES,
    begin_with_cards,
    begin_with_cards_and_coins,
    purse_counts,
    question_text,
    rank_and_total_by_player,
    rules_card,
    template_card,
)

AMOUNT_FIELDS = {
    *("start", "supply", "treasury", "debts", "income", "salary", "small_blind", "big_blind"),
    *("step", "reserve", "target", "hit", "bag_penalty", "first", "second", "third"),
    *("highest", "lowest", "multiple", "reached_at", "gives", "round_sum"),
}
VALUE_OF_ONE_FIELDS = {
    *("worth", "note", "each", "miss", "each_missed", "always", "over", "zero_hit", "zero_miss"),
}
MINUTES_FIELDS = {"level_minutes"}
MAX_MINUTES = 240
SMALL_NUMBER = 100
"""Fields up to this number count rounds, dice, seats, steps of a track or percent."""


def test_a_template_has_one_set_of_limits() -> None:
    """Every amount goes as far as an answer, every value of one piece as far as the others."""
    deck = read(f"[[card]]\n{COIN_CARD}", "own.toml")
    most_by_field = {key: field.most for key, field in deck.fields.items() if not field.choices}
    assert {key for key, most in most_by_field.items() if most == MAX_AMOUNT} == AMOUNT_FIELDS
    assert {key for key, most in most_by_field.items() if most == MAX_VALUE_OF_ONE} == VALUE_OF_ONE_FIELDS
    assert {key for key, most in most_by_field.items() if most == MAX_MINUTES} == MINUTES_FIELDS
    others = most_by_field.keys() - AMOUNT_FIELDS - VALUE_OF_ONE_FIELDS - MINUTES_FIELDS
    assert max(most_by_field[key] for key in others) <= SMALL_NUMBER
    for key in AMOUNT_FIELDS | VALUE_OF_ONE_FIELDS:
        assert deck.fields[key].least in (0, 1, -deck.fields[key].most), key


def test_what_is_allowed_can_be_typed_counted_and_saved() -> None:
    """The highest bid is as high as a payment; no product of two limits is more than the core can hold."""
    (highest_bid,) = (option for option in GAME.options if option.key == "most")
    assert isinstance(highest_bid, NumberOption)
    assert highest_bid.most == MAX_AMOUNT == MAX_ENTERED_NUMBER
    shares = read(f"[[card]]\n{COIN_CARD}", "own.toml").fields["shares"].most
    assert MAX_VALUE_OF_ONE * shares <= MAX_NUMBER
    assert MAX_VALUE_OF_ONE * MAX_AMOUNT <= MAX_JSON_NUMBER


HUGE_BID = 500_000_000
BIDS_WITHOUT_PURSES = rules_card(auction="open", limit="nothing")


def test_a_bid_without_a_purse_is_no_higher_than_people_can_type() -> None:
    """After the highest bid that anybody can type, the others can only pass."""
    script = begin_with_cards_and_coins(BIDS_WITHOUT_PURSES).says("table: auction")
    assert script.refuses(f"Aki {HUGE_BID}") == f"Aki can bid at most {MAX_AMOUNT}."
    script.says(f"Aki {MAX_AMOUNT}")
    assert question_text(script) == "Ben can't bid for lot 1 now and must pass."


def test_a_match_begun_before_bids_had_a_limit_opens_with_its_bids() -> None:
    """Its template was kept as it was then, without the newer fields about bids."""
    deck = begin_with_cards_and_coins(BIDS_WITHOUT_PURSES).session.began.decks["any_game"]
    fields = {key: field for key, field in deck.fields.items() if key != "bid_with"}
    designs = tuple(
        replace(one, values={key: value for key, value in one.values.items() if key != "bid_with"})
        for one in deck.designs
    )
    older = replace(deck, fields=fields, designs=designs)
    log = MemoryLog()
    session = Session.begin(GAME, NAMES, {}, log, deck_by_name={"any_game": older})
    session.answer(1, "auction")
    session.answer(2, HUGE_BID)
    opened = Session(GAME, list(log), MemoryLog())
    assert opened.question_number == session.question_number


def test_a_payment_in_one_step_is_no_larger_than_another() -> None:
    """With banknotes of 25, as many as nobody can type are refused by the amount, not by their number."""
    script = begin_with_cards(template_card("piece", "note", note=25))
    pay = {"do": "pay", "from": "bank", "to": "Aki", "amount": 10**8}
    reply = JsonSession(script.session).reply(1, json.dumps(pay).encode())
    assert reply["error"] == "A payment can't use a number above 99999999."
    assert purse_counts(script, "note") == [0, 0, 0]


def test_all_chips_of_a_tournament_are_paid_and_scored() -> None:
    """Poker tournament, last three: 13,050,000 in play, worth what is printed on them."""
    chips = [
        template_card("piece", "small", start=50, note=1_000, worth=1_000),
        template_card("piece", "large", start=43, note=100_000, worth=100_000),
    ]
    script = begin_with_cards(
        *chips, template_card("place", "pot"), rules_card(payments="yes", auction="none")
    )
    for name, seat in (("Aki", 1), ("Ben", 2), ("Chie", 3)):
        script.says("table: payment", f"table: {seat}", "table: place 0", f"{name} 4350000")
    script.says("table: pay_out", "table: 2")
    assert purse_counts(script, "large") == [0, 129, 0]
    assert rank_and_total_by_player(script)["Ben"] == (1, 13_050_000)


def test_points_of_a_round_reach_the_target() -> None:
    """Pinball-like scores: a round of 12,345,670 points, and the target of a template is as far."""
    script = begin_with_cards_and_coins(
        template_card("category", "score"), rules_card(scoring="rounds", target=MAX_AMOUNT)
    )
    script.says("table: write_round", f"Aki {MAX_AMOUNT}", "Ben 12345670", "Chie -12345670")
    assert question_text(script) == "Target of 99999999 points reached: Aki. Finish the game?"
    scored = rank_and_total_by_player(script)
    assert [total for _, total in scored.values()] == [MAX_AMOUNT + 100, 12_345_770, -12_345_570]


def test_the_largest_total_opens_again() -> None:
    """As many plaques as can be, each worth as much as can be: the result can be saved and read."""
    script = begin_with_cards(
        template_card("piece", "plaque", start=MAX_AMOUNT, worth=MAX_VALUE_OF_ONE, note=MAX_VALUE_OF_ONE)
    )
    assert rank_and_total_by_player(script)["Aki"] == (1, MAX_AMOUNT * MAX_VALUE_OF_ONE)
    script.session.put_away()
    put_away = parse_log_text(format_log_text(script.log))[-1]
    assert isinstance(put_away, PutAway)
    assert put_away.result is not None
    assert [one["total"] for one in put_away.result["standings"]] == [MAX_AMOUNT * MAX_VALUE_OF_ONE] * 3
