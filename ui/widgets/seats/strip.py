"""A player's strip: who it is, what lies openly before them, bid and clock, and whether it is their turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.app import App
from kivy.properties import BooleanProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.clocks import Running
from companion.requests import Raise, Request
from companion.session.view import View
from companion.table.seats import Seat
from companion.words import render, say
from ui import theme
from ui.widgets.drawing.drawn import Drawn, inset, paper, rim
from ui.widgets.drawing.inscribed import across, lines_of
from ui.widgets.drawing.token import Token
from ui.widgets.drawing.writing import Writing
from ui.widgets.pieces.glyph import KNOCKED_OUT, Plate
from ui.widgets.pieces.laid import grouped
from ui.widgets.pieces.pieces import Pieces


class ClockFace(Plate):
    """The time on a plate, with a red rim once it is up; nothing at all without a clock."""

    shows: ClassVar[tuple[str, ...]] = (*Plate.shows, "warning")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("", height=theme.length.smallest * 1.4, pos_hint={"center_y": 0.5}, **kwargs)

    def tell(self, clock: Running | None) -> None:
        """What that clock shows now."""
        self.warning = clock is not None and clock.up
        self.text = clock.face if clock else ""


def before(clocks: Sequence[Running], seat: Seat) -> Running | None:
    """The clock before a seat: the one that is up first, else one that counts up."""
    own = [clock for clock in clocks if seat in clock.seats]
    going = [clock for clock in own if clock.goes] or own
    ending = [(clock.left, at) for at, clock in enumerate(going) if clock.left is not None]
    return going[min(ending)[1]] if ending else next(iter(going), None)


def of_the_table(clocks: Sequence[Running], lang: str) -> list[str]:
    """The clocks that are nobody's own: `game 1:12:03`."""
    return [
        render(say("{clock} {face}", clock=clock.name, face=clock.face), lang)
        for clock in clocks
        if not clock.seats
    ]


HEAD = 0.4
"""The share of a strip that its name and bid take."""


class Strip(ButtonBehavior, Drawn, BoxLayout):
    """`asked`: it is their turn, in a brass frame; `gone`: they have withdrawn from the bidding.

    Pressed it is to open into everything that lies there. `needed` is how high it wants to be at least.
    """

    shows: ClassVar[tuple[str, ...]] = ("asked", "gone", "state")
    asked = BooleanProperty(defaultvalue=False)
    gone = BooleanProperty(defaultvalue=False)

    def __init__(self, seat: Seat, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 1.2, gap * 0.3), spacing=gap * 0.25, **kwargs)
        self.seat, self.name = seat, f"before {seat.name}"
        self.head = head = BoxLayout(spacing=gap, size_hint_y=HEAD, size_hint_max_y=theme.length.head)
        self.token = Token(colour=seat.colour, size_hint_x=None, width=theme.length.token * 0.85)
        self.called = Writing(text=seat.name, style="question")
        self.bid = Writing(style="bid", halign="right", size_hint_x=None)
        self.time = ClockFace()
        for piece in (self.token, self.called, self.bid):
            head.add_widget(piece)
        self.things = Pieces(size_hint_y=1 - HEAD)
        self.add_widget(head)
        self.add_widget(self.things)
        self._shown: object = None

    def show(self, seen: View, lang: str) -> None:
        """What the view says of this seat."""
        sealed = [each.seat for each in seen.envelopes if each.closed]
        asked = seen.question.seats if seen.question is not None else ()
        self.asked = self.seat in asked and self.seat not in sealed
        self._show_bid(seen.question)
        self._show_things(seen, lang)
        self._take_room()

    def tell_time(self, clock: Running | None) -> None:
        """What the seat's clock shows: beside the name, or where that is too long, before the pieces."""
        before = self.time.width
        self.time.tell(clock)
        if self.time.width == before:
            return
        if self.time.parent is not None:
            self.time.parent.remove_widget(self.time)
        room = theme.length.seats - 2 * self.padding[0] - self.token.width - self.time.width
        words = (across(word, theme.length.smallest) for word in self.seat.name.split())
        above = max(words) + across("00", theme.length.bid, theme.MONEY) + 3 * theme.length.gap < room
        if above and self.time.text:
            self.head.add_widget(self.time, 1)
        self.things.lead(self.time if self.time.text and not above else None)
        self._take_room()

    def _show_bid(self, question: Request[Any] | None) -> None:
        bid = question.bids.get(self.seat) if isinstance(question, Raise) else None
        self.gone = isinstance(question, Raise) and bool(question.still) and self.seat not in question.still
        self.bid.text = "" if bid is None else str(bid)
        self.bid.disabled = self.called.disabled = self.token.faded = self.gone

    def _take_room(self) -> None:
        """The name, the bid and the smallest of pieces have room, whatever the other strips leave."""
        gap, inner = theme.length.gap, theme.length.seats - 2 * self.padding[0]
        self.bid.width = across(self.bid.text, theme.length.bid, theme.MONEY) if self.bid.text else 0
        time = self.time.width + gap if self.time.parent is self.head else 0
        self.called.lines = lines_of(
            self.seat.name, inner - self.token.width - time - self.bid.width - 2 * gap
        )
        self.head.size_hint_min_y = theme.length.smallest * (2.4 if self.called.lines > 1 else 1.6)
        self.around = self.head.size_hint_min_y + self.spacing + 2 * self.padding[1]
        self.needed = max(theme.length.target, self.around + self.things.least(inner))

    def take(self, height: float) -> None:
        """Never lower than that; pieces that have no room then are counted."""
        self.size_hint_min_y = height
        self.size_hint_max_y = max(height, theme.length.strip)
        self.things.size_hint_min_y = height - self.around

    def _show_things(self, seen: View, lang: str) -> None:
        held = seen.before(self.seat)
        away = self.seat in seen.absent
        now = (held, lang, self.gone, away)
        if now != self._shown:
            self._shown = now
            things: list[Widget] = []
            if away:
                things.append(Plate(App.get_running_app().tr("has left"), warning=True))
            if self.gone and not any(holding.piece.key == KNOCKED_OUT for holding in held):
                things.append(Plate(App.get_running_app().tr("out"), warning=True))
            self.things.lay([*things, *grouped(seen, held, lang)])

    def draw(self) -> None:
        """A strip of paper, darker when gone; brass round whose turn it is."""
        lift = theme.length.line
        paper(self.box, lift, theme.PAPER_PRESSED if self.gone or self.state == "down" else theme.PAPER)
        if self.asked:
            rim(theme.BRASS_DARK, inset(self.box, -theme.length.line), theme.length.rim * 1.6)
            rim(theme.BRASS, inset(self.box, -theme.length.line), theme.length.rim)
