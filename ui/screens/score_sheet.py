"""The score sheet while people play: seats by rounds with running sums; a touch amends a number.

It knows what the scene lays out, nothing else; whoever made it hears which number was touched.
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
from companion.scenes.text import number_in_name
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Labelled, render
from ui import theme
from ui.host import AppWithEvening
from ui.pages import Choice, Page, open_choice, open_sheet
from ui.widgets.drawing.surfaces import Drawn, Sheet, fill
from ui.widgets.drawing.symbols import Token
from ui.widgets.drawing.text import Writing, across, within
from ui.widgets.keys.key import Key
from ui.widgets.pieces.worded import written
from ui.widgets.sheets.score_charts import Course

NAME_WIDTH_IN_TARGETS = 1.9
"""The width of the names of lines."""
MIN_NUMBER_WIDTH_IN_TARGETS = 1.05
"""The least width of a number."""
MAX_HEAD_WIDTH = 7.5
"""The greatest width of a column's head, in heights of the smallest letters."""


class GridPage(NamedTuple):
    """One page: a grid, and the lines and columns of it that fit."""

    grid: GridView
    lines: range
    columns: range


class ScoreCell(ButtonBehavior, Drawn):
    """A number with the running sum below it; a touch amends it if it is somebody's answer."""

    shows: ClassVar[tuple[str, ...]] = ("state",)

    def __init__(self, number: CellView | None, so_far: str, name: str, *, last: bool = False) -> None:
        self.number, self.name, self._last = number, name, last
        self.still = number is None or number.amendable_answer is None
        text = "" if number is None else written(number).replace("-", "−")
        self.figure = Writing(text=text, style="digit", halign="center")
        self.so_far = Writing(text=so_far, style="quiet", halign="center")
        super().__init__()
        for writing in (self.figure, self.so_far):
            self.add_widget(writing)

    def on_touch_down(self, touch: Any) -> bool:
        """Ignores touches of a number that is nobody's answer."""
        return False if self.still else bool(super().on_touch_down(touch))

    def draw(self) -> None:
        """Draws a rule, and a dent while the cell is pressed."""
        sizes = theme.length
        x, y, width, height = self.box
        if self.state == "down":
            fill(theme.PAPER_PRESSED, self.box, sizes.line)
        rule = (x, y + height - sizes.line, width, sizes.line) if self._last else (x, y, width, sizes.hair)
        fill(theme.INK if self._last else theme.PAPER_LINE, rule)
        low = height * 0.36 if self.so_far.text else 0.0
        self.figure.pos, self.figure.size = (x, y + low), (width, height - low)
        self.so_far.pos, self.so_far.size = (x, y + sizes.hair), (width, low)


class ScoreSheetPage(Page):
    """The grids of the table, page by page; it stays at the page where people are."""

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
        self.sheet = Sheet(padding=sizes.gap, spacing=0)
        self.lay_out(tr("Score sheet"), self.sheet, keys=(self.back, self.on, course))
        self.sheet.bind(size=lambda *_: self._lay())

    def _key(self, name: str, icon: str, do: Any) -> Key:
        key = Key(name=name, icon=icon, look="felt", size_hint_x=None, width=theme.length.target)
        key.bind(on_release=lambda _: do())
        return key

    def show(self, grids: Sequence[GridView]) -> None:
        """Shows the current grids."""
        if list(grids) != list(self._grids):
            self._grids = tuple(grids)
            self._lay()

    @property
    def pages(self) -> list[GridPage]:
        """All pages."""
        return [leaf for grid in self._grids for leaf in self._of(grid)]

    def _of(self, grid: GridView) -> Iterator[GridPage]:
        """Yields pages with as many lines and columns as fit; a line with sums is on each page."""
        target, gap, small = theme.length.target, theme.length.gap, theme.length.smallest
        names = [
            min(MAX_HEAD_WIDTH * small, across(render(head, self.app.lang), small)) for head in grid.heads
        ]
        wide = max(MIN_NUMBER_WIDTH_IN_TARGETS * target, *names) + gap
        abreast = max(1, int((self.sheet.width - 2 * gap - NAME_WIDTH_IN_TARGETS * target) // wide))
        down = max(1, int((self.sheet.height - 2 * gap) // target) - 1 - (1 if grid.last_line_is_sum else 0))
        lines = len(grid.lines) - (1 if grid.last_line_is_sum else 0)
        for top in range(0, max(1, lines), down):
            for left in range(0, len(grid.heads), abreast):
                columns = range(left, min(len(grid.heads), left + abreast))
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
            self.sheet.add_widget(Writing(text=text, halign="center", lines=2))
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
        label = Writing(text=name, style="key", lines=2, size_hint_x=None)
        label.width = theme.length.target * NAME_WIDTH_IN_TARGETS
        row.add_widget(label)
        return row

    def _heads(self, leaf: GridPage) -> BoxLayout:
        row = self._row("")
        for at in leaf.columns:
            row.add_widget(self._head(leaf.grid.heads[at]))
        return row

    def _head(self, head: Labelled) -> Widget:
        """Returns the head of a column: a seat's token over its name, or a name."""
        box = BoxLayout(orientation="vertical", padding=(theme.length.line, 0))
        if isinstance(head, Seat):
            box.add_widget(Token(colour=head.colour))
        text = render(head, self.app.lang)
        if isinstance(head, Piece) and (number := number_in_name(head)) is not None:
            text = str(number)
        said = Writing(style="body", halign="center", line_height=1.0)
        said.bind(width=lambda _, width: setattr(said, "text", within(text, width, bold=False, most=1)[0]))
        box.add_widget(said)
        return box

    def _line(self, leaf: GridPage, at: int, *, last: bool = False) -> BoxLayout:
        label, cells = leaf.grid.lines[at]
        row, sums = self._row(render(label, self.app.lang)), leaf.grid.running_sums
        for column in leaf.columns:
            so_far = str(sums[at][column]).replace("-", "−") if at < len(sums) else ""
            cell = ScoreCell(cells[column], so_far, f"cell {at} {column}", last=last)
            cell.bind(on_release=lambda cell: self.dispatch("on_amend", cell.number))
            row.add_widget(cell)
        return row


# The flow of the score sheet: amending a number, and the score over time.


class ScoreSheetFlow:
    """Does what people want on the score sheet; `amend(event, seat)` asks a seat's question again."""

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
        """Returns the grids of the scene; the numbers of the seats if it has none."""
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
        found = self.app.evening.steps_asked_about(about, seat)
        if len(found) == 1:
            self._amend(found[0], seat)
        elif found:
            self._which(found, seat)

    def _which(self, found: list[int], seat: Seat) -> None:
        choices = []
        for at in found:
            answered = self.app.evening.answered_question_at(at)
            assert answered is not None
            text = render(answered.question.text, self.app.lang)
            choices.append(Choice(f"answer {at}", text, partial(self._amend, at, seat)))
        open_choice(self.app.tr("Which answer?"), choices, columns=1, rows=4)

    def _course(self) -> None:
        """Shows how the score went until now, where all may know it."""
        tr = self.app.tr
        moments = self.app.evening.score_history()
        nothing = tr("There is no score yet.")
        body = Course(moments) if moments else Writing(text=nothing, lines=2, halign="center")
        open_sheet(tr("Score over time"), body)


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
