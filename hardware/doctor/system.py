"""Checks of computer, system, Python, groups, SPI, pins, date, sound, power, heat, state directory, packages.

Of packages it checks the versions, names that two packages claim, and the languages that they contain.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distributions
from itertools import zip_longest
from pathlib import Path
from statistics import median

from companion import languages
from companion.distribution import DISTRIBUTION_NAME
from companion.files.regular_files import open_temporary_file
from companion.languages import Language
from companion.texts import Labelled, Say, say, say_list, say_n
from hardware.doctor.machine import (
    ENABLE_SPI_ADVICE_BY_BUS,
    Computer,
    Finding,
    Machine,
    join_group_advice,
    pip_advice,
)
from hardware.gpio.pin_claims import HEADER_CHIP_LABELS
from hardware.wiring import Wiring

SPI_ENABLED_PATTERN = re.compile(r"^\s*dtparam=(.*,)?spi(=on)?\s*(,|$)", re.MULTILINE)
SOUND_CARD_PATTERN = re.compile(r"^ *\d+ \[.*\]: (.+)$", re.MULTILINE)
BOOT_CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Configuration files that a Raspberry Pi reads at start-up; the second was used up to Debian 11."""
THROTTLING_TEXT_BY_BIT = (
    say("voltage too low"),
    say("processor speed limited"),
    say("processor slowed down"),
    say("too hot"),
)
"""The meaning of the lowest four bits of `get_throttled`, from the lowest.

The bits 16 places higher mean that since start-up. From Raspberry Pi's documentation of vcgencmd.
"""
SINCE_START_SHIFT = 16
UNDERVOLTAGE_BITS = 1 | 1 << SINCE_START_SHIFT
HOT_PROCESSOR_DEGREES_CELSIUS = 80.0
"""Temperature from which a processor is hot; a Raspberry Pi lowers its clock from there on."""
COOLING_ADVICE = say("Cool the computer: use a case with slits, a heat sink or a fan.")


def check_system(host: Computer, wiring: Wiring) -> Iterator[Finding]:
    """Checks the computer, its operating system and this program's rights, and yields the findings."""
    yield _check_computer(host)
    yield _check_operating_system(host)
    yield _check_python(host)
    yield from _check_groups(host, _needed_groups(host, wiring))
    yield _check_spi(host, wiring)
    if not _uses_pins(wiring):  # otherwise the check of the wiring has a finding about the pins
        yield _check_pins(host)
    yield _check_date(host)
    yield _check_sound(host)
    yield from _check_power_and_heat(host)


def _check_computer(host: Computer) -> Finding:
    board = host.read_system_file("/proc/device-tree/model")
    if host.is_raspberry_pi:
        return Finding(say("computer: {model}", model=board))
    model = board or host.read_system_file("/sys/class/dmi/id/product_name")
    processor = re.search(r"^model name\s*:\s*(.+)$", host.read_system_file("/proc/cpuinfo"), re.MULTILINE)
    name = model or (processor[1] if processor else "-")
    return Finding(say("computer: {model}, not a Raspberry Pi", model=name), is_information=True)


def _check_operating_system(host: Computer) -> Finding:
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', host.read_system_file("/etc/os-release"), re.MULTILINE)
    subject = say(
        "system: {name}, Linux {kernel}, {bits}-bit",
        name=name[1] if name else "-",
        kernel=host.read_system_file("/proc/sys/kernel/osrelease") or "-",
        bits=host.pointer_bits,
    )
    is_64_bit = host.pointer_bits == 64  # noqa: PLR2004 - the bits that Kivy's wheels are made for
    return Finding(
        subject,
        None if is_64_bit else say("Install a 64-bit system: the touchscreen doesn't run on this one."),
    )


def _check_python(host: Computer) -> Finding:
    requirement = installed_companion_distribution(host).metadata["Requires-Python"]
    subject = say("Python {version}", version=host.python_version)
    advice = say("Create the virtual environment again with Python {wanted}.", wanted=requirement)
    return Finding(subject, None if is_version_allowed(host.python_version, requirement) else advice)


def _uses_pins(wiring: Wiring) -> bool:
    return any(section.pins for _, section in wiring.sections_with_keys())


def _needed_groups(host: Computer, wiring: Wiring) -> Mapping[str, bool]:
    """Returns the groups that may open devices, and whether the wiring or the screen needs each."""
    return {
        "gpio": _uses_pins(wiring),
        "spi": bool(wiring.reader),
        "dialout": bool(wiring.keypad),
        "input": bool(wiring.numpad) or host.is_raspberry_pi,
        "video": host.is_raspberry_pi,
        "render": host.is_raspberry_pi,
    }


def _check_groups(host: Computer, is_needed_by_group: Mapping[str, bool]) -> Iterator[Finding]:
    """Yields a finding for each group.

    Joining a group takes effect only in programs that start after the next login.
    """
    if host.user_id == 0:
        yield Finding(say("groups: root can open every device"))
        return
    lines = (line.split(":") for line in host.read_system_file("/etc/group").splitlines())
    entry_by_group = {entry[0]: entry for entry in lines if len(entry) == 4}  # noqa: PLR2004 - the fields of group(5)
    for group, is_needed in is_needed_by_group.items():
        _, _, group_id, members = entry_by_group.get(group, [group, "", "", ""])
        if group_id in host.group_ids:
            yield Finding(say("group {group}", group=group))
        elif not is_needed:
            yield Finding(say("group {group}: not joined, not needed here", group=group))
        elif host.user_name in members.split(","):
            subject = say("group {group}: joined, but this takes effect at the next login", group=group)
            yield Finding(subject, say("Log in again, or restart the machine."))
        else:
            yield Finding(say("group {group}: not joined", group=group), join_group_advice(group))


def _check_spi(host: Computer, wiring: Wiring) -> Finding:
    # A Raspberry Pi 5 has a spidev10.0 that leads to its start-up memory and to no pin.
    devices = [
        f"/dev/{path.name}" for path in sorted(host.machine.path_below_root("/dev").glob("spidev[01].[0-9]"))
    ]
    if devices:
        return Finding(say("SPI: {devices}", devices=", ".join(devices)))
    if not wiring.reader:
        return Finding(say("SPI: off, not needed here"))
    for file in BOOT_CONFIG_FILES:
        if SPI_ENABLED_PATTERN.search(host.read_system_file(file)):
            return Finding(say("SPI: off, but {file} switches it on", file=file), say("Restart the machine."))
    return Finding(say("SPI: off"), ENABLE_SPI_ADVICE_BY_BUS[0])


def _check_pins(host: Computer) -> Finding:
    labels = host.machine.read_chip_labels()
    header_path = next((path for path, label in labels.items() if label in HEADER_CHIP_LABELS), None)
    if header_path is not None:
        return Finding(say("pins: {label} at {path}", label=labels[header_path], path=header_path))
    return Finding(say("pins: none found, not needed here"))


def _check_sound(host: Computer) -> Finding:
    """Returns the sound cards; a table without one is in order, and silent."""
    cards = SOUND_CARD_PATTERN.findall(host.read_system_file("/proc/asound/cards"))
    if not cards:
        return Finding(say("sound: no sound card, so the touchscreen is silent"))
    return Finding(say("sound: {cards}", cards=say_list(cards)))


def _check_date(host: Computer) -> Finding:
    now = host.now()
    date = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    advice = say("Connect this machine to a network. Until then, games are saved without a date.")
    if now < host.built_at:
        return Finding(say("date: {date}, which is older than this program", date=date), advice)
    if not host.is_time_known():
        return Finding(say("date: {date}, not confirmed by a time server", date=date), advice)
    return Finding(say("date: {date}", date=date))


def _check_power_and_heat(host: Computer) -> Iterator[Finding]:
    """Yields findings about power and heat, as a Raspberry Pi's firmware and the kernel report them."""
    yield _check_power(host)
    temperature = host.read_system_file("/sys/class/thermal/thermal_zone0/temp")
    if re.fullmatch(r"-?[0-9]+", temperature):
        yield _check_heat(int(temperature) / 1000)


def _check_power(host: Computer) -> Finding:
    bits = _throttling_bits(host)
    if bits is None:
        return Finding(say("power: this computer doesn't report its voltage"))
    current_troubles, earlier_troubles = _throttling_texts(bits), _throttling_texts(bits >> SINCE_START_SHIFT)
    if not current_troubles and not earlier_troubles:
        return Finding(say("power: the voltage is fine, and the processor runs at full speed"))
    no_trouble: list[Labelled] = [say("no trouble")]
    subject = say(
        "power: {now} now; since start-up: {since}",
        now=say_list(current_troubles or no_trouble),
        since=say_list(earlier_troubles or no_trouble),
    )
    if bits & UNDERVOLTAGE_BITS:
        return Finding(
            subject, say("Use the power supply made for this computer, with a short and thick cable.")
        )
    return Finding(subject, COOLING_ADVICE)


def _check_heat(degrees: float) -> Finding:
    subject = say("temperature: {degrees} °C", degrees=f"{degrees:.0f}")
    return Finding(subject, None if degrees < HOT_PROCESSOR_DEGREES_CELSIUS else COOLING_ADVICE)


def _throttling_bits(host: Computer) -> int | None:
    """Returns the bits of `get_throttled`; None if the computer has none, or if they can't be read.

    vcgencmd is asked first: reading the file resets the bits since start-up.
    """
    match = re.search(r"throttled=0x([0-9a-f]+)", host.throttling_report())
    if match:
        return int(match[1], 16)
    for path in sorted(host.machine.root.glob("sys/devices/platform/soc*/*firmware/get_throttled")):
        bits = host.read_system_file(str(path.relative_to(host.machine.root)))
        if re.fullmatch(r"[0-9a-f]+", bits):
            return int(bits, 16)
    return None


def _throttling_texts(bits: int) -> list[Say]:
    return [text for bit, text in enumerate(THROTTLING_TEXT_BY_BIT) if bits >> bit & 1]


MIN_FREE_DISK_MEGABYTES = 100
"""Minimum free disk space; an evening needs less than one megabyte."""
SAMPLE_LOG_EVENT = b"x" * 143
"""Test data as long as a usual event of a game."""
MAX_MEASURED_COMMITS = 20
MAX_COMMIT_MEASURING_SECONDS = 1.0
"""Time limit for measuring commits; a slow memory card is known by then."""
SLOW_COMMIT_SECONDS = 0.1
"""Duration from which a commit is slow: people notice the delay at every touch."""
MEMORY_FILE_SYSTEMS = ("tmpfs", "ramfs")
FILE_SYSTEMS_WITHOUT_OWNERS = ("vfat", "exfat", "msdos")
OVERLAY_MOUNT_SOURCE = "overlayroot"
"""Mount source of the file system in memory, in Raspberry Pi's read-only mode."""


def check_state_directory(host: Computer) -> Iterator[Finding]:
    """Checks the state directory, where games are saved, and yields the findings.

    If the directory doesn't exist yet, the findings are about the folder that it will be in.
    """
    folder = _first_existing_folder(host.state_directory)
    yield _check_file_system(host, folder)
    yield _check_free_space(folder)
    yield _check_commit_time(host, folder)


def _first_existing_folder(directory: Path) -> Path:
    return next(folder for folder in (directory.absolute(), *directory.absolute().parents) if folder.is_dir())


def _check_file_system(host: Computer, folder: Path) -> Finding:
    subject = say("state directory: {folder}", folder=str(host.state_directory))
    mounts = (line.split() for line in host.read_system_file("/proc/self/mounts").splitlines())
    complete = (mount for mount in mounts if len(mount) > 3)  # noqa: PLR2004 - source, place, type, options
    target = folder.resolve()
    containing = [mount for mount in complete if target.is_relative_to(_decode_mount_point(mount[1]))]
    if not containing:
        return Finding(subject)
    source, _, type_, options, *_ = max(containing, key=lambda mount: len(mount[1]))
    if type_ in MEMORY_FILE_SYSTEMS or source == OVERLAY_MOUNT_SOURCE:
        return Finding(
            subject,
            say(
                "This directory is in memory, so games are lost when the power goes off. Choose another "
                "directory with COMPANION_STATE."
            ),
        )
    if type_ in FILE_SYSTEMS_WITHOUT_OWNERS and "mask=0077" not in options:
        return Finding(
            subject,
            say(
                "The file system of this directory doesn't record who owns a file. Use a file system that "
                "does, such as ext4."
            ),
        )
    return Finding(subject)


def _decode_mount_point(text: str) -> str:
    r"""Returns a mount point as it is called; the kernel writes a space in it as `\040` (proc_mounts(5))."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)


def _check_free_space(folder: Path) -> Finding:
    free_megabytes = shutil.disk_usage(folder).free // 1_000_000
    subject = say("free space: {free} MB", free=free_megabytes)
    return Finding(
        subject,
        None
        if free_megabytes >= MIN_FREE_DISK_MEGABYTES
        else say("Free some space, or use a larger memory card."),
    )


def _check_commit_time(host: Computer, folder: Path) -> Finding:
    """Measures several times how long it takes until an event is on the disk; removes the file."""
    try:
        with open_temporary_file(folder) as (_, file):
            durations = [_measure_commit(host, file.fileno())]
            while len(durations) < MAX_MEASURED_COMMITS and sum(durations) < MAX_COMMIT_MEASURING_SECONDS:
                durations.append(_measure_commit(host, file.fileno()))
    except OSError as error:
        advice = say(
            "Nothing can be saved in this directory. Make this user the owner of the directory, or choose "
            "another directory with COMPANION_STATE."
        )
        return Finding(say("saving: {why}", why=error.strerror or str(error)), advice)
    subject = say(
        "saving: an answer usually takes {usual} ms, and at most {most} ms",
        usual=_format_milliseconds(median(durations)),
        most=_format_milliseconds(max(durations)),
    )
    return Finding(
        subject,
        None
        if median(durations) < SLOW_COMMIT_SECONDS
        else say("Use a faster memory card (class A1 or A2), or an SSD."),
    )


def _measure_commit(host: Computer, file_number: int) -> float:
    started = host.monotonic_seconds()
    os.write(file_number, SAMPLE_LOG_EVENT)
    os.fsync(file_number)
    return host.monotonic_seconds() - started


def _format_milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"


# Packages


REQUIREMENT_PATTERN = re.compile(r"([A-Za-z0-9._-]+)\s*([^;]*)(?:;.*extra == [\"'](\w+)[\"'])?")
DEVICE_TYPE_BY_EXTRA: Mapping[str, str] = {"rfid": "reader"}
"""The device type in hardware.toml that needs a package extra.

Number pads have none: evdev comes under several names, so the check of each pad tries to find the module.
"""
READER_MODULE, READER_REQUIREMENT = "mfrc522", "mfrc522==0.0.7"
"""The module that several packages contain, and the package it must come from, for pip."""


def check_packages(host: Computer, wiring: Wiring) -> Iterator[Finding]:
    """Yields findings about the versions of installed packages and the package of the reader's module."""
    # After an interrupted installation a distribution can be without a name.
    named = [
        distribution
        for distribution in distributions(path=list(host.package_folders))
        if "Name" in distribution.metadata
    ]
    # The first distribution that Python finds is the one it imports.
    distribution_by_name = {
        _normalize_package_name(distribution.metadata["Name"]): distribution
        for distribution in reversed(named)
    }
    companion = installed_companion_distribution(host)
    versions = {_normalize_package_name(companion.metadata["Name"]): companion.version}
    for requirement in companion.requires or ():
        if _is_requirement_needed(requirement, wiring):
            name, version_range = _parse_requirement(requirement)
            installed = distribution_by_name.get(name)
            if installed is not None:
                versions[name] = installed.version
            yield from _check_version(host.machine, name, version_range, installed)
    versions_text = ", ".join(f"{name} {version}" for name, version in versions.items())
    yield Finding(say("packages: {versions}", versions=versions_text))
    yield _check_module_owner(host.machine, named, is_needed=bool(wiring.reader))


def installed_companion_distribution(host: Computer) -> Distribution:
    """Returns the installed Companion distribution."""
    return next(iter(distributions(name=DISTRIBUTION_NAME, path=list(host.package_folders))))


def is_version_allowed(version: str, requirement: str) -> bool:
    """Returns whether a version fits a requirement such as `>=3.11,<3.14`."""
    return all(_satisfies(version, bound.strip()) for bound in requirement.split(",") if bound.strip())


def _satisfies(version: str, bound: str) -> bool:
    operator, bound_version = re.fullmatch(r"([<>=!~]*)\s*(.*)", bound).groups()  # type: ignore[union-attr]  # it matches anything
    pairs = list(zip_longest(_numbers(version), _numbers(bound_version), fillvalue=0))
    installed_numbers, bound_numbers = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    match operator:
        case ">=":
            return installed_numbers >= bound_numbers
        case "<":
            return installed_numbers < bound_numbers
        case "==":
            return installed_numbers == bound_numbers
    return True  # a sign that none of our packages uses


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _normalize_package_name(name: str) -> str:
    """Returns a package name in the spelling that is equal for all spellings of the name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _parse_requirement(requirement: str) -> tuple[str, str]:
    name, version_range, _ = REQUIREMENT_PATTERN.match(requirement).groups()  # type: ignore[union-attr]  # each begins with a name
    return _normalize_package_name(name), version_range.strip()


def _is_requirement_needed(requirement: str, wiring: Wiring) -> bool:
    extra = REQUIREMENT_PATTERN.match(requirement)[3]  # type: ignore[index]  # each begins with a name
    return extra is None or bool(getattr(wiring, DEVICE_TYPE_BY_EXTRA.get(extra, ""), ()))


def _check_version(
    machine: Machine, name: str, version_range: str, installed: Distribution | None
) -> Iterator[Finding]:
    if installed is None:
        yield Finding(say("package {name}", name=name), pip_advice(machine, f"install {name}"))
    elif not is_version_allowed(installed.version, version_range):
        subject = say("package {name} {version}", name=name, version=installed.version)
        yield Finding(subject, pip_advice(machine, f"install '{name}{version_range}'"))


def _check_module_owner(machine: Machine, installed: list[Distribution], *, is_needed: bool) -> Finding:
    """Checks which package the reader's module comes from.

    Pip lets two packages write the same files: the last one owns them. Only packages in the first folder
    that Python searches matter, because they hide all others.
    """
    candidates = [package for package in installed if _has_module(package, READER_MODULE)]
    version_by_owner = {
        package.metadata["Name"]: package.version
        for package in candidates
        if _install_folder(package) == _install_folder(candidates[0])
    }
    wrong_owners = [owner for owner in version_by_owner if _normalize_package_name(owner) != READER_MODULE]
    owners_text = ", ".join(f"{owner} {version}" for owner, version in version_by_owner.items())
    if not version_by_owner:
        subject = say("import {name}: this module doesn't come from a package", name=READER_MODULE)
    else:
        subject = say(
            "import {name}: this module comes from {owners}", name=READER_MODULE, owners=owners_text
        )
    if not is_needed or (version_by_owner and not wrong_owners):
        return Finding(subject)
    uninstall_commands = [f"uninstall -y {' '.join(wrong_owners)}"] if wrong_owners else []
    install_command = f"install --force-reinstall --no-deps {READER_REQUIREMENT}"
    return Finding(subject, pip_advice(machine, *uninstall_commands, install_command))


def _install_folder(package: Distribution) -> str:
    """Returns the folder that a package is installed in."""
    return str(package.locate_file(""))


def _has_module(package: Distribution, name: str) -> bool:
    """Returns whether a package contains a module, by its list of top-level names or of files.

    Debian's packages keep only the list of names.
    """
    top_level_names = (package.read_text("top_level.txt") or "").split()
    return name in top_level_names or any(file.parts[0] == name for file in package.files or ())


# Languages


TRANSLATION_ADVICE = say("Tell the translators, or update or remove the package.")


def check_translations() -> Iterator[Finding]:
    """Yields a finding about all languages, and one about each incomplete or broken translation."""
    known_languages = languages.languages().values()
    names = ", ".join(f"{language.name} ({language.code})" for language in known_languages)
    yield Finding(say("languages: {names}", names=names))
    for language in known_languages:
        yield from _check_language(language)
    for code, why in languages.broken_languages().items():
        yield _language_fault(code, why)


def _check_language(language: Language) -> Iterator[Finding]:
    if missing := len(languages.untranslated_texts(language)):
        yield Finding(
            say_n(
                "language {code}: {n} text is not translated and stays English",
                "language {code}: {n} texts are not translated and stay English",
                n=missing,
                code=language.code,
            )
        )
    for file in language.catalogue_paths:
        for fault in languages.read_catalogue(file).faults:
            yield _language_fault(language.code, f"{file.name}: {fault}")


def _language_fault(code: str, why: str) -> Finding:
    return Finding(say("language {code}: {why}", code=code, why=why), TRANSLATION_ADVICE)
