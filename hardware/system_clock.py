"""Sets the date and the time of the machine by hand, through systemd; for machines without a network.

    problem = set_system_clock(datetime(2026, 12, 24, 18, 0, tzinfo=...))

systemd/50-companion.rules lets the Companion's user do it.
"""

from __future__ import annotations

import subprocess
from datetime import datetime

TIMEDATECTL_COMMAND = ("timedatectl", "--no-ask-password")
TIMEDATECTL_TIMEOUT_SECONDS = 10.0
"""After this time a call of timedatectl is killed."""


def set_system_clock(moment: datetime) -> str:
    """Sets the machine's clock to a moment of its own time zone; returns why that failed, or an empty text.

    systemd refuses to set the clock while it takes the time from the network. So that is switched off for a
    moment; without a network it changes nothing afterwards.
    """
    _run_timedatectl("set-ntp", "false")
    problem = _run_timedatectl("set-time", f"{moment:%Y-%m-%d %H:%M:%S}")
    _run_timedatectl("set-ntp", "true")
    return problem


def _run_timedatectl(*arguments: str) -> str:
    """Runs timedatectl; returns why that failed, or an empty text."""
    try:
        result = subprocess.run(  # noqa: S603 - a command of our own
            (*TIMEDATECTL_COMMAND, *arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEDATECTL_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if result.returncode == 0:
        return ""
    lines = result.stderr.strip().split("\n")
    return lines[-1] or f"timedatectl: {result.returncode}"
