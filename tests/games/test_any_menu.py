"""The menu of Any Game: a template offers only actions that can do something with it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.games.any_game.rulebook import FINISH_KEY, GAME
from companion.games.any_game.state import ROUNDS_GROUP
from companion.requests import Choose, DetailedOption
from companion.session.session import Session
from companion.testing import Script
from companion.testing.random_game import RandomGame, answer_randomly, count_by_place_and_piece
from companion.texts import render
from tests.any_game_presets import SHIPPED, deck_of
from tests.support.games.any_game_helpers import (
    COIN_CARD,
    NO_DIRECTORY,
    begin_with_cards,
    begin_with_shipped_template,
    question_text,
    rules_card,
    template_card,
)

GAMES, ANSWERS = 3, 250
POT = template_card("place", "pot")
NORTH = template_card("company", "north", shares=10, step_at=3)
CUBE = template_card("piece", "cube", supply=24)
TILES = "[board]\ntiles = [1, 2]\n"
ONE_LEVEL, TWO_LEVELS = "[board]\nblinds = [5]\n", "[board]\nblinds = [5, 10]\n"


def menu_keys(session: Session) -> list[str]:
    """Returns the actions that can be chosen in the open menu, without the end; empty at another question."""
    question = session.question
    if not isinstance(question, Choose) or render(question.text) != "What is next?":
        return []
    return [key for key in question.legal_option_keys if key != FINISH_KEY]


@pytest.mark.sweep(8)
@pytest.mark.without_coverage
@pytest.mark.parametrize("name", ["plain", *SHIPPED])
def test_every_action_of_a_menu_can_do_something(name: str) -> None:
    """Chosen again and again in random games, each one asks something or moves something at least once."""
    count_by_key, useful_keys, offered_keys = Counter[str](), set[str](), set[str]()
    for number in range(1, GAMES + 1):
        trial = RandomGame.begin(GAME, number, Random(number), {"any_game": deck_of(name, NO_DIRECTORY)})
        session = trial.session
        for _ in range(ANSWERS):
            if session.question is None:
                break
            if not (keys := menu_keys(session)):
                answer_randomly(session, trial.rng)
                continue
            offered_keys |= {*keys}
            key = min(keys, key=lambda key: (count_by_key[key], key))
            count_by_key[key] += 1
            counts = count_by_place_and_piece(session)
            session.answer(session.question_number, key)
            if not menu_keys(session) or count_by_place_and_piece(session) != counts:
                useful_keys.add(key)
    assert offered_keys == useful_keys


@pytest.mark.parametrize(
    ("cards", "key", "is_offered"),
    [
        ((CUBE, POT, rules_card(auction="none")), "pay_out", False),
        ((COIN_CARD, POT, rules_card(auction="none")), "pay_out", True),
        ((CUBE, POT, rules_card(payments="yes")), "pay_out", True),
        ((CUBE, POT, rules_card(income=2)), "pay_out", True),
        ((CUBE, POT, rules_card(loans="yes")), "pay_out", True),
        ((CUBE, POT, template_card("company", "north")), "pay_out", True),
        ((template_card("category", "points"), POT), "pay_out", False),
        ((COIN_CARD, POT, f"{rules_card(deal='left')}\n\n{ONE_LEVEL}"), "blinds", False),
        ((COIN_CARD, POT, f"{rules_card(deal='left')}\n\n{TWO_LEVELS}"), "blinds", True),
    ],
)
def test_an_action_is_offered_where_it_can_do_something(
    cards: tuple[str, ...], key: str, is_offered: bool
) -> None:
    """Cubes on a map aren't paid out, and blinds of only one level don't rise."""
    question = begin_with_cards(*cards).question
    assert isinstance(question, Choose)
    assert (key in question.options) is is_offered


@pytest.mark.parametrize(
    ("cards", "key", "refusal"),
    [
        ((COIN_CARD, POT), "pay_out", "No money is in pot."),
        ((COIN_CARD, POT, template_card("place", "side")), "pay_out", "No money is in pot, side."),
        ((COIN_CARD, rules_card(loans="yes")), "repay", "Nobody owes anything."),
        ((COIN_CARD, NORTH), "sell", "Nobody has a share."),
        ((COIN_CARD, NORTH), "sell_all", "Nobody has a share."),
        ((COIN_CARD, f"{rules_card(bid_with='each')}\n\n{TILES}"), "tiles", "No tile has been used."),
    ],
)
def test_an_action_without_anything_to_do_says_so(cards: tuple[str, ...], key: str, refusal: str) -> None:
    """Its key is dead and says why, until people bring what it needs."""
    question = begin_with_cards(*cards).question
    assert isinstance(question, Choose)
    reason = question.public_barred_reason(key)
    assert reason is not None
    assert render(reason) == refusal


@pytest.mark.parametrize("name", SHIPPED)
def test_every_action_stands_in_a_group_with_an_emblem(name: str) -> None:
    """Payments, lots, turns and players are told apart at a glance; only the end stands alone.

    The actions of turns have different emblems: an hourglass for the next round says nothing about who
    starts, or about blinds.
    """
    script = begin_with_shipped_template(name)
    while not (keys := menu_keys(script.session)):
        script.session.answer(script.session.question_number, script.question.random_legal_answer(Random(1)))
    question, emblem_by_group, turn_emblems = script.question, dict[str, str](), list[str]()
    assert isinstance(question, Choose)
    for key in keys:
        option = question.options[key]
        assert isinstance(option, DetailedOption)
        assert option.group is not None
        if option.group == ROUNDS_GROUP.label:
            turn_emblems.append(option.emblem)
        else:
            assert option.emblem == emblem_by_group.setdefault(option.group.template, option.emblem)
    assert len({*turn_emblems}) == len(turn_emblems)
    assert not {*turn_emblems} & {*emblem_by_group.values(), ""}
    assert "" not in emblem_by_group.values()
    assert len({*emblem_by_group.values()}) == len(emblem_by_group)


def test_lots_in_the_menu_say_that_they_are_sold() -> None:
    """An art auction lists its painters together, each with the verb and the hammer."""
    question = begin_with_shipped_template("art").question
    assert isinstance(question, Choose)
    lots = [option for key, option in question.options.items() if key.startswith("lot ")]
    assert len(lots) == 5
    for lot in lots:
        assert isinstance(lot, DetailedOption)
        assert lot.note is not None
        assert (render(lot.note), lot.emblem) == ("Auction", "🔨")


def test_at_a_cash_table_players_join() -> None:
    """Dai sits down later and gets the chips that everybody had at the start."""
    script = begin_with_shipped_template("poker", "Aki", "Ben", "Chie", "Dai").says("table: 4", "table: done")
    assert script["Dai/purse", "white"] == 0
    script.says("table: join")
    assert [script["Dai/purse", chip] for chip in ("white", "red", "blue")] == [20, 10, 5]


def broken_train_bank() -> Script:
    """A bank of the train companies that paid more than it had."""
    script = begin_with_shipped_template("train").says("correct 11990 money from bank to box: lost")
    return script.says("table: payment", "table: bank", "table: Aki", "table 50")


def test_a_train_bank_that_breaks_pays_on_and_may_end_the_game() -> None:
    """As in 18xx games, the round is played to its end; then people are asked."""
    script = broken_train_bank()
    assert (script["Aki/purse", "money"], script["bank", "money"]) == (450, -40)
    assert "The bank is broken." in script.last_notes
    assert question_text(script.says("table: round")) == "The bank is broken. Finish the game?"
