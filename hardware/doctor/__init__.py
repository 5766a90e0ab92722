"""Checks this machine as a whole: what is well, and what to do about what isn't.

    from hardware.doctor import examine, this_host

    for finding in examine(this_host(state)):
        print(finding.status, finding.what.in_("en"))

It opens no device (`device_tests` does), changes nothing but a file of its own in the state directory, which
it removes again, and knows neither players nor games.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import UserError
from companion.texts import say, say_n
from hardware.doctor import packages, system
from hardware.doctor.machine import Computer, Finding, check_wiring, this_host
from hardware.wiring import WIRING_FILE, Wiring, load_wiring

FIX_FILE_ADVICE = say("Fix the file, then run: companion hardware check")

__all__ = ["Computer", "Finding", "examine", "this_host", "wiring_or_empty"]


def examine(host: Computer) -> Iterator[Finding]:
    """Yields every finding once, in the order in which they are shown."""
    told: set[Finding] = set()
    for finding in _all(host):
        if finding not in told:
            told.add(finding)
            yield finding


def wiring_or_empty(host: Computer) -> Wiring:
    """Returns the wiring of this machine; empty if it can't be read, which `examine` reports."""
    try:
        return Wiring() if host.wiring is None else load_wiring(host.wiring)
    except UserError:
        return Wiring()


def _all(host: Computer) -> Iterator[Finding]:
    wiring = wiring_or_empty(host)
    yield from system.check_system(host, wiring)
    yield from system.check_disk(host)
    yield from packages.check_packages(host, wiring)
    yield from packages.check_languages()
    yield from _wired(host)


def _wired(host: Computer) -> Iterator[Finding]:
    """Yields the findings about hardware.toml as a whole, then whether this machine has what it names."""
    if host.wiring is None:
        yield Finding(say("{file}: not created yet; everybody plays on the touchscreen", file=WIRING_FILE))
        return
    try:
        wiring = load_wiring(host.wiring)
    except UserError as error:
        yield Finding(error.text, FIX_FILE_ADVICE)
        return
    yield Finding(
        say_n(
            "{file}: {n} device", "{file}: {n} devices", n=len(wiring.named_sections()), file=str(host.wiring)
        )
    )
    for fault in wiring.faults:
        yield Finding(fault, FIX_FILE_ADVICE)
    yield from check_wiring(wiring, host.machine)
