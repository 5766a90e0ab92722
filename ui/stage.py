"""The stage: the felt background, the screen on it and the overlays above, each turned to its readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from ui.widgets.drawing.containers import (
    QUARTERS_PER_HALF_TURN,
    QUARTERS_PER_TURN,
    RotatedFrame,
    add_children,
)
from ui.widgets.drawing.surfaces import Box, FeltBackground
from ui.widgets.seats.seat_slips import SeatSlip, SeatSlips

if TYPE_CHECKING:
    from companion.table.seats import Seat


class Stage(FloatLayout):
    """Shows one screen at a time, with dialogs, covers and pages over it.

    Overlays are turned to `facing_side`, a side of the table in quarter turns. `side_by_seat` is the side of
    each seat. A bar along the top edge may take some of the height; it stays when the screen changes. On a
    screen that lies flat, slips along the edges say a result to each player.
    """

    has_overlay = BooleanProperty(defaultvalue=False)
    """Whether there is an overlay over the screen."""
    overlay_count = NumericProperty(0)
    """How many overlays are over the screen."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._build_widget: Callable[[], Widget] = Widget
        self._make_bar: Callable[[], Widget] | None = None
        self._bar: Widget | None = None
        self._overlays = FloatLayout(size_hint=(None, None))
        self._screen_frame, self._overlay_frame = RotatedFrame(), add_children(RotatedFrame(), self._overlays)
        self._below_overlays: Sequence[Widget] = ()
        self._screen_slips: SeatSlips | None = None
        self._overlay_slips: SeatSlips | None = None
        self._overlays.bind(children=lambda _, overlays: self._count_overlays(overlays))
        self.bind(pos=self._fit, size=self._fit)
        self.rebuild_screen()

    def _count_overlays(self, overlays: Sequence[Widget]) -> None:
        self.has_overlay, self.overlay_count = bool(overlays), len(overlays)
        if self._shown_slips is not None:
            self._fit()
        self._draw_screen_unless_covered()

    def _draw_screen_unless_covered(self) -> None:
        """Takes felt and screen off the canvas while a page of felt covers them.

        Nobody would see them, and they took half of the time for each frame of a reveal.
        """
        is_covered = any(_is_opaque(overlay) for overlay in self._overlays.children)
        is_felt_seen = self._shown_slips is not None
        for index, widget in enumerate(self._below_overlays, start=int(self.canvas.has_before)):
            is_drawn = self.canvas.indexof(widget.canvas) >= 0
            is_seen = not is_covered or (is_felt_seen and isinstance(widget, FeltBackground))
            if is_drawn and not is_seen:
                self.canvas.remove(widget.canvas)
            elif not is_drawn and is_seen and widget.parent is self:
                self.canvas.insert(index, widget.canvas)

    def replace_screen(self, build_widget: Callable[[], Widget]) -> None:
        """Removes everything and shows the screen that `build_widget` returns."""
        self._build_widget = build_widget
        self.rebuild_screen()

    def rebuild_screen(self) -> None:
        """Builds the screen again, for instance for another window size, and removes all overlays."""
        self.facing_side: int = 0
        self.side_by_seat: Mapping[Seat, int] = {}
        self._screen_slips = self._overlay_slips = None
        # The screen goes first: one that watches the overlays must not add another when they go.
        for frame in (self, self._screen_frame, self._overlays):
            frame.clear_widgets()
        self._screen_frame.quarter_turns = 0
        self._bar = self._make_bar() if self._make_bar is not None else None
        self.screen: Widget = self._build_widget()
        self._below_overlays = FeltBackground(), add_children(self._screen_frame, self.screen)
        add_children(self, *self._below_overlays, self._overlay_frame)
        self._add_slips()
        self._draw_screen_unless_covered()
        self._add_bar()
        self._fit()

    def show_bar(self, make_bar: Callable[[], Widget] | None) -> None:
        """Shows the bar that `make_bar` returns along the top edge, in place of the last one.

        The bar is made again whenever the screen is built again. None only removes the last one.
        """
        if self._bar is not None:
            self.remove_widget(self._bar)
        self._make_bar, self._bar = make_bar, make_bar() if make_bar is not None else None
        self._add_bar()
        self._fit()

    def _add_bar(self) -> None:
        if self._bar is not None:
            self._bar.size_hint_y = None
            self.add_widget(self._bar)

    def show_slips_around_screen(self, slips: Sequence[SeatSlip]) -> None:
        """Shows slips along the edges, around the screen that is being built and all overlays over it."""
        self._screen_slips = SeatSlips(slips, self.side_by_seat) if slips else None

    def show_slips_around_overlay(self, slips: Sequence[SeatSlip]) -> None:
        """Shows slips along the edges, around the overlays; no slips remove the last ones."""
        shown, self._overlay_slips = self._shown_slips, SeatSlips(slips, self.side_by_seat) if slips else None
        if shown is not None:
            self.remove_widget(shown)
        self._add_slips()
        self._draw_screen_unless_covered()
        self._fit()

    @property
    def _shown_slips(self) -> SeatSlips | None:
        return self._overlay_slips or self._screen_slips

    def _add_slips(self) -> None:
        if (slips := self._shown_slips) is not None:
            add_children(self, slips)

    def turn_screen_to_side(self, side: int) -> None:
        """Turns the screen that is being built, and all overlays over it, to the people at a side."""
        self._screen_frame.quarter_turns = self.facing_side = side

    def turn_to_opposite_side(self) -> None:
        """Turns the overlays, or the screen without overlays, by half a turn to the people opposite."""
        if self.has_overlay:
            self._overlay_frame.quarter_turns = (
                self._overlay_frame.quarter_turns + QUARTERS_PER_HALF_TURN
            ) % QUARTERS_PER_TURN
        else:
            self._screen_frame.quarter_turns = self.facing_side = (
                self.facing_side + QUARTERS_PER_HALF_TURN
            ) % QUARTERS_PER_TURN
        self._fit()

    @property
    def topmost_widget(self) -> Widget:
        """Returns the topmost overlay; the screen if there is none."""
        return self._overlays.children[0] if self.has_overlay else self.screen

    @property
    def overlays_topmost_first(self) -> Sequence[Widget]:
        """Returns the overlays over the screen, the topmost first."""
        return tuple(self._overlays.children)

    @property
    def next_page_size(self) -> tuple[float, float]:
        """Returns width and height of a page that would be opened now."""
        quarter_turns = int(self._overlay_frame.quarter_turns if self.has_overlay else self.facing_side)
        width, height = self._box_between(self._shown_slips, quarter_turns)[2:]
        return (height, width) if quarter_turns % 2 else (width, height)

    def _box_between(self, slips: SeatSlips | None, faced_side: int) -> Box:
        """Returns the box below the bar, or its part between slips for a page that faces a side."""
        box = self.x, self.y, self.width, self._height_below_bar
        return box if slips is None else slips.inner_box(box, faced_side)

    def point_on_next_page(self, x: float, y: float) -> tuple[float, float]:
        """Returns a point of the screen in the coordinates of a page that would be opened over it."""
        size = self.width, self._height_below_bar
        return RotatedFrame(pos=self.pos, size=size, quarter_turns=self.facing_side).to_local(x, y)

    @property
    def is_next_page_portrait(self) -> bool:
        """Returns whether a page that would be opened now is higher than wide."""
        return self.next_page_size[1] > self.next_page_size[0]

    def show_overlay(self, widget: Widget, seat: Seat | None = None) -> None:
        """Shows a dialog, cover or page over everything; with `seat` it is turned to that player."""
        if seat is not None or not self.has_overlay:
            self._overlay_frame.quarter_turns = (
                self.side_by_seat.get(seat, self.facing_side) if seat else self.facing_side
            )
            self._fit()
        self._overlays.add_widget(widget)

    def remove_overlay(self, widget: Widget) -> None:
        """Removes an overlay, if it is still on the stage."""
        self._overlays.remove_widget(widget)

    @property
    def _height_below_bar(self) -> float:
        return float(self.height - (self._bar.height if self._bar is not None else 0.0))

    def _fit(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.pos = self.x, self.y + self._height_below_bar
        shown = self._shown_slips
        for frame, content, slips in (
            (self._screen_frame, self.screen, self._screen_slips),
            (self._overlay_frame, self._overlays, shown),
        ):
            x, y, width, height = self._box_between(slips, int(frame.quarter_turns))
            frame.pos, frame.size = (x, y), (width, height)
            content.size = frame.inner_size
        if shown is not None:
            top_frame = self._overlay_frame if self.has_overlay else self._screen_frame
            shown.place_around(self._box_between(None, 0), int(top_frame.quarter_turns))


def _is_opaque(overlay: Widget) -> bool:
    """Returns whether an overlay is a page of felt, through which nothing is seen."""
    return bool(overlay.children) and isinstance(overlay.children[-1], FeltBackground)
