"""A QR code, dark dots on white paper, as large as there is room."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Rectangle

from companion.record.summary import dots
from ui import theme
from ui.widgets.drawing.drawn import Drawn

QUIET = 4
"""Dots of white that a phone wants round the code."""


class Qr(Drawn):
    """Give it the text that a phone shall read."""

    def __init__(self, text: str, **kwargs: Any) -> None:
        self.text_within = text
        self._dots = dots(text)
        super().__init__(**kwargs)

    def draw(self) -> None:
        """The white, then each dark dot, on whole pixels so that no dot is grey."""
        count = len(self._dots) + 2 * QUIET
        dot = max(1, int(min(self.size) // count))
        side = dot * count
        left, top = round(self.center_x - side / 2), round(self.center_y + side / 2)
        Color(*theme.WHITE)
        Rectangle(pos=(left, top - side), size=(side, side))
        Color(*theme.INK)
        for down, row in enumerate(self._dots, QUIET + 1):
            for across, is_dark in enumerate(row, QUIET):
                if is_dark:
                    Rectangle(pos=(left + across * dot, top - down * dot), size=(dot, dot))
