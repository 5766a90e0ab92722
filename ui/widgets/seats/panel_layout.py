"""The layout of a player panel.

`PanelContents` are the marks of one panel. A `PanelLayout` decides once for a width where each mark is; the
layout then measures the panel at several line heights, and arranges the marks at the chosen line height.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from math import ceil, inf
from typing import Literal, NamedTuple

from companion.rules.scene_views import CellView, MatView, RowView
from companion.texts import Labelled, render
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.line_breaking import find_name_parts
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import (
    count_left_out_letters,
    draw_text,
    measure_text_width,
    min_name_width,
    split_in_two_lines,
    widest_line_width_in_smallest_font,
    wrap_name,
)
from ui.widgets.pieces.card import make_open_card_marks
from ui.widgets.pieces.marks import DIGITS_LINE_SHARE, PAPER_TEXT_COLOURS, BadgeMark, Mark, PlacedMark
from ui.widgets.pieces.rows import (
    MarkRows,
    drop_marks_to_fit,
    flow_into_rows,
    place_rows,
    rows_height,
    widest_row_width,
)
from ui.widgets.pieces.worded import (
    BADGE_TEXT_LINE_SHARE,
    keep_label_with_first_mark,
    make_cell_picture_or_name_mark,
    make_cell_value_mark,
    make_number_run_marks,
    make_piece_row_marks,
)
from ui.widgets.seats.clock_face import RING_TO_TOKEN_WIDTH_RATIO
from ui.widgets.seats.panel_changes import HEADLINE_INDEX
from ui.widgets.seats.panel_columns import (
    LARGE_DIGITS_SHARE,
    CellNumberMark,
    HiddenCardCountMark,
    LargeNumberMark,
    NumberBelowWordMark,
    PanelColumns,
    ReservedSpaceMark,
    bid_font_size,
    bid_width,
    join_marks_of_pieces_with_same_look,
)
from ui.words import get_running_translator

DetailLevel = Literal["everything", "condensed", "headline", "one line"]
DETAIL_LEVELS: tuple[DetailLevel, ...] = ("everything", "condensed", "headline", "one line")
"""What panels show, from most to least.

With "condensed", panels show everything in less height: the name in one line, low rows, and the numbers of
tiles instead of the tiles. With "one line", rows are as low; if bid and clock are below the name, the panel
shows nothing else there. The headline of a seat that doesn't take part is left out there while it is 0.
"""
LEVELS_WITH_LOW_ROWS = ("condensed", "one line")
HEADLINE_HEIGHT_LINES = 1.5
"""Height of a headline left of the cells, in lines."""
MAX_CELLS_BESIDE_HEADLINE = 3
"""Maximum number of cells beside the headline; with more cells the headline is beside the name."""
MIN_LINE_HEIGHT_IN_GLYPHS = 0.92
"""Least height of a line that can be read well, as a share of a glyph."""
CONDENSED_LINE_HEIGHT_IN_GLYPHS = 0.82
"""Height of a line of a panel with low rows, as a share of a glyph: digits have no space above and below."""
NAME_LINE_HEIGHT_EM = 1.15
"""Height of the name's line on a compact panel, in heights of its letters."""
MAX_NAME_COLUMN_SHARE = 0.4
"""Maximum share of a panel's width for names in one line beside the rows."""
MAX_NAME_WIDTH_EM = 6.5
"""Maximum width that a name needs, in heights of the smallest letters."""
MAX_WORD_WIDTH_EM = 9.0
"""Maximum width of a word of a name that is never broken, in heights of the smallest letters."""


def min_readable_line_height() -> float:
    """Returns the least height of a line that can be read well, in pixels."""
    return theme.length.glyph * MIN_LINE_HEIGHT_IN_GLYPHS


def least_line_height(detail_level: DetailLevel) -> float:
    """Returns the height of the lowest line at a level of detail, in pixels."""
    if detail_level in LEVELS_WITH_LOW_ROWS:
        return theme.length.glyph * CONDENSED_LINE_HEIGHT_IN_GLYPHS
    return min_readable_line_height()


def vertical_margin(detail_level: DetailLevel) -> float:
    """Returns the space above and below everything on a panel, in pixels.

    Low rows in a column of panels are nearer to the edge: five panels need all of the smallest screen.
    """
    is_low = detail_level in LEVELS_WITH_LOW_ROWS and not theme.is_read_from_all_sides
    return theme.length.gap * (0.25 if is_low else 0.5)


class HeadlinePlace(Enum):
    """Place of a panel's headline, the number that matters most."""

    NOWHERE = "the panel has none"
    LEFT_OF_CELLS = "left of the cells"
    NAME_LINE = "in the line of the name"
    FIRST_CELL = "before the cells"
    RIGHT_END = "at the right end, as high as several lines"


class PanelContents:
    """The marks of one panel in one language, at one level of detail.

    `badges` come before those of the mat. `clock_width` is the width of the clock's digits, 0 without a
    clock. Marks are made once, because layouts measure the marks at many widths.
    """

    def __init__(
        self,
        mat: MatView,
        columns: PanelColumns,
        lang: str,
        detail_level: DetailLevel,
        badges: Iterable[BadgeMark],
        clock_width: float,
    ) -> None:
        self.mat, self.lang, self.detail_level = mat, lang, detail_level
        self.is_condensed, self.is_compact = detail_level == "condensed", detail_level != "everything"
        self.has_cells = detail_level in ("everything", "condensed")
        self.names = (mat.seat.name, *columns.names)
        self._measure_names()
        omitted = columns.omitted_numbers
        self.headline_cell = None if HEADLINE_INDEX in omitted else mat.headline
        self.headline = self._make_number_mark(
            self.headline_cell, columns.headline_digits, LARGE_DIGITS_SHARE, theme.length.min_deciding_digits
        )
        self.bare_headline = self._make_bare_headline(columns.headline_digits)
        self.large_headline = self._make_large_headline(columns.headline_digits)
        self.stacked_headline = self._make_stacked_headline(columns.headline_digits)
        shown_cells = [
            (index, cell)
            for index, cell in enumerate(mat.cells if self.has_cells else ())
            if index not in omitted
        ]
        self.mark_by_cell_index = {
            index: self._make_number_mark(
                cell, columns.cell_digits[index], DIGITS_LINE_SHARE, _min_digits_size(cell)
            )
            for index, cell in shown_cells
        }
        self.cells = [*self.mark_by_cell_index.values()]
        self.cell_groupings = self._group_cells([cell for _, cell in shown_cells])
        self.badges = [*badges, *self._make_badge_marks(mat.badges)]
        self.all_badges = list(self._make_badge_marks(columns.badges_so_far))
        rows = [row for row in mat.rows if not (columns.are_details_omitted and row.is_detail)]
        self.own_marks = list(self._make_row_and_card_marks(rows)) if self.has_cells else []
        self.clock = ReservedSpaceMark(clock_width)
        self._bid_digits = max(2, columns.bid_digits) if columns.bid_digits else 0
        self.bid = ReservedSpaceMark(self._bid_width(self._bid_digits) if self._bid_digits else 0.0)
        cards = [] if columns.widest_card is None else [columns.widest_card]
        self.widest_marks = [*self.cells, *self.all_badges, *cards]

    def _measure_names(self) -> None:
        self.longest_name_width = max(measure_text_width(name, theme.length.smallest) for name in self.names)
        self.min_name_width = self._compute_min_name_width()
        words = (part.strip() for name in self.names for part in find_name_parts(name)[-1])
        self.word_widths = _measure_words(words)
        self.first_word_widths = _measure_words(self._first_words())

    def _group_cells(self, cells: Sequence[CellView]) -> list[list[Mark]]:
        """Returns the marks of the cells, and again with pieces of one look joined, if that differs."""
        grouped_cells = list(join_marks_of_pieces_with_same_look(cells, self.cells))
        if self.is_condensed or len(grouped_cells) == len(self.cells):
            return [self.cells]
        return [self.cells, grouped_cells]

    def _compute_min_name_width(self) -> float:
        """Returns the width that every name needs, so that no word is broken unless it is very long."""
        smallest = theme.length.smallest
        max_two_line_width = max(
            widest_line_width_in_smallest_font(split_in_two_lines(name)) for name in self.names
        )
        usual_width = min(MAX_NAME_WIDTH_EM * smallest, max_two_line_width)
        words = list[str]()
        if self.detail_level == "everything":
            words = [part.strip() for name in self.names for part in find_name_parts(name)[-1]]
        elif self.is_condensed:
            words = self._first_words()
        return max(usual_width, self._widest_usual_width(words))

    def _first_words(self) -> list[str]:
        """Returns what a shortened name shows at least, of each name of the table."""
        return [find_name_parts(name)[-1][0].strip().rstrip("・") for name in self.names]

    def _widest_usual_width(self, words: Iterable[str]) -> float:
        """Returns the width of the widest word that isn't so long that it may be broken."""
        return max(
            (width for width in _measure_words(words) if width <= MAX_WORD_WIDTH_EM * theme.length.smallest),
            default=0.0,
        )

    def _bid_width(self, digits: int) -> float:
        size = theme.length.smallest if self.is_condensed else bid_font_size(digits)
        return measure_text_width("0" * digits, size, theme.MONEY_FONT) + theme.length.gap

    def _make_number_mark(
        self, cell: CellView | None, digits: int, line_share: float, min_size: float
    ) -> Mark:
        if cell is None:
            return Mark()
        if cell.value is None and cell.piece is not None and cell.piece.is_physical_card:
            return HiddenCardCountMark(digits)
        return CellNumberMark(
            make_cell_picture_or_name_mark(cell, self.lang, PAPER_TEXT_COLOURS),
            make_cell_value_mark(cell, PAPER_TEXT_COLOURS, line_share, min_size),
            digits,
            line_share,
            min_size,
        )

    def _make_bare_headline(self, digits: int) -> Mark:
        """Returns the headline's number without its word or picture."""
        if self.headline_cell is None:
            return Mark()
        value = _make_headline_value_mark(self.headline_cell)
        return CellNumberMark(Mark(), value, digits, LARGE_DIGITS_SHARE, theme.length.min_deciding_digits)

    def _make_large_headline(self, digits: int) -> Mark:
        """Returns the headline for the right end of the panel, where it is larger than everything else."""
        cell = self.headline_cell
        if cell is None:
            return Mark()
        if cell.value is None and cell.piece is not None and cell.piece.is_physical_card:
            return self.headline
        return LargeNumberMark(
            make_cell_picture_or_name_mark(cell, self.lang, PAPER_TEXT_COLOURS, theme.length.note),
            _make_headline_value_mark(cell),
            digits,
        )

    @property
    def is_headline_needless(self) -> bool:
        """Whether the headline says nothing: it is 0, and the seat doesn't take part."""
        is_zero = self.headline_cell is not None and self.headline_cell.value == 0
        return self.detail_level == "one line" and self.mat.sits_out and is_zero

    @property
    def headline_marks(self) -> Sequence[Mark]:
        """All marks that may be the headline, one in each shape of the panel."""
        return self.headline, self.bare_headline, self.large_headline, self.stacked_headline

    def _make_stacked_headline(self, digits: int) -> Mark:
        """Returns the large headline with its word above its number; none if its number has a picture."""
        cell = self.headline_cell
        if cell is None or cell.piece is not None or cell.value is None:
            return Mark()
        word = make_cell_picture_or_name_mark(cell, self.lang, PAPER_TEXT_COLOURS, theme.length.note)
        return NumberBelowWordMark(word, _make_headline_value_mark(cell), digits)

    def large_bid_width(self, height: float) -> float:
        """Returns the width of the card of a bid whose card is so high; 0 as long as nobody has bid."""
        return bid_width(self._bid_digits, height) if self._bid_digits else 0.0

    def _make_badge_marks(self, badges: Iterable[tuple[Labelled, bool]]) -> Iterator[BadgeMark]:
        return (
            make_panel_badge(render(text, self.lang), is_warning=is_warning) for text, is_warning in badges
        )

    def _make_row_and_card_marks(self, rows: Iterable[RowView]) -> Iterator[Mark]:
        """Yields the marks of rows and their open cards, which come after the cells."""
        make_marks = make_number_run_marks if self.is_condensed else make_piece_row_marks
        for row in rows:
            pieces = make_marks(row, self.lang, PAPER_TEXT_COLOURS)
            yield from keep_label_with_first_mark(
                [*pieces, *make_open_card_marks(row.open_cards, self.lang)], row
            )


def _make_headline_value_mark(cell: CellView) -> Mark:
    return make_cell_value_mark(
        cell, PAPER_TEXT_COLOURS, LARGE_DIGITS_SHARE, theme.length.min_deciding_digits
    )


def _min_digits_size(cell: CellView) -> float:
    """Returns the least height of a cell's digits, which is larger for money and for totals."""
    return float(
        theme.length.min_deciding_digits if cell.is_money or cell.is_total else theme.length.smallest
    )


def make_panel_badge(text: str, *, is_warning: bool) -> BadgeMark:
    """Returns a badge of a panel, whose letters grow with the lines."""
    return BadgeMark(text, is_warning=is_warning, line_share=BADGE_TEXT_LINE_SHARE)


class PlayerNameMark(Mark):
    """Mark of a player's name in one or two lines, spread over the height."""

    def __init__(self, lines: list[str], size: float, colour: Colour) -> None:
        self._lines, self._size, self._colour = lines, size, colour
        self.visible_text = " ".join(lines)

    def width_at(self, line_height: float) -> float:  # noqa: ARG002 - the letters have a height of their own
        """Returns the width of the wider line."""
        return max(measure_text_width(line, self._size) for line in self._lines)

    def _line_distance(self, line_height: float) -> float:
        return min(line_height / len(self._lines), self._size * 1.3)

    def ink_height(self, line_height: float) -> float:
        """Returns the height of all lines of letters."""
        return self._size + self._line_distance(line_height) * (len(self._lines) - 1)

    def draw(self, x: float, y: float, line_height: float) -> None:
        """Draws the lines around the middle of the height."""
        line_distance = self._line_distance(line_height)
        first_line_y = y + (line_height + line_distance * (len(self._lines) - 1)) / 2
        for index, line in enumerate(self._lines):
            draw_text(
                line,
                (x + measure_text_width(line, self._size) / 2, first_line_y - line_distance * index),
                self._size,
                self._colour,
            )


class PanelShape(NamedTuple):
    """How a panel's layout differs from the usual one, in which the headline is as high as one or two lines.

    `large_headline_height`: headline and bid are at the right end, as high as that, and the rows beside them
    are shorter; 0 for the usual headline. `beside_name_size`: the rows are beside a column for the names, in
    which usual names have letters of this height; 0 if the rows are below the name. `has_word_above_number`:
    the word of a large headline is above its number.
    """

    large_headline_height: float = 0.0
    beside_name_size: float = 0.0
    has_word_above_number: bool = False

    @property
    def large_number_height(self) -> float:
        """Height of the number of a large headline, without its word above; 0 for the usual headline."""
        word_height = theme.length.smallest if self.has_word_above_number else 0.0
        return max(0.0, self.large_headline_height - word_height)


USUAL_SHAPE = PanelShape()


class ArrangedPanel(NamedTuple):
    """Boxes and marks of a panel in window pixels.

    `bid` and `clock` are None without space. `name_line` is the whole line with the name, up to the margin.
    """

    token: Box
    name: PlacedMark
    name_line: Box
    marks: list[PlacedMark]
    bid: Box | None
    clock: Box | None


class _RightEnd:
    """What is at the right end of the name's line, placed from right to left; `left` is its left edge."""

    def __init__(self, right: float) -> None:
        self.left, self.marks = right, list[PlacedMark]()
        self.bid: Box | None = None
        self.clock: Box | None = None

    def take(self, width: float, y: float, height: float, gap: float) -> Box:
        """Returns the box of the next thing, and leaves a gap at its left."""
        self.left -= width + gap
        return self.left + gap, y, width, height

    def place(self, mark: Mark, y: float, line_height: float, gap: float) -> None:
        """Places the next mark, and leaves a gap at its left."""
        x = self.take(mark.width_at(line_height), y, line_height, gap)[0]
        self.marks.append(PlacedMark(mark, x, y, line_height))


class PanelLayout:
    """The layout of a panel of one width: decided once, then measured at several line heights.

    The decisions depend on each other in this order: bid and clock beside or below the name, the place of
    the headline, the widths of token and name, the place of the badges.
    """

    def __init__(self, contents: PanelContents, width: float, shape: PanelShape = USUAL_SHAPE) -> None:
        sizes = theme.length
        self._large_headline_height, self._beside_name_size, _ = shape
        self._has_rows_beside_name = shape.beside_name_size > 0
        self._contents, self._rows_at = contents, dict[float, MarkRows]()
        self._margin = self._choose_margin(width)
        self._inner_width = width - 2 * self._margin
        self.headline = self._choose_headline(shape)
        self._right_width = self._choose_right_width()
        self._headline_place = self._choose_headline_place()
        # The token leaves room for the first words of names that have room beside the smallest token.
        width_beside_token = self._inner_width - self._right_width
        max_name_width = width_beside_token - sizes.glyph
        whole_words = [width for width in contents.first_word_widths if width <= max_name_width]
        width_left_for_token = width_beside_token - max([contents.min_name_width, *whole_words])
        is_low = contents.is_condensed and not self._has_rows_beside_name
        max_token_width = sizes.glyph if is_low else sizes.token
        self._token_width = float(max(sizes.glyph, min(max_token_width, width_left_for_token)))
        self._name_width = self._choose_name_width()
        self._is_name_too_wide = contents.min_name_width > self._name_width + 0.5
        self._place_badges()

    def _choose_headline(self, shape: PanelShape) -> Mark:
        """Returns the mark of the headline: the number alone if there is no room for its word or picture."""
        contents = self._contents
        if shape.has_word_above_number:
            return contents.stacked_headline
        if shape.large_headline_height:
            return contents.large_headline
        has_room = contents.headline.width_at(min_readable_line_height()) <= self._inner_width
        return contents.headline if has_room else contents.bare_headline

    def _choose_name_width(self) -> float:
        """Returns the width for the name, in whole pixels, so that a part of a pixel breaks no word.

        The widths of the token and of what is right of the name include a gap.
        """
        if self._has_rows_beside_name:
            return self._compute_name_column_width()
        gap, in_name_line = theme.length.gap, self._headline_place is HeadlinePlace.NAME_LINE
        headline_width = self.headline.width_at(theme.length.token) + gap if in_name_line else 0.0
        used_width = self._token_width + headline_width + self._right_width
        return float(round(self._inner_width - used_width))

    def _choose_margin(self, width: float) -> float:
        """Returns the margin at the sides; a narrow one if a word of a name has room only then."""
        narrow, usual = theme.length.gap * 0.6, theme.length.gap * 1.2
        width_beside_token = width - theme.length.glyph - theme.length.gap
        needs_narrow_margin = any(
            width_beside_token - 2 * usual < word_width <= width_beside_token - 2 * narrow
            for word_width in self._contents.word_widths
        )
        return narrow if self._contents.is_compact or needs_narrow_margin else usual

    def _choose_right_width(self) -> float:
        """Chooses whether bid and clock are beside or below the name; returns their width beside it."""
        contents, sizes, gap = self._contents, theme.length, theme.length.gap
        if self._has_large_block:
            self._has_bid_and_clock_below = False
            clock_width = contents.clock.width + gap if contents.clock.width else 0.0
            return self._large_block_width + clock_width + gap
        bid_and_clock = contents.clock.width + (contents.bid.width + gap if contents.bid.width else 0.0)
        # The ring of a clock needs a large token.
        least_token_width = sizes.token if contents.clock.width and not contents.is_condensed else sizes.glyph
        width_beside_name = self._inner_width - least_token_width - gap - bid_and_clock
        self._has_bid_and_clock_below = bid_and_clock > 0 and width_beside_name < contents.min_name_width
        if not bid_and_clock or self._has_bid_and_clock_below:
            return 0.0
        return bid_and_clock + (gap if contents.clock.width else 0.0)

    def _compute_name_column_width(self) -> float:
        """Returns the width of names beside the rows; a long name has two lines of the smallest letters."""
        max_width = self._inner_width * MAX_NAME_COLUMN_SHARE

        def width_of(name: str) -> float:
            width = measure_text_width(name, self._beside_name_size)
            two_lines = widest_line_width_in_smallest_font(split_in_two_lines(name))
            return width if width <= max_width else two_lines

        return float(ceil(max(self._contents.min_name_width, *map(width_of, self._contents.names))))

    @property
    def _has_large_block(self) -> bool:
        """Whether headline and bid are at the right end, as high as several lines."""
        return self._large_headline_height > 0 or self._has_rows_beside_name

    @property
    def _large_block_height(self) -> float:
        return self._large_headline_height or float(theme.length.head)

    @property
    def _large_block_width(self) -> float:
        """The width of a large headline and of the bid beside it."""
        height = self._large_block_height
        bid = self._contents.large_bid_width(height)
        headline = self.headline.width_at(height) if self._contents.headline_cell is not None else 0.0
        return headline + (bid + theme.length.gap if bid else 0.0)

    def _place_badges(self) -> None:
        """Chooses whether badges are beside the name, and the width for the name's text."""
        contents = self._contents
        self._name_text_width = self._name_width
        self._has_badges_above = False
        if self._has_rows_beside_name:
            return
        badges_width = sum(badge.width_at(_badge_height()) + theme.length.gap for badge in contents.badges)
        name_width = measure_text_width(contents.names[0], theme.length.note)
        self._has_badges_above = name_width + badges_width <= self._name_width
        if contents.is_condensed and not self._has_badges_above:
            self._move_badges_above_to_save_row()

    def _move_badges_above_to_save_row(self) -> None:
        """Puts the badges beside a shorter name if there is room and the panel then has fewer rows."""
        half_gap, line_height = theme.length.gap * 0.5, least_line_height(self._contents.detail_level)
        badges_width = sum(badge.width_at(_badge_height()) + half_gap for badge in self._contents.badges)
        shorter_width = self._name_width - badges_width
        row_count = len(self._flow_rows(line_height))
        self._has_badges_above = shorter_width >= self._contents.min_name_width
        if len(self._flow_rows(line_height)) < row_count:
            self._name_text_width = shorter_width
        else:
            self._has_badges_above = False

    def _choose_headline_place(self) -> HeadlinePlace:
        contents, sizes = self._contents, theme.length
        if contents.headline_cell is None:
            return HeadlinePlace.NOWHERE
        if self._large_headline_height:
            return HeadlinePlace.RIGHT_END
        if self._has_room_beside_headline():
            return HeadlinePlace.LEFT_OF_CELLS
        free_width = self._inner_width - sizes.token - 2 * sizes.gap - contents.longest_name_width
        free_width -= self._right_width
        is_in_name_line = self.headline.width_at(sizes.token) <= free_width
        return HeadlinePlace.NAME_LINE if is_in_name_line else HeadlinePlace.FIRST_CELL

    def _has_room_beside_headline(self) -> bool:
        """Whether all cells, and the widest marks of any panel so far, fit beside the headline.

        A headline without a piece is a word, whose place is the line of the name.
        """
        contents, line_height = self._contents, min_readable_line_height()
        headline = contents.headline_cell
        if contents.is_compact or headline is None or headline.piece is None:
            return False
        free_width = (
            self._inner_width
            - self.headline.width_at(line_height * HEADLINE_HEIGHT_LINES)
            - 2 * theme.length.gap
        )
        has_few_cells = len(contents.cells) <= MAX_CELLS_BESIDE_HEADLINE
        return has_few_cells and all(
            mark.width_at(line_height) <= free_width for mark in contents.widest_marks
        )

    def _name_line_height(self, line_height: float) -> float:
        """Returns the height of the name's line, which grows with the other lines."""
        if self._contents.is_compact:
            largest = theme.length.title * NAME_LINE_HEIGHT_EM
            return float(max(theme.length.smallest * NAME_LINE_HEIGHT_EM, min(line_height, largest)))
        return max(self._full_name_line_height, line_height)

    @cached_property
    def _full_name_line_height(self) -> float:
        """Height of the name's line, equal on all panels of the table: two lines if any name needs two."""
        smallest = float(theme.length.smallest)
        lines = max(len(wrap_name(name, self._name_width, max_lines=2)) for name in self._contents.names)
        return smallest * max(1.7, 1.25 * lines + 0.1)

    # Measuring

    def needed_height(self, line_height: float) -> float:
        """Returns the height that the panel needs at a line height.

        The height is infinite if a row is too wide, unless the line is already the smallest.
        """
        rows, is_smallest = (
            self._rows(line_height),
            line_height <= least_line_height(self._contents.detail_level),
        )
        if not is_smallest and (
            self._has_too_wide_row(rows, line_height) or self._has_no_room_beside_name(line_height)
        ):
            return inf
        body_height = rows_height(rows, line_height, theme.length.hair)
        if self._headline_place is HeadlinePlace.LEFT_OF_CELLS:
            body_height = max(
                body_height, self.headline.height_in_lines * line_height * HEADLINE_HEIGHT_LINES
            )
        height = self._name_line_height(line_height) + self._gap_below_name + body_height
        if self._has_rows_beside_name:
            height = max(self._name_height_beside_rows, body_height)
        height = max(height, self._large_headline_height) + 2 * self._vertical_margin
        return float(max(theme.length.target, height))

    def headline_height(self, line_height: float) -> float:
        """Returns the height of the headline at a line height."""
        if self._headline_place is HeadlinePlace.RIGHT_END:
            return self._large_headline_height
        if self._headline_place is HeadlinePlace.LEFT_OF_CELLS:
            return line_height * HEADLINE_HEIGHT_LINES
        return float(theme.length.token) if self._headline_place is HeadlinePlace.NAME_LINE else line_height

    def keeps_names(self, usual: PanelLayout) -> bool:
        """Whether every name is whole in one line or two, or as readable as in a panel of the usual shape."""

        def is_kept(name: str) -> bool:
            width = measure_text_width(name, theme.length.key)
            return (
                width <= self._name_text_width
                or self._has_whole_words_in_two_lines(name)
                or (width > usual._name_text_width and self._wrap_name(name) == usual._wrap_name(name))
            )

        return all(map(is_kept, self._contents.names))

    def _has_whole_words_in_two_lines(self, name: str) -> bool:
        lines = self._wrap_name(name)
        has_all_words = min_name_width(name) <= self._name_text_width
        return len(lines) > 1 and has_all_words and not count_left_out_letters(name, lines)

    @property
    def _name_height_beside_rows(self) -> float:
        """The height of the longest name in a column beside the rows."""
        lines = max(len(self._wrap_name(name)) for name in self._contents.names)
        size = theme.length.smallest * 1.25 * lines if lines > 1 else self._beside_name_size
        return float(size * NAME_LINE_HEIGHT_EM)

    def _has_too_wide_row(self, rows: MarkRows, line_height: float, tolerance: float = 0.0) -> bool:
        return any(
            widest_row_width([row], line_height, theme.length.gap)
            > self._row_width(index, line_height) + tolerance
            for index, row in enumerate(rows)
        )

    @cached_property
    def is_too_narrow(self) -> bool:
        """Whether a row is too wide at the smallest line height, or the name is too wide."""
        line = least_line_height(self._contents.detail_level)
        return (
            self._is_name_too_wide
            or self._has_no_room_beside_name(line)
            or self._has_too_wide_row(self._rows(line), line, tolerance=1)
        )

    def _has_no_room_beside_name(self, line_height: float) -> bool:
        """Whether there is less room beside the name than the widest mark needs in one piece."""
        contents, width = self._contents, self._cells_width(line_height)
        marks = [*contents.cells, *contents.badges, *contents.own_marks]
        max_width = max((mark.width_at(line_height) for mark in marks), default=0.0)
        return self._has_rows_beside_name and max_width > width

    @property
    def lines_of_lone_headline(self) -> float:
        """The height, in lines, of a headline that is the only mark below the name; 0 if there are others."""
        rows = self._rows(least_line_height(self._contents.detail_level))
        marks = [mark for row in rows for mark in row]
        if self._headline_place is HeadlinePlace.LEFT_OF_CELLS and not marks:
            return HEADLINE_HEIGHT_LINES
        return 1.0 if marks == [self.headline] else 0.0

    @property
    def left_out_letter_count(self) -> int:
        """Number of letters of the name that the panel doesn't show."""
        return count_left_out_letters(self._contents.names[0], self.wrap_own_name())

    def wrap_own_name(self) -> list[str]:
        """Returns the lines of the name: one above the rows of a compact panel, else up to two."""
        return self._wrap_name(self._contents.names[0])

    def _wrap_name(self, name: str) -> list[str]:
        has_one_line = self._contents.is_compact and not self._has_rows_beside_name
        return wrap_name(name, self._name_text_width, max_lines=1 if has_one_line else 2)

    @property
    def _vertical_margin(self) -> float:
        return vertical_margin(self._contents.detail_level)

    @property
    def _gap_below_name(self) -> float:
        return 0.0 if self._contents.is_compact else theme.length.rim

    def _cells_width(self, line_height: float) -> float:
        """Returns the width for the rows of cells: all, or what is left beside name and headline."""
        if self._has_rows_beside_name:
            used_width = self._token_width + self._name_width + self._right_width
            return self._inner_width - used_width - 2 * theme.length.gap
        if self._headline_place is HeadlinePlace.RIGHT_END:
            return self._inner_width - self._large_block_width - 2 * theme.length.gap
        if self._headline_place is not HeadlinePlace.LEFT_OF_CELLS:
            return self._inner_width
        headline = self.headline.width_at(line_height * HEADLINE_HEIGHT_LINES)
        return self._inner_width - headline - 2 * theme.length.gap

    def _row_width(self, index: int, line_height: float) -> float:
        """Returns the width for a row of cells; rows below a large headline have the whole width."""
        top = self._name_line_height(line_height) + self._gap_below_name
        top += max(0, index) * (line_height + theme.length.hair)
        is_below_headline = top >= self._large_headline_height and not self._has_rows_beside_name
        if self._headline_place is HeadlinePlace.RIGHT_END and is_below_headline:
            return self._inner_width
        return self._cells_width(line_height)

    def _rows(self, line_height: float) -> MarkRows:
        if line_height not in self._rows_at:
            self._rows_at[line_height] = self._flow_rows(line_height)
        return self._rows_at[line_height]

    def _flow_rows(self, line_height: float) -> MarkRows:
        """Returns the rows of marks below the name; pieces of one kind stay together if no row is added."""
        contents, width = self._contents, self._cells_width(line_height)
        has_one_row = contents.detail_level == "one line" and self._has_bid_and_clock_below
        is_headline_first = (
            self._headline_place is HeadlinePlace.FIRST_CELL
            and not has_one_row
            and not contents.is_headline_needless
        )
        first_marks = [self.headline] if is_headline_first else []
        if self._has_bid_and_clock_below:
            first_marks += [space for space in (contents.bid, contents.clock) if space.width]
        last_marks = [*([] if self._has_badges_above else contents.badges), *contents.own_marks]
        arrangements = [
            flow_into_rows(
                [*first_marks, *cells, *last_marks],
                line_height,
                width,
                theme.length.gap,
                lambda index: self._row_width(index, line_height),
            )
            for cells in contents.cell_groupings
        ]
        rows = arrangements[-1] if len(arrangements[-1]) <= len(arrangements[0]) else arrangements[0]
        return rows[:1] if has_one_row else rows

    # Arranging

    def arrange(self, box: Box, line_height: float, name_colour: Colour) -> ArrangedPanel:
        """Returns the boxes and marks of the panel in a box."""
        x, y, width, height = box
        line = self._drawn_name_line_height(height, line_height)
        left, top = x + self._margin, y + height - self._vertical_margin
        name_line: Box = (x, top - line, width - self._margin, line)
        right_end = self._arrange_right_end(name_line)
        name_x = left + self._token_width
        name_width = right_end.left - name_x
        if self._has_rows_beside_name:
            name_width = self._name_width
        name = PlacedMark(self._name_mark(name_width, line, name_colour), name_x, top - line, line)
        if self._has_rows_beside_name:
            rows_height_used = min(line, rows_height(self._rows(line_height), line_height, theme.length.hair))
            body_left, body_top = name_x + name_width + theme.length.gap, top - (line - rows_height_used) / 2
            body_height = line
        else:
            body_left, body_top = left, top - line - self._gap_below_name
            body_height = body_top - y - self._vertical_margin
        body = self._arrange_body(body_left, body_top, body_height, line_height)
        box_by_mark_id = {id(placed_mark.mark): placed_mark.box for placed_mark in body}
        return ArrangedPanel(
            self._token_box(left, top, line),
            name,
            name_line,
            [*right_end.marks, *body],
            right_end.bid or box_by_mark_id.get(id(self._contents.bid)),
            right_end.clock or box_by_mark_id.get(id(self._contents.clock)),
        )

    def _arrange_right_end(self, name_line: Box) -> _RightEnd:
        """Places bid, headline, clock and badges in the line of the name, beginning at the right."""
        contents, half_gap = self._contents, theme.length.gap * 0.5
        x, y, width, line_height = name_line
        end, middle_y = _RightEnd(x + width), y + line_height / 2
        if self._has_large_block:
            self._place_large_block(end, y, line_height)
        else:
            self._place_usual_bid_and_headline(end, middle_y, line_height)
        if not self._has_bid_and_clock_below:
            clock_width = contents.clock.width
            end.clock = end.take(clock_width, y, line_height, theme.length.gap if clock_width else 0.0)
        badge_height = min(_badge_height(), line_height) if contents.is_condensed else _badge_height()
        for badge in contents.badges if self._has_badges_above else ():
            end.place(badge, middle_y - badge_height / 2, badge_height, half_gap)
        return end

    def _place_large_block(self, end: _RightEnd, y: float, line_height: float) -> None:
        """Places the bid and a large headline, whose top is that of the name's line if they are higher."""
        height, gap = self._large_block_height, theme.length.gap
        bottom = y + (line_height - height) / (2 if height <= line_height else 1)
        if bid_width := self._contents.large_bid_width(height):
            end.bid = end.take(bid_width, bottom, height, gap)
        if self._contents.headline_cell is not None:
            end.place(self.headline, bottom, height, gap)

    def _place_usual_bid_and_headline(self, end: _RightEnd, middle_y: float, line_height: float) -> None:
        contents, sizes = self._contents, theme.length
        if contents.bid.width and not self._has_bid_and_clock_below:
            height = min(line_height, sizes.head)
            end.bid = end.take(contents.bid.width, middle_y - height / 2, height, sizes.gap)
        if self._headline_place is HeadlinePlace.NAME_LINE:
            height = min(line_height, sizes.token)
            end.place(self.headline, middle_y - height / 2, height, sizes.gap)

    def _arrange_body(self, x: float, top: float, height: float, line_height: float) -> list[PlacedMark]:
        """Places the rows of cells from the top, so that no cell moves when a row is added."""
        gap, hair, marks = theme.length.gap, theme.length.hair, list[PlacedMark]()
        if self._headline_place is HeadlinePlace.LEFT_OF_CELLS:
            headline, headline_height = self.headline, line_height * HEADLINE_HEIGHT_LINES
            marks.append(PlacedMark(headline, x, top - headline_height, headline_height))
            x += headline.width_at(headline_height) + 2 * gap
        size = (self._cells_width(line_height), height)
        rows = drop_marks_to_fit(self._rows(line_height), line_height, size, gap, hair, _left_out_texts)
        return [*marks, *place_rows(rows, x, top, line_height, gap, hair)]

    def _drawn_name_line_height(self, height: float, line_height: float) -> float:
        """Returns the height of the drawn name's line; a compact panel gives the line all free height."""
        usual_height = self._name_line_height(line_height)
        if self._has_rows_beside_name:
            return height - 2 * self._vertical_margin
        if self._contents.is_compact and not self._contents.is_condensed:
            cells_height = rows_height(self._rows(line_height), line_height, theme.length.hair)
            return float(max(usual_height, height - 2 * self._vertical_margin - cells_height))
        return usual_height

    def _name_mark(self, width: float, height: float, colour: Colour) -> PlayerNameMark:
        """Returns the name in the largest letters that fit, or in two lines of the smallest letters."""
        lines = self.wrap_own_name()
        return PlayerNameMark(lines, self._name_letter_size(lines, width, height), colour)

    def badge_line_height(self, line_height: float) -> float:
        """Returns the height of the line of the badges, beside the name or in the rows."""
        return _badge_height() if self._has_badges_above else line_height

    def name_size(self, line_height: float) -> float:
        """Returns the height of the letters of the name at a line height."""
        height = (
            self._name_height_beside_rows
            if self._has_rows_beside_name
            else self._name_line_height(line_height)
        )
        return self._name_letter_size(self.wrap_own_name(), self._name_text_width, height)

    def _name_letter_size(self, lines: Sequence[str], width: float, height: float) -> float:
        sizes, is_compact = theme.length, self._contents.is_compact
        if len(lines) > 1:
            return float(sizes.smallest)
        max_size = min(height / NAME_LINE_HEIGHT_EM, sizes.title)
        max_size = max_size if is_compact else max(sizes.question, max_size)
        fitting_size = max(width, 1.0) / measure_text_width(lines[0], sizes.question) * sizes.question
        return float(max(sizes.smallest, min(max_size, fitting_size)))

    def _token_box(self, x: float, top: float, line_height: float) -> Box:
        """Returns the box of the token, with room for a clock's ring around the token."""
        side = min(self._token_width * 0.86, line_height)
        margin = (self._token_width - side) / 2 if self._contents.is_compact else 0.0
        if self._contents.clock.width:
            ring_width = min(self._token_width * 0.92, line_height + self._vertical_margin)
            side, margin = (
                ring_width / RING_TO_TOKEN_WIDTH_RATIO,
                ring_width * (1 - 1 / RING_TO_TOKEN_WIDTH_RATIO) / 2,
            )
        return x + margin, top - (line_height + side) / 2, side, side


def _left_out_texts(left_out: Sequence[Mark]) -> Sequence[str]:
    return (str(get_running_translator().tr("{n} more", n=len(left_out))),)


def _measure_words(words: Iterable[str]) -> list[float]:
    """Returns the widths of words in the smallest letters."""
    return [measure_text_width(word, theme.length.smallest) for word in words]


def _badge_height() -> float:
    return theme.length.glyph * 1.1
