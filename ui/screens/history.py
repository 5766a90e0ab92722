"""The history of this game: every event in force as a sentence, the latest first, page by page.

It changes nothing; whoever made it hears which line was touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from kivy.app import App
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.words import Say, render
from ui import theme
from ui.widgets.drawing.drawn import Drawn, fill, paper, rim
from ui.widgets.drawing.inscribed import across
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.head import Head, Page

ROWS, UPRIGHT_ROWS = 4, 10
ROOM = 1.7
"""Lines that notes fill, at most: the end of the first one is ragged."""


class SentenceKey(NamedTuple):
    """One sentence with what it led to; `marked`: a reveal that was taken back or amended.

    `at` is its place among the things that can be touched, None where it is only told.
    """

    text: Say
    notes: Sequence[Say]
    at: int | None
    marked: bool = False


class HistoryRow(ButtonBehavior, Drawn, BoxLayout):
    """A row on paper, or where it is `still`, only told, flat on the felt; `marked` with a red rim."""

    shows: ClassVar[tuple[str, ...]] = ("state", "marked", "still")
    marked = BooleanProperty(defaultvalue=False)
    still = BooleanProperty(defaultvalue=False)
    name = StringProperty("")

    def __init__(self, text: str, notes: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 2, gap * 0.4), **kwargs)
        self.add_widget(Writing(text=text, lines=2, line_height=1.0, felt=self.still))
        if notes:
            self.add_widget(Writing(text=notes, style="quiet", lines=2, line_height=1.0, felt=self.still))

    def draw(self) -> None:
        """Paper to touch, or a dent in the felt."""
        if self.still:
            fill(theme.fade(theme.FELT_DARK, 0.55), self.box)
        else:
            down = self.state == "down"
            paper(self.box, theme.length.line, theme.PAPER_PRESSED if down else theme.PAPER)
        if self.marked:
            rim(theme.DANGER, self.box, theme.length.rim)


class Pages(Page):
    """A page of rows over the table, the latest first."""

    __events__: tuple[str, ...] = ("on_touched",)  # at: somebody wants to know more of it, or to change it
    word = "event"
    """What a line is called by whoever can't see it: `event 12`."""

    def __init__(self, title: str, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        rows = UPRIGHT_ROWS if self.app.stage.is_upright else ROWS
        self.pager = Pager(rows=rows, is_apart=True, make=self._line)
        self.pager.back.width = self.pager.on.width = sizes.bar
        head = Head(title, (self.pager.back, self.pager.on))
        self.lay_under(head, self.pager)

    def lay(self, rows: Sequence[SentenceKey]) -> None:
        """These, oldest first."""
        self.pager.things = list(reversed(rows)) or [None]

    def _line(self, row: SentenceKey | None) -> Widget:
        if row is None:
            nothing = self.app.tr("Nothing has happened yet.")
            return Writing(text=nothing, felt=True, halign="center")
        text, notes = render(row.text, self.app.lang), self._said(row.notes)
        if row.at is None:
            return HistoryRow(text, notes, still=True, marked=row.marked)
        line = HistoryRow(text, notes, name=f"{self.word} {row.at}", marked=row.marked)
        line.bind(on_release=lambda _: self.dispatch("on_touched", row.at))
        return line

    def _said(self, texts: Sequence[Say]) -> str:
        """Several sentences one after the other; how many have no room in two lines is said at the end."""
        shown = [render(text, self.app.lang) for text in texts]
        room = (self.app.stage.room[0] - 4 * theme.length.space) * ROOM
        while len(shown) > 1 and across(self._cut(shown, len(texts)), theme.length.smallest) > room:
            shown.pop()
        return self._cut(shown, len(texts))

    def _cut(self, shown: Sequence[str], count: int) -> str:
        more = [f"+{count - len(shown)}"] if count > len(shown) else []
        return "  ".join([*shown, *more])


class History(Pages):
    """`show` it everything that happened; what is in force can be touched, by its place among that."""

    def __init__(self, **kwargs: Any) -> None:
        app = App.get_running_app()
        super().__init__(app.tr("History"), **kwargs)

    def show(self, told: Sequence[Any]) -> None:
        """All of it; what has no time is told only, and can't be touched."""
        rows: list[SentenceKey] = []
        at = 0
        for one in told:
            rows.append(SentenceKey(one.text, one.notes, None if one.at is None else at, one.undone))
            at += one.at is not None
        self.lay(rows)


class Journal(Pages):
    """What moved, thing by thing; corrections are told as they were made. Each opens into all its moves."""

    word = "movement"

    def __init__(self, movements: Sequence[Any], **kwargs: Any) -> None:
        app = App.get_running_app()
        super().__init__(app.tr("Journal"), **kwargs)
        moving = [one for one in movements if one.by_hand or one.moves]
        rows = [SentenceKey(one.text, one.moves, at if one.moves else None) for at, one in enumerate(moving)]
        self.lay(rows)
        self.moves = [one.moves for one in moving]
