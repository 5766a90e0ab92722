"""The table in large letters, for people across the room: shown after a minute without a touch.

The page shows only what everybody may see: whose turn it is, the lot and the highest bid, the clock, and the
main number of each player. A touch leads back to the table and presses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.clocks import ClockState
from companion.requests import Raise
from companion.rules.scene import Scene
from companion.rules.scene_views import CellView, MatView
from companion.scenes import describe_cell_value, evaluate_scene
from companion.session.view import View
from companion.texts import render, say_list
from ui import theme
from ui.events import EventMixin
from ui.host import AppWithEvening, get_companion_app
from ui.screens.play import PlayScreen
from ui.widgets.drawing.containers import add_children, detach_from_parent, make_filler
from ui.widgets.drawing.surfaces import AutoRedrawWidget, FeltBackground, PaperBoxLayout, inset_box
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.pieces.cardback import draw_card_back
from ui.widgets.seats.clock_face import choose_question_clock
from ui.widgets.seats.omitted_numbers import find_omitted_numbers
from ui.widgets.seats.panel_changes import HEADLINE_INDEX

MAX_SEATS_IN_ONE_COLUMN = 6
MAX_NAMED_SEATS = 3
"""The most asked seats that are named; more seats are called the table."""
SEATS_SHARE_BY_COLUMNS = {1: 0.4, 2: 0.5}
"""The share of the page for all players, by the number of their columns."""
MAX_SEAT_HEIGHT_IN_ROWS = 1.4


class AcrossRoomPage(EventMixin, FloatLayout):
    """The page for people across the room; `show_clocks` updates the time that is left."""

    __events__ = ("on_close",)  # somebody has touched the page

    def __init__(self, view: View, scene: Scene | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.app = get_companion_app()
        self._view = view
        self.clock_label = FittedLabel(style="number", halign="center", size_hint_y=None)
        stage = self.app.stage
        page = BoxLayout(padding=theme.length.margin, spacing=theme.length.margin)
        page.orientation = "vertical" if stage.height > stage.width else "horizontal"
        mats = evaluate_scene(view, scene).mats
        columns = 1 if len(mats) <= MAX_SEATS_IN_ONE_COLUMN else 2
        share = SEATS_SHARE_BY_COLUMNS[columns]
        hints = {"size_hint_x" if page.orientation == "horizontal" else "size_hint_y": 1 - share}
        seats = self._make_seats(mats, columns)
        setattr(seats, next(iter(hints)), share)
        add_children(page, self._make_question(**hints), seats)
        add_children(self, FeltBackground(), page)

    def _make_question(self, **hints: float) -> Widget:
        """Returns a sheet with whose turn it is, the question, the lot, the highest bid, and the clock."""
        view, lang, tr, sizes = self._view, self.app.lang, self.app.tr, theme.length
        question = view.question
        assert question is not None
        seats = view.awaited_seats
        is_named = 0 < len(seats) <= MAX_NAMED_SEATS and len(seats) < len(view.seats)
        name = render(say_list(seats), lang) if is_named else tr("The table")
        head = BoxLayout(spacing=sizes.gap)
        for seat in seats if is_named else ():
            token = PlayerToken(colour=seat.colour, size_hint_x=None, width=sizes.amount)
            add_children(head, token)
        add_children(
            head, FittedLabel(text=name, style="headline", lines=2, line_height=1.0, abbreviates=True)
        )
        heading = " · ".join(render(text, lang) for text in (view.game_title, view.heading) if text)
        parts: list[Widget] = [
            FittedLabel(text=heading, style="question", lines=2, line_height=1.0, size_hint_y=0.4),
            head,
            FittedLabel(text=render(question.text, lang), style="title", lines=4, line_height=1.0),
        ]
        if isinstance(question, Raise):
            parts += self._make_auction(question)
        return add_children(PaperBoxLayout(padding=sizes.margin, **hints), *parts, self.clock_label)

    def _make_auction(self, question: Raise) -> list[Widget]:
        """Returns the lot and the highest bid, with its bidder."""
        lang, tr = self.app.lang, self.app.tr
        lot = FittedLabel(text=render(question.about, lang), style="headline", lines=2, abbreviates=True)
        if not question.bids:
            return [lot, FittedLabel(text=tr("No bid yet"), style="title")]
        bidder, bid = max(question.bids.items(), key=lambda pair: pair[1])
        row = BoxLayout(spacing=theme.length.gap)
        number = FittedLabel(text=str(bid), style="number", size_hint_x=None)
        number.width = number.one_line_width()
        token = PlayerToken(colour=bidder.colour, size_hint_x=None, width=theme.length.amount)
        label = FittedLabel(text=bidder.name, style="title", lines=2, abbreviates=True)
        return [lot, add_children(row, number, token, label)]

    def _make_seats(self, mats: Sequence[MatView], columns: int) -> Widget:
        """Returns a slip for each player, with the main number."""
        rows = ceil(len(mats) / columns)
        grid = GridLayout(rows=rows, cols=columns, orientation="tb-lr", spacing=theme.length.gap)
        grid.size_hint_max_y = rows * theme.length.row * MAX_SEAT_HEIGHT_IN_ROWS
        has_number = HEADLINE_INDEX not in find_omitted_numbers(mats)
        for mat in mats:
            headline = mat.headline if has_number else None
            add_children(grid, self._make_slip(mat, headline, is_narrow=columns > 1))
        return add_children(BoxLayout(orientation="vertical"), grid, make_filler())

    def _make_slip(self, mat: MatView, headline: CellView | None, *, is_narrow: bool) -> Widget:
        """Returns a player's slip: the token, which wears a crown if the player leads, name and number."""
        sizes = theme.length
        slip = PaperBoxLayout(orientation="horizontal", padding=(sizes.gap, sizes.line))
        token = PlayerToken(
            colour=mat.seat.colour, wears_crown=mat.leads, size_hint_x=None, width=sizes.token
        )
        name = FittedLabel(text=mat.seat.name, style="question", lines=2, line_height=1.0, abbreviates=True)
        add_children(slip, token, name)
        if headline is None:
            return slip
        if headline.value is None:
            return add_children(slip, _HiddenNumber(size_hint_x=None, width=sizes.token))
        text = render(describe_cell_value(headline.value, headline.maximum), self.app.lang)
        number = FittedLabel(
            text=text,
            style="digit" if is_narrow else "amount",
            halign="right",
            is_dimmed=headline.is_void,
        )
        number.size_hint_x, number.width = None, number.one_line_width() + sizes.line
        return add_children(slip, number)

    def show_clocks(self, clocks: Sequence[ClockState]) -> None:
        """Shows the clock of the question, if it has one; the label is drawn only if its text changes."""
        assert self._view.question is not None
        clock = choose_question_clock(clocks, self._view.question)
        self.clock_label.text = clock.display_text if clock is not None else ""
        self.clock_label.height = theme.length.number * 1.1 if clock is not None else 0
        is_urgent = clock is not None and (clock.is_time_up or clock.is_in_final_seconds)
        self.clock_label.color = theme.DANGER if is_urgent else theme.INK

    def on_touch_down(self, _touch: Any) -> bool:
        """Closes the page; nothing below gets the touch."""
        self.dispatch("on_close")
        return True


class _HiddenNumber(AutoRedrawWidget):
    """A card's back in place of a number that is hidden."""

    def draw(self) -> None:
        draw_card_back(inset_box(self.box, theme.length.gap))


class AcrossRoomFlow:
    """Shows the page after `theme.ACROSS_ROOM_AFTER_SECONDS` without a touch, while a game is played.

    The page follows the game until somebody touches the screen, or until a notice or a reveal is shown.
    """

    def __init__(self, app: AppWithEvening) -> None:
        self.app, self._controller = app, app.controller
        self.page: AcrossRoomPage | None = None
        self._show_later = Clock.create_trigger(self._show_if_wanted, theme.ACROSS_ROOM_AFTER_SECONDS)
        self._follow_soon = Clock.create_trigger(lambda _: self._follow(), 0)
        app.stage.bind(on_touch_down=self._handle_touch)
        app.controller.bind(on_change=lambda _: self._follow_soon())
        app.controller.ticker.bind(clocks=lambda _, clocks: self._show_clocks(clocks))

    def _show_if_wanted(self, _seconds: float) -> None:
        if self.app.shows_table_across_room:
            self.show()

    def show(self) -> None:
        """Shows the page, if a game is played and nothing lies over the table."""
        if self._is_table_shown():
            self._close()
            view = self.app.controller.table_view
            assert view is not None
            self.page = AcrossRoomPage(view, self.app.evening.scene)
            self.page.show_clocks(self.app.controller.ticker.clocks)
            self.page.bind(on_close=lambda _: self._close())
            self.app.stage.add_widget(self.page)

    def return_to_table(self) -> None:
        """Removes the page, as after a touch, and begins to wait anew."""
        self._close()
        self._wait_anew()

    def _is_table_shown(self) -> bool:
        """Returns whether people play, with nothing over the table."""
        if not self.app.has_open_evening or self.app.controller is not self._controller:
            return False  # another evening has a flow of its own
        if self._controller.is_showing_recorded_game:
            return False
        stage, view = self.app.stage, self.app.controller.view
        is_playing = view is not None and view.question is not None
        return is_playing and isinstance(stage.screen, PlayScreen) and not stage.has_overlay

    def _follow(self) -> None:
        """Shows the game as it is now, or removes the page if something else is shown."""
        if self.page is None or self.page.parent is None:
            self.page = None
            self._show_later()
        elif self._is_table_shown():
            self.show()
        else:
            self._close()

    def _close(self) -> None:
        if self.page is not None:
            detach_from_parent(self.page)
            self.page = None

    def _show_clocks(self, clocks: Sequence[ClockState]) -> None:
        if self.page is not None and self.page.parent is not None and self._is_table_shown():
            self.page.show_clocks(clocks)

    def _handle_touch(self, _stage: object, _touch: object) -> bool:
        """Begins to wait anew; the touch goes on to what is touched."""
        self._wait_anew()
        return False

    def _wait_anew(self) -> None:
        self._show_later.cancel()
        self._show_later()
