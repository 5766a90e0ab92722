"""What lies covered is told by no tag: twins that differ only in covered cards look and speak the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from companion.cards import Card
from companion.errors import IllegalAnswer
from companion.games.bidders import rulebook as bidders
from companion.games.egypt import rulebook as egypt
from companion.requests import Read
from companion.session.view import make_view
from companion.texts import say
from hardware.desk.prompts import build_seat_panel
from tests.support.games.bidders_helpers import play_round
from tests.support.hardware.card_table import CardTable, begin_script


def seen(table: CardTable) -> dict[str, object]:
    """Everything that the readers make of the game for anybody."""
    session = table.session
    panels = [
        build_seat_panel(
            make_view(session, seat), seat, "en", len(table.tag_input.tags_for_open_question(session, seat))
        )
        for seat in session.table.seats
    ]
    said = (tuple(table.announcements), tuple(table.private_notices))
    return {
        "laid": table.tags_for_question,
        "offered": table.usable_earlier_tags,
        "said": said,
        "panels": panels,
    }


def second_round(won: str) -> CardTable:
    """Bidders: this white card was won in round 1 and lies covered; round 2 is about to turn one up."""
    script = begin_script(bidders.GAME).says("table: Aki", "table: done", f"table: lays card:{won}")
    script.says("table: lays card:B6")
    play_round(script, white=("Aki", 2), black=("Ben", 3), share={"Ben": 1})
    return CardTable(script)


def with_offers(won: str) -> list[dict[str, object]]:
    """Cards lie there when the white one is asked for, one by one; W1 and W9 may have been won."""
    sights = []
    for card in ("W1", "W9", "W5", "B6"):
        table = second_round(won)
        session = table.session
        session.undo(past_reveal=True)
        table.show_next_question()
        table.lay(f"bidders/{card}")
        session.redo()
        table.show_next_question()
        assert isinstance(session.question, Read)
        sights.append(seen(table))
    return sights


def paid_by(card: str) -> CardTable:
    """Egypt: Aki paid with this card, face down; now Ben pays."""
    script = begin_script(egypt.GAME).says("table: Aki", "table: done", "Aki 1", "Ben 2")
    script.says("Chie withdraws", "Aki withdraws")
    table = CardTable(script)
    asked = table.session.question
    assert isinstance(asked, Read)
    table.session.answer(table.session.question_number, [{"card": card}])
    return table.show_next_question()


def payment(card: str) -> list[dict[str, object]]:
    """Ben lays cards, among them those that Aki may have paid with; all moments before OK."""
    table = paid_by(card)
    sights = [seen(table)]
    for laid in ("4.1", "4.2", "7.1"):
        table.lay(f"egypt/{laid}")
        sights.append(seen(table))
    table.lift("egypt/4.1", "egypt/7.1")
    return [*sights, seen(table)]


def test_no_offer_tells_what_was_won() -> None:
    """A card that lies there is offered whether or not it is one that was won."""
    one, other = with_offers("W1"), with_offers("W9")
    assert one == other
    assert one[0]["offered"] == ["bidders/W1"]
    assert one[3]["offered"] == []


def test_nothing_told_while_cards_are_laid_depends_on_what_was_paid() -> None:
    """Laid cards are picked, whatever lies face down in the bank; a payment is refused as a whole."""
    one, other = payment("4.1"), payment("4.2")
    assert one == other
    assert one[3]["laid"] == ["egypt/4.1", "egypt/4.2", "egypt/7.1"]


@pytest.mark.parametrize("won", ["W1", "W9"])
def test_a_card_that_lies_covered_is_refused_without_its_place(won: str) -> None:
    """The only card of an answer is refused at once, in words that don't say where it is."""
    table = second_round(won).lay(f"bidders/{won}")
    assert table.announcements == [f"card {won} has already been turned over."]
    assert table.tags_for_question == []
    assert table.session.rulebook_run.answered_questions[-1].answer != won


def test_a_payment_with_a_card_that_was_paid_is_refused_before_all() -> None:
    """Ben's one card left is the one that lies in the bank: all saw it being paid, so all read why."""
    table = paid_by("4.1")
    hand = table.session.table.ledger.find_account_by_keys("Ben/hand", "card").count
    table.session.correct("Ben/hand", "bank", "card", hand - 1, "for the test")
    n = table.session.question_number
    table.lay("egypt/4.1")
    assert (table.announcements, table.private_notices) == (["card 4.1 was already paid."], [])
    assert table.session.question_number == n


def leaks(read: Read, cards: Sequence[Card]) -> None:
    """A mutant: a card that lies covered elsewhere is named as soon as it is laid."""
    for card in cards:
        if not read.tracker.can_come_from([card], read.places):
            raise IllegalAnswer(say("{card} was already paid.", card=card))


def test_a_mutant_that_names_covered_cards_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both twins tell of it."""
    right: Any = Read.are_cards_possible

    def check_cards(read: Read, cards: Sequence[Card]) -> bool:
        is_there: bool = right(read, cards)
        leaks(read, cards)
        return is_there

    monkeypatch.setattr(Read, "are_cards_possible", check_cards)
    assert with_offers("W1") != with_offers("W9")
    assert payment("4.1") != payment("4.2")
