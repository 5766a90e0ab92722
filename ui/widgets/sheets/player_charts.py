"""Charts about one player: the last results as dots, and the scores in one game as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.record.player_statistics import PlayerResult
from ui import theme
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, draw_border, fill_rounded_box
from ui.widgets.drawing.symbols import draw_filled_dot
from ui.widgets.drawing.text import FittedLabel, draw_text, measure_text_width

DOT_DISTANCE_IN_WIDTHS = 1.35


class ResultDots(AutoRedrawWidget):
    """The last results of a player, the oldest at the left: a full dot for a win, otherwise a ring.

    The widget is as wide as it needs to be.
    """

    def __init__(self, results: Sequence[PlayerResult], **kwargs: Any) -> None:
        self._results = results
        self._side = theme.length.smallest * 0.7
        width = self._side * DOT_DISTANCE_IN_WIDTHS * max(1, len(results))
        super().__init__(**{"size_hint_x": None, "width": width} | kwargs)

    def draw(self) -> None:
        """Draws the dots in a row, in the middle of the height."""
        side = self._side
        for index, result in enumerate(self._results):
            box = (self.x + index * side * DOT_DISTANCE_IN_WIDTHS, self.center_y - side / 2, side, side)
            draw_border(theme.INK, box, theme.length.line, side / 2)
            if result.is_winner:
                inner = theme.length.line / 2
                dot = (box[0] + inner, box[1] + inner, side - 2 * inner, side - 2 * inner)
                draw_filled_dot(dot, theme.INK)


MAX_BARS = 20
"""The most games that the chart shows: the newest."""
BAR_WIDTH_SHARE, MAX_BAR_WIDTH_IN_TOKENS = 0.7, 1.6


class PlayerScoreBars(AutoRedrawWidget):
    """Bar chart of a player's totals in one game, the oldest at the left; the bars of games won are of brass.

    Each bar has its total, if there is room. A line marks the average.
    """

    def __init__(
        self, results: Sequence[PlayerResult], average: float, average_text: str, **kwargs: Any
    ) -> None:
        self._results, self._average = results[-MAX_BARS:], average
        self.average_label = FittedLabel(text=average_text, style="quiet")
        super().__init__(**kwargs)
        add_children(self, self.average_label)

    def draw(self) -> None:
        """Draws the bars from the line of 0, then the line of the average."""
        sizes, totals = theme.length, [float(result.total) for result in self._results]
        shown_numbers = (0.0, self._average, *totals)
        low, high = min(shown_numbers), max(shown_numbers) if any(shown_numbers) else 1.0
        text_height = sizes.smallest * 1.4
        left, bottom = self.x, self.y + text_height * (2 if low < 0 else 1)
        height = self.top - bottom - text_height

        def y_of(total: float) -> float:
            return float(bottom + height * (total - low) / (high - low))

        slot = self.width / len(totals)
        width = min(slot * BAR_WIDTH_SHARE, sizes.token * MAX_BAR_WIDTH_IN_TOKENS)
        has_numbers = all(
            measure_text_width(result.total_text, sizes.smallest, theme.MONEY_FONT) <= slot - sizes.line
            for result in self._results
        )
        for index, (result, total) in enumerate(zip(self._results, totals, strict=True)):
            x = left + slot * (index + 0.5) - width / 2
            box_bottom, box_top = sorted((y_of(0), y_of(total)))
            box = (x, box_bottom, width, max(sizes.rim, box_top - box_bottom))
            fill_rounded_box(theme.BRASS if result.is_winner else theme.KRAFT, box, sizes.line)
            draw_border(theme.INK, box, sizes.line, sizes.line)
            if has_numbers:
                y = box_top + text_height / 2 if total >= 0 else box_bottom - text_height / 2
                centre = (x + width / 2, y)
                draw_text(result.total_text, centre, sizes.smallest, theme.INK, theme.MONEY_FONT)
        fill_rounded_box(theme.INK, (left, y_of(0) - sizes.line / 2, self.width, sizes.line), 0)
        average_y = y_of(self._average)
        fill_rounded_box(theme.DANGER, (left, average_y - sizes.line / 2, self.width, sizes.line), 0)
        self.average_label.pos = (left, self.y)
        self.average_label.size = (self.width, text_height)
