"""The layout of a screen that lies flat on the table: panels along the edges, where their players sit.

A side is the number of quarter turns by which its people see the screen turned: 0 below, 1 at the right,
2 above, 3 at the left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.table.seats import Seat
from ui import theme
from ui.layouts.column import (
    LEVEL_IF_NOTHING_FITS,
    MAX_COMPLETE_LEVEL,
    MAX_ESSENTIAL_LEVEL,
    arrange_in_one_column,
    arrange_in_two_columns,
    omission_level,
)
from ui.layouts.panels import candidate_line_heights, set_detail_level
from ui.layouts.play_widgets import (
    PlayWidgets,
    fill_frame,
    hide_widgets,
    place_panel,
    place_turned_frame,
    place_widget,
)
from ui.widgets.drawing.surfaces import Box
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.panel_layout import DETAIL_LEVELS, DetailLevel
from ui.widgets.seats.player_panel import PlayerPanel

BELOW, RIGHT, ABOVE, LEFT = range(4)
SIDE_SEAT_COUNTS_BY_PLAYER_COUNT = {
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
"""How many seats are usually at each side of the table, by number of players.

The sides are below, at the left, above and at the right (clockwise).
"""
MIN_TWO_COLUMN_ASPECT_RATIO = 1.6
"""The least ratio of width to height for two columns, with the answer beside the question.

From this ratio on two columns are preferred.
"""
MAX_PANEL_LENGTH_IN_TARGETS = 9
"""The greatest length of a panel along its edge, in touch targets."""
MAX_PANEL_DEPTH_IN_TARGETS = 1.7
"""The greatest depth of a side's panels in a large group, in touch targets; deeper panels show less."""


def default_sides(player_count: int, *, is_portrait: bool = False) -> Sequence[int]:
    """Returns the default side of each player, clockwise round the table.

    Large groups fill the long sides.
    """
    below, left, above, right = SIDE_SEAT_COUNTS_BY_PLAYER_COUNT.get(player_count, (player_count, 0, 0, 0))
    if is_portrait and player_count > MAX_FULL_DETAIL_PANELS:
        below, left, above, right = left, below, right, above
    return (BELOW,) * below + (LEFT,) * left + (ABOVE,) * above + (RIGHT,) * right


def assign_sides(
    seats: Sequence[Seat], chosen_side_by_seat: Mapping[Seat, int], *, is_portrait: bool = False
) -> dict[Seat, int]:
    """Returns the side of each seat: the chosen one, else the usual one."""
    usually = default_sides(len(seats), is_portrait=is_portrait)
    return {one: chosen_side_by_seat.get(one, side) for one, side in zip(seats, usually, strict=True)}


def arrange_flat_screen(parts: PlayWidgets, box: Box, side_by_seat: Mapping[Seat, int]) -> None:
    """Arranges a flat screen: panels along the edges, the question between them.

    Panels are turned to their players. The question faces the asked player; a question to the whole
    table can be read from both long sides. If the question has no room turned to a short side, or
    none beside what it is about, it faces a long side with room.
    """
    at = {side: [panel for panel in parts.panels if side_by_seat[panel.seat] == side] for side in range(4)}
    x, y, width, height = box
    long_side = BELOW if width >= height else RIGHT
    asked = [panel.seat for panel in parts.panels if panel.status.is_asked]
    facing = side_by_seat[asked[0]] if len(asked) == 1 else long_side
    omitted = _choose_detail_level(parts, at, (width, height), facing)
    if omitted > MAX_ESSENTIAL_LEVEL and facing % 2 != long_side % 2:
        if (
            _choose_detail_level(parts, at, (width, height), long_side) < omitted
            or omitted == LEVEL_IF_NOTHING_FITS
        ):
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
    place_turned_frame(parts.centre, middle, facing)
    _arrange_centre(parts, *parts.centre.inner_size, is_twice=len(asked) != 1)


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
            len(panels) <= MAX_FULL_DETAIL_PANELS
            or max(depths.values()) <= theme.length.target * MAX_PANEL_DEPTH_IN_TARGETS
        )
        bar, wide, high = _bar_and_rest(width, height)
        if is_thin and bar >= parts.bar.min_length - 1:
            tries[detail_level] = _least_omission(parts, wide, high)[0]
        if tries.get(detail_level, LEVEL_IF_NOTHING_FITS) <= MAX_COMPLETE_LEVEL:
            break
    least = min(tries.values(), default=LEVEL_IF_NOTHING_FITS)
    fitting = [
        detail_level for detail_level, omitted in tries.items() if omitted == least < LEVEL_IF_NOTHING_FITS
    ]
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
    high = max(panel.needed_height(width, candidate_line_heights()[-1]) for panel in panels)
    return rows * (high + gap) - gap


def _count_rows(panels: Sequence[PlayerPanel], along: float) -> int:
    """Returns the number of rows of one side's panels: the fewest that leave each panel enough width."""
    if len(panels) <= MAX_FULL_DETAIL_PANELS:
        return 1
    tries = (rows for rows in range(1, len(panels)))
    wide = (rows for rows in tries if _are_wide_enough(panels, _panel_length(-(-len(panels) // rows), along)))
    return next(wide, len(panels))


def _are_wide_enough(panels: Sequence[PlayerPanel], width: float) -> bool:
    return not any(panel.is_too_narrow(width) for panel in panels)


def _panel_length(count: int, along: float) -> float:
    gap = theme.length.gap
    return min(theme.length.target * MAX_PANEL_LENGTH_IN_TARGETS, (along - gap * (count - 1)) / count)


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
            panel.line_height, panel.extra_height = candidate_line_heights()[-1], 0.0
            down, aside = start + at * (long + gap), row * (high + gap)
            there = (x + aside, y + down, high, long) if upright else (x + down, y + aside, long, high)
            place_panel(panel, there, side)


def _bar_and_rest(width: float, height: float) -> tuple[float, float, float]:
    """Returns the length of the bar (at the left, or below if that is higher than wide) and what is left."""
    taken = theme.length.target + theme.length.gap
    return (height, width - taken, height) if width > height else (width, width, height - taken)


def _least_omission(parts: PlayWidgets, wide: float, high: float) -> tuple[int, bool]:
    """Returns the least omission level, and whether the answer stands beside the question for it."""
    is_wide = wide > high * MIN_TWO_COLUMN_ASPECT_RATIO
    first = omission_level(parts, wide, high, in_two_columns=is_wide)
    if first <= MAX_COMPLETE_LEVEL:
        return first, is_wide
    second = omission_level(parts, wide, high, in_two_columns=not is_wide)
    return (first, is_wide) if first <= second else (second, not is_wide)


def _arrange_centre(parts: PlayWidgets, width: float, height: float, *, is_twice: bool) -> None:
    """Places bar, question and answer in the middle, side by side or below each other.

    `is_twice`: the question is at the far side too, turned to the people there, if there is room.
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
        place_turned_frame(parts.opposite_question, (left, bottom + high + gap, wide, across - gap), 2)
        fill_frame(parts.opposite_question)
    else:
        hide_widgets(parts.opposite_question)
    _, beside = _least_omission(parts, wide, high)
    (arrange_in_two_columns if beside else arrange_in_one_column)(parts, (left, bottom, wide, high))
