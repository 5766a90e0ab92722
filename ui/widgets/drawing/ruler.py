"""How much room a text takes at a size, found out without drawing it."""

from __future__ import annotations

from collections.abc import Sequence

from ui.widgets.drawing.font_runs import FallbackLabel
from ui.widgets.drawing.line_ends import broken, longest


class Ruler:
    """Measures `text`, one size after the other; `is_one_line`: it has no lines but its own."""

    def __init__(
        self,
        text: str,
        font: str,
        padding: Sequence[float],
        line_height: float,
        *,
        bold: bool,
        is_one_line: bool,
    ) -> None:
        self.text, self._is_one_line = text, is_one_line
        self._padding = padding
        self._label = FallbackLabel(font_name=font, bold=bold, padding=list(padding), line_height=line_height)
        self._label.resolve_font_name()

    def room(self, font_size: float, width: float | None = None) -> tuple[float, float]:
        """How wide and high it is at that size, in lines no longer than that; padding is part of it."""
        self._label.options["font_size"] = font_size
        self._label.text_size = (width, None)
        self._label.text = self.text
        if width is not None and not self._is_one_line:
            self._label.text = broken(self.text, width - self._padding[0] - self._padding[2], self._across)
        across, up = self._label.render()
        return float(across), float(up)

    def longest_word(self, *, is_name: bool = False) -> float:
        """How wide its widest word is at the size measured last: more than a line, and it is broken."""
        return longest(self.text, self._across, is_name=is_name)

    def _across(self, text: str) -> float:
        return float(self._label.get_extents(text)[0])
