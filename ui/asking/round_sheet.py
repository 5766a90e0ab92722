"""Rows for the seats of a round, and the one pad that fills them in turn, beside or below them.

It knows what is asked of each seat and what stands in its row; whoever made it hears what was taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from kivy.app import App
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.errors import IllegalAnswer
from companion.requests import Amount, Together
from companion.table.seats import Seat
from companion.words import render
from ui import theme
from ui.events import Tells
from ui.widgets.keys.numeral import Numeral
from ui.widgets.keys.pad import DIGITS_WIDE, Pad
from ui.widgets.seats.round_row import RoundRow

ROW = 2.7
"""Targets that a row is wide at least."""
PAD = 4.25
"""Targets that the pad is high: three rows of digits, the confirming key, and what is between them."""


class RoundPad(Pad):
    """Digits over the one key that takes the number; nothing typed is 0."""

    def _arrange(self, *_: object) -> None:
        """Digits, then the key; what is typed stands in the row."""
        if self.children:
            return
        self.orientation, self.spacing = "vertical", theme.length.gap / 2
        self.answers.height = theme.length.target
        for part in (self.digits, self.answers):
            self.add_widget(part)

    def fits(self) -> bool:
        """Whether the number may be taken."""
        return bool(self.allows is None or self.allows(self.amount or 0))

    def _show(self, *changed: object) -> None:
        """As any pad, but for the key, which says what comes next."""
        super()._show(*changed)
        self.confirm_key.text, self.confirm_key.icon = self.yes, ""


class RoundSheet(Tells, BoxLayout):
    """`values` are the answers so far, as JSON; the pad fills the row of `seat`.

    Where something else than numbers is asked there is no pad: whoever made it puts the question.
    """

    __events__ = (
        "on_taken",  # seat, plain: that is the answer of that seat
        "on_put",  # seat: what is asked of that seat is to be put to people
    )

    def __init__(self, question: Together[Any], **kwargs: Any) -> None:
        super().__init__(spacing=theme.length.gap, **kwargs)
        self.parts = question.parts
        self.values: dict[Seat, Any] = {}
        self.is_given = True
        """Whether what stands in the rows is in; else it was so before, and is changed as a whole."""
        self.has_pad = all(isinstance(part, Amount) for part in self.parts.values())
        self.rows = {seat: RoundRow(seat) for seat in self.parts}
        self.seat = next(iter(self.rows))
        self.pad = RoundPad(allows=self._allows)
        self.grid = GridLayout(spacing=theme.length.gap / 2)
        for row in self.rows.values():
            row.bind(on_release=lambda row: self._touch(row.seat))
            self.grid.add_widget(row)
        self.pad.bind(on_confirm=lambda *_: self.dispatch("on_taken", self.seat, self.pad.amount or 0))
        self.pad.bind(numeral=lambda *_: self.write())
        self.fbind("size", self._fit)

    # What stands in it

    def fill(self, values: Mapping[Seat, Any], *, is_given: bool = True) -> None:
        """These are the answers now; a row that has just been filled hands on to the next empty one."""
        news = values.get(self.seat) != self.values.get(self.seat)
        self.values, self.is_given = dict(values), is_given
        if news or self.pad.numeral == Numeral():
            self.choose(self._next())
        self.write()

    @property
    def missing(self) -> list[Seat]:
        """Whose rows are empty."""
        return [seat for seat in self.rows if seat not in self.values]

    @property
    def is_last(self) -> bool:
        """Whether with this row all are filled."""
        return set(self.missing) <= {self.seat}

    def _next(self) -> Seat:
        """The next empty row from this one on, all round; this one if there is none."""
        seats = list(self.rows)
        at = seats.index(self.seat)
        return next((seat for seat in (*seats[at:], *seats[:at]) if seat not in self.values), self.seat)

    def _touch(self, seat: Seat) -> None:
        self.choose(seat)
        self.write()
        if not self.has_pad:
            self.dispatch("on_put", seat)

    def choose(self, seat: Seat) -> None:
        """From now on the pad fills that row; what stands there is replaced by the first digit."""
        self.seat, part = seat, self.parts[seat]
        if isinstance(part, Amount):
            limits = part.limits
            self.pad.least, self.pad.most, self.pad.step = limits["least"], limits["most"], limits["step"]
            self.pad.start_at(self.values.get(seat))

    def write(self) -> None:
        """Every row, and what the key says."""
        app = App.get_running_app()
        for seat, row in self.rows.items():
            row.active = seat == self.seat
            row.given = self.is_given and seat in self.values
            row.number = self._shown(seat)
        self.pad.yes = app.tr("Enter the round") if self.is_last else app.tr("Next")

    def _shown(self, seat: Seat) -> str:
        part = self.parts[seat]
        if seat == self.seat and isinstance(part, Amount) and self.pad.numeral != Numeral():
            return str(self.pad.numeral.shown)
        if seat not in self.values:
            return ""
        if isinstance(part, Amount):
            return Numeral.of(self.values[seat]).shown
        return render(part.opened(part.load(self.values[seat])), App.get_running_app().lang)

    def _allows(self, amount: int) -> bool:
        part = self.parts[self.seat]
        try:
            if isinstance(part, Amount):
                part.check_known(amount)
        except IllegalAnswer:
            return False
        return True

    # How it stands

    def layouts(self, width: float) -> list[tuple[int, float]]:
        """How it may stand where it is so wide: columns of rows, below zero: over the pad; and how high."""
        sizes, count = theme.length, len(self.rows)
        target, gap = sizes.target, sizes.gap
        pad, row, wide = PAD * target, target + gap / 2, ROW * target + gap / 2
        above = int((width + gap / 2) // wide)
        if not self.has_pad:
            return [(-above, ceil(count / above) * row)] if above else []
        beside = max(0, int((width - DIGITS_WIDE * target - gap / 2) // wide))
        found = [(cols, max(pad, ceil(count / cols) * row - gap / 2)) for cols in range(1, beside + 1)]
        if above and width >= DIGITS_WIDE * target:
            found.append((-above, ceil(count / above) * row + gap / 2 + pad))
        return found

    def _fit(self, *_: object) -> None:
        """The first of the ways that has room, rows beside the pad before rows over it."""
        layouts = self.layouts(self.width)
        fitting = [cols for cols, high in layouts if high <= self.height + 1]
        cols = (fitting or [cols for cols, _ in layouts] or [1])[0]
        rows = ceil(len(self.rows) / abs(cols))
        self.orientation = "horizontal" if cols > 0 else "vertical"
        self.grid.cols = abs(cols)
        self.grid.size_hint_y = 1 if cols > 0 else rows
        self.pad.size_hint = (None, 1) if cols > 0 else (1, PAD)
        self.pad.width = DIGITS_WIDE * theme.length.target
        self.clear_widgets()
        for part in (self.grid, self.pad) if self.has_pad else (self.grid,):
            self.add_widget(part)
