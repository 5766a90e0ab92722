"""The heading line of the play screen: the game, where in the game people are, and a warning."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import StringProperty

from companion.session.view import View
from ui import theme
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget
from ui.widgets.drawing.text import FittedLabel, wrap_at_size
from ui.widgets.pieces.glyph import DemoOrProvisionalBadge

LINE_HEIGHT_EM = 1.3
"""Height of a line, in heights of its letters."""


class HeadingLine(AutoRedrawWidget):
    """Line with the heading `text`, and at its right end a badge if there is a warning."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("text",)
    text = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        self.label, self.warning_badge = FittedLabel(is_on_felt=True), DemoOrProvisionalBadge()
        super().__init__(size_hint=(None, None), **kwargs)
        add_children(self, self.label, self.warning_badge)

    def show_warning(self, view: View, lang: str, *, is_demo: bool) -> None:
        """Shows the warning of a view in the badge, if there is one."""
        self.warning_badge.show_warning(view, lang, is_demo=is_demo)
        self.draw_soon()

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at a width."""
        smallest = theme.length.smallest
        min_height = smallest * LINE_HEIGHT_EM * self._count_lines(width)
        if self.warning_badge.text:
            min_height = max(min_height, self.warning_badge.height)
        return min_height, max(min_height, theme.length.body * LINE_HEIGHT_EM)

    def _count_lines(self, width: float) -> int:
        return len(wrap_at_size(self.text, self._text_width(width), theme.length.smallest, bold=False))

    def _text_width(self, width: float) -> float:
        badge_width = self.warning_badge.min_width + theme.length.gap if self.warning_badge.text else 0.0
        return max(1.0, width - badge_width)

    def draw(self) -> None:
        """Places the text at the left and the badge at the right, with its word beside a text in one line."""
        self.label.lines, self.label.text = self._count_lines(self.width), self.text
        self.warning_badge.fit_into(self.width - theme.length.gap - self.label.one_line_width())
        text_width = self._text_width(self.width) - (self.warning_badge.width - self.warning_badge.min_width)
        self.label.pos, self.label.size = self.pos, (text_width, self.height)
        self.warning_badge.opacity = 1.0 if self.height > 0 else 0.0
        self.warning_badge.pos = (
            self.right - self.warning_badge.width,
            self.center_y - self.warning_badge.height / 2,
        )
