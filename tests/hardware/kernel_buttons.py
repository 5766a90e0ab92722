"""Run inside the kernel lane: 15 buttons at simulated lines of a real kernel, read by the real driver.

    scripts/kernel-lane/uml_run.sh KERNEL python tests/hardware/kernel_buttons.py SCENE

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
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from gpiozero import LED, DigitalInputDevice

from hardware.buttons import ButtonReader
from hardware.four_digits import FourDigits, NoAnswer
from hardware.gpiod_pins import GpiodFactory, chips
from hardware.inbox import Inbox
from hardware.pins import Pin
from hardware.signals import LetGo, Pushed
from hardware.wiring.sections import Buttons

LINES = (4, 5, 6, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25)
SEATS = tuple(
    Buttons(seat, minus=Pin(LINES[3 * seat - 3]), plus=Pin(LINES[3 * seat - 2]), ok=Pin(LINES[3 * seat - 1]))
    for seat in range(1, 6)
)
PRESSES = 40
LONGEST_BOUNCE = 0.012
"""Seconds that a contact may take to settle."""
EDGE = 0.0013
"""Seconds between edges of one line that this kernel can tell apart."""


def pull(line: int, *, down: bool) -> None:
    """Presses or lets go of a button to ground."""
    path = f"{os.environ['SIM']}/sim_gpio{line}/pull"
    with open(path, "w", encoding="ascii") as file:  # noqa: PTH123 - the least work between two edges
        file.write("pull-down" if down else "pull-up")


def mash() -> dict[str, object]:
    """All buttons are mashed at once by a process of its own, which waits for nobody here."""
    inbox = Inbox(lambda: None)
    with ButtonReader(SEATS, inbox, pins=GpiodFactory):
        done = subprocess.run([sys.executable, __file__, "fingers"], check=True, capture_output=True)
        time.sleep(0.2)
    heard = inbox.drain()
    pushed = Counter((each.device, each.cap) for each in heard if isinstance(each, Pushed))
    let_go = Counter((each.device, each.cap) for each in heard if isinstance(each, LetGo))
    return {
        **json.loads(done.stdout),
        "pushed": pushed.total(),
        "fewest": min(pushed.values()) * len(LINES),
        "both": pushed == let_go,
    }


def fingers() -> dict[str, object]:
    """Every button is pressed 40 times for 14 to 34 ms and bounces at both ends.

    `slipped`: so often this program was kept so long from an edge that its bounce was none any more.
    """
    chance, slipped = random.Random(7), 0
    now = time.monotonic()
    due = [(now + chance.uniform(0.2, 0.25), line, 2 * PRESSES) for line in LINES]
    heapq.heapify(due)
    while due:
        at, line, left = heapq.heappop(due)
        wait_until(at)
        slipped += not bounces(line, 2 * chance.randint(0, 1) + 1, down=left % 2 == 0)
        pause = chance.uniform(0.014, 0.034) if left % 2 == 0 else chance.uniform(0.04, 0.08)
        if left > 1:
            heapq.heappush(due, (time.monotonic() + pause, line, left - 1))
    return {"pressed": PRESSES * len(LINES), "slipped": slipped}


def bounces(line: int, edges: int, *, down: bool) -> bool:
    """So many edges, close together, the last one for good; whether they came as close as they should."""
    at = begun = time.monotonic()
    for edge in range(edges):
        wait_until(at)
        pull(line, down=down == (edge % 2 == 0))
        at = time.monotonic() + EDGE
    return time.monotonic() - begun < LONGEST_BOUNCE


def wait_until(moment: float) -> None:
    """Returns then, not before."""
    while (wait := moment - time.monotonic()) > 0:
        time.sleep(wait)


def idle() -> dict[str, object]:
    """The share of a processor that 15 buttons take while nobody presses, in percent."""
    with ButtonReader(SEATS, Inbox(lambda: None), pins=GpiodFactory):
        time.sleep(0.5)
        cpu, wall = time.process_time(), time.monotonic()
        time.sleep(5)
        return {"idle_cpu": 100 * (time.process_time() - cpu) / (time.monotonic() - wall)}


def chip() -> dict[str, object]:
    """Which chip is taken, of which."""
    there = {str(path): label for path, label in chips()}
    factory = GpiodFactory()
    taken = there[factory.path]
    factory.close()
    return {"chips": there, "taken": taken}


def light() -> dict[str, object]:
    """A light at GPIO26 and a press at GPIO4, by the devices of gpiozero that the companion uses."""
    factory = GpiodFactory()
    seen: dict[str, object] = {}
    lamp, button = LED(26, pin_factory=factory), DigitalInputDevice(4, pull_up=True, pin_factory=factory)
    for name, move in (("lit", lamp.on), ("dark", lamp.off)):
        move()
        seen[name] = Path(f"{os.environ['SIM']}/sim_gpio26/value").read_text(encoding="ascii").strip()
    pushed = threading.Event()
    button.when_activated = pushed.set
    pull(4, down=True)
    seen["pushed"], seen["held"] = pushed.wait(5), bool(button.value)
    pull(4, down=False)
    button.wait_for_inactive(5)
    seen["let_go"] = not button.value
    factory.close()
    return seen


def display() -> dict[str, object]:
    """Where no display is: what the driver says, what stays of the lines, and the seconds of a change."""
    factory = GpiodFactory()
    digits = FourDigits(26, 27, factory)
    seen: dict[str, object] = {}
    try:
        digits.show("  12")
    except NoAnswer as error:
        seen["said"] = str(error)
    # From now on as if a chip acknowledged.
    vars(digits._lines)["is_high"] = lambda _number: False
    before = time.perf_counter()
    digits.show("  12")
    seen["seconds"] = time.perf_counter() - before
    digits.close()
    FourDigits(26, 27, factory).close()
    factory.close()
    return seen


if __name__ == "__main__":
    if sys.argv[1] != "fingers":
        for number in LINES:
            pull(number, down=False)
    runs = {"mash": mash, "fingers": fingers, "idle": idle, "chip": chip, "light": light, "display": display}
    print(json.dumps(runs[sys.argv[1]]()))
