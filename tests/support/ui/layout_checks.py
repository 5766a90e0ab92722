"""Checks the marks on player panels and in the table middle: inside, apart, aligned, and complete."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from tests.support.ui.screen_faults import visible_widgets


def check_marks_inside_and_apart(widget: Any, *, shows_everything: bool) -> None:
    """Checks that the marks of a panel or the table middle are inside it and don't overlap.

    With `shows_everything` no marks may be left out and only counted.
    """
    from ui.widgets.pieces.marks import LeftOutCountBadge

    for one in widget.placed:
        x, y, width, _height = one.box
        assert widget.x - 1.5 <= x, (widget.name, one.mark.visible_text)
        assert x + width <= widget.right + 1.5, (widget.name, one.mark.visible_text, x + width - widget.right)
        assert y >= widget.y - 1.5, (widget.name, one.mark.visible_text, widget.y - y)
    for one, other in combinations(widget.placed, 2):
        assert _do_not_overlap(one.box, other.box), (
            widget.name,
            one.mark.visible_text,
            other.mark.visible_text,
        )
    if shows_everything:
        left_out = [one for one in widget.placed if isinstance(one.mark, LeftOutCountBadge)]
        assert not left_out, (widget.name, widget.visible_texts)


def check_columns_align(panels: Sequence[Any]) -> None:
    """Checks that a cell has the same place on each panel of one size at a side: people compare columns.

    Only panels with the detail level `everything` have columns.
    """
    from ui.widgets.seats.panel_columns import CellNumberMark, HiddenCardCountMark

    places: dict[object, set[object]] = {}
    for panel in (panel for panel in panels if panel.detail_level == "everything"):
        cells = [one for one in panel.placed if isinstance(one.mark, CellNumberMark | HiddenCardCountMark)]
        spots = tuple([(round(one.x - panel.x), round(panel.top - one.y)) for one in cells])
        look = round(panel.width), round(panel.height), panel.parent.quarter_turns, len(cells)
        places.setdefault(look, set()).add(spots)
    assert all(len(spots) == 1 for spots in places.values()), places


def check_parts_inside(question_widget: Any) -> None:
    """Checks that no part of the question widget is above or below it, where other things are."""
    for one in visible_widgets(question_widget):
        if getattr(one, "text", ""):
            y, top = sorted(question_widget.to_widget(*one.to_window(0, end))[1] for end in (one.y, one.top))
            details = type(one).__name__, one.text, question_widget.y - y, top - question_widget.top
            assert question_widget.y - 1.5 <= y, details
            assert top <= question_widget.top + 1.5, details


def _do_not_overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    beside = one[0] + one[2] <= other[0] + 1 or other[0] + other[2] <= one[0] + 1
    return beside or one[1] + one[3] <= other[1] + 1 or other[1] + other[3] <= one[1] + 1
