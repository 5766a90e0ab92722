"""The sum behind one player's total: on a sheet, or on a slip on which its lines add up one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.half_numbers import WholeOrHalf
from companion.table.scores import ScoreLine, Standing
from companion.texts import render
from ui import theme
from ui.host import get_companion_app
from ui.widgets.drawing.containers import add_children, make_filler
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout, fill_rounded_box
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.pager import Pager

MIN_LINES_PER_SHEET = 4
"""The number of lines that always fit on a sheet; more lines may need pages."""
PAGER_KEYS_HEIGHT_IN_LINES = 2
"""The height of a pager's page keys, in lines."""
MIN_LINE_HEIGHT_IN_ROWS = 0.66
"""The least height of a line: two lines of its label."""
FRAME_ROWS_BY_UPRIGHT = {True: 7, False: 3.4}
"""The height of title, total and keys in rows, by `is_upright`.

On an upright screen the height includes the reason and the headings.
"""
REASON_HEIGHT_IN_ROWS = 0.7
"""The height of a reason, in rows."""


class ScoreSumLine(AutoRedrawWidget, BoxLayout):
    """A line of the sum behind a score: a label and a value, with a rule above."""

    def __init__(
        self,
        label: str,
        value: WholeOrHalf,
        *,
        is_total: bool = False,
        is_uncounted: bool = False,
        is_dimmed: bool = False,
        max_label_lines: int = 2,
    ) -> None:
        super().__init__(spacing=theme.length.space, size_hint_max_y=theme.length.row)
        self.last = is_total
        style = "key" if is_total else "quiet" if is_uncounted else "body"
        self._label = FittedLabel(text=label, style=style, lines=max_label_lines)
        self._figure = FittedLabel(
            text=str(value),
            style="quiet" if is_uncounted else "digit",
            halign="right",
            is_dimmed=is_dimmed,
        )
        self._figure.size_hint_x, self._figure.width = None, self._figure.one_line_width() + theme.length.line
        add_children(self, self._label, self._figure)

    def min_height_at(self, width: float) -> float:
        """Returns the height that the label needs if the line has this width."""
        return self._label.min_height_at(width - self._figure.width - self.spacing) + theme.length.rim

    def draw(self) -> None:
        """Draws the line's rule; the rule above the total is thicker."""
        sizes = theme.length
        width = sizes.line if self.last else sizes.hair
        colour = theme.INK if self.last else theme.PAPER_LINE
        fill_rounded_box(colour, (self.x, self.top - width / 2, self.width, width), 0)


def join_equal_lines(lines: Sequence[ScoreLine], lang: str) -> list[tuple[str, WholeOrHalf]]:
    """Returns label and value of each line; equal lines, such as equal cards, are one with their sum."""
    count_by_line = Counter((render(line.label, lang), line.value) for line in lines)
    return [
        (f"{label} ×{count}" if count > 1 else label, value * count)
        for (label, value), count in count_by_line.items()
    ]


class ScoreSumSheet(BoxLayout):
    """A sheet with the sum behind one player's total, the reason of the rank, and values for information."""

    def __init__(self, standing: Standing, total_label: str, uncounted_heading: str, lang: str) -> None:
        stage, row = get_companion_app().stage, theme.length.row
        is_upright = stage.is_next_page_portrait
        super().__init__(orientation="vertical" if is_upright else "horizontal", spacing=theme.length.margin)
        self._lang = lang
        count = sum(
            len(join_equal_lines(lines, lang)) for lines in (standing.counted_lines, standing.uncounted_lines)
        )
        frame_rows = FRAME_ROWS_BY_UPRIGHT[is_upright] + (
            REASON_HEIGHT_IN_ROWS if standing.rank_reason and not is_upright else 0
        )
        fitting_lines = int((stage.next_page_size[1] - frame_rows * row) / (row * MIN_LINE_HEIGHT_IN_ROWS))
        self._is_unpaged_column = is_upright and count <= fitting_lines
        self._max_lines_without_pages = (
            MIN_LINES_PER_SHEET
            if is_upright and not self._is_unpaged_column
            else max(MIN_LINES_PER_SHEET, fitting_lines)
        )
        lines = self._lines(standing.counted_lines, cols=1 if standing.uncounted_lines else 2)
        foot = [_make_total_line(total_label, standing)]
        if standing.rank_reason:
            foot.append(FittedLabel(text=render(standing.rank_reason, lang), lines=2))
        self._add_sheet(*lines, *map(_fix_height, foot))
        if standing.uncounted_lines:
            heading = _fix_height(FittedLabel(text=uncounted_heading, style="quiet"))
            self._add_sheet(heading, *self._lines(standing.uncounted_lines, quiet=True), width_share=1.25)

    def _lines(self, lines: Sequence[ScoreLine], *, cols: int = 1, quiet: bool = False) -> Sequence[Widget]:
        """Returns the lines one below the other, or as pages if there are too many."""
        widgets = [
            ScoreSumLine(label, value, is_uncounted=quiet)
            for label, value in join_equal_lines(lines, self._lang)
        ]
        if len(widgets) <= self._max_lines_without_pages:
            return widgets
        rows = max(MIN_LINES_PER_SHEET - 1, self._max_lines_without_pages - PAGER_KEYS_HEIGHT_IN_LINES)
        return [Pager(items=widgets, cols=cols, rows=rows, between=(theme.length.space, 0), look="paper")]

    def _add_sheet(self, *parts: Widget, width_share: float = 1.0) -> None:
        sheet = BoxLayout(orientation="vertical")
        if self.orientation == "horizontal":
            sheet.size_hint_x = width_share
        elif self._is_unpaged_column:
            sheet.size_hint_y = len(parts)
        for part in (*parts, make_filler()):
            sheet.add_widget(part)
        self.add_widget(sheet)


def _make_total_line(label: str, standing: Standing) -> ScoreSumLine:
    """Returns the line of a player's total, which is quiet if the player is out."""
    return ScoreSumLine(label, standing.total, is_total=True, is_dimmed=standing.has_void_total)


def _fix_height(part: Widget) -> Widget:
    """Makes a part as high as one line of text, and returns it."""
    part.size_hint_y, part.height = None, theme.length.row * 0.7
    return part


# The slip on which a sum adds up


MAX_SLIP_LABEL_LINES = 4
MIN_SLIP_LINE_HEIGHT_IN_ROWS, NAME_HEIGHT_IN_ROWS, TOTAL_HEIGHT_IN_ROWS = 0.5, 0.7, 0.8


class GrowingSumSlip(PaperBoxLayout):
    """A slip on which the lines of one player's score add up; `show_sum` shows as many as are counted.

    The total comes with the last line, so that nobody takes the sum so far for the result. If
    not all lines have room, the slip has the last ones.
    """

    def __init__(self, total_label: str, **kwargs: object) -> None:
        super().__init__(padding=(theme.length.space, theme.length.gap), spacing=0, **kwargs)
        self._total_label = total_label

    def show_sum(self, standing: Standing, line_count: int, lang: str) -> None:
        """Shows the first `line_count` counted lines; after the last one also the total."""
        row = theme.length.row
        token = PlayerToken(colour=standing.seat.colour, size_hint_x=None, width=theme.length.token)
        name = FittedLabel(text=standing.seat.name, style="key", lines=2, line_height=1.0, abbreviates=True)
        head = add_children(BoxLayout(spacing=theme.length.gap), token, name)
        total = _make_total_line(self._total_label, standing)
        head.size_hint_y, head.height = None, row * NAME_HEIGHT_IN_ROWS
        total.size_hint_y, total.height = None, row * TOTAL_HEIGHT_IN_ROWS
        lines = [
            ScoreSumLine(render(line.label, lang), line.value, max_label_lines=MAX_SLIP_LABEL_LINES)
            for line in standing.counted_lines[:line_count]
        ]
        width, free_height = self.width - 2 * theme.length.space, self.height - 2 * theme.length.gap
        for line in lines:
            min_height = row * MIN_SLIP_LINE_HEIGHT_IN_ROWS
            line.size_hint_y, line.height = None, max(min_height, line.min_height_at(width))
        while len(lines) > 1 and sum(each.height for each in (head, *lines, total)) > free_height:
            del lines[0]
        self.clear_widgets()
        is_complete = line_count >= len(standing.counted_lines)
        add_children(self, head, *lines, *([total] if is_complete else []), make_filler())
