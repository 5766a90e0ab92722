"""The mark of a grid of counts, which shrinks, turns or splits to fit.

A grid that is too wide has heads of two lines; then players are shown as tokens; at last the grid is split
into parts. Lines of many players become columns, and a long grid is split into halves, if the halves have
room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from msgspec.structs import replace

from companion.rules.scene_views import GridView
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Labelled, render
from ui import theme
from ui.widgets.drawing.line_breaking import contains_japanese, find_name_parts
from ui.widgets.drawing.surfaces import fill_rounded_box
from ui.widgets.drawing.text import shorten_name, split_in_two_lines
from ui.widgets.pieces.marks import (
    FELT_TEXT_COLOURS,
    DigitsMark,
    Mark,
    PlacedMark,
    TokenMark,
)
from ui.widgets.pieces.rows import flow_into_rows
from ui.widgets.pieces.worded import (
    format_cell_number_and_maximum,
    make_cell_value_mark,
    make_piece_mark,
    make_quiet_label_mark,
    make_quiet_text_mark,
)
from ui.words import replace_seat_names

ONE_LINE_HEAD_STYLE, TWO_LINE_HEAD_STYLE, TOKEN_HEAD_STYLE = HEAD_STYLES = range(3)
"""How heads are shown, from wide to narrow: in one line, in two lines, players as tokens and names short."""
NARROW_TOKEN_HEAD_STYLE = 3
"""Players as tokens, and columns as close as possible."""
NO_HEAD_STYLE = 4
"""No heads, for a single column, whose numbers follow from the names of the lines."""
COLUMN_GAP_BY_HEAD_STYLE = {
    ONE_LINE_HEAD_STYLE: 1.2,
    TWO_LINE_HEAD_STYLE: 1.2,
    TOKEN_HEAD_STYLE: 0.5,
    NARROW_TOKEN_HEAD_STYLE: 0.25,
    NO_HEAD_STYLE: 0.25,
}
"""Gaps between columns, by the style of the heads."""
MAX_SEATS_AS_GRID_LINES = 6
"""Maximum number of seats with one line each; with more seats the grid would be too high."""
MAX_UNSPLIT_LINES = 9
"""Maximum number of lines of a grid that isn't split; a longer grid is split into halves side by side."""
MAX_UNSPLIT_LINES_IF_LOW, MAX_UNSPLIT_LINES_IF_LOWEST, MAX_UNSPLIT_LINES_IF_SIDE_BY_SIDE = 2, 1, 0
"""Maximum number of lines of a grid that isn't split if the room is low.

In the lowest room a grid also has no column of zeros, and a single column no head. The cards that the
question is about have no name there. Side by side, marks of one line are beside the grids as well.
"""
TWO_LINE_HEAD_LINE_HEIGHT = 0.8
"""Height of each of a head's two lines, just enough for the letters of a label, which are 0.86 lines high."""
MIN_JAPANESE_HEAD_LETTERS_FOR_TWO_LINES = 4
"""Letters from which a Japanese head has two lines."""


class GridMark(Mark):
    """Mark of a grid: column heads above, and below them lines of numbers, each behind its name.

    Heads have one or two lines.
    """

    def __init__(self, grid: GridView, lang: str, head_style: int = ONE_LINE_HEAD_STYLE) -> None:
        self._grid, self._lang, self._head_style = grid, lang, head_style
        self._names = [self._make_name_mark(label) for label, _ in grid.lines]
        self._heads = [self._make_head_marks(head) for head in grid.column_headings]
        head_heights = [TWO_LINE_HEAD_LINE_HEIGHT * len(head) for head in self._heads if len(head) > 1]
        self._heads_height = 0.0 if head_style == NO_HEAD_STYLE else max([1.0, *head_heights])
        self.height_in_lines = len(grid.lines) + self._heads_height
        numbers = [cell for _, cells in grid.lines for cell in cells if cell is not None]
        self.visible_text = " ".join(map(format_cell_number_and_maximum, numbers))
        self._column_widths_by_line_height: dict[float, list[float]] = {}

    def fit_to_width(self, line_height: float, max_width: float) -> GridMark:
        """Returns the grid with the widest heads that fit; with the narrowest if nothing fits."""
        if self._head_style == NO_HEAD_STYLE:
            return self
        many_seats_styles = (TOKEN_HEAD_STYLE, NARROW_TOKEN_HEAD_STYLE) if self._has_many_seats else ()
        grids = chain(
            map(self._transposed, many_seats_styles),
            (GridMark(self._grid, self._lang, head_style) for head_style in HEAD_STYLES),
        )
        fitting_grid = next((grid for grid in grids if grid.width_at(line_height) <= max_width), None)
        if fitting_grid is None and self._has_many_seats:
            return self._transposed(NARROW_TOKEN_HEAD_STYLE)
        return fitting_grid or GridMark(self._grid, self._lang, TOKEN_HEAD_STYLE)

    def without_single_head(self) -> GridMark:
        """Returns the grid without a head if it has a single column."""
        is_single = len(self._grid.column_headings) == 1
        return GridMark(self._grid, self._lang, NO_HEAD_STYLE) if is_single else self

    @property
    def _has_many_seats(self) -> bool:
        """Whether more than `MAX_SEATS_AS_GRID_LINES` seats have a line each."""
        return sum(isinstance(label, Seat) for label, _ in self._grid.lines) > MAX_SEATS_AS_GRID_LINES

    def try_split_into_halves(
        self, line_height: float, max_width: float, gap: float, max_unsplit_lines: int = MAX_UNSPLIT_LINES
    ) -> tuple[Mark, Mark] | None:
        """Returns two equally high grids with half of the lines each.

        Returns None if both are too wide, or if the grid has no more lines than `max_unsplit_lines`.
        """
        lines = self._grid.lines
        middle = (len(lines) + 1) // 2
        half_views = [replace(self._grid, lines=half) for half in (lines[:middle], lines[middle:])]
        for head_style in HEAD_STYLES if len(lines) > max_unsplit_lines else ():
            first, second = (GridMark(half, self._lang, head_style) for half in half_views)
            if first.width_at(line_height) + second.width_at(line_height) + gap <= max_width:
                second.height_in_lines = first.height_in_lines
                return first, second
        return None

    def find_lowest_arrangement(self, line_height: float, max_width: float, gap: float) -> list[Mark]:
        """Returns the grid in the arrangement with the fewest lines: in halves, turned, or unchanged."""
        if self._head_style == NO_HEAD_STYLE:
            return [self]
        transposed_grids = (
            self._transposed(head_style)
            for head_style in (*HEAD_STYLES, *([NARROW_TOKEN_HEAD_STYLE] if self._has_many_seats else []))
        )
        fitting_grids = [grid for grid in transposed_grids if grid.width_at(line_height) <= max_width][:1]
        arrangements: list[list[Mark]] = [
            [*(self.try_split_into_halves(line_height, max_width, gap, MAX_UNSPLIT_LINES_IF_LOW) or ())],
            [*fitting_grids],
            self._transposed(NARROW_TOKEN_HEAD_STYLE).split_columns(line_height, max_width)
            if self._has_many_seats and not fitting_grids
            else [],
            [self.fit_to_width(line_height, max_width)],
        ]
        return min(
            [marks for marks in arrangements if marks],
            key=lambda marks: _count_lines(marks, line_height, max_width, gap),
        )

    def _transposed(self, head_style: int) -> GridMark:
        """Returns the grid with its lines as columns."""
        heads, columns = zip(*self._grid.lines, strict=True)
        lines = tuple(zip(self._grid.column_headings, zip(*columns, strict=True), strict=True))
        return GridMark(replace(self._grid, column_headings=heads, lines=lines), self._lang, head_style)

    def split_columns(self, line_height: float, max_width: float) -> list[Mark]:
        """Returns grids with some of the columns each, none wider than `max_width` if possible."""
        parts: list[Mark] = []
        first, used_width = 0, self._names_width(line_height)
        for index, column_width in enumerate(self._column_widths(line_height)):
            if index > first and used_width + column_width > max_width:
                parts.append(self._with_columns(first, index))
                first, used_width = index, self._names_width(line_height)
            used_width += column_width
        return [*parts, self._with_columns(first, len(self._heads)) if first else self]

    def _with_columns(self, first: int, end: int) -> GridMark:
        lines = tuple((name, cells[first:end]) for name, cells in self._grid.lines)
        part = replace(self._grid, column_headings=self._grid.column_headings[first:end], lines=lines)
        return GridMark(part, self._lang, self._head_style)

    def _make_name_mark(self, label: Labelled) -> Mark:
        if isinstance(label, Seat) and self._head_style >= TOKEN_HEAD_STYLE:
            return TokenMark(label)
        if (
            TOKEN_HEAD_STYLE <= self._head_style < NO_HEAD_STYLE
        ):  # names in the label, such as those of a team
            text = render(replace_seat_names(label, shorten_name), self._lang)
            return make_quiet_text_mark(text, FELT_TEXT_COLOURS)
        return make_quiet_label_mark(label, self._lang, FELT_TEXT_COLOURS)

    def _make_head_marks(self, head: Labelled) -> Sequence[Mark]:
        """Returns the lines of a column's head."""
        if self._head_style == NO_HEAD_STYLE:
            return []
        if isinstance(head, Piece):
            return [make_piece_mark(head, self._lang, FELT_TEXT_COLOURS)]
        mark = self._make_name_mark(head)
        can_be_broken = " " in mark.visible_text or (
            contains_japanese(mark.visible_text)
            and len(find_name_parts(mark.visible_text)[-1]) > 1  # a katakana word stays whole
            and len(mark.visible_text) >= MIN_JAPANESE_HEAD_LETTERS_FOR_TWO_LINES
        )
        if self._head_style == ONE_LINE_HEAD_STYLE or isinstance(mark, TokenMark) or not can_be_broken:
            return [mark]
        return [
            make_quiet_text_mark(text, FELT_TEXT_COLOURS) for text in split_in_two_lines(mark.visible_text)
        ]

    def _column_widths(self, line_height: float) -> list[float]:
        """Returns the widths of all columns; they are kept, because layouts and every line ask for them."""
        if line_height not in self._column_widths_by_line_height:
            self._column_widths_by_line_height[line_height] = self._measure_columns(line_height)
        return self._column_widths_by_line_height[line_height]

    def _measure_columns(self, line_height: float) -> list[float]:
        gap = theme.length.gap * COLUMN_GAP_BY_HEAD_STYLE[self._head_style]
        return [
            max(mark.width_at(line_height) for mark in (*head, *self._column_marks(index))) + gap
            for index, head in enumerate(self._heads)
        ]

    def _column_marks(self, index: int) -> list[Mark]:
        cells = [cells[index] for _, cells in self._grid.lines]
        return [
            DigitsMark("00", FELT_TEXT_COLOURS.normal),
            *(make_cell_value_mark(cell, FELT_TEXT_COLOURS) for cell in cells if cell is not None),
        ]

    def _names_width(self, line_height: float) -> float:
        return max([name.width_at(line_height) for name in self._names], default=0.0) + theme.length.gap

    def width_at(self, line_height: float) -> float:
        """Returns the width of names and columns."""
        return self._names_width(line_height) + sum(self._column_widths(line_height))

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws a sunken field with the heads above and the numbers in their columns."""
        top = y + (self.height_in_lines - self._heads_height) * line_height
        lines_height = len(self._grid.lines) * line_height
        fill_rounded_box(
            theme.multiply_opacity(theme.FELT_DARK, 0.45),
            (
                x - theme.length.rim,
                top - lines_height,
                self.width_at(line_height) + theme.length.rim,
                lines_height,
            ),
        )
        for placed in self.placed_texts(x, y, line_height):
            placed.draw()

    def placed_texts(self, x: float, y: float, line_height: float) -> Iterator[PlacedMark]:
        """Yields heads, names and numbers in their places."""
        top = y + (self.height_in_lines - self._heads_height) * line_height
        left = x + self._names_width(line_height)
        for index, column_width in enumerate(self._column_widths(line_height)):
            yield from _place_head(self._heads[index], (left + column_width / 2, top), line_height)
            left += column_width
        for index, (_, cells) in enumerate(self._grid.lines, 1):
            yield PlacedMark(self._names[index - 1], x, top - index * line_height, line_height)
            left = x + self._names_width(line_height)
            for cell, column_width in zip(cells, self._column_widths(line_height), strict=True):
                mark = (
                    DigitsMark("–", FELT_TEXT_COLOURS.quiet)
                    if cell is None
                    else make_cell_value_mark(cell, FELT_TEXT_COLOURS)
                )
                mark_x = left + (column_width - mark.width_at(line_height)) / 2
                yield PlacedMark(mark, mark_x, top - index * line_height, line_height)
                left += column_width


def _place_head(head: Sequence[Mark], foot: tuple[float, float], line_height: float) -> Iterator[PlacedMark]:
    """Yields the lines of a head above each other, the last one right above its column."""
    centre_x, bottom = foot
    step = line_height * (1.0 if len(head) <= 1 else TWO_LINE_HEAD_LINE_HEIGHT)
    for index, mark in enumerate(reversed(head)):
        mark_y = bottom + index * step - (line_height - step) / 2
        yield PlacedMark(mark, centre_x - mark.width_at(line_height) / 2, mark_y, line_height)


def _count_lines(marks: Sequence[Mark], line_height: float, width: float, gap: float) -> float:
    """Returns how many lines the marks take, side by side where they fit."""
    return sum(
        max(mark.height_in_lines for mark in row) for row in flow_into_rows(marks, line_height, width, gap)
    )
