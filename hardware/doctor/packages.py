"""The packages that are installed: versions, and to whom the names belong that two packages claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.metadata import Distribution, distributions
from itertools import zip_longest

from companion.distribution import DISTRIBUTION_NAME
from companion.texts import say
from hardware.doctor.computer import Computer
from hardware.doctor.machine import Finding, Machine, with_pip
from hardware.wiring import Wiring

REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*([^;]*)(?:;.*extra == [\"'](\w+)[\"'])?")
EXTRAS: Mapping[str, str] = {"rfid": "reader"}
"""What is installed for some devices only, with their kind in hardware.toml.

Not number pads': evdev comes by several names, so that it can be imported is looked at beside each pad.
"""
SHARED, WANTED = "mfrc522", "mfrc522==0.0.7"
"""The name that several packages bring, and whose it must be, for pip."""


def findings(host: Computer, wiring: Wiring) -> Iterator[Finding]:
    """Versions, and whose the reader's package is."""
    everything = list(distributions(path=list(host.packages)))
    # The first that Python finds is the one it imports.
    there = {_plain(each.metadata["Name"]): each for each in reversed(everything)}
    wanted = [requirement for requirement in own(host).requires or () if _applies(requirement, wiring)]
    versions = {_plain(own(host).metadata["Name"]): own(host).version}
    for requirement in wanted:
        name, wish = _read(requirement)
        versions |= {name: there[name].version} if name in there else {}
        yield from _misfit(host.machine, name, wish, there.get(name))
    yield Finding(
        say("packages: {versions}", versions=", ".join(f"{name} {at}" for name, at in versions.items()))
    )
    yield _owner(host.machine, everything, is_needed=bool(wiring.reader))


def own(host: Computer) -> Distribution:
    """The companion as it is installed."""
    return next(iter(distributions(name=DISTRIBUTION_NAME, path=list(host.packages))))


def fits(version: str, wish: str) -> bool:
    """Whether a version is one of those wished for, such as `>=3.11,<3.14`."""
    return all(_compared(version, each.strip()) for each in wish.split(",") if each.strip())


def _compared(version: str, wish: str) -> bool:
    sign, wanted = re.fullmatch(r"([<>=!~]*)\s*(.*)", wish).groups()  # type: ignore[union-attr]  # it matches anything
    pairs = list(zip_longest(_numbers(version), _numbers(wanted), fillvalue=0))
    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    match sign:
        case ">=":
            return one >= other
        case "<":
            return one < other
        case "==":
            return one == other
    return True  # a sign that none of our packages uses


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def _plain(name: str) -> str:
    """A name as all its spellings have it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _read(requirement: str) -> tuple[str, str]:
    name, wish, _ = REQUIREMENT.match(requirement).groups()  # type: ignore[union-attr]  # each begins with a name
    return _plain(name), wish.strip()


def _applies(requirement: str, wiring: Wiring) -> bool:
    extra = REQUIREMENT.match(requirement)[3]  # type: ignore[index]  # each begins with a name
    return extra is None or bool(getattr(wiring, EXTRAS.get(extra, ""), ()))


def _misfit(machine: Machine, name: str, wish: str, installed: Distribution | None) -> Iterator[Finding]:
    if installed is None:
        yield Finding(say("package {name}", name=name), with_pip(machine, f"install {name}"))
    elif not fits(installed.version, wish):
        what = say("package {name} {version}", name=name, version=installed.version)
        yield Finding(what, with_pip(machine, f"install '{name}{wish}'"))


def _owner(machine: Machine, everything: list[Distribution], *, is_needed: bool) -> Finding:
    """Pip lets two packages write the same files: who came last owns them, and neither works by halves.

    Only those in the first folder matter that Python looks into: they hide all others.
    """
    there = [each for each in everything if _brings(each, SHARED)]
    owners = {each.metadata["Name"]: each.version for each in there if _place(each) == _place(there[0])}
    wrong = [owner for owner in owners if _plain(owner) != SHARED]
    shown = ", ".join(f"{owner} {version}" for owner, version in owners.items())
    if not owners:
        what = say("import {name}: this module doesn't come from a package", name=SHARED)
    else:
        what = say("import {name}: this module comes from {owners}", name=SHARED, owners=shown)
    if not is_needed or (owners and not wrong):
        return Finding(what)
    install = f"install --force-reinstall --no-deps {WANTED}"
    return Finding(what, with_pip(machine, *([f"uninstall -y {' '.join(wrong)}"] if wrong else []), install))


def _place(package: Distribution) -> str:
    """The folder it is installed in."""
    return str(package.locate_file(""))


def _brings(package: Distribution, name: str) -> bool:
    """By the list of its files; Debian keeps only that of the names."""
    tops = (package.read_text("top_level.txt") or "").split()
    return name in tops or any(file.parts[0] == name for file in package.files or ())
