"""The headline of a page once more at its far edge, upside down, for the people who sit opposite."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.widgets.drawing.containers import QUARTERS_PER_HALF_TURN, RotatedFrame, detach_from_parent
from ui.widgets.drawing.text import FittedLabel

MAX_HEADLINE_LINES = 6


class OppositeHeadline(RotatedFrame):
    """A strip with a headline, upside down; it is as high as its text needs, in letters of a key."""

    def __init__(self, text: str = "", *, is_on_felt: bool = True) -> None:
        self.label = FittedLabel(
            text=text,
            style="key",
            is_on_felt=is_on_felt,
            halign="center",
            lines=MAX_HEADLINE_LINES,
            line_height=1.0,
        )
        super().__init__(size_hint=(1, None), quarter_turns=QUARTERS_PER_HALF_TURN)
        self.add_widget(self.label)
        self.fbind("size", lambda _, size: setattr(self.label, "size", size))

    def fit_height(self, width: float) -> None:
        """Makes the strip as high as its text needs at a width."""
        self.height = self.label.min_height_at(width) * theme.length.key / theme.length.smallest

    def show_at_top_of(self, column: BoxLayout, *, has_room: bool) -> None:
        """Places the strip above everything else in a column, or removes it without room or text."""
        if not (has_room and self.label.text):
            detach_from_parent(self)
        elif self.parent is None:
            column.add_widget(self, index=len(column.children))
