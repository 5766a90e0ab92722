"""Whose turn it is and what is asked: the slip that is read first, from two metres."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.app import App
from kivy.properties import OptionProperty
from kivy.uix.boxlayout import BoxLayout

from companion.requests import Raise
from companion.session.view import View
from companion.table.ledger import Piece
from companion.words import render
from ui import theme
from ui.widgets.drawing.drawn import Drawn, fill, paper
from ui.widgets.drawing.inscribed import across
from ui.widgets.drawing.token import draw_token
from ui.widgets.drawing.writing import Writing
from ui.widgets.pieces.glyph import Chip, Provisional, numbered

TWO_LINES = 8.4
"""Targets that two lines of the question are wide together beside a lot."""


class Turn(Drawn, BoxLayout):
    """The token and name of who is asked (nobody's: the table), the question, and the lot if there is one."""

    shows: ClassVar[tuple[str, ...]] = ("colour",)
    colour = OptionProperty("", options=["", *theme.PLAYERS])

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(spacing=theme.length.space, **kwargs)
        column = BoxLayout(orientation="vertical")
        self.first = BoxLayout(size_hint_y=0.8)
        self.who, self.badge = Writing(), Provisional()
        self.what = Writing(lines=3, line_height=1.0)
        self.first.add_widget(self.who)
        self.first.add_widget(self.badge)
        column.add_widget(self.first)
        column.add_widget(self.what)
        self.add_widget(column)
        self.lot: Chip | None = None

    def show(self, seen: View, lang: str, *, large: bool) -> None:
        """The question of the view; `large` where there is room."""
        self.who.style, self.what.style = ("title", "question") if large else ("question", "body")
        question = seen.question
        assert question is not None
        seats = question.seats
        self.colour = seats[0].colour if len(seats) == 1 else ""
        app = App.get_running_app()
        self.who.text = seats[0].name if len(seats) == 1 else app.tr("The table")
        self.what.text = render(question.text, lang)
        long = across(self.what.text, theme.length.smallest) > theme.length.target * TWO_LINES
        self.first.size_hint_y = 0.48 if long and not large else 0.75
        gap = theme.length.gap
        left = theme.length.target * 1.15 if self.colour else theme.length.space
        self.padding = (left, gap / 4, theme.length.space, gap / 4)
        self.badge.show(seen, lang)
        self._show_lot(question.about if isinstance(question, Raise) else None)

    def hide(self) -> None:
        """Nothing of it, where something else needs its room."""
        self.who.text = self.what.text = self.badge.text = self.colour = ""
        self._show_lot(None)

    def _show_lot(self, about: Piece | None) -> None:
        if self.lot is not None:
            self.remove_widget(self.lot)
            self.lot = None
        number = None if about is None or about.look else numbered(about)
        if number is not None:
            self.lot = Chip(str(number), height=theme.length.target, pos_hint={"center_y": 0.5})
            self.add_widget(self.lot)

    def draw(self) -> None:
        """Paper with a bar in the player's colour, and their token on it."""
        paper(self.box, theme.length.line)
        if not self.colour:
            return
        fill(
            theme.PLAYERS[self.colour].colour,
            (self.x, self.y, theme.length.gap, self.height),
            theme.length.gap / 2,
        )
        side = min(theme.length.target * 0.72, self.height * 0.8)
        x = self.x + theme.length.gap * 1.6
        draw_token(self.colour, (x, self.center_y - side / 2, side, side))
