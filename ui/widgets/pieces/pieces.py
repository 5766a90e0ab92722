"""A widget with the pieces of a place, as large as the room allows."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, ClassVar

from kivy.properties import ObjectProperty

from companion.session.view import Holding
from ui import theme
from ui.widgets.drawing.surfaces import AutoRedrawWidget
from ui.widgets.pieces.marks import BadgeMark, Mark, PlacedMark
from ui.widgets.pieces.rows import MarkRows, flow_into_rows, place_rows, rows_height
from ui.widgets.pieces.worded import BADGE_TEXT_LINE_SHARE

PIECE_SIZE_SHARES_TO_TRY = (1.0, 0.86, 0.8, 0.72, 0.67, 0.57)
"""Sizes of pieces to try, as shares of the largest; at the last one numbers are just readable."""


class HoldingsWidget(AutoRedrawWidget):
    """Widget that shows holdings, each as one mark from `make_mark`.

    If some holdings have no room, a badge at the end says how many.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("holdings",)
    holdings = ObjectProperty(())

    def __init__(self, make_mark: Callable[[Holding], Mark], **kwargs: Any) -> None:
        self._make_mark = make_mark
        self.placed_holdings: list[tuple[Holding, PlacedMark]] = []
        self._height_by_width_and_size: dict[tuple[float, float], float] = {}
        super().__init__(**kwargs)
        self.fbind("holdings", lambda *_: self._height_by_width_and_size.clear())

    @property
    def left_out_count(self) -> int:
        """Number of holdings that had no room in the last drawing."""
        return len(self.holdings) - len(self.placed_holdings)

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for screen readers and for tests."""
        return [placed.mark.visible_text for _, placed in self.placed_holdings if placed.mark.visible_text]

    def needed_height(self, width: float, piece_share: float) -> float:
        """Returns the height of all holdings at a share of the largest size; infinite if one is too wide.

        The heights are kept until the holdings change, because the bank measures all purses for every grid.
        """
        key = width, theme.length.piece * piece_share
        if key not in self._height_by_width_and_size:
            self._height_by_width_and_size[key] = self._measure_height(*key)
        return self._height_by_width_and_size[key]

    def _measure_height(self, width: float, piece_size: float) -> float:
        gap = theme.length.gap * 0.5
        marks = [self._make_mark(holding) for holding in self.holdings]
        is_wide = any(mark.width_at(piece_size) > width for mark in marks)
        return (
            inf
            if is_wide
            else rows_height(flow_into_rows(marks, piece_size, width, gap), piece_size, _row_gap())
        )

    def draw(self) -> None:
        """Draws all holdings at the largest size that fits, or as many as fit at the smallest size."""
        row_gap = _row_gap()
        heights = [theme.length.piece * share for share in PIECE_SIZE_SHARES_TO_TRY]
        marks = [(holding, self._make_mark(holding)) for holding in self.holdings]

        def rows(visible: list[tuple[Holding, Mark]], piece_size: float) -> MarkRows:
            left_out_count = len(marks) - len(visible)
            badge = (
                [BadgeMark(f"+{left_out_count}", line_share=BADGE_TEXT_LINE_SHARE)] if left_out_count else []
            )
            return flow_into_rows(
                [*(mark for _, mark in visible), *badge], piece_size, self.width, theme.length.gap * 0.5
            )

        def fits(piece_size: float) -> bool:
            is_too_high = rows_height(rows(marks, piece_size), piece_size, row_gap) > self.height
            return not is_too_high and all(mark.width_at(piece_size) <= self.width for _, mark in marks)

        fitting = (piece_size for piece_size in heights if fits(piece_size))
        piece_size = next(fitting, heights[-1])
        visible = [(holding, mark) for holding, mark in marks if mark.width_at(piece_size) <= self.width]
        while visible and rows_height(rows(visible, piece_size), piece_size, row_gap) > self.height + 1:
            visible.pop()
        placed = place_rows(
            rows(visible, piece_size), self.x, self.top, piece_size, theme.length.gap * 0.5, row_gap
        )
        self.placed_holdings = list(zip([holding for holding, _ in visible], placed, strict=False))
        for placed_mark in placed:
            placed_mark.draw()


def _row_gap() -> float:
    return theme.length.gap * 0.25
