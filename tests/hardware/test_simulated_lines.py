"""docs/simulate.md: every line of its example works, and each fault is one that the drivers get over."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.tag_enrolment import taggable_decks_by_name
from hardware.devices import Devices
from hardware.rfid.iso14443 import TAG_START_OR_RESET_SECONDS, format_uid
from hardware.signals import Inbox, Signal, TagArrived, TagUnreadable
from hardware.simulated.pins import ManualClock
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.simulated.table import SimulatedTable, run_script_line
from hardware.simulated.tags import card_by_simulated_tag, simulated_tag_uid
from hardware.wiring import Buttons, Keypad, Reader, Wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS

DOC = Path(__file__).parents[2] / "docs/simulate.md"
WIRING = Wiring(
    keypad=(Keypad(1, id="kp-1"),),
    buttons=(Buttons(3, plus=Pin(5), ok=Pin(6)),),
    reader=(Reader("market", "/dev/spidev0.0"),),
)


class Worked:
    """A table that is worked by lines, and all that its devices say."""

    def __init__(self) -> None:
        self.metal = SimulatedTable(WIRING)
        metal = self.metal
        self.inbox = Inbox(lambda: None)
        self.devices = Devices(
            metal.wiring, self.inbox, pins=metal.pins, spi=metal.open_reader, inputs=metal.inputs
        )
        self.heard: list[Signal] = []
        self.devices.signal_listeners.append(self.heard.append)
        self.devices.open()

    def until(self, kind: type[Signal], count: int) -> None:
        """Until so many of a kind were heard."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while sum(isinstance(each, kind) for each in self.heard) < count:
            assert time.monotonic() < end, self.heard
            self.devices.process_signals_and_refresh(None)


@pytest.fixture
def table() -> Iterator[Worked]:
    """Everything is found."""
    worked = Worked()
    end = time.monotonic() + TIMEOUT_SECONDS
    while worked.devices.lost_devices or worked.metal.keypads[1].display.startswith("not"):
        assert time.monotonic() < end
        worked.devices.process_signals_and_refresh(None)
    yield worked
    worked.devices.close()
    worked.metal.close()


TABLES = Wiring(
    keypad=(Keypad(4, id="kp-4"),),
    buttons=(Buttons(1, tap=Pin(4)), Buttons(3, plus=Pin(5), ok=Pin(6))),
    reader=(Reader("market", "/dev/spidev0.0"),),
)


def test_each_line_of_the_page_works() -> None:
    """What stands in its tables can be typed so, one after the other."""
    rows = re.findall(r"^\| (`.*?) \|", DOC.read_text(encoding="utf-8"), re.MULTILINE)
    lines = [line for row in rows for line in re.findall(r"`([^`]+)`", row)]
    assert len(lines) >= 20
    with SimulatedTable(TABLES, ManualClock()) as metal:
        for line in lines:
            if line.startswith(("market again", "market flicker")):
                assert run_script_line(metal, "market lay egypt/7.1") == ""
            assert run_script_line(metal, line) == ""


def test_the_tag_of_each_card_is_read(tmp_path: Path) -> None:
    """By the real driver; whatever their names make of it, no two cards have the same one."""
    copies = taggable_decks_by_name(tmp_path)
    tags = card_by_simulated_tag(copies)
    assert len(tags) == sum(len(copy.shipped_file.deck.cards) for copy in copies.values())
    chip = SimulatedRc522()
    reader = open_simulated_reader(chip)
    for tag in tags:
        chip.add_tag(tag)
        chip.wait(TAG_START_OR_RESET_SECONDS)
        assert [format_uid(uid) for uid in reader.read_tags()] == [tag]
        chip.remove_tag(tag)


def test_odd_cards_are_laid(table: Worked) -> None:
    """One at the edge of the field is heard all the same; a broken one is named."""
    for line in ("market edge egypt/7.1 30", "market broken 04A2B3C4D5E680"):
        assert run_script_line(table.metal, line) == ""
    table.until(TagArrived, 1)
    table.until(TagUnreadable, 1)
    assert table.metal.readers["market"].tag_uids == {simulated_tag_uid("egypt", "7.1"), "04A2B3C4D5E680"}


@pytest.mark.parametrize(
    "line", ["4 ok", "3 minus", "market", "market lay", "market lay xyz", "market lift egypt/7.1",
             "1 damage 101", "wait", "wait 0", "wait 61", "3 bounce tap", "market flicker egypt/7.1 0.1"],
)  # fmt: skip  # a table
def test_what_cant_be_done(table: Worked, line: str) -> None:
    """A line that means nothing is named and changes nothing."""
    assert run_script_line(table.metal, line).startswith(f"{line}: ")
    assert table.metal.readers["market"].tag_uids == set()
