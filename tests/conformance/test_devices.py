"""Requirements on every kind of device; a new kind is tested once it is in `SECTION_TYPE_BY_NAME`.

The real driver runs on a simulation: of a pin, a terminal, the kernel's events, or a chip's registers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import signature
from pkgutil import resolve_name
from typing import NamedTuple, get_args

import pytest

from companion.log.log import MemoryLog
from companion.requests import Amount, Done
from companion.rules.game import Game
from companion.session.session import Session
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table as Rules
from companion.texts import say
from hardware.devices import Devices, DriverDependencies
from hardware.signals import DeviceFound, DeviceLost, Inbox, LostReason, Signal
from hardware.simulated.rc522 import SimulatedRc522
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Buttons, Buzzer, Display, Keypad, Light, Numpad, Reader, Wiring
from hardware.wiring.pins import Pin
from hardware.wiring.sections import SECTION_TYPE_BY_NAME, InputSection, OutputSection, Section
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS, LaggingClock

SECTION_BY_KIND: dict[str, Section] = {
    "keypad": Keypad(1, id="kp-1"),
    "numpad": Numpad(1, "usb-0000:01:00.0-1.1"),
    "buttons": Buttons(1, plus=Pin(5), ok=Pin(6)),
    "light": Light(1, pin=Pin(16)),
    "display": Display(1, clock=Pin(23), data=Pin(24)),
    "buzzer": Buzzer(Pin(18)),
    "reader": Reader("market", "/dev/spidev0.0", reset=Pin(25)),
}


class Plug(NamedTuple):
    """How to pull out and put back one kind of device, and the reason with which it is lost."""

    unplug: Callable[[SimulatedTable], None]
    plug_in: Callable[[SimulatedTable], None]
    lost_reason: LostReason


PLUG_BY_KIND = {
    "keypad": Plug(lambda it: it.keypads[1].unplug(), lambda it: it.keypads[1].plug_in(), "unplugged"),
    "numpad": Plug(lambda it: it.numpads[1].unplug(), lambda it: it.numpads[1].plug_in(), "unplugged"),
    "display": Plug(lambda it: it.displays[1].unplug(), lambda it: it.displays[1].plug_in(), "silent"),
    "reader": Plug(lambda it: _market(it).unplug(), lambda it: _market(it).plug_in(), "silent"),
}
KINDS_AT_HEADER = {"buttons", "light", "buzzer"}
"""A disconnected wire looks like an idle one, so only the whole header can be missing."""
ENTER_NUMBER_BY_KIND: dict[str, Callable[[SimulatedTable], None]] = {
    "keypad": lambda it: it.keypads[1].type("1 OK"),
    "numpad": lambda it: it.numpads[1].type("1 OK"),
    "buttons": lambda it: _tap(it, "plus", "ok"),
}
"""Enters a number on each kind of input device."""
INPUT_KINDS = [name for name, each in SECTION_TYPE_BY_NAME.items() if issubclass(each, InputSection)]
pluggable = pytest.mark.parametrize("kind", PLUG_BY_KIND)
registered = pytest.mark.parametrize("kind", SECTION_TYPE_BY_NAME)


class DeviceTestTable:
    """A game with one device, which is Aki's; Ben says OK before Aki is asked."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        section = SECTION_BY_KIND[kind]
        keys = (
            (SECTION_BY_KIND["buttons"],) if kind == "display" else ()
        )  # a display needs an input whose entry it shows
        self.device = section.device_name
        self.clock = LaggingClock(1000.0)  # every question was asked a while ago
        self.simulated = SimulatedTable(_wiring(section, *keys), self.clock)
        self.has_header = True
        self.awake = threading.Event()
        self.signals: list[Signal] = []
        self.log = MemoryLog()
        self.session = Session.begin(GAME, ["Aki", "Ben"], {}, self.log)
        self.devices = self.make_devices()

    def make_devices(self) -> Devices:
        """Returns the devices, not yet opened."""
        devices = Devices(
            self.simulated.wiring,
            Inbox(self.awake.set),
            clock=self.clock,
            pins=self._pins,
            spi=self.simulated.open_reader,
            inputs=self.simulated.inputs,
            pause=lambda _: None,
        )
        devices.signal_listeners.append(self.signals.append)
        return devices

    @property
    def lost(self) -> DeviceLost | None:
        """Why the device can't be used; None if it can."""
        return self.devices.lost_devices.get(self.device)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Processes signals until the condition is true."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            self.devices.process_signals_and_refresh(self.session)
            if condition():
                return
            if time.monotonic() > end:
                raise TimeoutError(f"{self.devices.lost_devices}, {self.signals}")
            # A display sends no signals, and the driver tries a lost reader once a second of this clock.
            if not self.awake.wait(0.02):
                self.clock.wait(0.2)
            self.awake.clear()

    def is_lost_because(self, reason: LostReason) -> bool:
        """Whether the device is lost for this reason; a lost display is noticed only by a new text."""
        if self.simulated.displays and self.lost is None:
            self.clock.wait(1.0)
            _tap(self.simulated, "plus")
        return self.lost is not None and self.lost.reason == reason

    def is_found(self) -> bool:
        """Whether the last signal about the device says that it is found."""
        said = [
            each
            for each in self.signals
            if isinstance(each, DeviceFound | DeviceLost) and each.device == self.device
        ]
        return said[-1:] == [DeviceFound(self.device)]

    def enter_number_until(self, condition: Callable[[], bool]) -> None:
        """Enters a number as Aki, again and again, until the condition is true."""

        def enter() -> bool:
            self.clock.wait(1.0)  # long after the question was shown
            ENTER_NUMBER_BY_KIND[self.kind](self.simulated)
            self.devices.process_signals_and_refresh(self.session)
            return condition()

        self.wait_until(enter)

    def _pins(self) -> object:
        if not self.has_header:
            raise OSError("no header here")
        return self.simulated.pins()


def _wiring(*sections: Section) -> Wiring:
    return Wiring(
        keypad=tuple(each for each in sections if isinstance(each, Keypad)),
        numpad=tuple(each for each in sections if isinstance(each, Numpad)),
        buttons=tuple(each for each in sections if isinstance(each, Buttons)),
        outputs=tuple(each for each in sections if isinstance(each, OutputSection)),
        reader=tuple(each for each in sections if isinstance(each, Reader)),
    )


@contextmanager
def device_table(kind: str) -> Iterator[DeviceTestTable]:
    """Yields a table with a device of this kind, not yet opened."""
    it = DeviceTestTable(kind)
    try:
        yield it
    finally:
        it.devices.close()
        it.simulated.close()


async def _match(rules: Rules) -> GameResult:
    aki, ben = rules.seats
    await Done(ben, say("Ready?"))
    await Amount(aki, say("How many?"), least=1)
    await Done(ben, say("Ready?"))
    return rank_seats(rules.seats, lambda _: 0, lambda _: ())


GAME = Game("ready", 1, say("Ready"), (2, 2), _match)


def _market(metal: SimulatedTable) -> SimulatedRc522:
    return metal.readers["market"]


def _tap(metal: SimulatedTable, *caps: str) -> None:
    for cap in caps:
        metal.buttons[1][cap].press()


def test_no_kind_is_left_out() -> None:
    """Every kind of section in a wiring is registered, and every registered kind is tested here."""
    assert SECTION_TYPE_BY_NAME.keys() == SECTION_BY_KIND.keys() == PLUG_BY_KIND.keys() | KINDS_AT_HEADER
    assert ENTER_NUMBER_BY_KIND.keys() == set(INPUT_KINDS)


@registered
def test_each_driver_takes_what_its_type_gives(kind: str) -> None:
    """The parameters that a type names are parameters of its driver, and the context has them."""
    driver = SECTION_TYPE_BY_NAME[kind].driver
    assert set(driver.dependency_names) <= set(DriverDependencies._fields)
    assert set(driver.dependency_names) <= signature(resolve_name(driver.class_path)).parameters.keys()


@pluggable
def test_missing_at_the_start_then_plugged_in(kind: str) -> None:
    """The game starts without the device and says why; once plugged in, the device is found."""
    with device_table(kind) as it:
        PLUG_BY_KIND[kind].unplug(it.simulated)
        it.devices.open()
        it.wait_until(lambda: it.is_lost_because(PLUG_BY_KIND[kind].lost_reason))
        PLUG_BY_KIND[kind].plug_in(it.simulated)
        it.wait_until(it.is_found)


@pluggable
def test_pulled_out_and_put_back(kind: str) -> None:
    """Pulled out, the device is lost with a reason; put back, it is found without a restart, repeatedly."""
    with device_table(kind) as it:
        it.session.answer(it.session.question_number, True, "screen")
        it.devices.open()
        it.wait_until(it.is_found)
        for _ in range(2):
            PLUG_BY_KIND[kind].unplug(it.simulated)
            it.wait_until(lambda: it.is_lost_because(PLUG_BY_KIND[kind].lost_reason))
            PLUG_BY_KIND[kind].plug_in(it.simulated)
            it.wait_until(it.is_found)


@pytest.mark.parametrize("kind", sorted(KINDS_AT_HEADER | {"display"}))
def test_a_machine_without_a_header(kind: str) -> None:
    """Without pins the game starts anyway, and every device at the pins is lost for that reason."""
    with device_table(kind) as it:
        it.has_header = False
        it.devices.open()
        it.wait_until(lambda: it.is_lost_because("no_pins"))


@registered
def test_only_signals(kind: str) -> None:
    """The inbox gets only signals, and each names a device as in the wiring."""
    with device_table(kind) as it:
        it.devices.open()
        it.wait_until(it.is_found)
        if kind in ENTER_NUMBER_BY_KIND:
            before = len(it.signals)
            it.enter_number_until(lambda: len(it.signals) > before)
        known = {section.device_name for _, section in it.simulated.wiring.sections_with_keys()}
        assert all(isinstance(signal, get_args(Signal)) for signal in it.signals)
        assert it.device in {signal.device for signal in it.signals} <= known


@registered
def test_closed_twice(kind: str) -> None:
    """Closing leaves no thread behind; closing once more does nothing."""
    with device_table(kind) as it:
        before = set(threading.enumerate())
        it.devices.open()
        it.wait_until(it.is_found)
        it.devices.close()
        assert set(threading.enumerate()) <= before
        it.devices.close()


@pytest.mark.parametrize("kind", ["buttons", *PLUG_BY_KIND])
def test_closed_while_missing(kind: str) -> None:
    """A device that never was there is closed, too."""
    with device_table(kind) as it:
        before = set(threading.enumerate())
        it.has_header = kind not in KINDS_AT_HEADER
        if kind in PLUG_BY_KIND:
            PLUG_BY_KIND[kind].unplug(it.simulated)
        it.devices.open()
        it.wait_until(lambda: it.lost is not None)
        it.devices.close()
        assert set(threading.enumerate()) <= before


@registered
def test_opened_again(kind: str) -> None:
    """After closing, another program or the next evening can use the device at once."""
    with device_table(kind) as it:
        it.devices.open()
        it.wait_until(it.is_found)
        it.devices.close()
        it.signals.clear()
        it.devices = it.make_devices()
        it.devices.open()
        it.wait_until(it.is_found)


@pytest.mark.parametrize("kind", INPUT_KINDS)
def test_a_refused_answer_changes_nothing(kind: str) -> None:
    """A player who isn't asked is refused at the device, without a trace; once asked, one answer counts."""
    with device_table(kind) as it:
        it.devices.open()
        it.wait_until(it.is_found)
        kept, n = it.log.copy(), it.session.question_number
        it.enter_number_until(lambda: it.devices.was_last_answer_refused(it.device))
        assert (it.log.copy(), it.session.question_number) == (kept, n)
        it.session.answer(n, True, "screen")
        it.enter_number_until(lambda: it.session.question_number == n + 2)
        it.enter_number_until(lambda: it.devices.was_last_answer_refused(it.device))
        assert it.session.question_number == n + 2


def test_a_button_that_sticks_comes_back() -> None:
    """A button that stays down is lost by name; once it comes up, it is found without a restart."""
    with device_table("buttons") as it:
        it.devices.open()
        it.wait_until(it.is_found)
        it.simulated.buttons[1]["ok"].press_down()
        it.wait_until(lambda: it.is_lost_because("stuck"))
        assert it.lost is not None
        assert it.lost.detail == "ok (GPIO6)"
        it.simulated.buttons[1]["ok"].release()
        it.wait_until(it.is_found)
