"""All that happened after the last answer, where a screen has no room for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui import theme
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.sheets.passing import Passing

MOST_LINES = 24


class Happened(Passing):
    """A sheet with a line for each sentence."""

    def __init__(self, title: str, texts: Sequence[str], **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(padding=sizes.margin, **kwargs)
        self.texts = texts
        self.title = Writing(text=title, style="question", size_hint_y=None, height=sizes.question * 1.4)
        self.writing = Writing(text="\n".join(texts), lines=MOST_LINES, line_height=1.0, valign="top")
        put(self, put(Sheet(padding=sizes.margin, spacing=sizes.gap), self.title, self.writing))
