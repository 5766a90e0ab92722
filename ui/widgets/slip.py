"""What was said last: the notes of the last answer, and the sentence that says why something can't be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui import theme
from ui.widgets.drawn import paper, rim
from ui.widgets.sheet import Sheet
from ui.widgets.writing import Writing

MOST_LINES = 14


class Notes(Writing):
    """A line for each sentence, on the felt, together as large as there is room."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(felt=True, lines=MOST_LINES, valign="top", **kwargs)

    def show(self, texts: Sequence[str]) -> None:
        """These sentences and no others."""
        self.text = "\n".join(texts)


class Refusal(Sheet):
    """One sentence on a slip with a red edge."""

    def __init__(self, **kwargs: Any) -> None:
        self.writing = Writing(lines=2)
        super().__init__(padding=(theme.length.space, theme.length.rim), **kwargs)
        self.add_widget(self.writing)

    @property
    def text(self) -> str:
        """The sentence; empty where nothing was refused."""
        return str(self.writing.text)

    @text.setter
    def text(self, text: str) -> None:
        self.writing.text = text

    def draw(self) -> None:
        """Paper, red edge."""
        paper(self.box, theme.length.line)
        rim(theme.DANGER, self.box, theme.length.rim)
