"""A pin that another program holds: told by that program's name, and had as soon as it lets go."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from companion.games.high_bid import rulebook as high_bid
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.texts import render
from hardware.devices import Devices
from hardware.doctor.device_tests import lost_device_advice
from hardware.gpio import pin_claims
from hardware.rfid.readers import READER_RETRY_SECONDS
from hardware.signals import DeviceLost, Inbox
from hardware.simulated.pins import ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Buttons, Buzzer, Light, Reader, Wiring
from hardware.wiring.pins import Pin
from hardware.wiring.sections import Display, Section
from tests.support.hardware.device_helpers import run_until

WIRING = Wiring(
    buttons=(Buttons(1, plus=Pin(5), ok=Pin(6)),),
    outputs=(
        Light(1, pin=Pin(16)),
        Light(2, red=Pin(18), green=Pin(19), blue=Pin(20)),
        Buzzer(Pin(12), seat=1),
        Display(1, clock=Pin(23), data=Pin(24)),
    ),
    reader=(Reader("market", "/dev/spidev0.0", reset=Pin(25)),),
)
SECTIONS = {section.device_name: section for _, section in WIRING.sections_with_keys()}
HELD = {
    "buttons 1": 6,
    "light 1": 16,
    "light 2": 19,
    "buzzer 1": 12,
    "display 1": 24,
    "reader market": 25,
}
"""One pin of each, the last where there are several, but for the three colours the one in the middle."""


CLOSE = "Close that program or let Aki use the screen."
PICK = "Close that program, or pick cards on the screen."


class Table:
    """All that is at the header, and other programs that want its pins too."""

    def __init__(self, opened: ExitStack) -> None:
        self.awake, self.clock = threading.Event(), ManualClock()
        self.metal = opened.enter_context(SimulatedTable(WIRING, self.clock))
        self.holders = self.metal.pins().holders
        self.session = Session.begin(high_bid.GAME, ["Aki", "Ben", "Chie"], {}, MemoryLog())
        self.devices = Devices(
            WIRING, Inbox(self.awake.set), clock=self.clock, pins=self.metal.pins, spi=self.metal.open_reader
        )
        opened.callback(self.devices.close)

    def until(self, seen: Callable[[], bool]) -> None:
        """Plays on until something is so."""
        run_until(
            seen,
            lambda: self.devices.process_signals_and_refresh(self.session),
            self.awake,
            lambda: self.devices.lost_devices,
        )

    def why(self, device: str) -> tuple[str, str] | None:
        """Why a device is lost, and to whom."""
        lost = self.devices.lost_devices.get(device)
        return None if lost is None else (lost.reason, lost.detail)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Not yet opened; what is held is tried again at once."""
    monkeypatch.setattr(pin_claims, "PIN_RETRY_SECONDS", 0.001)
    with ExitStack() as opened:
        yield Table(opened)


@pytest.mark.parametrize("device", HELD)
def test_a_pin_of_another_program_is_told_and_found_again(table: Table, device: str) -> None:
    """By the name of whoever has it, also when that changes; all others are there; freed it is used."""
    pin = HELD[device]
    table.holders[pin] = "fan-control"
    table.devices.open()
    table.until(lambda: table.devices.lost_devices.keys() == {device})
    assert table.why(device) == ("taken", f"fan-control (GPIO{pin})")
    table.holders[pin] = "doorbell"
    table.clock.wait(READER_RETRY_SECONDS)
    table.until(lambda: table.why(device) == ("taken", f"doorbell (GPIO{pin})"))
    del table.holders[pin]
    table.clock.wait(READER_RETRY_SECONDS)
    table.until(lambda: not table.devices.lost_devices)


def test_what_was_held_works_when_it_is_freed(table: Table) -> None:
    """A press is heard, and a light shows what it should have shown all the while."""
    table.holders |= {6: "doorbell", 16: "fan-control"}
    table.devices.open()
    table.until(lambda: table.why("buttons 1") is not None)
    heard: list[object] = []
    table.devices.signal_listeners.append(heard.append)
    table.session.answer(table.session.question_number, "1")
    table.holders.clear()
    table.until(lambda: not table.devices.lost_devices)
    assert table.metal.is_light_on(1)
    table.metal.buttons[1]["ok"].press()
    table.until(lambda: any(getattr(each, "button", None) == "ok" for each in heard))


@pytest.mark.parametrize(
    ("device", "told"),
    [
        (
            "buttons 1",
            f"fan-control (GPIO6) is using a pin of Aki's buttons. {CLOSE}",
        ),
        ("reader market", f"fan-control (GPIO25) is using the reset pin of the reader market. {PICK}"),
        (
            "light 1",
            "Aki's light isn't working. The game goes on without it. To see why, run \"companion doctor\".",
        ),
    ],
)
def test_the_table_is_told_who_has_it(table: Table, device: str, told: str) -> None:
    """On the screen, where people can do something about it; a light only says that it is missing."""
    table.holders[HELD[device]] = "fan-control"
    table.devices.open()
    table.until(lambda: table.devices.lost_devices.keys() == {device})
    assert [render(each.message) for each in table.devices.missing_devices_needed_by_game(table.session)] == [
        told
    ]


@pytest.mark.parametrize("section", SECTIONS.values(), ids=list(SECTIONS))
def test_whoever_tries_a_device_is_told_too(section: Section) -> None:
    """The doctor's trial and the service screen."""
    lost = DeviceLost(section.device_name, "taken", "fan-control (GPIO4)")
    assert (
        render(lost_device_advice(section, lost))
        == "fan-control (GPIO4) is using a pin of this device. Close that program."
    )
