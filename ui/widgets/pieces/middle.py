"""The middle of the table: lots, cards, grids, piles and tracks in the order of the scene."""

from __future__ import annotations

from math import inf
from typing import Any, ClassVar

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from msgspec.structs import replace

from companion.rules.scene_views import CardsView, CellView, GridView, LotsView, PartView, RowView
from ui import theme
from ui.widgets.drawing.surfaces import Drawn
from ui.widgets.pieces.card import CardMark
from ui.widgets.pieces.grid import SHORT, TALL, GridMark
from ui.widgets.pieces.marks import ON_FELT, Beside, CoveredMark, LeftOut, Mark, Picture, digits
from ui.widgets.pieces.rows import Placed, Rows, flow, height_of, place, widest, with_room
from ui.widgets.pieces.spread import LotsMark, SlotMark, SpreadMark, StepsMark
from ui.widgets.pieces.worded import counted, named, row_marks, with_label
from ui.words import running_translator

LINE_HEIGHT_SHARES = (1.9, 1.7, 1.5, 1.35, 1.2, 1.1, 1.0, 0.92)
"""Heights of a line that are tried, as shares of a glyph, down to the smallest that can be read."""
MAX_LOW_LINES = 1.5
"""Marks up to this number of lines may stand beside marks of one line."""
ALL_LINES = 10_000
"""A number of lines that no grid reaches, so that all are shown."""
SUBJECT_WEIGHT = -1
"""Weight of marks that the open question is about. Other marks weigh the index of their part."""


class TableMiddle(ButtonBehavior, Drawn):
    """Shows the `parts` of a scene. Touched, it is to open a list of all that lies there."""

    shows: ClassVar[tuple[str, ...]] = ("parts", "lang", "unit", "lines", "tall")
    parts = ObjectProperty(())
    lang = StringProperty("en")
    unit = NumericProperty(0.0)
    lines = NumericProperty(ALL_LINES)
    """Lines of a grid that are shown; earlier ones are summed up in one line."""
    tall = NumericProperty(TALL)
    """A grid with more lines is split in halves, or whatever makes it lowest."""

    def __init__(self, **kwargs: Any) -> None:
        self.placed: list[Placed] = []
        self._known: dict[tuple[float, float, int, int], Rows] = {}
        self.name = "middle"
        super().__init__(size_hint=(None, None), **kwargs)
        for name in ("parts", "lang"):
            self.fbind(name, lambda *_: self._known.clear())

    def needed_height(self, width: float, line_height: float) -> float:
        """Returns the height it needs at that width and line height."""
        return height_of(self._rows(width, line_height), line_height, _between())

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at that width."""
        unit = line_heights()[-1]
        folded = self._rows(width, unit, tall=SHORT)
        is_wide = widest(folded, unit, _gap()) > width
        short = inf if is_wide else height_of(folded, unit, _between())
        return min(self.needed_height(width, unit), short), self.needed_height(width, line_heights()[0])

    @property
    def has_subject(self) -> bool:
        """Whether the open question is about something in the middle."""
        return any(map(is_subject, self.parts))

    @property
    def hides_subject(self) -> bool:
        """Whether something that the open question is about isn't shown for lack of space."""
        if self.height <= 0:
            return self.has_subject
        rows = self._rows(self.width, self.unit, self.lines, self.tall)
        return _subjects(rows) > _subjects(self._shown(rows, self.unit))

    def min_height(self, width: float) -> float:
        """Returns the least height of the rows that must be seen.

        They are the rows that the question is about, else the first row, which matters most.
        """
        rows = self._rows(width, line_heights()[-1])
        subject = [row for row in rows if _subjects([row])]
        return height_of(subject or rows[:1], line_heights()[-1], _between())

    def is_too_narrow(self, width: float) -> bool:
        """Whether something is wider than that even with the smallest lines."""
        unit = line_heights()[-1]
        tries = (self._rows(width, unit, tall=tall) for tall in (TALL, SHORT))
        return bool(self.parts) and all(widest(rows, unit, _gap()) > width for rows in tries)

    def choose_line_height(self) -> None:
        """Chooses the largest line height at which everything fits.

        With the smallest lines grids are split in halves, and at last the earliest rounds are summed up.
        """
        longest, least = self._longest(), line_heights()[-1]
        # Not even in halves has a grid room for more lines: a long evening has a hundred rounds.
        tries = [(unit, ALL_LINES, TALL) for unit in line_heights() if longest <= 2 * int(self.height / unit)]
        tries += [(least, ALL_LINES, SHORT)] if longest <= 2 * int(self.height / least) else []
        most = min(longest - 2, 2 * int(self.height / least))
        tries += [(least, lines, tall) for lines in range(most, 0, -1) for tall in (TALL, SHORT)]
        fitting = (each for each in tries if self._has_room(self._rows(self.width, *each), each[0]))
        self.unit, self.lines, self.tall = next(fitting, None) or min(
            ((least, 1, SHORT), (least, 1, TALL)), key=lambda each: self._left_out(*each)
        )
        # A line of it is no target for a finger, and hides nothing.
        self.disabled = self.height < theme.length.target

    def _longest(self) -> int:
        """Lines of the longest grid whose rounds can be summed up."""
        return max(
            (len(part.lines) for part in self.parts if isinstance(part, GridView) and part.last_line_is_sum),
            default=0,
        )

    def _has_room(self, rows: Rows, unit: float) -> bool:
        fits = widest(rows, unit, _gap()) <= self.width
        return bool(fits and height_of(rows, unit, _between()) <= self.height + 1)

    def _left_out(self, unit: float, lines: int, tall: int) -> tuple[float, float]:
        """How many marks that the question is about, and how many in all, have no room so.

        Endless: some are too wide.
        """
        rows = self._rows(self.width, unit, lines, tall)
        if widest(rows, unit, _gap()) > self.width:
            return inf, inf
        seen = self._shown(rows, unit)
        shown = [mark for row in seen for mark in row if not isinstance(mark, LeftOut)]
        return _subjects(rows) - _subjects(seen), sum(map(len, rows)) - len(shown)

    def _shown(self, rows: Rows, unit: float) -> list[list[Mark]]:
        return with_room(rows, unit, self.size, _gap(), _between(), self._more)

    def _rows(self, width: float, unit: float, lines: int = ALL_LINES, tall: int = TALL) -> Rows:
        """Small marks follow each other; whatever is higher than a line begins a row.

        They are worked out once for the same parts: plans ask for them at many heights.
        """
        key = width, unit, lines, tall
        if key not in self._known:
            self._known[key] = self._flowed(*key)
        return self._known[key]

    def _flowed(self, width: float, unit: float, lines: int, tall: int) -> Rows:
        rows: list[list[Mark]] = []
        before: object = None
        for at, part in enumerate(self.parts):
            name = part.label if isinstance(part, RowView) or _is_pile(part) else None
            marks = self._marks(part, again=name is not None and name == before)
            before = name if marks else None
            if isinstance(part, GridView):
                grid = GridMark(part.with_earlier_lines_summed(lines), self.lang)
                marks = _short(grid, unit, width, rows) if tall == SHORT else _grid(grid, unit, width)
            for mark in marks:
                _weigh(mark, SUBJECT_WEIGHT if is_subject(part) else at)
            rows += _joined(rows, flow(marks, unit, width, _gap()), unit, width)
        return _gathered(rows, unit, width) if tall == SHORT else rows

    def _marks(self, part: PartView, *, again: bool) -> list[Mark]:
        """The marks of a part; `again`: the one before it has the same name, which stands there already."""
        lang = self.lang
        match part:
            case LotsView():
                return [LotsMark(part, lang)]
            case CardsView():
                return _cards(part, lang)
            case GridView():
                return [GridMark(part, lang)]
            case RowView():
                row = replace(part, label=None) if again else part
                cards = [CardMark(card, lang) for card in row.open_cards]
                return with_label([*row_marks(row, lang, ON_FELT), *cards], row)
            case CellView():
                return [_cell(part, lang, again=again)]

    def draw(self) -> None:
        """Draws everything from the top; nothing if it has no height."""
        rows = self._rows(self.width, self.unit, self.lines, self.tall) if self.height > 0 else ()
        rows = self._shown(rows, self.unit)
        used = height_of(rows, self.unit, _between())
        top = self.top - max(0.0, self.height - used) / 2
        self.placed = place(rows, self.x, top, self.unit, theme.length.gap * 1.5, _between())
        for one in self.placed:
            one.draw()

    def _more(self, count: int) -> str:
        return running_translator().words.said(self.lang, "{n} more", n=count)

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for people who can't see them and for tests."""
        return [one.mark.said for one in self.placed if one.mark.said]


def is_subject(part: PartView) -> bool:
    """Whether the open question is about a part."""
    return isinstance(part, CardsView | LotsView) and part.is_subject


def _is_pile(part: PartView) -> bool:
    return isinstance(part, CellView) and part.display == "pile"


def _weigh(mark: Mark, weight: int) -> None:
    """Sets the weight of a mark and of the marks it may be split into."""
    mark.weight = weight
    for part in mark.marks if isinstance(mark, Beside) else ():
        _weigh(part, weight)


def _subjects(rows: Rows) -> int:
    """Returns how many of the marks the open question is about."""
    return sum(mark.weight == SUBJECT_WEIGHT for row in rows for mark in row)


def line_heights() -> list[float]:
    """Returns the heights of a line that are tried, in pixels, the largest first."""
    return [theme.length.glyph * share for share in LINE_HEIGHT_SHARES]


def _between() -> float:
    return theme.length.gap * 0.75


def _gap() -> float:
    return theme.length.gap * 1.5


def _joined(rows: list[list[Mark]], more: list[list[Mark]], unit: float, width: float) -> list[list[Mark]]:
    """Appends the first new row to the last old one if both are one line high or both are higher."""
    if not rows or not more:
        return more
    last, first = rows[-1], more[0]
    if _is_high([last]) == _is_high([first]) and widest([[*last, *first]], unit, _gap()) <= width:
        last.extend(first)
        return more[1:]
    return more


def _is_high(rows: Rows) -> bool:
    """Whether the last row is higher than a line."""
    return bool(rows) and max(mark.lines for mark in rows[-1]) > MAX_LOW_LINES


def _grid(whole: GridMark, unit: float, width: float) -> list[Mark]:
    """Returns the halves of a long grid, else the grid, in parts if it is too wide even so."""
    if halves := whole.halves(unit, width, _gap()):
        return halves
    grid = whole.within(unit, width)
    return grid.in_parts(unit, width) if unit == line_heights()[-1] else [grid]


def _short(whole: GridMark, unit: float, width: float, before: Rows) -> list[Mark]:
    """Returns the grid for the space beside the row before it, else with as few lines as possible."""
    beside = width - widest(before[-1:], unit, _gap()) - _gap() if _is_high(before) else 0.0
    narrow = whole.within(unit, beside)
    return [narrow] if narrow.across(unit) <= beside else whole.shortest(unit, width, _gap())


def _gathered(rows: list[list[Mark]], unit: float, width: float) -> Rows:
    """Moves the marks of one line together, before all higher ones."""
    small = [mark for row in rows for mark in row if mark.lines == 1]
    higher = [row for row in rows if max(mark.lines for mark in row) > 1]
    return [*flow(small, unit, width, _gap()), *higher]


def _cards(part: CardsView, lang: str) -> list[Mark]:
    """Returns the marks of cards: none for an empty place, a small one for a card of a numbered row."""
    if part.is_empty:
        return []
    return [SlotMark(part, lang) if SlotMark.shows(part) else SpreadMark(part, lang)]


def _cell(cell: CellView, lang: str, *, again: bool) -> Mark:
    """The mark of a cell: a track's steps, a pile with its name (without it if `again`), or a number."""
    name, value = named(cell.name, lang, ON_FELT), cell.value
    if cell.display == "track" and isinstance(value, int):
        return Beside(name, StepsMark(value, cell.maximum), gap=0.3)
    if cell.display == "pile" and cell.piece is not None:
        count = [] if value is None else [digits(str(value), ON_FELT.word)]
        return Beside(*([] if again else [name]), Picture(cell.piece), *count, gap=0.25)
    return Beside(name, CoveredMark()) if value is None else counted(cell, lang, ON_FELT)
