"""The time of day, where it is known.

A Raspberry Pi has no clock that outlives its plug: until a time server has answered, its date is any.
"""

from __future__ import annotations

import ctypes
import time

_NOT_SYNCHRONISED = 5
"""What adjtimex(2) returns for a clock that nobody has set; less than 0 is a refusal."""
_TIMEX = 256
"""Bytes; the kernel's struct timex is shorter. All zero it asks and sets nothing."""


def now() -> float | None:
    """Seconds since 1970; None where nobody has told this machine the time."""
    state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX))
    return time.time() if 0 <= state < _NOT_SYNCHRONISED else None
