"""A grid of counts: column heads above, below them lines of numbers, each with its name before it.

A grid that is too wide has heads of two lines; then players are shown as tokens; at last it is split into
parts. Lines of many players become columns, and a long sheet is split into halves, if these have room.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.rules.scene_views import GridView
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Labelled
from ui import theme
from ui.widgets.drawing.line_breaking import contains_japanese
from ui.widgets.drawing.surfaces import fill_box
from ui.widgets.drawing.text import split_in_two_lines
from ui.widgets.pieces.marks import FELT_TEXT_COLOURS, Mark, TokenMark, make_digits_mark
from ui.widgets.pieces.rows import flow_into_rows
from ui.widgets.pieces.worded import (
    format_cell_value,
    make_piece_mark,
    make_place_name_mark,
    make_quiet_text_mark,
    make_value_mark,
)

ONE_LINE_HEADS, TWO_LINE_HEADS, TOKEN_HEADS = HEAD_STYLES = range(3)
"""How column heads are shown, from wide to narrow: in one line, in two lines, players as tokens."""
NARROW_TOKEN_HEADS = 3
"""Players as tokens, and columns as close as possible."""
COLUMN_GAP_BY_HEAD_STYLE = {
    ONE_LINE_HEADS: 1.2,
    TWO_LINE_HEADS: 1.2,
    TOKEN_HEADS: 0.5,
    NARROW_TOKEN_HEADS: 0.25,
}
"""Gaps between columns, by the style of the heads."""
MAX_SEAT_LINES = 6
"""Maximum number of seats with one line each.

With more players the grid would be too high.
"""
MAX_UNSPLIT_LINES = 9
"""Maximum number of lines of a grid that isn't split.

A longer grid is split into two halves beside each other.
"""
MAX_UNSPLIT_LINES_IF_LOW = 2
"""Maximum number of lines of an unsplit grid if the room is low.

A longer grid is split into halves.
"""
TWO_LINE_HEAD_SPACING = 0.78
"""Height of each of a head's two lines."""
MIN_LETTERS_FOR_TWO_LINES = 4
"""Letters from which a Japanese head has two lines."""


class GridMark(Mark):
    """Mark of a grid: column heads above, lines of numbers below.

    Heads have one or two lines. Each line of numbers has its name before it.
    """

    def __init__(self, part: GridView, lang: str, head_style: int = ONE_LINE_HEADS) -> None:
        self._part, self._lang, self._head_style = part, lang, head_style
        self._names = [self._named_by(label) for label, _ in part.lines]
        self._heads = [self._head(head) for head in part.column_headings]
        self._above = max(
            [1.0, *(TWO_LINE_HEAD_SPACING * len(head) for head in self._heads if len(head) > 1)]
        )
        self.height_in_lines = len(part.lines) + self._above
        numbers = [cell for _, cells in part.lines for cell in cells if cell is not None]
        self.visible_text = " ".join(map(format_cell_value, numbers))

    def fit_to_width(self, line_height: float, max_width: float) -> GridMark:
        """Returns the grid with the widest heads that fit; with the narrowest if nothing fits."""
        tries = [GridMark(self._part, self._lang, brief) for brief in HEAD_STYLES]
        turned = (
            [self._transposed(brief) for brief in (TOKEN_HEADS, NARROW_TOKEN_HEADS)] if self._is_crowd else []
        )
        return next(
            (grid for grid in [*turned, *tries] if grid.width_at(line_height) <= max_width),
            [*tries, *turned][-1],
        )

    @property
    def _is_crowd(self) -> bool:
        """Whether many people have a line each."""
        return sum(isinstance(label, Seat) for label, _ in self._part.lines) > MAX_SEAT_LINES

    def split_into_halves(
        self, line_height: float, max_width: float, gap: float, max_unsplit_lines: int = MAX_UNSPLIT_LINES
    ) -> list[Mark]:
        """Returns two equally high grids with half of the lines each.

        The list is empty if they are too wide, or the grid has no more lines than `max_unsplit_lines`.
        """
        lines = self._part.lines
        middle = (len(lines) + 1) // 2
        parts = [replace(self._part, lines=half) for half in (lines[:middle], lines[middle:])]
        for brief in HEAD_STYLES if len(lines) > max_unsplit_lines else ():
            pair = [GridMark(half, self._lang, brief) for half in parts]
            if sum(half.width_at(line_height) for half in pair) + gap <= max_width:
                pair[1].height_in_lines = pair[0].height_in_lines
                return [*pair]
        return []

    def arrange_lowest(self, line_height: float, max_width: float, gap: float) -> list[Mark]:
        """Returns the arrangement with the fewest lines: halves, lines as columns, or the grid as it is."""
        turned = (
            self._transposed(brief)
            for brief in (*HEAD_STYLES, *([NARROW_TOKEN_HEADS] if self._is_crowd else []))
        )
        fitting = [grid for grid in turned if grid.width_at(line_height) <= max_width][:1]
        tries: list[list[Mark]] = [
            self.split_into_halves(line_height, max_width, gap, MAX_UNSPLIT_LINES_IF_LOW),
            [*fitting],
            self._transposed(NARROW_TOKEN_HEADS).split_columns(line_height, max_width)
            if self._is_crowd and not fitting
            else [],
            [self.fit_to_width(line_height, max_width)],
        ]
        return min(
            [marks for marks in tries if marks], key=lambda marks: _lines(marks, line_height, max_width, gap)
        )

    def _transposed(self, head_style: int) -> GridMark:
        """Returns the grid turned, so that its lines are columns."""
        heads, columns = zip(*self._part.lines, strict=True)
        lines = tuple(zip(self._part.column_headings, zip(*columns, strict=True), strict=True))
        return GridMark(replace(self._part, column_headings=heads, lines=lines), self._lang, head_style)

    def split_columns(self, line_height: float, max_width: float) -> list[Mark]:
        """Splits the grid into grids with some of its columns each, none wider than that if possible."""
        parts: list[Mark] = []
        first, used = 0, self._names_width(line_height)
        for at, wide in enumerate(self._column_widths(line_height)):
            if at > first and used + wide > max_width:
                parts.append(self._of(first, at))
                first, used = at, self._names_width(line_height)
            used += wide
        return [*parts, self._of(first, len(self._heads)) if first else self]

    def _of(self, first: int, end: int) -> GridMark:
        lines = tuple((name, cells[first:end]) for name, cells in self._part.lines)
        part = replace(self._part, column_headings=self._part.column_headings[first:end], lines=lines)
        return GridMark(part, self._lang, self._head_style)

    def _named_by(self, label: Labelled) -> Mark:
        if isinstance(label, Seat) and self._head_style >= TOKEN_HEADS:
            return TokenMark(label)
        return make_place_name_mark(label, self._lang, FELT_TEXT_COLOURS)

    def _head(self, head: Labelled) -> Sequence[Mark]:
        """Returns the lines of a column's head."""
        if isinstance(head, Piece):
            return [make_piece_mark(head, self._lang, FELT_TEXT_COLOURS)]
        one = self._named_by(head)
        may_end = " " in one.visible_text or (
            contains_japanese(one.visible_text) and len(one.visible_text) >= MIN_LETTERS_FOR_TWO_LINES
        )
        if self._head_style == ONE_LINE_HEADS or isinstance(one, TokenMark) or not may_end:
            return [one]
        return [
            make_quiet_text_mark(text, FELT_TEXT_COLOURS) for text in split_in_two_lines(one.visible_text)
        ]

    def _column_widths(self, line_height: float) -> list[float]:
        gap = theme.length.gap * COLUMN_GAP_BY_HEAD_STYLE[self._head_style]
        return [
            max(mark.width_at(line_height) for mark in (*head, *self._column(at))) + gap
            for at, head in enumerate(self._heads)
        ]

    def _column(self, at: int) -> list[Mark]:
        cells = [cells[at] for _, cells in self._part.lines]
        return [
            make_digits_mark("00", FELT_TEXT_COLOURS.normal),
            *(make_value_mark(cell, FELT_TEXT_COLOURS) for cell in cells if cell is not None),
        ]

    def _names_width(self, line_height: float) -> float:
        return max([name.width_at(line_height) for name in self._names], default=0.0) + theme.length.gap

    def width_at(self, line_height: float) -> float:
        """Returns the width of names and columns."""
        return self._names_width(line_height) + sum(self._column_widths(line_height))

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws a sunken field with the heads above and the numbers in their columns."""
        top = y + (self.height_in_lines - self._above) * line_height
        tall = len(self._part.lines) * line_height
        fill_box(
            theme.fade_colour(theme.FELT_DARK, 0.45),
            (x - theme.length.rim, top - tall, self.width_at(line_height) + theme.length.rim, tall),
        )
        left = x + self._names_width(line_height)
        for at, wide in enumerate(self._column_widths(line_height)):
            self._draw_head(self._heads[at], (left + wide / 2, top), line_height)
            left += wide
        for at, (_, cells) in enumerate(self._part.lines, 1):
            self._names[at - 1].draw(x, top - at * line_height, line_height)
            left = x + self._names_width(line_height)
            for cell, wide in zip(cells, self._column_widths(line_height), strict=True):
                mark = (
                    make_digits_mark("–", FELT_TEXT_COLOURS.zero_number)
                    if cell is None
                    else make_value_mark(cell, FELT_TEXT_COLOURS)
                )
                mark.draw(left + (wide - mark.width_at(line_height)) / 2, top - at * line_height, line_height)
                left += wide

    def _draw_head(self, head: Sequence[Mark], foot: tuple[float, float], line_height: float) -> None:
        """Draws the lines of a head over each other, the last right above its column."""
        middle, low = foot
        step = line_height * (1.0 if len(head) == 1 else TWO_LINE_HEAD_SPACING)
        for at, mark in enumerate(reversed(head)):
            mark.draw(
                middle - mark.width_at(line_height) / 2,
                low + at * step - (line_height - step) / 2,
                line_height,
            )


def _lines(marks: Sequence[Mark], line_height: float, width: float, gap: float) -> float:
    """Returns how many lines the marks take, side by side where they fit."""
    return sum(
        max(mark.height_in_lines for mark in row) for row in flow_into_rows(marks, line_height, width, gap)
    )
