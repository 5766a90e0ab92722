"""Twelve people, five of whom have something of their own at the header; the others answer on the screen."""

from __future__ import annotations

import pytest

from companion.games.any_game import rulebook as any_game
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.table.seats import SEAT_COLOURS
from companion.texts import render
from hardware.devices import Devices
from hardware.signals import Inbox
from hardware.simulated.pins import ManualClock, SimulatedPins
from hardware.wiring import Buttons, Buzzer, Light, Wiring
from hardware.wiring.pins import Pin
from hardware.wiring.sections import MAX_SEATS_WITH_DEVICES, SECTION_TYPE_BY_NAME

NAMES = ["Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ian", "Jun", "Ken", "Lea"]
WIRED = Wiring(
    buttons=tuple(Buttons(seat, tap=Pin(3 + seat)) for seat in range(1, MAX_SEATS_WITH_DEVICES + 1)),
    outputs=(Light(1, Pin(16)), Light(5, Pin(17)), Buzzer(Pin(18))),
)


class Table:
    """A game of Any Game with the devices beside it; `sounds` counts what the table's buzzer made."""

    def __init__(self) -> None:
        self.pins, self.sounds = SimulatedPins(ManualClock()), 0
        self.devices = Devices(WIRED, Inbox(lambda: None), pins=lambda: self.pins, pause=self._hear)
        self.session = Session.begin(any_game.GAME, NAMES, {"pays": "nobody"}, MemoryLog(), seed=7)

    def answer(self, *answers: object) -> None:
        """One question after the other, on the screen; the devices show each."""
        for answer in answers:
            self.session.answer(self.session.question_number, answer, answer_source="screen")
            assert self.devices.process_signals_and_refresh(self.session) == []

    def lit(self, pin: int) -> bool:
        """Whether the light there shines."""
        return bool(self.pins.pin(pin).state)

    def _hear(self, _seconds: float) -> None:
        self.sounds += bool(self.pins.pin(18).state)


def test_five_seats_have_devices() -> None:
    """More can't be wired, however many may play."""
    assert MAX_SEATS_WITH_DEVICES == 5 < len(SEAT_COLOURS)
    assert set(SECTION_TYPE_BY_NAME) >= {"keypad", "numpad", "buttons", "light", "display"}


def test_who_has_no_device_answers_on_the_screen() -> None:
    """Each of twelve is asked in turn; the lights of others are dark meanwhile, and nothing is missing."""
    table = Table()
    with table.devices:
        table.devices.process_signals_and_refresh(table.session)
        table.answer("auction", 1, 2, 3, 4)
        assert (table.lit(16), table.lit(17)) == (False, True)
        table.answer(*range(5, 12))
        assert table.session.question is not None
        assert [seat.name for seat in table.session.question.seats or ()] == ["Lea"]
        assert (table.lit(16), table.lit(17)) == (False, False)
        assert table.devices.missing_devices_needed_by_game(table.session) == ()
        assert table.devices.usability_by_input_device_at_seat(9) == {}
        table.answer(12, *[None] * 11)
        assert "Lea wins with 12." in [render(note) for note in table.session.table.notes]


@pytest.mark.parametrize("before", [5, 8, 11])
def test_the_table_s_buzzer_sounds_for_who_has_none(before: int) -> None:
    """Also where a seat can have none: when it is that one's turn."""
    table = Table()
    with table.devices:
        table.devices.process_signals_and_refresh(table.session)
        table.answer("auction", *range(1, before))
        table.devices._drivers[-1]._queued_sounds.join()  # type: ignore[attr-defined]  # the buzzers
        heard = table.sounds
        table.answer(None)
    assert table.sounds > heard
