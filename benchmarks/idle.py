"""What the devices of a full table cost while nobody does anything, all of them simulated.

Fifteen buttons at five seats, five keypads on terminals, two readers on simulated chips, each with a card on
it. It is the whole process that counts: the drivers and what they drive. A process of its own measures, so
that nothing else runs in it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from hardware.devices import Devices
from hardware.signals import Inbox
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Buttons, Keypad, Reader, Wiring
from hardware.wiring.pins import Pin

SEATS = range(1, 6)
SECONDS = 8
MOST = 3.0
"""Percent of one core that it may take."""
WIRING = Wiring(
    keypad=tuple(Keypad(seat, id=f"kp-{seat}") for seat in SEATS),
    buttons=tuple(
        Buttons(seat, minus=Pin(seat * 3), plus=Pin(seat * 3 + 1), ok=Pin(seat * 3 + 2)) for seat in SEATS
    ),
    reader=(Reader("market", "/dev/spidev0.0"), Reader("payment", "/dev/spidev0.1")),
)


def figures() -> Iterator[dict[str, Any]]:
    """The share of one core."""
    done = subprocess.run([sys.executable, "-m", __name__], check=True, capture_output=True, text=True)
    heard = json.loads(done.stdout)
    yield {
        "name": "hardware.idle_cpu",
        "value": round(heard["all"], 2),
        "unit": "%",
        "beside": {name: round(heard[name], 2) for name in ("buttons", "keypads", "readers")},
        "ratio": round(heard["all"] / MOST, 2),
    }


def idle(wiring: Wiring) -> float:
    """Percent of one core that these devices take."""
    awake = threading.Event()
    with SimulatedTable(wiring) as metal:
        inbox = Inbox(awake.set)
        with Devices(
            metal.wiring, inbox, pins=metal.pins, spi=metal.open_reader, inputs=metal.inputs
        ) as devices:
            for reader in metal.readers.values():
                reader.add_tag("04A2B3C4D5E680")
            while devices.lost_devices or awake.wait(1):
                awake.clear()
                devices.process_signals_and_refresh(None)
            before, began = time.process_time(), time.monotonic()
            threading.Event().wait(SECONDS)
            return 100 * (time.process_time() - before) / (time.monotonic() - began)


if __name__ == "__main__":
    print(
        json.dumps(
            {
                "all": idle(WIRING),
                "buttons": idle(Wiring(buttons=WIRING.buttons)),
                "keypads": idle(Wiring(keypad=WIRING.keypad)),
                "readers": idle(Wiring(reader=WIRING.reader)),
            }
        )
    )
