"""The layout of a screen that lies flat on the table: panels along the edges, where their players sit.

A side is the number of quarter turns by which its people see the screen turned: 0 below, 1 at the right,
2 above, 3 at the left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from companion.table.seats import Seat
from ui import theme
from ui.layouts.column import (
    MAX_ESSENTIAL_LEVEL,
    OMISSION_IF_NOTHING_FITS,
    Omission,
    arrange_in_one_column,
    arrange_in_two_columns,
    least_omission,
)
from ui.layouts.panels import choose_shape_and_line_height, set_detail_level
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
from ui.widgets.seats.panel_layout import DETAIL_LEVELS, DetailLevel, least_line_height
from ui.widgets.seats.player_panel import PlayerPanel

BELOW, RIGHT, ABOVE, LEFT = range(4)
DEFAULT_SEAT_COUNTS_PER_SIDE_BY_PLAYER_COUNT = {
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
MAX_CROWD_PANEL_DEPTH_IN_TARGETS = 1.7
"""The greatest depth of a side's panels in a large group, in touch targets; deeper panels show less."""
MOVED_PANEL_LENGTH_IN_TARGETS = 2.2
"""The length of a panel that makes room for a question at a short side, in touch targets."""


class FlatRoom(NamedTuple):
    """Where the panels of each side are, and the question."""

    box_by_side: Mapping[int, Box]
    centre: Box


def default_sides(player_count: int, *, is_portrait: bool = False) -> Sequence[int]:
    """Returns the default side of each player, clockwise round the table.

    Large groups fill the long sides.
    """
    below, left, above, right = DEFAULT_SEAT_COUNTS_PER_SIDE_BY_PLAYER_COUNT.get(
        player_count, (player_count, 0, 0, 0)
    )
    if is_portrait and player_count > MAX_FULL_DETAIL_PANELS:
        below, left, above, right = left, below, right, above
    return (BELOW,) * below + (LEFT,) * left + (ABOVE,) * above + (RIGHT,) * right


def assign_sides(
    seats: Sequence[Seat], chosen_side_by_seat: Mapping[Seat, int], *, is_portrait: bool = False
) -> dict[Seat, int]:
    """Returns the side of each seat: the chosen one, else the usual one."""
    default = default_sides(len(seats), is_portrait=is_portrait)
    return {seat: chosen_side_by_seat.get(seat, side) for seat, side in zip(seats, default, strict=True)}


def choose_side_to_face(sides: Collection[int], size: tuple[float, float], asked_side: int | None) -> int:
    """Returns the side that a screen faces: that of the only asked player, else one with players.

    `sides` are the sides with players. A long side comes first.
    """
    short_sides, long_sides = _short_and_long_sides(size)
    if asked_side is not None:
        return asked_side
    return next(side for side in (*long_sides, *short_sides) if side in sides)


def arrange_flat_screen(parts: PlayWidgets, box: Box, side_by_seat: Mapping[Seat, int]) -> None:
    """Arranges a flat screen: panels along the edges, the question between them.

    Panels are turned to their players. The question faces the asked player. If it has too little room at a
    short side, the panels of the long sides move away from there. Only a question that fits in no way faces
    another side. A question to the whole table can be read from both long sides, or from the short sides if
    nobody sits at a long one. What happened can be read from the opposite side too, if there is room.
    """
    panels_by_side = {
        side: [panel for panel in parts.panels if side_by_seat[panel.seat] == side] for side in range(4)
    }
    x, y, width, height = box
    asked_sides = [side_by_seat[panel.seat] for panel in parts.panels if panel.status.is_asked]
    asked_side = asked_sides[0] if len(asked_sides) == 1 else None
    facing, has_whole_depth = _choose_facing(parts, panels_by_side, (width, height), asked_side)
    room = _divide_room(panels_by_side, (width, height), facing if has_whole_depth else None)
    for side, panels in panels_by_side.items():
        side_x, side_y, side_width, side_height = room.box_by_side[side]
        _arrange_side(panels, (x + side_x, y + side_y, side_width, side_height), side)
    _set_shapes_and_line_heights(parts.panels)
    middle = (x + room.centre[0], y + room.centre[1], *room.centre[2:])
    place_turned_frame(parts.central_frame, middle, facing)
    _arrange_centre(
        parts,
        *parts.central_frame.inner_size,
        is_read_from_opposite=bool(panels_by_side[(facing + 2) % 4]),
        is_for_several=asked_side is None,
    )


def _choose_facing(
    parts: PlayWidgets,
    panels_by_side: Mapping[int, Sequence[PlayerPanel]],
    size: tuple[float, float],
    asked_side: int | None,
) -> tuple[int, bool]:
    """Returns the side that the question faces, and whether the panels beside it move away for it.

    Sets the level of detail for that. `asked_side` is where the only asked player sits; None for a question
    to several players.
    """
    long_sides = _short_and_long_sides(size)[1]
    taken_sides = [side for side, panels in panels_by_side.items() if panels]
    facing = choose_side_to_face(taken_sides, size, asked_side)
    omitted = _choose_detail_level(parts, panels_by_side, size, facing)
    if omitted.level <= MAX_ESSENTIAL_LEVEL or facing in long_sides:
        return facing, False
    if _choose_detail_level(parts, panels_by_side, size, facing, has_whole_depth=True) < omitted:
        return facing, True
    if omitted == OMISSION_IF_NOTHING_FITS:
        facing = next((side for side in long_sides if side in taken_sides), long_sides[0])
    _choose_detail_level(parts, panels_by_side, size, facing)
    return facing, False


def _short_and_long_sides(size: tuple[float, float]) -> tuple[tuple[int, int], tuple[int, int]]:
    return ((LEFT, RIGHT), (BELOW, ABOVE)) if size[0] >= size[1] else ((BELOW, ABOVE), (LEFT, RIGHT))


def _divide_room(
    panels_by_side: Mapping[int, Sequence[PlayerPanel]], size: tuple[float, float], cleared_side: int | None
) -> FlatRoom:
    """Divides the screen among the panels of each side and the question.

    Panels at the short sides use the whole edge, panels at the long sides what is left; away from
    `cleared_side`, a short side, if there is one.
    """
    width, height = size
    edge_lengths = _edge_lengths(panels_by_side, width, height, cleared_side)
    depths = {side: _depth(panels_by_side[side], edge) for side, edge in edge_lengths.items()}
    gap = theme.length.gap
    left, right, below, above = (
        depths[side] + gap if depths[side] else 0.0 for side in (LEFT, RIGHT, BELOW, ABOVE)
    )
    x, y, inner_width, inner_height = left, below, width - left - right, height - below - above
    horizontal, vertical = (x, inner_width), (y, inner_height)
    moved_length = edge_lengths[_short_and_long_sides(size)[1][0]]
    if width >= height:
        vertical = (0.0, height)
        if cleared_side is not None:
            horizontal = (left if cleared_side == RIGHT else width - right - moved_length, moved_length)
            x += moved_length + gap if cleared_side == RIGHT else 0.0
            y, inner_width, inner_height = 0.0, inner_width - moved_length - gap, height
    else:
        horizontal = (0.0, width)
        if cleared_side is not None:
            vertical = (below if cleared_side == ABOVE else height - above - moved_length, moved_length)
            y += moved_length + gap if cleared_side == ABOVE else 0.0
            x, inner_width, inner_height = 0.0, width, inner_height - moved_length - gap
    boxes = {
        LEFT: (0.0, vertical[0], depths[LEFT], vertical[1]),
        RIGHT: (width - depths[RIGHT], vertical[0], depths[RIGHT], vertical[1]),
        BELOW: (horizontal[0], 0.0, horizontal[1], depths[BELOW]),
        ABOVE: (horizontal[0], height - depths[ABOVE], horizontal[1], depths[ABOVE]),
    }
    return FlatRoom(boxes, (x, y, inner_width, inner_height))


def _choose_detail_level(
    parts: PlayWidgets,
    panels_by_side: Mapping[int, Sequence[PlayerPanel]],
    size: tuple[float, float],
    facing: int,
    *,
    has_whole_depth: bool = False,
) -> Omission:
    """Sets the highest level of detail at which the least of the question is left out.

    Returns what is left out. Panels hide no number only to save pages of buttons. Panels of a large group
    also show less if they would be too deep or leave the bar too short. `has_whole_depth`: the panels beside
    the question move away for it.
    """
    cleared_side = facing if has_whole_depth else None
    panels = [panel for side in panels_by_side.values() for panel in side]
    omitted_by_detail_level: dict[DetailLevel, Omission] = {}

    @cache  # panels are often no lower with less detail
    def omission_in_room(width: float, height: float) -> Omission:
        return _least_omission(parts, width, height)[0]

    for detail_level in DETAIL_LEVELS:
        set_detail_level(panels, detail_level=detail_level)
        room = _divide_room(panels_by_side, size, cleared_side)
        width, height = room.centre[2:] if facing in (BELOW, ABOVE) else reversed(room.centre[2:])
        is_thin_enough = (
            len(panels) <= MAX_FULL_DETAIL_PANELS
            or _deepest(room) <= theme.length.target * MAX_CROWD_PANEL_DEPTH_IN_TARGETS
        )
        if has_whole_depth and not _have_words_room(panels_by_side, size, cleared_side):
            continue
        bar_length, rest_width, rest_height = _split_off_bar(width, height)
        if is_thin_enough and bar_length >= parts.bar.min_length - 1:
            omitted_by_detail_level[detail_level] = omission_in_room(rest_width, rest_height)
        omitted = omitted_by_detail_level.get(detail_level, OMISSION_IF_NOTHING_FITS)
        if omitted.is_least or (omitted.is_complete and detail_level != "everything"):
            break
    least_omitted = min(omitted_by_detail_level.values(), default=OMISSION_IF_NOTHING_FITS)
    fitting = [
        detail_level
        for detail_level, omitted in omitted_by_detail_level.items()
        if omitted == least_omitted != OMISSION_IF_NOTHING_FITS
    ]
    set_detail_level(panels, detail_level=fitting[0] if fitting else DETAIL_LEVELS[-1])
    if fitting[:1] == ["everything"] and not _have_words_room(panels_by_side, size, cleared_side):
        set_detail_level(panels, detail_level="condensed")
        if not _have_words_room(panels_by_side, size, cleared_side):
            set_detail_level(panels, detail_level="everything")
    return least_omitted


def _have_words_room(
    panels_by_side: Mapping[int, Sequence[PlayerPanel]], size: tuple[float, float], cleared_side: int | None
) -> bool:
    """Returns whether no panel is too narrow for its rows, or for the words of its name."""
    edge_lengths = _edge_lengths(panels_by_side, *size, cleared_side)
    return not any(
        panel.is_too_narrow(_panel_length(-(-len(panels) // _count_rows(panels, edge)), edge))
        for side, edge in edge_lengths.items()
        for panels in (panels_by_side[side],)
        for panel in panels
    )


def _edge_lengths(
    panels_by_side: Mapping[int, Sequence[PlayerPanel]],
    width: float,
    height: float,
    cleared_side: int | None,
) -> dict[int, float]:
    """Returns how long the edge for the panels at each side is; the longer a panel, the thinner it is."""
    short_sides, long_sides = _short_and_long_sides((width, height))
    edge, gap = min(width, height), theme.length.gap
    depths = [_depth(panels_by_side[side], edge) for side in short_sides]
    inner = max(width, height) - sum(depth + gap for depth in depths if depth)
    if cleared_side is not None:
        count = max(len(panels_by_side[side]) for side in long_sides)
        inner = count * (theme.length.target * MOVED_PANEL_LENGTH_IN_TARGETS + gap) - gap
    return dict.fromkeys(short_sides, edge) | dict.fromkeys(long_sides, inner)


def _deepest(room: FlatRoom) -> float:
    """Returns the depth of the deepest panels."""
    return max(box[3 if side in (BELOW, ABOVE) else 2] for side, box in room.box_by_side.items())


def _depth(panels: Sequence[PlayerPanel], edge_length: float) -> float:
    """Returns the depth of the panels at one side whose edge is this long."""
    if not panels:
        return 0.0
    rows, gap = _count_rows(panels, edge_length), theme.length.gap
    width = _panel_length(-(-len(panels) // rows), edge_length)
    panel_depth = max(panel.needed_height(width, least_line_height(panel.detail_level)) for panel in panels)
    return rows * (panel_depth + gap) - gap


def _count_rows(panels: Sequence[PlayerPanel], edge_length: float) -> int:
    """Returns the number of rows of one side's panels: the fewest that leave each panel enough width."""
    if len(panels) <= MAX_FULL_DETAIL_PANELS:
        return 1
    for rows in range(1, len(panels)):
        length = _panel_length(-(-len(panels) // rows), edge_length)
        if not any(panel.is_too_narrow(length) for panel in panels):
            return rows
    return len(panels)


def _panel_length(count: int, edge_length: float) -> float:
    gap = theme.length.gap
    return min(theme.length.target * MAX_PANEL_LENGTH_IN_TARGETS, (edge_length - gap * (count - 1)) / count)


def _arrange_side(panels: Sequence[PlayerPanel], box: Box, side: int) -> None:
    """Places the panels of one side along its edge, centred and clockwise.

    So neighbours stay neighbours.
    """
    x, y, width, height = box
    is_upright = side % 2 == 1
    edge_length, depth = (height, width) if is_upright else (width, height)
    if not panels:
        return
    rows, gap = _count_rows(panels, edge_length), theme.length.gap
    panels_per_row, panel_depth = -(-len(panels) // rows), (depth + gap) / rows - gap
    panel_length = _panel_length(panels_per_row, edge_length)
    ordered_panels = list(panels) if side in (ABOVE, LEFT) else list(reversed(panels))
    for row in range(rows):
        row_panels = ordered_panels[row * panels_per_row : (row + 1) * panels_per_row]
        start = (edge_length - panel_length * len(row_panels) - gap * (len(row_panels) - 1)) / 2
        for index, panel in enumerate(row_panels):
            offset_along, offset_across = start + index * (panel_length + gap), row * (panel_depth + gap)
            panel_box = (
                (x + offset_across, y + offset_along, panel_depth, panel_length)
                if is_upright
                else (x + offset_along, y + offset_across, panel_length, panel_depth)
            )
            place_panel(panel, panel_box, side)


def _set_shapes_and_line_heights(panels: Sequence[PlayerPanel]) -> None:
    """Lets letters and numbers grow into the room of each panel, alike on all panels of one size and side."""
    alike: dict[tuple[float, float, int], list[PlayerPanel]] = {}
    for panel in panels:
        alike.setdefault((panel.width, panel.height, int(panel.parent.quarter_turns)), []).append(panel)
    for (width, height, _), same_size_panels in alike.items():
        shape, line_height = choose_shape_and_line_height(same_size_panels, width, height)
        for panel in same_size_panels:
            panel.shape, panel.line_height = shape, line_height


def _split_off_bar(width: float, height: float) -> tuple[float, float, float]:
    """Returns the length of the bar, and the width and height that are left beside it.

    The bar is at the left, or below if the space is higher than wide.
    """
    bar_space = theme.length.target + theme.length.gap
    return (height, width - bar_space, height) if width > height else (width, width, height - bar_space)


def _least_omission(parts: PlayWidgets, width: float, height: float) -> tuple[Omission, bool]:
    """Returns what is left out at least, and whether the answer stands beside the question for that."""
    prefers_two_columns = width > height * MIN_TWO_COLUMN_ASPECT_RATIO
    preferred = least_omission(parts, width, height, in_two_columns=prefers_two_columns)
    if preferred.is_least:
        return preferred, prefers_two_columns
    other = least_omission(parts, width, height, in_two_columns=not prefers_two_columns)
    return (preferred, prefers_two_columns) if preferred <= other else (other, not prefers_two_columns)


def _arrange_centre(
    parts: PlayWidgets, width: float, height: float, *, is_read_from_opposite: bool, is_for_several: bool
) -> None:
    """Places bar, question and answer in the middle, side by side or below each other.

    With `is_read_from_opposite`, the most important note is also at the opposite side, turned to the people
    there, if there is room. So is a question that `is_for_several`.
    """
    gap, target = theme.length.gap, theme.length.target
    bar_length, rest_width, rest_height = _split_off_bar(width, height)
    is_bar_vertical = width > height
    parts.bar.orientation = "vertical" if is_bar_vertical else "horizontal"
    bar_size = (target, bar_length) if is_bar_vertical else (bar_length, target)
    place_widget(parts.bar, 0, 0, *bar_size)
    left, bottom = width - rest_width, height - rest_height
    omission, in_two_columns = _least_omission(parts, rest_width, rest_height)
    opposite_height = parts.question.min_and_preferred_height(rest_width)[0] + gap
    omission_if_twice, in_two_columns_if_twice = (
        _least_omission(parts, rest_width, rest_height - opposite_height)
        if is_read_from_opposite and is_for_several
        else (OMISSION_IF_NOTHING_FITS, False)
    )
    # A price that falls is read from both sides, whatever it costs in pages.
    saves_no_page = omission_if_twice == omission or parts.question.has_falling_price
    if omission_if_twice.is_complete and saves_no_page:
        rest_height, in_two_columns = rest_height - opposite_height, in_two_columns_if_twice
        omission = omission_if_twice
        place_turned_frame(
            parts.opposite_question, (left, bottom + rest_height + gap, rest_width, opposite_height - gap), 2
        )
        fill_frame(parts.opposite_question)
    else:
        hide_widgets(parts.opposite_question)
    centre = (left, bottom, rest_width, rest_height)
    if not (is_read_from_opposite and _arrange_with_opposite_notes(parts, centre, omission)):
        hide_widgets(parts.opposite_notes)
        arrange = arrange_in_two_columns if in_two_columns else arrange_in_one_column
        arrange(parts, centre)


def _arrange_with_opposite_notes(parts: PlayWidgets, box: Box, omission: Omission) -> bool:
    """Places question and answer in a box, below the most important note for the people opposite.

    Returns False if the note is empty or long, or if more than `omission`, or the heading, is left out for
    it.
    """
    strip, (x, y, width, height) = parts.opposite_notes, box
    strip.fit_height(width)
    strip_height, height = strip.height, height - strip.height - theme.length.gap
    if not strip.label.text or strip_height > theme.length.target:
        return False
    omission_with_notes, in_two_columns = _least_omission(parts, width, height)
    if omission_with_notes != omission:
        return False
    arrange = arrange_in_two_columns if in_two_columns else arrange_in_one_column
    arrange(parts, (x, y, width, height))
    place_turned_frame(strip, (x, y + height + theme.length.gap, width, strip_height), 2)
    return bool(parts.heading.opacity)
