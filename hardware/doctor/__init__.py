"""Checks this machine as a whole: what works, and what to do about everything else.

    from companion.texts import render
    from hardware.doctor import run_all_checks, this_computer

    for finding in run_all_checks(this_computer(state_directory)):
        print(finding.status, render(finding.subject, "en"))

No device is opened (`device_tests` does that). The checks change nothing except for a file of their own in
the state directory, which is removed again. They know no players and no games.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from companion.errors import UserError, describe_exception
from companion.texts import say, say_n
from hardware.doctor import system
from hardware.doctor.machine import Computer, Finding, check_wiring_needs, this_computer
from hardware.wiring import WIRING_FILE, Wiring, load_wiring_without_faulty_sections

FIX_WIRING_FILE_ADVICE = say("Fix the file, then run: companion hardware check")
CRASHED_CHECK_ADVICE = say(
    "Update the Companion. If the check still crashes, report this error to its authors."
)
LOG = logging.getLogger(__name__)

__all__ = ["Computer", "Finding", "load_wiring_or_empty", "run_all_checks", "this_computer"]


def run_all_checks(host: Computer) -> Iterator[Finding]:
    """Runs all checks and yields each finding once, in the order in which findings are shown."""
    yielded: set[Finding] = set()
    for finding in _yield_all_findings(host):
        if finding not in yielded:
            yielded.add(finding)
            yield finding


def load_wiring_or_empty(host: Computer) -> Wiring:
    """Returns the wiring of a computer; an empty wiring if it can't be read, which is another finding."""
    try:
        return Wiring() if host.wiring_file is None else load_wiring_without_faulty_sections(host.wiring_file)
    except UserError:
        return Wiring()


def _yield_all_findings(host: Computer) -> Iterator[Finding]:
    wiring = load_wiring_or_empty(host)
    for findings in (
        system.check_system(host, wiring),
        system.check_state_directory(host),
        system.check_packages(host, wiring),
        system.check_translations(),
        _check_wiring(host),
    ):
        try:
            yield from findings
        except Exception as error:
            LOG.exception("a check of the doctor crashed")
            subject = say("examination: a check crashed: {why}", why=describe_exception(error))
            yield Finding(subject, CRASHED_CHECK_ADVICE)


def _check_wiring(host: Computer) -> Iterator[Finding]:
    """Yields the findings about hardware.toml as a whole, then those about what it needs of the machine."""
    if host.wiring_file is None:
        yield Finding(say("{file}: not created yet; everybody plays on the touchscreen", file=WIRING_FILE))
        return
    try:
        wiring = load_wiring_without_faulty_sections(host.wiring_file)
    except UserError as error:
        yield Finding(error.text, FIX_WIRING_FILE_ADVICE)
        return
    yield Finding(
        say_n(
            "{file}: {n} device",
            "{file}: {n} devices",
            n=len(wiring.sections_with_keys()),
            file=str(host.wiring_file),
        )
    )
    for fault in wiring.faults:
        yield Finding(fault, FIX_WIRING_FILE_ADVICE)
    yield from check_wiring_needs(wiring, host.machine)
