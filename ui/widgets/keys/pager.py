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
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key

MIN_WIDTH_TARGETS_FOR_WIDE_KEYS = 6
"""Least width of the pager, in targets, for page-turn keys that are wider than a target."""
PAGE_NUMBER_WIDTH_IN_TARGETS = 0.75
"""Width of the page's number between the keys in a title, in targets."""


class _PageDots(AutoRedrawWidget):
    """Dots that show which page of how many is open."""

    redraw_properties: ClassVar[tuple[str, ...]] = ("page", "pages")
    page = NumericProperty(0)
    pages = NumericProperty(1)

    def draw(self) -> None:
        side = theme.length.dot
        distance = min(side * 2.4, (self.width - side) / max(1, self.pages - 1))
        x = self.center_x - (distance * (self.pages - 1) + side) / 2
        for page in range(self.pages):
            colour = theme.BRASS if page == self.page else theme.multiply_opacity(theme.QUIET, 0.5)
            draw_filled_dot((x + page * distance, self.center_y - side / 2, side, side), colour)


def make_page_number(*, is_on_felt: bool) -> FittedLabel:
    """Returns the label for the number of the open page, such as 1/2, between the keys that turn the page."""
    width = PAGE_NUMBER_WIDTH_IN_TARGETS * theme.length.target
    return FittedLabel(
        style="question", is_on_felt=is_on_felt, halign="center", size_hint_x=None, width=width
    )


class Pager(BoxLayout):
    """Shows `items` page by page, `cols` × `rows` on each, with keys to turn the page.

    Items are widgets, or values from which `make` builds a widget when their page is shown, because widgets
    take long to build. A row is as high, relative to others, as the highest `size_hint_y` in it. `between` is
    the spacing of the items, `look` the look of the keys. With `has_external_keys` the owner places
    `back_key`, `next_key` and, where there is room, `page_number`. The `corner` key is shown on every page.
    """

    items = ListProperty()
    page = NumericProperty(0)
    cols = NumericProperty(1)
    rows = NumericProperty(4)

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("orientation", "vertical")
        kwargs.setdefault("spacing", theme.length.gap)
        spacing = kwargs.pop("between", theme.length.gap)
        look, self.has_external_keys = kwargs.pop("look", "felt"), kwargs.pop("has_external_keys", False)
        self._corner_key: Key | None = kwargs.pop("corner", None)
        self._make_widget: Callable[[Any], Widget] = kwargs.pop("make", lambda widget: widget)
        super().__init__(**kwargs)
        self.grid = GridLayout(cols=self.cols, rows=self.rows, spacing=spacing)
        self.navigation = BoxLayout(size_hint_y=None, height=theme.length.target)
        key_arguments = {"look": look, "size_hint_x": None, "width": theme.length.target}
        self.back_key = Key(icon="back", name="page back", **key_arguments)
        self.next_key = Key(icon="next", name="page on", **key_arguments)
        self.dots, self.page_number = _PageDots(), make_page_number(is_on_felt=look == "felt")
        if not self.has_external_keys:
            add_children(self.navigation, self.back_key, self.dots, self.next_key)
        if self._corner_key is not None:
            self._corner_key.fbind("text", self._fit_corner_key)
            self._fit_corner_key()
            self.navigation.add_widget(self._corner_key)
        self.bind(width=self._fit_page_turn_keys)
        self.back_key.bind(on_release=lambda _: self._turn_pages(-1))
        self.next_key.bind(on_release=lambda _: self._turn_pages(1))
        self.add_widget(self.grid)
        self.bind(items=self._show_page, page=self._show_page, cols=self._show_page, rows=self._show_page)
        self._show_page()

    def _fit_page_turn_keys(self, *_: object) -> None:
        """Widens the page-turn keys if there is room."""
        target = theme.length.target
        for key in () if self.has_external_keys else (self.back_key, self.next_key):
            key.width = target * (1.5 if self.width >= MIN_WIDTH_TARGETS_FOR_WIDE_KEYS * target else 1)

    def _fit_corner_key(self, *_: object) -> None:
        """Gives the corner key the width that its text needs, in every language."""
        assert self._corner_key is not None
        self._corner_key.size_hint_min_x = self._corner_key.min_width_in_row()

    @property
    def page_count(self) -> int:
        """Number of pages, at least one."""
        return max(1, ceil(len(self.items) / int(self.cols * self.rows)))

    @property
    def page_keys_for_title(self) -> tuple[Widget, ...]:
        """The keys that turn the page, with the page's number between them; () if there is only one page."""
        return (self.back_key, self.page_number, self.next_key) if self.page_count > 1 else ()

    @property
    def page_turn_keys(self) -> tuple[Key, ...]:
        """The keys that turn the page; () if there is only one page."""
        return (self.back_key, self.next_key) if self.page_count > 1 else ()

    def _turn_pages(self, count: int) -> None:
        self.page = min(self.page_count - 1, max(0, self.page + count))

    def _show_page(self, *_: object) -> None:
        if self.page >= self.page_count:
            self.page = self.page_count - 1  # a change of `page` shows that page
            return
        self.grid.clear_widgets()
        self.grid.cols, self.grid.rows = self.cols, self.rows
        items_per_page = int(self.cols * self.rows)
        items = self.items[self.page * items_per_page : (self.page + 1) * items_per_page]
        widgets = [self._make_widget(item) for item in items]
        spaces_in_last_row = -len(widgets) % int(self.cols)
        add_children(self.grid, *widgets, *(Widget(size_hint_y=0.0) for _ in range(spaces_in_last_row)))
        add_children(
            self.grid, *(Widget() for _ in range(items_per_page - spaces_in_last_row - len(widgets)))
        )
        self.dots.page, self.dots.pages = self.page, self.page_count
        self.page_number.text = f"{self.page + 1}/{self.page_count}"
        self.back_key.disabled, self.next_key.disabled = self.page == 0, self.page == self.page_count - 1
        has_several_pages = self.page_count > 1
        for widget in (self.back_key, self.dots, self.page_number, self.next_key):
            widget.opacity = float(has_several_pages)
        needs_navigation = has_several_pages or self._corner_key is not None
        if not self.has_external_keys and needs_navigation == (self.navigation.parent is None):
            (self.add_widget if needs_navigation else self.remove_widget)(self.navigation)
