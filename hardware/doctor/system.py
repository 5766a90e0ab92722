"""Computer, system, Python, groups, SPI, pins, the date, power and heat."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping

from companion.texts import Labelled, Say, say, say_list
from hardware.doctor.computer import Computer
from hardware.doctor.machine import SPI_OFF, Finding, join
from hardware.doctor.packages import fits, own
from hardware.gpio.chips import LABELS
from hardware.wiring import Wiring

SPI_IS_ON = re.compile(r"^\s*dtparam=(.*,)?spi(=on)?\s*(,|$)", re.MULTILINE)
BOOT_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Where a Raspberry Pi is told what to switch on; the second up to Debian 11."""
TROUBLES = (
    say("voltage too low"),
    say("processor speed limited"),
    say("processor slowed down"),
    say("too hot"),
)
"""What the first four bits of `get_throttled` mean, from the lowest; 16 bits up: since the start.

From Raspberry Pi's documentation of vcgencmd.
"""
SINCE_THE_START = 16
UNDERVOLTAGE = 1 | 1 << SINCE_THE_START
HOT = 80.0
"""Degrees Celsius at which a Raspberry Pi begins to hold its clock down."""
COOL = say("Cool the computer: use a case with slits, a heat sink or a fan.")


def findings(host: Computer, wiring: Wiring) -> Iterator[Finding]:
    """All of them, in this order."""
    yield _computer(host)
    yield _system(host)
    yield _python(host)
    yield from _groups(host, _needed(host, wiring))
    yield _spi(host, wiring)
    if not _has_pins(wiring):  # else hardware.toml's own line says it
        yield _pins(host)
    yield _date(host)
    yield from _power_and_heat(host)


def _computer(host: Computer) -> Finding:
    if host.is_pi:
        return Finding(say("computer: {model}", model=host.read("/proc/device-tree/model")))
    model = host.read("/proc/device-tree/model") or host.read("/sys/class/dmi/id/product_name")
    cpu = re.search(r"^model name\s*:\s*(.+)$", host.read("/proc/cpuinfo"), re.MULTILINE)
    named = model or (cpu[1] if cpu else "-")
    return Finding(say("computer: {model}, not a Raspberry Pi", model=named))


def _system(host: Computer) -> Finding:
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', host.read("/etc/os-release"), re.MULTILINE)
    what = say(
        "system: {name}, Linux {kernel}, {bits}-bit",
        name=name[1] if name else "-",
        kernel=host.read("/proc/sys/kernel/osrelease") or "-",
        bits=host.bits,
    )
    enough = host.bits == 64  # noqa: PLR2004 - the bits that Kivy's wheels are made for
    return Finding(
        what, None if enough else say("Install a 64-bit system: the touchscreen doesn't run on this one.")
    )


def _python(host: Computer) -> Finding:
    wanted = own(host).metadata["Requires-Python"]
    what = say("Python {version}", version=host.python)
    todo = say("Create the virtual environment again with Python {wanted}.", wanted=wanted)
    return Finding(what, None if fits(host.python, wanted) else todo)


def _has_pins(wiring: Wiring) -> bool:
    return any(section.pins for _, section in wiring.sections())


def _needed(host: Computer, wiring: Wiring) -> Mapping[str, bool]:
    """The groups that open the devices, and whether this table needs them."""
    return {
        "gpio": _has_pins(wiring),
        "spi": bool(wiring.reader),
        "dialout": bool(wiring.keypad),
        "input": bool(wiring.numpad) or host.is_pi,
        "video": host.is_pi,
        "render": host.is_pi,
    }


def _groups(host: Computer, needed: Mapping[str, bool]) -> Iterator[Finding]:
    """A right counts only in a program that was started after it was given."""
    if host.user == 0:
        yield Finding(say("groups: root can open every device"))
        return
    lines = (line.split(":") for line in host.read("/etc/group").splitlines())
    known = {entry[0]: entry for entry in lines if len(entry) == 4}  # noqa: PLR2004 - the fields of group(5)
    for group, is_needed in needed.items():
        _, _, number, members = known.get(group, [group, "", "", ""])
        if number in host.groups:
            yield Finding(say("group {group}", group=group))
        elif not is_needed:
            yield Finding(say("group {group}: not joined, not needed here", group=group))
        elif host.user_name in members.split(","):
            what = say("group {group}: joined, but this takes effect at the next login", group=group)
            yield Finding(what, say("Log in again, or restart the machine."))
        else:
            yield Finding(say("group {group}: not joined", group=group), join(group))


def _spi(host: Computer, wiring: Wiring) -> Finding:
    # A Raspberry Pi 5 has a spidev10.0 that leads to its start-up memory and to no pin.
    devices = [f"/dev/{path.name}" for path in sorted(host.machine.at("/dev").glob("spidev[01].[0-9]"))]
    if devices:
        return Finding(say("SPI: {devices}", devices=", ".join(devices)))
    if not wiring.reader:
        return Finding(say("SPI: off, not needed here"))
    file = next((file for file in BOOT_FILES if SPI_IS_ON.search(host.read(file))), None)
    if file:
        return Finding(say("SPI: off, but {file} switches it on", file=file), say("Restart the machine."))
    return Finding(say("SPI: off"), SPI_OFF[0])


def _pins(host: Computer) -> Finding:
    labels = host.machine.labels()
    header = next((path for path, label in labels.items() if label in LABELS), None)
    if header is not None:
        return Finding(say("pins: {label} at {path}", label=labels[header], path=header))
    return Finding(say("pins: none found, not needed here"))


def _date(host: Computer) -> Finding:
    now = host.now()
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    todo = say("Connect this machine to a network. Until then, games are saved without a date.")
    if now < host.built:
        return Finding(say("date: {date}, which is older than this program", date=shown), todo)
    if not host.is_told():
        return Finding(say("date: {date}, not confirmed by a time server", date=shown), todo)
    return Finding(say("date: {date}", date=shown))


def _power_and_heat(host: Computer) -> Iterator[Finding]:
    """As the firmware of a Raspberry Pi and the kernel tell them."""
    yield _power(host)
    if temperature := host.read("/sys/class/thermal/thermal_zone0/temp"):
        yield _heat(int(temperature) / 1000)


def _power(host: Computer) -> Finding:
    bits = _bits(host)
    if bits is None:
        return Finding(say("power: this computer doesn't report its voltage"))
    now, since = _troubles(bits), _troubles(bits >> SINCE_THE_START)
    if not now and not since:
        return Finding(say("power: the voltage is fine, and the processor runs at full speed"))
    fine: list[Labelled] = [say("no trouble")]
    what = say(
        "power: {now} now; since start-up: {since}",
        now=say_list(now or fine),
        since=say_list(since or fine),
    )
    if bits & UNDERVOLTAGE:
        return Finding(
            what, say("Use the power supply made for this computer, with a short and thick cable.")
        )
    return Finding(what, COOL)


def _heat(degrees: float) -> Finding:
    what = say("temperature: {degrees} °C", degrees=f"{degrees:.0f}")
    return Finding(what, None if degrees < HOT else COOL)


def _bits(host: Computer) -> int | None:
    """Asking by vcgencmd comes first: to read the file forgets what has been since the start."""
    said = re.search(r"throttled=0x([0-9a-f]+)", host.firmware())
    if said:
        return int(said[1], 16)
    for path in sorted(host.machine.root.glob("sys/devices/platform/soc*/*firmware/get_throttled")):
        return int(path.read_text().strip(), 16)
    return None


def _troubles(bits: int) -> list[Say]:
    return [trouble for at, trouble in enumerate(TROUBLES) if bits >> at & 1]
