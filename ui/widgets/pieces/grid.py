"""A grid of counts: heads above, below them the numbers, each line with its name before it.

Where it is too wide its heads stand in two lines; then people stand for themselves by their tokens; at last
it stands in parts. Many people with a line each stand beside each other, where that has room; so do the
halves of a long sheet.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.rules.scene_views import GridView
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Labelled
from ui import theme
from ui.widgets.drawing.line_breaking import is_japanese
from ui.widgets.drawing.surfaces import fill
from ui.widgets.drawing.text import in_two
from ui.widgets.pieces.marks import ON_FELT, Mark, TokenMark, digits
from ui.widgets.pieces.rows import flow
from ui.widgets.pieces.worded import named, picture, quietly, value_of, written

WHOLE, IN_TWO, BY_TOKENS = BRIEF = range(3)
"""How brief a grid is."""
CLOSE = 3
"""As brief, and its columns, mostly a token each, stand as close as can be."""
BETWEEN = {WHOLE: 1.2, IN_TWO: 1.2, BY_TOKENS: 0.5, CLOSE: 0.25}
"""Gaps between its columns."""
MANY = 6
"""More people than these would make a grid too high."""
TALL = 9
"""More lines than these stand in two halves beside each other."""
SHORT = 2
"""Where room is short, more than these do."""
LEADING = 0.78
"""How high each of two lines of a head is."""
LONG = 4
"""Letters of a Japanese head that has two lines."""


class GridMark(Mark):
    """Heads in a line or two, below them the numbers, each line with its name before it."""

    def __init__(self, part: GridView, lang: str, brief: int = WHOLE) -> None:
        self._part, self._lang, self._brief = part, lang, brief
        self._names = [self._named_by(label) for label, _ in part.lines]
        self._heads = [self._head(head) for head in part.heads]
        self._above = max([1.0, *(LEADING * len(head) for head in self._heads if len(head) > 1)])
        self.lines = len(part.lines) + self._above
        numbers = [cell for _, cells in part.lines for cell in cells if cell is not None]
        self.said = " ".join(map(written, numbers))

    def within(self, high: float, width: float) -> GridMark:
        """Returns the grid no briefer than it must be for this width; as brief as can be if nothing fits."""
        tries = [GridMark(self._part, self._lang, brief) for brief in BRIEF]
        turned = [self._turned(brief) for brief in (BY_TOKENS, CLOSE)] if self._is_crowd else []
        return next((grid for grid in [*turned, *tries] if grid.across(high) <= width), [*tries, *turned][-1])

    @property
    def _is_crowd(self) -> bool:
        """Whether many people have a line each."""
        return sum(isinstance(label, Seat) for label, _ in self._part.lines) > MANY

    def halves(self, high: float, width: float, gap: float, tall: int = TALL) -> list[Mark]:
        """Two grids as high as each other with half of its lines each.

        None where it is too wide for that, or has no more lines than `tall`.
        """
        lines = self._part.lines
        middle = (len(lines) + 1) // 2
        parts = [replace(self._part, lines=half) for half in (lines[:middle], lines[middle:])]
        for brief in BRIEF if len(lines) > tall else ():
            pair = [GridMark(half, self._lang, brief) for half in parts]
            if sum(half.across(high) for half in pair) + gap <= width:
                pair[1].lines = pair[0].lines
                return [*pair]
        return []

    def shortest(self, high: float, width: float, gap: float) -> list[Mark]:
        """As few lines as can be: its halves, or its lines as columns, or as it is, no wider than that."""
        turned = (self._turned(brief) for brief in (*BRIEF, *([CLOSE] if self._is_crowd else [])))
        fitting = [grid for grid in turned if grid.across(high) <= width][:1]
        tries: list[list[Mark]] = [
            self.halves(high, width, gap, SHORT),
            [*fitting],
            self._turned(CLOSE).in_parts(high, width) if self._is_crowd and not fitting else [],
            [self.within(high, width)],
        ]
        return min([marks for marks in tries if marks], key=lambda marks: _lines(marks, high, width, gap))

    def _turned(self, brief: int) -> GridMark:
        """Returns the grid turned, so that its lines are columns."""
        heads, columns = zip(*self._part.lines, strict=True)
        lines = tuple(zip(self._part.heads, zip(*columns, strict=True), strict=True))
        return GridMark(replace(self._part, heads=heads, lines=lines), self._lang, brief)

    def in_parts(self, high: float, width: float) -> list[Mark]:
        """Grids with some of its columns each, none wider than that if one column isn't."""
        parts: list[Mark] = []
        first, used = 0, self._names_wide(high)
        for at, wide in enumerate(self._columns(high)):
            if at > first and used + wide > width:
                parts.append(self._of(first, at))
                first, used = at, self._names_wide(high)
            used += wide
        return [*parts, self._of(first, len(self._heads)) if first else self]

    def _of(self, first: int, end: int) -> GridMark:
        lines = tuple((name, cells[first:end]) for name, cells in self._part.lines)
        part = replace(self._part, heads=self._part.heads[first:end], lines=lines)
        return GridMark(part, self._lang, self._brief)

    def _named_by(self, label: Labelled) -> Mark:
        if isinstance(label, Seat) and self._brief >= BY_TOKENS:
            return TokenMark(label)
        return named(label, self._lang, ON_FELT)

    def _head(self, head: Labelled) -> Sequence[Mark]:
        """Returns the lines of a column's head."""
        if isinstance(head, Piece):
            return [picture(head, self._lang, ON_FELT)]
        one = self._named_by(head)
        may_end = " " in one.said or (is_japanese(one.said) and len(one.said) >= LONG)
        if self._brief == WHOLE or isinstance(one, TokenMark) or not may_end:
            return [one]
        return [quietly(text, ON_FELT) for text in in_two(one.said)]

    def _columns(self, high: float) -> list[float]:
        gap = theme.length.gap * BETWEEN[self._brief]
        return [
            max(mark.across(high) for mark in (*head, *self._column(at))) + gap
            for at, head in enumerate(self._heads)
        ]

    def _column(self, at: int) -> list[Mark]:
        cells = [cells[at] for _, cells in self._part.lines]
        return [digits("00", ON_FELT.word), *(value_of(cell, ON_FELT) for cell in cells if cell is not None)]

    def _names_wide(self, high: float) -> float:
        return max([name.across(high) for name in self._names], default=0.0) + theme.length.gap

    def across(self, high: float) -> float:
        """Names and columns."""
        return self._names_wide(high) + sum(self._columns(high))

    def draw(self, x: float, y: float, high: float) -> None:
        """A dent in the felt; heads above, numbers in their columns."""
        top = y + (self.lines - self._above) * high
        tall = len(self._part.lines) * high
        fill(
            theme.fade(theme.FELT_DARK, 0.45),
            (x - theme.length.rim, top - tall, self.across(high) + theme.length.rim, tall),
        )
        left = x + self._names_wide(high)
        for at, wide in enumerate(self._columns(high)):
            self._draw_head(self._heads[at], (left + wide / 2, top), high)
            left += wide
        for at, (_, cells) in enumerate(self._part.lines, 1):
            self._names[at - 1].draw(x, top - at * high, high)
            left = x + self._names_wide(high)
            for cell, wide in zip(cells, self._columns(high), strict=True):
                mark = digits("–", ON_FELT.faint) if cell is None else value_of(cell, ON_FELT)
                mark.draw(left + (wide - mark.across(high)) / 2, top - at * high, high)
                left += wide

    def _draw_head(self, head: Sequence[Mark], foot: tuple[float, float], high: float) -> None:
        """Draws the lines of a head over each other, the last right above its column."""
        middle, low = foot
        step = high * (1.0 if len(head) == 1 else LEADING)
        for at, mark in enumerate(reversed(head)):
            mark.draw(middle - mark.across(high) / 2, low + at * step - (high - step) / 2, high)


def _lines(marks: Sequence[Mark], high: float, width: float, gap: float) -> float:
    """How many lines they take, beside each other where that has room."""
    return sum(max(mark.lines for mark in row) for row in flow(marks, high, width, gap))
