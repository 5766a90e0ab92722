"""A clock is up: said to the whole table at once, in the middle of the screen."""

from __future__ import annotations

from typing import Any

from ui import theme
from ui.widgets.drawing.drawn import Sheet, rim
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.sheets.passing import Passing


class _Alarm(Sheet):
    def draw(self) -> None:
        """Paper in the colour of danger all round."""
        super().draw()
        rim(theme.DANGER, self.box, theme.length.rim * 2)


class TimeUp(Passing):
    """`text` says whose time is up, and what happens now."""

    def __init__(self, text: str, **kwargs: Any) -> None:
        super().__init__(theme.ALARM, **kwargs)
        sheet = _Alarm(size_hint_y=None, height=theme.length.grand * 2.2, pos_hint={"center_y": 0.5})
        said = Writing(text=text, style="question", halign="center", lines=3)
        put(self, put(sheet, Writing(text="0:00", style="grand", halign="center"), said))
