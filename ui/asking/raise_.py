"""Open bidding: the highest bid huge, a pad, the new bid in brass, the way out at the other end."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.requests import Raise
from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.asking.question import Question
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.inscribed import lines_of
from ui.widgets.drawing.token import draw_token
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.pad import DIGITS_WIDE, Pad, fill

SLIP_LOW = 1.6
"""Targets that the highest bid is high where it stands above the digits."""


class Highest(Sheet):
    """The bid that must be beaten, and whose it is."""

    shows: ClassVar[tuple[str, ...]] = ("colour",)
    colour = OptionProperty("", options=["", *theme.PLAYERS])
    amount = StringProperty("")
    owner = StringProperty("")
    caption = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        self.above = Writing(style="quiet", halign="center", size_hint_y=0.3)
        self.figure = Writing(style="number", halign="center")
        self.below = Writing(style="body", halign="center", size_hint_y=0.5)
        super().__init__(padding=theme.length.gap / 2, spacing=0, **kwargs)
        for writing in (self.above, self.figure, self.below):
            self.add_widget(writing)
        for name, writing in (("caption", self.above), ("amount", self.figure), ("owner", self.below)):
            self.fbind(name, writing.setter("text"))

    def draw(self) -> None:
        """Paper, and the owner's piece over the name."""
        super().draw()
        if self.colour:
            side = theme.length.token * 0.7
            draw_token(self.colour, (self.center_x - side / 2, self.below.top - side * 0.55, side, side))


class BidPad(Pad):
    """A pad that types into the bidding key; what can't be bid is refused by the rules, with a sentence."""

    steps: ClassVar[tuple[int, ...]] = (5, 1)

    def _build(self) -> None:
        super()._build()
        self.highest = Highest()
        self.confirm_key.style = "question"
        self.column = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2, size_hint_x=None)
        self.column.width = theme.length.target * 1.15
        self.numbers = BoxLayout(spacing=theme.length.gap / 2)

    def _arrange(self, *_: object) -> None:
        super()._arrange()
        narrow, roomy = self._narrow or (False, False)
        self.numbers.size_hint_x = 1 if narrow else None
        wide = DIGITS_WIDE * theme.length.target
        self.numbers.width = wide + self.column.width + self.numbers.spacing
        self.digits.size_hint_x, self.digits.width = (1, 0) if narrow else (None, wide)
        self.column.clear_widgets()
        quick = self.quick if roomy else self.quick[1:]
        fill(self.column, [*quick, self.confirm_key])
        self.confirm_key.size_hint_y = 2
        self.numbers.clear_widgets()
        fill(self.numbers, [self.digits, self.column])
        fill(self, [self.numbers])

    def _lay_slip(self, *, narrow: bool, roomy: bool) -> BoxLayout:  # noqa: ARG002 - as every pad
        """The bid to beat, and the way out below it or beside it."""
        slip = BoxLayout(orientation="horizontal" if narrow else "vertical", spacing=theme.length.gap)
        if narrow:
            slip.size_hint_y, slip.height = None, SLIP_LOW * theme.length.target
        self.answers.size_hint_y = 1 if narrow else None
        self.answers.height = theme.length.target
        fill(slip, [self.highest, self.answers])
        return slip

    def _show(self, *_: object) -> None:
        super()._show()
        self.confirm_key.disabled = self.amount is None


class RaisePad(Question[Raise]):
    """The pad begins at the lowest bid allowed, so that one touch bids it."""

    def build(self) -> None:
        """The pad beside the bid that must be beaten."""
        self.pad = BidPad()
        self._limit()
        self.pad.bind(
            on_confirm=lambda _, amount: self.dispatch("on_answer", amount),
            on_no=lambda _: self.dispatch("on_answer", None),
        )
        self.add_widget(self.pad)

    def renew(self, request: Raise, seen: View) -> bool:
        """The same pad for the next bidder."""
        self.request, self.seen = request, seen
        self._limit()
        self.speak()
        return True

    def show(self, seen: View) -> None:
        """What a bid is paid from may change while it is asked for."""
        super().show(seen)
        if (self.pad.most, not self.pad.numbers.disabled) != (self.request.highest, self.request.may_bid):
            self._limit()

    def _limit(self) -> None:
        """Where only declining is left no key says a number."""
        least, may_bid = self.request.floor, self.request.may_bid
        self.pad.least, self.pad.most, self.pad.step = least, self.request.highest, self.request.step
        self.pad.start_at(least if may_bid else None)
        self.pad.numbers.disabled = not may_bid

    def wish(self, width: float) -> tuple[float, float]:
        """That of the pad."""
        return self.pad.wish(width)

    def speak(self) -> None:
        """The highest bid and its owner; what the keys do."""
        owner, shown = self.highest, self.pad.highest
        shown.caption = self.app.tr("Highest bid") if owner else self.app.tr("No bid yet")
        shown.amount = str(self.request.bids[owner]) if owner else "–"
        shown.owner, shown.colour = (owner.name, owner.colour) if owner else ("", "")
        shown.below.lines = lines_of(shown.owner, theme.length.target * 2)
        self.pad.no_key.lines = 1
        self.pad.yes = self.app.tr("Bid\n{amount}", amount="{amount}")
        self.pad.way_out = self._way_out()

    @property
    def highest(self) -> Seat | None:
        """Whose bid must be beaten."""
        bids = self.request.bids
        return max(bids, key=lambda seat: bids[seat]) if bids else None

    def _way_out(self) -> str:
        if self.request.no is None:
            return ""
        app = self.app
        return str(app.tr("Pass") if self.request.no == "pass" else app.tr("Withdraw"))
