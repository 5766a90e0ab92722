"""The current time, if it can be trusted.

A Raspberry Pi has no clock that keeps running without power. Until a time server has answered, its date is
that of the last shutdown, of the last update, or 1970. A date is trusted if the kernel says that the clock
was set from outside, if a clock with a battery agrees with it to the day, or if people have set it by hand. A
date before the first version of Companion is never trusted.
"""

from __future__ import annotations

import ctypes
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

EARLIEST_GAME_UNIX_TIME = datetime(2026, 1, 1, tzinfo=UTC).timestamp()
"""The earliest time at which a game can have been saved, in seconds since 1970."""
DAY_SECONDS = 24 * 60 * 60
BATTERY_CLOCKS_FOLDER = Path("/sys/class/rtc")
_CLOCK_NOT_SYNCHRONISED = 5
"""What adjtimex(2) returns for a clock that nothing has set; a negative number is an error."""
_TIMEX_BYTES = 256
"""The kernel's struct timex is shorter. A struct of zeros asks and sets nothing."""

_is_set_by_hand = False


def trust_clock() -> None:
    """Trusts the machine's clock from now on, because people have set it."""
    global _is_set_by_hand  # noqa: PLW0603 one machine, one clock
    _is_set_by_hand = True


def trusted_unix_time() -> float | None:
    """Returns the current time in seconds since 1970, if it can be trusted; else None.

    None means that nothing has set this machine's clock.
    """
    seconds = time.time()
    is_confirmed = (
        _is_set_by_hand or _is_synchronised() or is_same_day_on_battery_clock(seconds, BATTERY_CLOCKS_FOLDER)
    )
    return seconds if is_confirmed and seconds >= EARLIEST_GAME_UNIX_TIME else None


def is_same_day_on_battery_clock(unix_time: float, clocks_folder: Path) -> bool:
    """Returns whether one of the machine's clocks with a battery shows the same day.

    A clock without a battery begins in 1970; one that keeps local time is up to 14 hours off.
    """
    for clock in clocks_folder.glob("rtc*/since_epoch"):
        with suppress(OSError, ValueError):
            if abs(int(clock.read_text("ascii")) - unix_time) < DAY_SECONDS:
                return True
    return False


def _is_synchronised() -> bool:
    state: int = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    return 0 <= state < _CLOCK_NOT_SYNCHRONISED
