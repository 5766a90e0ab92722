"""The latest messages: what happened after the last answer, and why an answer was refused.

If not all messages fit, one key opens a sheet with all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.drawing.containers import add_children, detach
from ui.widgets.drawing.line_breaking import count_wrapped_lines
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    PaperBoxLayout,
    draw_border,
    draw_paper,
    draw_sunken_background,
    fill_box,
)
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.key import Key

MAX_MESSAGE_LINES = 14


class CollapsibleMessages(AutoRedrawWidget, BoxLayout):
    """Messages that collapse into one key if they don't fit.

    Each message is one line on the felt, in letters as large as fit. If `is_collapsed`, the key
    `expand_key` stands for them.
    """

    is_collapsed = BooleanProperty(defaultvalue=False)

    def __init__(self, **kwargs: Any) -> None:
        gap = theme.length.gap
        self.label = FittedLabel(style="note", is_on_felt=True, lines=MAX_MESSAGE_LINES, line_height=1.0)
        self.expand_key = Key(name="what happened", icon="next", look="felt", lines=1)
        self.texts: Sequence[str] = ()
        self._known: dict[float, tuple[float, float]] = {}
        super().__init__(padding=(gap * 1.5, gap * 0.25, gap * 0.5, gap * 0.25), **kwargs)
        self.add_widget(self.label)
        self.bind(is_collapsed=self._show_collapsed)

    def show_messages(self, texts: Sequence[str], collapsed_title: str) -> None:
        """Shows these messages in place of the earlier ones.

        `collapsed_title` is shown if they are collapsed.
        """
        self.texts, self.expand_key.text = texts, collapsed_title
        self.label.text = "\n".join(texts)
        self._known.clear()

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at that width."""
        if width not in self._known:
            inner = width - self.padding[0] - self.padding[2]
            rows = sum(
                ceil(measure_text_width(text, theme.length.smallest, bold=False) / inner)
                for text in self.texts
            )
            lines = max(rows * theme.length.smallest * 1.3, self.label.min_height_at(inner))
            self._known[width] = lines + theme.length.gap, rows * theme.length.note * 1.45
        return self._known[width]

    @property
    def collapsed_height(self) -> float:
        """Height of the key that stands for collapsed messages."""
        return float(theme.length.target + self.padding[1] + self.padding[3])

    def collapse_if_too_low(self) -> None:
        """Collapses the messages into one key if they have too little height, else expands them."""
        self.is_collapsed = self.height + 1 < self.height_range(self.width)[0]

    def _show_collapsed(self, *_: object) -> None:
        self.clear_widgets()
        add_children(self, self.expand_key if self.is_collapsed else self.label)

    def draw(self) -> None:
        """Draws the sunken background of the messages.

        A brass line is at its edge.
        """
        draw_sunken_background(self.box)
        fill_box(theme.BRASS_DARK, (self.x, self.y, theme.length.rim, self.height), theme.length.line)


class RefusalNotice(PaperBoxLayout):
    """A slip with a red edge that says why an answer was refused."""

    def __init__(self, **kwargs: Any) -> None:
        self.label = FittedLabel(lines=2)
        super().__init__(padding=(theme.length.space, theme.length.rim), **kwargs)
        self.add_widget(self.label)

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at that width."""
        inner, small = width - 2 * theme.length.space, theme.length.smallest
        rows = max(
            2, count_wrapped_lines(self.text, inner, lambda text: measure_text_width(text, small, bold=False))
        )
        self.label.lines = rows
        return rows * small * 1.3 + 2 * theme.length.rim, theme.length.remark

    @property
    def text(self) -> str:
        """Text of the notice: the sentence that says why.

        The text is empty if nothing was refused.
        """
        return str(self.label.text)

    @text.setter
    def text(self, text: str) -> None:
        self.label.text = text

    def draw(self) -> None:
        """Draws paper with a red edge."""
        draw_paper(self.box, theme.length.line)
        draw_border(theme.DANGER, self.box, theme.length.rim)

    def show_over(self, page: Widget, box: Box) -> None:
        """Shows the notice over a page, from the top of a box down; nothing on the page moves."""
        x, y, width, height = box
        self.size_hint, self.size = (None, None), (width, max(height, self.height_range(width)[0]))
        self.pos = x, max(page.y, y + height - self.height)
        if self.parent is None:
            add_children(page.parent, self)

    def dismiss(self) -> None:
        """Removes the notice from the page."""
        detach(self)
        self.text = ""

    def dismiss_on_touch(self, touch: Any) -> bool:
        """Removes the notice at any touch; returns whether the touch was on it, and so not for the page."""
        if self.parent is None:
            return False
        self.dismiss()
        return bool(self.collide_point(*touch.pos))
