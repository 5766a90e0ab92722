"""The score sheet during the game: seats by rounds with running sums; a touch amends a number.

The page knows only the grids of the scene; its owner handles touches of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.rules.scene_views import CellView, GridView
from companion.scenes.evaluate import SceneView, evaluate_scene
from companion.scenes.text import number_in_piece_name
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Labelled, render
from ui import theme
from ui.host import AppWithEvening
from ui.pages import DialogChoice, Page, open_choice_dialog, open_full_screen_dialog
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout, fill_box
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import FittedLabel, measure_text_width, wrap_name
from ui.widgets.keys.key import Key
from ui.widgets.pieces.worded import format_cell_value
from ui.widgets.sheets.score_charts import ScoreLineChart

NAME_WIDTH_IN_TARGETS = 1.9
"""The width of a line's name."""
MIN_NUMBER_WIDTH_IN_TARGETS = 1.05
"""The least width of a number."""
MAX_HEADING_WIDTH_IN_LETTER_HEIGHTS = 7.5
"""The maximum width of a column's heading, in heights of the smallest letters."""


class GridPage(NamedTuple):
    """One page: a grid, and the lines and columns of it that fit."""

    grid: GridView
    lines: range
    columns: range


class ScoreCell(ButtonBehavior, AutoRedrawWidget):
    """A cell of the score sheet: a number with the running sum below it.

    A touch amends the number if it is somebody's answer.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("state",)

    def __init__(self, number: CellView | None, running_sum: str, name: str, *, last: bool = False) -> None:
        self.number, self.name, self._last = number, name, last
        self.is_static = number is None or number.amendable_answer is None
        text = "" if number is None else format_cell_value(number).replace("-", "−")
        self.figure = FittedLabel(text=text, style="digit", halign="center")
        self.running_sum = FittedLabel(text=running_sum, style="quiet", halign="center")
        super().__init__()
        for writing in (self.figure, self.running_sum):
            self.add_widget(writing)

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch, unless the number is nobody's answer."""
        return False if self.is_static else bool(super().on_touch_down(touch))

    def draw(self) -> None:
        """Draws the cell: a rule, and a dent while the cell is pressed."""
        sizes = theme.length
        x, y, width, height = self.box
        if self.state == "down":
            fill_box(theme.PAPER_PRESSED, self.box, sizes.line)
        rule = (x, y + height - sizes.line, width, sizes.line) if self._last else (x, y, width, sizes.hair)
        fill_box(theme.INK if self._last else theme.PAPER_LINE, rule)
        low = height * 0.36 if self.running_sum.text else 0.0
        self.figure.pos, self.figure.size = (x, y + low), (width, height - low)
        self.running_sum.pos, self.running_sum.size = (x, y + sizes.hair), (width, low)


class ScoreSheetPage(Page):
    """The score grids of the table, page by page; an update keeps the page that is shown."""

    __events__: tuple[str, ...] = (
        "on_amend",  # number: that number is to be changed
        "on_course",  # how the score went is wanted
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        tr, sizes = self.app.tr, theme.length
        self._grids: Sequence[GridView] = ()
        self._page = 0
        self.back = self._key("page back", "back", lambda: self._turn(-1))
        self.on = self._key("page on", "next", lambda: self._turn(1))
        course = self._key("course", "chart", lambda: self.dispatch("on_course"))
        self.sheet = PaperBoxLayout(padding=sizes.gap, spacing=0)
        self.add_content(tr("Score sheet"), self.sheet, keys=(self.back, self.on, course))
        self.sheet.bind(size=lambda *_: self._lay())

    def _key(self, name: str, icon: str, do: Any) -> Key:
        key = Key(name=name, icon=icon, look="felt", size_hint_x=None, width=theme.length.target)
        key.bind(on_release=lambda _: do())
        return key

    def show_grids(self, grids: Sequence[GridView]) -> None:
        """Shows the current grids."""
        if list(grids) != list(self._grids):
            self._grids = tuple(grids)
            self._lay()

    @property
    def pages(self) -> list[GridPage]:
        """Returns all pages."""
        return [leaf for grid in self._grids for leaf in self._of(grid)]

    def _of(self, grid: GridView) -> Iterator[GridPage]:
        """Yields pages with as many lines and columns as fit; a line with sums is on each page."""
        target, gap, small = theme.length.target, theme.length.gap, theme.length.smallest
        names = [
            min(
                MAX_HEADING_WIDTH_IN_LETTER_HEIGHTS * small,
                measure_text_width(render(head, self.app.lang), small),
            )
            for head in grid.column_headings
        ]
        wide = max(MIN_NUMBER_WIDTH_IN_TARGETS * target, *names) + gap
        abreast = max(1, int((self.sheet.width - 2 * gap - NAME_WIDTH_IN_TARGETS * target) // wide))
        down = max(1, int((self.sheet.height - 2 * gap) // target) - 1 - (1 if grid.last_line_is_sum else 0))
        lines = len(grid.lines) - (1 if grid.last_line_is_sum else 0)
        for top in range(0, max(1, lines), down):
            for left in range(0, len(grid.column_headings), abreast):
                columns = range(left, min(len(grid.column_headings), left + abreast))
                yield GridPage(grid, range(top, min(lines, top + down)), columns)

    def _turn(self, by: int) -> None:
        self._page += by
        self._lay()

    def _lay(self) -> None:
        leaves = self.pages
        self._page = min(max(0, self._page), max(0, len(leaves) - 1))
        self.back.disabled, self.on.disabled = self._page == 0, self._page >= len(leaves) - 1
        self.back.opacity = self.on.opacity = 1.0 if len(leaves) > 1 else 0.0
        self.sheet.clear_widgets()
        if not leaves:
            text = self.app.tr("The score sheet is still empty.")
            self.sheet.add_widget(FittedLabel(text=text, halign="center", lines=2))
            return
        leaf = leaves[self._page]
        rows = [self._heads(leaf), *(self._line(leaf, at) for at in leaf.lines)]
        if leaf.grid.last_line_is_sum:
            rows.append(self._line(leaf, len(leaf.grid.lines) - 1, last=True))
        for row in rows:
            self.sheet.add_widget(row)
        room = self.sheet.height - 2 * theme.length.gap - len(rows) * theme.length.target * 1.4
        if room > 0:
            self.sheet.add_widget(Widget(size_hint_y=None, height=room))

    def _row(self, name: str) -> BoxLayout:
        row = BoxLayout(size_hint_max_y=theme.length.target * 1.4)
        label = FittedLabel(text=name, style="key", lines=2, size_hint_x=None)
        label.width = theme.length.target * NAME_WIDTH_IN_TARGETS
        row.add_widget(label)
        return row

    def _heads(self, leaf: GridPage) -> BoxLayout:
        row = self._row("")
        for at in leaf.columns:
            row.add_widget(self._head(leaf.grid.column_headings[at]))
        return row

    def _head(self, head: Labelled) -> Widget:
        """Returns the head of a column: a seat's token over its name, or a name."""
        box = BoxLayout(orientation="vertical", padding=(theme.length.line, 0))
        if isinstance(head, Seat):
            box.add_widget(PlayerToken(colour=head.colour))
        text = render(head, self.app.lang)
        if isinstance(head, Piece) and (number := number_in_piece_name(head)) is not None:
            text = str(number)
        said = FittedLabel(style="body", halign="center", line_height=1.0)
        said.bind(
            width=lambda _, width: setattr(said, "text", wrap_name(text, width, bold=False, max_lines=1)[0])
        )
        box.add_widget(said)
        return box

    def _line(self, leaf: GridPage, at: int, *, last: bool = False) -> BoxLayout:
        label, cells = leaf.grid.lines[at]
        row, sums = self._row(render(label, self.app.lang)), leaf.grid.running_column_sums
        for column in leaf.columns:
            so_far = str(sums[at][column]).replace("-", "−") if at < len(sums) else ""
            cell = ScoreCell(cells[column], so_far, f"cell {at} {column}", last=last)
            cell.bind(on_release=lambda cell: self.dispatch("on_amend", cell.number))
            row.add_widget(cell)
        return row


# The flow of the score sheet: amending a number, and the score over time.


class ScoreSheetFlow:
    """The flow of the score sheet: shows it, and lets people amend numbers.

    `amend(event, seat)` asks a seat's question again.
    """

    def __init__(self, app: AppWithEvening, amend: Callable[[int, Seat], None]) -> None:
        self.app = app
        self._amend = amend

    def make_page(self) -> ScoreSheetPage:
        """Returns the score sheet, bound to this flow."""
        sheet = ScoreSheetPage()
        sheet.bind(
            on_amend=lambda _, number: self._change(number),
            on_course=lambda _: self._course(),
        )
        return sheet

    def current_grids(self) -> list[GridView]:
        """Returns the grids of the current scene.

        If the scene has none, they are the numbers of the seats.
        """
        controller = self.app.controller
        if controller.view is None:
            return []
        laid = evaluate_scene(controller.view, self.app.evening.scene)
        grids = [
            part
            for part in laid.middle
            if isinstance(part, GridView) and (part.has_amendable_answers or part.last_line_is_sum)
        ]
        return grids or _numbers(laid)

    def _change(self, number: CellView) -> None:
        """Asks the question of a number again; asks which one if the number comes from several answers."""
        assert number.amendable_answer is not None
        about, seat = number.amendable_answer
        found = self.app.evening.step_indices_asked_about(about, seat)
        if len(found) == 1:
            self._amend(found[0], seat)
        elif found:
            self._which(found, seat)

    def _which(self, found: list[int], seat: Seat) -> None:
        choices = []
        for at in found:
            answered = self.app.evening.answered_question_of_step(at)
            assert answered is not None
            text = render(answered.question.text, self.app.lang)
            choices.append(DialogChoice(f"answer {at}", text, partial(self._amend, at, seat)))
        open_choice_dialog(self.app.tr("Which answer?"), choices, columns=1, rows_per_page=4)

    def _course(self) -> None:
        """Shows how the score went until now, where all may know it."""
        tr = self.app.tr
        moments = self.app.evening.score_history()
        nothing = tr("There is no score yet.")
        body = ScoreLineChart(moments) if moments else FittedLabel(text=nothing, lines=2, halign="center")
        open_full_screen_dialog(tr("Score over time"), body)


def _numbers(laid: SceneView) -> list[GridView]:
    """Returns the numbers of all seats as one grid; a covered number stays empty."""
    mats = laid.mats
    rows = zip(*([mat.headline, *mat.cells] for mat in mats), strict=True)
    lines = [(row[0].name, row) for row in rows if row[0] is not None]
    seen = tuple(
        [
            (name, tuple([None if one is None or one.value is None else one for one in row]))
            for name, row in lines
        ]
    )
    return [GridView(tuple([mat.seat for mat in mats]), seen)] if seen else []
