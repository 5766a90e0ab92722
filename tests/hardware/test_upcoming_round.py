"""The next round on devices while the menu is still open: which keys open it, and what they never answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from msgspec.structs import replace

from companion.log.events import Answered
from companion.session.session import Session
from companion.session.upcoming_round import find_upcoming_round
from companion.session.view import make_view
from companion.testing import Script
from companion.texts import render
from hardware.desk.answers import MIN_QUESTION_READING_SECONDS, find_device_question, submit_device_answer
from hardware.devices import Devices
from hardware.signals import ButtonDown, ButtonName, ButtonUp, Inbox, NumbersAnswer, NumpadKeyDown, PadKey
from hardware.simulated.pins import ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Buttons, Numpad, Wiring
from hardware.wiring.pins import Pin
from tests.support.games.any_game_helpers import COIN_CARD, begin_with_cards, rules_card, template_card
from tests.support.games.script_helpers import correct_count

POINTS = template_card("category", "points")


def round_entered() -> Script:
    """Three people who have entered one round, and have coins."""
    script = begin_with_cards(rules_card(scoring="rounds", payments="yes"), POINTS, COIN_CARD)
    return script.says("table: write_round", "table: 1, 2, 3")


def shown_number(session: Session) -> int:
    """The number that devices show now."""
    return find_device_question(session, find_upcoming_round(session)).number


def submit(session: Session, seat_number: int, question: int, number: int) -> str:
    """Submits the entry of a keypad; returns why it is refused, or nothing."""
    answer = NumbersAnswer("keypad", question, (number,), 9.0, 1)
    seat, upcoming = session.table.seats.seat_numbered(seat_number), find_upcoming_round(session)
    refusal = submit_device_answer(session, seat, answer, 0.0, upcoming_round=upcoming)
    return "" if refusal is None else render(refusal.text)


def numbers_entered(session: Session) -> dict[str, object]:
    """The answers in the open round."""
    return {seat.name: draft.answer for seat, draft in session.drafts.items()}


def test_a_late_answer_to_the_round_is_no_answer_to_what_people_choose_instead() -> None:
    """A sealed bid has the number that the round would have had, and no keypad has sent it yet."""
    script = round_entered()
    session = script.session
    number, menu_number = shown_number(session), session.question_number
    script.says("table: sealed_bid")
    assert script.question.is_sealed
    assert session.question_number == menu_number + 1
    for seat in (1, 2, 3):
        assert submit(session, seat, number, 7) == "Too late"
    assert not session.drafts


def test_the_round_keeps_its_number_when_it_is_opened() -> None:
    """What others were typing then counts; the log says that a keypad opened it."""
    session = round_entered().session
    number = shown_number(session)
    assert submit(session, 2, number, 7) == ""
    assert shown_number(session) == number
    assert submit(session, 3, number, 8) == ""
    assert numbers_entered(session) == {"Ben": 7, "Chie": 8}
    assert [step.via for step in session.steps if isinstance(step, Answered)][-1] == "keypad"
    assert submit(session, 1, number, 9) == ""
    assert submit(session, 1, number, 9) == "Too late"


def test_an_answer_that_the_round_refuses_opens_nothing() -> None:
    """So does one to the menu, which the device doesn't show."""
    session = round_entered().session
    number, menu_number = shown_number(session), session.question_number
    assert submit(session, 2, number, 10**9) == "Only 0.."
    assert submit(session, 2, menu_number, 1) == "Too late"
    assert session.question_number == menu_number


def test_a_correction_gives_the_round_another_number() -> None:
    """It may lead to another round, and the keypad has shown the round before it."""
    script = round_entered()
    number = shown_number(script.session)
    correct_count(script, 5, "coin", "Aki/purse", "Ben/purse")
    assert shown_number(script.session) > number
    assert submit(script.session, 2, number, 7) == "Too late"


class ButtonsAndPads:
    """Ben has buttons, Chie has a number pad, and nobody sits at the buttons of seat 4."""

    def __init__(self) -> None:
        buttons = (Buttons(2, plus=Pin(5), ok=Pin(6)), Buttons(4, tap=Pin(7)))
        self.clock = ManualClock()
        self.metal = SimulatedTable(Wiring(buttons=buttons, numpad=(Numpad(3, "usb-3"),)), self.clock)
        self.inbox = Inbox(lambda: None)
        self.devices = Devices(
            self.metal.wiring,
            self.inbox,
            clock=self.clock,
            pins=self.metal.pins,
            inputs=self.metal.inputs,
        )
        self.devices.find_shown_round = find_upcoming_round
        self.devices.open()
        self.session = round_entered().session
        self.refresh()
        self.clock.wait(2 * MIN_QUESTION_READING_SECONDS)

    def refresh(self) -> None:
        """Handles all signals and shows the table, with the next round instead of the menu."""
        self.devices.process_signals(self.session)
        view, upcoming = make_view(self.session), find_upcoming_round(self.session)
        self.devices.refresh_displays(self.session, replace(view, question=upcoming or view.question))

    def press(self, seat: int, button: ButtonName) -> None:
        """Presses a button of a seat."""
        for kind, seconds in ((ButtonDown, 0.1), (ButtonUp, 0.3)):
            self.inbox.put(kind(f"buttons {seat}", button, self.clock()))
            self.clock.wait(seconds)
        self.refresh()

    def type(self, *keys: PadKey | None) -> None:
        """Types on Chie's number pad."""
        for key in keys:
            self.inbox.put(NumpadKeyDown("numpad 3", key, self.clock()))
            self.clock.wait(0.1)
        self.refresh()


@pytest.fixture
def table() -> Iterator[ButtonsAndPads]:
    """The table of buttons and a number pad."""
    table = ButtonsAndPads()
    with closing(table.metal), closing(table.devices):
        yield table


def test_only_a_whole_answer_opens_the_round(table: ButtonsAndPads) -> None:
    """A peek, an unplugged pad, half an entry or a button where nobody sits open nothing."""
    menu_number = table.session.question_number
    table.type("OWN")
    table.type("4")
    table.type(None)
    table.press(4, "tap")
    table.press(2, "plus")
    assert table.session.question_number == menu_number
    table.type("4", "OK")
    assert table.session.question_number == menu_number + 1
    assert numbers_entered(table.session) == {"Chie": 4}


def test_presses_before_another_opened_the_round_count(table: ButtonsAndPads) -> None:
    """Ben has pressed twice when Chie opens the round, and once more after it."""
    table.press(2, "plus")
    table.press(2, "plus")
    table.type("4", "OK")
    table.press(2, "plus")
    table.press(2, "ok")
    assert numbers_entered(table.session) == {"Chie": 4, "Ben": 3}
