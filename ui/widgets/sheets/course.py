"""How the score went: a line for each seat over the answers of a game, with names at its end."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from kivy.graphics import Color, SmoothLine

from companion.record.standing import Moment, marks, turns
from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.drawn import Drawn
from ui.widgets.drawing.shapes import draw_shape
from ui.widgets.drawing.writing import Writing


def spread(wanted: Sequence[float], least: float, low: float) -> list[float]:
    """Heights from high to low, each near the one wanted, `least` apart and none below `low`."""
    found: list[float] = []
    for height in wanted:
        found.append(min(height, found[-1] - least) if found else height)
    for at in reversed(range(len(found))):
        low_here = low if at == len(found) - 1 else found[at + 1] + least
        found[at] = max(found[at], low_here)
    return found


class Course(Drawn):
    """Give it the moments of a finished game; on paper.

    Colour and shape tell the seats apart; those that stand alike lie side by side.
    """

    def __init__(self, moments: Sequence[Moment], **kwargs: Any) -> None:
        self._moments = moments
        totals = [total for moment in moments for total in moment.totals.values()]
        self._low, self._high = min(0, *totals), max(1, *totals)
        final = moments[-1].totals
        self._seats = list(final)
        self._ranked = sorted(final, key=lambda seat: -final[seat])
        self.names = {seat: Writing(text=f"{seat.name} {final[seat]}", style="body") for seat in self._ranked}
        self.scale = {
            number: Writing(text=str(number), style="quiet", halign="right")
            for number in (self._low, 0, self._high)
        }
        self._left = self._wide = self._foot = self._tall = 1.0
        super().__init__(**kwargs)
        for writing in (*self.names.values(), *self.scale.values()):
            self.add_widget(writing)

    def draw(self) -> None:
        """Scale, lines, names."""
        sizes = theme.length
        line = sizes.smallest * 1.5
        across = self.width - sizes.seats - sizes.amount
        self._left, self._wide = float(self.x + sizes.amount), max(1.0, float(across))
        self._foot, self._tall = float(self.y + line / 2), max(1.0, float(self.height - line))
        for number, writing in self.scale.items():
            height = self._height(number)
            is_crowded = number != 0 and abs(height - self._height(0)) < line
            writing.opacity = 0.0 if is_crowded else 1.0
            writing.size = (sizes.amount - sizes.gap, line)
            writing.pos = (self.x, height - line / 2)
            Color(*theme.PAPER_LINE)
            SmoothLine(points=[self._left, height, self._left + self._wide, height], width=sizes.hair / 2)
        for at, seat in enumerate(self._seats):
            self._draw_line(at, seat)
        self._place_names(line)

    def _draw_line(self, at: int, seat: Seat) -> None:
        sizes, player = theme.length, theme.PLAYERS[seat.colour]
        aside = (at - (len(self._seats) - 1) / 2) * sizes.line
        points = [(self._x(step), self._height(total) + aside) for step, total in turns(self._moments, seat)]
        Color(*player.colour)
        # In steps, because a smooth line shoots far beyond a sharp corner.
        steps = [(x, before) for (_, before), (x, _) in pairwise(points)]
        corners = [points[0], *(point for pair in zip(steps, points[1:], strict=True) for point in pair)]
        values = [value for corner in corners for value in corner]
        SmoothLine(points=values, width=sizes.line * 0.8)
        side = sizes.smallest * 0.7
        for step in marks(len(self._moments), at / len(self._seats)):
            x, y = self._x(step), self._height(self._moments[step].totals[seat]) + aside
            box = (x - side / 2, y - side / 2, side, side)
            draw_shape(player.shape, box, player.colour, theme.INK, sizes.hair)

    def _place_names(self, line: float) -> None:
        sizes = theme.length
        left, side = self._left + self._wide + sizes.gap, line * 0.8
        wanted = [self._height(self._moments[-1].totals[seat]) for seat in self._ranked]
        for seat, height in zip(self._ranked, spread(wanted, line, self._foot), strict=True):
            player = theme.PLAYERS[seat.colour]
            box = (left, height - side / 2, side, side)
            draw_shape(player.shape, box, player.colour, theme.INK, sizes.line)
            self.names[seat].size = (self.right - left - side - sizes.gap, line)
            self.names[seat].pos = (left + side + sizes.gap, height - line / 2)

    def _x(self, step: int) -> float:
        return self._left + self._wide * step / (len(self._moments) - 1)

    def _height(self, total: int) -> float:
        return self._foot + self._tall * (total - self._low) / (self._high - self._low)
