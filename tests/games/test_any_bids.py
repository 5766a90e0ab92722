"""Any Game's bids: what limits them, what they are counted in, and what is told of how they are paid."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.errors import UserError
from companion.games.any_game.rulebook import GAME, check_deck
from companion.requests import Choose, Together
from companion.rules.game import ChoiceOption
from companion.session.session import Session
from companion.testing import Script
from companion.testing.random_game import RandomGame
from companion.texts import render, say
from tests.any_game_presets import read
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    begin_with_cards_and_coins,
    purse_counts,
    question_text,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import correct_count
from tests.support.games.twin_games import compare_twins_at_random_answers

GEM = template_card("piece", "gem", start=2, worth=3)
MONEY = template_card("piece", "coin", start=100, worth=1, note=1)
FIVE, TWENTY_FIVE = (template_card("piece", f"{note}", start=2, supply=2, note=note) for note in (5, 25))
LOWEST: dict[str, Any] = {"wins": "lowest", "pays": "second"}
RUST = template_card("company", "rust", shares=3, step_at=2)


def test_the_lowest_bid_out_of_covered_purses_pays_the_second() -> None:
    """Each covered purse limits its owner's bids; nobody is told what else may be bid."""
    script = begin_with_cards_and_coins(rules_card(auction="sealed", covered="yes"), **LOWEST).says(
        "table: auction"
    )
    assert part_text(script) == "How much do you bid in coin? 0 is no bid."
    assert script.refuses("Aki 101") == "Aki can't answer that."
    script.says("Aki 40", "Ben 41", "Chie 100")
    assert script.last_notes == ["Aki wins with 40."]
    assert question_text(script.copy().says("table: pay")) == "What is next?"
    assert purse_counts(script.says("table: pay")) == [59, 100, 100]


def test_whoever_cant_pay_the_second_bid_is_asked() -> None:
    """Nobody may see whether it is in a covered purse, so the table is asked in either case."""

    def asked(held: int) -> Script:
        script = begin_with_cards_and_coins(rules_card(auction="sealed", covered="yes"), **LOWEST)
        correct_count(script, 100 - held, "coin", "Aki/purse", "bank").says("table: auction")
        return script.says("Aki 3", "Ben 90", "Chie 0")

    rich, poor = asked(100), asked(50)
    assert (question_text(rich), rich.open_question_limits, rich.history_texts[-1:]) == (
        question_text(poor),
        poor.open_question_limits,
        poor.history_texts[-1:],
    )
    assert purse_counts(rich.says("table: pay")) == [10, 100, 100]
    assert poor.refuses("table: pay") == "Aki can't pay 90."
    poor.says("table: part", "Aki 50")
    assert (poor.last_notes, purse_counts(poor)) == (["Aki pays only 50."], [0, 100, 100])


@pytest.mark.without_coverage
@pytest.mark.parametrize("limit", ["purse", "nothing"])
def test_twins_can_not_be_told_apart_by_their_lowest_bids(limit: str) -> None:
    """What lies in a covered purse shows in no limit, refusal, question or sentence, whatever is bid."""
    terms = rules_card(auction="sealed", covered="yes", limit=limit)
    decks = begin_with_cards_and_coins(terms, **LOWEST).session.began.decks
    only = [
        replace(one, default=LOWEST[one.key], choices={LOWEST[one.key]: say("only")})
        if isinstance(one, ChoiceOption) and one.key in LOWEST
        else one
        for one in GAME.options
    ]
    game, hidden = replace(GAME, options=tuple(only)), 0
    for number in range(3):
        trial = RandomGame.begin(game, number, Random(f"{limit} {number}"), decks)
        for _ in range(2):
            trial.session.answer(trial.session.question_number, "auction")
            hidden += compare_twins_at_random_answers(trial, until=is_menu_open)
    assert hidden


def is_menu_open(session: Session) -> bool:
    """Returns True if the table is asked what is next."""
    return session.question is not None and render(session.question.text) == "What is next?"


@pytest.mark.parametrize("payee", ["bank", "others"])
def test_without_a_limit_no_bid_tells_of_a_covered_purse(payee: str) -> None:
    """Whether it is there is asked of the table in either case."""
    for held in (100, 3):
        script = begin_with_cards_and_coins(
            rules_card(auction="aloud", covered="yes", limit="nothing", payee=payee)
        )
        correct_count(script, 100 - held, "coin", "Aki/purse", "bank")
        script.says("table: auction", "table: 1", "Aki 10")
        assert "pay" in script.open_question_limits["options"]
        assert "What now?" in question_text(script)


def test_a_checked_bid_out_of_a_covered_purse_is_paid_to_all_others_unasked() -> None:
    """It was there."""
    script = begin_with_cards_and_coins(rules_card(auction="aloud", covered="yes", payee="others"))
    script.says("table: auction", "table: 1", "Aki 10")
    assert (question_text(script), purse_counts(script)) == ("What is next?", [90, 105, 105])


@pytest.mark.parametrize("debts", [0, 20])
@pytest.mark.parametrize(
    ("auction", "lines"),
    [
        ("open", ["Aki 60", "Ben passes", "Chie passes"]),
        ("final", ["Aki 60", "Ben withdraws", "Chie withdraws"]),
        ("once", ["Aki 60", "Ben passes", "Chie passes"]),
        ("aloud", ["table: 1", "Aki 60"]),
        ("sealed", ["Aki 60", "Ben 0", "Chie 0"]),
    ],
)
def test_bids_are_made_in_money_wherever_it_stands(auction: str, lines: list[str], debts: int) -> None:
    """A piece that is none limits no bid and names none, though it stands first in the template."""
    script = begin_with_cards(GEM, MONEY, rules_card(auction=auction, debts=debts)).says("table: auction")
    *before, bid = lines[: lines.index("Aki 60") + 1]
    assert str(100 + debts) in script.says(*before).refuses(f"Aki {101 + debts}")
    script.says(bid, *lines[len(before) + 1 :])
    assert (purse_counts(script), purse_counts(script, "gem")) == ([40, 100, 100], [2, 2, 2])


def test_prices_are_money_wherever_it_stands() -> None:
    """At a price and at a falling one, whoever has so much takes it; it is drawn as money."""
    fixed = begin_with_cards(GEM, MONEY, rules_card(auction="fixed")).says(
        "table: auction", "table 100", "Aki: take"
    )
    assert (purse_counts(fixed), purse_counts(fixed, "gem")) == ([0, 100, 100], [2, 2, 2])
    falls = begin_with_cards(GEM, MONEY, rules_card(auction="falling")).says("table: auction", "table 100")
    assert drawn(falls) == "coin"
    assert purse_counts(falls.says("Ben: 2")) == [100, 0, 100]


def drawn(script: Script) -> str | None:
    """The piece with which a falling price is drawn."""
    assert isinstance(script.question, Choose)
    assert script.question.falling_price
    piece = script.question.falling_price.paid_in
    return piece.key if piece else None


def test_where_the_first_note_is_not_worth_1_no_bid_is_said_to_be_in_it() -> None:
    """A bid of 25 is five fives, or one of twenty-five: how it is paid is left open."""
    sealed = begin_with_cards(FIVE, TWENTY_FIVE, rules_card(auction="sealed")).says("table: auction")
    assert part_text(sealed) == "How much do you bid? 0 is no bid."
    lowest = begin_with_cards(FIVE, rules_card(auction="sealed"), **LOWEST).says("table: auction")
    assert part_text(lowest) == "How much do you bid? At most what the emptiest purse holds; 0 is no bid."
    assert lowest.refuses("Aki 11") == "Aki can answer at most 10."
    assert (
        drawn(begin_with_cards(FIVE, rules_card(auction="falling")).says("table: auction", "table 10"))
        is None
    )


def part_text(script: Script) -> str:
    """What everybody is asked in secret."""
    assert isinstance(script.question, Together)
    (text,) = {render(part.text) for part in script.question.parts_by_seat.values()}
    return text


@pytest.mark.parametrize(
    ("lines", "moved", "notes"),
    [
        (["table: part", "Aki 5"], 5, ["Aki pays only 5."]),
        (["table: part", "Aki 0"], 0, ["Aki paid nothing and gets no share."]),
        (["table: nothing"], 0, ["Aki paid nothing and gets no share."]),
    ],
)
def test_what_is_told_of_a_payment_is_what_was_paid(lines: list[str], moved: int, notes: list[str]) -> None:
    """Where the notes can't make a bid nothing is told as paid that wasn't, nor is a share given for it."""
    script = begin_with_cards(FIVE, TWENTY_FIVE, rules_card(auction="aloud", lots="shares"), RUST)
    correct_count(script, 2, "25", "Aki/purse", "Ben/purse")
    script.says("table: lot 0", "table: 1", "Aki 7")
    assert script.last_notes == ["Aki wins rust, lot 1 with 7."]
    assert question_text(script) == "Aki has no notes to pay bank exactly 7. What now?"
    script.says("table: pay")
    assert not [note for note in script.last_notes if "pays" in note]
    script.says(*lines)
    assert [note for note in script.last_notes if "×" not in note] == notes
    assert 10 - 5 * script["Aki/purse", "5"] == moved
    assert purse_counts(script, "rust") == [int(moved > 0), 0, 0]


def test_where_nobody_pays_nobody_keeps_a_part() -> None:
    """Who withdrew loses nothing."""
    script = begin_with_cards_and_coins(rules_card(auction="final", refund=50), pays="nobody").says(
        "table: auction"
    )
    script.says("Aki 5", "Ben 8", "Chie withdraws", "Aki withdraws")
    assert (script.last_notes, purse_counts(script)) == (["Ben wins with 8."], [100, 100, 100])


COVERED_TARGET = rules_card(payments="yes", covered="yes", target=120)


def test_a_target_of_covered_money_is_refused() -> None:
    """The question whether to finish would show that somebody has so much."""
    cards = (template_card("piece", "coin", start=100, worth=1), COVERED_TARGET)
    with pytest.raises(UserError) as refused:
        check_deck(read("\n".join(f"[[card]]\n{one}" for one in cards), "own.toml"))
    assert str(refused.value) == (
        "A target doesn't work with covered money that counts points, because it would show the money."
    )


def test_a_target_of_points_beside_covered_money_that_counts_nothing_is_fine() -> None:
    """Points lie open, so everybody knows when the target is reached."""
    coin, points = template_card("piece", "coin", start=100), template_card("category", "points")
    script = begin_with_cards(coin, points, COVERED_TARGET).says(
        "table: points", "Aki 130", "Ben 0", "Chie 0"
    )
    assert question_text(script) == "Target of 120 points reached: Aki. Finish the game?"


@pytest.mark.without_coverage
def test_a_saved_game_with_such_a_target_shows_nothing() -> None:
    """Twins that differ only in covered purses can't be told apart after payments: nobody is asked."""
    game = replace(GAME, check_deck=lambda _deck: [])
    decks = begin_with_cards_and_coins(COVERED_TARGET).session.began.decks
    hidden = 0
    for number in range(1, 5):
        trial = RandomGame.begin(game, number, Random(number), decks)
        hidden += compare_twins_at_random_answers(trial, max_answers=8)
    assert hidden
    script = begin_with_cards_and_coins(COVERED_TARGET)
    script.says("table: payment", "table: bank", "table: Aki", "table 30")
    assert question_text(script) == "What is next?"
