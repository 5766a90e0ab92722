"""Takes the bounce out of one button's line: edges with their kernel times in, presses and releases out.

A pure fold. A level counts when it has been stable for `STABLE_SECONDS`, with the time of the first edge that
led to it. So no press waits longer, and bounce doesn't change who was first.
Then the line is ignored for `BOUNCE_SECONDS`; after that, its level is compared with the accepted level.
Times are seconds of one monotonic clock.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

STABLE_SECONDS = 0.004
"""Time until a level is believed: what hums or sparks on a long wire is mostly shorter."""
BOUNCE_SECONDS = 0.018
"""Time in which a contact may bounce; cheap buttons need 5 to 15 ms, a finger at least 14."""
QUIET_SECONDS = 0.012
"""Mains hum on a loose wire leaves 10 ms between edges, a finger leaves longer pauses."""
CHATTER_SECONDS = 1.0
"""After edges for this long without a quiet pause, a line is broken.

After this long without edges, it is whole.
"""
MAX_PRESSES_PER_SECOND = 15
"""More presses in a second than a finger can make; a strong hum makes 50."""
PRESS_RATE_SECONDS = 0.999
"""A little less than a second: 15 presses in one second are allowed."""
STUCK_SECONDS = 20.0
"""A button that is down for this long has something lying on it, or its cable is pinched."""

LineTrouble: TypeAlias = Literal["stuck", "chatters"]


class LevelChange(msgspec.Struct, frozen=True):
    """The button went down or came up."""

    is_down: bool
    at: float


class LineFault(msgspec.Struct, frozen=True):
    """The line can't be trusted; None: it can be trusted again."""

    trouble: LineTrouble | None


LineEvent: TypeAlias = LevelChange | LineFault


class LineState(msgspec.Struct, frozen=True):
    """What is known of a line between two edges.

    `is_down` is the accepted level, since `changed_at`. `last_level` is the level of the last edge, at
    `last_edge_at`; the line first left the accepted level at `left_level_at`. While the line isn't `is_sure`,
    its level has to be checked: at `mismatch_since` it differed from the last edge, so an edge is late, or
    after `BOUNCE_SECONDS` lost. Before `closed_until` no change is accepted. Edges have come without a pause
    since `busy_since`. `recent_presses` are the times of the last presses.
    """

    is_down: bool
    changed_at: float
    last_level: bool
    last_edge_at: float
    busy_since: float
    left_level_at: float = -math.inf
    is_sure: bool = True
    mismatch_since: float = -math.inf
    closed_until: float = -math.inf
    recent_presses: tuple[float, ...] = ()
    trouble: LineTrouble | None = None

    @property
    def check_due_at(self) -> float:
        """When `handle_level` must be called if no edge comes before; infinity: never."""
        if self.trouble == "chatters":
            return self.last_edge_at + CHATTER_SECONDS
        if not self.is_sure:
            return max(self.stable_at, self.mismatch_since + BOUNCE_SECONDS)
        return self.changed_at + STUCK_SECONDS if self.is_down and self.trouble is None else math.inf

    @property
    def stable_at(self) -> float:
        """When the level of the last edge counts if no other edge comes before."""
        return max(self.last_edge_at + STABLE_SECONDS, self.closed_until)

    @property
    def in_doubt_since(self) -> float:
        """From this time on a change may still be accepted; infinity: none of the edges so far."""
        return self.left_level_at if not self.is_sure and self.left_level_at > self.changed_at else math.inf


def initial_state(at: float, *, is_down: bool) -> LineState:
    """Returns the state of a line as it was found; a button that is already down was not pressed."""
    return LineState(is_down, at, is_down, at, at)


def handle_edge(line: LineState, at: float, *, is_down: bool) -> tuple[LineState, list[LineEvent]]:
    """Returns the state after an edge that the kernel saw at this time, and what it means."""
    news: list[LineEvent] = []
    if not line.is_sure and at >= line.stable_at:
        line, news = _accept_level(line)
    line = _record_edge(line, at, is_down)
    if line.trouble != "chatters" and at - line.busy_since >= CHATTER_SECONDS:
        return _mark_chattering(line), [*news, LineFault("chatters")]
    return line, news


def handle_level(line: LineState, now: float, *, is_down: bool) -> tuple[LineState, list[LineEvent]]:
    """Returns the state, and what it means, after the line was read: a check was due, and no edge waited."""
    if now < line.check_due_at:
        return line, []
    if line.trouble == "chatters":
        return initial_state(now, is_down=is_down), [LineFault(None)]
    if is_down != line.last_level and line.mismatch_since == -math.inf:
        return replace(line, is_sure=False, mismatch_since=now), []
    if is_down != line.last_level:
        line = _record_edge(line, line.mismatch_since, is_down)
    if not line.is_sure:
        return _accept_level(line)
    return replace(line, trouble="stuck"), [LineFault("stuck")]


def _record_edge(line: LineState, at: float, is_down: bool) -> LineState:  # noqa: FBT001 - the level
    rested = line.last_level == line.is_down and at - line.last_edge_at >= STABLE_SECONDS
    is_new = is_down != line.is_down and (rested or at - line.left_level_at >= BOUNCE_SECONDS)
    return replace(
        line,
        last_level=is_down,
        last_edge_at=at,
        left_level_at=at if is_new else line.left_level_at,
        is_sure=line.trouble == "chatters",
        mismatch_since=-math.inf,
        busy_since=line.busy_since if at - line.last_edge_at < QUIET_SECONDS else at,
    )


def _accept_level(line: LineState) -> tuple[LineState, list[LineEvent]]:
    """Accepts the level that has been stable for long enough."""
    if line.last_level == line.is_down:
        return replace(line, is_sure=True, mismatch_since=-math.inf), []
    at, mended = line.left_level_at, [LineFault(None)] if line.trouble == "stuck" else []
    presses = (
        (*line.recent_presses, at)[-MAX_PRESSES_PER_SECOND - 1 :] if line.last_level else line.recent_presses
    )
    # It stays unsure: what it does until the window is over may be heard badly.
    line = replace(
        line,
        is_down=line.last_level,
        changed_at=at,
        closed_until=at + BOUNCE_SECONDS,
        recent_presses=presses,
        trouble=None,
    )
    if line.is_down and len(presses) > MAX_PRESSES_PER_SECOND and at - presses[0] < PRESS_RATE_SECONDS:
        return _mark_chattering(line), [*mended, LineFault("chatters")]
    return line, [LevelChange(line.is_down, at), *mended]


def _mark_chattering(line: LineState) -> LineState:
    return replace(line, trouble="chatters", is_down=False, is_sure=True)
