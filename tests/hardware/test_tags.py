"""Cards laid on readers: what they answer, what waits for OK, what is refused and how it is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.games.bidders import rulebook as bidders
from companion.games.egypt import rulebook as egypt
from companion.games.high_bid import rulebook as high_bid
from companion.games.mammon import rulebook as mammon
from companion.games.oyakata import rulebook as oyakata
from companion.log.log import MemoryLog
from companion.requests import Choose, Read, Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.texts import say
from hardware.desk.answers import submit_device_answer
from hardware.signals import ControlKeyAnswer, NumbersAnswer
from hardware.wiring import Reader
from tests.support.games import mammon_helpers, oyakata_helpers
from tests.support.games.script_helpers import repeat_step
from tests.support.hardware.card_table import NAMES, TAGS, CardTable, begin_script

UNKNOWN = 'This tag doesn\'t belong to a card yet. Add it under "Cards & tags".'


def owing(owed: int = 3) -> CardTable:
    """Aki has won chip 4 of Egypt and owes so much."""
    script = begin_script(egypt.GAME).says("table: Aki", "table: done")
    return CardTable(script.says(f"Aki {owed}", "Ben withdraws", "Chie withdraws"))


def block(*lines: str) -> CardTable:
    """High Bid: a card is to be turned up."""
    return CardTable(begin_script(high_bid.GAME, 4).says("table: Aki", "table: done", *lines))


def presses_ok(table: CardTable, *numbers: int) -> object:
    """OK at Aki's own device, alone or after numbers."""
    session, at = table.session, table.now + 100
    seat = session.table.seats.seat_numbered(1)
    said = (
        NumbersAnswer("buttons 1", session.question_number, numbers, at, 0)
        if numbers
        else ControlKeyAnswer("keypad 1", session.question_number, "ok", at, 0)
    )
    return submit_device_answer(
        session,
        seat,
        said,
        table.now,
        tags_for_question=table.tag_input.tags_for_open_question(session, seat),
    )


# A card that is turned up


def test_a_card_that_is_turned_up_answers_at_once() -> None:
    """One card is asked for: the one that is laid is the answer, kept as the card it is."""
    table = block().lay("high_bid/lamps.1")
    assert table.last_answer == ([{"card": "lamps.1"}], "reader")
    assert table.tags_for_question == []


def test_what_lies_there_is_not_taken_twice() -> None:
    """The card on the block still lies there when the next one is asked for: neither taken nor offered."""
    table = block().lay("high_bid/buyer.1")
    assert isinstance(table.session.question, Read)
    assert table.usable_earlier_tags == []
    assert table.lay("high_bid/lamps.1").last_answer == ([{"card": "lamps.1"}], "reader")


def test_of_two_cards_in_one_look_the_second_is_offered() -> None:
    """It came before the next question was there to be read."""
    table = block().lay_at_once("high_bid/buyer.1", "high_bid/lamps.1")
    assert table.last_answer == ([{"card": "buyer.1"}], "reader")
    assert table.usable_earlier_tags == ["high_bid/lamps.1"]
    assert table.use_earlier_cards().last_answer == ([{"card": "lamps.1"}], "reader")


def test_what_was_there_before_the_question_is_offered_not_taken() -> None:
    """A card laid during an auction waits; one touch takes it, and so does laying it again."""
    table = block("table: turns lamps", "Aki 110").lay("high_bid/maps.1")
    assert table.announcements == []
    assert table.usable_earlier_tags == []
    script_end(table)
    assert table.usable_earlier_tags == ["high_bid/maps.1"]
    table.lift("high_bid/maps.1")
    assert table.usable_earlier_tags == []
    assert table.lay("high_bid/maps.1").last_answer == ([{"card": "maps.1"}], "reader")


def script_end(table: CardTable) -> None:
    """Nobody bids any more, and Aki sells nothing."""
    session = table.session
    for _ in range(3):
        session.answer(session.question_number, None)
    session.answer(session.question_number, "done")
    table.show_next_question()
    assert isinstance(session.question, Read)


def test_where_it_is_not_clear_which_card_is_meant_none_is_offered() -> None:
    """One is asked for and two lie there."""
    table = block("table: turns lamps", "Aki 110").lay("high_bid/maps.1", "high_bid/coins.1")
    script_end(table)
    assert table.usable_earlier_tags == []
    table.lift("high_bid/coins.1")
    assert table.usable_earlier_tags == ["high_bid/maps.1"]


def test_what_was_taken_back_is_offered_again() -> None:
    """After undo the card lies there and counts for nothing: one touch gives it again."""
    table = block().lay("high_bid/lamps.1")
    table.session.undo()
    table.show_next_question()
    assert table.usable_earlier_tags == ["high_bid/lamps.1"]
    assert table.use_earlier_cards().last_answer == ([{"card": "lamps.1"}], "reader")


def test_bidders_turns_up_a_white_and_a_black_card() -> None:
    """Each on its own question; the other colour is refused by name."""
    table = CardTable(begin_script(bidders.GAME).says("table: Aki", "table: done"))
    table.lay("bidders/B4")
    assert len(table.announcements) == 1
    assert "doesn't show colour white" in table.announcements[0]
    assert table.lay("bidders/W1").last_answer == ([{"card": "W1"}], "reader")
    assert table.usable_earlier_tags == ["bidders/B4"]
    assert table.use_earlier_cards().last_answer == ([{"card": "B4"}], "reader")


# Several cards


def test_a_payment_waits_for_ok() -> None:
    """Cards are gathered in order, lifted ones go, and OK at the payer's own device sends them."""
    table = owing(4).lay("egypt/4.1", "egypt/7.1", "egypt/4.2").lift("egypt/7.1")
    assert table.tags_for_question == ["egypt/4.1", "egypt/4.2"]
    assert presses_ok(table) is None
    assert table.last_answer == ([{"card": "4.1"}, {"card": "4.2"}], "reader")


def test_buttons_say_ok_for_each_number() -> None:
    """Without a number before them that sends what was laid; numbers are typed cards, whatever lies there."""
    table = owing(2).lay("egypt/4.1")
    assert presses_ok(table, 0, 0) is None
    assert table.last_answer == ([{"card": "4.1"}], "reader")
    table = owing(2).lay("egypt/4.1")
    assert presses_ok(table, 1, 0) is None
    assert table.last_answer == ([{"values": {"number": 4}}], "keypad")


def test_ok_without_cards_is_no_answer() -> None:
    """Nothing is laid: the keypad says what it takes."""
    assert presses_ok(owing()) is not None


def test_too_little_is_refused_and_stays_laid() -> None:
    """The payer lays one more and presses again."""
    table = owing(4).lay("egypt/4.1")
    assert presses_ok(table) is not None
    assert presses_ok(table.lay("egypt/5.1", "egypt/5.2")) is None
    assert table.last_answer == ([{"card": "4.1"}, {"card": "5.1"}, {"card": "5.2"}], "reader")


def test_the_only_card_of_a_hand_answers_at_once() -> None:
    """Who has one card left can lay no more than one; it is worth too little here."""
    table = owing(2)
    hand = table.session.table.ledger.find_account_by_keys("Aki/hand", "card").count
    table.session.correct("Aki/hand", "bank", "card", hand - 1, "for the test")
    table.lay("egypt/7.1")
    assert table.announcements == ['These cards are worth 1; the price is 2. Or answer "can\'t pay".']
    assert table.lay("egypt/4.1").last_answer == ([{"card": "4.1"}], "reader")


def test_cards_paid_before_are_not_offered_to_the_next() -> None:
    """Aki's payment lies there still when Ben pays."""
    script = begin_script(egypt.GAME).says("table: Aki", "table: done", "Aki 2", "Ben 4")
    table = CardTable(script.says("Chie withdraws", "Aki withdraws"))
    asked = table.session.question
    assert isinstance(asked, Read)
    assert asked.seat is not None
    table.lay("egypt/4.1")
    table.session.answer(table.session.question_number, [{"tag": tag} for tag in table.tags_for_question])
    table.show_next_question()
    assert isinstance(table.session.question, Read)
    assert table.usable_earlier_tags == []


# Whose reader


def test_a_reader_at_a_seat_serves_that_seat() -> None:
    """What lies on Ben's tray pays nothing of Aki's; a question to the table takes it."""
    tray = Reader("tray", "/dev/spidev0.1", seat=2)
    table = owing_at(tray).lay("egypt/4.1", zone="tray")
    assert (table.tags_for_question, table.usable_earlier_tags, table.announcements) == ([], [], [])
    table = CardTable(begin_script(high_bid.GAME, 4).says("table: Aki", "table: done"), tray)
    assert table.lay("high_bid/lamps.1", zone="tray").last_answer == ([{"card": "lamps.1"}], "reader")


def owing_at(*readers: Reader) -> CardTable:
    """Aki owes 3; these readers are there."""
    script = begin_script(egypt.GAME).says("table: Aki", "table: done")
    return CardTable(script.says("Aki 3", "Ben withdraws", "Chie withdraws"), *readers)


def test_a_reader_where_nobody_sits_hears_nothing() -> None:
    """Three play, the tray is the fourth seat's."""
    table = CardTable(
        begin_script(high_bid.GAME, 3).says("table: Aki", "table: done"),
        Reader("tray", "/dev/spidev0.1", seat=4),
    )
    n = table.session.question_number
    assert table.lay("high_bid/lamps.1", zone="tray").session.question_number == n


def test_a_card_heard_by_two_readers_is_one_card() -> None:
    """Readers that stand too close both hear it; lifted from one it still lies there."""
    other = Reader("tray", "/dev/spidev0.1")
    table = owing_at(Reader("market", "/dev/spidev0.0"), other)
    table.lay("egypt/4.1").lay("egypt/4.1", zone="tray")
    assert table.tags_for_question == ["egypt/4.1"]
    assert table.lift("egypt/4.1").tags_for_question == ["egypt/4.1"]
    assert table.lift("egypt/4.1", zone="tray").tags_for_question == []
    assert table.announcements == []


# A choice among cards


def fighting() -> CardTable:
    """Mammon: Aki's turn in phase 3, with cards in every hand."""
    script = mammon_helpers.begin_battle(3, 3, 3)
    session = Session.begin(mammon.GAME, NAMES[:3], {}, MemoryLog(), tags=TAGS.get)
    for step in script.session.steps:
        repeat_step(session, step)
    script.session = session
    return CardTable(script)


def test_the_card_to_play_is_laid_down() -> None:
    """Mammon's mercenaries answer by their tag; a kind that can't be played is named."""
    table = fighting().lay("mammon/spy.1")
    assert table.announcements == ["spy can't be played now."]
    assert isinstance(table.session.question, Choose)
    told = table.lay("mammon/mansion.2").session.rulebook_run.answered_questions[-1]
    assert told.answer == "mansion"


def test_a_choice_that_is_not_among_cards_hears_no_card() -> None:
    """Egypt's leader is chosen by name, whatever number a card has."""
    table = CardTable(begin_script(egypt.GAME)).lay("egypt/4.1")
    assert isinstance(table.session.question, Choose)
    assert table.announcements == []


# What is refused


@pytest.mark.parametrize(
    ("begin", "tag", "why"),
    [
        (block, "04FF", UNKNOWN),
        (block, "egypt/4.1", "This tag belongs to card 4, 1 of 4 in Egypt."),
        (owing, "04FF", UNKNOWN),
        (owing, "mammon/spy.1", "This tag belongs to spy, 1 of 2 in Mammon."),
        (fighting, "04FF", UNKNOWN),
        (fighting, "egypt/4.1", "This tag belongs to card 4, 1 of 4 in Egypt."),
    ],
)
def test_unknown_and_foreign_tags_are_named(begin: Callable[[], CardTable], tag: str, why: str) -> None:
    """One sentence, and nothing has changed."""
    table = begin()
    n = table.session.question_number
    table.lay(tag)
    assert (
        table.announcements,
        table.session.question_number,
        table.tags_for_question,
        table.usable_earlier_tags,
    ) == ([why], n, [], [])


def test_two_tags_of_one_card_are_named() -> None:
    """The second is refused, the first stays laid."""
    table = owing().lay("egypt/4.1", "twice")
    assert table.announcements == ["Card 4.1 is listed twice. Remove one of the two entries."]
    assert table.tags_for_question == ["egypt/4.1"]


def surveying(letter: str) -> CardTable:
    """Oyakata: Aki has drawn three tiles, of which two may be placed."""
    script = begin_script(oyakata.GAME, 2).says(
        "table: Aki", "Aki places A1", "Ben places A1", "table: shows M1"
    )
    script.says("Aki: dig", "Aki: nothing", "Aki: white")
    oyakata_helpers.move_marker(oyakata_helpers.set_gold(script, "Aki", 9), "Aki", "survey", 1)
    return CardTable(script.says(f"Aki: survey_{letter}"))


def test_an_accident_is_answered_and_not_laid() -> None:
    """The tile on the reader says what to answer; nothing has changed."""
    table = surveying("B").lay("oyakata/accident.2")
    assert table.announcements == [
        'card accident.2 doesn\'t show accident no. If no card fits, answer "An accident".'
    ]
    assert table.tags_for_question == []


def test_a_tile_too_many_is_named_as_it_is_laid() -> None:
    """It doesn't count and those before it do; with one of them taken away it does."""
    table = surveying("A").lay("oyakata/A2.1", "oyakata/A3.1", "oyakata/A4.1")
    assert table.announcements == [
        "card A4.1 is one card too many. At most 2 cards count, so take another card away first."
    ]
    assert table.tags_for_question == ["oyakata/A2.1", "oyakata/A3.1"]
    table.lift("oyakata/A2.1", "oyakata/A4.1").lay("oyakata/A4.1")
    assert presses_ok(table) is None
    assert table.last_answer == ([{"card": "A3.1"}, {"card": "A4.1"}], "reader")


def test_a_tag_of_a_card_that_the_list_does_not_have() -> None:
    """It was taught when there were more cards."""
    gone = {**TAGS, "old": ("mammon", "spy.9"), "older": ("egypt", "4.9")}
    table = fighting()
    table.session._tags = gone.get
    table.lay("old")
    assert table.announcements == ["spy.9 can't be played now."]


def test_a_card_that_lies_elsewhere_is_named_with_its_place() -> None:
    """Aki bought lamps: they lie before Aki for all to see, and can't come up again."""
    table = block("table: turns card:lamps.1", "Aki 110")
    script_end(table)
    table.lay("high_bid/lamps.1")
    assert table.announcements == ["Lamps 1 is already at another place: Aki's front."]


# What is sealed


async def plays_a_card(table: Table) -> GameResult:
    """Everybody chooses a card, all at once."""
    deck = table.find_deck("mammon")
    options = {"spy": say("spy"), "dung": say("dung")}
    await Together(
        say("Cards"), {seat: Choose(seat, say("Which card?"), options, deck=deck) for seat in table.seats}
    )
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


SEALED = Game("sealed_cards", 1, say("Sealed cards"), (2, 5), plays_a_card, decks=("mammon",))


def test_a_sealed_card_is_laid_at_ones_own_reader() -> None:
    """It goes into the envelope; the table's reader takes nothing sealed, and refusals are whispered."""
    readers = (Reader("market", "/dev/spidev0.0"), Reader("tray", "/dev/spidev0.1", seat=2))
    table = CardTable(begin_script(SEALED), *readers)
    table.lay("mammon/spy.1")
    table.lay("mammon/mansion.1", zone="tray")
    assert not table.session.drafts
    assert table.private_notices == ["Ben: mansion can't be played now."]
    table.lay("mammon/dung.1", zone="tray")
    assert [(seat.name, draft.answer) for seat, draft in table.session.drafts.items()] == [("Ben", "dung")]
    assert table.announcements == []
    assert table.tags_for_question == []
