"""Cards on simulated readers, all the way: antenna, chip, SPI, driver, inbox, devices, session, store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from gpiozero.exc import BadPinFactory

from companion.games.egypt import rulebook as egypt
from companion.games.high_bid import rulebook as high_bid
from companion.log.events import Answered
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import Store
from companion.texts import render
from hardware.devices import Devices
from hardware.rfid.readers import TagReaders
from hardware.signals import DeviceFound, DeviceLost, Inbox, Signal, TagArrived, TagSignal, TagUnreadable
from hardware.simulated.pins import ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.simulated.tags import SimulatedTag
from hardware.wiring import Buttons, Reader, Wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.device_helpers import SignalListener, run_until

NAMES = ["Aki", "Ben", "Chie"]
WIRING = Wiring(
    buttons=(Buttons(1, plus=Pin(5), ok=Pin(6)),),
    reader=(
        Reader("market", "/dev/spidev0.0", reset=Pin(25)),
        Reader("tray", "/dev/spidev0.1", reset=Pin(22), seat=1, mhz=1),
    ),
)
LAMPS, MAPS, FOUR, OTHER_FOUR = "04A2B3C4D5E601", "04A2B3C4D5E602", "DEADBE01", "04A2B3C4D5E6F7A8B903"
CARDS = {
    LAMPS: ("high_bid", "lamps.1"),
    MAPS: ("high_bid", "maps.1"),
    FOUR: ("egypt", "4.1"),
    OTHER_FOUR: ("egypt", "4.2"),
}


class Table:
    """Three people, two readers with reset pins, a store that knows four tags."""

    def __init__(self, folder: Path) -> None:
        self.opened = ExitStack()
        self.awake, self.clock = threading.Event(), ManualClock()
        self.metal = self.opened.enter_context(SimulatedTable(WIRING, self.clock))
        self.store = self.opened.enter_context(closing(Store.open(folder, for_writing=True)))
        for uid, card in CARDS.items():
            self.store.assign_tag(uid, *card)
        inbox = Inbox(self.awake.set)
        self.devices = self.opened.enter_context(
            Devices(WIRING, inbox, clock=self.clock, pins=self.metal.pins, spi=self.metal.open_reader)
        )
        self.aloud: list[str] = []

    def begins(self, game: Game, *answers: object) -> None:
        """A game, and its first answers."""
        self.log = self.store.new_game_log()
        self.session = Session.begin(game, NAMES, {}, self.log, tags=self.store.card_of_tag, seed=7)
        for answer in answers:
            self.session.answer(self.session.question_number, answer)
        self.until(lambda: not self.devices.missing_devices_needed_by_game(self.session))

    def until(self, seen: Callable[[], bool]) -> None:
        """Plays on until something is so."""
        run_until(seen, self.pump, self.awake, lambda: self.session.question)
        self.clock.wait(1.0)

    def pump(self) -> None:
        """One turn of the game's loop."""
        self.aloud += map(render, self.devices.process_signals_and_refresh(self.session))

    @property
    def laid(self) -> list[str]:
        """What is laid for the open question."""
        return self.devices.tag_input.tags_for_open_question(self.session)

    @property
    def last(self) -> tuple[object, str]:
        """The last answer that the store has kept."""
        event = self.log.events()[-1]
        assert isinstance(event, Answered)
        return event.answer, event.via


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Nothing begun."""
    table = Table(tmp_path / "state")
    with table.opened:
        yield table


def test_a_card_goes_from_the_antenna_into_the_log(table: Table) -> None:
    """Laid on the reader it is the card that came up; the next one waits until the question is there."""
    table.begins(high_bid.GAME, "1", True)
    n = table.session.question_number
    table.metal.readers["market"].add_tag(LAMPS)
    table.until(lambda: table.session.question_number > n)
    assert table.last == ([{"card": "lamps.1"}], "reader")
    assert table.aloud == []


def test_a_payment_is_laid_and_confirmed_with_a_button(table: Table) -> None:
    """Two cards at once, on the table's reader and on one's own; one is taken away; OK, OK sends the rest."""
    table.begins(egypt.GAME, "1", True, 2, None, None)
    table.metal.readers["market"].add_tag(FOUR)
    table.metal.readers["tray"].add_tag(OTHER_FOUR)
    table.until(lambda: sorted(table.laid) == sorted((FOUR, OTHER_FOUR)))
    table.metal.readers["tray"].remove_tag(OTHER_FOUR)
    table.until(lambda: table.laid == [FOUR])
    n = table.session.question_number
    for _ in range(2):
        table.metal.buttons[1]["ok"].press()
    table.until(lambda: table.session.question_number > n)
    assert table.last == ([{"card": "4.1"}], "reader")


def test_an_unknown_tag_and_another_games_are_named(table: Table) -> None:
    """One sentence each; the game waits."""
    table.begins(high_bid.GAME, "1", True)
    n = table.session.question_number
    table.metal.readers["market"].add_tag(FOUR)
    table.until(lambda: len(table.aloud) == 1)
    table.metal.readers["market"].add_tag("CAFE0001")
    table.until(lambda: len(table.aloud) == 2)
    assert table.aloud == [
        "This tag belongs to card 4, 1 of 4 in Egypt.",
        'This tag doesn\'t belong to a card yet. Add it under "Cards & tags".',
    ]
    assert table.session.question_number == n


def test_who_learns_hears_the_tags_in_the_games_place(table: Table) -> None:
    """What arrives meanwhile is offered to the game later, not taken."""
    table.begins(high_bid.GAME, "1", True)
    heard: list[TagSignal] = []
    table.devices.tag_listener = heard.append
    n = table.session.question_number
    table.metal.readers["market"].add_tag(LAMPS)
    table.until(lambda: bool(heard))
    table.devices.tag_listener = None
    table.until(lambda: table.devices.tag_input.fitting_tags_read_before_question(table.session) == [LAMPS])
    assert table.session.question_number == n
    assert isinstance(heard[0], TagArrived)
    assert heard[0].tag == LAMPS


def test_what_can_not_be_read_is_nobodys_answer(table: Table) -> None:
    """A broken tag means nothing in a game; who learns hears of it."""
    table.begins(high_bid.GAME, "1", True)
    heard: list[TagSignal] = []
    n = table.session.question_number
    table.devices.signal_listeners.append(
        lambda signal: heard.append(signal) if isinstance(signal, TagUnreadable) else None
    )
    table.metal.readers["market"].add_tag(SimulatedTag.with_wrong_check_byte(LAMPS))
    table.until(lambda: bool(heard))
    assert (table.session.question_number, table.aloud, table.laid) == (n, [], [])


def test_a_reader_is_spoken_to_as_fast_as_the_wiring_says(table: Table) -> None:
    """1 MHz for the tray; the market has the usual 4."""
    market, tray = (table.metal.readers[zone] for zone in ("market", "tray"))
    found: list[Signal] = []
    table.devices.signal_listeners.append(
        lambda signal: found.append(signal) if isinstance(signal, DeviceFound) else None
    )
    table.begins(high_bid.GAME)
    table.until(lambda: {each.device for each in found} >= {"reader market", "reader tray"})
    assert (market.max_speed_hz, tray.max_speed_hz) == (4_000_000, 1_000_000)


def test_what_can_not_be_saved_may_be_taken_later(table: Table) -> None:
    """The disk refuses: the table is told, the card still lies there and is offered."""
    table.begins(high_bid.GAME, "1", True)
    table.store._games.execute("PRAGMA query_only = ON")
    table.metal.readers["market"].add_tag(LAMPS)
    table.until(lambda: len(table.aloud) == 1)
    assert table.aloud[0].startswith("This could not be saved, so it doesn't count: ")
    table.store._games.execute("PRAGMA query_only = OFF")
    assert table.devices.tag_input.fitting_tags_read_before_question(table.session) == [LAMPS]
    assert table.devices.tag_input.use_earlier_tags(table.session) == []
    assert table.last == ([{"card": "lamps.1"}], "reader")


def test_a_reader_is_reset_by_its_pin() -> None:
    """Its chip is held down for a moment each time it is set up, and then answers."""
    listener, clock = SignalListener(), ManualClock()
    metal = SimulatedTable(WIRING, clock)
    levels: list[bool] = []
    pin = metal.pins().pin(25)
    pin.watchers.append(lambda: levels.append(bool(pin.state)))
    readers = TagReaders(
        WIRING.reader[:1], listener.inbox, pins=metal.pins, spi=metal.open_reader, clock=clock
    )
    with metal, closing(readers):
        readers.start()
        assert listener.wait_for_signal(DeviceFound) == DeviceFound("reader market")
        assert levels == [True, False, True]


def test_a_chip_that_is_held_down_is_woken_by_its_pin() -> None:
    """Something pulls its reset low: it is set up again, and the card on it hasn't left."""
    listener = SignalListener()
    metal = SimulatedTable(WIRING)
    readers = TagReaders(WIRING.reader[:1], listener.inbox, pins=metal.pins, spi=metal.open_reader)
    with metal, closing(readers):
        readers.start()
        metal.readers["market"].add_tag(LAMPS)
        assert listener.wait_for_signal(TagArrived).tag == LAMPS
        metal.readers["market"].set_reset_pin(is_high=False)
        metal.readers["market"].add_tag(MAPS)
        assert listener.wait_for_signal(TagArrived).tag == MAPS
        assert {type(signal) for signal in listener.signals} == {DeviceFound, TagArrived}


def test_a_reset_pin_that_can_not_be_had_loses_its_reader_only() -> None:
    """Without pins the reader that needs one is lost, and not called silent; the other is found."""
    listener = SignalListener()
    wired = (WIRING.reader[0], Reader("tray", "/dev/spidev0.1"))
    metal = SimulatedTable(Wiring(reader=wired))

    def no_pins() -> object:
        raise BadPinFactory("none")

    readers = TagReaders(wired, listener.inbox, pins=no_pins, spi=metal.open_reader)
    with metal, closing(readers):
        readers.start()
        assert listener.wait_for_signal(DeviceLost) == DeviceLost("reader market", "no_pins")
        assert listener.wait_for_signal(DeviceFound) == DeviceFound("reader tray")
