"""What the companion rolled: the dice, large, for a moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.requests import Die
from companion.words import render
from ui import theme
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.sheets.passing import Passing


class Thrown(Passing):
    """Each die with its face and its name."""

    def __init__(self, dice: Sequence[Die], faces: Sequence[int], lang: str, **kwargs: Any) -> None:
        super().__init__(theme.PAUSE, **kwargs)
        for die, face in zip(dice, faces, strict=True):
            sheet = Sheet(size_hint_y=None, height=theme.length.grand * 2.4, pos_hint={"center_y": 0.5})
            name = Writing(text=render(die.label, lang), style="question", halign="center", size_hint_y=0.35)
            put(self, put(sheet, Writing(text=str(face), style="grand", halign="center"), name))
