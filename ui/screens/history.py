"""The history of a game, the journal of moves, changing an earlier answer, and undo and redo.

The pages change nothing; their owner handles touches of lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.actions import REDO
from companion.record.record import StepMovements
from companion.requests import Request
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import Say, render
from ui import theme
from ui.host import AppWithEvening, get_companion_app
from ui.pages import DialogChoice, Page, open_choice_dialog, open_dialog
from ui.questions import make_question_widget
from ui.questions.question import report_touches_on_unavailable_options
from ui.screens.actions import perform_with_confirmations
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.line_breaking import count_wrapped_lines
from ui.widgets.drawing.surfaces import AutoRedrawWidget, draw_border, draw_paper, draw_sunken_background
from ui.widgets.drawing.symbols import draw_filled_dot
from ui.widgets.drawing.text import FittedLabel, measure_text_width, shorten_name
from ui.widgets.keys.key import Key
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.sheets.messages import RefusalNotice
from ui.words import render_sentence, replace_seat_names

LANDSCAPE_HISTORY_ROWS, MAX_UPRIGHT_HISTORY_ROWS = 4, 10
"""Rows of a page; upright it has as many as fit, up to this number."""
MIN_ROW_HEIGHT_IN_TARGETS = 1.3
"""The least height of a row, with its notes and the heading above it."""
SEAT_FILTER_WIDTH_IN_TARGETS = 2.8
"""The width of the key that says whose answers are shown."""
MAX_NOTES_LINES = 2
"""The most lines of the notes of a row."""
LINE_HEIGHT_EM, ROW_PADDING_GAPS = 1.15, 0.4
"""The height of a line, in heights of the smallest letters, and the space above and below all lines."""
RAGGED_LINE_END = 0.3
"""The part of a line that notes may leave empty, as they are broken between words."""


class HistoryLine(NamedTuple):
    """A line of the history: a sentence with its notes.

    `is_undone_reveal`: a reveal that was undone or amended. `position` is the number of the line among those
    that can be touched, from 0; None if this one can't be.
    """

    text: Say
    notes: Sequence[Say]
    position: int | None
    is_undone_reveal: bool = False
    section_heading: Say | None = None
    """The heading above the line: the part of the game in which it happened, such as a round."""


class RowTexts(NamedTuple):
    """The sentence and the notes of a row, and the lines of small letters that each of them takes."""

    sentence: str
    notes: str
    sentence_lines: int
    notes_lines: int

    @property
    def min_row_height(self) -> float:
        """The height of a row with these texts in small letters; a row can be touched."""
        lines_height = (self.sentence_lines + self.notes_lines) * theme.length.smallest * LINE_HEIGHT_EM
        return float(max(theme.length.target, lines_height + 2 * ROW_PADDING_GAPS * theme.length.gap))


class HistoryRow(ButtonBehavior, AutoRedrawWidget, BoxLayout):
    """The row of a history list that shows one line, on paper.

    An `is_static` row is flat and can't be touched. An `is_marked` row has a red rim. Rows share the height
    of a page as their texts need it.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("state", "is_marked", "is_static")
    is_marked = BooleanProperty(defaultvalue=False)
    is_static = BooleanProperty(defaultvalue=False)
    name = StringProperty("")

    def __init__(self, texts: RowTexts, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 2, gap * ROW_PADDING_GAPS), **kwargs)
        self.size_hint_y = texts.min_row_height
        add_children(self, self._make_label(texts.sentence, texts.sentence_lines, "body"))
        if texts.notes:
            add_children(self, self._make_label(texts.notes, texts.notes_lines, "quiet"))

    def _make_label(self, text: str, lines: int, style: str) -> FittedLabel:
        options = {"lines": max(2, lines), "size_hint_y": lines, "line_height": 1.0}
        return FittedLabel(text=text, style=style, is_on_felt=self.is_static, **options)

    def draw(self) -> None:
        """Draws the row: as paper, or as a dent in the felt if it is static."""
        if self.is_static:
            draw_sunken_background(self.box)
        else:
            down = self.state == "down"
            draw_paper(self.box, theme.length.line, theme.PAPER_PRESSED if down else theme.PAPER)
        if self.is_marked:
            draw_border(theme.DANGER, self.box, theme.length.rim)


class HistoryListPage(Page):
    """A page of entries, the latest first; `on_touched` gets the position of a line that people touch."""

    name_prefix = "event"
    """The first word of a row's name: `event 12`."""

    def __init__(self, title: str, on_touched: Callable[[int], object], keys: Sequence[Key] = ()) -> None:
        sizes = theme.length
        super().__init__()
        self._on_touched = on_touched
        is_upright = self.app.stage.is_next_page_portrait
        available_height = self.app.stage.next_page_size[1] - 2 * (sizes.target + 2 * sizes.gap)
        self._rows_per_page = (
            min(MAX_UPRIGHT_HISTORY_ROWS, int(available_height / (sizes.target * MIN_ROW_HEIGHT_IN_TARGETS)))
            if is_upright
            else theme.grow_count(LANDSCAPE_HISTORY_ROWS)
        )
        head_rows = 2 if keys and is_upright else 1
        self._page_height = (
            self.app.stage.next_page_size[1] - head_rows * (sizes.target + sizes.gap) - 2 * sizes.gap
        )
        self.pager = Pager(rows=1, has_external_keys=True, make=self._make_page)
        page_keys = (self.pager.back_key, self.pager.page_number, self.pager.next_key)
        key_row = add_children(
            BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.gap), *(keys if is_upright else ())
        )
        self.add_content(
            title,
            *([key_row] if key_row.children else []),
            self.pager,
            keys_beside_title=page_keys if is_upright else (*keys, *page_keys),
        )

    def show_lines(self, lines: Sequence[HistoryLine]) -> None:
        """Shows the entries as a list, the latest at the top.

        `lines` begins with the oldest. Entries of one round are below the heading of the round.
        """
        latest, rows = list(reversed(lines)), self._rows_per_page
        self.pager.items = [latest[start : start + rows] for start in range(0, len(latest), rows)] or [[]]

    def _make_page(self, lines: Sequence[HistoryLine]) -> Widget:
        if not lines:
            return FittedLabel(text=self._empty_text(), is_on_felt=True, halign="center", lines=2)
        page = BoxLayout(orientation="vertical", spacing=theme.length.gap)
        heading: Say | None = None
        for line, texts in zip(lines, self._choose_texts(lines), strict=True):
            if line.section_heading is not None and line.section_heading != heading:
                heading = line.section_heading
                add_children(page, self._make_heading(heading))
            add_children(page, self._make_row(line, texts))
        missing_height = (self._rows_per_page - len(lines)) * theme.length.target
        return add_children(page, *([Widget(size_hint_y=missing_height)] if missing_height else []))

    def _choose_texts(self, lines: Sequence[HistoryLine]) -> list[RowTexts]:
        """Returns the texts of the rows of a page; notes are shorter if all rows have no room else."""
        texts = [self._make_texts(line, MAX_NOTES_LINES) for line in lines]
        headings = {line.section_heading for line in lines if line.section_heading is not None}
        gap = theme.length.gap
        room = self._page_height - (len(lines) - 1) * gap - len(headings) * (_heading_height() + gap)
        for index, line in enumerate(lines):
            if sum(each.min_row_height for each in texts) > room:
                texts[index] = self._make_texts(line, 1)
        return texts

    def _empty_text(self) -> str:
        """Returns the sentence for an empty list."""
        return str(self.app.tr("Nothing has happened yet."))

    def _make_heading(self, heading: Say) -> FittedLabel:
        text, height = render(heading, self.app.lang), _heading_height()
        return FittedLabel(text=text, style="quiet", is_on_felt=True, size_hint_y=None, height=height)

    def _make_row(self, line: HistoryLine, texts: RowTexts) -> HistoryRow:
        position = line.position
        if position is None:
            return HistoryRow(texts, is_static=True, is_marked=line.is_undone_reveal)
        row = HistoryRow(texts, name=f"{self.name_prefix} {position}", is_marked=line.is_undone_reveal)
        row.bind(on_release=lambda _: self._on_touched(position))
        return row

    def _make_texts(self, line: HistoryLine, max_notes_lines: int) -> RowTexts:
        """Returns the texts of a row; its end says how many notes don't fit in that number of lines."""
        sentence, notes = self._render(line.text), self._join_notes(line.notes, max_notes_lines)
        return RowTexts(sentence, notes, self._count_lines(sentence), self._count_lines(notes))

    def _count_lines(self, text: str) -> int:
        """Returns the number of lines of small letters that a text takes in a row; 0 without a text."""
        width = self.app.stage.next_page_size[0] - 6 * theme.length.gap
        return count_wrapped_lines(text, width, _measure_small_text) if text else 0

    def _join_notes(self, notes: Sequence[Say], max_lines: int) -> str:
        """Returns the notes in a line; its end says how many notes don't fit in that number of lines."""
        texts = [self._render(note) for note in notes]
        line_width = self.app.stage.next_page_size[0] - 4 * theme.length.space
        max_width = line_width * (max_lines - RAGGED_LINE_END)
        for shown_count in range(len(texts), 1, -1):
            joined = _join_first_notes(texts, shown_count)
            if measure_text_width(joined, theme.length.smallest) <= max_width:
                return joined
        return _join_first_notes(texts, 1)

    def _render(self, text: Say) -> str:
        """Returns a sentence with names short enough for two lines: full-width letters take much room."""
        return render_sentence(replace_seat_names(text, shorten_name), self.app.lang)


def _heading_height() -> float:
    return theme.length.smallest * 1.3


def _measure_small_text(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)


def _join_first_notes(texts: Sequence[str], shown_count: int) -> str:
    """Returns the first notes in a line, and the number of the others after a plus sign."""
    hidden_count = len(texts) - shown_count
    return "  ".join([*texts[:shown_count], *([f"+{hidden_count}"] if hidden_count > 0 else [])])


class HistoryPage(HistoryListPage):
    """The history of the game; people can touch events that are still in force.

    A touch on the piece of one of `seats` filters the history by that seat, another touch shows all again.
    If there are many seats, one key opens a list of them.
    """

    def __init__(self, seats: Sequence[Seat], on_touched: Callable[[int], object]) -> None:
        app = get_companion_app()
        sizes = theme.length
        self._entries: Sequence[Any] = ()
        self.shown_seat: Seat | None = None
        self.seat_filter_keys = [
            OptionKey(name=f"only {seat.name}", subject=seat, size_hint_x=None, width=sizes.target)
            for seat in seats
        ]
        for key in self.seat_filter_keys:
            key.bind(on_release=lambda key: self._filter_by(key.subject))
        self.open_seat_list_key = OptionKey(
            name="whose", lines=1, size_hint_x=None, width=sizes.target * SEAT_FILTER_WIDTH_IN_TARGETS
        )
        self.open_seat_list_key.text = app.tr("Everyone's")
        self.open_seat_list_key.bind(on_release=lambda _: self._open_seat_list())
        keys = self.seat_filter_keys if len(seats) <= MAX_FULL_DETAIL_PANELS else [self.open_seat_list_key]
        super().__init__(app.tr("History"), on_touched, keys)

    def show_history(self, entries: Sequence[Any]) -> None:
        """Shows the history entries; an entry without a time can't be touched."""
        self._entries = entries
        lines: list[HistoryLine] = []
        position, heading = 0, None
        for entry in entries:
            heading = entry.heading if entry.played_seconds is not None else heading
            if self.shown_seat is None or self.shown_seat.number in [seat.number for seat in entry.seats]:
                line_position = None if entry.played_seconds is None else position
                lines.append(HistoryLine(entry.text, entry.notes, line_position, entry.is_undone, heading))
            position += entry.played_seconds is not None
        self.show_lines(lines)

    def _empty_text(self) -> str:
        if self.shown_seat is None:
            return super()._empty_text()
        return str(self.app.tr("{name} hasn't been asked anything yet.", name=self.shown_seat.name))

    def _open_seat_list(self) -> None:
        """Opens a list of all players, each with piece and name, and a key for everybody."""
        everyone = DialogChoice("all", self.app.tr("Everyone's"), partial(self._filter_by, self.shown_seat))
        open_choice_dialog(
            "",
            [
                DialogChoice(
                    f"only {seat.name}",
                    seat.name,
                    partial(self._filter_by, seat),
                    is_chosen=seat == self.shown_seat,
                    subject=seat,
                )
                for seat in (key.subject for key in self.seat_filter_keys)
            ],
            everyone,
            columns=2 if self.app.stage.is_next_page_portrait else 3,
            lines=2,
            size_hint_max_y=theme.length.row * 1.3,
        )

    def _filter_by(self, seat: Seat | None) -> None:
        self.shown_seat = None if self.shown_seat == seat else seat
        for key in self.seat_filter_keys:
            key.chosen = key.subject == self.shown_seat
        self.open_seat_list_key.subject, self.open_seat_list_key.chosen = (
            self.shown_seat,
            self.shown_seat is not None,
        )
        self.open_seat_list_key.text = (
            self.app.tr("Everyone's") if self.shown_seat is None else self.shown_seat.name
        )
        self.pager.page = 0
        self.show_history(self._entries)


class PieceMovesJournalPage(HistoryListPage):
    """The page of the journal, which lists the moves of each event; a touch of a row calls `open_moves`."""

    name_prefix = "movement"

    def __init__(
        self, movements: Sequence[StepMovements], open_moves: Callable[[Sequence[Say]], object]
    ) -> None:
        app = get_companion_app()
        listed = [event for event in movements if event.is_correction or event.moves]
        super().__init__(app.tr("Journal"), lambda position: open_moves(listed[position].moves))
        self.show_lines(
            [
                HistoryLine(event.text, event.moves, position if event.moves else None)
                for position, event in enumerate(listed)
            ]
        )


# Amending an answer: its question is asked again.


class AmendPage(Page):
    """A page on which people amend an earlier answer: the question is asked again.

    The question's widget starts at `old_answer`.
    """

    __events__: tuple[str, ...] = ("on_answer",)  # plain: people give the right answer, as JSON

    def __init__(self, question: Request[Any], view: View, old_answer: Any, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        app = self.app
        current_answer = FittedLabel(
            text=app.tr(
                "Current answer: {answer}", answer=render(question.describe_answer(old_answer), app.lang)
            ),
            style="quiet",
            is_on_felt=True,
            lines=2,
            line_height=1.0,
            padding=(sizes.bar + sizes.gap, 0, 0, 0),
            size_hint_y=None,
        )
        current_answer.bind(
            width=lambda label, width: setattr(
                label, "height", max(sizes.body * 1.5, label.min_height_at(width))
            )
        )
        self.refusal = RefusalNotice()
        self.question_widget: Any = make_question_widget(question, view)
        self.question_widget.prefill(old_answer)
        self.question_widget.bind(on_answer=lambda _, plain: self.dispatch("on_answer", plain))
        report_touches_on_unavailable_options(self.question_widget, self.show_refusal)
        self.add_content(render(question.text, app.lang), current_answer, self.question_widget)
        if self.question_widget.size_hint_y is None:
            add_children(self, Widget())

    def show_refusal(self, text: str) -> None:
        """Shows why the new answer is refused."""
        if not self.question_widget.try_show_refusal(text):
            self.refusal.text = text
            self.refusal.show_over(self, self.head.area_beside_back_key)

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch, and removes the last refusal."""
        return self.refusal.dismiss_on_touch(touch) or bool(super().on_touch_down(touch))


# Undo and redo, and the pieces that people then move by hand.


MOVES_PER_PAGE = 4
MOVES_DIALOG_HEIGHT_SHARE = 0.94
"""The height of the dialog with moves to make by hand, as a share of the screen's height."""


class MoveRow(FittedLabel):
    """A row with one move, after a brass dot."""

    def __init__(self, text: str) -> None:
        super().__init__(text=text, lines=2, padding=(theme.length.margin, 0, 0, 0))
        self.fbind("pos", self._draw_dot)
        self.fbind("size", self._draw_dot)

    def _draw_dot(self, *_: object) -> None:
        self.canvas.before.clear()
        side = theme.length.dot
        with self.canvas.before:
            draw_filled_dot((self.x, self.center_y - side / 2, side, side), theme.BRASS)


def offer_redo(app: AppWithEvening, redo_count: int) -> None:
    """Asks whether to redo answers that an amendment undid."""
    title = app.trn("Redo {n} more answer?", "Redo {n} more answers?", redo_count)
    text = app.tr("The later answers are possible again, so you can put them back.")
    redo = partial(perform_with_confirmations, app, REDO, {"count": redo_count})
    yes = DialogChoice("yes", app.tr("Redo"), redo, "brass")
    open_dialog(title, text, DialogChoice("no", app.tr("Keep it")), yes)


def show_moves_by_hand(app: AppWithEvening, moves: Sequence[Say]) -> None:
    """Lists what people must move by hand, if anything."""
    if not moves:
        return
    rows = [MoveRow(render(move, app.lang)) for move in moves]
    done = DialogChoice("done", app.tr("All moved"), look="brass")
    pager = Pager(items=rows, rows=theme.grow_count(MOVES_PER_PAGE), look="paper")
    dialog = open_dialog(app.tr("Move these pieces on the table"), "", done, body=pager)
    dialog.height_share = MOVES_DIALOG_HEIGHT_SHARE
