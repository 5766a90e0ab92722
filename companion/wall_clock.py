"""The time of day, where it can be trusted.

A Raspberry Pi has no clock that outlives its plug. Until a time server has answered, its date is the one of
the last shutdown, of the last update, or 1970. A date counts where the kernel says that the clock was set
from outside, or where a clock with a battery agrees with it to the day; and never before there was a
Companion that could have kept a game.
"""

from __future__ import annotations

import ctypes
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

EARLIEST_GAME_TIME = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""No game can have been kept before, in seconds since 1970."""
DAY_SECONDS = 24 * 60 * 60
BATTERY_CLOCKS_FOLDER = Path("/sys/class/rtc")
_CLOCK_NOT_SYNCHRONISED = 5
"""What adjtimex(2) returns for a clock that nobody has set; less than 0 is a refusal."""
_TIMEX_BYTES = 256
"""Bytes; the kernel's struct timex is shorter. All zero it asks and sets nothing."""


def trusted_now() -> float | None:
    """Seconds since 1970; None where nobody has told this machine the time."""
    seconds = time.time()
    is_told = _is_synchronised() or agrees_with_battery_clock(seconds, BATTERY_CLOCKS_FOLDER)
    return seconds if is_told and seconds >= EARLIEST_GAME_TIME else None


def agrees_with_battery_clock(seconds: float, clocks: Path) -> bool:
    """Whether one of the machine's own clocks says the same day.

    A clock without a battery begins in 1970; one that keeps local time is up to 14 hours off.
    """
    for clock in clocks.glob("rtc*/since_epoch"):
        with suppress(OSError, ValueError):
            if abs(int(clock.read_text("ascii")) - seconds) < DAY_SECONDS:
                return True
    return False


def _is_synchronised() -> bool:
    state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    return 0 <= state < _CLOCK_NOT_SYNCHRONISED
