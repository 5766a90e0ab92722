"""The panel lies among the cards: strips along the edges where their people sit, the question turned to one.

A side is so many quarters that its people's view is turned: 0 below, 1 at the right, 2 above, 3 at the left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.table.seats import Seat
from ui import theme
from ui.plans.column import column, columns, needed
from ui.plans.parts import Parts, fill, frame, hide, put, seat
from ui.plans.strips import units
from ui.widgets.drawing.drawn import Box
from ui.widgets.seats.strip import Strip

BELOW, RIGHT, ABOVE, LEFT = range(4)
ROUND = {
    2: (BELOW, ABOVE),
    3: (BELOW, LEFT, RIGHT),
    4: (BELOW, LEFT, ABOVE, RIGHT),
    5: (BELOW, LEFT, ABOVE, ABOVE, RIGHT),
}
"""Where people sit who said nothing else: clockwise, from below."""
TWO_COLUMNS = 1.6
"""So many times as wide as high, and what is asked stands beside its answer."""
LONGEST = 9
"""Targets that a strip is long at most."""


def usual(people: int) -> Sequence[int]:
    """The sides of so many people, clockwise round the table."""
    return ROUND.get(people, (BELOW,) * people)


def sides(seats: Sequence[Seat], chosen: Mapping[Seat, int]) -> dict[Seat, int]:
    """Everybody's side: the chosen one, else the usual."""
    return {one: chosen.get(one, side) for one, side in zip(seats, usual(len(seats)), strict=True)}


def flat(parts: Parts, box: Box, where: Mapping[Seat, int]) -> None:
    """Strips at the edges, each turned to its owner; in the middle what is asked, turned to who is asked.

    A question to the whole table can be read from both long sides.
    """
    at = {side: [strip for strip in parts.strips if where[strip.seat] == side] for side in range(4)}
    gap = theme.length.gap
    x, y, width, height = box
    # The short sides have the whole edge, the long ones what is left: the longer a strip, the thinner it is.
    long_side = BELOW if width >= height else RIGHT
    ends, sides_ = ((LEFT, RIGHT), (BELOW, ABOVE)) if long_side == BELOW else ((BELOW, ABOVE), (LEFT, RIGHT))
    thick = {side: _thick(at[side], min(width, height)) for side in ends}
    inner = max(width, height) - sum(deep + gap for deep in thick.values() if deep)
    thick |= {side: _thick(at[side], inner) for side in sides_}
    margins = (thick[side] + gap if thick[side] else 0.0 for side in (LEFT, RIGHT, BELOW, ABOVE))
    left, right, below, above = margins
    middle = (x + left, y + below, width - left - right, height - below - above)
    across = (x, width) if long_side == RIGHT else (middle[0], middle[2])
    along = (y, height) if long_side == BELOW else (middle[1], middle[3])
    _edge(at[LEFT], (x, along[0], thick[LEFT], along[1]), LEFT)
    _edge(at[RIGHT], (x + width - thick[RIGHT], along[0], thick[RIGHT], along[1]), RIGHT)
    _edge(at[BELOW], (across[0], y, across[1], thick[BELOW]), BELOW)
    _edge(at[ABOVE], (across[0], y + height - thick[ABOVE], across[1], thick[ABOVE]), ABOVE)
    asked = [strip.seat for strip in parts.strips if strip.standing.asked]
    frame(parts.centre, middle, where[asked[0]] if len(asked) == 1 else long_side)
    _centre(parts, *parts.centre.inner, twice=len(asked) != 1)


def _thick(strips: Sequence[Strip], along: float) -> float:
    """How high the strips of one side are, for who reads them."""
    if not strips:
        return 0.0
    width = _long(strips, along)
    return max(strip.high(width, units()[-1]) for strip in strips)


def _long(strips: Sequence[Strip], along: float) -> float:
    gap = theme.length.gap
    return min(theme.length.target * LONGEST, (along - gap * (len(strips) - 1)) / len(strips))


def _edge(strips: Sequence[Strip], box: Box, side: int) -> None:
    """Strips along one edge, in the middle of it; clockwise, so that neighbours stay neighbours."""
    x, y, width, height = box
    upright = side % 2 == 1
    along, gap = height if upright else width, theme.length.gap
    if not strips:
        return
    long = _long(strips, along)
    start = (along - long * len(strips) - gap * (len(strips) - 1)) / 2
    order = list(strips) if side in (ABOVE, LEFT) else list(reversed(strips))
    for at, strip in enumerate(order):
        strip.unit = units()[-1]
        down = start + at * (long + gap)
        seat(strip, (x, y + down, width, long) if upright else (x + down, y, long, height), side)


def _centre(parts: Parts, width: float, height: float, *, twice: bool) -> None:
    """Signs, question and middle as there is room: side by side, or below each other.

    `twice`: the question stands at the far side too, turned to who sits there, where there is room for it.
    """
    gap, target = theme.length.gap, theme.length.target
    left = bottom = 0.0
    if width > height:
        parts.bar.orientation = "vertical"
        put(parts.bar, 0, 0, target, height)
        left = target + gap
    else:
        parts.bar.orientation = "horizontal"
        put(parts.bar, 0, 0, width, target)
        bottom = target + gap
    wide, high = width - left, height - bottom
    across = parts.turn.wish(wide)[0] + gap
    beside = wide > (high - (across if twice else 0)) * TWO_COLUMNS
    if twice and needed(parts, wide, high - across, beside=beside) <= high - across:
        high -= across
        frame(parts.across, (left, bottom + high + gap, wide, across - gap), 2)
        fill(parts.across)
    else:
        hide(parts.across)
    (columns if wide > high * TWO_COLUMNS else column)(parts, (left, bottom, wide, high))
