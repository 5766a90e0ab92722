"""A whole table without metal or game: lines of text work it, and what its drivers hear is told.

The lines are those of docs/simulate.md; where one is wrong, that is told too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Self

import msgspec

from companion.texts import render
from hardware.devices import Devices
from hardware.firmware.keypad.pad import NO_HOST
from hardware.inbox import Inbox
from hardware.signals import (
    Doubled,
    Found,
    Held,
    KeyDown,
    LetGo,
    Lost,
    Pressed,
    Pushed,
    Signal,
    TagArrived,
    TagLeft,
    TagUnread,
    Typed,
)
from hardware.simulated.console import listen
from hardware.simulated.keypads import SimulatedKeypad
from hardware.simulated.pins import SimulatedTable
from hardware.wiring import Wiring

FIRST = 5.0
"""Seconds in which every driver must have begun to hear; then the first line is worked all the same."""
LAST = 0.5
"""Seconds until the drivers have heard what the last line did."""

WORDS: dict[type[Signal], str] = {
    Found: "is connected",
    Lost: "is disconnected: {why} {what}",
    Doubled: "another keypad {id} at {port}",
    Pushed: "{cap} down",
    Held: "{cap} held",
    LetGo: "{cap} up",
    KeyDown: "key {cap}",
    Pressed: "{key}",
    Typed: "{numbers} OK",
    TagArrived: "tag {tag} laid",
    TagLeft: "tag {tag} lifted",
    TagUnread: "tag {tag} can't be read: {why}",
}
"""What each kind of signal says."""


def simulate_table(wiring: Wiring, lines: Iterable[str], tell: Callable[[str], None]) -> None:
    """Works the table until there are no more lines, and tells of each signal.

    The first line waits until the drivers hear, as people do who press a button.
    """
    for fault in wiring.faults:
        tell(render(fault))
    with SimulatedTable(wiring) as metal, _Ear(metal, tell) as ear:
        ear.hears.wait(FIRST)
        for keypad in metal.keypads.values():
            _await_host(keypad)
        listen(metal, lines, tell)
        metal.clock.wait(LAST)


class _Ear:
    """The drivers at work in a thread of their own, until the end of `with`."""

    def __init__(self, metal: SimulatedTable, tell: Callable[[str], None]) -> None:
        self.hears = threading.Event()
        """Every device has said something."""
        self._metal, self._tell = metal, tell
        self._silent = {section.device for _, section in metal.wiring.sections()}
        self._awake = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._run, name="ear")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended = True
        self._awake.set()
        self._thread.join()

    def _run(self) -> None:
        metal, inbox = self._metal, Inbox(wake=self._awake.set)
        with Devices(metal.wiring, inbox, pins=metal.pins, spi=metal.spi, inputs=metal.inputs) as devices:
            devices.overhearing.append(self._heard)
            while not self._ended:
                if not self._silent:
                    self.hears.set()
                self._awake.wait()
                self._awake.clear()
                devices.pump(None)

    def _heard(self, signal: Signal) -> None:
        self._silent.discard(signal.device)
        self._tell(heard(signal))


def _await_host(keypad: SimulatedKeypad) -> None:
    """A keypad takes no key before it has heard a host."""
    with suppress(TimeoutError):
        keypad.wait_for(lambda: not keypad.display.startswith(NO_HOST), FIRST)


def heard(signal: Signal) -> str:
    """A signal in a few words, the device first."""
    said = msgspec.structs.asdict(signal)
    if isinstance(signal, Typed):
        said["numbers"] = ".".join(map(str, signal.numbers))
    return f"{signal.device}: {WORDS[type(signal)].format_map(said)}".rstrip()
