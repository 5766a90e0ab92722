"""Any Game's highest bid and a template's least bid: where they don't go together no game begins."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.errors import UserError
from companion.evening import Evening
from companion.games.any_game.lots import SALE_METHOD_BY_TEMPLATE_WORD
from companion.store import Store
from tests.support.games.any_game_helpers import (
    NAMES,
    begin_with_cards,
    begin_with_cards_and_coins,
    begin_with_shipped_template,
    question_text,
    rules_card,
    template_card,
)

TOO_LOW = "This template's lowest bid is 10, so the highest bid allowed can't be 7."


@pytest.mark.parametrize("auction", [*SALE_METHOD_BY_TEMPLATE_WORD, "ask", "both"])
def test_no_game_begins_in_which_nobody_can_bid(auction: str) -> None:
    """However lots are sold; as much as the least bid is enough."""
    with pytest.raises(UserError) as refusal:
        begin_with_cards_and_coins(rules_card(auction=auction, reserve=10), most="7")
    assert str(refusal.value) == TOO_LOW
    assert (
        question_text(begin_with_cards_and_coins(rules_card(auction=auction, reserve=10), most="10"))
        == "What is next?"
    )


def test_a_template_that_comes_along_says_so_too() -> None:
    """Property trading has a least bid of 10."""
    with pytest.raises(UserError, match=r"^This template.s lowest bid is 10, so .* can.t be 5\.$"):
        begin_with_shipped_template("property", most="5")


@pytest.mark.parametrize("most", ["none", "10", "99999"])
def test_any_other_highest_bid_is_fine(most: str) -> None:
    """None, too."""
    assert question_text(begin_with_cards_and_coins(rules_card(reserve=10), most=most)) == "What is next?"


@pytest.mark.parametrize("auction", [*SALE_METHOD_BY_TEMPLATE_WORD, "ask", "both"])
def test_a_least_bid_that_nobody_needs_bars_no_game(auction: str) -> None:
    """Whoever sells says it, but of a price and of bids beside auctions."""
    cards = rules_card(auction=auction, reserve=10, reserve_by="seller")
    if auction in ("fixed", "ask", "both"):
        with pytest.raises(UserError, match="lowest bid is 10, so"):
            begin_with_cards_and_coins(cards, most="7")
    else:
        script = begin_with_cards_and_coins(cards, most="7").says("table: auction")
        assert (script.open_question_limits["least"], script.open_question_limits["most"]) == (1, 7)


def test_without_auctions_there_is_no_least_bid() -> None:
    """Where the template has none, or nothing to bid with."""
    assert (
        question_text(begin_with_cards_and_coins(rules_card(auction="none", reserve=10), most="7"))
        == "What is next?"
    )
    assert (
        question_text(begin_with_cards(template_card("category", "points"), rules_card(reserve=10), most="7"))
        == "What is next?"
    )


def test_a_step_above_the_highest_bid_leaves_one_bid() -> None:
    """It can be made; whoever comes later can pass."""
    script = begin_with_cards_and_coins(rules_card(auction="open", step=10), most="7").says(
        "table: auction", "Aki 1"
    )
    assert question_text(script) == "Ben can't bid for lot 1 now and must pass."
    assert script.says("Ben passes", "Chie passes").last_notes == ["Aki wins with 1.", "Aki pays 1."]


def test_nothing_is_kept_of_a_game_that_cant_begin(tmp_path: Path) -> None:
    """The window begins games here too: what lay on the table lies there still."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        there = Evening(store)
        session = there.begin_game("any_game", NAMES, {})
        with pytest.raises(UserError, match="lowest bid is 10, so"):
            there.begin_game("any_game", NAMES, {"template": "property", "most": "5"})
        assert there.session is session
        assert len(store.all_saved_games()) == 1


@pytest.mark.parametrize("more", [[], ["--json"]], ids=["terminal", "json"])
def test_the_program_says_why_no_game_begins(more: list[str], tmp_path: Path, capsys: Any) -> None:
    """In one sentence, at the shell too."""
    options = ["--option", "template=property", "--option", "most=5"]
    command = ["play", "any_game", "--seats", "Aki,Ben", *options, *more, "--state", str(tmp_path)]
    assert main(command)
    said = capsys.readouterr()
    assert TOO_LOW.replace("7.", "5.") in said.out + said.err
