"""A player's strip: who it is, what lies openly before them, their bid, and whether it is their turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout

from companion.requests import Raise, Request
from companion.seats import Seat
from companion.view import Holding, View
from ui import theme
from ui.widgets.drawn import Drawn, inset, paper, rim
from ui.widgets.glyph import glyph
from ui.widgets.icons import draw_icon
from ui.widgets.inscribed import lines_of
from ui.widgets.token import Token
from ui.widgets.writing import Writing


def lines_high(lines: int) -> float:
    """How high a name of so many lines is, at least as high as its token."""
    return max(theme.length.token * 0.82, theme.length.smallest * 1.2 * lines)


class Strip(Drawn, BoxLayout):
    """`asked`: it is their turn, in a brass frame; `gone`: they have withdrawn from the bidding."""

    shows: ClassVar[tuple[str, ...]] = ("asked", "gone")
    asked = BooleanProperty(defaultvalue=False)
    gone = BooleanProperty(defaultvalue=False)

    def __init__(self, seat: Seat, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 1.2, gap * 0.4), **kwargs)
        self.seat = seat
        lines = lines_of(seat.name, theme.length.seats * 0.53)
        head = BoxLayout(spacing=gap, size_hint_y=None, height=lines_high(lines))
        self.token = Token(colour=seat.colour, size_hint_x=None, width=theme.length.token * 0.76)
        self.called = Writing(text=seat.name, style="key", lines=lines)
        self.bid = Writing(style="digit", halign="right", size_hint_x=None, width=theme.length.target * 0.7)
        for piece in (self.token, self.called, self.bid):
            head.add_widget(piece)
        self.things = StackLayout(spacing=(gap * 0.5, gap * 0.25))
        self.add_widget(head)
        self.add_widget(self.things)
        self._shown: object = None

    def show(self, seen: View, lang: str) -> None:
        """What the view says of this seat."""
        sealed = [each.seat for each in seen.envelopes if each.closed]
        asked = seen.question.seats if seen.question is not None else ()
        self.asked = self.seat in asked and self.seat not in sealed
        self._show_bid(seen.question)
        self._show_things(seen.before(self.seat), lang)

    def _show_bid(self, question: Request[Any] | None) -> None:
        bid = question.bids.get(self.seat) if isinstance(question, Raise) else None
        self.gone = isinstance(question, Raise) and bool(question.still) and self.seat not in question.still
        self.bid.text = "" if bid is None else str(bid)
        self.bid.disabled = self.called.disabled = self.token.faded = self.gone

    def _show_things(self, held: Sequence[Holding], lang: str) -> None:
        now = (held, lang)
        if now != self._shown:
            self._shown = now
            self.things.clear_widgets()
            for holding in held:
                self.things.add_widget(glyph(holding, lang))

    def draw(self) -> None:
        """A strip of paper; brass round whose turn it is, a line through the bid of who has withdrawn."""
        lift = theme.length.line
        paper(self.box, lift, theme.PAPER if not self.gone else theme.PAPER_PRESSED)
        if self.asked:
            rim(theme.BRASS_DARK, inset(self.box, -theme.length.line), theme.length.rim * 1.6)
            rim(theme.BRASS, inset(self.box, -theme.length.line), theme.length.rim)
        if self.gone:
            side = theme.length.smallest
            draw_icon("cross", (self.right - side * 1.4, self.top - side * 1.5, side, side), theme.DANGER)
