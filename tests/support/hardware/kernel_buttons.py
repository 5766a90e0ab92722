"""Runs inside the kernel lane: 15 buttons at simulated lines of a real kernel, read by the real driver.

    scripts/kernel-lane/uml_run.sh KERNEL python tests/support/hardware/kernel_buttons.py SCENE

The scenes are at the end. Prints one line of JSON.
"""

import heapq
import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[3]))

import gpiod
from gpiozero import LED, DigitalInputDevice

from companion.texts import render
from hardware.doctor.machine import Machine, check_wiring_needs, read_chip_labels_by_path
from hardware.gpio.buttons import ButtonReader
from hardware.gpio.displays import DisplayNotResponding, Tm1637Display
from hardware.gpio.gpiod_pins import GpiodFactory, GpiodPin, list_gpio_chips
from hardware.signals import ButtonDown, ButtonUp, DeviceLost, Inbox, Signal
from hardware.wiring.pins import Pin
from hardware.wiring.sections import Buttons, Wiring
from tests.support.hardware.debounce_reference import Transition, debounce_trace
from tests.support.hardware.device_helpers import measure_idle

BUTTON_LINES = (4, 5, 6, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25)
BUTTON_SECTIONS = tuple(
    Buttons(
        seat,
        minus=Pin(BUTTON_LINES[3 * seat - 3]),
        plus=Pin(BUTTON_LINES[3 * seat - 2]),
        ok=Pin(BUTTON_LINES[3 * seat - 1]),
    )
    for seat in range(1, 6)
)
PRESSES_PER_BUTTON = 40
TIMEOUT_SECONDS = 20.0
"""Seconds after which even a busy machine has reported the last press."""
MIN_EDGE_SECONDS = 0.0013
"""Two edges of one line need this distance in seconds for this kernel to tell them apart."""


def set_button(line: int, *, down: bool) -> None:
    """Presses or releases a button to ground."""
    path = f"{os.environ['SIM']}/sim_gpio{line}/pull"
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 - the least work between two edges
        file.write("pull-down" if down else "pull-up")


class RecordingPin(GpiodPin):
    """A pin that records the edges that the kernel reports."""

    def _call_when_changed(self, ticks: float, state: int) -> None:
        RECORDED_EDGES[self._offset].append((ticks, state == 0))
        super()._call_when_changed(ticks, state)


RECORDED_EDGES: dict[int, list[tuple[float, bool]]] = {number: [] for number in BUTTON_LINES}


class RecordingPinFactory(GpiodFactory):
    """The pins of this kernel, which record their edges."""

    def __init__(self) -> None:
        super().__init__()
        self.pin_class = RecordingPin


class TimedInbox(Inbox):
    """An inbox that records when each signal arrived."""

    def __init__(self) -> None:
        super().__init__(lambda: None)
        self.timed_signals: list[tuple[float, Signal]] = []

    def put(self, signal: Signal) -> None:
        """Records the time of a signal and puts it into the inbox."""
        self.timed_signals.append((time.monotonic(), signal))
        super().put(signal)


def mash() -> dict[str, object]:
    """Presses all buttons quickly from another process, and compares the signals with the recorded edges.

    The kernel's times decide what is a press, as a busy machine may stretch a bounce into two, or a press.
    """
    inbox = TimedInbox()
    with ButtonReader(BUTTON_SECTIONS, inbox, pins=RecordingPinFactory):
        done = subprocess.run([sys.executable, __file__, "fingers"], check=True, capture_output=True)
        end = time.monotonic() + TIMEOUT_SECONDS
        while expected_transitions().keys() - reported_transitions(inbox).keys() and time.monotonic() < end:
            time.sleep(0.1)
        time.sleep(0.1)  # for signals that should not come
    due, came = expected_transitions(), reported_transitions(inbox)
    return {
        **json.loads(done.stdout),
        "settled": sum(each.is_down for each in due.values()),
        "lost": len(due.keys() - came.keys()),
        "invented": len(came.keys() - due.keys()),
        "faults": sum(isinstance(each, DeviceLost) for _, each in inbox.timed_signals),
        "delay": median_and_max_milliseconds([came[key] - key[-1] for key in came if key[2]]),
        "late": median_and_max_milliseconds(
            [came[key] - due[key].due_seconds for key in came.keys() & due.keys() if key[2]]
        ),
    }


def expected_transitions() -> dict[tuple[str, str, bool, float], Transition]:
    """Returns the presses and releases according to the kernel's edges so far."""
    caps = {int(pin): (each.device_name, cap) for each in BUTTON_SECTIONS for cap, pin in each.pins.items()}
    return {
        (*caps[line], each.is_down, each.seconds): each
        for line in BUTTON_LINES
        for each in debounce_trace(RECORDED_EDGES[line])
    }


def reported_transitions(inbox: TimedInbox) -> dict[tuple[str, str, bool, float], float]:
    """Returns the presses and releases in the inbox, with the time of their arrival."""
    return {
        (each.device, each.button, isinstance(each, ButtonDown), each.at): came
        for came, each in inbox.timed_signals
        if isinstance(each, ButtonDown | ButtonUp)
    }


def median_and_max_milliseconds(seconds: list[float]) -> list[float]:
    """Returns the median and the maximum in milliseconds."""
    return [round(1000 * each, 2) for each in (median(seconds), max(seconds))]


def fingers() -> dict[str, object]:
    """Presses every button 40 times for 14 to 34 ms, with bounces at both ends."""
    chance = random.Random(7)
    now = time.monotonic()
    due = [(now + chance.uniform(0.2, 0.25), line, 2 * PRESSES_PER_BUTTON) for line in BUTTON_LINES]
    heapq.heapify(due)
    while due:
        at, line, left = heapq.heappop(due)
        wait_until(at)
        bounce(line, 2 * chance.randint(0, 1) + 1, down=left % 2 == 0)
        pause = chance.uniform(0.014, 0.034) if left % 2 == 0 else chance.uniform(0.04, 0.08)
        if left > 1:
            heapq.heappush(due, (time.monotonic() + pause, line, left - 1))
    return {"pressed": PRESSES_PER_BUTTON * len(BUTTON_LINES)}


def bounce(line: int, edges: int, *, down: bool) -> None:
    """Makes edges close together; the level after the last edge stays."""
    at = time.monotonic()
    for edge in range(edges):
        wait_until(at)
        set_button(line, down=down == (edge % 2 == 0))
        at = time.monotonic() + MIN_EDGE_SECONDS


def wait_until(moment: float) -> None:
    """Sleeps until a time of the monotonic clock."""
    while (wait := moment - time.monotonic()) > 0:
        time.sleep(wait)


def idle() -> dict[str, object]:
    """Measures what 15 buttons cost while nobody presses."""
    with ButtonReader(BUTTON_SECTIONS, Inbox(lambda: None), pins=GpiodFactory):
        time.sleep(0.5)
        return {**measure_idle()}


def chip() -> dict[str, object]:
    """Reports the available chips and the chosen one."""
    there = {str(path): label for path, label in list_gpio_chips()}
    factory = GpiodFactory()
    taken = there[factory.path]
    factory.close()
    return {"chips": there, "taken": taken}


def light() -> dict[str, object]:
    """Tests a light at GPIO26 and a press at GPIO4 with the gpiozero devices that the companion uses."""
    factory = GpiodFactory()
    seen: dict[str, object] = {}
    lamp, button = LED(26, pin_factory=factory), DigitalInputDevice(4, pull_up=True, pin_factory=factory)
    for name, move in (("lit", lamp.on), ("dark", lamp.off)):
        move()
        seen[name] = Path(f"{os.environ['SIM']}/sim_gpio26/value").read_text(encoding="ascii").strip()
    pushed = threading.Event()
    button.when_activated = pushed.set
    set_button(4, down=True)
    seen["pushed"], seen["held"] = pushed.wait(5), bool(button.value)
    set_button(4, down=False)
    button.wait_for_inactive(5)
    seen["let_go"] = not button.value
    factory.close()
    return seen


def taken() -> dict[str, object]:
    """Reports what the driver and the check say while another program has a pin of seat 1, and afterwards."""
    line = str(BUTTON_LINES[0])
    other = subprocess.Popen([sys.executable, __file__, "doorbell", line], stdout=subprocess.PIPE)
    assert other.stdout is not None
    other.stdout.readline()
    inbox = TimedInbox()
    with ButtonReader(BUTTON_SECTIONS, inbox, pins=GpiodFactory):
        at_first = inbox.drain()
        checked = [
            render(each.subject)
            for each in check_wiring_needs(Wiring(buttons=BUTTON_SECTIONS), Machine(read_chip_labels_by_path))
            if each.advice
        ]
        other.kill()
        ended = time.monotonic()
        while not inbox.timed_signals[len(at_first) :] and time.monotonic() < ended + 20:
            time.sleep(0.01)
        set_button(BUTTON_LINES[0], down=True)
        time.sleep(0.1)
        set_button(BUTTON_LINES[0], down=False)
        time.sleep(0.1)
    later = inbox.drain()
    return {
        "at_first": [str(each) for each in at_first],
        "checked": checked,
        "later": [str(each) for each in later],
    }


def doorbell() -> dict[str, object]:
    """Requests a line and keeps it, as another program would."""
    line = int(sys.argv[2])
    with gpiod.request_lines("/dev/gpiochip0", consumer="doorbell", config={line: None}):
        sys.stdout.write("has it\n")
        sys.stdout.flush()
        time.sleep(60)
    return {}


def display() -> dict[str, object]:
    """Tests the driver without a display: its error, the release of the lines, and the time of a change."""
    factory = GpiodFactory()
    digits = Tm1637Display(26, 27, factory)
    seen: dict[str, object] = {}
    try:
        digits.show("  12")
    except DisplayNotResponding as error:
        seen["said"] = str(error)
    # from now on as if a chip acknowledged
    vars(digits._lines)["is_high"] = lambda _number: False
    before = time.perf_counter()
    digits.show("  12")
    seen["seconds"] = time.perf_counter() - before
    digits.close()
    Tm1637Display(26, 27, factory).close()
    factory.close()
    return seen


def pins() -> dict[str, object]:
    """Runs three scenes in one kernel, as each start takes a second of a processor."""
    return {"light": light(), "display": display(), "taken": taken()}


if __name__ == "__main__":
    if sys.argv[1] not in {"fingers", "doorbell"}:
        for number in BUTTON_LINES:
            set_button(number, down=False)
    scenes = (mash, fingers, idle, chip, pins, doorbell)
    print(json.dumps({each.__name__: each for each in scenes}[sys.argv[1]]()))
