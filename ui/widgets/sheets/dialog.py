"""A question of the app itself, on a sheet above everything else.

Dialog(title="Undo?", text="Give Ben 3.", answers=[("no", "Leave it", "paper"), ("yes", "Undo", "brass")])
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import ceil, inf
from typing import Any

from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.canvas_diff import Color, Rectangle
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.surfaces import AutoRedrawWidget, PaperBoxLayout
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.key import Key

MIN_TEXT_LINES, LINE_HEIGHT_EM, WRAP_RESERVE_RATIO = 2, 1.4, 1.15
"""Least lines of a text, height of a line in letters, and reserve for lines that end early."""
MAX_ANSWERS_SIDE_BY_SIDE_IF_UPRIGHT = 2
"""Maximum number of answers side by side on an upright screen."""


class Dialog(EventMixin, AutoRedrawWidget):
    """Dialog with a title, a text or a `body` widget, and answer keys: (key, text, look) each.

    The first answer is furthest from the thumb. `action_by_answer` maps answers to functions, which are
    called after the dialog has closed.
    """

    title = StringProperty("")
    text = StringProperty("")
    answers = ListProperty()
    body = ObjectProperty(None, allownone=True)
    is_upright = BooleanProperty(defaultvalue=False)
    width_share = 0.76
    height_share = 0.74
    __events__: tuple[str, ...] = ("on_answer",)  # key: somebody pressed the answer

    def __init__(
        self, *, action_by_answer: Mapping[str, Callable[[], object]] | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.action_by_answer = action_by_answer or {}
        self.paper = PaperBoxLayout(padding=theme.length.margin, spacing=theme.length.space)
        self.add_widget(self.paper)
        for name in ("title", "text", "answers", "body", "is_upright"):
            self.fbind(name, self._fill)
        self.bind(size=lambda *_: setattr(self, "is_upright", self.height > self.width))
        self._fill()

    def _fill(self, *_: object) -> None:
        self.paper.clear_widgets()
        row_height = theme.length.row
        if self.title:
            title = FittedLabel(text=self.title, style="question", lines=2, line_height=1.0)
            title.size_hint_y, title.height = None, row_height
            add_children(self.paper, title)
        add_children(
            self.paper,
            self.body or FittedLabel(text=self.text, lines=9, valign="top"),
            self._build_answer_keys(),
        )

    @property
    def _are_answers_stacked(self) -> bool:
        """Whether answers are below each other: three or more on an upright screen."""
        return self.is_upright and len(self.answers) > MAX_ANSWERS_SIDE_BY_SIDE_IF_UPRIGHT

    @property
    def _answer_keys_height(self) -> float:
        row_height, gap = theme.length.row, theme.length.space
        return len(self.answers) * (row_height + gap) - gap if self._are_answers_stacked else row_height

    def _build_answer_keys(self) -> Widget:
        """Builds the answer keys."""
        keys = BoxLayout(size_hint_y=None, height=self._answer_keys_height, spacing=theme.length.space)
        if self._are_answers_stacked:
            keys.orientation = "vertical"
        for name, text, look in self.answers:
            add_children(keys, Key(text=text, name=name, look=look, on_release=self._answer))
        return keys

    def _answer(self, key: Key) -> None:
        self.close()
        self.dispatch("on_answer", key.name)
        if key.name in self.action_by_answer:
            self.action_by_answer[key.name]()

    def bind_closing_keys(self, keys: Iterable[Key], on_press: Callable[[Key], object]) -> None:
        """Lets each of the keys close the dialog, and then call `on_press` with the key."""

        def close_and_call(key: Key) -> None:
            self.close()
            on_press(key)

        for key in keys:
            key.bind(on_release=close_and_call)

    def close(self) -> None:
        """Closes the dialog without an answer."""
        detach_from_parent(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Takes every touch, so that no widget under the dialog gets the touch."""
        super().on_touch_down(touch)
        return True

    def draw(self) -> None:
        """Draws a veil over the table, and places the sheet in the middle."""
        Color(*theme.VEIL)
        Rectangle(pos=self.pos, size=self.size)
        self.paper.size = (
            self.width * self.width_share,
            min(self.height * self.height_share, self._content_height()),
        )
        self.paper.center = self.center

    def _content_height(self) -> float:
        """Returns the height at which the whole text fits; infinite for a widget."""
        if self.body is not None:
            return inf
        sizes, width = theme.length, self.width * self.width_share - 2 * theme.length.margin
        line_counts = [
            ceil(WRAP_RESERVE_RATIO * measure_text_width(line, sizes.body, bold=False) / width)
            for line in self.text.split("\n")
        ]
        text_height = (
            max(MIN_TEXT_LINES, sum(max(1, line) for line in line_counts)) * sizes.body * LINE_HEIGHT_EM
        )
        title_height = sizes.row + sizes.space if self.title else 0.0
        return float(title_height + text_height + sizes.space + self._answer_keys_height + 2 * sizes.margin)


class FullScreenDialog(Dialog):
    """Dialog that fills the screen, for long choices, a list, or the sum behind a total."""

    width_share, height_share = 0.94, 0.98
