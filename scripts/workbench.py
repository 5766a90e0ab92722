"""The machine and the devices in the pictures of the service pages: both are simulated.

    workbench = Workbench(folder, evening)
    await workbench.prepare("devices", finger)
    workbench.close()

The evening itself keeps no devices, so no other picture changes.
"""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from msgspec.structs import replace

from hardware.devices import Devices
from hardware.doctor import Computer, this_computer
from hardware.doctor.machine import Machine
from hardware.signals import Inbox
from hardware.simulated.table import SimulatedTable, run_script_line
from hardware.wiring import load_wiring_without_faulty_sections
from ui.evening.diagnostics import Diagnostics

WIRED = Path(__file__).parents[1] / "hardware/examples/full-table.toml"
FILES = {
    "/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
    "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n',
    "/proc/sys/kernel/osrelease": "6.12.25+rpt-rpi-2712\n",
    "/sys/class/thermal/thermal_zone0/temp": "48312\n",
    "/dev/spidev0.0": "",
    "/dev/spidev0.1": "",
}
"""Files of the machine by their path; the doctor reads them."""
TOO_LITTLE_POWER = "throttled=0x50005"
"""What the firmware of a Raspberry Pi says if its power supply is too weak."""
NOW = 1_795_000_000.0
"""The time of the machine, in seconds since 1970; no time server has confirmed it."""
PATIENCE = 10.0
"""Seconds that devices and doctor may take before the picture is taken all the same."""
DONE_BY_HAND = ("2 unplug", "1 keys 12 OK")
"""What people do before the picture of the devices."""


class Workbench:
    """Puts a machine and devices behind the service pages of an evening, until `close`."""

    def __init__(self, folder: Path, controller: Any) -> None:
        self._controller = controller
        self._metal = metal = SimulatedTable(load_wiring_without_faulty_sections(WIRED))
        inbox = Inbox(wake=Clock.create_trigger(self._pump))
        self._devices = Devices(
            metal.wiring, inbox, clock=metal.clock, pins=metal.pins, spi=metal.open_reader
        )
        host = partial(_raspberry_pi, folder, controller.evening.store.directory)
        controller.diagnostics = self._diagnostics = Diagnostics(self._devices, metal.wiring, host)
        self._devices.open()

    async def prepare(self, what: str, finger: Any) -> None:
        """Waits until the page with this name shows everything it has to show."""
        if what == "service":
            await _until(lambda: self._diagnostics.is_examination_done, finger)
        if what == "devices":
            await _until(lambda: not self._devices.lost_devices, finger)
            for line in DONE_BY_HAND:
                run_script_line(self._metal, line)
            self._metal.buttons[3]["ok"].press_down()
            await _until(
                lambda: bool(self._devices.lost_devices and self._diagnostics.signal_history.buttons_down),
                finger,
            )

    def _pump(self, _seconds: float) -> None:
        self._devices.process_signals_and_refresh(None, self._controller.display_language)

    def close(self) -> None:
        """Closes the devices."""
        self._devices.close()
        self._metal.close()


def _raspberry_pi(folder: Path, state: Path) -> Computer:
    """A Raspberry Pi with a weak power supply and an unconfirmed date."""
    root = folder / "pi"
    for path, text in FILES.items():
        file = root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    machine = Machine(lambda: {"/dev/gpiochip0": "pinctrl-rp1"}, root, has_package=lambda _: True)
    return replace(
        this_computer(state),
        machine=machine,
        wiring_file=None,
        built_at=NOW,
        now=lambda: NOW,
        is_time_known=lambda: False,
        throttling_report=lambda: TOO_LITTLE_POWER,
    )


async def _until(is_so: Any, finger: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so() and time.monotonic() < end:
        await finger.wait_frames(1)
