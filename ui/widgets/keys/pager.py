"""Shows many items page by page instead of scrolling."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any, ClassVar

from kivy.properties import ListProperty, NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from ui import theme
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget
from ui.widgets.drawing.symbols import draw_filled_dot
from ui.widgets.keys.key import Key

MIN_WIDTH_TARGETS_FOR_WIDE_KEYS = 6
"""Least width of the pager, in targets, for wide page-turn keys.

Wide keys are wider than a target.
"""


class _Dots(AutoRedrawWidget):
    """Dots that show which page of how many is open."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("page", "pages")
    page = NumericProperty(0)
    pages = NumericProperty(1)

    def draw(self) -> None:
        side = theme.length.dot
        pitch = min(side * 2.4, (self.width - side) / max(1, self.pages - 1))
        x = self.center_x - (pitch * (self.pages - 1) + side) / 2
        for page in range(self.pages):
            colour = theme.BRASS if page == self.page else theme.fade_colour(theme.QUIET, 0.5)
            draw_filled_dot((x + page * pitch, self.center_y - side / 2, side, side), colour)


class Pager(BoxLayout):
    """Shows `items` page by page, `cols` × `rows` on each, with keys to turn the page.

    Items are widgets, or values that `make` builds a widget of when their page is shown: widgets take long
    to build. A row is as high, relative to others, as the highest `size_hint_y` in it. `look` is that of
    the keys. With `is_apart` the owner places `back_key` and `next_key`. The `corner` key is shown on every
    page.
    """

    items = ListProperty()
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
        self.navigation = BoxLayout(size_hint_y=None, height=theme.length.target)
        narrow = {"look": look, "size_hint_x": None, "width": theme.length.target}
        self.back_key = Key(icon="back", name="page back", **narrow)
        self.next_key = Key(icon="next", name="page on", **narrow)
        self.dots = _Dots()
        for piece in () if self.is_apart else (self.back_key, self.dots, self.next_key):
            add_children(self.navigation, piece)
        if self._corner is not None:
            self._corner.fbind("text", self._widen_corner)
            self._widen_corner()
            self.navigation.add_widget(self._corner)
        self.bind(width=self._widen)
        self.back_key.bind(on_release=lambda _: self._turn(-1))
        self.next_key.bind(on_release=lambda _: self._turn(1))
        self.add_widget(self.grid)
        self.bind(items=self._lay, page=self._lay, cols=self._lay, rows=self._lay)
        self._lay()

    def _widen(self, *_: object) -> None:
        """Widens the keys if there is room."""
        target = theme.length.target
        for key in () if self.is_apart else (self.back_key, self.next_key):
            key.width = target * (1.5 if self.width >= MIN_WIDTH_TARGETS_FOR_WIDE_KEYS * target else 1)

    def _widen_corner(self, *_: object) -> None:
        """Gives the corner key the width that its text needs, in every language."""
        assert self._corner is not None
        self._corner.size_hint_min_x = self._corner.min_width_in_row()

    @property
    def page_count(self) -> int:
        """Number of pages, at least one."""
        return max(1, ceil(len(self.items) / int(self.cols * self.rows)))

    @property
    def page_turn_keys(self) -> tuple[Key, ...]:
        """The keys that turn the page.

        There are none if there is only one page.
        """
        return (self.back_key, self.next_key) if self.page_count > 1 else ()

    def _turn(self, by: int) -> None:
        self.page = min(self.page_count - 1, max(0, self.page + by))

    def _lay(self, *_changed: object) -> None:
        if self.page >= self.page_count:
            self.page = self.page_count - 1  # which lays that page
            return
        self.grid.clear_widgets()
        self.grid.cols, self.grid.rows = self.cols, self.rows
        each = int(self.cols * self.rows)
        shown = [self._make(thing) for thing in self.items[self.page * each : (self.page + 1) * each]]
        beside = -len(shown) % int(self.cols)
        add_children(self.grid, *shown, *(Widget(size_hint_y=0.0) for _ in range(beside)))
        add_children(self.grid, *(Widget() for _ in range(each - beside - len(shown))))
        self.dots.page, self.dots.pages = self.page, self.page_count
        self.back_key.disabled, self.next_key.disabled = self.page == 0, self.page == self.page_count - 1
        is_long = self.page_count > 1
        for piece in (self.back_key, self.dots, self.next_key):
            piece.opacity = float(is_long)
        has_way = is_long or self._corner is not None
        if not self.is_apart and has_way == (self.navigation.parent is None):
            (self.add_widget if has_way else self.remove_widget)(self.navigation)
