"""The table from above with the panel in its middle: names are dragged to the sides where people sit."""

from __future__ import annotations

from math import ceil
from typing import Any, ClassVar

from kivy.properties import DictProperty, ListProperty
from kivy.uix.widget import Widget

from ui import theme
from ui.events import Tells
from ui.widgets.drawing.containers import Turned
from ui.widgets.drawing.surfaces import Box, Drawn, fill, inset, paper, rim
from ui.widgets.drawing.symbols import draw_token
from ui.widgets.drawing.text import across, inscribe_lines, within

SIDE_COUNT = 4
MIN_PLATE_TARGETS = 1.7
"""Targets that a plate is long at least, if it can be."""
MAX_ROWS = 3
"""That stand at one side, at most."""


class NamePlate(Drawn, Widget):
    """A name beside its token, on a card."""

    def __init__(self, name: str, colour: str) -> None:
        self.name, self.colour = name, colour
        super().__init__(size_hint=(None, None))

    def draw(self) -> None:
        """Card, token, name: smaller where it is long."""
        gap, side = theme.length.gap, self.height * 0.6
        paper(self.box, theme.length.line)
        draw_token(self.colour, (self.x + gap, self.center_y - side / 2, side, side))
        left, right = self.x + side + 2 * gap, self.right - gap
        lines = within(self.name, right - left)
        wide = max(across(line, theme.length.key) for line in lines)
        largest = min(theme.length.key, self.height * 0.8 / len(lines))
        size = max(theme.length.smallest, min(largest, theme.length.key * (right - left) / wide))
        inscribe_lines(lines, ((left + right) / 2, self.center_y), size, theme.INK)


class SeatingTable(Tells, Drawn, Widget):
    """`people` are (name, colour), `sides` where each name sits: 0 below, then anticlockwise.

    A name that is dragged goes to the nearest side; one that is only touched goes on to the next.
    """

    shows: ClassVar[tuple[str, ...]] = ("people", "sides")
    people = ListProperty()
    sides = DictProperty()
    __events__ = ("on_side",)  # name, side: this one sits there now

    def __init__(self, **kwargs: Any) -> None:
        self._plates: dict[str, Turned] = {}
        self._dragged: str | None = None
        super().__init__(**kwargs)

    def draw(self) -> None:
        """The table's edge, the panel, and every name at its side, turned to whoever has it."""
        fill(theme.FELT_DARK, self.box)
        rim(theme.BRASS_DARK, self.box, theme.length.rim)
        x, y, width, height = inset(self.box, min(self.width, self.height) * 0.34)
        paper((x, y, width, height), theme.length.line, theme.FELT_LIT)
        self._place()

    def _place(self) -> None:
        for name, colour in self.people:
            if name not in self._plates:
                self._plates[name] = Turned()
                self._plates[name].add_widget(NamePlate(name, colour))
                self.add_widget(self._plates[name])
        for side in range(SIDE_COUNT):
            # People sit clockwise: whoever is first at a side sits at its right end.
            here = [name for name, _ in reversed(self.people) if self.sides.get(name, 0) == side]
            for name, box in zip(here, self._boxes(side, len(here)), strict=True):
                turned = self._plates[name]
                turned.pos, turned.size, turned.quarter = box[:2], box[2:], side
                for plate in turned.children:
                    plate.pos, plate.size = (0, 0), turned.inner

    def _boxes(self, side: int, count: int) -> list[Box]:
        """Places for so many names at a side, in the middle of it; where they are many in several rows."""
        gap, deep = theme.length.gap, theme.length.target
        edge = self.height if side % 2 else self.width
        room = edge - 2 * gap if side % 2 else edge - 2 * (deep + 2 * gap)
        rows = min(MAX_ROWS, max(1, ceil(count * (MIN_PLATE_TARGETS * deep + gap) / (room + gap))))
        beside = ceil(count / rows)
        long = min(theme.length.target * 2.6, (room - gap * (beside - 1)) / max(1, beside))
        start = (edge - long * min(count, beside) - gap * (min(count, beside) - 1)) / 2
        spots = (divmod(at, beside) for at in range(count))
        return [
            self._box(side, start + at * (long + gap), gap + row * (deep + gap), long) for row, at in spots
        ]

    def _box(self, side: int, along: float, aside: float, long: float) -> Box:
        """So far along a side and so far from it, for who sits there from the left."""
        deep = theme.length.target
        match side:
            case 0:
                return self.x + along, self.y + aside, long, deep
            case 1:
                return self.right - aside - deep, self.y + along, deep, long
            case 2:
                return self.right - along - long, self.top - aside - deep, long, deep
            case _:
                return self.x + aside, self.top - along - long, deep, long

    def nearest_side(self, x: float, y: float) -> int:
        """The side of the table that is nearest to a point, as shares of its width and height."""
        right, up = (x - self.x) / self.width, (y - self.y) / self.height
        far = (up, 1 - right, 1 - up, right)
        return far.index(min(far))

    # The finger

    def on_touch_down(self, touch: Any) -> bool:
        """Takes hold of a name."""
        for name, plate in self._plates.items():
            if self._dragged is None and plate.collide_point(*touch.pos):
                touch.grab(self)
                self._dragged = name
                touch.ud["began"] = touch.pos
        return bool(self.collide_point(*touch.pos))

    def on_touch_move(self, touch: Any) -> bool:
        """The name follows."""
        if touch.grab_current is not self or self._dragged is None:
            return False
        self._plates[self._dragged].center = touch.pos
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """It stays at the side where it was let go."""
        if touch.grab_current is not self or self._dragged is None:
            return False
        touch.ungrab(self)
        name, self._dragged = self._dragged, None
        (x, y), (was_x, was_y) = touch.pos, touch.ud["began"]
        has_moved = abs(x - was_x) + abs(y - was_y) > theme.length.target / 2
        side = self.nearest_side(x, y) if has_moved else (self.sides.get(name, 0) + 1) % SIDE_COUNT
        self._draw_soon()
        self.dispatch("on_side", name, side)
        return True
