"""What every kind of device must hold; a new kind is tested by being registered in `SECTION_TYPE_BY_NAME`.

The real driver is worked on simulated metal: a pin, a terminal, the kernel's events, a chip's registers.
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

SECTIONS: dict[str, Section] = {
    "keypad": Keypad(1, id="kp-1"),
    "numpad": Numpad(1, "usb-0000:01:00.0-1.1"),
    "buttons": Buttons(1, plus=Pin(5), ok=Pin(6)),
    "light": Light(1, pin=Pin(16)),
    "display": Display(1, clock=Pin(23), data=Pin(24)),
    "buzzer": Buzzer(Pin(18)),
    "reader": Reader("market", "/dev/spidev0.0", reset=Pin(25)),
}


class Plug(NamedTuple):
    """How one kind of device is pulled out and put back, and what is said of it meanwhile."""

    pull: Callable[[SimulatedTable], None]
    put: Callable[[SimulatedTable], None]
    why: LostReason


PLUGS = {
    "keypad": Plug(lambda it: it.keypads[1].unplug(), lambda it: it.keypads[1].plug_in(), "unplugged"),
    "numpad": Plug(lambda it: it.numpads[1].unplug(), lambda it: it.numpads[1].plug_in(), "unplugged"),
    "display": Plug(lambda it: it.displays[1].unplug(), lambda it: it.displays[1].plug_in(), "silent"),
    "reader": Plug(lambda it: _market(it).unplug(), lambda it: _market(it).plug_in(), "silent"),
}
AT_THE_HEADER = {"buttons", "light", "buzzer"}
"""A wire that is off can't be told from one at rest; the header itself can be missing."""
BIDS: dict[str, Callable[[SimulatedTable], None]] = {
    "keypad": lambda it: it.keypads[1].type("1 OK"),
    "numpad": lambda it: it.numpads[1].type("1 OK"),
    "buttons": lambda it: _tap(it, "plus", "ok"),
}
"""How one enters a number there."""
INPUTS = [name for name, each in SECTION_TYPE_BY_NAME.items() if issubclass(each, InputSection)]
pluggable = pytest.mark.parametrize("kind", PLUGS)
registered = pytest.mark.parametrize("kind", SECTION_TYPE_BY_NAME)


class Table:
    """One wired device, and a game in which Ben says OK before Aki does; the device is Aki's."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        section = SECTIONS[kind]
        keys = (
            (SECTIONS["buttons"],) if kind == "display" else ()
        )  # what a display shows has to come from somewhere
        self.device = section.device_name
        self.clock = LaggingClock(1000.0)  # all that is answered was asked a while ago
        self.metal = SimulatedTable(_wiring(section, *keys), self.clock)
        self.has_header = True
        self.awake = threading.Event()
        self.heard: list[Signal] = []
        self.log = MemoryLog()
        self.session = Session.begin(GAME, ["Aki", "Ben"], {}, self.log)
        self.devices = self.made()

    def made(self) -> Devices:
        """The devices, not yet opened."""
        devices = Devices(
            self.metal.wiring,
            Inbox(self.awake.set),
            clock=self.clock,
            pins=self._pins,
            spi=self.metal.open_reader,
            inputs=self.metal.inputs,
            pause=lambda _: None,
        )
        devices.signal_listeners.append(self.heard.append)
        return devices

    @property
    def lost(self) -> DeviceLost | None:
        """What is said of the device while it can't be used."""
        return self.devices.lost_devices.get(self.device)

    def until(self, seen: Callable[[], bool]) -> None:
        """Plays on until something is to be seen."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            self.devices.process_signals_and_refresh(self.session)
            if seen():
                return
            if time.monotonic() > end:
                raise TimeoutError(f"{self.devices.lost_devices}, {self.heard}")
            # A display says nothing by itself, a reader is tried once a second of this clock.
            if not self.awake.wait(0.02):
                self.clock.wait(0.2)
            self.awake.clear()

    def is_lost(self, why: LostReason) -> bool:
        """Whether it is lost for this reason; a display must show something new to be found out."""
        if self.metal.displays and self.lost is None:
            self.clock.wait(1.0)
            _tap(self.metal, "plus")
        return self.lost is not None and self.lost.reason == why

    def is_found(self) -> bool:
        """Whether it was the last thing said of it that it can be used."""
        said = [
            each
            for each in self.heard
            if isinstance(each, DeviceFound | DeviceLost) and each.device == self.device
        ]
        return said[-1:] == [DeviceFound(self.device)]

    def bids(self, seen: Callable[[], bool]) -> None:
        """Aki enters a number, again and again, until something is to be seen."""

        def enter() -> bool:
            self.clock.wait(1.0)  # long after what is asked was shown
            BIDS[self.kind](self.metal)
            self.devices.process_signals_and_refresh(self.session)
            return seen()

        self.until(enter)

    def _pins(self) -> object:
        if not self.has_header:
            raise OSError("no header here")
        return self.metal.pins()


def _wiring(*sections: Section) -> Wiring:
    return Wiring(
        keypad=tuple(each for each in sections if isinstance(each, Keypad)),
        numpad=tuple(each for each in sections if isinstance(each, Numpad)),
        buttons=tuple(each for each in sections if isinstance(each, Buttons)),
        outputs=tuple(each for each in sections if isinstance(each, OutputSection)),
        reader=tuple(each for each in sections if isinstance(each, Reader)),
    )


@contextmanager
def table(kind: str) -> Iterator[Table]:
    """A table with a device of that kind, not yet opened."""
    it = Table(kind)
    try:
        yield it
    finally:
        it.devices.close()
        it.metal.close()


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
    """Whatever a wiring can name is registered, and whatever is registered is tried here."""
    assert SECTION_TYPE_BY_NAME.keys() == SECTIONS.keys() == PLUGS.keys() | AT_THE_HEADER
    assert BIDS.keys() == set(INPUTS)


@registered
def test_each_driver_takes_what_its_type_gives(kind: str) -> None:
    """The parameters that a type names are those of its driver, and the context has them."""
    driver = SECTION_TYPE_BY_NAME[kind].driver
    assert set(driver.dependency_names) <= set(DriverDependencies._fields)
    assert set(driver.dependency_names) <= signature(resolve_name(driver.class_path)).parameters.keys()


@pluggable
def test_missing_at_the_start_then_plugged_in(kind: str) -> None:
    """The game starts without the device and says why; when it is plugged in, it is found."""
    with table(kind) as it:
        PLUGS[kind].pull(it.metal)
        it.devices.open()
        it.until(lambda: it.is_lost(PLUGS[kind].why))
        PLUGS[kind].put(it.metal)
        it.until(it.is_found)


@pluggable
def test_pulled_out_and_put_back(kind: str) -> None:
    """Pulled out it is lost, with a reason; put back it is found without a restart, as often as one likes."""
    with table(kind) as it:
        it.session.answer(it.session.question_number, True, "screen")
        it.devices.open()
        it.until(it.is_found)
        for _ in range(2):
            PLUGS[kind].pull(it.metal)
            it.until(lambda: it.is_lost(PLUGS[kind].why))
            PLUGS[kind].put(it.metal)
            it.until(it.is_found)


@pytest.mark.parametrize("kind", sorted(AT_THE_HEADER | {"display"}))
def test_a_machine_without_a_header(kind: str) -> None:
    """Without pins the game starts all the same, and every device at them is lost for that reason."""
    with table(kind) as it:
        it.has_header = False
        it.devices.open()
        it.until(lambda: it.is_lost("no_pins"))


@registered
def test_only_signals(kind: str) -> None:
    """Nothing but signals goes into the inbox, and each speaks of a device by its name in the wiring."""
    with table(kind) as it:
        it.devices.open()
        it.until(it.is_found)
        if kind in BIDS:
            before = len(it.heard)
            it.bids(lambda: len(it.heard) > before)
        known = {section.device_name for _, section in it.metal.wiring.sections_with_keys()}
        assert all(isinstance(signal, get_args(Signal)) for signal in it.heard)
        assert it.device in {signal.device for signal in it.heard} <= known


@registered
def test_closed_twice(kind: str) -> None:
    """Closing leaves no thread behind; closing once more does nothing."""
    with table(kind) as it:
        before = set(threading.enumerate())
        it.devices.open()
        it.until(it.is_found)
        it.devices.close()
        assert set(threading.enumerate()) <= before
        it.devices.close()


@pytest.mark.parametrize("kind", ["buttons", *PLUGS])
def test_closed_while_missing(kind: str) -> None:
    """What never was there is closed as well as what was."""
    with table(kind) as it:
        before = set(threading.enumerate())
        it.has_header = kind not in AT_THE_HEADER
        if kind in PLUGS:
            PLUGS[kind].pull(it.metal)
        it.devices.open()
        it.until(lambda: it.lost is not None)
        it.devices.close()
        assert set(threading.enumerate()) <= before


@registered
def test_opened_again(kind: str) -> None:
    """After closing, another program, or the next evening, has the device at once."""
    with table(kind) as it:
        it.devices.open()
        it.until(it.is_found)
        it.devices.close()
        it.heard.clear()
        it.devices = it.made()
        it.devices.open()
        it.until(it.is_found)


@pytest.mark.parametrize("kind", INPUTS)
def test_a_refused_answer_changes_nothing(kind: str) -> None:
    """Who isn't asked is refused there and leaves no trace; when asked, the next answer counts, once."""
    with table(kind) as it:
        it.devices.open()
        it.until(it.is_found)
        kept, n = it.log.copy(), it.session.question_number
        it.bids(lambda: it.devices.was_last_answer_refused(it.device))
        assert (it.log.copy(), it.session.question_number) == (kept, n)
        it.session.answer(n, True, "screen")
        it.bids(lambda: it.session.question_number == n + 2)
        it.bids(lambda: it.devices.was_last_answer_refused(it.device))
        assert it.session.question_number == n + 2


def test_a_button_that_sticks_comes_back() -> None:
    """A button that doesn't come up again is lost by name; when it does, it is found without a restart."""
    with table("buttons") as it:
        it.devices.open()
        it.until(it.is_found)
        it.metal.buttons[1]["ok"].press_down()
        it.until(lambda: it.is_lost("stuck"))
        assert it.lost is not None
        assert it.lost.detail == "ok (GPIO6)"
        it.metal.buttons[1]["ok"].release()
        it.until(it.is_found)
