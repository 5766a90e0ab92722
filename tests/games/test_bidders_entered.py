"""Bidders! with the cards of somebody's own copy: what is typed is a card of it that can still come up."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from companion.cards import Deck, shipped_deck_file
from companion.cards.deck_file import parse_design
from companion.errors import UserError
from companion.games.bidders.rulebook import GAME
from companion.owner_decks import rows_from_csv
from companion.testing import Script
from tests.support.games.bidders_helpers import pass_until_sold, play_round, type_card

NAMES = ("Aki", "Ben", "Chie")
SHEET = re.compile(r"```csv\n(.*?)```", re.DOTALL)


def entered() -> Deck:
    """The sheet of docs/cards.md: mill and bakery have popularity 2, no white card has 18."""
    found = SHEET.search(Path("docs/cards.md").read_text(encoding="utf-8"))
    assert found is not None
    printed = shipped_deck_file("bidders")
    rows = [dict(row) for row in rows_from_csv(found[1], printed)]
    designs = tuple(parse_design(str(row.pop("id")), row, printed.deck.fields) for row in rows)
    return msgspec.structs.replace(printed.deck, designs=designs, provisional=False)


def begun() -> Script:
    """The start player chosen, the first white card about to be turned up."""
    return Script(GAME, *NAMES, decks={"bidders": entered()}).says("table: Aki", "table: done")


def unwanted(script: Script, black: str) -> Script:
    """A white card of popularity 2 is typed, nobody bids, and both cards go to the box."""
    return pass_until_sold(type_card(script, popularity=2).says(f"table: lays card:{black}"))


def refusal(script: Script, **values: int) -> str:
    """Why a typed card is refused."""
    asks = script.question_log_key
    with pytest.raises(UserError) as refused:
        type_card(script, **values)
    assert script.question_log_key == asks
    return str(refused.value)


def test_all_that_show_it_lie_in_the_box() -> None:
    """Two cards have popularity 2; once both were turned up neither a description nor a name is taken."""
    script = unwanted(unwanted(begun(), "gate"), "wall")
    text = "a card with colour white, popularity 2: all 2 copies are already at other places: box."
    assert refusal(script, popularity=2) == text
    for name in ("mill", "bakery"):
        assert script.refuses(f"table: lays card:{name}") == f"card {name} is already at another place: box."
    type_card(script, popularity=3)
    assert script.question_log_key == "Read: Round 3: turn up the black card"


def test_one_that_was_picked_and_one_that_was_typed() -> None:
    """The typed one can only be the other: that one is refused by name, too."""
    script = pass_until_sold(begun().says("table: lays card:mill", "table: lays card:gate"))
    script = unwanted(script, "wall")
    assert script.refuses("table: lays card:mill") == "card mill is already at another place: box."
    assert script.refuses("table: lays card:bakery") == ("card bakery is already at another place: box.")


def test_what_was_won_lies_covered() -> None:
    """Where the cards are that were won is told to nobody; only what was laid down is repeated."""
    script = type_card(begun(), popularity=2).says("table: lays card:gate")
    script = type_card(play_round(script, white=("Aki", 1)), popularity=2).says("table: lays card:wall")
    script = play_round(script, white=("Ben", 1))
    text = "a card with colour white, popularity 2: no such card can be here any more."
    assert refusal(script, popularity=2) == text
    assert script.refuses("table: lays card:mill") == "card mill has already been turned over."


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"popularity": 18}, "No card in this deck shows popularity 18."),
        ({"popularity": 21}, "popularity must be a number from 1 to 20, not 21."),
        ({}, "popularity is missing. Allowed: a number from 1 to 20."),
    ],
)
def test_a_card_that_no_copy_has(values: dict[str, int], why: str) -> None:
    """What is on no card is refused by what is wrong with it."""
    assert refusal(begun(), **values) == why


def test_a_black_card_is_described_as_a_whole() -> None:
    """Each number is on some card, but not together."""
    script = begun().says("table: lays card:mill")
    why = "No card in this deck shows colour black, popularity -5, start 8, crew 3."
    assert refusal(script, popularity=-5, start=8, crew=3) == why
    type_card(script, popularity=-5, start=9, crew=3)
    assert script.session.table.heading is not None
