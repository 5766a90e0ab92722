"""What was said last: the notes of the last answer, and the sentence that says why something can't be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.properties import ListProperty
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.widgets.drawn import paper, rim
from ui.widgets.sheet import Sheet
from ui.widgets.writing import Writing


class Notes(BoxLayout):
    """A line for each sentence, on the felt."""

    texts = ListProperty()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", **kwargs)

    def show(self, texts: Sequence[str]) -> None:
        """These sentences and no others."""
        if list(texts) == self.texts:
            return
        self.texts = list(texts)
        self.clear_widgets()
        for text in texts:
            self.add_widget(Writing(text=text, felt=True, lines=2))


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
