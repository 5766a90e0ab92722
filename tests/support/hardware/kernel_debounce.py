"""Runs inside the kernel lane: compares our debounce with the kernel's (docs/adr/0018) at the same lines.

    scripts/kernel-lane/uml_run.sh KERNEL python tests/support/hardware/kernel_debounce.py ours | kernel

Prints one line of JSON: how often the later of two presses was reported as the first, of how many; the
milliseconds (median and maximum) until a press was known after its first edge, and by which its time was
late; and the CPU time in percent while all lines hum with spikes of 2 ms.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

sys.path.insert(0, str(Path(__file__).parents[3]))

import gpiod
from gpiozero import DigitalInputDevice

from hardware.gpio.buttons import MIN_STABLE_SECONDS, ButtonReader
from hardware.gpio.gpiod_pins import GpiodFactory, GpiodPin
from hardware.signals import ButtonDown
from tests.support.hardware.kernel_buttons import (
    BUTTON_LINES,
    BUTTON_SECTIONS,
    MIN_EDGE_SECONDS,
    RECORDED_EDGES,
    RecordingPinFactory,
    TimedInbox,
    median_and_max_milliseconds,
    set_button,
    wait_until,
)

WORN_LINE, GOOD_LINE = BUTTON_LINES[0], BUTTON_LINES[3]
"""The lines of a contact that bounces and of a good one, at two seats."""
RACES = 100
MAX_BOUNCE_GAP_SECONDS = 0.0025
"""Two edges with more seconds between them may not belong to one bounce."""
MAINS_PERIOD_SECONDS = 0.02
HUM_SECONDS = 5

TimedPresses: TypeAlias = list[tuple[float, int, float]]
"""For each press: when it was known, its line, and its reported time."""


class DebouncedPin(GpiodPin):
    """A pin whose edges the kernel debounces."""

    def _line_settings(self) -> gpiod.LineSettings:
        settings = super()._line_settings()
        settings.debounce_period = timedelta(seconds=MIN_STABLE_SECONDS)
        return settings


@contextmanager
def companion_debounce() -> Iterator[Callable[[], TimedPresses]]:
    """Opens the companion's driver; yields a function that returns the presses so far."""
    inbox = TimedInbox()
    lines = {(each.device_name, cap): int(pin) for each in BUTTON_SECTIONS for cap, pin in each.pins.items()}
    with ButtonReader(BUTTON_SECTIONS, inbox, pins=RecordingPinFactory):
        yield lambda: [
            (known_at, lines[each.device, each.button], each.at)
            for known_at, each in inbox.timed_signals
            if isinstance(each, ButtonDown)
        ]


@contextmanager
def kernel_debounce() -> Iterator[Callable[[], TimedPresses]]:
    """Opens pins that only the kernel debounces; yields a function that returns the presses so far."""
    presses: TimedPresses = []
    callbacks: list[Callable[[float, int], None]] = []
    factory = GpiodFactory()
    factory.pin_class = DebouncedPin
    with ExitStack() as pins:
        for line in BUTTON_LINES:
            device = pins.enter_context(DigitalInputDevice(line, pull_up=True, pin_factory=factory))

            def changed(ticks: float, state: int, line: int = line) -> None:
                if not state:
                    presses.append((time.monotonic(), line, ticks))

            callbacks.append(changed)  # gpiozero holds what it calls weakly
            device.pin.when_changed = changed
        yield lambda: list(presses)
    factory.close()


def run_race(presses_so_far: Callable[[], TimedPresses]) -> tuple[float, TimedPresses]:
    """Presses the worn contact and a moment later the good one; returns the first time, and the presses.

    It returns no presses if this machine was so busy that the bounce became separate presses.
    """
    before, moments = len(presses_so_far()), [time.monotonic()]
    set_button(WORN_LINE, down=True)
    wait_until(moments[0] + MIN_EDGE_SECONDS)
    set_button(GOOD_LINE, down=True)
    for edge in range(1, 5):
        wait_until(moments[-1] + MIN_EDGE_SECONDS)
        moments.append(time.monotonic())
        set_button(WORN_LINE, down=edge % 2 == 0)
    is_bounce = all(
        after - each < MAX_BOUNCE_GAP_SECONDS for each, after in pairwise([*moments, time.monotonic()])
    )
    worn, new = ([at for at, _ in RECORDED_EDGES[line] if at > moments[0]] for line in (WORN_LINE, GOOD_LINE))
    if worn:  # check the kernel's own times, which only our driver records
        is_bounce &= worn[:1] < new[:1] and all(
            after - each < MIN_STABLE_SECONDS for each, after in pairwise(worn)
        )
    wait_until(moments[0] + 0.06)
    for line in (WORN_LINE, GOOD_LINE):
        set_button(line, down=False)
    wait_until(moments[0] + 0.12)
    return moments[0], presses_so_far()[before:] if is_bounce else []


def make_mains_hum() -> None:
    """Makes all lines pick up the mains."""
    at = time.monotonic()
    for _ in range(round(HUM_SECONDS / MAINS_PERIOD_SECONDS)):
        for down, lasting in ((True, MIN_EDGE_SECONDS), (False, MAINS_PERIOD_SECONDS - MIN_EDGE_SECONDS)):
            for line in BUTTON_LINES:
                set_button(line, down=down)
            at += lasting
            wait_until(at)


def measure(presses_so_far: Callable[[], TimedPresses]) -> dict[str, object]:
    """Runs all races, then the hum in another process; returns the measurements."""
    races = [
        (start, presses) for start, presses in (run_race(presses_so_far) for _ in range(RACES)) if presses
    ]
    worn = [(start, each) for start, presses in races for each in presses if each[1] == WORN_LINE]
    cpu, wall, before = time.process_time(), time.monotonic(), len(presses_so_far())
    subprocess.run([sys.executable, __file__, "hum"], check=True)
    return {
        "raced": len(races),
        "second_told_first": sum(
            min(presses, key=lambda each: each[2])[1] == GOOD_LINE for _, presses in races
        ),
        "known_after": median_and_max_milliseconds([known_at - start for start, (known_at, _, _) in worn]),
        "time_is_late_by": median_and_max_milliseconds([at - start for start, (_, _, at) in worn]),
        "hum_cpu": round(100 * (time.process_time() - cpu) / (time.monotonic() - wall), 2),
        "hum_presses": len(presses_so_far()) - before,
    }


if __name__ == "__main__":
    if sys.argv[1] == "hum":
        make_mains_hum()
    else:
        for number in BUTTON_LINES:
            set_button(number, down=False)
        with {"ours": companion_debounce, "kernel": kernel_debounce}[sys.argv[1]]() as presses_so_far:
            print(json.dumps(measure(presses_so_far)))
