"""Readers as zones: tags arrive, lie there and leave, without flicker, whatever the reader does."""

import sys
import threading
import time
from collections.abc import Callable
from functools import partial

import pytest

from benchmarks.pi_modules import plug_in, stand_ins
from hardware.rfid.readers import (
    MISSED_SCANS_UNTIL_LEFT,
    READER_RETRY_SECONDS,
    SCAN_INTERVAL_SECONDS,
    ReaderPoller,
    ReaderScanner,
    ReaderZone,
    TagPresence,
    open_reader_at_spi,
)
from hardware.signals import DeviceFound, DeviceLost, Inbox, Signal, TagArrived, TagLeft
from hardware.simulated.pins import ManualClock
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from tests.support.hardware.device_helpers import SignalListener
from tests.support.soak import SOAK

CARD, OTHER = "04A2B3C4D5E680", "DEADBEEF"


@pytest.mark.parametrize(
    ("looks", "said"),
    [
        (["a", "a", "a"], ["+a", "", ""]),
        (["a", "", "a"], ["+a", "", ""]),
        (["a", "", "", "a", "", "", "a"], ["+a", "", "", "", "", "", ""]),
        (["a", "", "", "", ""], ["+a", "", "", "-a", ""]),
        (["a", "ab", "b", "b", "b"], ["+a", "+b", "", "", "-a"]),
        (["a", "", "", "", "a"], ["+a", "", "", "-a", "+a"]),
        (["ba", "b", "b", "bc"], ["+a+b", "", "", "-a+c"]),
    ],
)
def test_arrived_and_left(looks: list[str], said: list[str]) -> None:
    """A tag has arrived at the first look that sees it, and left after three in a row that don't."""
    presence = TagPresence()
    heard = []
    for look in looks:
        arrived, left = presence.update_after_scan(set(look))
        heard.append("".join([f"-{tag}" for tag in left] + [f"+{tag}" for tag in arrived]))
    assert heard == said


class Table:
    """A reader on a simulated chip, looked at every 30 ms of a clock that the test moves."""

    def __init__(self) -> None:
        self.chip = SimulatedRc522()
        self.now = 100.0
        self.watch = ReaderScanner(
            ReaderZone("reader 1", "market", lambda: open_simulated_reader(self.chip)), lambda: self.now
        )

    def turns(self, count: int = 1) -> list[Signal]:
        """Lets the readers look this many times; returns what is said."""
        said = []
        for _ in range(count):
            self.now += SCAN_INTERVAL_SECONDS
            self.chip.wait(SCAN_INTERVAL_SECONDS)
            said += self.watch.scan_once()
        return said

    def seconds(self, seconds: float) -> list[Signal]:
        """Looks for so long."""
        return self.turns(round(seconds / SCAN_INTERVAL_SECONDS))


@pytest.fixture
def table() -> Table:
    """A reader that has been found."""
    table = Table()
    assert table.turns() == [DeviceFound("reader 1")]
    return table


def test_a_card_is_laid_and_lifted(table: Table) -> None:
    """It arrives at the next look and leaves a tenth of a second after it was lifted, each said once."""
    table.chip.add_tag(CARD)
    assert table.turns(20) == [TagArrived("reader 1", "market", CARD, 100 + 2 * SCAN_INTERVAL_SECONDS)]
    assert table.watch.presence.present_tags == (CARD,)
    lifted = table.now
    table.chip.remove_tag(CARD)
    (left,) = table.turns(20)
    assert isinstance(left, TagLeft)
    assert left.tag == CARD
    assert left.at == pytest.approx(lifted + MISSED_SCANS_UNTIL_LEFT * SCAN_INTERVAL_SECONDS)


def test_a_resting_card_never_flaps(table: Table) -> None:
    """A card that rests says nothing more in 10,000 looks."""
    table.chip.add_tag(CARD)
    table.turns()
    assert table.turns(10_000 if SOAK else 300) == []


def test_a_trembling_hand_is_no_leaving(table: Table) -> None:
    """A card that loses its power for a twentieth of a second, again and again, hasn't left."""
    table.chip.add_tag(CARD)
    table.turns()
    for _ in range(30):
        table.chip.interrupt_tag_power(CARD, 0.04)
        assert table.turns(4) == []


def test_noise_is_no_coming_and_going(table: Table) -> None:
    """With one bit in a thousand wrong, two cards lie there without a word."""
    table.chip.add_tag(CARD)
    table.chip.add_tag(OTHER)
    table.turns(2)
    table.chip.set_bit_error_chance(0.001)
    assert table.turns(300) == []


@pytest.mark.parametrize("fault", [SimulatedRc522.hang_receiver, SimulatedRc522.dip_power])
def test_a_fault_that_heals_is_not_said(table: Table, fault: Callable[[SimulatedRc522], None]) -> None:
    """A reader that goes deaf, or whose power dips, is set up again; the card on it hasn't left."""
    table.chip.add_tag(CARD)
    table.turns()
    for _ in range(10):
        fault(table.chip)
        assert table.turns(5) == []


def test_a_reader_is_lost_and_found(table: Table) -> None:
    """It is lost once and found within a second of being back; only what changed meanwhile is said."""
    table.chip.add_tag(CARD)
    table.turns()
    table.chip.unplug()
    assert table.seconds(5) == [DeviceLost("reader 1", "silent")]
    table.chip.add_tag(OTHER)
    table.chip.plug_in()
    said = table.seconds(READER_RETRY_SECONDS + 0.2)
    assert [type(signal) for signal in said] == [DeviceFound, TagArrived]
    assert table.watch.presence.present_tags == (CARD, OTHER)


def test_a_reader_that_is_lost_again_says_so_again(table: Table) -> None:
    """A loose wire is reported each time it loses the reader, though the reason is the same."""
    for _ in range(2):
        table.chip.unplug()
        assert table.seconds(1) == [DeviceLost("reader 1", "silent")]
        table.chip.plug_in()
        assert table.seconds(READER_RETRY_SECONDS + 0.2) == [DeviceFound("reader 1")]


def test_a_card_taken_while_the_reader_was_away_has_left(table: Table) -> None:
    """When the reader is back, a card that is no longer there leaves."""
    table.chip.add_tag(CARD)
    table.turns()
    table.chip.unplug()
    table.turns()
    table.chip.remove_tag(CARD)
    table.chip.plug_in()
    assert [type(signal) for signal in table.seconds(READER_RETRY_SECONDS + 0.2)] == [DeviceFound, TagLeft]


def test_a_reader_that_is_not_there_is_lost_from_the_start() -> None:
    """Without its SPI device a reader is unplugged, is tried once a second, and says so once."""
    tried = []

    def not_there() -> SimulatedRc522:
        tried.append(1)
        raise FileNotFoundError("/dev/spidev0.1")

    clock = ManualClock()
    watch = ReaderScanner(ReaderZone("reader 2", "hands", not_there), clock)  # type: ignore[arg-type]  # it opens nothing
    said: list[Signal] = []
    for _ in range(round(3 / SCAN_INTERVAL_SECONDS)):
        said += watch.scan_once()
        clock.wait(SCAN_INTERVAL_SECONDS)
    assert said == [DeviceLost("reader 2", "unplugged")]
    assert len(tried) == 3


def test_a_reader_whose_packages_are_missing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `mfrc522` can't be imported the reader is lost; the game goes on."""
    monkeypatch.setitem(sys.modules, "hardware.rfid.rc522", None)
    with pytest.raises(OSError, match="packages can't be loaded"):
        open_reader_at_spi("/dev/spidev0.0")
    watch = ReaderScanner(
        ReaderZone("reader 1", "market", partial(open_reader_at_spi, "/dev/spidev0.0")), lambda: 0.0
    )
    assert watch.scan_once() == [DeviceLost("reader 1", "no_package")]


def test_a_reader_that_may_not_be_opened_names_the_group() -> None:
    """Whose members may: that is no loose wire, and no SPI that is off."""

    def closed() -> SimulatedRc522:
        raise PermissionError(13, "Permission denied", "/dev/spidev0.0")

    watch = ReaderScanner(ReaderZone("reader 1", "market", closed), lambda: 0.0)  # type: ignore[arg-type]  # it opens nothing
    assert watch.scan_once() == [DeviceLost("reader 1", "denied", "spi")]


def test_the_real_driver_is_opened_at_its_spi_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """A zone at an SPI device reads the chip that is there, through spidev and `mfrc522`."""
    monkeypatch.setitem(sys.modules, "spidev", stand_ins()["spidev"])
    chip = SimulatedRc522()
    chip.add_tag(CARD)
    plug_in(chip, bus=0, device=1)
    watch = ReaderScanner(
        ReaderZone("reader 1", "market", partial(open_reader_at_spi, "/dev/spidev0.1", wait=chip.wait)),
        lambda: 5.0,
    )
    assert watch.scan_once() == [DeviceFound("reader 1"), TagArrived("reader 1", "market", CARD, 5)]


def test_two_readers_are_two_zones() -> None:
    """Cards arrive at the game by zone; one that is moved leaves here and arrives there."""
    game = SignalListener()
    chips = [SimulatedRc522(clock=time.monotonic) for _ in range(2)]
    market, hands = (partial(open_simulated_reader, chip) for chip in chips)
    with ReaderPoller(
        [ReaderZone("reader 1", "market", market), ReaderZone("reader 2", "hands", hands)], game.inbox
    ):
        assert [game.wait_for_signal(DeviceFound).device, game.wait_for_signal(DeviceFound).device] == [
            "reader 1",
            "reader 2",
        ]
        chips[0].add_tag(CARD)
        assert game.wait_for_signal(TagArrived).zone == "market"
        chips[0].remove_tag(CARD)
        assert game.wait_for_signal(TagLeft).zone == "market"
        chips[1].add_tag(CARD)
        assert game.wait_for_signal(TagArrived).zone == "hands"


def test_a_reader_that_breaks_is_lost_and_the_table_hears_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the thread fails for an unforeseen reason, every reader is lost and the reason is shown."""
    raised = []
    monkeypatch.setattr(threading, "excepthook", lambda hook: raised.append(hook.exc_type))
    game = SignalListener()
    chip = SimulatedRc522()

    def breaks() -> SimulatedRc522:
        raise ZeroDivisionError

    wired = [
        ReaderZone("reader 1", "market", lambda: open_simulated_reader(chip)),
        ReaderZone("reader 2", "hands", breaks),  # type: ignore[arg-type]  # it opens nothing
    ]
    with ReaderPoller(wired, game.inbox):
        assert game.wait_for_signal(DeviceLost) == DeviceLost("reader 1", "failed")
        assert game.wait_for_signal(DeviceLost) == DeviceLost("reader 2", "failed")
    assert raised == [ZeroDivisionError]


def test_readers_that_never_started_are_closed() -> None:
    """Closing needs no start."""
    ReaderPoller([], Inbox(wake=lambda: None)).close()
