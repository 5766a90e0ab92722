"""One button's line without its bounce: edges with their kernel time in, presses and releases out.

A pure fold. What a line says counts when it has rested so for `RESTS`, from the first of the edges that led
to it: no press waits longer, and what a contact's bounce costs changes nothing of who was first.
Then the line is left alone for `WINDOW`, and what it says after that is compared with what was taken.
Times are seconds of one monotonic clock.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

RESTS = 0.004
"""Seconds until a level is believed: what hums or sparks on a long wire is mostly shorter."""
WINDOW = 0.018
"""Seconds in which a contact may bounce; cheap buttons need 5 to 15 ms, a finger at least 14."""
PAUSE = 0.012
"""Seconds: mains hum on a loose wire leaves 10 ms between edges, a finger longer pauses."""
CHATTERS_AFTER = 1.0
"""Seconds of edges without such a pause, after which a line is broken; and without any, until it is whole."""
MOST = 15
"""Presses in a second that a finger can make; a strong hum makes 50."""
SECOND = 0.999
"""Seconds, a little less than one: 15 presses a second are not too many."""
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


class LineState(msgspec.Struct, frozen=True):
    """What is known of a line between two edges.

    `is_down` is what was taken, since `since`; `level` is what the last edge said, at `heard`, and `left`
    when the line first said otherwise than what was taken. Until it `is_sure` it has to be looked at;
    at `odd_since` it was something else than the last edge had said, so one is late, or for `WINDOW` lost.
    Before `closed_until` nothing more is taken; edges have come without a pause since `busy_since`.
    `presses` are the times of the last ones.
    """

    is_down: bool
    since: float
    level: bool
    heard: float
    busy_since: float
    left: float = -math.inf
    is_sure: bool = True
    odd_since: float = -math.inf
    closed_until: float = -math.inf
    presses: tuple[float, ...] = ()
    trouble: Trouble | None = None

    @property
    def due(self) -> float:
        """When `looked` is to be called, if no edge comes before; infinity: not at all."""
        if self.trouble == "chatters":
            return self.heard + CHATTERS_AFTER
        if not self.is_sure:
            return max(self.rested_at, self.odd_since + WINDOW)
        return self.since + STUCK_AFTER if self.is_down and self.trouble is None else math.inf

    @property
    def rested_at(self) -> float:
        """When what the last edge said counts, if no other comes before."""
        return max(self.heard + RESTS, self.closed_until)

    @property
    def in_doubt_since(self) -> float:
        """From this time on something may yet come to be taken; infinity: nothing that was heard so far."""
        return self.left if not self.is_sure and self.left > self.since else math.inf


def begun(at: float, *, is_down: bool) -> LineState:
    """A line as it was found; who leaned on the button then has pressed nothing."""
    return LineState(is_down, at, is_down, at, at)


def edge(line: LineState, at: float, *, is_down: bool) -> tuple[LineState, list[News]]:
    """The kernel saw the line change at that time."""
    news: list[News] = []
    if not line.is_sure and at >= line.rested_at:
        line, news = _settled(line)
    line = _heard(line, at, is_down)
    if line.trouble != "chatters" and at - line.busy_since >= CHATTERS_AFTER:
        return _chatters(line), [*news, Fault("chatters")]
    return line, news


def looked(line: LineState, now: float, *, is_down: bool) -> tuple[LineState, list[News]]:
    """It is time, no edge waits, and the line was read: what edges didn't say counts now."""
    if now < line.due:
        return line, []
    if line.trouble == "chatters":
        return begun(now, is_down=is_down), [Fault(None)]
    if is_down != line.level and line.odd_since == -math.inf:
        return replace(line, is_sure=False, odd_since=now), []
    if is_down != line.level:
        line = _heard(line, line.odd_since, is_down)
    if not line.is_sure:
        return _settled(line)
    return replace(line, trouble="stuck"), [Fault("stuck")]


def _heard(line: LineState, at: float, is_down: bool) -> LineState:  # noqa: FBT001 - the level
    rested = line.level == line.is_down and at - line.heard >= RESTS
    is_new = is_down != line.is_down and (rested or at - line.left >= WINDOW)
    return replace(
        line,
        level=is_down,
        heard=at,
        left=at if is_new else line.left,
        is_sure=line.trouble == "chatters",
        odd_since=-math.inf,
        busy_since=line.busy_since if at - line.heard < PAUSE else at,
    )


def _settled(line: LineState) -> tuple[LineState, list[News]]:
    """It has rested so long that it counts what it says."""
    if line.level == line.is_down:
        return replace(line, is_sure=True, odd_since=-math.inf), []
    at, mended = line.left, [Fault(None)] if line.trouble == "stuck" else []
    presses = (*line.presses, at)[-MOST - 1 :] if line.level else line.presses
    # It stays unsure: what it does until the window is over may be heard badly.
    line = replace(
        line, is_down=line.level, since=at, closed_until=at + WINDOW, presses=presses, trouble=None
    )
    if line.is_down and len(presses) > MOST and at - presses[0] < SECOND:
        return _chatters(line), [*mended, Fault("chatters")]
    return line, [Change(line.is_down, at), *mended]


def _chatters(line: LineState) -> LineState:
    return replace(line, trouble="chatters", is_down=False, is_sure=True)
