"""One seat's row in a round that is open to all: its sign, its name, and its number as it stands."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.drawn import Drawn, inset, paper, rim
from ui.widgets.drawing.icons import draw_icon
from ui.widgets.drawing.inscribed import across
from ui.widgets.drawing.token import draw_token
from ui.widgets.drawing.writing import Writing

NUMBER = "−8888"
"""As wide as any number of a round usually is; a wider one is written smaller."""
WIDE = 4.2
"""From so many targets on the number stands beside the name, else below it."""


class RoundRow(ButtonBehavior, Drawn):
    """`number` is what stands there, empty where nothing does; the row in question is `active`."""

    shows: ClassVar[tuple[str, ...]] = ("state", "active", "number", "given")
    active = BooleanProperty(defaultvalue=False)
    given = BooleanProperty(defaultvalue=False)
    """Whether that is in, as far as everybody is concerned."""
    number = StringProperty("")

    def __init__(self, seat: Seat, **kwargs: Any) -> None:
        self.seat, self.name = seat, seat.name
        self.called = Writing(text=seat.name, style="key", lines=2, line_height=1.0)
        self.figure = Writing(style="digit", halign="right")
        super().__init__(**kwargs)
        self.add_widget(self.called)
        self.add_widget(self.figure)
        self.fbind("number", lambda _, number: setattr(self.figure, "text", number or "–"))
        self.figure.text = "–"

    def draw(self) -> None:
        """Paper; brass round the row in question, a tick where the number is in."""
        sizes = theme.length
        x, y, width, height = inset(self.box, sizes.line)
        paper((x, y, width, height), 0.0 if self.state == "down" else sizes.line)
        if self.active:
            rim(theme.BRASS_DARK, (x, y, width, height), sizes.rim * 1.4)
            rim(theme.BRASS, (x, y, width, height), sizes.rim)
        gap, side = sizes.gap, min(height * 0.55, sizes.token)
        draw_token(self.seat.colour, (x + gap, y + (height - side) / 2, side, side))
        tick = sizes.smallest * 0.75
        if self.given:
            draw_icon("tick", (x + width - tick - gap, y + height - tick - gap, tick, tick), theme.INK)
        self._place_words(x + gap * 1.5 + side, y, x + width - gap * 1.5, height)

    def _place_words(self, left: float, low: float, right: float, high: float) -> None:
        sizes = theme.length
        wide = across(NUMBER, sizes.digit, theme.MONEY)
        if self.width >= WIDE * sizes.target:
            right -= sizes.smallest
            self.called.pos, self.called.size = (left, low), (right - wide - left, high)
            self.figure.pos, self.figure.size = (right - wide, low), (wide, high)
            return
        line = sizes.smallest * 1.35
        self.called.lines = 1
        self.called.pos = (left, low + high - line - sizes.line)
        self.called.size = (right - sizes.smallest - left, line)
        self.figure.pos, self.figure.size = (left, low + sizes.line), (right - left, high - line - sizes.line)
