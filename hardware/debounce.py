"""One button's line without its bounce: edges with their kernel time in, presses and releases out.

A pure fold. The first edge counts at once, so no press waits and none is too short; then the line is
left alone for `WINDOW`, and what it says after that is compared with what was taken.
Times are seconds of one monotonic clock.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

WINDOW = 0.018
"""Seconds in which a contact may bounce; cheap buttons need 5 to 15 ms, a finger at least 14."""
PAUSE = 0.012
"""Seconds: mains hum on a loose wire leaves 10 ms between edges, a finger longer pauses."""
CHATTERS_AFTER = 1.0
"""Seconds of edges without such a pause, after which a line is a broken one."""
STUCK_AFTER = 20.0
"""Seconds pressed, after which something lies on the button or its cable is pinched."""

Trouble: TypeAlias = Literal["stuck", "chatters"]


class Change(msgspec.Struct, frozen=True):
    """The button went down or came up."""

    is_down: bool
    at: float


class Fault(msgspec.Struct, frozen=True):
    """The line can't be trusted; None: it can again."""

    trouble: Trouble | None


News: TypeAlias = Change | Fault


class Line(msgspec.Struct, frozen=True):
    """What is known of a line between two edges.

    `is_down` is what was taken, since `since`; `level` is what the last edge said, at `heard`.
    Until `closed_until` the contact may bounce; edges have come without a pause since `busy_since`.
    """

    is_down: bool
    since: float
    level: bool
    heard: float
    busy_since: float
    closed_until: float = -math.inf
    trouble: Trouble | None = None

    @property
    def due(self) -> float:
        """When `looked` is to be called, if no edge comes before; infinity: not at all."""
        if self.trouble == "chatters":
            return self.heard + CHATTERS_AFTER
        if self.closed_until > -math.inf:
            return self.closed_until
        return self.since + STUCK_AFTER if self.is_down and self.trouble is None else math.inf


def begun(at: float, *, is_down: bool) -> Line:
    """A line as it was found; who leaned on the button then has pressed nothing."""
    return Line(is_down, at, is_down, at, at)


def edge(line: Line, at: float, *, is_down: bool) -> tuple[Line, list[News]]:
    """The kernel saw the line change at that time."""
    news: list[News] = []
    if line.trouble != "chatters" and at >= line.closed_until:
        line, news = _taken(line, line.level, line.heard)
    busy_since = line.busy_since if at - line.heard < PAUSE else at
    line = replace(line, level=is_down, heard=at, busy_since=busy_since)
    if line.trouble == "chatters":
        return line, news
    if at - busy_since >= CHATTERS_AFTER:
        return replace(line, trouble="chatters", is_down=False), [*news, Fault("chatters")]
    if at < line.closed_until:
        return line, news
    line, more = _taken(line, is_down, at)
    return line, [*news, *more]


def looked(line: Line, now: float, *, is_down: bool) -> tuple[Line, list[News]]:
    """It is time, no edge waits, and the line was read: what edges didn't say counts now."""
    if now < line.due:
        return line, []
    if line.trouble == "chatters":
        return begun(now, is_down=is_down), [Fault(None)]
    at = line.heard if is_down == line.level else now
    line, news = _taken(replace(line, level=is_down, closed_until=-math.inf), is_down, at)
    if line.is_down and line.trouble is None and now - line.since >= STUCK_AFTER:
        return replace(line, trouble="stuck"), [*news, Fault("stuck")]
    return line, news


def _taken(line: Line, is_down: bool, at: float) -> tuple[Line, list[News]]:  # noqa: FBT001 - the level
    if is_down == line.is_down:
        return line, []
    mended: list[News] = [Fault(None)] if line.trouble == "stuck" else []
    line = replace(line, is_down=is_down, since=at, closed_until=at + WINDOW, trouble=None)
    return line, [Change(is_down, at), *mended]
