"""The middle of the table: lots, cards, grids, piles and tracks in the order of the scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import inf
from typing import Any, ClassVar

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from msgspec.structs import replace

from companion.rules.scene_views import (
    CardSpreadView,
    CellView,
    GridView,
    LotRowView,
    MiddlePartView,
    RowView,
)
from companion.table.ledger import Place
from companion.texts import render
from ui import theme
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box
from ui.widgets.pieces.card import make_open_card_marks
from ui.widgets.pieces.grid import (
    MAX_UNSPLIT_LINES,
    MAX_UNSPLIT_LINES_IF_LOW,
    MAX_UNSPLIT_LINES_IF_LOWEST,
    MAX_UNSPLIT_LINES_IF_SIDE_BY_SIDE,
    GridMark,
)
from ui.widgets.pieces.marks import (
    FELT_TEXT_COLOURS,
    PAPER_TEXT_COLOURS,
    CoveredMark,
    DigitsMark,
    HorizontalGroup,
    LeftOutCountBadge,
    Mark,
    PieceCountMark,
    PieceMark,
    PlacedMark,
)
from ui.widgets.pieces.rows import (
    MarkRows,
    drop_marks_to_fit,
    flow_into_rows,
    place_rows,
    rows_height,
    widest_row_width,
)
from ui.widgets.pieces.signs_of_change import (
    Change,
    PlacedSign,
    draw_marks_and_signs,
    format_signed_change,
    place_signs,
)
from ui.widgets.pieces.spread import CardInNumberedRowMark, CardSpreadMark, LotsMark, TrackMark
from ui.widgets.pieces.worded import (
    keep_label_with_first_mark,
    make_cell_mark,
    make_piece_row_marks,
    make_quiet_label_mark,
    piece_letter,
)
from ui.words import get_running_translator

CANDIDATE_LINE_HEIGHTS_IN_GLYPHS = (1.9, 1.7, 1.5, 1.35, 1.2, 1.1, 1.0, 0.92)
"""Line heights to try, as shares of a glyph; the last is the smallest that can be read."""
MAX_LINES_BESIDE_ONE_LINE_MARKS = 1.5
"""Marks up to this number of lines may stand beside marks of one line."""
UNLIMITED_GRID_LINES = 10_000
"""A number of lines that no grid reaches, so that all are shown."""
SUBJECT_DROP_PRIORITY, GRID_DROP_PRIORITY = -1, 0
"""Drop priorities of marks that the open question is about, and of grids; those of other marks are higher."""


class TableMiddle(ButtonBehavior, AutoRedrawWidget):
    """The middle of the table, which shows the `parts` of a scene.

    The owner opens a list of everything there when somebody presses it.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (
        "parts",
        "lang",
        "line_height",
        "max_grid_lines",
        "max_unsplit_grid_lines",
        "amount_changes",
    )
    parts = ObjectProperty(())
    lang = StringProperty("en")
    line_height = NumericProperty(0.0)
    max_grid_lines = NumericProperty(UNLIMITED_GRID_LINES)
    """Maximum number of lines of a grid that are shown; one line sums up the earlier ones."""
    amount_changes = ObjectProperty({})
    """How the count of each piece of money at each place that is shown has just changed."""
    max_unsplit_grid_lines = NumericProperty(MAX_UNSPLIT_LINES)
    """Maximum number of lines of a grid that isn't split into halves, or otherwise made lower."""

    def __init__(self, **kwargs: Any) -> None:
        self.placed: list[PlacedMark] = []
        self._signs: list[PlacedSign] = []
        self._rows_by_key: dict[tuple[float, float, int, int], MarkRows] = {}
        self.name = "middle"
        super().__init__(size_hint=(None, None), **kwargs)
        for name in ("parts", "lang"):
            self.fbind(name, lambda *_: self._rows_by_key.clear())

    def needed_height(self, width: float, line_height: float) -> float:
        """Returns the height of all parts at a width and a line height."""
        return rows_height(self._rows(width, line_height), line_height, _row_gap())

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at a width."""
        line_height = line_heights_to_try()[-1]
        low_rows = self._rows(width, line_height, max_unsplit_lines=MAX_UNSPLIT_LINES_IF_LOW)
        is_wide = widest_row_width(low_rows, line_height, _mark_gap()) > width
        low_height = inf if is_wide else rows_height(low_rows, line_height, _row_gap())
        preferred_height = self.needed_height(width, self._preferred_line_heights(width)[0])
        return min(self.needed_height(width, line_height), low_height), preferred_height

    def _preferred_line_heights(self, width: float) -> list[float]:
        """Returns the line heights to try at a width: grown ones only if nothing needs another row then."""
        line_heights = line_heights_to_try()
        usual = theme.length.glyph * CANDIDATE_LINE_HEIGHTS_IN_GLYPHS[0]
        usual_counts = self._count_rows_and_marks(width, usual)
        return [
            line_height
            for line_height in line_heights
            if line_height <= usual or self._count_rows_and_marks(width, line_height) == usual_counts
        ]

    def _count_rows_and_marks(self, width: float, line_height: float) -> tuple[int, int]:
        rows = self._rows(width, line_height)
        return len(rows), sum(map(len, rows))

    @property
    def has_question_subject(self) -> bool:
        """Whether the open question is about something in the middle."""
        return any(map(is_question_subject, self.parts))

    @property
    def hides_question_subject(self) -> bool:
        """Whether something that the open question is about has no room."""
        if self.height <= 0:
            return self.has_question_subject
        rows = self._rows(self.width, self.line_height, self.max_grid_lines, self.max_unsplit_grid_lines)
        return _count_subjects(rows) > _count_subjects(self._visible_rows(rows, self.line_height))

    def min_height_of_required_rows(self, width: float) -> float:
        """Returns the least height of the required rows, in the smallest lines.

        Required are the rows that the question is about, else the first row, which matters most: of the usual
        arrangement or, if that is less, of one with lower grids.
        """
        line_height = line_heights_to_try()[-1]
        usual_rows = self._rows(width, line_height)
        subject_rows = [row for row in usual_rows if _count_subjects([row])]
        low_rows = self._rows(width, line_height, max_unsplit_lines=MAX_UNSPLIT_LINES_IF_LOW)
        required_rows = [subject_rows] if subject_rows else [usual_rows[:1], low_rows[:1]]
        return min(rows_height(rows, line_height, _row_gap()) for rows in required_rows)

    def min_height_of_required_rows_and_grids(self, width: float) -> float:
        """Returns the least height of the required rows and all grids, in the smallest lines.

        Without a grid it is that of the required rows.
        """
        line_height = line_heights_to_try()[-1]
        rows = self._rows(width, line_height, max_unsplit_lines=MAX_UNSPLIT_LINES_IF_LOWEST)
        if not _count_grids(chain.from_iterable(rows)):
            return self.min_height_of_required_rows(width)
        rows = [row for row in rows if _count_subjects([row]) or _count_grids(row)]
        is_wide = widest_row_width(rows, line_height, _mark_gap()) > width
        return inf if is_wide else rows_height(rows, line_height, _row_gap())

    def is_too_narrow(self, width: float) -> bool:
        """Whether a part is wider than `width` even with the smallest lines."""
        line_height = line_heights_to_try()[-1]
        rows_to_try = (
            self._rows(width, line_height, max_unsplit_lines=max_unsplit_lines)
            for max_unsplit_lines in (MAX_UNSPLIT_LINES, MAX_UNSPLIT_LINES_IF_LOW)
        )
        return bool(self.parts) and all(
            widest_row_width(rows, line_height, _mark_gap()) > width for rows in rows_to_try
        )

    def choose_line_height(self) -> None:
        """Chooses the largest line height at which everything fits.

        With the smallest lines, grids are split into halves; at last one line sums up the earliest rounds.
        """
        max_grid_lines, min_line_height = self._longest_summable_grid(), line_heights_to_try()[-1]
        # A grid has no room for more lines, even in halves: a long evening has a hundred rounds.
        tries = [
            (line_height, UNLIMITED_GRID_LINES, MAX_UNSPLIT_LINES)
            for line_height in self._preferred_line_heights(self.width)
            if max_grid_lines <= 2 * int(self.height / line_height)
        ]
        low_modes = (MAX_UNSPLIT_LINES_IF_LOW, MAX_UNSPLIT_LINES_IF_LOWEST)
        tries += (
            [
                (min_line_height, UNLIMITED_GRID_LINES, max_unsplit_lines)
                for max_unsplit_lines in (*low_modes, MAX_UNSPLIT_LINES_IF_SIDE_BY_SIDE)
            ]
            if max_grid_lines <= 2 * int(self.height / min_line_height)
            else []
        )
        max_shown_lines = min(max_grid_lines - 2, 2 * int(self.height / min_line_height))
        tries += [
            (min_line_height, lines, max_unsplit_lines)
            for lines in range(max_shown_lines, 0, -1)
            for max_unsplit_lines in (MAX_UNSPLIT_LINES, MAX_UNSPLIT_LINES_IF_LOW)
        ]
        fitting = (
            candidate
            for candidate in tries
            if self._has_room(self._rows(self.width, *candidate), candidate[0])
        )
        self.line_height, self.max_grid_lines, self.max_unsplit_grid_lines = next(fitting, None) or min(
            [
                (min_line_height, 1, max_unsplit_lines)
                for max_unsplit_lines in (*low_modes, MAX_UNSPLIT_LINES)
            ],
            key=lambda candidate: self._count_left_out(*candidate),
        )
        # A single line is too small a target for a finger, and hides nothing.
        self.disabled = self.height < theme.length.target

    def _longest_summable_grid(self) -> int:
        """Returns the number of lines of the longest grid whose rounds can be summed up."""
        return max(
            (len(part.lines) for part in self.parts if isinstance(part, GridView) and part.last_line_is_sum),
            default=0,
        )

    def _has_room(self, rows: MarkRows, line_height: float) -> bool:
        fits = widest_row_width(rows, line_height, _mark_gap()) <= self.width
        return bool(fits and rows_height(rows, line_height, _row_gap()) <= self.height + 1)

    def _count_left_out(
        self, line_height: float, max_grid_lines: int, max_unsplit_lines: int
    ) -> tuple[float, float, float]:
        """Returns how many marks have no room: the question's, grids, and all; infinite if a row has none.

        A grid, such as that of prices, is the last to be left out, as people decide by it.
        """
        rows = self._rows(self.width, line_height, max_grid_lines, max_unsplit_lines)
        visible_rows = self._visible_rows(rows, line_height)
        is_wide = widest_row_width(rows, line_height, _mark_gap()) > self.width
        if is_wide or not self._has_room(visible_rows, line_height):
            return inf, inf, inf
        visible_marks = [
            mark for row in visible_rows for mark in row if not isinstance(mark, LeftOutCountBadge)
        ]
        left_out_subjects = _count_subjects(rows) - _count_subjects(visible_rows)
        left_out_grids = _count_grids(chain.from_iterable(rows)) - _count_grids(visible_marks)
        return left_out_subjects, left_out_grids, sum(map(len, rows)) - len(visible_marks)

    def _visible_rows(self, rows: MarkRows, line_height: float) -> list[list[Mark]]:
        return drop_marks_to_fit(rows, line_height, self.size, _mark_gap(), _row_gap(), self._left_out_texts)

    def _rows(
        self,
        width: float,
        line_height: float,
        max_grid_lines: int = UNLIMITED_GRID_LINES,
        max_unsplit_lines: int = MAX_UNSPLIT_LINES,
    ) -> MarkRows:
        """Returns the rows of marks: small marks share rows, higher marks begin a row.

        The rows are kept until the parts change, because layouts ask at many heights.
        """
        key = width, line_height, max_grid_lines, max_unsplit_lines
        if key not in self._rows_by_key:
            self._rows_by_key[key] = self._make_rows(*key)
        return self._rows_by_key[key]

    def _make_rows(
        self, width: float, line_height: float, max_grid_lines: int, max_unsplit_lines: int
    ) -> MarkRows:
        rows: list[list[Mark]] = []
        previous_label: object = None
        is_lowest = max_unsplit_lines <= MAX_UNSPLIT_LINES_IF_LOWEST
        for index, part in enumerate(self.parts):
            label = part.label if isinstance(part, RowView) or _is_pile(part) else None
            marks = self._make_part_marks(part, repeats_label=label is not None and label == previous_label)
            if isinstance(part, CardSpreadView) and part.is_subject and is_lowest:
                marks = _make_card_marks(part, self.lang, has_name=False)
            previous_label = label if marks else None
            if isinstance(part, GridView) and marks:
                shown_grid = part.with_earlier_lines_summed(max_grid_lines)
                if is_lowest:
                    lowest_grid = GridMark(shown_grid.without_zero_columns(), self.lang).without_single_head()
                    marks = _lower_grid(lowest_grid, line_height, width, rows)
                elif max_unsplit_lines == MAX_UNSPLIT_LINES_IF_LOW:
                    marks = _lower_grid(GridMark(shown_grid, self.lang), line_height, width, rows)
                else:
                    marks = _split_grid(GridMark(shown_grid, self.lang), line_height, width)
            part_rows = flow_into_rows(marks, line_height, width, _mark_gap())
            for mark in chain.from_iterable(part_rows):
                mark.drop_priority = _drop_priority(part, index)
                mark.place = part.place if isinstance(part, RowView | CardSpreadView) else None
                mark.part_name = self._name_of_part(part)
            rows += _join_first_row(rows, part_rows, line_height, width)
        if max_unsplit_lines == MAX_UNSPLIT_LINES_IF_SIDE_BY_SIDE:
            return _put_one_line_marks_beside_higher_ones(rows, line_height, width)
        return (
            _gather_one_line_marks(rows, line_height, width)
            if max_unsplit_lines <= MAX_UNSPLIT_LINES_IF_LOW
            else rows
        )

    def _name_of_part(self, part: MiddlePartView) -> str:
        """Returns the name of a part: its label, else the heading of its first column; else nothing."""
        label = part.column_headings[:1] if isinstance(part, GridView) else (part.label,)
        return ", ".join(render(text, self.lang) for text in label if text is not None)

    def _make_part_marks(self, part: MiddlePartView, *, repeats_label: bool) -> list[Mark]:
        """Returns the marks of a part; `repeats_label` leaves out a label that the part before has, too."""
        lang = self.lang
        match part:
            case LotRowView():
                return [LotsMark(part, lang)]
            case CardSpreadView():
                return _make_card_marks(part, lang)
            case GridView():
                return [] if part.is_all_zero else [GridMark(part, lang)]
            case RowView():
                row = replace(part, label=None) if repeats_label else part
                cards = make_open_card_marks(row.open_cards, lang)
                marks = [*make_piece_row_marks(row, lang, FELT_TEXT_COLOURS), *cards]
                return marks if row.is_subject else keep_label_with_first_mark(marks, row)
            case CellView():
                return [_make_cell_mark(part, lang, repeats_label=repeats_label)]

    def draw(self) -> None:
        """Draws everything from the top; nothing if it has no height."""
        rows = (
            self._rows(self.width, self.line_height, self.max_grid_lines, self.max_unsplit_grid_lines)
            if self.height > 0
            else ()
        )
        rows = self._visible_rows(rows, self.line_height)
        rows_height_used = rows_height(rows, self.line_height, _row_gap())
        top = self.top - max(0.0, self.height - rows_height_used) / 2
        self.placed = place_rows(rows, self.x, top, self.line_height, theme.length.gap * 1.5, _row_gap())
        bounds: Box = (self.x, self.y, self.width, self.height)
        self.placed, self._signs = place_signs([*self._find_changes()], self.placed, (), bounds)
        draw_marks_and_signs(self.placed, self._signs)

    def _find_changes(self) -> Iterator[Change]:
        """Yields each count of money that changed and is shown."""
        for (place, piece), change in self.amount_changes.items():
            counts = [
                part
                for placed_mark in self.placed
                if placed_mark.mark.place == place
                for part in placed_mark.walk()
                if isinstance(part.mark, PieceCountMark) and part.mark.piece == piece
            ]
            if counts:
                yield Change(format_signed_change(change), PAPER_TEXT_COLOURS, counts[-1])

    def _left_out_texts(self, left_out: Sequence[Mark]) -> Sequence[str]:
        """Returns the names of what is left out, and the number; a touch of the middle opens all of it."""
        names = dict.fromkeys(mark.part_name for mark in left_out)
        count = get_running_translator().words.translate_text(self.lang, "{n} more", n=len(left_out))
        has_names = all(names) and not self.disabled
        return (f"{', '.join(names)} ›", count) if has_names else (count,)

    @property
    def leaves_something_out(self) -> bool:
        """Whether a badge names or counts what has no room."""
        return any(isinstance(placed.mark, LeftOutCountBadge) for placed in self.placed)

    @property
    def touched_place(self) -> Place | None:
        """The place whose mark was touched last; None if something else was touched."""
        touch = self.last_touch
        return next(
            (placed.mark.place for placed in self.placed if touch and _is_in_box(touch.pos, placed.box)), None
        )

    def box_of_place(self, place: Place) -> Box | None:
        """Returns the box of the first mark that shows a place; None if none does."""
        boxes = (placed_mark.box for placed_mark in self.placed if placed_mark.mark.place == place)
        return next(boxes, None) if self.height > 0 else None

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for screen readers and for tests."""
        mark_texts = [placed_mark.mark.visible_text for placed_mark in self.placed]
        return [text for text in (*mark_texts, *[sign.text for sign in self._signs]) if text]


def _is_in_box(point: Sequence[float], box: Box) -> bool:
    return 0 <= point[0] - box[0] <= box[2] and 0 <= point[1] - box[1] <= box[3]


def is_question_subject(part: MiddlePartView) -> bool:
    """Whether the open question is about the part."""
    return isinstance(part, CardSpreadView | LotRowView | RowView) and part.is_subject


def _is_pile(part: MiddlePartView) -> bool:
    return isinstance(part, CellView) and part.display == "pile"


def _drop_priority(part: MiddlePartView, index: int) -> int:
    """Returns the drop priority of a part: the question's parts stay longest, then grids, then the first."""
    if is_question_subject(part):
        return SUBJECT_DROP_PRIORITY
    return GRID_DROP_PRIORITY if isinstance(part, GridView) else GRID_DROP_PRIORITY + 1 + index


def _count_subjects(rows: MarkRows) -> int:
    """Returns the number of marks that the open question is about."""
    return sum(mark.drop_priority == SUBJECT_DROP_PRIORITY for row in rows for mark in row)


def _count_grids(marks: Iterable[Mark]) -> int:
    return sum(isinstance(mark, GridMark) for mark in marks)


def line_heights_to_try() -> list[float]:
    """Returns the line heights to try, in pixels, the largest first."""
    return theme.with_grown([theme.length.glyph * share for share in CANDIDATE_LINE_HEIGHTS_IN_GLYPHS])


def _row_gap() -> float:
    return theme.length.gap * 0.75


def _mark_gap() -> float:
    return theme.length.gap * 1.5


def _join_first_row(
    rows: list[list[Mark]], new_rows: list[list[Mark]], line_height: float, width: float
) -> list[list[Mark]]:
    """Returns the new rows; appends the first to the last old row if both are low or both are high."""
    if not rows or not new_rows:
        return new_rows
    last_row, first_row = rows[-1], new_rows[0]
    if (
        _is_last_row_high([last_row]) == _is_last_row_high([first_row])
        and widest_row_width([[*last_row, *first_row]], line_height, _mark_gap()) <= width
    ):
        last_row.extend(first_row)
        return new_rows[1:]
    return new_rows


def _is_last_row_high(rows: MarkRows) -> bool:
    """Whether the last row is higher than a line."""
    return bool(rows) and max(mark.height_in_lines for mark in rows[-1]) > MAX_LINES_BESIDE_ONE_LINE_MARKS


def _split_grid(grid: GridMark, line_height: float, width: float) -> list[Mark]:
    """Returns the halves of a long grid, else the grid, in parts if even the smallest lines are too wide."""
    if halves := grid.try_split_into_halves(line_height, width, _mark_gap()):
        return [*halves]
    fitted_grid = grid.fit_to_width(line_height, width)
    return (
        fitted_grid.split_columns(line_height, width)
        if line_height == line_heights_to_try()[-1]
        else [fitted_grid]
    )


def _lower_grid(grid: GridMark, line_height: float, width: float, previous_rows: MarkRows) -> list[Mark]:
    """Returns the grid for the space beside the row before, else with as few lines as possible."""
    width_beside = (
        width - widest_row_width(previous_rows[-1:], line_height, _mark_gap()) - _mark_gap()
        if _is_last_row_high(previous_rows)
        else 0.0
    )
    fitted_grid = grid.fit_to_width(line_height, width_beside)
    return (
        [fitted_grid]
        if fitted_grid.width_at(line_height) <= width_beside
        else grid.find_lowest_arrangement(line_height, width, _mark_gap())
    )


def _gather_one_line_marks(rows: list[list[Mark]], line_height: float, width: float) -> MarkRows:
    """Returns the rows with all marks of one line together, before the higher rows."""
    one_line_marks = [mark for row in rows for mark in row if mark.height_in_lines == 1]
    return [*flow_into_rows(one_line_marks, line_height, width, _mark_gap()), *_higher_rows(rows)]


def _put_one_line_marks_beside_higher_ones(
    rows: list[list[Mark]], line_height: float, width: float
) -> MarkRows:
    """Returns the rows of higher marks, with marks of one line at their ends, else in rows before them."""
    marks = [mark for row in rows for mark in row]
    higher_rows = _higher_rows(rows)
    first_marks = list[Mark]()
    for mark in (mark for mark in marks if mark.height_in_lines == 1):
        rows_with_room = (
            row for row in higher_rows if widest_row_width([[*row, mark]], line_height, _mark_gap()) <= width
        )
        next(rows_with_room, first_marks).append(mark)
    return [*flow_into_rows(first_marks, line_height, width, _mark_gap()), *higher_rows]


def _higher_rows(rows: MarkRows) -> list[list[Mark]]:
    """Returns the rows without their marks of one line; rows that are empty then are left out."""
    higher_rows = ([mark for mark in row if mark.height_in_lines != 1] for row in rows)
    return [row for row in higher_rows if row]


def _make_card_marks(part: CardSpreadView, lang: str, *, has_name: bool = True) -> list[Mark]:
    """Returns the marks of cards: none for an empty place, a small mark for a card of a numbered row."""
    if part.is_empty:
        return []
    return [
        CardInNumberedRowMark(part, lang)
        if CardInNumberedRowMark.is_at_most_one_card_with_pieces(part)
        else CardSpreadMark(part, lang, has_name=has_name)
    ]


def _make_cell_mark(cell: CellView, lang: str, *, repeats_label: bool) -> Mark:
    """Returns the mark of a cell: a track's steps, a pile (unnamed if `repeats_label`), or a number."""
    name, value = make_quiet_label_mark(cell.name, lang, FELT_TEXT_COLOURS), cell.value
    if cell.display == "track" and isinstance(value, int):
        return HorizontalGroup(name, TrackMark(value, cell.maximum), gap_share=0.3)
    if cell.display == "pile" and cell.piece is not None:
        count = [] if value is None else [DigitsMark(str(value), FELT_TEXT_COLOURS.normal)]
        return HorizontalGroup(
            *([] if repeats_label else [name]),
            PieceMark(cell.piece, piece_letter(cell.piece, lang)),
            *count,
            gap_share=0.25,
        )
    return (
        HorizontalGroup(name, CoveredMark())
        if value is None
        else make_cell_mark(cell, lang, FELT_TEXT_COLOURS)
    )
