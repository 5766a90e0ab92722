"""The machine under examination: what can be read of it, and whether it has what hardware.toml needs.

It opens no device and presses no button. A folder may stand for the root of the file system.
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
from hardware.wiring import WIRING_FILE, config_folders, find_config
from hardware.wiring.sections import Keypad, Numpad, Reader, Section, Wiring, usb_port_of

SPI_ADVICE = (
    say("Switch SPI on: sudo raspi-config nonint do_spi 0, then restart the machine."),
    say("Add dtoverlay=spi1-3cs to /boot/firmware/config.txt, then restart the machine."),
)
"""What to do if an SPI bus is missing, by its number."""

SETUP_ADVICE = say('In the Companion\'s folder, run "scripts/setup", then start ".venv/bin/companion".')
"""What to do if the companion runs with the system's own Python, or on a board without Debian's packages."""
PC_PROCESSOR = "x86_64"
"""The processor for which PyPI has evdev built."""
PIN_IN_USE_ADVICE = say(
    "Close the program that uses this pin, or use another pin. A running game uses the pin as soon "
    "as it is free."
)
"""What to do if another program holds a pin."""

FindingStatus: TypeAlias = Literal["ok", "failed", "skipped"]


class Finding(msgspec.Struct, frozen=True):
    """One thing that was checked, or that people skipped; `todo` says what to do if it isn't well."""

    what: Say
    todo: Say | None = None
    is_skipped: bool = False

    @property
    def status(self) -> FindingStatus:
        """The word before its line."""
        if self.is_skipped:
            return "skipped"
        return "ok" if self.todo is None else "failed"


def find_pin_holders() -> Mapping[int, str]:
    """Returns the programs that hold pins of this machine's header now, by GPIO number."""
    try:
        from hardware.gpio.gpiod_pins import read_pin_holders

        return read_pin_holders()
    except (ImportError, OSError):
        return {}


def environment_python() -> str:
    """Returns the Python of this program's own environment, quoted for a shell; "" if it is the system's."""
    return shlex.quote(sys.executable) if sys.prefix != sys.base_prefix else ""


class Machine(msgspec.Struct, frozen=True):
    """Where this machine's device files are, and what may be done with them.

    `labels` returns the label of each GPIO chip by its path; `pin_holders` returns who holds which pin of the
    header. `install_python` is the Python of the environment to install into, "" if there is none but the
    system's; `sees_system` says whether it has Debian's packages too.
    """

    labels: Callable[[], dict[str, str]]
    root: Path = Path("/")
    may_use: Callable[[Path], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    has_package: Callable[[str], bool] = lambda name: find_spec(name) is not None
    pin_holders: Callable[[], Mapping[int, str]] = find_pin_holders
    install_python: str = environment_python()
    sees_system: bool = sys.prefix == sys.base_prefix or site.ENABLE_USER_SITE is not False
    processor: str = platform.machine()

    def at(self, path: str) -> Path:
        """Returns where a device file is on this machine."""
        return self.root / path.lstrip("/")


def list_chip_labels() -> dict[str, str]:
    """Returns the GPIO chips of this machine that may be opened; none if libgpiod is missing."""
    try:
        from hardware.gpio.gpiod_pins import list_chips
    except ImportError:
        return {}
    return {str(path): label for path, label in list_chips()}


def check_wiring(wiring: Wiring, machine: Machine) -> Iterator[Finding]:
    """Yields a finding for everything that the wiring needs of the machine, in the order of the file."""
    sections, held = wiring.named_sections(), dict[int, str]()
    if any(section.pins for _, section in sections):
        yield _check_package(machine, "gpiod")
        yield _check_header(machine)
        held = dict(machine.pin_holders())
    for key, section in sections:
        yield from _check_pin_holders(key, section, held)
        match section:
            case Keypad(port=str(port)):
                yield _check_device_file(
                    machine, key, port, "dialout", say("Plug this device in. A game can start without it.")
                )
            case Reader(spi=spi):
                yield _check_package(machine, "spidev", _driver_advice(machine, "spidev"))
                yield _check_device_file(machine, key, spi, "spi", SPI_ADVICE[section.bus[0]])
            case Numpad(port=port):
                yield _check_package(machine, "evdev", _driver_advice(machine, "evdev"))
                yield _check_numpad(machine, key, port)


def _check_pin_holders(key: str, section: Section, held: Mapping[int, str]) -> Iterator[Finding]:
    for pin in section.pins.values():
        program = held.get(int(pin))
        if program == CONSUMER_NAME:
            yield Finding(say("{key}: {pin} is in use by the running Companion", key=key, pin=str(pin)))
        elif program is not None:
            by = program or UNNAMED_HOLDER
            yield Finding(
                say("{key}: {pin} is in use by {program}", key=key, pin=str(pin), program=by),
                PIN_IN_USE_ADVICE,
            )


def _check_package(machine: Machine, name: str, todo: Say | None = None) -> Finding:
    what = say("package {name}", name=name)
    todo = todo or pip_advice(machine, f"install {name}")
    return Finding(what, None if machine.has_package(name) else todo)


def _driver_advice(machine: Machine, name: str) -> Say:
    """Returns how evdev or spidev is installed: from Debian, or from PyPI if Debian's can't be seen here.

    For processors other than a PC's, PyPI has sources only, and a board has no compiler: set-up makes the
    environment again.
    """
    if machine.sees_system:
        return say("Run: sudo apt install {package}", package=f"python3-{name}")
    if machine.processor != PC_PROCESSOR:
        return SETUP_ADVICE
    return pip_advice(machine, "install evdev-binary" if name == "evdev" else f"install {name}")


def _check_header(machine: Machine) -> Finding:
    labels = machine.labels()
    for path, label in labels.items():
        if label in HEADER_CHIP_LABELS:
            return Finding(say("pins: {label} at {path}", label=label, path=path))
    closed = [path for path in sorted(machine.at("/dev").glob("gpiochip*")) if not machine.may_use(path)]
    if closed:
        return Finding(
            say("pins: no permission to open {path}", path=str(closed[0])), join_group_advice("gpio")
        )
    what = say(
        "pins: not the pins of a Raspberry Pi; found: {labels}", labels=", ".join(labels.values()) or "-"
    )
    return Finding(what, say("On another computer, try the wiring with --simulate."))


def _check_device_file(machine: Machine, key: str, path: str, group: str, missing: Say) -> Finding:
    what = say("{key}: {path}", key=key, path=path)
    if not machine.at(path).exists():
        return Finding(what, missing)
    return Finding(what, None if machine.may_use(machine.at(path)) else join_group_advice(group))


def _check_numpad(machine: Machine, key: str, port: str) -> Finding:
    what = say("{key}: {path}", key=key, path=port)
    for phys in sorted(machine.at("/sys/class/input").glob("event*/device/phys")):
        with contextlib.suppress(OSError):  # it went while one looked
            if usb_port_of(phys.read_text("utf-8", "replace").strip()) == usb_port_of(port):
                event = machine.at("/dev/input") / phys.parts[-3]
                return Finding(what, None if machine.may_use(event) else join_group_advice("input"))
    return Finding(what, say("Plug this device in. A game can start without it."))


def pip_advice(machine: Machine, *steps: str) -> Say:
    """Returns how something is installed, from any shell; never into the system's Python (PEP 668)."""
    if not machine.install_python:
        return SETUP_ADVICE
    return say(
        "Run: {command}", command=" && ".join(f"{machine.install_python} -m pip {step}" for step in steps)
    )


def join_group_advice(group: str) -> Say:
    """Returns how people get the rights of a group."""
    return say("Join the group {group}: sudo usermod -aG {group} $USER, then log in again.", group=group)


PROGRAM_TIMEOUT_SECONDS = 2.0
"""Time for a program of the system to answer."""
THIS_PROGRAM = Path(__file__)


class Computer(msgspec.Struct, frozen=True, kw_only=True):
    """A computer; paths of the system are looked up below `machine.root`.

    `state` is where games are kept, `wiring` the hardware.toml that counts, `packages` where Python looks for
    packages. `throttling_report` returns what `vcgencmd get_throttled` prints, "" if there is no such
    program. `built_at` is when this program was made and `now` the date, in seconds since 1970.
    `is_time_known` says whether somebody has told the machine the time, and `monotonic_seconds` never jumps.
    """

    machine: Machine
    state: Path
    wiring: Path | None
    packages: Sequence[str]
    environ: Mapping[str, str]
    python: str
    bits: int
    built_at: float
    now: Callable[[], float] = time.time
    is_time_known: Callable[[], bool] = lambda: wall_clock.trusted_now() is not None
    monotonic_seconds: Callable[[], float] = time.perf_counter
    throttling_report: Callable[[], str] = lambda: program_output("vcgencmd", "get_throttled")

    def read(self, path: str) -> str:
        """Returns the text of a file of the system; "" if it can't be read."""
        try:
            return self.machine.at(path).read_text("utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""

    @property
    def is_pi(self) -> bool:
        """Whether it is a Raspberry Pi."""
        return "Raspberry Pi" in self.read("/proc/device-tree/model")

    @property
    def user(self) -> int:
        """The number of the user who runs this program."""
        return int((*_status(self, "Uid"), "0")[0])

    @property
    def user_name(self) -> str:
        """The name of that user; "" if it isn't known."""
        entries = (line.split(":") for line in self.read("/etc/passwd").splitlines())
        return next((entry[0] for entry in entries if entry[2:3] == [str(self.user)]), "")

    @property
    def groups(self) -> set[str]:
        """The numbers of the groups whose rights this program has now."""
        return {*_status(self, "Gid")[:1], *_status(self, "Groups")}


def this_host(state: Path, wiring: Path | None = None) -> Computer:
    """Returns the computer that this runs on; `wiring` replaces the hardware.toml that is found."""
    return Computer(
        machine=Machine(list_chip_labels),
        state=state,
        wiring=wiring or find_config(WIRING_FILE, config_folders(os.environ)),
        packages=sys.path,
        environ=os.environ,
        python=".".join(map(str, sys.version_info[:3])),
        bits=struct.calcsize("P") * 8,
        built_at=THIS_PROGRAM.stat().st_mtime,
    )


def program_output(*command: str) -> str:
    """Returns what a program of the system prints; "" if it isn't there or fails."""
    try:
        done = subprocess.run(  # noqa: S603 - a command of our own
            command, capture_output=True, text=True, timeout=PROGRAM_TIMEOUT_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _status(host: Computer, key: str) -> list[str]:
    lines = (line.partition(":") for line in host.read("/proc/self/status").splitlines())
    return next((value.split() for name, _, value in lines if name == key), [])
