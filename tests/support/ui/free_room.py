"""Finds keys that are on several pages although the screen has free room for more of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


def find_needless_pages(play: Any) -> Iterator[str]:
    """Yields a sentence if the keys of the question would need fewer pages in the room that is free."""
    area = play.question_area
    page_count = area.page_count_at(area.width, area.height)
    if page_count == 1:
        return
    keys = [*getattr(play.question_widget, "keys", {}).values()]
    if keys and _do_keys_fit_at_least_width(keys, area):
        yield f"{play.question_banner.question_label.text}: {page_count} pages, though all keys have room"
    height = area.height + _free_height_of_column(play) + _free_height_beside(play)
    page_count_in_free_room = area.page_count_at(area.width, height)
    if page_count_in_free_room < page_count:
        yield (
            f"{play.question_banner.question_label.text}: {page_count} pages in {area.height:.0f}, "
            f"{page_count_in_free_room} in {height:.0f}, panels {play.view.seats and _detail_level(play)}"
        )


def _do_keys_fit_at_least_width(keys: Sequence[Any], area: Any) -> bool:
    """Returns whether all keys have room beside each other, each twice as wide as its widest word needs."""
    from ui import theme

    target, gap = theme.length.target, theme.length.gap / 2
    if not all(hasattr(key, "min_height_at") for key in keys):
        return False
    widths = [max(target, 2 * key.min_width()) for key in keys]
    if any(key.min_height_at(width) > target for key, width in zip(keys, widths, strict=True)):
        return False
    rows, rest = 1, float(area.width)
    for width in widths:
        if width > rest:
            rows, rest = rows + 1, float(area.width)
        rest -= width + gap
    return bool(rows * (target + gap) - gap <= area.height)


def _detail_level(play: Any) -> str:
    return str(next(iter(play.panels.values())).detail_level)


def _free_height_of_column(play: Any) -> float:
    """Returns the height in the keys' column that is empty, or that its other parts don't need."""
    from ui import theme

    area = play.question_area
    parts = [play.heading, play.question_banner, play.notes, play.middle, play.opposite_frame, play.bar]
    column = [part for part in parts if part.opacity and _is_in_column(part, area)]
    above = [part for part in column if part.y >= area.top - 1]
    below = [part for part in column if part.top <= area.y + 1]
    top = min((part.y for part in above), default=play.centre.inner_size[1])
    bottom = max((part.top for part in below), default=0.0)
    gaps = theme.length.gap * 0.75 * (bool(above) + bool(below))
    empty: float = top - bottom - area.height - gaps
    spare = sum(_spare_height(part) for part in above if part is not play.opposite_frame)
    return max(0.0, empty) + spare


def _is_in_column(part: Any, area: Any) -> bool:
    return bool(part.x < area.right - 1 and part.right > area.x + 1)


def _spare_height(part: Any) -> float:
    """Returns how much lower a part could be without leaving anything out."""
    if not hasattr(part, "min_and_preferred_height") or part.height <= 0:
        return 0.0
    return float(max(0.0, part.height - part.min_and_preferred_height(part.width)[0]))


def _free_height_beside(play: Any) -> float:
    """Returns the height that panels above and below the keys don't need, even if they are condensed."""
    turns = int(play.centre.quarter_turns)
    is_landscape = play.layout_name == "landscape" or (not play.layout_name and play.width > play.height)
    if is_landscape:
        return 0.0  # the panels are beside the question
    panels = list(play.panels.values())
    by_side: dict[object, list[Any]] = {}
    for panel in panels:
        side = panel.parent.quarter_turns if play.layout_name == "flat" else 0
        row = round(panel.parent.y if side % 2 == 0 else panel.parent.x)
        if (side - turns) % 2 == 0:
            by_side.setdefault((side, row), []).append(panel)
    return sum(_spare_depth(row) for row in by_side.values())


def _spare_depth(panels: Sequence[Any]) -> float:
    from ui.widgets.seats.panel_layout import DETAIL_LEVELS, least_line_height

    level = panels[0].detail_level
    if DETAIL_LEVELS.index(level) > DETAIL_LEVELS.index("condensed"):
        return 0.0
    needed = 0.0
    for panel in panels:
        panel.detail_level = "condensed"
        needed = max(needed, panel.needed_height(panel.width, least_line_height("condensed")))
        panel.detail_level = level
    return max(0.0, float(min(panel.height for panel in panels)) - needed)
