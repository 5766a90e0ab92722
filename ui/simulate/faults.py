"""What can go wrong with the devices of a simulated table, each a key of the drawer.

A key does what a line of `hardware.simulated.console` says: drawer, script and command line know the
same faults.
"""

from __future__ import annotations

from functools import partial
from threading import Thread
from typing import TYPE_CHECKING

from kivy.uix.gridlayout import GridLayout

from hardware.simulated.console import work
from ui import theme
from ui.host import TableHost
from ui.widgets.drawing.putting import put
from ui.widgets.keys.key import Key

if TYPE_CHECKING:
    from hardware.simulated.pins import SimulatedTable

CAPTIONS = {"plus": "+", "minus": "−", "ok": "OK", "tap": "•"}
"""What stands on the buttons."""
CARD = "CARD"
"""In a line: each of the cards that lie on the reader."""
ACROSS = 3


def faults(app: TableHost, metal: SimulatedTable, place: str) -> dict[str, str]:
    """What each fault of a seat or a zone is called, by its line."""
    if place in metal.readers:
        return {f"{place} {line}": text for line, text in _of_a_reader(app).items()}
    seat, lines = int(place), dict[str, str]()
    for name in metal.buttons.get(seat, {}):
        lines |= _of_a_button(app, name)
    if seat in metal.keypads:
        lines |= _of_a_keypad(app)
    return {f"{place} {line}": text for line, text in lines.items()}


def fault_keys(app: TableHost, metal: SimulatedTable, place: str) -> GridLayout:
    """The keys of these faults."""
    grid = GridLayout(cols=ACROSS, spacing=theme.length.gap / 2)
    for line, text in faults(app, metal, place).items():
        key = Key(text=text, name=line, lines=2)
        key.bind(on_release=lambda _, line=line: cause(metal, line))
        put(grid, key)
    return grid


def cause(metal: SimulatedTable, line: str) -> None:
    """Makes it go wrong, in a thread of its own, as a loose wire takes its time."""
    zone = line.partition(" ")[0]
    cards = sorted(metal.readers[zone].tags) if CARD in line else [CARD]
    for card in cards:
        Thread(target=partial(work, metal, line.replace(CARD, card)), name=line, daemon=True).start()


def _of_a_button(app: TableHost, name: str) -> dict[str, str]:
    tr, key = app.tr, CAPTIONS[name]
    return {
        f"bounce {name}": tr("{key} bounces", key=key),
        f"chatter {name} 2": tr("{key}: bad contact", key=key),
    }


def _of_a_keypad(app: TableHost) -> dict[str, str]:
    tr = app.tr
    return {
        "noise": tr("Garbage lines"),
        "damage 30": tr("Bad cable"),
        "damage 0": tr("Good cable"),
        "silent": tr("Program hangs"),
        "speak": tr("Program resumes"),
    }


def _of_a_reader(app: TableHost) -> dict[str, str]:
    tr = app.tr
    return {
        f"again {CARD}": tr("Read twice"),
        f"flicker {CARD} 0.05": tr("Card flickers"),
        "deaf": tr("Reads nothing"),
        "brown-out": tr("Power dips"),
        "noise 1": tr("Radio noise"),
        "noise 0": tr("No noise"),
    }
