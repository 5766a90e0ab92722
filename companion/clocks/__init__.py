"""Clocks for games played against time: what they may be set to, and what they show.

Pure: no thread, no screen, no time of day. Seconds of play come from outside, everything else from the log.
"""

from companion.clocks.running import BUDGET, PRICE, Moment, Running, Stopwatch, running
from companion.clocks.settings import PRESETS, Clocks, Limit, read, read_toml
from companion.clocks.times import SECOND, Times, ticks, timed, turns

__all__ = [
    "BUDGET",
    "PRESETS",
    "PRICE",
    "SECOND",
    "Clocks",
    "Limit",
    "Moment",
    "Running",
    "Stopwatch",
    "Times",
    "read",
    "read_toml",
    "running",
    "ticks",
    "timed",
    "turns",
]
