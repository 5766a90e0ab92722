"""A mark as a widget of its own, outside panels and table: a badge, a dragged piece."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import BooleanProperty, ObjectProperty, StringProperty

from companion.session.view import View
from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.surfaces import AutoRedrawWidget
from ui.widgets.pieces.marks import BadgeMark, Mark
from ui.widgets.pieces.worded import BADGE_TEXT_LINE_SHARE
from ui.words import get_running_translator

PROVISIONAL_SIGN = "≈"
"""The sign that values are a guess, where a word has no room."""


class MarkWidget(AutoRedrawWidget):
    """Widget that shows one mark; its width follows from its height."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("mark",)
    mark = ObjectProperty()

    def __init__(self, mark: Mark, **kwargs: Any) -> None:
        kwargs.setdefault("height", theme.length.glyph)
        super().__init__(size_hint=(None, None), mark=mark, **kwargs)
        for name in ("height", "mark"):
            self.fbind(name, self._fit_width)
        self._fit_width()

    def _fit_width(self, *_: object) -> None:
        self.width = self.mark.width_at(self.height)

    @property
    def visible_texts(self) -> list[str]:
        """Visible words and numbers, for screen readers and for tests."""
        return [self.mark.visible_text] if self.mark.visible_text else []

    def draw(self) -> None:
        """Draws the mark over the whole width."""
        self.mark.draw(self.x, self.y, self.height)


class BadgeWidget(MarkWidget):
    """Widget with a badge: one word on a small paper.

    `is_warning` gives it a red edge. Without a word it is empty.
    """

    text = StringProperty("")
    is_warning = BooleanProperty(defaultvalue=False)

    def __init__(self, text: str = "", **kwargs: Any) -> None:
        super().__init__(Mark(), text=text, **kwargs)
        self.fbind("text", self._update_mark)
        self._update_mark()

    def _update_mark(self, *_: object) -> None:
        self.mark = self._make_mark(self.text)

    def _make_mark(self, text: str) -> Mark:
        if not text:
            return Mark()
        return BadgeMark(text, is_warning=self.is_warning, line_share=BADGE_TEXT_LINE_SHARE)


class DemoOrProvisionalBadge(EventMixin, BadgeWidget):
    """Red badge that says "Demo", or that values are provisional; empty without a warning.

    Layouts reserve `min_width`, which is enough for a sign. Who places the badge calls `fit_into`, so that it
    says why, or at least a word, where there is free room. A touch on the badge explains it, and leads to
    the values. The badge is small, so a touch within a key's size counts, too.
    """

    __events__ = ("on_open_provisional_values",)  # somebody wants to see the provisional values

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            is_warning=True, pos_hint={"center_y": 0.5}, height=theme.length.glyph * 1.1, **kwargs
        )
        self._opens_values = False
        self._texts: tuple[str, ...] = ("",)
        """What the badge may say, the longest text first."""

    def show_warning(self, view: View, lang: str, *, is_demo: bool) -> None:
        """Shows the warning of a view, if there is one.

        A demo needs no other warning.
        """
        words = get_running_translator().words
        self._opens_values = view.has_provisional_values and not is_demo
        if is_demo:
            self._texts = (words.translate_text(lang, "Demo"),)
        elif self._opens_values:
            reason = words.translate_text(lang, "Some card values are guesses")
            self._texts = reason, words.translate_text(lang, "provisional"), PROVISIONAL_SIGN
        else:
            self._texts = ("",)
        if self.text not in self._texts:  # until it is placed again, a text that is shown stays
            self.text = self._texts[-1]

    @property
    def min_width(self) -> float:
        """Width of the badge with its shortest text."""
        return self._width_of(self._texts[-1])

    def fit_into(self, max_width: float) -> None:
        """Shows the longest text that is no wider than that, or the sign."""
        fitting = (text for text in self._texts if self._width_of(text) <= max_width)
        self.text = next(fitting, self._texts[-1])

    def _width_of(self, text: str) -> float:
        return self._make_mark(text).width_at(self.height)

    def on_touch_down(self, touch: Any) -> bool:
        """Takes a touch on the badge or near it."""
        if self.opacity and self._opens_values and self._is_near(touch):
            touch.grab(self)
            return True
        return bool(super().on_touch_down(touch))

    def on_touch_up(self, touch: Any) -> bool:
        """Dispatches `on_open_provisional_values` if the finger is lifted on the badge or near it."""
        if touch.grab_current is not self:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        if self._is_near(touch):
            self.dispatch("on_open_provisional_values")
        return True

    def _is_near(self, touch: Any) -> bool:
        min_side = theme.length.target
        return bool(
            abs(touch.x - self.center_x) * 2 <= max(self.width, min_side)
            and abs(touch.y - self.center_y) * 2 <= max(self.height, min_side)
        )
