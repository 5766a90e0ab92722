"""Small pieces side by side, all as large as the room allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.clock import Clock
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.pieces.glyph import Glyph, Plate

STEPS = (1.0, 0.86, 0.8, 0.72, 0.67, 0.57)
"""Heights tried, as shares of the largest; the last leaves their numbers the smallest text."""


class Pieces(Widget):
    """Glyphs, or boxes around one; how many there is no room for is said by a plate at the end."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        gap = theme.length.gap
        self.beside, self.between = gap * 0.5, gap * 0.25
        self.first: Widget | None = None
        self.things: Sequence[Widget] = ()
        self.more = Plate("")
        self._lay_soon = Clock.create_trigger(self._lay_out, -1)
        for name in ("pos", "size"):
            self.fbind(name, self._lay_soon)

    def lay(self, things: Sequence[Widget]) -> None:
        """These and no others, behind what leads."""
        self.things = [*([self.first] if self.first else []), *things]
        self.clear_widgets()
        for thing in (*self.things, self.more):
            self.add_widget(thing)
        self._lay_soon()

    def lead(self, first: Widget | None) -> None:
        """What stands before the others, whatever they are; None: nothing does."""
        others = self.things[1:] if self.first else self.things
        self.first = first
        self.lay(others)

    def _lay_out(self, _seconds: float) -> None:
        """The largest height at which all of them have room, else as many as have room at the smallest."""
        heights = [theme.length.piece * share for share in STEPS]
        fitting = (height for height in heights if self._high(height, self.width) <= self.height)
        height = next(fitting, heights[-1])
        shown = [thing for thing in self.things if thing.reach(height) <= self.width]
        while shown and self._high(height, self.width, self._with_more(shown, height)) > self.height + 1:
            shown.pop()
        self._place(self._with_more(shown, height), height)

    def least(self, width: float) -> float:
        """How high it must be where it is so wide."""
        return self._high(theme.length.piece * STEPS[-1], width)

    def _with_more(self, shown: Sequence[Widget], height: float) -> list[Widget]:
        left = len(self.things) - len(shown)
        self.more.text, self.more.height = f"+{left}", height
        return [*shown, self.more] if left else list(shown)

    def _rows(self, things: Sequence[Widget], height: float, most: float) -> list[list[Widget]]:
        """What stands in each row of things so high."""
        rows: list[list[Widget]] = []
        across = 0.0
        for thing in things:
            width = thing.reach(height)
            if not rows or across + width > most:
                rows.append([])
                across = 0.0
            rows[-1].append(thing)
            across += width + self.beside
        return rows

    def _high(self, height: float, most: float, things: Sequence[Widget] | None = None) -> float:
        """How high their rows are together, each row so high and `most` wide."""
        rows = len(self._rows(self.things if things is None else things, height, most))
        return float(rows * height + max(0, rows - 1) * self.between)

    def _place(self, shown: Sequence[Widget], height: float) -> None:
        for child in self.children:
            child.opacity = float(child in shown)
        top = self.top - height
        for row in self._rows(shown, height, self.width):
            x = self.x
            for thing in row:
                thing.height = height
                thing.pos = (x, top)
                x += thing.reach(height) + self.beside
            top -= height + self.between


class Named(Widget):
    """Pieces that never leave the name before them."""

    def __init__(self, name: Widget, *pieces: Glyph) -> None:
        super().__init__(size_hint=(None, None))
        self.name, self.pieces = name, pieces
        for part in (name, *pieces):
            self.add_widget(part)
        self.fbind("height", self._place)
        self.fbind("pos", self._place)
        self._place()

    def reach(self, height: float) -> float:
        """How wide all of them are together."""
        gap = theme.length.gap * 0.5
        return float(self.name.width) + sum(piece.reach(height) + gap for piece in self.pieces) - gap

    def _place(self, *_: object) -> None:
        self.name.height = self.height
        self.width = self.reach(self.height)
        self.name.pos = self.pos
        x = self.name.right
        for piece in self.pieces:
            piece.height = self.height
            piece.pos = (x, self.y)
            x += piece.width + theme.length.gap * 0.5
