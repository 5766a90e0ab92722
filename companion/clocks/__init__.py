"""Clocks for games against time: how they are set, and what they show.

The package knows no thread, no screen and no time of day. Seconds of play come from outside, everything else
from the log.
"""

from companion.clocks.clock_settings import (
    CLOCK_PRESETS,
    ClockSettings,
    TimeLimit,
    parse_clocks,
    parse_clocks_toml,
)
from companion.clocks.timekeeping import (
    BUDGET_KEY,
    PRICE_KEY,
    REMINDER_KEY,
    TICKS_PER_SECOND,
    ClockContext,
    ClockState,
    Stopwatch,
    TimeUse,
    compute_clock_states,
    compute_time_use,
    count_finished_turns,
    to_ticks,
)

__all__ = [
    "BUDGET_KEY",
    "CLOCK_PRESETS",
    "PRICE_KEY",
    "REMINDER_KEY",
    "TICKS_PER_SECOND",
    "ClockContext",
    "ClockSettings",
    "ClockState",
    "Stopwatch",
    "TimeLimit",
    "TimeUse",
    "compute_clock_states",
    "compute_time_use",
    "count_finished_turns",
    "parse_clocks",
    "parse_clocks_toml",
    "to_ticks",
]
