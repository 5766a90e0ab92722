"""The machine under examination: what can be read of it, and whether it has what hardware.toml needs.

The module opens no device. A folder may stand for the root of the file system.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shlex
import site
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from companion import wall_clock
from companion.texts import Say, say
from hardware.gpio.pin_claims import CONSUMER_NAME, HEADER_CHIP_LABELS, UNNAMED_HOLDER
from hardware.wiring import WIRING_FILE, config_folders, find_config_file
from hardware.wiring.sections import Keypad, Numpad, Reader, Section, Wiring, parse_usb_port

ENABLE_SPI_ADVICE_BY_BUS = (
    say("Switch SPI on: sudo raspi-config nonint do_spi 0, then restart the machine."),
    say("Add dtoverlay=spi1-3cs to /boot/firmware/config.txt, then restart the machine."),
)
"""How to switch on a missing SPI bus, by the number of the bus."""

RUN_SETUP_ADVICE = say('In the Companion\'s folder, run "scripts/setup", then start ".venv/bin/companion".')
"""Advice to run scripts/setup.

Shown if the Companion runs with the system's own Python, or on a board without Debian's packages.
"""
EVDEV_WHEEL_PROCESSOR = "x86_64"
"""The processor for which PyPI has a built evdev package; for others it has only the source."""
PIN_IN_USE_ADVICE = say(
    "Close the program that uses this pin, or use another pin. A running game uses the pin as soon "
    "as it is free."
)
"""What to do if another program uses a pin."""

FindingStatus: TypeAlias = Literal["ok", "info", "failed", "skipped"]


class Finding(msgspec.Struct, frozen=True):
    """The result of one check; `advice` is what to do if it failed.

    `is_information`: nothing was checked, so the finding is neither good nor bad.
    """

    subject: Say
    advice: Say | None = None
    is_skipped: bool = False
    is_information: bool = False

    @property
    def status(self) -> FindingStatus:
        """The status of the check as a word, which is printed first."""
        if self.is_skipped:
            return "skipped"
        if self.is_information:
            return "info"
        return "ok" if self.advice is None else "failed"


def find_pin_holders() -> Mapping[int, str]:
    """Returns the program that uses a pin of this machine's header now, by GPIO number."""
    try:
        from hardware.gpio.gpiod_pins import read_pin_holders

        return read_pin_holders()
    except (ImportError, OSError):
        return {}


def venv_python_for_shell() -> str:
    """Returns the path of this virtual environment's Python, quoted for a shell; "" for the system's."""
    return shlex.quote(sys.executable) if sys.prefix != sys.base_prefix else ""


class Machine(msgspec.Struct, frozen=True):
    """The machine's device files and packages, and what this program may do with them.

    `read_chip_labels` returns the label of each GPIO chip by its path; `pin_holders` returns the program that
    uses a pin of the header, by GPIO number. `install_python` is the Python of the environment to install
    into, "" if there is only the system's; `sees_system_packages`: the environment has Debian's packages too.
    """

    read_chip_labels: Callable[[], dict[str, str]]
    root: Path = Path("/")
    can_access: Callable[[Path], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    has_package: Callable[[str], bool] = lambda name: find_spec(name) is not None
    pin_holders: Callable[[], Mapping[int, str]] = find_pin_holders
    install_python: str = venv_python_for_shell()
    sees_system_packages: bool = sys.prefix == sys.base_prefix or site.ENABLE_USER_SITE is not False
    processor: str = platform.machine()

    def path_below_root(self, path: str) -> Path:
        """Returns the path of a device file or system file below `root`."""
        return self.root / path.lstrip("/")


def read_chip_labels_by_path() -> dict[str, str]:
    """Returns the labels of the GPIO chips that may be opened, by path; empty without libgpiod."""
    try:
        from hardware.gpio.gpiod_pins import list_gpio_chips
    except ImportError:
        return {}
    return {str(path): label for path, label in list_gpio_chips()}


def check_wiring_needs(wiring: Wiring, machine: Machine) -> Iterator[Finding]:
    """Yields a finding for everything that the wiring needs of the machine, in the order of the file."""
    sections, program_by_pin = wiring.sections_with_keys(), dict[int, str]()
    if any(section.pins for _, section in sections):
        yield _check_package(machine, "gpiod")
        yield _check_header(machine)
        program_by_pin = dict(machine.pin_holders())
    for key, section in sections:
        yield from _check_pin_holders(key, section, program_by_pin)
        match section:
            case Keypad(port=str(port)):
                yield _check_device_file(
                    machine, key, port, "dialout", say("Plug this device in. A game can start without it.")
                )
            case Reader(spi=spi):
                yield _check_package(machine, "spidev", _install_driver_advice(machine, "spidev"))
                yield _check_device_file(
                    machine, key, spi, "spi", ENABLE_SPI_ADVICE_BY_BUS[section.spi_bus_and_device[0]]
                )
            case Numpad(port=port):
                yield _check_package(machine, "evdev", _install_driver_advice(machine, "evdev"))
                yield _check_numpad(machine, key, port)


def _check_pin_holders(key: str, section: Section, program_by_pin: Mapping[int, str]) -> Iterator[Finding]:
    for pin in section.pins.values():
        program = program_by_pin.get(int(pin))
        if program == CONSUMER_NAME:
            yield Finding(say("{key}: {pin} is in use by the running Companion", key=key, pin=str(pin)))
        elif program is not None:
            holder = program or UNNAMED_HOLDER
            yield Finding(
                say("{key}: {pin} is in use by {program}", key=key, pin=str(pin), program=holder),
                PIN_IN_USE_ADVICE,
            )


def _check_package(machine: Machine, name: str, advice: Say | None = None) -> Finding:
    subject = say("package {name}", name=name)
    advice = advice or pip_advice(machine, f"install {name}")
    return Finding(subject, None if machine.has_package(name) else advice)


def _install_driver_advice(machine: Machine, name: str) -> Say:
    """Returns how to install evdev or spidev: from Debian, or from PyPI if Debian's can't be seen here.

    For processors other than a PC's, PyPI has only sources, and a board has no compiler: there set-up makes
    the environment again.
    """
    if machine.sees_system_packages:
        return say("Run: sudo apt install {package}", package=f"python3-{name}")
    if machine.processor != EVDEV_WHEEL_PROCESSOR:
        return RUN_SETUP_ADVICE
    return pip_advice(machine, "install evdev-binary" if name == "evdev" else f"install {name}")


def _check_header(machine: Machine) -> Finding:
    labels = machine.read_chip_labels()
    for path, label in labels.items():
        if label in HEADER_CHIP_LABELS:
            return Finding(say("pins: {label} at {path}", label=label, path=path))
    inaccessible_paths = [
        path
        for path in sorted(machine.path_below_root("/dev").glob("gpiochip*"))
        if not machine.can_access(path)
    ]
    if inaccessible_paths:
        return Finding(
            say("pins: no permission to open {path}", path=str(inaccessible_paths[0])),
            join_group_advice("gpio"),
        )
    subject = say(
        "pins: not the pins of a Raspberry Pi; found: {labels}", labels=", ".join(labels.values()) or "-"
    )
    return Finding(subject, say("On another computer, try the wiring with --simulate."))


def _check_device_file(machine: Machine, key: str, path: str, group: str, missing_advice: Say) -> Finding:
    subject = say("{key}: {path}", key=key, path=path)
    file = machine.path_below_root(path)
    if not file.exists():
        return Finding(subject, missing_advice)
    return Finding(subject, None if machine.can_access(file) else join_group_advice(group))


def _check_numpad(machine: Machine, key: str, port: str) -> Finding:
    subject = say("{key}: {path}", key=key, path=port)
    for phys_file in sorted(machine.path_below_root("/sys/class/input").glob("event*/device/phys")):
        with contextlib.suppress(OSError):  # the device was unplugged during the check
            if parse_usb_port(phys_file.read_text("utf-8", "replace").strip()) == parse_usb_port(port):
                event_file = machine.path_below_root("/dev/input") / phys_file.parts[-3]
                advice = None if machine.can_access(event_file) else join_group_advice("input")
                return Finding(subject, advice)
    return Finding(subject, say("Plug this device in. A game can start without it."))


def pip_advice(machine: Machine, *pip_commands: str) -> Say:
    """Returns how to install something with pip from any shell, never into the system's Python (PEP 668)."""
    if not machine.install_python:
        return RUN_SETUP_ADVICE
    return say(
        "Run: {command}",
        command=" && ".join(f"{machine.install_python} -m pip {step}" for step in pip_commands),
    )


def join_group_advice(group: str) -> Say:
    """Returns how people become members of a user group."""
    return say("Join the group {group}: sudo usermod -aG {group} $USER, then log in again.", group=group)


SYSTEM_PROGRAM_TIMEOUT_SECONDS = 2.0
"""Time limit for a program of the system, such as vcgencmd."""
THIS_PROGRAM = Path(__file__)


class Computer(msgspec.Struct, frozen=True, kw_only=True):
    """The computer that the doctor checks; paths of the system are below `machine.root`.

    `state_directory` is where games are saved, `wiring_file` the hardware.toml that counts, `package_folders`
    where Python finds packages. `throttling_report` returns what `vcgencmd get_throttled` prints, "" if there
    is no such program. `built_at` is when this program was made and `now` the date, in seconds since 1970.
    `is_time_known` returns whether somebody has set the machine's clock, and `monotonic_seconds` never jumps.
    """

    machine: Machine
    state_directory: Path
    wiring_file: Path | None
    package_folders: Sequence[str]
    environ: Mapping[str, str]
    python_version: str
    pointer_bits: int
    built_at: float
    now: Callable[[], float] = time.time
    is_time_known: Callable[[], bool] = lambda: wall_clock.trusted_unix_time() is not None
    monotonic_seconds: Callable[[], float] = time.perf_counter
    throttling_report: Callable[[], str] = lambda: run_system_program("vcgencmd", "get_throttled")

    def read_system_file(self, path: str) -> str:
        """Returns the text of a system file; "" if it can't be read."""
        try:
            return self.machine.path_below_root(path).read_text("utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""

    @property
    def is_raspberry_pi(self) -> bool:
        """True if the computer is a Raspberry Pi."""
        return "Raspberry Pi" in self.read_system_file("/proc/device-tree/model")

    @property
    def user_id(self) -> int:
        """The user id of this program."""
        return int((*_process_status_values(self, "Uid"), "0")[0])

    @property
    def user_name(self) -> str:
        """The name of the user who runs this program.

        The name is "" if it isn't known.
        """
        entries = (line.split(":") for line in self.read_system_file("/etc/passwd").splitlines())
        return next((entry[0] for entry in entries if entry[2:3] == [str(self.user_id)]), "")

    @property
    def group_ids(self) -> set[str]:
        """The ids of the groups whose rights this program has now."""
        return {*_process_status_values(self, "Gid")[:1], *_process_status_values(self, "Groups")}


def this_computer(state_directory: Path, wiring_file: Path | None = None) -> Computer:
    """Returns the computer that runs this program; `wiring_file` replaces the hardware.toml that is found."""
    return Computer(
        machine=Machine(read_chip_labels_by_path),
        state_directory=state_directory,
        wiring_file=wiring_file or find_config_file(WIRING_FILE, config_folders(os.environ)),
        package_folders=sys.path,
        environ=os.environ,
        python_version=".".join(map(str, sys.version_info[:3])),
        pointer_bits=struct.calcsize("P") * 8,
        built_at=THIS_PROGRAM.stat().st_mtime,
    )


def run_system_program(*command: str) -> str:
    """Runs a program of the system and returns its output; "" if it is missing or fails."""
    try:
        result = subprocess.run(  # noqa: S603 - a command of our own
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SYSTEM_PROGRAM_TIMEOUT_SECONDS,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return result.stdout.strip()


def _process_status_values(host: Computer, key: str) -> list[str]:
    lines = (line.partition(":") for line in host.read_system_file("/proc/self/status").splitlines())
    return next((value.split() for name, _, value in lines if name == key), [])
