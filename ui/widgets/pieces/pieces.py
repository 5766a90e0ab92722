"""What lies somewhere, piece by piece, as large as the room allows."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, ClassVar

from kivy.properties import ObjectProperty

from companion.session.view import Holding
from ui import theme
from ui.widgets.drawing.surfaces import Drawn
from ui.widgets.pieces.marks import Mark, Plaque
from ui.widgets.pieces.rows import Placed, Rows, flow, height_of, place
from ui.widgets.pieces.worded import PLATE

STEPS = (1.0, 0.86, 0.8, 0.72, 0.67, 0.57)
"""Heights tried, as shares of the largest; the last leaves their numbers the smallest text."""


class Pieces(Drawn):
    """A mark for each of `held`, as `make` makes it; how many there is no room for is said at the end."""

    shows: ClassVar[tuple[str, ...]] = ("held",)
    held = ObjectProperty(())

    def __init__(self, make: Callable[[Holding], Mark], **kwargs: Any) -> None:
        self._make = make
        self.placed: list[tuple[Holding, Placed]] = []
        super().__init__(**kwargs)

    @property
    def left(self) -> int:
        """How many had no room when it was drawn."""
        return len(self.held) - len(self.placed)

    @property
    def visible_texts(self) -> list[str]:
        """Words and numbers, for whoever can't see them (and for tests)."""
        return [placed.mark.said for _, placed in self.placed if placed.mark.said]

    def high(self, width: float, share: float) -> float:
        """How high all of it is, each as large as that share of the largest; endless where it is too wide."""
        unit, gap = theme.length.piece * share, theme.length.gap * 0.5
        marks = [self._make(one) for one in self.held]
        is_wide = any(mark.across(unit) > width for mark in marks)
        return inf if is_wide else height_of(flow(marks, unit, width, gap), unit, _between())

    def draw(self) -> None:
        """At the largest height at which all have room, else as many as have room at the smallest."""
        between = _between()
        heights = [theme.length.piece * share for share in STEPS]
        marks = [(one, self._make(one)) for one in self.held]

        def rows(shown: list[tuple[Holding, Mark]], high: float) -> Rows:
            left = len(marks) - len(shown)
            more = [Plaque(f"+{left}", share=PLATE)] if left else []
            return flow([*(mark for _, mark in shown), *more], high, self.width, theme.length.gap * 0.5)

        def fits(high: float) -> bool:
            is_high = height_of(rows(marks, high), high, between) > self.height
            return not is_high and all(mark.across(high) <= self.width for _, mark in marks)

        fitting = (high for high in heights if fits(high))
        high = next(fitting, heights[-1])
        shown = [(one, mark) for one, mark in marks if mark.across(high) <= self.width]
        while shown and height_of(rows(shown, high), high, between) > self.height + 1:
            shown.pop()
        placed = place(rows(shown, high), self.x, self.top, high, theme.length.gap * 0.5, between)
        self.placed = list(zip([one for one, _ in shown], placed, strict=False))
        for each in placed:
            each.draw()


def _between() -> float:
    return theme.length.gap * 0.25
