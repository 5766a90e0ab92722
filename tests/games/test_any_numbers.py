"""How large a number can be in Any Game: no more than there is, or people are asked whether it is right."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from companion.games.any_game.dice import MAX_NUMBER_DRAWN, MAX_SIDES
from companion.games.any_game.limits import MAX_AMOUNT
from companion.games.any_game.rulebook import GAME
from companion.log.log import MemoryLog
from companion.requests import Amount, Counts, NumberField, QuantitiesField, Raise, Request
from companion.requests.fields import MAX_USUAL_NUMBER
from companion.session.session import Session
from companion.testing.random_game import RandomGame, answer_randomly
from companion.texts import render
from tests.any_game_presets import SHIPPED, deck_of
from tests.support.games.any_game_helpers import (
    NAMES,
    NO_DIRECTORY,
    begin_with_cards,
    begin_with_cards_and_coins,
    rules_card,
    template_card,
)
from tests.support.soak import SOAK

LARGE_NUMBER = 99_999
NO_END = "The bank of some templates has no end, so no sum of money is the highest."
OWED = "It is no more than the player owes."
NOT_PAID = "In some templates nobody pays a bid, so no purse limits it."
OTHER_GAME = "Points are those of the game that people play; a pinball machine gives millions."
REASON_BY_QUESTION = {
    "How much do you pay back?": OWED,
    "How much?": NO_END,
    "How much for each share?": NO_END,
    "How much in all?": NO_END,
    "How much do you borrow?": NO_END,
    "Price": NO_END,
    "For how much?": NO_END,
    "Raise": NOT_PAID,
    "Sealed bid": NOT_PAID,
    "Points for {category}": OTHER_GAME,
    "Round {round}: {category}": OTHER_GAME,
}
"""Questions that keep a higher limit than `LARGE_NUMBER`, by their name in logs, each with the reason."""
LIMITED_NOTES = template_card("piece", "note", start=100, supply=700)
MONEY_OF_THREE = 3 * 100 + 700
ANSWERS_PER_GAME = 150
GAMES_PER_TEMPLATE = 12 if SOAK else 4


class AskedNumber(NamedTuple):
    """The highest limit of a question, and whether people are always asked about a huge number."""

    most: int
    is_confirmed: bool


def number_fields(part: Request[Any]) -> Iterator[NumberField]:
    """Yields the number fields of a question that people answer with a number of their own."""
    for field in part.form.fields if isinstance(part, Amount | Counts | Raise) else ():
        if isinstance(field, NumberField):
            yield field
        elif isinstance(field, QuantitiesField):
            yield from field.numbers


def name_in_log(question: Any) -> str:
    """Returns what a log calls a question; a bid in an open auction is called by its kind."""
    return question.kind if isinstance(question, Raise) else (question.log_name or question.text).template


def asked_numbers() -> dict[str, AskedNumber]:
    """Returns the numbers that random games with shipped templates ask for, by the name of the question."""
    found: dict[str, AskedNumber] = {}
    for name, number in product(SHIPPED, range(GAMES_PER_TEMPLATE)):
        rng = Random(f"{name} {number}")
        session = RandomGame.begin(GAME, number, rng, {"any_game": deck_of(name, NO_DIRECTORY)}).session
        for _ in range(ANSWERS_PER_GAME):
            if (question := session.question) is None:
                break
            for field in chain.from_iterable(
                map(number_fields, question.parts_by_seat.values() or (question,))
            ):
                most = MAX_AMOUNT if field.most is None else int(float(field.most))
                before = found.get(name_in_log(question), AskedNumber(0, is_confirmed=True))
                is_confirmed = most <= LARGE_NUMBER or field.confirm_above is not None
                found[name_in_log(question)] = AskedNumber(
                    max(most, before.most), is_confirmed=is_confirmed and before.is_confirmed
                )
            answer_randomly(session, rng)
    return found


def test_every_large_limit_has_a_reason_and_is_asked_about() -> None:
    """No question allows a number of six digits only because nobody thought of a limit."""
    large = {name: one for name, one in asked_numbers().items() if one.most > LARGE_NUMBER}
    assert not large.keys() - REASON_BY_QUESTION.keys()
    silent = {name for name, one in large.items() if not one.is_confirmed}
    assert silent <= {name for name, reason in REASON_BY_QUESTION.items() if reason == OWED}


def test_a_payment_is_at_most_all_the_money_in_the_match() -> None:
    """Where the bank can run out, nobody is paid more than there is, whoever pays."""
    script = begin_with_cards(LIMITED_NOTES, rules_card(payments="yes"))
    script.says("table: payment", "table: all", "table: bank")
    assert script.open_question_limits["most"] == MONEY_OF_THREE


def test_a_dividend_is_at_most_all_the_money_in_the_match() -> None:
    """Each share that is paid gets its part of it at most; in all, a company earns no more than there is."""
    company = template_card("company", "north", shares=5, step_at=3)
    script = begin_with_cards(LIMITED_NOTES, rules_card(payments="yes"), company)
    script.says("table: buy", "table: 0", "table: 1", "Aki 2", "table: dividend", "table: 0")
    assert script.open_question_limits["most"] == MONEY_OF_THREE // 2
    script = begin_with_cards(LIMITED_NOTES, rules_card(payments="yes", dividend="total"), company)
    assert script.says("table: dividend", "table: 0").open_question_limits["most"] == MONEY_OF_THREE


@pytest.mark.parametrize(("number", "asks"), [(9_999, False), (10_000, True), (-10_000, True)])
def test_points_of_five_digits_are_asked_about(number: int, *, asks: bool) -> None:
    """At a table where nobody has such a number, and below 0 as well; the number stays an answer."""
    script = begin_with_cards_and_coins(template_card("category", "score"), rules_card(scoring="rounds"))
    script.says("table: write_round")
    part = next(iter(script.question.parts_by_seat.values()))
    confirmation = part.confirmation_for(number)
    assert (confirmation is not None) == asks
    assert confirmation is None or render(confirmation) == f"{number} is an unusual number here. Is it right?"
    part.check_answer(number)


def test_points_are_asked_about_from_a_hundred_times_the_highest_total() -> None:
    """In a game with large numbers a large number is nothing special."""
    script = begin_with_cards_and_coins(template_card("category", "score"), rules_card(scoring="rounds"))
    script.says("table: write_round", "Aki 5000", "Ben 0", "Chie 0", "table: write_round")
    part = next(iter(script.question.parts_by_seat.values()))
    assert part.confirmation_for(500_000) is None
    assert part.confirmation_for(500_001) is not None


def test_a_bid_that_nobody_pays_is_asked_about() -> None:
    """In an open auction, too, and by the lowest bid of the template."""
    script = begin_with_cards_and_coins(rules_card(auction="open", limit="nothing", reserve=300))
    script.says("table: auction")
    assert script.question.confirmation_for(30_000) is None
    assert script.question.confirmation_for(30_001) is not None
    assert script.question.confirmation_for(None) is None


def test_a_debt_above_all_the_money_in_the_match_is_asked_about() -> None:
    """Where money can be owed, nothing is too much, but more than there is is unusual."""
    notes = template_card("piece", "note", start=1_000, supply=20_000)
    script = begin_with_cards(notes, rules_card(payments="yes", empty_bank="broken"))
    script.says("table: payment", "table: bank", "table: 1")
    assert script.question.confirmation_for(23_000) is None
    assert script.question.confirmation_for(23_001) is not None


def test_what_is_asked_about_depends_on_no_covered_purse() -> None:
    """Two tables that differ only in covered money ask about the same numbers."""
    covered = rules_card(payments="yes", covered="yes", auction="open", limit="nothing")
    limits = set[int | None]()
    for start in (100, 100_000):
        coins = template_card("piece", "coin", start=start)
        script = begin_with_cards(coins, covered).says("table: auction")
        limits |= {field.confirm_above for field in number_fields(script.question)}
    assert limits == {MAX_USUAL_NUMBER}


def test_a_die_has_as_many_sides_as_in_a_template() -> None:
    """A hundred; a match begun with an older version allows a thousand, as it did."""
    script = begin_with_cards_and_coins().says("table: chance", "table: any_dice")
    assert script.open_question_limits["most"] == MAX_SIDES
    older = begin_older_match("chance", "any_dice")
    assert older.question is not None
    assert older.question.limits_json["most"] == MAX_NUMBER_DRAWN


def begin_older_match(*answers: str) -> Session:
    """Begins a match as version 2 of Any Game would, and gives these answers."""
    log = MemoryLog()
    deck = begin_with_cards_and_coins().session.began.decks["any_game"]
    session = Session.begin(replace(GAME, version=2), NAMES, {}, log, deck_by_name={"any_game": deck})
    for answer in answers:
        session.answer(session.question_number, answer)
    return Session(GAME, list(log), MemoryLog())
