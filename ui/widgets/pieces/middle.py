"""The middle of the table: lots, cards, grids, piles and tracks in the order of the scene."""

from __future__ import annotations

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
from ui import theme
from ui.widgets.drawing.surfaces import AutoRedrawWidget
from ui.widgets.pieces.card import OpenCardMark
from ui.widgets.pieces.grid import MAX_UNSPLIT_LINES, MAX_UNSPLIT_LINES_IF_LOW, GridMark
from ui.widgets.pieces.marks import (
    FELT_TEXT_COLOURS,
    CoveredMark,
    HorizontalGroup,
    LeftOutCountBadge,
    Mark,
    PieceMark,
    make_digits_mark,
)
from ui.widgets.pieces.rows import (
    MarkRows,
    PlacedMark,
    drop_marks_to_fit,
    flow_into_rows,
    place_rows,
    rows_height,
    widest_row_width,
)
from ui.widgets.pieces.spread import CardSpreadMark, LotsMark, NumberedCardMark, TrackMark
from ui.widgets.pieces.worded import (
    keep_label_with_first_mark,
    make_cell_mark,
    make_place_name_mark,
    make_row_marks,
)
from ui.words import get_running_translator

LINE_HEIGHT_SHARES_TO_TRY = (1.9, 1.7, 1.5, 1.35, 1.2, 1.1, 1.0, 0.92)
"""Line heights to try, as shares of a glyph.

The last is the smallest that can be read.
"""
MAX_LINES_BESIDE_ONE_LINE_MARKS = 1.5
"""Marks up to this number of lines may stand beside marks of one line."""
UNLIMITED_GRID_LINES = 10_000
"""A number of lines that no grid reaches, so that all are shown."""
SUBJECT_DROP_PRIORITY = -1
"""Drop priority of marks that the open question is about. Others have the index of their part."""


class TableMiddle(ButtonBehavior, AutoRedrawWidget):
    """The middle of the table, which shows the `parts` of a scene.

    A press should open a list of everything there.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (
        "parts",
        "lang",
        "line_height",
        "max_grid_lines",
        "max_unsplit_grid_lines",
    )
    parts = ObjectProperty(())
    lang = StringProperty("en")
    line_height = NumericProperty(0.0)
    max_grid_lines = NumericProperty(UNLIMITED_GRID_LINES)
    """Maximum number of lines of a grid that are shown.

    Earlier lines are summed up in one line.
    """
    max_unsplit_grid_lines = NumericProperty(MAX_UNSPLIT_LINES)
    """Maximum number of lines of a grid that isn't split.

    A longer grid is split in halves, or whatever makes it lowest.
    """

    def __init__(self, **kwargs: Any) -> None:
        self.placed: list[PlacedMark] = []
        self._known: dict[tuple[float, float, int, int], MarkRows] = {}
        self.name = "middle"
        super().__init__(size_hint=(None, None), **kwargs)
        for name in ("parts", "lang"):
            self.fbind(name, lambda *_: self._known.clear())

    def needed_height(self, width: float, line_height: float) -> float:
        """Returns the height of all parts at that width and line height."""
        return rows_height(self._rows(width, line_height), line_height, _between())

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at that width."""
        unit = line_heights_to_try()[-1]
        folded = self._rows(width, unit, max_unsplit_lines=MAX_UNSPLIT_LINES_IF_LOW)
        is_wide = widest_row_width(folded, unit, _gap()) > width
        short = inf if is_wide else rows_height(folded, unit, _between())
        return min(self.needed_height(width, unit), short), self.needed_height(
            width, line_heights_to_try()[0]
        )

    @property
    def has_subject(self) -> bool:
        """Whether the open question is about something in the middle."""
        return any(map(is_question_subject, self.parts))

    @property
    def hides_subject(self) -> bool:
        """Whether something that the open question is about has no room."""
        if self.height <= 0:
            return self.has_subject
        rows = self._rows(self.width, self.line_height, self.max_grid_lines, self.max_unsplit_grid_lines)
        return _subjects(rows) > _subjects(self._shown(rows, self.line_height))

    def min_height_of_required_rows(self, width: float) -> float:
        """Returns the least height of the rows that are required, in the smallest lines.

        Required are the rows that the question is about, else the first row, which matters most.
        """
        rows = self._rows(width, line_heights_to_try()[-1])
        subject = [row for row in rows if _subjects([row])]
        return rows_height(subject or rows[:1], line_heights_to_try()[-1], _between())

    def is_too_narrow(self, width: float) -> bool:
        """Whether something is wider than that even with the smallest lines."""
        unit = line_heights_to_try()[-1]
        tries = (
            self._rows(width, unit, max_unsplit_lines=tall)
            for tall in (MAX_UNSPLIT_LINES, MAX_UNSPLIT_LINES_IF_LOW)
        )
        return bool(self.parts) and all(widest_row_width(rows, unit, _gap()) > width for rows in tries)

    def choose_line_height(self) -> None:
        """Chooses the largest line height at which everything fits.

        With the smallest lines grids are split in halves, and at last the earliest rounds are summed up.
        """
        longest, least = self._longest(), line_heights_to_try()[-1]
        # Not even in halves has a grid room for more lines: a long evening has a hundred rounds.
        tries = [
            (unit, UNLIMITED_GRID_LINES, MAX_UNSPLIT_LINES)
            for unit in line_heights_to_try()
            if longest <= 2 * int(self.height / unit)
        ]
        tries += (
            [(least, UNLIMITED_GRID_LINES, MAX_UNSPLIT_LINES_IF_LOW)]
            if longest <= 2 * int(self.height / least)
            else []
        )
        most = min(longest - 2, 2 * int(self.height / least))
        tries += [
            (least, lines, tall)
            for lines in range(most, 0, -1)
            for tall in (MAX_UNSPLIT_LINES, MAX_UNSPLIT_LINES_IF_LOW)
        ]
        fitting = (each for each in tries if self._has_room(self._rows(self.width, *each), each[0]))
        self.line_height, self.max_grid_lines, self.max_unsplit_grid_lines = next(fitting, None) or min(
            ((least, 1, MAX_UNSPLIT_LINES_IF_LOW), (least, 1, MAX_UNSPLIT_LINES)),
            key=lambda each: self._left_out(*each),
        )
        # A line of it is no target for a finger, and hides nothing.
        self.disabled = self.height < theme.length.target

    def _longest(self) -> int:
        """Lines of the longest grid whose rounds can be summed up."""
        return max(
            (len(part.lines) for part in self.parts if isinstance(part, GridView) and part.last_line_is_sum),
            default=0,
        )

    def _has_room(self, rows: MarkRows, line_height: float) -> bool:
        fits = widest_row_width(rows, line_height, _gap()) <= self.width
        return bool(fits and rows_height(rows, line_height, _between()) <= self.height + 1)

    def _left_out(
        self, line_height: float, max_grid_lines: int, max_unsplit_lines: int
    ) -> tuple[float, float]:
        """Counts the marks without room: the question's, and all; infinite if some are too wide."""
        rows = self._rows(self.width, line_height, max_grid_lines, max_unsplit_lines)
        if widest_row_width(rows, line_height, _gap()) > self.width:
            return inf, inf
        seen = self._shown(rows, line_height)
        shown = [mark for row in seen for mark in row if not isinstance(mark, LeftOutCountBadge)]
        return _subjects(rows) - _subjects(seen), sum(map(len, rows)) - len(shown)

    def _shown(self, rows: MarkRows, line_height: float) -> list[list[Mark]]:
        return drop_marks_to_fit(rows, line_height, self.size, _gap(), _between(), self._more)

    def _rows(
        self,
        width: float,
        line_height: float,
        max_grid_lines: int = UNLIMITED_GRID_LINES,
        max_unsplit_lines: int = MAX_UNSPLIT_LINES,
    ) -> MarkRows:
        """Returns the rows of marks: small marks share rows, higher marks begin a row.

        Rows are computed once for the same parts: layouts ask for them at many heights.
        """
        key = width, line_height, max_grid_lines, max_unsplit_lines
        if key not in self._known:
            self._known[key] = self._flowed(*key)
        return self._known[key]

    def _flowed(
        self, width: float, line_height: float, max_grid_lines: int, max_unsplit_lines: int
    ) -> MarkRows:
        rows: list[list[Mark]] = []
        before: object = None
        for at, part in enumerate(self.parts):
            name = part.label if isinstance(part, RowView) or _is_pile(part) else None
            marks = self._marks(part, again=name is not None and name == before)
            before = name if marks else None
            if isinstance(part, GridView):
                grid = GridMark(part.with_earlier_lines_summed(max_grid_lines), self.lang)
                marks = (
                    _short(grid, line_height, width, rows)
                    if max_unsplit_lines == MAX_UNSPLIT_LINES_IF_LOW
                    else _grid(grid, line_height, width)
                )
            for mark in marks:
                _set_drop_priority(mark, SUBJECT_DROP_PRIORITY if is_question_subject(part) else at)
            rows += _joined(rows, flow_into_rows(marks, line_height, width, _gap()), line_height, width)
        return _gathered(rows, line_height, width) if max_unsplit_lines == MAX_UNSPLIT_LINES_IF_LOW else rows

    def _marks(self, part: MiddlePartView, *, again: bool) -> list[Mark]:
        """Returns the marks of a part; `again`: the part before has the same name, which isn't repeated."""
        lang = self.lang
        match part:
            case LotRowView():
                return [LotsMark(part, lang)]
            case CardSpreadView():
                return _cards(part, lang)
            case GridView():
                return [GridMark(part, lang)]
            case RowView():
                row = replace(part, label=None) if again else part
                cards = [OpenCardMark(card, lang) for card in row.open_cards]
                return keep_label_with_first_mark(
                    [*make_row_marks(row, lang, FELT_TEXT_COLOURS), *cards], row
                )
            case CellView():
                return [_cell(part, lang, again=again)]

    def draw(self) -> None:
        """Draws everything from the top; nothing if it has no height."""
        rows = (
            self._rows(self.width, self.line_height, self.max_grid_lines, self.max_unsplit_grid_lines)
            if self.height > 0
            else ()
        )
        rows = self._shown(rows, self.line_height)
        used = rows_height(rows, self.line_height, _between())
        top = self.top - max(0.0, self.height - used) / 2
        self.placed = place_rows(rows, self.x, top, self.line_height, theme.length.gap * 1.5, _between())
        for one in self.placed:
            one.draw()

    def _more(self, count: int) -> str:
        return get_running_translator().words.translate_text(self.lang, "{n} more", n=count)

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for people who can't see them and for tests."""
        return [one.mark.visible_text for one in self.placed if one.mark.visible_text]


def is_question_subject(part: MiddlePartView) -> bool:
    """Whether the open question is about a part."""
    return isinstance(part, CardSpreadView | LotRowView) and part.is_subject


def _is_pile(part: MiddlePartView) -> bool:
    return isinstance(part, CellView) and part.display == "pile"


def _set_drop_priority(mark: Mark, drop_priority: int) -> None:
    """Sets the drop priority of a mark and of the marks it may be split into."""
    mark.drop_priority = drop_priority
    for part in mark.marks if isinstance(mark, HorizontalGroup) else ():
        _set_drop_priority(part, drop_priority)


def _subjects(rows: MarkRows) -> int:
    """Returns how many of the marks the open question is about."""
    return sum(mark.drop_priority == SUBJECT_DROP_PRIORITY for row in rows for mark in row)


def line_heights_to_try() -> list[float]:
    """Returns the line heights that are tried, in pixels, the largest first."""
    return [theme.length.glyph * share for share in LINE_HEIGHT_SHARES_TO_TRY]


def _between() -> float:
    return theme.length.gap * 0.75


def _gap() -> float:
    return theme.length.gap * 1.5


def _joined(
    rows: list[list[Mark]], more: list[list[Mark]], line_height: float, width: float
) -> list[list[Mark]]:
    """Appends the first new row to the last old one if both are one line high or both are higher."""
    if not rows or not more:
        return more
    last, first = rows[-1], more[0]
    if (
        _is_high([last]) == _is_high([first])
        and widest_row_width([[*last, *first]], line_height, _gap()) <= width
    ):
        last.extend(first)
        return more[1:]
    return more


def _is_high(rows: MarkRows) -> bool:
    """Whether the last row is higher than a line."""
    return bool(rows) and max(mark.height_in_lines for mark in rows[-1]) > MAX_LINES_BESIDE_ONE_LINE_MARKS


def _grid(whole: GridMark, line_height: float, width: float) -> list[Mark]:
    """Returns the halves of a long grid, else the grid, in parts if it is too wide even so."""
    if halves := whole.split_into_halves(line_height, width, _gap()):
        return halves
    grid = whole.fit_to_width(line_height, width)
    return grid.split_columns(line_height, width) if line_height == line_heights_to_try()[-1] else [grid]


def _short(whole: GridMark, line_height: float, width: float, before: MarkRows) -> list[Mark]:
    """Returns the grid for the space beside the row before it, else with as few lines as possible."""
    beside = width - widest_row_width(before[-1:], line_height, _gap()) - _gap() if _is_high(before) else 0.0
    narrow = whole.fit_to_width(line_height, beside)
    return (
        [narrow]
        if narrow.width_at(line_height) <= beside
        else whole.arrange_lowest(line_height, width, _gap())
    )


def _gathered(rows: list[list[Mark]], line_height: float, width: float) -> MarkRows:
    """Moves the marks of one line together, before all higher ones."""
    small = [mark for row in rows for mark in row if mark.height_in_lines == 1]
    higher = [row for row in rows if max(mark.height_in_lines for mark in row) > 1]
    return [*flow_into_rows(small, line_height, width, _gap()), *higher]


def _cards(part: CardSpreadView, lang: str) -> list[Mark]:
    """Returns the marks of cards: none for an empty place, a small one for a card of a numbered row."""
    if part.is_empty:
        return []
    return [NumberedCardMark(part, lang) if NumberedCardMark.can_show(part) else CardSpreadMark(part, lang)]


def _cell(cell: CellView, lang: str, *, again: bool) -> Mark:
    """The mark of a cell: a track's steps, a pile with its name (without it if `again`), or a number."""
    name, value = make_place_name_mark(cell.name, lang, FELT_TEXT_COLOURS), cell.value
    if cell.display == "track" and isinstance(value, int):
        return HorizontalGroup(name, TrackMark(value, cell.maximum), gap_share=0.3)
    if cell.display == "pile" and cell.piece is not None:
        count = [] if value is None else [make_digits_mark(str(value), FELT_TEXT_COLOURS.normal)]
        return HorizontalGroup(*([] if again else [name]), PieceMark(cell.piece), *count, gap_share=0.25)
    return (
        HorizontalGroup(name, CoveredMark())
        if value is None
        else make_cell_mark(cell, lang, FELT_TEXT_COLOURS)
    )
