"""What was said last: what happened after the last answer, and why something can't be.

Where not all that happened has room, one line opens a sheet with all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.drawing.containers import put, take_away
from ui.widgets.drawing.line_breaking import lines_in
from ui.widgets.drawing.surfaces import Box, Drawn, Sheet, dent, fill, paper, rim
from ui.widgets.drawing.text import Writing, across
from ui.widgets.keys.key import Key

MOST_LINES = 14


class Notes(Drawn, BoxLayout):
    """A line for each sentence, pressed into the felt, together as large as there is room.

    `is_folded`: there isn't room for all of them, and one key, `fold`, stands for them.
    """

    is_folded = BooleanProperty(defaultvalue=False)

    def __init__(self, **kwargs: Any) -> None:
        gap = theme.length.gap
        self.writing = Writing(style="note", felt=True, lines=MOST_LINES, line_height=1.0)
        self.fold = Key(name="what happened", icon="next", look="felt", lines=1)
        self.texts: Sequence[str] = ()
        self._known: dict[float, tuple[float, float]] = {}
        super().__init__(padding=(gap * 1.5, gap * 0.25, gap * 0.5, gap * 0.25), **kwargs)
        self.add_widget(self.writing)
        self.bind(is_folded=self._fold)

    def show(self, texts: Sequence[str], title: str) -> None:
        """Shows exactly these sentences; `title` stands for them where they are folded."""
        self.texts, self.fold.text = texts, title
        self.writing.text = "\n".join(texts)
        self._known.clear()

    def height_range(self, width: float) -> tuple[float, float]:
        """How high they are at their smallest, and as they like to be."""
        if width not in self._known:
            inner = width - self.padding[0] - self.padding[2]
            rows = sum(ceil(across(text, theme.length.smallest, bold=False) / inner) for text in self.texts)
            lines = max(rows * theme.length.smallest * 1.3, self.writing.high_at(inner))
            self._known[width] = lines + theme.length.gap, rows * theme.length.note * 1.45
        return self._known[width]

    @property
    def collapsed_height(self) -> float:
        """How high the key is that stands for them."""
        return float(theme.length.target + self.padding[1] + self.padding[3])

    def fit(self) -> None:
        """Folds them where they have less room than they need."""
        self.is_folded = self.height + 1 < self.height_range(self.width)[0]

    def _fold(self, *_: object) -> None:
        self.clear_widgets()
        put(self, self.fold if self.is_folded else self.writing)

    def draw(self) -> None:
        """A dent with a stroke of brass at its edge."""
        dent(self.box)
        fill(theme.BRASS_DARK, (self.x, self.y, theme.length.rim, self.height), theme.length.line)


class Refusal(Sheet):
    """One sentence on a slip with a red edge."""

    def __init__(self, **kwargs: Any) -> None:
        self.writing = Writing(lines=2)
        super().__init__(padding=(theme.length.space, theme.length.rim), **kwargs)
        self.add_widget(self.writing)

    def height_range(self, width: float) -> tuple[float, float]:
        """How high it is at its smallest, and as it likes to be."""
        inner, small = width - 2 * theme.length.space, theme.length.smallest
        rows = max(2, lines_in(self.text, inner, lambda text: across(text, small, bold=False)))
        self.writing.lines = rows
        return rows * small * 1.3 + 2 * theme.length.rim, theme.length.remark

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

    def lay_over(self, page: Widget, box: Box) -> None:
        """Lies over a page from the top of that box down, as high as it needs; nothing on the page moves."""
        x, y, width, height = box
        self.size_hint, self.size = (None, None), (width, max(height, self.height_range(width)[0]))
        self.pos = x, max(page.y, y + height - self.height)
        if self.parent is None:
            put(page.parent, self)

    def lift(self) -> None:
        """Goes from the page it lay over."""
        take_away(self)
        self.text = ""

    def take(self, touch: Any) -> bool:
        """Goes with that touch; whether it lay under the finger, so that nothing below it was meant."""
        if self.parent is None:
            return False
        self.lift()
        return bool(self.collide_point(*touch.pos))
