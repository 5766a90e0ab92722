"""The history of a game, the journal of moves, changing an earlier answer, and undo and redo.

It changes nothing; whoever made it hears which line was touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.actions import BACK, REDO, UNDO
from companion.requests import Request
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import Say, render
from ui import theme
from ui.host import AppWithEvening, running_app
from ui.pages import Choice, Page, open_choice, open_dialog
from ui.questions import asking
from ui.questions.question import hear_why_not
from ui.screens.actions import perform
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn, dent, paper, rim
from ui.widgets.drawing.symbols import draw_dot
from ui.widgets.drawing.text import Writing, across
from ui.widgets.keys.key import Key
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.panel_columns import MAX_DETAILED_SEATS
from ui.widgets.sheets.messages import Refusal

ROWS_PER_PAGE, MAX_UPRIGHT_ROWS = 4, 10
"""Rows of a page; upright it has as many as fit, up to this number."""
MIN_ROW_HEIGHT_IN_TARGETS = 1.3
"""The least height of a row, with its notes and the heading above it."""
SEAT_FILTER_WIDTH_IN_TARGETS = 2.8
"""The width of the key that says whose answers are shown."""
MAX_NOTE_LINES = 1.7
"""Less than two lines, as the end of the first line is ragged."""


class HistoryLine(NamedTuple):
    """One sentence with what it led to; `is_marked`: a reveal that was taken back or amended.

    `position` is its place among the things that can be touched, None where it is only told.
    """

    text: Say
    notes: Sequence[Say]
    position: int | None
    is_marked: bool = False
    heading: Say | None = None
    """The part of the game in which it happened, such as a round."""


class HistoryRow(ButtonBehavior, Drawn, BoxLayout):
    """A row on paper; a `still` row is flat and can't be touched, a `marked` one has a red rim."""

    shows: ClassVar[tuple[str, ...]] = ("state", "marked", "still")
    marked = BooleanProperty(defaultvalue=False)
    still = BooleanProperty(defaultvalue=False)
    name = StringProperty("")

    def __init__(self, text: str, notes: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 2, gap * 0.4), **kwargs)
        look = {"lines": 2, "line_height": 1.0, "felt": self.still}
        put(self, Writing(text=text, **look))
        if notes:
            put(self, Writing(text=notes, style="quiet", **look))

    def draw(self) -> None:
        """Draws paper, or a dent in the felt."""
        if self.still:
            dent(self.box)
        else:
            down = self.state == "down"
            paper(self.box, theme.length.line, theme.PAPER_PRESSED if down else theme.PAPER)
        if self.marked:
            rim(theme.DANGER, self.box, theme.length.rim)


class HistoryListPage(Page):
    """A page of entries, the latest first."""

    __events__: tuple[str, ...] = ("on_touched",)  # at: somebody wants to know more of it, or to change it
    name_prefix = "event"
    """The first word of a row's name: `event 12`."""

    def __init__(self, title: str, keys: Sequence[Key] = (), **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        upright = running_app().stage.is_upright
        room = running_app().stage.page_size[1] - 2 * (sizes.target + 2 * sizes.gap)
        self._rows = (
            min(MAX_UPRIGHT_ROWS, int(room / (sizes.target * MIN_ROW_HEIGHT_IN_TARGETS)))
            if upright
            else ROWS_PER_PAGE
        )
        self.pager = Pager(rows=1, is_apart=True, make=self._page)
        turning = (self.pager.back, self.pager.on)
        row = put(
            BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.gap), *(keys if upright else ())
        )
        self.lay_out(
            title,
            *([row] if row.children else []),
            self.pager,
            keys=turning if upright else (*keys, *turning),
        )

    def show_entries(self, rows: Sequence[HistoryLine]) -> None:
        """Lists the entries, oldest first; entries of one round are below the heading of the round."""
        latest = list(reversed(rows))
        self.pager.things = [latest[at : at + self._rows] for at in range(0, len(latest), self._rows)] or [[]]

    def _page(self, rows: Sequence[HistoryLine]) -> Widget:
        if not rows:
            return Writing(text=self._nothing(), felt=True, halign="center", lines=2)
        page = BoxLayout(orientation="vertical", spacing=theme.length.gap)
        heading: Say | None = None
        for row in rows:
            if row.heading is not None and row.heading != heading:
                heading = row.heading
                put(page, self._heading(heading))
            put(page, self._line(row))
        missing = self._rows - len(rows)
        return put(page, *([Widget(size_hint_y=missing)] if missing else []))

    def _nothing(self) -> str:
        """Returns the sentence for an empty list."""
        return str(self.app.tr("Nothing has happened yet."))

    def _heading(self, text: Say) -> Writing:
        high = theme.length.smallest * 1.3
        said = render(text, self.app.lang)
        return Writing(text=said, style="quiet", felt=True, size_hint_y=None, height=high)

    def _line(self, row: HistoryLine) -> HistoryRow:
        text, notes = render(row.text, self.app.lang), self._said(row.notes)
        if row.position is None:
            return HistoryRow(text, notes, still=True, marked=row.is_marked)
        line = HistoryRow(text, notes, name=f"{self.name_prefix} {row.position}", marked=row.is_marked)
        line.bind(on_release=lambda _: self.dispatch("on_touched", row.position))
        return line

    def _said(self, texts: Sequence[Say]) -> str:
        """Returns the notes in a line; its end says how many notes don't fit in two lines."""
        shown = [render(text, self.app.lang) for text in texts]
        room = (running_app().stage.page_size[0] - 4 * theme.length.space) * MAX_NOTE_LINES
        while len(shown) > 1 and across(self._cut(shown, len(texts)), theme.length.smallest) > room:
            shown.pop()
        return self._cut(shown, len(texts))

    def _cut(self, shown: Sequence[str], count: int) -> str:
        more = [f"+{count - len(shown)}"] if count > len(shown) else []
        return "  ".join([*shown, *more])


class HistoryPage(HistoryListPage):
    """`show` it everything that happened; what is in force can be touched, by its place among that.

    A touch on the piece of one of `seats` leaves what that one was asked, another touch shows all again.
    Where these are many, one key leads to all of them.
    """

    def __init__(self, seats: Sequence[Seat], **kwargs: Any) -> None:
        app = running_app()
        sizes = theme.length
        self._told: Sequence[Any] = ()
        self.only: Seat | None = None
        self.people = [
            OptionKey(name=f"only {seat.name}", about=seat, size_hint_x=None, width=sizes.target)
            for seat in seats
        ]
        for key in self.people:
            key.bind(on_release=lambda key: self._choose(key.about))
        self.whose = OptionKey(
            name="whose", lines=1, size_hint_x=None, width=sizes.target * SEAT_FILTER_WIDTH_IN_TARGETS
        )
        self.whose.text = app.tr("Everyone's")
        self.whose.bind(on_release=lambda _: self._ask_whose())
        keys = self.people if len(seats) <= MAX_DETAILED_SEATS else [self.whose]
        super().__init__(app.tr("History"), keys, **kwargs)

    def show(self, told: Sequence[Any]) -> None:
        """Shows everything that happened; an entry without a time can't be touched."""
        self._told = told
        rows: list[HistoryLine] = []
        at, heading = 0, None
        for one in told:
            heading = one.heading if one.at is not None else heading
            if self.only is None or self.only.number in [seat.number for seat in one.seats]:
                touched = None if one.at is None else at
                rows.append(HistoryLine(one.text, one.notes, touched, one.is_undone, heading))
            at += one.at is not None
        self.show_entries(rows)

    def _nothing(self) -> str:
        if self.only is None:
            return super()._nothing()
        return str(self.app.tr("{name} hasn't been asked anything yet.", name=self.only.name))

    def _ask_whose(self) -> None:
        """Lists everybody: their piece with their name."""
        everyone = Choice("all", self.app.tr("Everyone's"), partial(self._choose, self.only))
        open_choice(
            "",
            [
                Choice(
                    f"only {seat.name}",
                    seat.name,
                    partial(self._choose, seat),
                    is_chosen=seat == self.only,
                    about=seat,
                )
                for seat in (key.about for key in self.people)
            ],
            everyone,
            columns=2 if self.app.stage.is_upright else 3,
            lines=2,
            size_hint_max_y=theme.length.row * 1.3,
        )

    def _choose(self, seat: Seat | None) -> None:
        self.only = None if self.only == seat else seat
        for key in self.people:
            key.chosen = key.about == self.only
        self.whose.about, self.whose.chosen = self.only, self.only is not None
        self.whose.text = self.app.tr("Everyone's") if self.only is None else self.only.name
        self.pager.page = 0
        self.show(self._told)


class JournalPage(HistoryListPage):
    """What moved, event by event; each row opens into all its moves."""

    name_prefix = "movement"

    def __init__(self, movements: Sequence[Any], **kwargs: Any) -> None:
        app = running_app()
        super().__init__(app.tr("Journal"), **kwargs)
        moving = [one for one in movements if one.is_correction or one.moves]
        rows = [HistoryLine(one.text, one.moves, at if one.moves else None) for at, one in enumerate(moving)]
        self.show_entries(rows)
        self.moves = [one.moves for one in moving]


# An earlier question asked once more, to change its answer.


class AmendPage(Page):
    """`question` as it was asked, in the view of that moment; its widget starts at the old `answer`."""

    __events__: tuple[str, ...] = ("on_answer",)  # plain: the answer, as JSON, that should have been given

    def __init__(self, question: Request[Any], seen: View, answer: Any, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        app = self.app
        before = Writing(
            text=app.tr("Current answer: {answer}", answer=render(question.describe(answer), app.lang)),
            style="quiet",
            felt=True,
            lines=2,
            line_height=1.0,
            padding=(sizes.bar + sizes.gap, 0, 0, 0),
            size_hint_y=None,
            height=sizes.body * 1.5,
        )
        self.refusal = Refusal()
        self.question: Any = asking(question, seen)
        self.question.begin_at(answer)
        self.question.bind(on_answer=lambda _, plain: self.dispatch("on_answer", plain))
        hear_why_not(self.question, self.refuse)
        self.lay_out(render(question.text, app.lang), before, self.question)
        if self.question.size_hint_y is None:
            put(self, Widget())

    def refuse(self, text: str) -> None:
        """Shows why that can't be the answer."""
        if not self.question.refuse(text):
            self.refusal.text = text
            self.refusal.lay_over(self, self.head.beside)

    def on_touch_down(self, touch: Any) -> bool:
        """Removes the refusal with the next touch."""
        return self.refusal.take(touch) or bool(super().on_touch_down(touch))


# Undo and redo, and the pieces that people then move by hand.


MOVES_PER_PAGE = 4
"""Moves a page."""
BY_HAND_TALL = 0.94
"""The share of the screen's height that the list of moves takes."""


class MoveRow(Writing):
    """A row with one move, after a brass dot."""

    def __init__(self, text: str) -> None:
        super().__init__(text=text, lines=2, padding=(theme.length.margin, 0, 0, 0))
        self.fbind("pos", self._dot)
        self.fbind("size", self._dot)

    def _dot(self, *_: object) -> None:
        self.canvas.before.clear()
        side = theme.length.dot
        with self.canvas.before:
            draw_dot((self.x, self.center_y - side / 2, side, side), theme.BRASS)


class UndoFlow:
    """Takes back and repeats answers, and lists what people then move by hand."""

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._fits = False

    def undo(self) -> None:
        """Takes back the last event."""
        perform(self.app, UNDO)

    def go_back(self, kept: int) -> None:
        """Takes back all but the first `kept` events."""
        perform(self.app, BACK, {"kept": kept})

    def redo(self, count: int = 1) -> None:
        """Repeats the `count` events that were undone last."""
        perform(self.app, REDO, {"count": count})

    def offer_redo(self, seen: View | None) -> None:
        """Asks once whether to redo answers that an amendment took back, once some are possible again."""
        fitting = seen.fitting_redo_count if seen else 0
        news, self._fits = bool(fitting) and not self._fits, bool(fitting)
        if news:
            app = self.app
            title = app.trn("Redo {n} more answer?", "Redo {n} more answers?", fitting)
            text = app.tr("The later answers are possible again, so you can put them back.")
            redo = Choice("yes", app.tr("Redo"), partial(self.redo, fitting), "brass")
            open_dialog(title, text, Choice("no", app.tr("Change nothing")), redo)

    def show_moves_by_hand(self, moves: Sequence[Say]) -> None:
        """Lists what people must move by hand, if anything."""
        if not moves:
            return
        rows = [MoveRow(render(move, self.app.lang)) for move in moves]
        done = Choice("done", self.app.tr("All moved"), look="brass")
        pages = Pager(things=rows, rows=MOVES_PER_PAGE, look="paper")
        dialog = open_dialog(self.app.tr("Move these pieces on the table"), "", done, body=pages)
        dialog.tall = BY_HAND_TALL
