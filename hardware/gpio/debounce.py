"""Removes the bounce from one button's line: makes presses and releases of edges with their kernel times.

The functions are pure. A level counts when it has been stable for `MIN_STABLE_SECONDS`, with the time of the
first edge that led to it. So no press waits longer, and bounce doesn't change who was first. Then the line is
ignored for `MAX_BOUNCE_SECONDS`; after that, its level is compared with the accepted level. Times are seconds
of one monotonic clock.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

MIN_STABLE_SECONDS = 0.004
"""Minimum time without an edge until a level counts.

Hum and sparks on a long wire are mostly shorter.
"""
MAX_BOUNCE_SECONDS = 0.018
"""Maximum time in which a contact may bounce; cheap buttons need 5 to 15 ms, a finger at least 14."""
MIN_EDGE_GAP_WITHOUT_CHATTER_SECONDS = 0.012
"""Minimum seconds between edges that show that the line doesn't chatter: a quiet pause.

Mains hum on a loose wire leaves 10 ms between edges, a finger leaves longer pauses.
"""
MAX_CHATTER_SECONDS = 1.0
"""Maximum seconds that a line may chatter, without a quiet pause, until it counts as faulty.

After this long without edges, the line is sound again.
"""
MAX_PRESSES_PER_SECOND = 15
"""Maximum presses per second on a sound line; a line with more is faulty.

A finger can't make more, and a strong hum makes 50.
"""
PRESS_RATE_WINDOW_SECONDS = 0.999
"""Time in which presses are counted: a little less than a second, so that 15 in one are allowed."""
STUCK_AFTER_SECONDS = 20.0
"""A button that is down for this long is stuck: something lies on it, or its cable is pinched."""

LineFault: TypeAlias = Literal["stuck", "chatters"]


class LevelChange(msgspec.Struct, frozen=True):
    """A change of a button's level: the button went down or came up."""

    is_down: bool
    at: float


class LineFaultChange(msgspec.Struct, frozen=True):
    """A change of a line's fault: the line became faulty, or works again (`fault` None)."""

    fault: LineFault | None


LineEvent: TypeAlias = LevelChange | LineFaultChange


class DebounceState(msgspec.Struct, frozen=True):
    """The debounce state of a line between two edges.

    `is_down` is the accepted level, since `changed_at`. `last_level` is the level of the last edge, at
    `last_edge_at`; the line first left the accepted level at `left_level_at`. While `is_settled` is false,
    the level must be checked: at `mismatch_since` it differed from the last edge, so an edge is late, or lost
    after `MAX_BOUNCE_SECONDS`. Before `ignore_changes_until` no change is accepted. Edges have come without a
    pause since `busy_since`. `recent_presses` are the times of the last presses.
    """

    is_down: bool
    changed_at: float
    last_level: bool
    last_edge_at: float
    busy_since: float
    left_level_at: float = -math.inf
    is_settled: bool = True
    mismatch_since: float = -math.inf
    ignore_changes_until: float = -math.inf
    recent_presses: tuple[float, ...] = ()
    fault: LineFault | None = None

    @property
    def check_due_at(self) -> float:
        """Time at which `handle_level_check` must be called if no edge comes before; infinity for never."""
        if self.fault == "chatters":
            return self.last_edge_at + MAX_CHATTER_SECONDS
        if not self.is_settled:
            return max(self.stable_at, self.mismatch_since + MAX_BOUNCE_SECONDS)
        return self.changed_at + STUCK_AFTER_SECONDS if self.is_down and self.fault is None else math.inf

    @property
    def stable_at(self) -> float:
        """Time at which the level of the last edge counts if no other edge comes before."""
        return max(self.last_edge_at + MIN_STABLE_SECONDS, self.ignore_changes_until)

    @property
    def pending_change_since(self) -> float:
        """Time of the first edge that may still lead to an accepted change; infinity without one."""
        return (
            self.left_level_at if not self.is_settled and self.left_level_at > self.changed_at else math.inf
        )


def initial_debounce_state(at: float, *, is_down: bool) -> DebounceState:
    """Returns the state of a line at the start; a button that is already down was not pressed."""
    return DebounceState(is_down, at, is_down, at, at)


class DebounceResult(NamedTuple):
    """The new state of a line, and the events that people caused or that a fault causes."""

    state: DebounceState
    events: list[LineEvent]


def handle_edge(line: DebounceState, at: float, *, is_down: bool) -> DebounceResult:
    """Handles an edge that the kernel reported."""
    events: list[LineEvent] = []
    if not line.is_settled and at >= line.stable_at:
        line, events = _accept_level(line)
    line = _record_edge(line, at, is_down)
    if line.fault != "chatters" and at - line.busy_since >= MAX_CHATTER_SECONDS:
        return DebounceResult(_mark_chattering(line), [*events, LineFaultChange("chatters")])
    return DebounceResult(line, events)


def handle_level_check(line: DebounceState, now: float, *, is_down: bool) -> DebounceResult:
    """Handles a level that was read because a check was due. No edge may be waiting."""
    if now < line.check_due_at:
        return DebounceResult(line, [])
    if line.fault == "chatters":
        return DebounceResult(initial_debounce_state(now, is_down=is_down), [LineFaultChange(None)])
    if is_down != line.last_level and line.mismatch_since == -math.inf:
        return DebounceResult(replace(line, is_settled=False, mismatch_since=now), [])
    if is_down != line.last_level:
        line = _record_edge(line, line.mismatch_since, is_down)
    if not line.is_settled:
        return _accept_level(line)
    return DebounceResult(replace(line, fault="stuck"), [LineFaultChange("stuck")])


def _record_edge(line: DebounceState, at: float, is_down: bool) -> DebounceState:  # noqa: FBT001 - the level
    was_stable = line.last_level == line.is_down and at - line.last_edge_at >= MIN_STABLE_SECONDS
    is_new = is_down != line.is_down and (was_stable or at - line.left_level_at >= MAX_BOUNCE_SECONDS)
    return replace(
        line,
        last_level=is_down,
        last_edge_at=at,
        left_level_at=at if is_new else line.left_level_at,
        is_settled=line.fault == "chatters",
        mismatch_since=-math.inf,
        busy_since=line.busy_since if at - line.last_edge_at < MIN_EDGE_GAP_WITHOUT_CHATTER_SECONDS else at,
    )


def _accept_level(line: DebounceState) -> DebounceResult:
    """Accepts the level that has been stable for long enough."""
    if line.last_level == line.is_down:
        return DebounceResult(replace(line, is_settled=True, mismatch_since=-math.inf), [])
    at, fault_events = line.left_level_at, [LineFaultChange(None)] if line.fault == "stuck" else []
    presses = (
        (*line.recent_presses, at)[-MAX_PRESSES_PER_SECOND - 1 :] if line.last_level else line.recent_presses
    )
    # The line stays unsettled, because edges may be missed until the bounce is over.
    line = replace(
        line,
        is_down=line.last_level,
        changed_at=at,
        ignore_changes_until=at + MAX_BOUNCE_SECONDS,
        recent_presses=presses,
        fault=None,
    )
    if line.is_down and len(presses) > MAX_PRESSES_PER_SECOND and at - presses[0] < PRESS_RATE_WINDOW_SECONDS:
        return DebounceResult(_mark_chattering(line), [*fault_events, LineFaultChange("chatters")])
    return DebounceResult(line, [LevelChange(line.is_down, at), *fault_events])


def _mark_chattering(line: DebounceState) -> DebounceState:
    return replace(line, fault="chatters", is_down=False, is_settled=True)
