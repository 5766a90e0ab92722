"""The pieces of a place, as large as the room allows."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, ClassVar

from kivy.properties import ObjectProperty

from companion.session.view import Holding
from ui import theme
from ui.widgets.drawing.surfaces import AutoRedrawWidget
from ui.widgets.pieces.marks import BadgeMark, Mark
from ui.widgets.pieces.rows import MarkRows, PlacedMark, flow_into_rows, place_rows, rows_height
from ui.widgets.pieces.worded import BADGE_TEXT_LINE_SHARE

PIECE_SIZE_SHARES_TO_TRY = (1.0, 0.86, 0.8, 0.72, 0.67, 0.57)
"""Sizes of pieces to try, as shares of the largest.

At the last one numbers are just readable.
"""


class HoldingsView(AutoRedrawWidget):
    """Shows holdings, each as one mark.

    `make_mark` makes the mark of a holding. If some have no room, a badge at the end says how many.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("holdings",)
    holdings = ObjectProperty(())

    def __init__(self, make_mark: Callable[[Holding], Mark], **kwargs: Any) -> None:
        self._make_mark = make_mark
        self.placed_holdings: list[tuple[Holding, PlacedMark]] = []
        super().__init__(**kwargs)

    @property
    def left_out_count(self) -> int:
        """Number of holdings that had no room when drawn last."""
        return len(self.holdings) - len(self.placed_holdings)

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for screen readers and for tests."""
        return [placed.mark.visible_text for _, placed in self.placed_holdings if placed.mark.visible_text]

    def needed_height(self, width: float, piece_share: float) -> float:
        """Returns the height of all holdings at a share of the largest size; infinite if one is too wide."""
        unit, gap = theme.length.piece * piece_share, theme.length.gap * 0.5
        marks = [self._make_mark(one) for one in self.holdings]
        is_wide = any(mark.width_at(unit) > width for mark in marks)
        return inf if is_wide else rows_height(flow_into_rows(marks, unit, width, gap), unit, _between())

    def draw(self) -> None:
        """Draws all holdings at the largest size at which they fit.

        If they don't fit even at the smallest size, as many as fit are drawn.
        """
        between = _between()
        heights = [theme.length.piece * share for share in PIECE_SIZE_SHARES_TO_TRY]
        marks = [(one, self._make_mark(one)) for one in self.holdings]

        def rows(shown: list[tuple[Holding, Mark]], high: float) -> MarkRows:
            left = len(marks) - len(shown)
            more = [BadgeMark(f"+{left}", line_share=BADGE_TEXT_LINE_SHARE)] if left else []
            return flow_into_rows(
                [*(mark for _, mark in shown), *more], high, self.width, theme.length.gap * 0.5
            )

        def fits(high: float) -> bool:
            is_high = rows_height(rows(marks, high), high, between) > self.height
            return not is_high and all(mark.width_at(high) <= self.width for _, mark in marks)

        fitting = (high for high in heights if fits(high))
        high = next(fitting, heights[-1])
        shown = [(one, mark) for one, mark in marks if mark.width_at(high) <= self.width]
        while shown and rows_height(rows(shown, high), high, between) > self.height + 1:
            shown.pop()
        placed = place_rows(rows(shown, high), self.x, self.top, high, theme.length.gap * 0.5, between)
        self.placed_holdings = list(zip([one for one, _ in shown], placed, strict=False))
        for each in placed:
            each.draw()


def _between() -> float:
    return theme.length.gap * 0.25
