"""The panel lies among the cards: strips along the edges where their people sit, the question turned to one.

A side is so many quarters that its people's view is turned: 0 below, 1 at the right, 2 above, 3 at the left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.table.seats import Seat
from ui import theme
from ui.plans.column import column, least
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
LONGEST = 5.5
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
    thick = {side: _thick(strips, width if side % 2 == 0 else height) for side, strips in at.items()}
    margins = {side: deep + gap if deep else 0.0 for side, deep in thick.items()}
    _edge(at[LEFT], (x, y, thick[LEFT], height), LEFT)
    _edge(at[RIGHT], (x + width - thick[RIGHT], y, thick[RIGHT], height), RIGHT)
    inner = width - margins[LEFT] - margins[RIGHT]
    _edge(at[BELOW], (x + margins[LEFT], y, inner, thick[BELOW]), BELOW)
    _edge(at[ABOVE], (x + margins[LEFT], y + height - thick[ABOVE], inner, thick[ABOVE]), ABOVE)
    middle = (x + margins[LEFT], y + margins[BELOW], inner, height - margins[BELOW] - margins[ABOVE])
    asked = [strip.seat for strip in parts.strips if strip.standing.asked]
    long_side = BELOW if width >= height else RIGHT
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
    across = parts.turn.wish(width - left)[0]
    if twice and least(parts, width - left) + across + gap <= height - bottom:
        height -= across + gap
        frame(parts.across, (left, height + gap, width - left, across), 2)
        fill(parts.across)
    else:
        hide(parts.across)
    column(parts, (left, bottom, width - left, height - bottom))
