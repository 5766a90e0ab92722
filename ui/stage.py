"""The stage: the felt, the screen on it and the overlays above, each turned to the people who read it."""

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

HALF_TURN = 2
MIN_WIDTH_IN_TARGETS = 8.5
"""A page is turned to a side of the table only if so many targets fit there side by side."""


class Stage(FloatLayout):
    """Shows one screen at a time, with dialogs, covers and pages over it.

    `facing` is the side, in quarter turns, that overlays are turned to. `sides` is the side of each seat.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._make: Callable[[], Widget] = Widget
        self._laid = FloatLayout(size_hint=(None, None))
        self._under, self._over = Turned(), put(Turned(), self._laid)
        self.bind(pos=self._fit, size=self._fit)
        self.rebuild()

    def show_screen(self, make: Callable[[], Widget]) -> None:
        """Removes everything and shows the screen that `make` builds."""
        self._make = make
        self.rebuild()

    def rebuild(self) -> None:
        """Builds the screen again, for instance at another size of the window; overlays go."""
        self.facing: int = 0
        self.sides: Mapping[Seat, int] = {}
        for frame in (self._laid, self._under, self):
            frame.clear_widgets()
        self._under.quarter = 0
        self.screen: Widget = self._make()
        put(self, Felt(), put(self._under, self.screen), self._over)
        self._fit()

    def turn_round(self) -> None:
        """Turns what lies on top by half, to the people opposite."""
        if self.is_covered:
            self._over.quarter = (self._over.quarter + HALF_TURN) % QUARTERS
        else:
            self._under.quarter = self.facing = (self.facing + HALF_TURN) % QUARTERS

    @property
    def is_covered(self) -> bool:
        """Returns whether anything lies over the screen."""
        return bool(self._laid.children)

    @property
    def topmost(self) -> Widget:
        """Returns the topmost overlay; the screen if nothing lies over it."""
        return self._laid.children[0] if self.is_covered else self.screen

    @property
    def overlays(self) -> Sequence[Widget]:
        """Returns what lies over the screen, the topmost first."""
        return tuple(self._laid.children)

    @property
    def page_size(self) -> tuple[float, float]:
        """Returns width and height of a page that would be opened now."""
        quarter = self._over.quarter if self.is_covered else self._turned(self.facing)
        return (self.height, self.width) if quarter % 2 else (self.width, self.height)

    @property
    def is_upright(self) -> bool:
        """Returns whether such a page is higher than wide."""
        return self.page_size[1] > self.page_size[0]

    def show_overlay(self, thing: Widget, seat: Seat | None = None) -> None:
        """Shows a dialog, cover or page over everything; with `seat` it is turned to that player."""
        if seat is not None or not self.is_covered:
            self._over.quarter = self._turned(self.sides.get(seat, self.facing) if seat else self.facing)
            self._fit()
        self._laid.add_widget(thing)

    def remove_overlay(self, thing: Widget) -> None:
        """Removes an overlay, if it is still there."""
        self._laid.remove_widget(thing)

    def _turned(self, quarter: int) -> int:
        is_narrow = quarter % 2 and self.height < theme.length.target * MIN_WIDTH_IN_TARGETS
        return 0 if is_narrow else quarter

    def _fit(self, *_: object) -> None:
        for frame, held in ((self._under, self.screen), (self._over, self._laid)):
            frame.pos, frame.size = self.pos, self.size
            held.size = frame.inner
