"""How one total came about: what counts, added up; apart and quieter what is for information; the reason."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.table.scores import ScoreLine, Standing
from companion.words import render
from ui import theme
from ui.host import running
from ui.widgets.drawing.drawn import Drawn, fill
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.pager import Pager

FEW = 4
"""Lines that a sheet always has room for; if not all fit, it has pages."""
TURNING = 2
"""Lines that have no room beside the keys which turn a page."""
LINE = 0.66
"""How high a line is at least, as a share of a row: two lines of its label."""
AROUND = {True: 7, False: 3.4}
"""Rows that are no such lines: title, total and keys; of an upright one the reason and headings, too."""
REASON = 0.7
"""Rows of a reason."""


class Ruled(Drawn, BoxLayout):
    """One line of a sheet; the last one of a sum stands under a rule."""

    def __init__(self, label: str, value: int, *, last: bool = False, quiet: bool = False) -> None:
        super().__init__(spacing=theme.length.space, size_hint_max_y=theme.length.row)
        self.last = last
        style = "key" if last else "quiet" if quiet else "body"
        self.add_widget(Writing(text=label, style=style, lines=2))
        figure = Writing(text=str(value), style="quiet" if quiet else "digit", halign="right")
        figure.size_hint_x, figure.width = None, figure.across_at_best() + theme.length.line
        self.add_widget(figure)

    def draw(self) -> None:
        """The rule."""
        sizes = theme.length
        width = sizes.line if self.last else sizes.hair
        colour = theme.INK if self.last else theme.PAPER_LINE
        fill(colour, (self.x, self.top - width / 2, self.width, width), 0)


class Sums(BoxLayout):
    """A standing as a sheet: the sum, its total and why it is ranked so; beside or under them the rest."""

    def __init__(self, standing: Standing, total: str, apart: str, lang: str) -> None:
        stage, row = running().stage, theme.length.row
        along = "vertical" if stage.is_upright else "horizontal"
        super().__init__(orientation=along, spacing=theme.length.margin)
        self._lang = lang
        count = len(standing.counted_lines) + len(standing.information_lines)
        around = AROUND[stage.is_upright] + (REASON if standing.reason and not stage.is_upright else 0)
        room = int((stage.room[1] - around * row) / (row * LINE))
        self._fits = stage.is_upright and count <= room
        self._few = FEW if stage.is_upright and not self._fits else max(FEW, room)
        lines = self._lines(standing.counted_lines, cols=1 if standing.information_lines else 2)
        foot = [Ruled(total, standing.total, last=True)]
        if standing.reason:
            foot.append(Writing(text=render(standing.reason, lang), lines=2))
        self._lay(*lines, *map(_low, foot))
        if standing.information_lines:
            heading = _low(Writing(text=apart, style="quiet"))
            self._lay(heading, *self._lines(standing.information_lines, quiet=True), wide=1.25)

    def _lines(self, lines: Sequence[ScoreLine], *, cols: int = 1, quiet: bool = False) -> Sequence[Widget]:
        """Under one another, or page by page."""
        ruled = [Ruled(render(one.label, self._lang), one.value, quiet=quiet) for one in lines]
        return ruled if len(ruled) <= self._few else [self._paged(ruled, cols)]

    def _paged(self, ruled: Sequence[Ruled], cols: int) -> Pager:
        rows = max(FEW - 1, self._few - TURNING)
        return Pager(things=ruled, cols=cols, rows=rows, between=(theme.length.space, 0), look="paper")

    def _lay(self, *parts: Widget, wide: float = 1.0) -> None:
        sheet = BoxLayout(orientation="vertical")
        if self.orientation == "horizontal":
            sheet.size_hint_x = wide
        elif self._fits:
            sheet.size_hint_y = len(parts)
        for part in (*parts, Widget(size_hint_y=0.001)):
            sheet.add_widget(part)
        self.add_widget(sheet)


def _low(part: Widget) -> Widget:
    part.size_hint_y, part.height = None, theme.length.row * 0.7
    return part
