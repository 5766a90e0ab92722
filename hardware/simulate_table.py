"""A whole table without metal or game: lines of text work it, and what its drivers hear is told.

The lines are those of docs/simulate.md; where one is wrong, that is told too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

import msgspec

from hardware.console import work
from hardware.devices import Devices
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
    Typed,
)
from hardware.simulated_pins import SimulatedTable
from hardware.wiring import Wiring

LAST = 0.5
"""Seconds until the drivers have heard what the last line did."""

WORDS: dict[type[Signal], str] = {
    Found: "is there",
    Lost: "is lost: {why} {what}",
    Doubled: "a second {id} at {port}",
    Pushed: "{cap} down",
    Held: "{cap} held",
    LetGo: "{cap} up",
    KeyDown: "key {cap}",
    Pressed: "{key}",
    Typed: "{numbers} OK",
    TagArrived: "{tag} arrived",
    TagLeft: "{tag} left",
}
"""What each kind of signal says."""


def simulate_table(wiring: Wiring, lines: Iterable[str], tell: Callable[[str], None]) -> None:
    """Works the table until there are no more lines, and tells of each signal."""
    awake, ended = threading.Event(), threading.Event()

    def hear() -> None:
        with Devices(
            metal.wiring, Inbox(wake=awake.set), pins=metal.pins, spi=metal.spi, inputs=metal.inputs
        ) as devices:
            devices.overheard = lambda signal: tell(heard(signal))
            while not ended.is_set():
                awake.wait()
                awake.clear()
                devices.pump(None)

    with SimulatedTable(wiring) as metal:
        ear = threading.Thread(target=hear, name="ear")
        ear.start()
        for line in lines:
            if wrong := work(metal, line.strip()):
                tell(wrong)
        metal.clock.wait(LAST)
        ended.set()
        awake.set()
        ear.join()


def heard(signal: Signal) -> str:
    """A signal in a few words, the device first."""
    said = msgspec.structs.asdict(signal)
    if isinstance(signal, Typed):
        said["numbers"] = ".".join(map(str, signal.numbers))
    return f"{signal.device}: {WORDS[type(signal)].format_map(said)}".rstrip()
