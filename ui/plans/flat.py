"""The panel lies among the cards: strips along the edges where their people sit, the question turned to one.

A side is so many quarters that its people's view is turned: 0 below, 1 at the right, 2 above, 3 at the left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.table.seats import Seat
from ui import theme
from ui.plans.column import (
    MAX_COMPLETE_LEVEL,
    MAX_ESSENTIAL_LEVEL,
    NOTHING_FITS,
    arrange_in_one_column,
    arrange_in_two_columns,
    omission_level,
)
from ui.plans.parts import PlayWidgets, fill_frame, hide_widgets, place_frame, place_panel, place_widget
from ui.plans.strips import line_heights, set_detail_level
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.panel_columns import MAX_DETAILED_SEATS
from ui.widgets.seats.panel_layout import DETAIL_LEVELS, DetailLevel
from ui.widgets.seats.player_panel import PlayerPanel

BELOW, RIGHT, ABOVE, LEFT = range(4)
SEATS_BY_SIDE = {
    2: (1, 0, 1, 0),
    3: (1, 1, 0, 1),
    4: (1, 1, 1, 1),
    5: (1, 1, 2, 1),
    6: (2, 1, 2, 1),
    7: (2, 1, 3, 1),
    8: (3, 1, 3, 1),
    9: (3, 1, 4, 1),
    10: (3, 2, 3, 2),
    11: (3, 2, 4, 2),
    12: (4, 2, 4, 2),
}
"""How many sit below, at the left, above and at the right who said nothing else: clockwise, from below."""
TWO_COLUMNS_RATIO = 1.6
"""Ratio of width to height from which the question stands beside its answer."""
MAX_PANEL_TARGETS = 9
"""Targets that a strip is long at most."""
MAX_DEPTH_TARGETS = 1.7
"""Targets that the strips of a side may be deep before many of them are brief."""


def usual_sides(people: int, *, upright: bool = False) -> Sequence[int]:
    """The sides of so many people, clockwise round the table; many sit at the long ones."""
    below, left, above, right = SEATS_BY_SIDE.get(people, (people, 0, 0, 0))
    if upright and people > MAX_DETAILED_SEATS:
        below, left, above, right = left, below, right, above
    return (BELOW,) * below + (LEFT,) * left + (ABOVE,) * above + (RIGHT,) * right


def sides_of_seats(
    seats: Sequence[Seat], chosen: Mapping[Seat, int], *, upright: bool = False
) -> dict[Seat, int]:
    """Everybody's side: the chosen one, else the usual."""
    usually = usual_sides(len(seats), upright=upright)
    return {one: chosen.get(one, side) for one, side in zip(seats, usually, strict=True)}


def arrange_flat(parts: PlayWidgets, box: Box, sides: Mapping[Seat, int]) -> None:
    """Strips at the edges, each turned to its owner; in the middle what is asked, turned to who is asked.

    A question to the whole table can be read from both long sides. One that has no room turned to a short
    side, or none beside what it is about, faces a long one where it has.
    """
    at = {side: [strip for strip in parts.panels if sides[strip.seat] == side] for side in range(4)}
    x, y, width, height = box
    long_side = BELOW if width >= height else RIGHT
    asked = [strip.seat for strip in parts.panels if strip.status.is_asked]
    facing = sides[asked[0]] if len(asked) == 1 else long_side
    left_out_so = _tell(parts, at, (width, height), facing)
    if left_out_so > MAX_ESSENTIAL_LEVEL and facing % 2 != long_side % 2:
        if _tell(parts, at, (width, height), long_side) < left_out_so or left_out_so == NOTHING_FITS:
            facing = long_side
        else:
            _tell(parts, at, (width, height), facing)
    thick = _depths(at, width, height)
    left, right, below, above = _margins(thick)
    middle = (x + left, y + below, width - left - right, height - below - above)
    across = (x, width) if long_side == RIGHT else (middle[0], middle[2])
    along = (y, height) if long_side == BELOW else (middle[1], middle[3])
    _edge(at[LEFT], (x, along[0], thick[LEFT], along[1]), LEFT)
    _edge(at[RIGHT], (x + width - thick[RIGHT], along[0], thick[RIGHT], along[1]), RIGHT)
    _edge(at[BELOW], (across[0], y, across[1], thick[BELOW]), BELOW)
    _edge(at[ABOVE], (across[0], y + height - thick[ABOVE], across[1], thick[ABOVE]), ABOVE)
    place_frame(parts.centre, middle, facing)
    _centre(parts, *parts.centre.inner, twice=len(asked) != 1)


def _margins(thick: Mapping[int, float]) -> tuple[float, float, float, float]:
    """What the strips take at the left, at the right, below and above."""
    left, right, below, above = (
        thick[side] + theme.length.gap if thick[side] else 0.0 for side in (LEFT, RIGHT, BELOW, ABOVE)
    )
    return left, right, below, above


def _tell(
    parts: PlayWidgets, at: Mapping[int, Sequence[PlayerPanel]], size: tuple[float, float], facing: int
) -> int:
    """Lets the strips say everything, or no more than leaves room for what is asked; how much has none.

    Many are brief, too, where they would be too deep, or leave the keys at the edge of the middle too little.
    """
    strips = [strip for side in at.values() for strip in side]
    tries: dict[DetailLevel, int] = {}
    for brief in DETAIL_LEVELS:
        set_detail_level(strips, detail_level=brief)
        deep = _depths(at, *size)
        left, right, below, above = _margins(deep)
        inner = (size[0] - left - right, size[1] - below - above)
        width, height = inner if facing in (BELOW, ABOVE) else reversed(inner)
        is_thin = (
            len(strips) <= MAX_DETAILED_SEATS or max(deep.values()) <= theme.length.target * MAX_DEPTH_TARGETS
        )
        bar, wide, high = _bar(width, height)
        if is_thin and bar >= parts.bar.least - 1:
            tries[brief] = _asked(parts, wide, high)[0]
        if tries.get(brief, NOTHING_FITS) <= MAX_COMPLETE_LEVEL:
            break
    least = min(tries.values(), default=NOTHING_FITS)
    fitting = [brief for brief, left_out in tries.items() if left_out == least < NOTHING_FITS]
    set_detail_level(strips, detail_level=fitting[0] if fitting else DETAIL_LEVELS[-1])
    return least


def _depths(at: Mapping[int, Sequence[PlayerPanel]], width: float, height: float) -> dict[int, float]:
    """How deep the strips of each side are.

    The short sides have the whole edge, the long ones what is left: the longer a strip, the thinner it is.
    """
    ends, long_sides = ((LEFT, RIGHT), (BELOW, ABOVE)) if width >= height else ((BELOW, ABOVE), (LEFT, RIGHT))
    deep = {side: _thick(at[side], min(width, height)) for side in ends}
    inner = max(width, height) - sum(each + theme.length.gap for each in deep.values() if each)
    return deep | {side: _thick(at[side], inner) for side in long_sides}


def _thick(strips: Sequence[PlayerPanel], along: float) -> float:
    """How high the strips of one side are, for who reads them."""
    if not strips:
        return 0.0
    rows, gap = _rows(strips, along), theme.length.gap
    width = _long(-(-len(strips) // rows), along)
    high = max(strip.needed_height(width, line_heights()[-1]) for strip in strips)
    return rows * (high + gap) - gap


def _rows(strips: Sequence[PlayerPanel], along: float) -> int:
    """In how many rows many strips of one side stand: as few as leave each the width it needs."""
    if len(strips) <= MAX_DETAILED_SEATS:
        return 1
    tries = (rows for rows in range(1, len(strips)))
    wide = (rows for rows in tries if _have_width(strips, _long(-(-len(strips) // rows), along)))
    return next(wide, len(strips))


def _have_width(strips: Sequence[PlayerPanel], width: float) -> bool:
    return not any(strip.is_too_narrow(width) for strip in strips)


def _long(count: int, along: float) -> float:
    gap = theme.length.gap
    return min(theme.length.target * MAX_PANEL_TARGETS, (along - gap * (count - 1)) / count)


def _edge(strips: Sequence[PlayerPanel], box: Box, side: int) -> None:
    """Strips along one edge, in the middle of it; clockwise, so that neighbours stay neighbours."""
    x, y, width, height = box
    upright = side % 2 == 1
    along, deep = (height, width) if upright else (width, height)
    if not strips:
        return
    rows, gap = _rows(strips, along), theme.length.gap
    count, high = -(-len(strips) // rows), (deep + gap) / rows - gap
    long = _long(count, along)
    order = list(strips) if side in (ABOVE, LEFT) else list(reversed(strips))
    for row in range(rows):
        beside = order[row * count : (row + 1) * count]
        start = (along - long * len(beside) - gap * (len(beside) - 1)) / 2
        for at, strip in enumerate(beside):
            strip.line_height, strip.extra_height = line_heights()[-1], 0.0
            down, aside = start + at * (long + gap), row * (high + gap)
            there = (x + aside, y + down, high, long) if upright else (x + down, y + aside, long, high)
            place_panel(strip, there, side)


def _bar(width: float, height: float) -> tuple[float, float, float]:
    """How long the signs' bar is at the left, or below where it is higher than wide; what is left of both."""
    taken = theme.length.target + theme.length.gap
    return (height, width - taken, height) if width > height else (width, width, height - taken)


def _asked(parts: PlayWidgets, wide: float, high: float) -> tuple[int, bool]:
    """How much is left out there at least, and whether for that what is asked stands beside its answer."""
    is_wide = wide > high * TWO_COLUMNS_RATIO
    first = omission_level(parts, wide, high, in_two_columns=is_wide)
    if first <= MAX_COMPLETE_LEVEL:
        return first, is_wide
    second = omission_level(parts, wide, high, in_two_columns=not is_wide)
    return (first, is_wide) if first <= second else (second, not is_wide)


def _centre(parts: PlayWidgets, width: float, height: float, *, twice: bool) -> None:
    """Signs, question and middle as there is room: side by side, or below each other.

    `twice`: the question stands at the far side too, turned to who sits there, where there is room for it.
    """
    gap, target = theme.length.gap, theme.length.target
    bar, wide, high = _bar(width, height)
    is_upright = width > height
    parts.bar.orientation = "vertical" if is_upright else "horizontal"
    place_widget(parts.bar, 0, 0, target if is_upright else bar, bar if is_upright else target)
    left, bottom = width - wide, height - high
    across = parts.question.height_range(wide)[0] + gap
    if twice and _asked(parts, wide, high - across)[0] <= MAX_COMPLETE_LEVEL:
        high -= across
        place_frame(parts.question_across, (left, bottom + high + gap, wide, across - gap), 2)
        fill_frame(parts.question_across)
    else:
        hide_widgets(parts.question_across)
    _, beside = _asked(parts, wide, high)
    (arrange_in_two_columns if beside else arrange_in_one_column)(parts, (left, bottom, wide, high))
