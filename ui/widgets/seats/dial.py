"""A clock that is seen: a ring round a player's token that closes, and the time in digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from kivy.properties import NumericProperty, ObjectProperty, OptionProperty

from companion.clocks import BUDGET_KEY, PRICE_KEY, RunningClock
from companion.requests import Request
from companion.table.seats import Seat
from companion.texts import render, say
from ui import theme
from ui.widgets.drawing.canvas_diff import Color, SmoothLine
from ui.widgets.drawing.surfaces import Drawn
from ui.widgets.drawing.text import Point, across, inscribe

RING_RATIO = 1.36
"""How wide a ring is, its line with it, to the token in it."""
FULL_CIRCLE_DEGREES = 360
"""Degrees of a ring."""


class ClockFace(Drawn):
    """`clock` is what it shows, None nothing; it draws itself alone, so a second costs only its strokes.

    `around` is the token's box, `face` where the digits stand; `size_of_digits` how high they are.
    """

    shows: ClassVar[tuple[str, ...]] = ("clock", "around", "face", "digits")
    clock = ObjectProperty(None, allownone=True)
    around = ObjectProperty(None, allownone=True)
    face = ObjectProperty(None, allownone=True)
    digits = NumericProperty(0)
    colour = OptionProperty("orange", options=["", *theme.PLAYERS])

    @property
    def digits_width(self) -> float:
        """How wide the digits are, room for an hour; nothing without a clock."""
        return self.digits_width_at(self._size)

    def digits_width_at(self, size: float) -> float:
        """How wide digits of that height would be."""
        if self.clock is None:
            return 0.0
        longest = "00:00" if len(self.clock.face) <= len("00:00") else "0:00:00"
        return across(longest, size, theme.MONEY) + theme.length.gap

    @property
    def _size(self) -> float:
        return float(self.digits or theme.length.note)

    def draw(self) -> None:
        """The ring that is left, then the digits; the last ten seconds in the colour of danger."""
        if self.clock is None or self.around is None:
            return
        hurried = self.clock.up or self.clock.ending
        x, y, side, _ = self.around
        draw_ring(self.clock, (x + side / 2, y + side / 2), side * RING_RATIO / 2 - theme.length.line)
        if self.face is not None:
            x, y, width, height = self.face
            colour = theme.DANGER if hurried else theme.INK
            inscribe(self.clock.face, (x + width / 2, y + height / 2), self._size, colour, theme.MONEY)


def draw_ring(clock: RunningClock, middle: Point, radius: float) -> None:
    """A ring that closes as the time goes; the last ten seconds in the colour of danger."""
    line = theme.length.line * 1.3
    Color(*theme.PAPER_LINE)
    SmoothLine(circle=(*middle, radius), width=line)
    Color(*(theme.DANGER if clock.is_up or clock.is_ending else theme.BRASS_DARK))
    if clock.remaining_share > 0:
        SmoothLine(circle=(*middle, radius, 0, FULL_CIRCLE_DEGREES * clock.remaining_share), width=line)


def clock_of_seat(clocks: Sequence[RunningClock], seat: Seat) -> RunningClock | None:
    """The clock before a seat: the one that is up first, else one that counts up."""
    own = [clock for clock in clocks if seat in clock.seats]
    going = [clock for clock in own if clock.is_running] or own
    ending = [
        (clock.remaining_ticks, at) for at, clock in enumerate(going) if clock.remaining_ticks is not None
    ]
    return going[min(ending)[1]] if ending else next(iter(going), None)


def clock_of_question(clocks: Sequence[RunningClock], question: Request[object]) -> RunningClock | None:
    """The clock beside a question: of the price that falls, of who alone is asked, or that all share."""
    if "falling" in question.form.side_facts:
        return next((clock for clock in clocks if clock.key == PRICE_KEY), None)
    if len(question.seats) == 1:
        return clock_of_seat(clocks, question.seats[0])
    shared = [clock for clock in clocks if clock.seats and clock.key != BUDGET_KEY]
    return clock_of_seat(shared, shared[0].seats[0]) if shared else None


def table_clock_texts(clocks: Sequence[RunningClock], lang: str) -> list[str]:
    """The clocks that are nobody's own: `game 1:12:03`."""
    return [
        render(say("{clock} {face}", clock=clock.name, face=clock.display_text), lang)
        for clock in clocks
        if not clock.seats
    ]
