"""Checks of computer, system, Python, groups, SPI, pins, date, power, heat, and the state directory."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from companion.files.regular_files import open_temporary_file
from companion.texts import Labelled, Say, say, say_list
from hardware.doctor.machine import ENABLE_SPI_ADVICE_BY_BUS, Computer, Finding, join_group_advice
from hardware.doctor.packages import installed_companion_distribution, is_version_allowed
from hardware.gpio.pin_claims import HEADER_CHIP_LABELS
from hardware.wiring import Wiring

SPI_ENABLED_PATTERN = re.compile(r"^\s*dtparam=(.*,)?spi(=on)?\s*(,|$)", re.MULTILINE)
BOOT_CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Configuration files that a Raspberry Pi reads at start-up; the second was used up to Debian 11."""
THROTTLING_TEXT_BY_BIT = (
    say("voltage too low"),
    say("processor speed limited"),
    say("processor slowed down"),
    say("too hot"),
)
"""The meaning of the first four bits of `get_throttled`, from the lowest.

The same bits 16 places higher count since start-up. From Raspberry Pi's documentation of vcgencmd.
"""
SINCE_START_SHIFT = 16
UNDERVOLTAGE_BITS = 1 | 1 << SINCE_START_SHIFT
HOT_PROCESSOR_DEGREES_CELSIUS = 80.0
"""Temperature in degrees Celsius from which a processor is hot.

From this temperature on, a Raspberry Pi lowers its clock.
"""
COOLING_ADVICE = say("Cool the computer: use a case with slits, a heat sink or a fan.")


def check_system(host: Computer, wiring: Wiring) -> Iterator[Finding]:
    """Checks the computer's system: the computer, its operating system, and this program's rights.

    Yields the findings.
    """
    yield _computer(host)
    yield _system(host)
    yield _python(host)
    yield from _groups(host, _needed_groups(host, wiring))
    yield _spi(host, wiring)
    if not _has_pins(wiring):  # else hardware.toml's own line says it
        yield _pins(host)
    yield _date(host)
    yield from _power_and_heat(host)


def _computer(host: Computer) -> Finding:
    if host.is_raspberry_pi:
        return Finding(say("computer: {model}", model=host.read_system_file("/proc/device-tree/model")))
    model = host.read_system_file("/proc/device-tree/model") or host.read_system_file(
        "/sys/class/dmi/id/product_name"
    )
    cpu = re.search(r"^model name\s*:\s*(.+)$", host.read_system_file("/proc/cpuinfo"), re.MULTILINE)
    named = model or (cpu[1] if cpu else "-")
    return Finding(say("computer: {model}, not a Raspberry Pi", model=named))


def _system(host: Computer) -> Finding:
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', host.read_system_file("/etc/os-release"), re.MULTILINE)
    what = say(
        "system: {name}, Linux {kernel}, {bits}-bit",
        name=name[1] if name else "-",
        kernel=host.read_system_file("/proc/sys/kernel/osrelease") or "-",
        bits=host.pointer_bits,
    )
    enough = host.pointer_bits == 64  # noqa: PLR2004 - the bits that Kivy's wheels are made for
    return Finding(
        what, None if enough else say("Install a 64-bit system: the touchscreen doesn't run on this one.")
    )


def _python(host: Computer) -> Finding:
    wanted = installed_companion_distribution(host).metadata["Requires-Python"]
    what = say("Python {version}", version=host.python_version)
    todo = say("Create the virtual environment again with Python {wanted}.", wanted=wanted)
    return Finding(what, None if is_version_allowed(host.python_version, wanted) else todo)


def _has_pins(wiring: Wiring) -> bool:
    return any(section.pins for _, section in wiring.sections_with_keys())


def _needed_groups(host: Computer, wiring: Wiring) -> Mapping[str, bool]:
    """Returns the groups that may open devices, and whether this table needs them."""
    return {
        "gpio": _has_pins(wiring),
        "spi": bool(wiring.reader),
        "dialout": bool(wiring.keypad),
        "input": bool(wiring.numpad) or host.is_raspberry_pi,
        "video": host.is_raspberry_pi,
        "render": host.is_raspberry_pi,
    }


def _groups(host: Computer, needed: Mapping[str, bool]) -> Iterator[Finding]:
    """Yields a finding for each group.

    A right counts only in a program that was started after it was given.
    """
    if host.user_id == 0:
        yield Finding(say("groups: root can open every device"))
        return
    lines = (line.split(":") for line in host.read_system_file("/etc/group").splitlines())
    known = {entry[0]: entry for entry in lines if len(entry) == 4}  # noqa: PLR2004 - the fields of group(5)
    for group, is_needed in needed.items():
        _, _, number, members = known.get(group, [group, "", "", ""])
        if number in host.group_ids:
            yield Finding(say("group {group}", group=group))
        elif not is_needed:
            yield Finding(say("group {group}: not joined, not needed here", group=group))
        elif host.user_name in members.split(","):
            what = say("group {group}: joined, but this takes effect at the next login", group=group)
            yield Finding(what, say("Log in again, or restart the machine."))
        else:
            yield Finding(say("group {group}: not joined", group=group), join_group_advice(group))


def _spi(host: Computer, wiring: Wiring) -> Finding:
    # A Raspberry Pi 5 has a spidev10.0 that leads to its start-up memory and to no pin.
    devices = [
        f"/dev/{path.name}" for path in sorted(host.machine.path_below_root("/dev").glob("spidev[01].[0-9]"))
    ]
    if devices:
        return Finding(say("SPI: {devices}", devices=", ".join(devices)))
    if not wiring.reader:
        return Finding(say("SPI: off, not needed here"))
    file = next(
        (file for file in BOOT_CONFIG_FILES if SPI_ENABLED_PATTERN.search(host.read_system_file(file))), None
    )
    if file:
        return Finding(say("SPI: off, but {file} switches it on", file=file), say("Restart the machine."))
    return Finding(say("SPI: off"), ENABLE_SPI_ADVICE_BY_BUS[0])


def _pins(host: Computer) -> Finding:
    labels = host.machine.read_chip_labels()
    header = next((path for path, label in labels.items() if label in HEADER_CHIP_LABELS), None)
    if header is not None:
        return Finding(say("pins: {label} at {path}", label=labels[header], path=header))
    return Finding(say("pins: none found, not needed here"))


def _date(host: Computer) -> Finding:
    now = host.now()
    shown = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    todo = say("Connect this machine to a network. Until then, games are saved without a date.")
    if now < host.built_at:
        return Finding(say("date: {date}, which is older than this program", date=shown), todo)
    if not host.is_time_known():
        return Finding(say("date: {date}, not confirmed by a time server", date=shown), todo)
    return Finding(say("date: {date}", date=shown))


def _power_and_heat(host: Computer) -> Iterator[Finding]:
    """Yields power and heat as the firmware of a Raspberry Pi and the kernel report them."""
    yield _power(host)
    if temperature := host.read_system_file("/sys/class/thermal/thermal_zone0/temp"):
        yield _heat(int(temperature) / 1000)


def _power(host: Computer) -> Finding:
    bits = _throttling_bits(host)
    if bits is None:
        return Finding(say("power: this computer doesn't report its voltage"))
    now, since = _throttling_texts(bits), _throttling_texts(bits >> SINCE_START_SHIFT)
    if not now and not since:
        return Finding(say("power: the voltage is fine, and the processor runs at full speed"))
    fine: list[Labelled] = [say("no trouble")]
    what = say(
        "power: {now} now; since start-up: {since}",
        now=say_list(now or fine),
        since=say_list(since or fine),
    )
    if bits & UNDERVOLTAGE_BITS:
        return Finding(
            what, say("Use the power supply made for this computer, with a short and thick cable.")
        )
    return Finding(what, COOLING_ADVICE)


def _heat(degrees: float) -> Finding:
    what = say("temperature: {degrees} °C", degrees=f"{degrees:.0f}")
    return Finding(what, None if degrees < HOT_PROCESSOR_DEGREES_CELSIUS else COOLING_ADVICE)


def _throttling_bits(host: Computer) -> int | None:
    """Returns the bits of `get_throttled`.

    vcgencmd is asked first: reading the file resets what has been since start-up.
    """
    said = re.search(r"throttled=0x([0-9a-f]+)", host.throttling_report())
    if said:
        return int(said[1], 16)
    for path in sorted(host.machine.root.glob("sys/devices/platform/soc*/*firmware/get_throttled")):
        return int(path.read_text().strip(), 16)
    return None


def _throttling_texts(bits: int) -> list[Say]:
    return [trouble for at, trouble in enumerate(THROTTLING_TEXT_BY_BIT) if bits >> at & 1]


MIN_FREE_DISK_MEGABYTES = 100
"""Minimum free disk space; an evening needs less than one megabyte."""
SAMPLE_LOG_EVENT = b"x" * 143
"""Test data as long as a usual event of a game."""
MAX_MEASURED_COMMITS = 20
MAX_COMMIT_MEASURING_SECONDS = 1.0
"""Time limit for measuring commits; a slow memory card is known by then."""
SLOW_COMMIT_SECONDS = 0.1
"""Seconds from which a commit is slow.

From this time on, people notice the delay of a commit at every touch.
"""
MEMORY_FILE_SYSTEMS = ("tmpfs", "ramfs")
FILE_SYSTEMS_WITHOUT_OWNERS = ("vfat", "exfat", "msdos")
OVERLAY_MOUNT_SOURCE = "overlayroot"
"""Mount source of the file system in memory, in Raspberry Pi's read-only mode."""


def check_state_directory(host: Computer) -> Iterator[Finding]:
    """Checks the state directory, where games are saved.

    Yields the findings. If the directory doesn't exist yet, they are about the folder that it will be in.
    """
    folder = _existing_folder(host.state_directory)
    yield _check_file_system(host, folder)
    yield _check_free_space(folder)
    yield _check_commit_time(host, folder)


def _existing_folder(state: Path) -> Path:
    return next(folder for folder in (state.absolute(), *state.absolute().parents) if folder.is_dir())


def _check_file_system(host: Computer, folder: Path) -> Finding:
    what = say("state directory: {folder}", folder=str(host.state_directory))
    mounts = (line.split() for line in host.read_system_file("/proc/self/mounts").splitlines())
    below = [mount for mount in mounts if len(mount) > 3 and folder.resolve().is_relative_to(mount[1])]  # noqa: PLR2004 - source, place, kind, options
    if not below:
        return Finding(what)
    source, _, kind, options, *_ = max(below, key=lambda mount: len(mount[1]))
    if kind in MEMORY_FILE_SYSTEMS or source == OVERLAY_MOUNT_SOURCE:
        return Finding(
            what,
            say(
                "This directory is in memory, so games are lost when the power goes off. Choose another "
                "directory with COMPANION_STATE."
            ),
        )
    if kind in FILE_SYSTEMS_WITHOUT_OWNERS and "mask=0077" not in options:
        return Finding(
            what,
            say(
                "The file system of this directory doesn't record who owns a file. Use a file system that "
                "does, such as ext4."
            ),
        )
    return Finding(what)


def _check_free_space(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free // 1_000_000
    what = say("free space: {free} MB", free=free)
    return Finding(
        what,
        None if free >= MIN_FREE_DISK_MEGABYTES else say("Free some space, or use a larger memory card."),
    )


def _check_commit_time(host: Computer, folder: Path) -> Finding:
    """Measures how long it takes until an event is on the disk, several times; the file is removed."""
    try:
        with open_temporary_file(folder) as (_, opened):
            took = [_commit(host, opened.fileno())]
            while len(took) < MAX_MEASURED_COMMITS and sum(took) < MAX_COMMIT_MEASURING_SECONDS:
                took.append(_commit(host, opened.fileno()))
    except OSError as error:
        todo = say(
            "Nothing can be saved in this directory. Make this user the owner of the directory, or choose "
            "another directory with COMPANION_STATE."
        )
        return Finding(say("saving: {why}", why=error.strerror or str(error)), todo)
    what = say(
        "saving: an answer usually takes {usual} ms, and at most {most} ms",
        usual=_ms(median(took)),
        most=_ms(max(took)),
    )
    return Finding(
        what,
        None
        if median(took) < SLOW_COMMIT_SECONDS
        else say("Use a faster memory card (class A1 or A2), or an SSD."),
    )


def _commit(host: Computer, opened: int) -> float:
    begun = host.monotonic_seconds()
    os.write(opened, SAMPLE_LOG_EVENT)
    os.fsync(opened)
    return host.monotonic_seconds() - begun


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
