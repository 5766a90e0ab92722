"""Any Game's lots by name: where a template asks for it, and what is called so."""

import pytest
from msgspec.structs import replace

from companion.games.any_game.lots import LOTS_TO_COME, SALE_METHOD_BY_TEMPLATE_WORD
from companion.games.any_game.rulebook import GAME
from companion.log.events import Answered
from companion.log.log import MemoryLog
from companion.record.record import create_record
from companion.record.text_export import record_to_text
from companion.requests import Together
from companion.rules.scene_views import RowView
from companion.scenes import evaluate_scene
from companion.session.session import Session
from companion.session.view import make_view
from companion.testing import Script
from companion.texts import render
from tests.support.games.any_game_helpers import (
    begin_with_cards_and_coins,
    begin_with_shipped_template,
    question_text,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import asked_players

WON = {
    "open": ["Aki 5", "Ben passes", "Chie passes"],
    "final": ["Aki 5", "Ben withdraws", "Chie withdraws"],
    "once": ["Aki 5", "Ben passes", "Chie passes"],
    "fixed": ["table 5", "Aki: take"],
    "falling": ["table 5", "Aki: 1"],
    "aloud": ["table: 1", "Aki 5"],
    "sealed": ["Aki 5", "Ben 0", "Chie 0"],
}
"""How Aki wins with 5."""


@pytest.mark.parametrize("auction", SALE_METHOD_BY_TEMPLATE_WORD)
def test_a_lot_is_called_by_its_name(auction: str) -> None:
    """However it is sold: who wins what is told, and the record says so."""
    script = begin_with_cards_and_coins(rules_card(auction=auction, names="yes")).says(
        "table: auction", "table: 花瓶 {0}"
    )
    assert "花瓶 {0}" in question_text(script) + " ".join(script.last_notes)
    script.says(*WON[auction])
    assert script.last_notes == ["Aki wins 花瓶 {0} with 5.", "Aki pays 5."]
    script.says("table: finish")
    assert "花瓶 {0}" in record_to_text(create_record(script.session, list(script.log)))


def lots_to_come(script: Script) -> list[str]:
    """The lots to come that everybody sees in the middle."""
    parts = evaluate_scene(make_view(script.session), script.session.scene).middle_parts
    rows = [part for part in parts if isinstance(part, RowView) and part.label == LOTS_TO_COME]
    return [render(piece) for row in rows for piece, _ in row.counted_pieces]


@pytest.mark.parametrize("auction", ["open", "sealed"])
def test_the_named_lot_on_sale_is_the_first_part_of_the_middle(auction: str) -> None:
    """The question is about it, and the lots to come are behind it; between auctions no lot is shown."""
    script = begin_with_cards_and_coins(rules_card(auction=auction, names="yes"))
    script.says("table: lots_to_come", "table: Vase", "table: Lamp", "table: No more lots", "table: auction")
    first, second, *_ = evaluate_scene(make_view(script.session), script.session.scene).middle_parts
    assert isinstance(first, RowView)
    assert isinstance(second, RowView)
    assert [render(piece) for piece, _ in first.counted_pieces] == ["Vase"]
    assert first.is_subject
    assert not second.is_subject
    assert lots_to_come(script) == ["Lamp"]
    script.says(*WON[auction])
    first, *_ = evaluate_scene(make_view(script.session), script.session.scene).middle_parts
    assert lots_to_come(script) == ["Lamp"]
    assert isinstance(first, RowView)
    assert first.label == LOTS_TO_COME


@pytest.mark.parametrize("auction", SALE_METHOD_BY_TEMPLATE_WORD)
def test_lots_named_beforehand_are_sold_in_their_order(auction: str) -> None:
    """Everybody sees them; an auction sells the first without asking what is sold."""
    script = begin_with_cards_and_coins(rules_card(auction=auction, names="yes"))
    assert lots_to_come(script) == []
    script.says("table: lots_to_come", "table: Vase", "table: Lamp", "table: No more lots")
    assert lots_to_come(script) == ["Vase", "Lamp"]
    script.says("table: auction", *WON[auction])
    assert script.last_notes == ["Aki wins Vase with 5.", "Aki pays 5."]
    assert lots_to_come(script) == ["Lamp"]
    script.says("table: auction", *WON[auction], "table: auction", "table: Clock")
    assert lots_to_come(script) == []
    assert "Clock" in question_text(script) + " ".join(script.last_notes)


@pytest.mark.parametrize("auction", SALE_METHOD_BY_TEMPLATE_WORD)
def test_without_a_name_a_lot_goes_by_its_number(auction: str) -> None:
    """As where the template says nothing of names, but for the question."""
    silent, plain = (
        begin_with_cards_and_coins(rules_card(auction=auction, **names)).says(
            "table: auction", *said, *WON[auction]
        )
        for names, said in (({"names": "yes"}, ["table: No name"]), ({}, []))
    )
    assert silent.history_texts[2:] == plain.history_texts[1:]
    assert silent.last_notes == plain.last_notes == ["Aki wins with 5.", "Aki pays 5."]


def test_bids_say_what_they_are_for() -> None:
    """In the question, and in the history."""
    script = begin_with_cards_and_coins(rules_card(auction="open", names="yes")).says(
        "table: auction", "table: Vase", "Aki 12"
    )
    assert question_text(script) == "Ben, bid for Vase or pass."
    assert script.history_texts[-2:] == ["What is sold? Vase", "Aki bids 12 for Vase."]


def test_another_name_can_be_written_later() -> None:
    """A log keeps a lot by its number, so that all bids for it fit; they are for the new name then."""
    script = begin_with_cards_and_coins(rules_card(auction="final", names="yes")).says(
        "table: auction", "table: Vsae", *WON["final"]
    )
    assert [step.asks for step in script.session.steps if isinstance(step, Answered)][2] == "Raise @1: lot 1"
    script.says("amend 2: table: Vase")
    assert script.history_texts[1:3] == ["What is sold? Vase", "Aki bids 5 for Vase."]
    assert script.last_notes[-2:] == ["Aki wins Vase with 5.", "Aki pays 5."]


def test_whoever_sells_says_what_it_is() -> None:
    """Where sellers are paid; the table, where nobody does."""
    script = begin_with_cards_and_coins(rules_card(auction="aloud", payee="seller", names="yes")).says(
        "table: auction", "table: Ben"
    )
    assert asked_players(script) == "Ben"
    script.says("Ben: Vase", "table: 1", "Aki 5")
    assert script.last_notes == ["Aki wins Vase with 5.", "Aki pays Ben 5."]
    assert begin_with_cards_and_coins(rules_card(names="yes")).says("table: auction").question.seats == ()


def test_a_share_may_have_a_name_besides() -> None:
    """It says of which company it is."""
    lime = template_card("company", "lime", shares=3, step_at=2)
    script = begin_with_cards_and_coins(rules_card(auction="aloud", lots="shares", names="yes"), lime)
    script.says("table: lot 0", "table: Night")
    assert question_text(script) == "lime: Night: who wins?"
    script.says("table: 1", "Aki 5", "table: lot 0", "table: No name")
    assert question_text(script) == "lime, lot 2: who wins?"


def test_sealed_bids_say_what_they_are_for() -> None:
    """Also those beside auctions, which have no number; they stay sealed."""
    script = begin_with_cards_and_coins(rules_card(names="yes")).says("table: sealed_bid", "table: Vase")
    assert script.last_notes == ["Up for sale: Vase."]
    assert isinstance(script.question, Together)
    part = script.question.parts_by_seat[script.session.table.seats[0]]
    assert render(part.text) == "Vase: How much do you bid in coin? 0 is no bid."
    assert question_text(script.says("Aki 3")) == "Everybody bids in secret"


def test_two_lots_may_have_one_name() -> None:
    """Bids for one are none for the other."""
    script = begin_with_cards_and_coins(rules_card(auction="final", names="yes"))
    for _ in range(2):
        script.says("table: auction", "table: Vase", "Aki 5", "Ben withdraws", "Chie withdraws")
        assert script.last_notes == ["Aki wins Vase with 5.", "Aki pays 5."]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("table: " + "x" * 21, "The table can write at most 20 characters."),
        ("table: \u202eesav", "The table can write only visible characters."),
    ],
)
def test_what_is_no_name_is_refused(line: str, why: str) -> None:
    """And nothing has changed."""
    assert begin_with_cards_and_coins(rules_card(names="yes")).says("table: auction").refuses(line) == why


def test_a_lot_of_the_template_takes_one_touch_more() -> None:
    """What, who bids, and until all others withdraw; without a name as many answers and one."""
    script = begin_with_shipped_template("auction").says("table: auction", "table: Vase", *WON["final"])
    assert script.last_notes == ["Aki wins Vase with 5.", "Aki pays 5."]
    assert len(script.session.steps) == 2 + len(WON["final"])


def test_silence_is_no_name() -> None:
    """Where the clock answers for whoever sells, a lot goes by its number."""
    script = begin_with_cards_and_coins(rules_card(auction="aloud", payee="seller", names="yes"))
    script.says("table: auction", "table: Ben", "time is up")
    assert not script.has_only_rung
    assert question_text(script) == "lot 1: who wins?"


def test_an_evening_from_before_there_were_names_goes_on_without() -> None:
    """Its template was kept as it was then: it has no such field, and nobody is asked."""
    decks = begin_with_cards_and_coins(rules_card(auction="open")).session.began.decks
    deck = decks["any_game"]
    older = replace(deck, fields={key: one for key, one in deck.fields.items() if key != "names"})
    designs = tuple(
        replace(one, values={key: value for key, value in one.values.items() if key != "names"})
        for one in deck.designs
    )
    session = Session.begin(
        GAME, ("Aki", "Ben"), {}, MemoryLog(), deck_by_name={"any_game": replace(older, designs=designs)}
    )
    session.answer(1, "auction")
    question = session.question
    assert question is not None
    assert question.log_key == "Raise @1: lot 1"
