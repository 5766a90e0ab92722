"""Power and heat, as the firmware of a Raspberry Pi and the kernel tell them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.words import Labelled, Say, listed, say
from hardware.doctor.host import Host
from hardware.doctor.machine import Finding

TROUBLES = (say("undervoltage"), say("clock held down"), say("throttled"), say("too hot"))
"""What the first four bits of `get_throttled` mean, from the lowest; 16 bits up: since the start.

From Raspberry Pi's documentation of vcgencmd.
"""
SINCE_THE_START = 16
UNDERVOLTAGE = 1 | 1 << SINCE_THE_START
HOT = 80.0
"""Degrees Celsius at which a Raspberry Pi begins to hold its clock down."""


def findings(host: Host) -> Iterator[Finding]:
    """Both of them."""
    yield _power(host)
    if temperature := host.read("/sys/class/thermal/thermal_zone0/temp"):
        yield _heat(int(temperature) / 1000)


def _power(host: Host) -> Finding:
    bits = _bits(host)
    if bits is None:
        return Finding(say("power: this machine doesn't tell"))
    now, since = _troubles(bits), _troubles(bits >> SINCE_THE_START)
    if not now and not since:
        return Finding(say("power: no undervoltage, not throttled"))
    nothing: list[Labelled] = [say("nothing")]
    what = say(
        "power: now {now}; since the start {since}",
        now=listed(now or nothing),
        since=listed(since or nothing),
    )
    if bits & UNDERVOLTAGE:
        return Finding(what, say("Use the power supply made for it, with a short and thick cable."))
    return Finding(what, COOL)


def _heat(degrees: float) -> Finding:
    what = say("temperature: {degrees} °C", degrees=f"{degrees:.0f}")
    return Finding(what, None if degrees < HOT else COOL)


COOL = say("Give it air: a case with slits, a heat sink or a fan.")


def _bits(host: Host) -> int | None:
    """Asking by vcgencmd comes first: to read the file forgets what has been since the start."""
    said = re.search(r"throttled=0x([0-9a-f]+)", host.firmware())
    if said:
        return int(said[1], 16)
    for path in sorted(host.machine.root.glob("sys/devices/platform/soc*/*firmware/get_throttled")):
        return int(path.read_text().strip(), 16)
    return None


def _troubles(bits: int) -> list[Say]:
    return [trouble for at, trouble in enumerate(TROUBLES) if bits >> at & 1]
