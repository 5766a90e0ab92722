"""`companion doctor`: checks this machine and its devices, and says what to do about each failure.

The command plays no game. While another program on this machine plays one, the devices can't be tested.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from companion.errors import UserError
from companion.files.state_directory import state_directory
from companion.languages import ENGLISH
from companion.store import is_state_directory_in_use
from companion.subcommand import USER_ERROR_STATUS, Subcommand, add_language_argument, add_state_argument
from companion.texts import Say, render, say
from hardware.devices import Devices
from hardware.doctor import Computer, Finding, load_wiring_or_empty, run_all_checks, this_computer
from hardware.doctor.device_tests import TEST_STEP_TIMEOUT_SECONDS, DeviceTestEvent, DeviceTests
from hardware.doctor.report import format_finding, write_report
from hardware.signals import Inbox
from hardware.simulated.table import read_lines


def _add_arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.add_argument("--file", type=Path, help="use this file instead of the hardware.toml that was found")
    parser.add_argument(
        "--live", action="store_true", help="try every device by hand; press Enter to skip a device"
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="also write all lines to FILE, but no secrets"
    )
    add_language_argument(parser, "the language of the lines (default: en)", default=ENGLISH)


def _doctor(args: Namespace) -> int:
    computer = this_computer(state_directory(args.state), args.file)
    if args.report and args.report.exists():
        raise UserError(say("{file} already exists and was not changed.", file=str(args.report)))
    findings = []
    for finding in _run_checks(computer, args):
        _print(format_finding(finding, args.lang))
        findings.append(finding)
    if args.report:
        write_report(args.report, findings, computer)
    return USER_ERROR_STATUS if any(finding.status == "failed" for finding in findings) else 0


def _run_checks(computer: Computer, args: Namespace) -> Iterator[Finding]:
    yield from run_all_checks(computer)
    if args.live:
        yield from _test_devices(computer, args.lang)


def _test_devices(computer: Computer, language: str) -> Iterator[Finding]:
    if is_state_directory_in_use(computer.state_directory):
        subject = say("devices: in use by the running Companion")
        yield Finding(subject, say("Stop the running Companion first: sudo systemctl stop companion"))
        return
    wiring, events = load_wiring_or_empty(computer), SimpleQueue[DeviceTestEvent]()
    Thread(target=_report_enter_presses, args=(events,), name="enter", daemon=True).start()
    with Devices(wiring, Inbox(wake=partial(events.put, "woken"))) as devices:
        yield from DeviceTests(devices, events, partial(_print_instruction, language=language)).run(wiring)


def _report_enter_presses(events: SimpleQueue[DeviceTestEvent]) -> None:
    for _ in read_lines(sys.stdin.fileno()):
        events.put("enter")


def _print_instruction(instruction: Say, language: str) -> None:
    limit = say("{seconds} s; press Enter to skip this test", seconds=int(TEST_STEP_TIMEOUT_SECONDS))
    _print(f"        {render(instruction, language)} ({render(limit, language)})")


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


DOCTOR = Subcommand(
    "Check this machine and its devices, and say how to fix what is wrong.",
    _add_arguments,
    _doctor,
    ("companion doctor", "companion doctor --live"),
)
