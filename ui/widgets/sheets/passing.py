"""Something that everybody sees for a moment: it goes with a touch, or by itself."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.widgets.drawing.drawn import Drawn
from ui.widgets.drawing.putting import take_away
from ui.widgets.drawing.strokes import Color, Rectangle


class Passing(Drawn, BoxLayout):
    """Lies over everything for `seconds`, or until it is touched."""

    def __init__(self, seconds: float | None = None, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**{"padding": sizes.margin * 2, "spacing": sizes.margin} | kwargs)
        self._ending = None if seconds is None else Clock.schedule_once(lambda _: self.leave(), seconds)

    def leave(self) -> None:
        """Takes itself away."""
        if self._ending is not None:
            self._ending.cancel()
        take_away(self)

    def draw(self) -> None:
        """A veil over the table."""
        Color(*theme.VEIL)
        Rectangle(pos=self.pos, size=self.size)

    def on_touch_down(self, _touch: Any) -> bool:
        """Whoever has seen it goes on; nothing below is touched."""
        self.leave()
        return True
