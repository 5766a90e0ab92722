"""One of several things: a large key for each."""

from __future__ import annotations

from math import ceil
from typing import Any

from kivy.properties import OptionProperty

from companion.requests import Choose
from companion.table.seats import Seat
from ui import theme
from ui.asking.doubt import Doubt
from ui.asking.question import Question
from ui.widgets.drawing.inscribed import lines_of
from ui.widgets.drawing.token import draw_token
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager

ROWS = 3
"""Rows of keys a page, each as high as a thumb wants it."""
IN_A_ROW = 3
"""So many options or fewer stand in one column, each as wide as the question."""

MANY = 6
"""More options than these stand close together in three columns."""


class SeatKey(Key):
    """A key with a player's token before the name."""

    shows = (*Key.shows, "colour")
    colour = OptionProperty("orange", options=list(theme.PLAYERS))

    def draw(self) -> None:
        """The card, the piece, the name beside it."""
        super().draw()
        x, y, width, height = self.face
        side = min(height * 0.6, theme.length.token)
        draw_token(self.colour, (x + theme.length.space, y + (height - side) / 2, side, side))
        before = side + theme.length.space * 1.6
        self.writing.pos, self.writing.size = (x + before, y), (width - before - theme.length.gap, height)
        self.writing.halign, self.writing.lines = "left", lines_of(self.text, self.writing.width)


class OptionKeys(Question[Choose]):
    """A key for each option; a player is shown with their token."""

    def build(self) -> None:
        """Keys in one column, or in two where there are many."""
        self.keys = {key: self._key(key, option) for key, option in self.request.options.items()}
        sizes, count = theme.length, len(self.keys)
        many = count > MANY
        cols = 1 if count <= IN_A_ROW else 3 if many else 2
        rows = min(ROWS, ceil(count / cols))
        gap = sizes.gap / 2 if many else sizes.gap
        pager = Pager(things=list(self.keys.values()), cols=cols, rows=rows, between=gap, spacing=gap)
        self.size_hint_y = None
        self.height = rows * (sizes.target if many else sizes.row * 1.1) + (rows - 1) * gap
        self.height += sizes.target + gap if pager.pages > 1 else 0
        self.add_widget(pager)
        self.pager, self.grave = pager, ""
        self.doubt: Doubt | None = None

    def speak(self) -> None:
        """What each key means."""
        for key, option in self.request.options.items():
            self.keys[key].text = self.said(option)
        if self.doubt is not None:
            self.doubt.text.text = self.said(self.request.sure[self.grave])
            self.doubt.sure.text = self.said(self.request.options[self.grave])
            self.doubt.unsure.text = self.app.tr("Cancel")

    def _choose(self, name: str) -> None:
        """Answers; where that is grave, asks first in the keys' place."""
        if self.request.doubt(name) is None:
            self.dispatch("on_answer", name)
        else:
            self._ask(name)

    def _ask(self, name: str) -> None:
        self.grave, self.doubt = name, Doubt()
        self.doubt.bind(
            on_sure=lambda _: self.dispatch("on_answer", self.grave), on_unsure=lambda _: self._put_back()
        )
        self.clear_widgets()
        self.add_widget(self.doubt)
        self.speak()

    def _put_back(self) -> None:
        """The keys, in the place of what was asked about one of them."""
        self.grave, self.doubt = "", None
        self.clear_widgets()
        self.add_widget(self.pager)

    def _key(self, name: str, option: Any) -> Key:
        is_seat = isinstance(option, Seat)
        key = SeatKey(name=name, colour=option.colour) if is_seat else Key(name=name, is_full=True)
        key.bind(on_release=lambda _: self._choose(name))
        return key
