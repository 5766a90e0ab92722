"""Shows how money moves on the play screen: signs such as +37 beside numbers, and coins that slide.

Everything follows from the views of everybody, so what lies covered moves unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.half_numbers import WholeOrHalf
from companion.rules.scene_views import MatView
from companion.session.view import View
from companion.session.view_changes import (
    PublicMove,
    VisiblePayment,
    find_payments,
    find_public_moves,
)
from companion.table.ledger import Place
from companion.table.seats import Seat
from ui import theme
from ui.events import bind_weak
from ui.host import get_companion_app
from ui.layouts.play_widgets import PlayWidgets
from ui.stage import Stage
from ui.widgets.drawing.containers import RotatedFrame
from ui.widgets.drawing.text import Point
from ui.widgets.pieces.marks import box_centre
from ui.widgets.seats.panel_changes import NumberChanges
from ui.widgets.seats.sliding_coins import CoinSlide, SlidingCoins


class VisibleMoney:
    """Shows on a play screen what has changed since the view before.

    `layer` is the widget over whose children the coins slide. The signs end some seconds after people could
    see them, or with the next answer; the coins wait too while something covers the table. A restored view,
    such as after undo, shows nothing.
    """

    def __init__(self, stage: Stage, layer: Widget, get_widgets: Callable[[], PlayWidgets]) -> None:
        self._stage, self._layer, self._get_widgets = stage, layer, get_widgets
        self._changes = NumberChanges()
        self._shown_changes_by_seat: Mapping[Seat, Mapping[int, WholeOrHalf]] = {}
        self._last_view: View | None = None
        self._view_with_compared_numbers: View | None = None
        self.moves: Sequence[PublicMove] = ()
        """What everybody saw move between the last two views; nothing if the last one is restored."""
        self._new_payments: Sequence[VisiblePayment] = ()
        self._coins: SlidingCoins | None = None
        self._show_soon = Clock.create_trigger(self._show_if_uncovered, -1)  # in the frame of the numbers
        # Kivy refers to a method of a trigger weakly, so a screen that is put away isn't kept until then.
        self._end_signs_trigger = Clock.create_trigger(self._end_signs, theme.CHANGE_SIGN_SECONDS)
        bind_weak(stage, "has_overlay", self._handle_overlay)

    def compare_numbers(self, view: View, mats: Sequence[MatView], *, is_restored: bool) -> None:
        """Finds the numbers on panels that have changed; `number_changes_of` returns them."""
        if view is self._view_with_compared_numbers:
            return  # the signs of this view may have ended
        is_next_question = _is_next_question(self._view_with_compared_numbers, view)
        self._view_with_compared_numbers = view
        self._changes.update(view, mats, is_restored=is_restored)
        if self._changes.changes_by_seat:
            self._shown_changes_by_seat = self._changes.changes_by_seat
            self._begin_signs()
        elif is_restored or is_next_question:
            self._shown_changes_by_seat = {}

    @property
    def changes_by_seat(self) -> Mapping[Seat, Mapping[int, WholeOrHalf]]:
        """How numbers on each panel changed between the last two views, by their index."""
        return self._changes.changes_by_seat

    def number_changes_of(self, seat: Seat) -> Mapping[int, WholeOrHalf]:
        """Returns the changes of numbers on the panel of a seat that have a sign now, by their index."""
        return self._shown_changes_by_seat.get(seat, {})

    def compare_views(self, view: View, *, is_restored: bool) -> None:
        """Finds what was paid, and shows it together with the new numbers."""
        before, self._last_view = self._last_view, view
        middle = self._get_widgets().middle
        if before is None or is_restored:
            self.moves, self._new_payments, middle.amount_changes = (), (), {}
            return
        self.moves = moves = list(find_public_moves(before, view))
        amount_changes = {
            (view.current_slot_by_place.get(move.place, move.place), move.piece): move.difference
            for move in moves
            if move.piece.is_money and not move.is_at_seat
        }
        if amount_changes or _is_next_question(before, view):
            middle.amount_changes = amount_changes
        if amount_changes:
            self._begin_signs()
        if payments := find_payments(moves):
            self._new_payments = payments
            self._show_soon()

    def forget_last_view(self) -> None:
        """Forgets the last view, so that the next one shows no change."""
        self._changes, self._last_view, self._view_with_compared_numbers = NumberChanges(), None, None
        self._end_signs()

    def end_slide(self) -> None:
        """Ends the way of the coins at once."""
        if self._coins is not None:
            self._coins.stop()
            self._coins = None

    def _begin_signs(self) -> None:
        self._end_signs_trigger.cancel()
        self._show_soon()

    def _handle_overlay(self, *_: object) -> None:
        if not self._stage.has_overlay:
            self._show_soon()

    def _show_if_uncovered(self, *_: object) -> None:
        has_signs = bool(self._shown_changes_by_seat or self._get_widgets().middle.amount_changes)
        if self._stage.has_overlay or not (has_signs or self._new_payments):
            return
        self._end_signs_trigger()
        payments, self._new_payments = self._new_payments, ()
        moving = [payment for payment in payments if payment.payer.seat != payment.payee.seat]
        if moving and theme.animation_seconds(theme.COIN_SLIDE_SECONDS):
            self.end_slide()
            self._coins = SlidingCoins(partial(self._make_slides, moving))
            get_companion_app().still_picture.expect_motion()
            self._layer.add_widget(self._coins)

    def _make_slides(self, payments: Sequence[VisiblePayment]) -> Iterator[CoinSlide]:
        for payment in payments:
            start, end = self._point_of_money(payment.payer), self._point_of_money(payment.payee)
            yield CoinSlide(payment.piece, start, end)

    def _point_of_money(self, place: Place) -> Point:
        """Returns where people see the money of a place: on a panel, in the middle, or at the bank's icon."""
        widgets, view = self._get_widgets(), self._last_view
        for panel in widgets.panels:
            if panel.seat == place.seat:
                frame: RotatedFrame = panel.parent
                return frame.to_parent(*panel.money_point)
        shown_place = place if view is None else view.current_slot_by_place.get(place, place)
        box = widgets.middle.box_of_place(shown_place)
        bank_key = widgets.bar.keys.get("bank", widgets.bar)
        x, y = bank_key.center if box is None else box_centre(box)
        return widgets.central_frame.to_parent(x, y)

    def _end_signs(self, *_: object) -> None:
        self._shown_changes_by_seat = {}
        widgets = self._get_widgets()
        widgets.middle.amount_changes = {}
        for panel in widgets.panels:
            panel.number_changes = {}


def _is_next_question(before: View | None, after: View) -> bool:
    """Returns whether a question was answered between two views, so that older signs are out of date."""
    return before is not None and before.question_number != after.question_number
