"""Sets the date and the time of the machine by hand, through systemd; for machines without a network.

    problem = set_system_clock(datetime(2026, 12, 24, 18, 0, tzinfo=...))

systemd/50-companion.rules lets the Companion's user do it.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

TIMEDATECTL_COMMAND = ("timedatectl", "--no-ask-password")
MAX_SETTING_SECONDS = 8.0
"""After this time no call that reads or sets something goes on."""
MAX_TOTAL_SECONDS = 11.0
"""After this time also the last call is killed; systemd restarts a screen that stands still for 20 s."""
MAX_REFUSED_SECONDS = 3.0
"""For this long the time is set again while systemd still stops the service for the time of the network."""
RETRY_SECONDS = 0.25
STILL_SYNCHRONIZING_MESSAGE = "Automatic time synchronization is enabled"
"""A part of systemd's sentence when it refuses the time because it takes it from the network."""


def set_system_clock(
    moment: datetime,
    seconds: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> str:
    """Sets the machine's clock to a moment of its own time zone; returns why that failed, or an empty text.

    systemd refuses to set the clock while it takes the time from the network. So that is switched off for a
    moment, if it was on; without a network it changes nothing afterwards.

    `seconds` returns monotonic seconds.
    """
    start = seconds()

    def call(*arguments: str, max_seconds: float = MAX_SETTING_SECONDS) -> _CallResult:
        return _call_timedatectl(arguments, start + max_seconds - seconds())

    if call("show", "-p", "NTP", "--value").output != "yes":
        return _set_time(moment, call, seconds, sleep)
    try:
        return call("set-ntp", "false").problem or _set_time(moment, call, seconds, sleep)
    finally:
        call("set-ntp", "true", max_seconds=MAX_TOTAL_SECONDS)


class _CallResult(NamedTuple):
    """What a call of timedatectl printed, and why it failed; `problem` is empty if it didn't."""

    output: str
    problem: str


def _set_time(
    moment: datetime,
    call: Callable[..., _CallResult],
    seconds: Callable[[], float],
    sleep: Callable[[float], object],
) -> str:
    """Sets the time, again and again while systemd only refuses it for now; returns why that failed."""
    last_try_at = seconds() + MAX_REFUSED_SECONDS
    while True:
        problem = call("set-time", f"{moment:%Y-%m-%d %H:%M:%S}").problem
        if STILL_SYNCHRONIZING_MESSAGE not in problem or seconds() >= last_try_at:
            return problem
        sleep(RETRY_SECONDS)


def _call_timedatectl(arguments: tuple[str, ...], timeout_seconds: float) -> _CallResult:
    """Calls timedatectl, which is killed after the timeout."""
    try:
        result = subprocess.run(  # noqa: S603 - a command of our own
            (*TIMEDATECTL_COMMAND, *arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=max(0.0, timeout_seconds),
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return _CallResult("", str(error))
    lines = result.stderr.strip().split("\n")
    problem = (lines[-1] or f"timedatectl: {result.returncode}") if result.returncode else ""
    return _CallResult(result.stdout.strip(), problem)
