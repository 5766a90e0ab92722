"""The felt, whatever screen lies on it, and what is laid over that: turned to who is to read it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.drawing.containers import QUARTERS, Turned, put
from ui.widgets.drawing.surfaces import Felt

if TYPE_CHECKING:
    from companion.table.seats import Seat

HALF = 2
NARROWEST = 8.5
"""Targets that a page needs side by side; where a side of the table has less, it isn't turned there."""


class Stage(FloatLayout):
    """Holds one screen at a time; dialogs, covers and overlays are laid over it.

    `facing` is where what is laid over a screen is turned to, in quarters; `sides` where each seat's is.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._make: Callable[[], Widget] = Widget
        self._laid = FloatLayout(size_hint=(None, None))
        self._under, self._over = Turned(), put(Turned(), self._laid)
        self.bind(pos=self._fit, size=self._fit)
        self.rebuild()

    def show(self, make: Callable[[], Widget]) -> None:
        """Take everything away and show the screen that `make` builds."""
        self._make = make
        self.rebuild()

    def rebuild(self) -> None:
        """Build the screen again, for instance at another size of the window."""
        self.facing: int = 0
        self.sides: Mapping[Seat, int] = {}
        for frame in (self._laid, self._under, self):
            frame.clear_widgets()
        self._under.quarter = 0
        self.screen: Widget = self._make()
        put(self, Felt(), put(self._under, self.screen), self._over)
        self._fit()

    def turn_round(self) -> None:
        """Turn what lies on top to who sits opposite."""
        if self.is_covered:
            self._over.quarter = (self._over.quarter + HALF) % QUARTERS
        else:
            self._under.quarter = self.facing = (self.facing + HALF) % QUARTERS

    @property
    def is_covered(self) -> bool:
        """Whether anything lies over the screen."""
        return bool(self._laid.children)

    @property
    def top(self) -> Widget:
        """What nothing lies over."""
        return self._laid.children[0] if self.is_covered else self.screen

    @property
    def laid(self) -> Sequence[Widget]:
        """What lies over the screen, the topmost first."""
        return tuple(self._laid.children)

    @property
    def room(self) -> tuple[float, float]:
        """How wide and high a page is that is laid now."""
        quarter = self._over.quarter if self.is_covered else self._turned(self.facing)
        return (self.height, self.width) if quarter % 2 else (self.width, self.height)

    @property
    def is_upright(self) -> bool:
        """Whether such a page is higher than wide."""
        return self.room[1] > self.room[0]

    def lay(self, thing: Widget, seat: Seat | None = None) -> None:
        """Lay a dialog or cover over everything; `seat`: for that one's eyes."""
        if seat is not None or not self.is_covered:
            self._over.quarter = self._turned(self.sides.get(seat, self.facing) if seat else self.facing)
            self._fit()
        self._laid.add_widget(thing)

    def take(self, thing: Widget) -> None:
        """Take away what was laid, if it is still there."""
        self._laid.remove_widget(thing)

    def _turned(self, quarter: int) -> int:
        is_narrow = quarter % 2 and self.height < theme.length.target * NARROWEST
        return 0 if is_narrow else quarter

    def _fit(self, *_: object) -> None:
        for frame, held in ((self._under, self.screen), (self._over, self._laid)):
            frame.pos, frame.size = self.pos, self.size
            held.size = frame.inner
