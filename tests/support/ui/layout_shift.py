"""Checks that nothing on the screen moves while a refusal is shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tests.support.ui.screen_faults import box_in_window, find_cut_texts, visible_widgets


def visible_positions(stage: Any) -> dict[int, tuple[Any, ...]]:
    """Returns position and font size of every visible widget, except the refusal notice."""
    from ui.widgets.drawing.text import FittedLabel
    from ui.widgets.sheets.messages import RefusalNotice

    notice_part_ids = [
        id(part)
        for widget in visible_widgets(stage)
        if isinstance(widget, RefusalNotice)
        for part in widget.walk(restrict=True)
    ]
    return {
        id(widget): (
            _identity(widget),
            box_in_window(widget),
            widget.font_size if isinstance(widget, FittedLabel) else 0,
        )
        for widget in visible_widgets(stage)
        if widget is not stage and id(widget) not in notice_part_ids
    }


def _identity(widget: Any) -> tuple[str, ...]:
    return type(widget).__name__, getattr(widget, "name", ""), getattr(widget, "text", "")


async def check_nothing_moves(table: Any, refuse: Callable[[], Awaitable[object]]) -> None:
    """Checks that nothing moves when a refusal appears, nor when a touch takes it away.

    The refusal notice itself must be complete, inside the window, and under no other widget.
    """
    stage = table.app.stage
    before = visible_positions(stage)
    await refuse()
    await table.wait_frames(3)
    now = visible_positions(stage)
    notice = refusal_notice(stage)
    moved = [
        (widget, now.get(widget_id)) for widget_id, widget in before.items() if now.get(widget_id) != widget
    ]
    moved = [widget for widget in moved if not _made_room(*widget, notice)]
    assert not moved, moved[:3]
    assert notice.text
    assert not [*find_cut_texts([*visible_widgets(notice)])], notice.size
    left, low, right, high = box_in_window(notice)
    assert min(left, low) >= 0, box_in_window(notice)
    assert right <= stage.width, box_in_window(notice)
    assert high <= stage.height, box_in_window(notice)
    await touch_middle(table, notice)
    assert not notice.text
    assert visible_positions(stage) == before


def _made_room(before: tuple[Any, ...], now: tuple[Any, ...] | None, notice: Any) -> bool:
    """Whether a missing widget is a hint whose place the refusal notice took."""
    return now is None and before[0][0] == "FittedLabel" and before[1] == box_in_window(notice)


def refusal_notice(stage: Any) -> Any:
    """Returns the visible refusal notice."""
    from ui.widgets.sheets.messages import RefusalNotice

    return next(widget for widget in visible_widgets(stage) if isinstance(widget, RefusalNotice))


async def touch_middle(table: Any, widget: Any) -> None:
    """Touches the middle of a widget."""
    from kivy.tests.common import UnitTestTouch

    left, low, right, high = box_in_window(widget)
    finger = UnitTestTouch((left + right) / 2, (low + high) / 2)
    finger.touch_down()
    await table.wait_frames(1)
    finger.touch_up()
    await table.wait_frames(2)
