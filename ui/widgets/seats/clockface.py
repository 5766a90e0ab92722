"""Which of the clocks people look at: one a seat, and those of the whole table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from companion.clocks import Running
from companion.table.seats import Seat
from companion.words import render, say
from ui import theme
from ui.widgets.pieces.glyph import Plate


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
