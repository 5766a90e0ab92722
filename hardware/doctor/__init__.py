"""Looks at this machine as a whole and says of each thing whether it is well, and what to do if not.

    from hardware.doctor import examine, this_host

    for finding in examine(this_host(state)):
        print(finding.mark, finding.what.in_("en"))

It opens no device (that is `live`), changes nothing but a file of its own in the state directory, which
it takes away again, and knows neither players nor games.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import UserError
from companion.texts import say, say_n
from hardware.doctor import disk, languages, packages, system
from hardware.doctor.computer import Computer, this_host
from hardware.doctor.machine import Finding, findings
from hardware.wiring import FILE, Wiring, load_wiring

MEND = say("Fix the file, then run: companion hardware check")

__all__ = ["Computer", "Finding", "examine", "this_host", "wiring_of"]


def examine(host: Computer) -> Iterator[Finding]:
    """Every line, in the order in which it is told; nothing twice."""
    told: set[Finding] = set()
    for finding in _all(host):
        if finding not in told:
            told.add(finding)
            yield finding


def wiring_of(host: Computer) -> Wiring:
    """What hardware.toml describes; nothing where it can't be read, which `examine` says."""
    try:
        return Wiring() if host.wiring is None else load_wiring(host.wiring)
    except UserError:
        return Wiring()


def _all(host: Computer) -> Iterator[Finding]:
    wiring = wiring_of(host)
    yield from system.findings(host, wiring)
    yield from disk.findings(host)
    yield from packages.findings(host, wiring)
    yield from languages.findings()
    yield from _wired(host)


def _wired(host: Computer) -> Iterator[Finding]:
    """hardware.toml as a whole, then whether this machine has what it names."""
    if host.wiring is None:
        yield Finding(say("{file}: not created yet; everybody plays on the touchscreen", file=FILE))
        return
    try:
        wiring = load_wiring(host.wiring)
    except UserError as error:
        yield Finding(error.text, MEND)
        return
    yield Finding(
        say_n("{file}: {n} device", "{file}: {n} devices", n=len(wiring.sections()), file=str(host.wiring))
    )
    for fault in wiring.faults:
        yield Finding(fault, MEND)
    yield from findings(wiring, host.machine)
