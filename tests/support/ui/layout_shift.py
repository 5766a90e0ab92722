"""Checks that nothing on the screen moves while a refusal is shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from tests.support.ui.screen_faults import box_in_window, find_cut_texts, visible_widgets


def visible_positions(stage: Any) -> dict[int, tuple[Any, ...]]:
    """Returns position and font size of every visible widget, except the refusal notice."""
    from ui.widgets.drawing.text import FittedLabel
    from ui.widgets.sheets.messages import RefusalNotice

    slips = [
        id(part)
        for one in visible_widgets(stage)
        if isinstance(one, RefusalNotice)
        for part in one.walk(restrict=True)
    ]
    return {
        id(one): (_called(one), box_in_window(one), one.font_size if isinstance(one, FittedLabel) else 0)
        for one in visible_widgets(stage)
        if one is not stage and id(one) not in slips
    }


def _called(widget: Any) -> tuple[str, ...]:
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
    slip = refusal_notice(stage)
    moved = [(one, now.get(at)) for at, one in before.items() if now.get(at) != one]
    moved = [one for one in moved if not _made_room(*one, slip)]
    assert not moved, moved[:3]
    assert slip.text
    assert not [*find_cut_texts([*visible_widgets(slip)])], slip.size
    left, low, right, high = box_in_window(slip)
    assert min(left, low) >= 0, box_in_window(slip)
    assert right <= stage.width, box_in_window(slip)
    assert high <= stage.height, box_in_window(slip)
    await touch_middle(table, slip)
    assert not slip.text
    assert visible_positions(stage) == before


def _made_room(before: tuple[Any, ...], now: tuple[Any, ...] | None, slip: Any) -> bool:
    """Whether a missing widget is a hint whose place the refusal notice took."""
    return now is None and before[0][0] == "FittedLabel" and before[1] == box_in_window(slip)


def refusal_notice(stage: Any) -> Any:
    """Returns the visible refusal notice."""
    from ui.widgets.sheets.messages import RefusalNotice

    return next(one for one in visible_widgets(stage) if isinstance(one, RefusalNotice))


async def touch_middle(table: Any, widget: Any) -> None:
    """Touches the middle of a widget."""
    from kivy.tests.common import UnitTestTouch

    left, low, right, high = box_in_window(widget)
    finger = UnitTestTouch((left + right) / 2, (low + high) / 2)
    finger.touch_down()
    await table.wait_frames(1)
    finger.touch_up()
    await table.wait_frames(2)
