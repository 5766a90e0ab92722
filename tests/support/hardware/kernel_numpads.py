"""Runs inside the kernel lane: five number pads by uinput on a real kernel, read by the real driver.

    scripts/kernel-lane/uml_run.sh KERNEL python tests/support/hardware/kernel_numpads.py

Prints one line of JSON.
"""

import json
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))

from evdev import InputDevice, UInput, ecodes

from companion.games.sealed_bid import rulebook as sealed_bid
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.texts import render
from hardware.devices import Devices
from hardware.input_events import KERNEL_KEY_NAMES_BY_PAD_KEY, KernelInputDevices
from hardware.numpads import Numpads
from hardware.signals import Inbox
from hardware.simulated.keypads import parse_keys
from hardware.wiring.sections import Numpad, Wiring
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS, measure_idle, run_until

NAMES = ["Aki", "Ben", "Chie", "Dai", "Emi"]
KEY_CODE_BY_CAP = {cap: ecodes.ecodes[names[0]] for cap, names in KERNEL_KEY_NAMES_BY_PAD_KEY.items()}
CAPABILITIES: dict[int, Sequence[int]] = {
    ecodes.EV_KEY: [*KEY_CODE_BY_CAP.values(), ecodes.KEY_NUMLOCK, ecodes.KEY_END],
    ecodes.EV_LED: [ecodes.LED_NUML],
}
BIDS = (3, 14, 2, 7, 5)


class VirtualNumpad:
    """A number pad plugged in at a port of a hub."""

    def __init__(self, seat: int) -> None:
        self.port = f"usb-0000:01:00.0-1.{seat}"
        self.plug_in()

    def plug_in(self) -> None:
        """Plugs the pad in; a console listens to it, as to every keyboard."""
        self._device = UInput(CAPABILITIES, name="number pad", phys=f"{self.port}/input0")
        self.consoles = [
            InputDevice(path)
            for path, phys in KernelInputDevices().ports_by_path().items()
            if phys == f"{self.port}/input0"
        ]

    def unplug(self) -> None:
        """Pulls the pad out."""
        for console in self.consoles:
            console.close()
        self._device.close()

    def type(self, keys: str) -> None:
        """Presses keys, each as the kernel's drivers report it, NumLock around each as some pads do."""
        for cap in parse_keys(keys):
            for code in (ecodes.KEY_NUMLOCK, KEY_CODE_BY_CAP[cap]):
                for value in (1, 2, 0):
                    self._device.write(ecodes.EV_KEY, code, value)
                    self._device.syn()

    @property
    def light_values(self) -> list[int]:
        """The new states of the NumLock light since the last look."""
        values = []
        try:
            while event := self._device.read_one():
                if event.type == ecodes.EV_LED:
                    values.append(event.value)
        except BlockingIOError:
            pass
        return values

    @property
    def leaked_press_count(self) -> int:
        """The number of key events that the console received."""
        count = 0
        for console in self.consoles:
            try:
                count += len([event for event in console.read() if event.type == ecodes.EV_KEY])
            except BlockingIOError:
                continue
        return count


class NumpadTable:
    """Five players of a sealed bid, each with a number pad."""

    def __init__(self) -> None:
        self.awake = threading.Event()
        self.pads = [VirtualNumpad(seat) for seat in range(1, 6)]
        wiring = Wiring(numpad=tuple(Numpad(seat, pad.port) for seat, pad in enumerate(self.pads, 1)))
        self.devices = Devices(wiring, Inbox(self.awake.set))
        self.devices.open()
        self.session = Session.begin(sealed_bid.GAME, NAMES, {}, MemoryLog(), seed=7)

    def play_until(self, seen: Callable[[], bool]) -> float:
        """Processes signals until `seen` is true; returns the seconds that this took."""
        return run_until(
            seen,
            lambda: self.devices.process_signals_and_refresh(self.session),
            self.awake,
            self.missing_pad_messages,
        )

    def current_entry(self, seat: int) -> str:
        """Returns what is typed on a pad before Enter."""
        pads = self.devices._input_driver_by_device[f"numpad {seat}"]
        assert isinstance(pads, Numpads)
        return pads.current_entry(f"numpad {seat}")

    def missing_pad_messages(self) -> list[str]:
        """Returns what the screen says about missing pads."""
        return [render(each.message) for each in self.devices.missing_devices_needed_by_game(self.session)]


def light_values_until_on(pads: Sequence[VirtualNumpad]) -> list[list[int]]:
    """Returns the states of all lights until all are on, which is a moment after the game went on."""
    states_by_pad: list[list[int]] = [[] for _ in pads]
    end = time.monotonic() + TIMEOUT_SECONDS
    while any(each[-1:] != [1] for each in states_by_pad) and time.monotonic() < end:
        time.sleep(0.01)  # a light wakes nobody
        for each, pad in zip(states_by_pad, pads, strict=True):
            each.extend(pad.light_values)
    return states_by_pad


def bids() -> dict[str, object]:
    """Lets everybody bid; Chie's pad is pulled out during her bid, and plugged in again."""
    table = NumpadTable()
    seen: dict[str, object] = {}
    table.play_until(lambda: not table.missing_pad_messages())
    chie = table.pads[2]
    for pad, bid in zip(table.pads, BIDS, strict=True):
        pad.type("1" if pad is chie else f"{bid} OK")
    table.play_until(lambda: len(table.session.drafts) == 4 and table.current_entry(3) == "1")
    seen["leaked"] = sum(pad.leaked_press_count for pad in table.pads)
    chie.unplug()
    seen["noticed"] = table.play_until(lambda: bool(table.missing_pad_messages()))
    seen["missing"] = table.missing_pad_messages()
    chie.plug_in()
    seen["found"] = table.play_until(lambda: not table.missing_pad_messages())
    chie.type(f"{BIDS[2]} OK")
    table.play_until(lambda: len(table.session.rulebook_run.answered_questions) == 1)
    seen["bids"] = list(table.session.rulebook_run.answered_questions[0].answer.values())
    seen["leaked_again"] = sum(pad.leaked_press_count for pad in table.pads)
    seen["lights"] = light_values_until_on(table.pads)
    table.devices.close()
    chie.type("9")
    seen["heard_by_others_after_the_end"] = chie.leaked_press_count
    return seen


def idle() -> dict[str, object]:
    """Measures what five pads cost while nobody presses."""
    table = NumpadTable()
    table.play_until(lambda: not table.missing_pad_messages())
    return {**measure_idle()}


if __name__ == "__main__":
    print(json.dumps(bids() | idle()))
