"""The layout of a screen that lies among the cards: panels along the edges, where their players sit.

A side is the number of quarters by which its people see the screen turned: 0 below, 1 at the right, 2 above,
3 at the left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.table.seats import Seat
from ui import theme
from ui.layouts.column import (
    MAX_COMPLETE_LEVEL,
    MAX_ESSENTIAL_LEVEL,
    NOTHING_FITS,
    arrange_in_one_column,
    arrange_in_two_columns,
    omission_level,
)
from ui.layouts.panels import line_heights, set_detail_level
from ui.layouts.play_widgets import (
    PlayWidgets,
    fill_frame,
    hide_widgets,
    place_frame,
    place_panel,
    place_widget,
)
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
"""Usual numbers of people below, at the left, above and at the right: clockwise, from below."""
TWO_COLUMNS_RATIO = 1.6
"""Ratio of width to height from which the question rather stands beside its answer."""
MAX_PANEL_TARGETS = 9
"""The greatest length of a panel, in targets."""
MAX_DEPTH_TARGETS = 1.7
"""The greatest depth of the panels of a side in a large group, in targets; deeper ones show less."""


def usual_sides(people: int, *, upright: bool = False) -> Sequence[int]:
    """Returns the usual side of each person, clockwise round the table; large groups fill the long sides."""
    below, left, above, right = SEATS_BY_SIDE.get(people, (people, 0, 0, 0))
    if upright and people > MAX_DETAILED_SEATS:
        below, left, above, right = left, below, right, above
    return (BELOW,) * below + (LEFT,) * left + (ABOVE,) * above + (RIGHT,) * right


def sides_of_seats(
    seats: Sequence[Seat], chosen: Mapping[Seat, int], *, upright: bool = False
) -> dict[Seat, int]:
    """Returns the side of each seat: the chosen one, else the usual one."""
    usually = usual_sides(len(seats), upright=upright)
    return {one: chosen.get(one, side) for one, side in zip(seats, usually, strict=True)}


def arrange_flat(parts: PlayWidgets, box: Box, sides: Mapping[Seat, int]) -> None:
    """Places panels at the edges, turned to their players, and between them the question.

    The question faces the one who is asked; a question to the whole table can be read from both long sides.
    If it has no room turned to a short side, or none beside what it is about, it faces a long side if it has
    room there.
    """
    at = {side: [panel for panel in parts.panels if sides[panel.seat] == side] for side in range(4)}
    x, y, width, height = box
    long_side = BELOW if width >= height else RIGHT
    asked = [panel.seat for panel in parts.panels if panel.status.is_asked]
    facing = sides[asked[0]] if len(asked) == 1 else long_side
    omitted = _choose_detail_level(parts, at, (width, height), facing)
    if omitted > MAX_ESSENTIAL_LEVEL and facing % 2 != long_side % 2:
        if _choose_detail_level(parts, at, (width, height), long_side) < omitted or omitted == NOTHING_FITS:
            facing = long_side
        else:
            _choose_detail_level(parts, at, (width, height), facing)
    depths = _depths(at, width, height)
    left, right, below, above = _margins(depths)
    middle = (x + left, y + below, width - left - right, height - below - above)
    across = (x, width) if long_side == RIGHT else (middle[0], middle[2])
    along = (y, height) if long_side == BELOW else (middle[1], middle[3])
    _arrange_side(at[LEFT], (x, along[0], depths[LEFT], along[1]), LEFT)
    _arrange_side(at[RIGHT], (x + width - depths[RIGHT], along[0], depths[RIGHT], along[1]), RIGHT)
    _arrange_side(at[BELOW], (across[0], y, across[1], depths[BELOW]), BELOW)
    _arrange_side(at[ABOVE], (across[0], y + height - depths[ABOVE], across[1], depths[ABOVE]), ABOVE)
    place_frame(parts.centre, middle, facing)
    _arrange_centre(parts, *parts.centre.inner, is_twice=len(asked) != 1)


def _margins(depths: Mapping[int, float]) -> tuple[float, float, float, float]:
    """Returns what the panels take at the left, at the right, below and above."""
    left, right, below, above = (
        depths[side] + theme.length.gap if depths[side] else 0.0 for side in (LEFT, RIGHT, BELOW, ABOVE)
    )
    return left, right, below, above


def _choose_detail_level(
    parts: PlayWidgets, at: Mapping[int, Sequence[PlayerPanel]], size: tuple[float, float], facing: int
) -> int:
    """Sets the highest level of detail at which the least of the question is left out. Returns how much is.

    Panels of a large group show less, too, if they would be too deep or leave the bar too short.
    """
    panels = [panel for side in at.values() for panel in side]
    tries: dict[DetailLevel, int] = {}
    for detail_level in DETAIL_LEVELS:
        set_detail_level(panels, detail_level=detail_level)
        depths = _depths(at, *size)
        left, right, below, above = _margins(depths)
        inner = (size[0] - left - right, size[1] - below - above)
        width, height = inner if facing in (BELOW, ABOVE) else reversed(inner)
        is_thin = (
            len(panels) <= MAX_DETAILED_SEATS
            or max(depths.values()) <= theme.length.target * MAX_DEPTH_TARGETS
        )
        bar, wide, high = _bar_and_rest(width, height)
        if is_thin and bar >= parts.bar.least - 1:
            tries[detail_level] = _least_omission(parts, wide, high)[0]
        if tries.get(detail_level, NOTHING_FITS) <= MAX_COMPLETE_LEVEL:
            break
    least = min(tries.values(), default=NOTHING_FITS)
    fitting = [detail_level for detail_level, omitted in tries.items() if omitted == least < NOTHING_FITS]
    set_detail_level(panels, detail_level=fitting[0] if fitting else DETAIL_LEVELS[-1])
    return least


def _depths(at: Mapping[int, Sequence[PlayerPanel]], width: float, height: float) -> dict[int, float]:
    """Returns how deep the panels of each side are.

    The short sides have the whole edge, the long sides what is left: the longer a panel, the thinner it is.
    """
    ends, long_sides = ((LEFT, RIGHT), (BELOW, ABOVE)) if width >= height else ((BELOW, ABOVE), (LEFT, RIGHT))
    depths = {side: _depth(at[side], min(width, height)) for side in ends}
    inner = max(width, height) - sum(each + theme.length.gap for each in depths.values() if each)
    return depths | {side: _depth(at[side], inner) for side in long_sides}


def _depth(panels: Sequence[PlayerPanel], along: float) -> float:
    """Returns how deep the panels of one side are."""
    if not panels:
        return 0.0
    rows, gap = _count_rows(panels, along), theme.length.gap
    width = _panel_length(-(-len(panels) // rows), along)
    high = max(panel.needed_height(width, line_heights()[-1]) for panel in panels)
    return rows * (high + gap) - gap


def _count_rows(panels: Sequence[PlayerPanel], along: float) -> int:
    """Returns in how many rows the panels of one side stand: as few as leave each the width it needs."""
    if len(panels) <= MAX_DETAILED_SEATS:
        return 1
    tries = (rows for rows in range(1, len(panels)))
    wide = (rows for rows in tries if _are_wide_enough(panels, _panel_length(-(-len(panels) // rows), along)))
    return next(wide, len(panels))


def _are_wide_enough(panels: Sequence[PlayerPanel], width: float) -> bool:
    return not any(panel.is_too_narrow(width) for panel in panels)


def _panel_length(count: int, along: float) -> float:
    gap = theme.length.gap
    return min(theme.length.target * MAX_PANEL_TARGETS, (along - gap * (count - 1)) / count)


def _arrange_side(panels: Sequence[PlayerPanel], box: Box, side: int) -> None:
    """Places panels along one edge, centred and clockwise, so that neighbours stay neighbours."""
    x, y, width, height = box
    upright = side % 2 == 1
    along, depth = (height, width) if upright else (width, height)
    if not panels:
        return
    rows, gap = _count_rows(panels, along), theme.length.gap
    count, high = -(-len(panels) // rows), (depth + gap) / rows - gap
    long = _panel_length(count, along)
    order = list(panels) if side in (ABOVE, LEFT) else list(reversed(panels))
    for row in range(rows):
        beside = order[row * count : (row + 1) * count]
        start = (along - long * len(beside) - gap * (len(beside) - 1)) / 2
        for at, panel in enumerate(beside):
            panel.line_height, panel.extra_height = line_heights()[-1], 0.0
            down, aside = start + at * (long + gap), row * (high + gap)
            there = (x + aside, y + down, high, long) if upright else (x + down, y + aside, long, high)
            place_panel(panel, there, side)


def _bar_and_rest(width: float, height: float) -> tuple[float, float, float]:
    """Returns the length of the bar (at the left, or below if that is higher than wide) and what is left."""
    taken = theme.length.target + theme.length.gap
    return (height, width - taken, height) if width > height else (width, width, height - taken)


def _least_omission(parts: PlayWidgets, wide: float, high: float) -> tuple[int, bool]:
    """Returns the least omission level, and whether the answer stands beside the question for it."""
    is_wide = wide > high * TWO_COLUMNS_RATIO
    first = omission_level(parts, wide, high, in_two_columns=is_wide)
    if first <= MAX_COMPLETE_LEVEL:
        return first, is_wide
    second = omission_level(parts, wide, high, in_two_columns=not is_wide)
    return (first, is_wide) if first <= second else (second, not is_wide)


def _arrange_centre(parts: PlayWidgets, width: float, height: float, *, is_twice: bool) -> None:
    """Places bar, question and answer in the middle, side by side or below each other.

    `is_twice`: the question stands at the far side too, turned to the people there, if there is room.
    """
    gap, target = theme.length.gap, theme.length.target
    bar, wide, high = _bar_and_rest(width, height)
    is_upright = width > height
    parts.bar.orientation = "vertical" if is_upright else "horizontal"
    place_widget(parts.bar, 0, 0, target if is_upright else bar, bar if is_upright else target)
    left, bottom = width - wide, height - high
    across = parts.question.height_range(wide)[0] + gap
    if is_twice and _least_omission(parts, wide, high - across)[0] <= MAX_COMPLETE_LEVEL:
        high -= across
        place_frame(parts.question_across, (left, bottom + high + gap, wide, across - gap), 2)
        fill_frame(parts.question_across)
    else:
        hide_widgets(parts.question_across)
    _, beside = _least_omission(parts, wide, high)
    (arrange_in_two_columns if beside else arrange_in_one_column)(parts, (left, bottom, wide, high))
