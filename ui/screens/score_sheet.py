"""The score sheet during the game: seats by rounds with running sums; a touch amends a number.

The page knows only the grids of the scene, and the numbers that have just decided a round; its owner handles
touches of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.rules.scene_views import CellView, GridView
from companion.scenes import SceneView, evaluate_scene, number_in_piece_name
from companion.table.ledger import Piece
from companion.table.outcomes import Outcome
from companion.table.seats import Seat
from companion.texts import Labelled, render
from ui import theme
from ui.host import AppWithEvening
from ui.pages import DialogChoice, Page, make_key, open_choice_dialog, open_full_screen_dialog
from ui.screens.settings import ScreenPlacement
from ui.widgets.drawing.containers import add_children, make_filler
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout, fill_rounded_box
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import FittedLabel, measure_text_width, wrap_name
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import make_page_number
from ui.widgets.pieces.worded import format_cell_number_and_maximum
from ui.widgets.sheets.result_card import make_largest_score_table
from ui.widgets.sheets.score_charts import ScoreLineChart

LINE_NAME_WIDTH_IN_TARGETS = 1.9
"""The width of a line's name."""
MIN_NUMBER_WIDTH_IN_TARGETS = 1.05
"""The least width of a number."""
MAX_OUTCOME_LINES = 12
"""The most lines of the sentences in place of a table that is too wide."""
MAX_HEADING_WIDTH_IN_LETTER_HEIGHTS = 7.5
"""The maximum width of a column's heading, in heights of the smallest letters."""


class GridPage(NamedTuple):
    """One page of the score sheet: a grid, and those of its lines and columns that fit on the page."""

    grid: GridView
    lines: range
    columns: range


class ScoreCell(ButtonBehavior, AutoRedrawWidget):
    """A cell of the score sheet: a number with the running sum below it.

    A touch amends the number if it is somebody's answer.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("state",)

    def __init__(self, number: CellView | None, running_sum: str, name: str, *, is_sum: bool = False) -> None:
        self.number, self.name, self._last = number, name, is_sum
        self.is_static = number is None or number.amendable_answer is None
        text = "" if number is None else format_cell_number_and_maximum(number).replace("-", "−")
        is_void = number is not None and number.is_void
        self.figure = FittedLabel(text=text, style="digit", halign="center", is_dimmed=is_void)
        self.running_sum = FittedLabel(text=running_sum, style="note", halign="center")
        super().__init__()
        for label in (self.figure, self.running_sum):
            self.add_widget(label)

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch, unless the number is nobody's answer."""
        return False if self.is_static else bool(super().on_touch_down(touch))

    def draw(self) -> None:
        """Draws the cell: a rule, and a dent while the cell is pressed."""
        sizes = theme.length
        x, y, width, height = self.box
        if self.state == "down":
            fill_rounded_box(theme.PAPER_PRESSED, self.box, sizes.line)
        rule = (x, y + height - sizes.line, width, sizes.line) if self._last else (x, y, width, sizes.hair)
        fill_rounded_box(theme.INK if self._last else theme.PAPER_LINE, rule)
        sum_height = height * 0.36 if self.running_sum.text else 0.0
        self.figure.pos, self.figure.size = (x, y + sum_height), (width, height - sum_height)
        self.running_sum.pos, self.running_sum.size = (x, y + sizes.hair), (width, sum_height)


class ScoreSheetPage(Page):
    """The score grids of the table, page by page; an update keeps the page that is shown.

    The page with the last round is shown first. Between rounds, that is the first page: the table of the
    numbers that have decided the round.

    `amend` gets a number that people touch. `open_chart` opens the chart of the score over time. `turn`
    turns the page to the people opposite, if there are any.
    """

    def __init__(
        self,
        amend: Callable[[CellView], object],
        open_chart: Callable[[], object],
        turn: Callable[[], object] | None = None,
    ) -> None:
        super().__init__()
        self._amend = amend
        tr, sizes = self.app.tr, theme.length
        self._outcomes: Sequence[Outcome] = ()
        self._grids: Sequence[GridView] = ()
        self._page_index: int | None = None
        """The index of the page that is shown; None for the newest page, until somebody turns the page."""
        self.back_key = self._make_icon_key("page back", "back", lambda: self._turn(-1))
        self.next_key = self._make_icon_key("page on", "next", lambda: self._turn(1))
        self.page_number = make_page_number(is_on_felt=True)
        chart = self._make_icon_key("course", "chart", open_chart)
        self.sheet = PaperBoxLayout(padding=sizes.gap, spacing=0)
        turn_keys = [] if turn is None else [self._make_icon_key("turn", "turn", turn)]
        keys = (self.back_key, self.page_number, self.next_key, chart, *turn_keys)
        self.add_content(tr("Score sheet"), self.sheet, keys_beside_title=keys)
        self.sheet.bind(size=lambda *_: self._show_page())

    def _make_icon_key(self, name: str, icon: str, action: Callable[[], object]) -> Key:
        return make_key(name, "", action, width_px=theme.length.target, icon=icon, look="felt")

    def show_scores(self, outcomes: Sequence[Outcome], grids: Sequence[GridView]) -> None:
        """Shows what has just been decided by scores, and the current grids."""
        if (tuple(outcomes), tuple(grids)) != (self._outcomes, self._grids):
            if self._grids:
                index = self._shown_page_index(self.pages)
                is_grid_shown = index >= len(self._outcomes)
                self._page_index = index + (len(outcomes) - len(self._outcomes) if is_grid_shown else 0)
            self._outcomes, self._grids = tuple(outcomes), tuple(grids)
            self._show_page()

    @property
    def pages(self) -> list[Outcome | GridPage]:
        """Returns all pages."""
        grid_pages = [page for grid in self._grids for page in self._split_into_pages(grid)]
        return [*self._outcomes, *grid_pages]

    def _split_into_pages(self, grid: GridView) -> Iterator[GridPage]:
        """Yields pages with as many lines and columns as fit; a line with sums is on each page."""
        target, gap, small = theme.length.target, theme.length.gap, theme.length.smallest
        max_heading_width = MAX_HEADING_WIDTH_IN_LETTER_HEIGHTS * small
        heading_widths = [
            min(max_heading_width, measure_text_width(render(heading, self.app.lang), small))
            for heading in grid.column_headings
        ]
        column_width = max(MIN_NUMBER_WIDTH_IN_TARGETS * target, *heading_widths) + gap
        columns_width = self.sheet.width - 2 * gap - LINE_NAME_WIDTH_IN_TARGETS * target
        columns_per_page = max(1, int(columns_width // column_width))
        sum_lines = 1 if grid.last_line_is_sum else 0
        lines_per_page = max(1, int((self.sheet.height - 2 * gap) // target) - 1 - sum_lines)
        line_count, column_count = len(grid.lines) - sum_lines, len(grid.column_headings)
        for top in range(0, max(1, line_count), lines_per_page):
            for left in range(0, column_count, columns_per_page):
                columns = range(left, min(column_count, left + columns_per_page))
                yield GridPage(grid, range(top, min(line_count, top + lines_per_page)), columns)

    def _shown_page_index(self, pages: Sequence[Outcome | GridPage]) -> int:
        index = _newest_page_index(pages) if self._page_index is None else self._page_index
        return min(max(0, index), max(0, len(pages) - 1))

    def _turn(self, by: int) -> None:
        self._page_index = self._shown_page_index(self.pages) + by
        self._show_page()

    def _show_page(self) -> None:
        pages = self.pages
        page_index = self._shown_page_index(pages)
        self.back_key.disabled, self.next_key.disabled = page_index == 0, page_index >= len(pages) - 1
        number = self.page_number
        number.text = f"{page_index + 1}/{len(pages)}"
        number.width = max(number.width, measure_text_width(number.text, theme.length.smallest))
        for widget in (self.back_key, self.page_number, self.next_key):
            widget.opacity = 1.0 if len(pages) > 1 else 0.0
        self.sheet.clear_widgets()
        if not pages:
            text = self.app.tr("The score sheet is still empty.")
            self.sheet.add_widget(FittedLabel(text=text, halign="center", lines=2))
            return
        page = pages[page_index]
        if isinstance(page, Outcome):
            self._show_outcome(page)
            return
        rows = [self._make_heading_row(page), *(self._make_line(page, index) for index in page.lines)]
        if page.grid.last_line_is_sum:
            rows.append(self._make_line(page, len(page.grid.lines) - 1, last=True))
        for row in rows:
            self.sheet.add_widget(row)
        empty_height = self.sheet.height - 2 * theme.length.gap - len(rows) * theme.length.target * 1.4
        if empty_height > 0:
            self.sheet.add_widget(Widget(size_hint_y=None, height=empty_height))

    def _show_outcome(self, outcome: Outcome) -> None:
        """Shows a headline and the table of the numbers that decided; sentences if the table is too wide."""
        assert outcome.scores is not None
        lang, width = self.app.lang, self.sheet.width - 2 * theme.length.gap
        headline = FittedLabel(
            text=render(outcome.headline, lang), style="question", lines=2, line_height=1.0, size_hint_y=None
        )
        headline.height = theme.length.question * 2.2
        height = self.sheet.height - 2 * theme.length.gap - headline.height
        table = make_largest_score_table(outcome, lang, width, height)
        if table is None:
            sentences = FittedLabel(
                text="\n".join(render(line.sentence, lang) for line in outcome.scores.lines),
                lines=MAX_OUTCOME_LINES,
                is_paragraph=True,
                valign="top",
            )
            add_children(self.sheet, headline, sentences)
        else:
            add_children(self.sheet, headline, table, make_filler())

    def _make_row(self, name: str, style: str = "key") -> BoxLayout:
        row = BoxLayout(size_hint_max_y=theme.length.target * 1.4)
        label = FittedLabel(text=name, style=style, lines=2, line_height=1.1, size_hint_x=None)
        label.width = theme.length.target * LINE_NAME_WIDTH_IN_TARGETS
        row.add_widget(label)
        return row

    def _make_heading_row(self, page: GridPage) -> BoxLayout:
        """Returns the headings of the columns, and before them the legend of the sums so far."""
        legend = self.app.tr("below: sum so far") if page.grid.running_column_sums else ""
        row = self._make_row(legend, "note")
        for column in page.columns:
            row.add_widget(self._make_heading(page.grid.column_headings[column]))
        return row

    def _make_heading(self, heading: Labelled) -> Widget:
        """Returns the heading of a column: a seat's token over its name, or a name."""
        box = BoxLayout(orientation="vertical", padding=(theme.length.line, 0))
        if isinstance(heading, Seat):
            box.add_widget(PlayerToken(colour=heading.colour))
        text = render(heading, self.app.lang)
        if isinstance(heading, Piece) and (number := number_in_piece_name(heading)) is not None:
            text = str(number)
        label = FittedLabel(style="note", halign="center", line_height=1.0)
        label.bind(
            width=lambda _, width: setattr(label, "text", wrap_name(text, width, bold=False, max_lines=1)[0])
        )
        box.add_widget(label)
        return box

    def _make_line(self, page: GridPage, line_index: int, *, last: bool = False) -> BoxLayout:
        name, cells = page.grid.lines[line_index]
        sums_up_several_pages = last and len(page.lines) < line_index
        text = self.app.tr("grand total") if sums_up_several_pages else render(name, self.app.lang)
        row, sums = self._make_row(text), page.grid.running_column_sums
        for column in page.columns:
            running_sum = str(sums[line_index][column]).replace("-", "−") if line_index < len(sums) else ""
            cell = ScoreCell(cells[column], running_sum, f"cell {line_index} {column}", is_sum=last)
            cell.bind(on_release=lambda cell: self._amend(cell.number))
            row.add_widget(cell)
        return row


def _newest_page_index(pages: Sequence[Outcome | GridPage]) -> int:
    """Returns the index of the page with the last round; 0 if the last line of the first grid isn't a sum."""
    first = pages[0] if pages else None
    if not isinstance(first, GridPage) or not first.grid.last_line_is_sum:
        return 0
    last_round = len(first.grid.lines) - 1
    return next(
        index
        for index, page in enumerate(pages)
        if isinstance(page, GridPage) and page.lines.stop == last_round
    )


# The flow of the score sheet: people amend a number, or open the chart of the score over time.


class ScoreSheetFlow:
    """The flow of the score sheet: shows it, and lets people amend numbers.

    `amend(event, seat)` asks a seat's question again.
    """

    def __init__(self, app: AppWithEvening, amend: Callable[[int, Seat], None]) -> None:
        self.app = app
        self._amend = amend

    def make_page(self) -> ScoreSheetPage:
        """Returns the score sheet, bound to this flow."""
        is_flat = ScreenPlacement(self.app).placement == "flat"
        turn = self.app.stage.turn_to_opposite_side if is_flat else None
        return ScoreSheetPage(self._amend_number, self._open_chart, turn)

    def decided_by_scores(self) -> list[Outcome]:
        """Returns what the last answer decided by numbers, such as a round."""
        view = self.app.controller.view
        return [outcome for outcome in view.outcomes if outcome.scores is not None] if view else []

    def current_grids(self) -> list[GridView]:
        """Returns the grids of the current scene; if it has none, the numbers of the seats as a grid."""
        controller = self.app.controller
        if controller.view is None:
            return []
        scene_view = evaluate_scene(controller.view, self.app.evening.scene)
        grids = [
            part
            for part in scene_view.middle_parts
            if isinstance(part, GridView) and (part.has_amendable_answers or part.last_line_is_sum)
        ]
        return grids or _make_grids_of_seats(scene_view)

    def _amend_number(self, number: CellView) -> None:
        """Asks the question of a number again; asks which one if the number comes from several answers."""
        assert number.amendable_answer is not None
        subject, seat = number.amendable_answer
        step_indices = self.app.evening.step_indices_asked_about(subject, seat)
        if len(step_indices) == 1:
            self._amend(step_indices[0], seat)
        elif step_indices:
            self._ask_which_answer(step_indices, seat)

    def _ask_which_answer(self, step_indices: list[int], seat: Seat) -> None:
        choices = []
        for step_index in step_indices:
            answered = self.app.evening.answered_question_of_step(step_index)
            assert answered is not None
            text = render(answered.question.text, self.app.lang)
            amend = partial(self._amend, step_index, seat)
            choices.append(DialogChoice(f"answer {step_index}", text, amend))
        open_choice_dialog(self.app.tr("Which answer?"), choices, columns=1, rows_per_page=4)

    def _open_chart(self) -> None:
        """Shows the score until now, as far as everybody may know it."""
        tr = self.app.tr
        moments = self.app.evening.scores_after_each_step()
        empty_text = tr("There is no score yet.")
        body = ScoreLineChart(moments) if moments else FittedLabel(text=empty_text, lines=2, halign="center")
        open_full_screen_dialog(tr("Score over time"), body)


def _make_grids_of_seats(scene_view: SceneView) -> list[GridView]:
    """Returns a grid with the numbers of all seats, or nothing if there are none.

    A covered number stays empty.
    """
    mats = scene_view.mats
    rows = zip(*([mat.headline, *mat.cells] for mat in mats), strict=True)
    lines = tuple(
        [
            (row[0].name, tuple([None if cell is None or cell.value is None else cell for cell in row]))
            for row in rows
            if row[0] is not None
        ]
    )
    return [GridView(tuple([mat.seat for mat in mats]), lines)] if lines else []
