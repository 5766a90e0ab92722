"""Pages instead of scrolling."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any, ClassVar

from kivy.properties import ListProperty, NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn
from ui.widgets.drawing.symbols import draw_dot
from ui.widgets.keys.key import Key

NARROW = 6
"""With fewer targets side by side its keys are no wider than they must be."""


class _Dots(Drawn):
    """Which page of how many."""

    shows: ClassVar[tuple[str, ...]] = ("page", "pages")
    page = NumericProperty(0)
    pages = NumericProperty(1)

    def draw(self) -> None:
        side = theme.length.dot
        pitch = min(side * 2.4, (self.width - side) / max(1, self.pages - 1))
        x = self.center_x - (pitch * (self.pages - 1) + side) / 2
        for page in range(self.pages):
            colour = theme.BRASS if page == self.page else theme.fade(theme.QUIET, 0.5)
            draw_dot((x + page * pitch, self.center_y - side / 2, side, side), colour)


class Pager(BoxLayout):
    """`things` are widgets, shown `cols` × `rows` a page; the way on appears when there is one.

    With `make` they may be anything that it makes a widget of, once its page is shown: widgets take long.
    A row is as high, beside the others, as the highest `size_hint_y` in it. `look` is that of its keys.
    `is_apart`: whoever made it places the keys `back` and `on`. What stands in the `corner` is there on
    every page.
    """

    things = ListProperty()
    page = NumericProperty(0)
    cols = NumericProperty(1)
    rows = NumericProperty(4)

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("orientation", "vertical")
        kwargs.setdefault("spacing", theme.length.gap)
        gap = kwargs.pop("between", theme.length.gap)
        look, self.is_apart = kwargs.pop("look", "felt"), kwargs.pop("is_apart", False)
        self._corner: Key | None = kwargs.pop("corner", None)
        self._make: Callable[[Any], Widget] = kwargs.pop("make", lambda thing: thing)
        super().__init__(**kwargs)
        self.grid = GridLayout(cols=self.cols, rows=self.rows, spacing=gap)
        self.way = BoxLayout(size_hint_y=None, height=theme.length.target)
        narrow = {"look": look, "size_hint_x": None, "width": theme.length.target}
        self.back = Key(icon="back", name="page back", **narrow)
        self.on = Key(icon="next", name="page on", **narrow)
        self.dots = _Dots()
        for piece in () if self.is_apart else (self.back, self.dots, self.on):
            put(self.way, piece)
        if self._corner is not None:
            self._corner.size_hint_min_x = self._corner.across_at_least()
            self.way.add_widget(self._corner)
        self.bind(width=self._widen)
        self.back.bind(on_release=lambda _: self._turn(-1))
        self.on.bind(on_release=lambda _: self._turn(1))
        self.add_widget(self.grid)
        self.bind(things=self._lay, page=self._lay, cols=self._lay, rows=self._lay)
        self._lay()

    def _widen(self, *_: object) -> None:
        """Widens the keys where there is room."""
        target = theme.length.target
        for key in () if self.is_apart else (self.back, self.on):
            key.width = target * (1.5 if self.width >= NARROW * target else 1)

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, ceil(len(self.things) / int(self.cols * self.rows)))

    @property
    def turning(self) -> tuple[Key, ...]:
        """Its keys, where there is more than one page."""
        return (self.back, self.on) if self.pages > 1 else ()

    def _turn(self, by: int) -> None:
        self.page = min(self.pages - 1, max(0, self.page + by))

    def _lay(self, *_changed: object) -> None:
        if self.page >= self.pages:
            self.page = self.pages - 1  # which lays that page
            return
        self.grid.clear_widgets()
        self.grid.cols, self.grid.rows = self.cols, self.rows
        each = int(self.cols * self.rows)
        shown = [self._make(thing) for thing in self.things[self.page * each : (self.page + 1) * each]]
        beside = -len(shown) % int(self.cols)
        put(self.grid, *shown, *(Widget(size_hint_y=0.0) for _ in range(beside)))
        put(self.grid, *(Widget() for _ in range(each - beside - len(shown))))
        self.dots.page, self.dots.pages = self.page, self.pages
        self.back.disabled, self.on.disabled = self.page == 0, self.page == self.pages - 1
        is_long = self.pages > 1
        for piece in (self.back, self.dots, self.on):
            piece.opacity = float(is_long)
        has_way = is_long or self._corner is not None
        if not self.is_apart and has_way == (self.way.parent is None):
            (self.add_widget if has_way else self.remove_widget)(self.way)
