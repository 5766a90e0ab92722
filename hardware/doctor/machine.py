"""What of a wiring this machine has: chip, device files, rights, packages; each with what to do if not.

It opens no device and presses no button.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shlex
import site
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from companion.texts import Say, say
from hardware.gpio.chips import CONSUMER, LABELS, UNNAMED
from hardware.wiring.sections import Keypad, Numpad, Reader, Section, Wiring, port_of

SPI_OFF = (
    say("Switch SPI on: sudo raspi-config nonint do_spi 0, then restart the machine."),
    say("Add dtoverlay=spi1-3cs to /boot/firmware/config.txt, then restart the machine."),
)
"""What to do where a bus, by its number, is missing."""

SET_UP = say('In the Companion\'s folder, run "scripts/setup", then start ".venv/bin/companion".')
"""What to do where the companion runs with the system's own Python, or on a board without Debian's."""
PC = "x86_64"
"""The processor for which PyPI has evdev built."""
END_IT = say(
    "Close the program that uses this pin, or use another pin. A running game uses the pin as soon "
    "as it is free."
)
"""What to do where somebody else has a pin."""

Mark: TypeAlias = Literal["ok", "failed", "skipped"]


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at, or that people skipped; `todo` says what to do where it isn't well."""

    what: Say
    todo: Say | None = None
    skipped: bool = False

    @property
    def mark(self) -> Mark:
        """What stands before its line."""
        if self.skipped:
            return "skipped"
        return "ok" if self.todo is None else "failed"


def pin_holders() -> Mapping[int, str]:
    """The programs that have pins of this machine's header now, by the pins' numbers."""
    try:
        from hardware.gpio.gpiod_pins import holders

        return holders()
    except (ImportError, OSError):
        return {}


def own_python() -> str:
    """The Python of this program's own environment, as a shell takes it; empty: it is the system's."""
    return shlex.quote(sys.executable) if sys.prefix != sys.base_prefix else ""


class Machine(msgspec.Struct, frozen=True):
    """Where this machine's device files are, and what may be done with them.

    `labels` returns the name of each GPIO chip by its path, `holders` who has which pin of the header;
    `python` is that of the environment to install into, empty where there is none but the system's, and
    `sees_system` whether it has Debian's packages too; `kind` is its processor's.
    """

    labels: Callable[[], dict[str, str]]
    root: Path = Path("/")
    may_use: Callable[[Path], bool] = lambda path: os.access(path, os.R_OK | os.W_OK)
    has_package: Callable[[str], bool] = lambda name: find_spec(name) is not None
    holders: Callable[[], Mapping[int, str]] = pin_holders
    python: str = own_python()
    sees_system: bool = sys.prefix == sys.base_prefix or site.ENABLE_USER_SITE is not False
    kind: str = platform.machine()

    def at(self, path: str) -> Path:
        """Where a device file is here."""
        return self.root / path.lstrip("/")


def chip_labels() -> dict[str, str]:
    """The GPIO chips of this machine that may be opened; none where libgpiod is missing."""
    try:
        from hardware.gpio.gpiod_pins import chips
    except ImportError:
        return {}
    return {str(path): label for path, label in chips()}


def findings(wiring: Wiring, machine: Machine) -> Iterator[Finding]:
    """Everything that the wiring needs of the machine, in the order of the file."""
    sections, held = wiring.sections(), dict[int, str]()
    if any(section.pins for _, section in sections):
        yield _package(machine, "gpiod")
        yield _header(machine)
        held = dict(machine.holders())
    for key, section in sections:
        yield from _held(key, section, held)
        match section:
            case Keypad(port=str(port)):
                yield _file(
                    machine, key, port, "dialout", say("Plug this device in. A game can start without it.")
                )
            case Reader(spi=spi):
                yield _package(machine, "spidev", _driver(machine, "spidev"))
                yield _file(machine, key, spi, "spi", SPI_OFF[section.bus[0]])
            case Numpad(port=port):
                yield _package(machine, "evdev", _driver(machine, "evdev"))
                yield _numpad(machine, key, port)


def _held(key: str, section: Section, held: Mapping[int, str]) -> Iterator[Finding]:
    for pin in section.pins.values():
        program = held.get(int(pin))
        if program == CONSUMER:
            yield Finding(say("{key}: {pin} is in use by the running Companion", key=key, pin=str(pin)))
        elif program is not None:
            by = program or UNNAMED
            yield Finding(
                say("{key}: {pin} is in use by {program}", key=key, pin=str(pin), program=by), END_IT
            )


def _package(machine: Machine, name: str, todo: Say | None = None) -> Finding:
    what = say("package {name}", name=name)
    todo = todo or with_pip(machine, f"install {name}")
    return Finding(what, None if machine.has_package(name) else todo)


def _driver(machine: Machine, name: str) -> Say:
    """How evdev or spidev is installed: Debian's, or where this environment doesn't see that, PyPI's on a PC.

    For other processors PyPI has sources only, and a board has no compiler: set-up makes it again.
    """
    if machine.sees_system:
        return say("Run: sudo apt install {package}", package=f"python3-{name}")
    if machine.kind != PC:
        return SET_UP
    return with_pip(machine, "install evdev-binary" if name == "evdev" else f"install {name}")


def _header(machine: Machine) -> Finding:
    labels = machine.labels()
    for path, label in labels.items():
        if label in LABELS:
            return Finding(say("pins: {label} at {path}", label=label, path=path))
    closed = [path for path in sorted(machine.at("/dev").glob("gpiochip*")) if not machine.may_use(path)]
    if closed:
        return Finding(say("pins: no permission to open {path}", path=str(closed[0])), join("gpio"))
    what = say(
        "pins: not the pins of a Raspberry Pi; found: {labels}", labels=", ".join(labels.values()) or "-"
    )
    return Finding(what, say("On another computer, try the wiring with --simulate."))


def _file(machine: Machine, key: str, path: str, group: str, missing: Say) -> Finding:
    what = say("{key}: {path}", key=key, path=path)
    if not machine.at(path).exists():
        return Finding(what, missing)
    return Finding(what, None if machine.may_use(machine.at(path)) else join(group))


def _numpad(machine: Machine, key: str, port: str) -> Finding:
    what = say("{key}: {path}", key=key, path=port)
    for phys in sorted(machine.at("/sys/class/input").glob("event*/device/phys")):
        with contextlib.suppress(OSError):  # it went while one looked
            if port_of(phys.read_text("utf-8", "replace").strip()) == port_of(port):
                event = machine.at("/dev/input") / phys.parts[-3]
                return Finding(what, None if machine.may_use(event) else join("input"))
    return Finding(what, say("Plug this device in. A game can start without it."))


def with_pip(machine: Machine, *steps: str) -> Say:
    """How something is installed, from any shell; never into the system's Python (PEP 668)."""
    if not machine.python:
        return SET_UP
    return say("Run: {command}", command=" && ".join(f"{machine.python} -m pip {step}" for step in steps))


def join(group: str) -> Say:
    """How one gets the rights of a group."""
    return say("Join the group {group}: sudo usermod -aG {group} $USER, then log in again.", group=group)


def seat_of(section: Section) -> int | None:
    """Whose device it is; None: the table's."""
    seat: int | None = getattr(section, "seat", None)
    return seat
