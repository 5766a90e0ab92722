"""The seats' displays on simulated chips: what people read, and what is missing."""

from __future__ import annotations

from threading import Event

import pytest

from companion.games.high_bid import rulebook as high_bid
from companion.log.log import MemoryLog
from companion.session.session import Session
from hardware.desk.entry import ButtonEntry, format_button_entry
from hardware.device_drivers import SeatPanel
from hardware.devices import Devices, SeatDisplayContent
from hardware.gpio.displays import Displays, format_four_digits_or_dashes
from hardware.numpads import Numpads
from hardware.signals import DeviceFound, DeviceLost, Inbox
from hardware.simulated.pins import ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Display, Numpad, Wiring
from hardware.wiring.pins import Pin
from tests.hardware.test_button_entry import asked
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS

WIRED = (Display(1, clock=Pin(23), data=Pin(24)), Display(3, clock=Pin(17), data=Pin(27)))


class Shown:
    """Two displays, and who hears of them."""

    def __init__(self, *unplugged: int) -> None:
        self.metal = SimulatedTable(Wiring(outputs=(*WIRED,)), ManualClock())
        for seat in unplugged:
            self.metal.displays[seat].unplug()
        self.inbox = Inbox(lambda: None)
        self.displays = Displays(WIRED, self.inbox, pins=self.metal.pins)

    def enters(self, seat: int, entry: str) -> str:
        """What people read there, when that is entered."""
        self.displays.show_panel(seat, SeatPanel(3, "Bid 1-9", "on", entry=entry))
        return self.metal.displays[seat].text


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("", "    "),
        ("0", "   0"),
        ("12", "  12"),
        ("9999", "9999"),
        ("10000", "----"),
        ("2.", "2-  "),
        ("2.3", "2- 3"),
        ("2.3.14", "3-14"),
        ("2.100", "----"),
        ("-", "   -"),
    ],
)
def test_an_entry_fits_into_four_cells_or_is_dashes(entry: str, text: str) -> None:
    """A number, or of several the one being entered behind its place; never a part of one."""
    assert format_four_digits_or_dashes(entry) == text


@pytest.mark.parametrize(
    ("name", "entry", "text"),
    [
        ("opens", ButtonEntry(), ""),
        ("opens", ButtonEntry(press_count=3), "3"),
        ("bids", ButtonEntry(press_count=1), "5"),
        ("tens", ButtonEntry(press_count=2), "20"),
        ("amount", ButtonEntry(press_count=0), "0"),
        ("price", ButtonEntry(), ""),
        ("price", ButtonEntry(press_count=2), "2"),
        ("price", ButtonEntry((2,)), "2."),
        ("price", ButtonEntry((2,), 0), "2.0"),
        ("dice", ButtonEntry((6,), 7), "6.-"),
    ],
)
def test_what_is_counted_with_buttons_is_shown_as_the_number_it_means(
    name: str, entry: ButtonEntry, text: str
) -> None:
    """The least bid after one press, 20 after the second ten, a dash for a face that no die has."""
    assert format_button_entry(entry, asked(name).form) == text


def test_a_display_shows_its_own_seat_only() -> None:
    """Both answer at the start and are blank; what is entered at one is nowhere else."""
    shown = Shown()
    with shown.metal, shown.displays:
        assert shown.inbox.drain() == [DeviceFound("display 1"), DeviceFound("display 3")]
        assert shown.enters(1, "12") == "  12"
        assert shown.metal.displays[3].text == "    "
        assert shown.enters(3, "2.3") == "2- 3"
        assert shown.enters(1, "") == "    "


def test_lines_move_only_where_something_changes() -> None:
    """Equal text leaves both lines of a display alone."""
    shown = Shown()
    with shown.metal, shown.displays:
        shown.enters(1, "12")
        clock = shown.metal.pins().pin(23)
        edges = len(clock.states)
        shown.enters(1, "12")
        shown.enters(3, "4")
        assert len(clock.states) == edges


def test_a_display_that_does_not_answer_is_lost_until_it_does() -> None:
    """Told once when it goes and once when it is back, with what is entered then."""
    shown = Shown(3)
    with shown.metal, shown.displays:
        assert shown.inbox.drain() == [DeviceFound("display 1"), DeviceLost("display 3", "silent")]
        assert shown.enters(3, "1") == "    "
        assert shown.inbox.drain() == []
        shown.metal.displays[3].plug_in()
        assert shown.enters(3, "1") == "   1"
        shown.metal.displays[3].unplug()
        shown.enters(3, "2")
        shown.enters(3, "3")
        assert shown.inbox.drain() == [DeviceFound("display 3"), DeviceLost("display 3", "silent")]


def test_displays_are_blank_when_they_are_closed() -> None:
    """With those that don't answer any more, and a second time."""
    shown = Shown()
    with shown.metal:
        shown.displays.start()
        shown.enters(1, "12")
        shown.enters(3, "7")
        shown.metal.displays[3].unplug()
        shown.displays.close()
        shown.displays.close()
        assert [shown.metal.displays[seat].text for seat in (1, 3)] == ["    "] * 2


def test_without_pins_every_display_is_lost() -> None:
    """A machine without a header: the game begins all the same, and what is entered is shown nowhere."""

    def pins() -> object:
        raise OSError(19, "no such device")

    inbox = Inbox(lambda: None)
    with Displays(WIRED, inbox, pins=pins) as displays:
        displays.show_panel(1, SeatPanel(3, "Bid 1-9", "on", entry="4"))
        assert inbox.drain() == [DeviceLost("display 1", "no_pins"), DeviceLost("display 3", "no_pins")]


def test_each_press_of_own_shows_one_count_more() -> None:
    """And after the last one none; then it begins again, as it does after another key."""
    echoes, pads = SeatDisplayContent(), Numpads([Numpad(2, "usb-1.3")], Inbox(lambda: None))
    shown = []
    for _ in range(5):
        echoes.show_next_hidden_count("numpad 2", (22, 14, 5))
        shown.append(format_four_digits_or_dashes(echoes.display_text("numpad 2", pads)))
    assert shown == ["  22", "2-14", "3- 5", "    ", "  22"]


def test_ones_own_counts_stand_on_ones_own_display() -> None:
    """OWN on a number pad shows what lies covered before its seat; pressed again it doesn't."""
    wiring = Wiring(numpad=(Numpad(2, "usb-1.3"),), outputs=(Display(2, clock=Pin(23), data=Pin(24)),))
    awake, clock = Event(), ManualClock()
    session = Session.begin(high_bid.GAME, ["Aki", "Ben", "Chie"], {}, MemoryLog())
    session.table.ledger.supply_from_box(
        session.table.ledger.find_account_by_keys("Ben/purse", "dollar"), 120
    )
    with SimulatedTable(wiring, clock) as metal:
        devices = Devices(metal.wiring, Inbox(awake.set), clock=clock, pins=metal.pins, inputs=metal.inputs)

        def shows(keys: str) -> str:
            """What stands on the display after some keys."""
            metal.numpads[2].type(keys)
            before = metal.displays[2].text
            while metal.displays[2].text == before:
                assert awake.wait(TIMEOUT_SECONDS)
                awake.clear()
                devices.process_signals_and_refresh(session)
            return metal.displays[2].text

        with devices:
            devices.process_signals_and_refresh(session)
            assert shows("OWN") == " 120"
            assert shows("OWN") == "    "
            shows("OWN")
            assert shows("7") == "   7"
