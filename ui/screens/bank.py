"""The bank: a purse for every place of the table; people drag pieces from purse to purse.

The page moves nothing: its owner asks how many and why, moves the pieces, and shows the result on the page.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any

from kivy.uix.gridlayout import GridLayout

from companion.requests.fields import NumberField
from companion.session.typed_payments import Payment
from companion.session.view import Holding
from companion.table.ledger import Place
from companion.table.moves import PieceMove
from companion.table.seats import Seat
from companion.texts import Say, render, say, say_list
from ui import theme
from ui.host import AppWithEvening, get_companion_app
from ui.pages import (
    DialogChoice,
    Page,
    open_choice_dialog,
    open_full_screen_dialog,
    open_keyboard,
    open_number_pad,
    open_page,
    show_message,
)
from ui.screens.actions import run_with_confirmations
from ui.screens.audit import AuditFlow
from ui.screens.history import MOVES_PER_PAGE, MoveRow, PieceMovesJournalPage
from ui.screens.paying import PaymentParty, PayPage, make_pay_key, payment_party_of
from ui.screens.pin import run_after_pin
from ui.widgets.drawing.containers import add_children
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import MarkWidget
from ui.widgets.pieces.pieces import PIECE_SIZE_SHARES_TO_TRY
from ui.widgets.seats.purse import PREFERRED_MIN_PIECE_SIZE_SHARE, AmountBar, Purse, make_holding_widget
from ui.widgets.sheets.messages import RefusalNotice
from ui.widgets.sheets.overlays import Dialog, Overlay

LANDSCAPE_PURSE_GRIDS = ((2, 3), (3, 2), (3, 3), (4, 3), (4, 4), (5, 4), (5, 5))
UPRIGHT_PURSE_GRIDS = ((2, 5), (2, 6), (3, 5), (3, 6), (3, 7), (3, 9))
"""Columns and rows of purses on an upright page, to be tried in this order.

The first grid that shows all purses is taken, else the last that fits.
"""


def order_places(holdings_by_place: Mapping[Place, Sequence[Holding]]) -> list[Place]:
    """Returns the places in the order of their purses: those of players, then nobody's, then unused ones.

    Nothing lies at an unused place; for a player's place, nothing lies at the place of that name of any
    player, because pieces move to an empty purse as often as to a full one.
    """
    used_names = [
        place.name for place, holdings in holdings_by_place.items() if place.seat is not None and holdings
    ]

    def rank(place: Place) -> int:
        if place.seat is not None:
            return 0 if place.name in used_names else 2
        return 1 if holdings_by_place[place] else 2

    return sorted(holdings_by_place, key=rank)


class BankPage(Page):
    """The page of the bank: purses with the pieces of each place, which people move.

    People drag a piece, or touch it and then the place where it goes. They may count the pieces first, and
    pieces of the same purse together. `has_cards`: whether there are cards that can be counted with a
    reader. `has_money`: whether people can pay an amount in any pieces that make it.
    """

    __events__: tuple[str, ...] = (
        "on_move",  # counted, target: people move these counts of pieces there; 0: nobody has chosen a count
        "on_move_for_all_seats",  # counted, to_each: each other player gets these pieces, or gives them
        "on_look",  # place: people open the list of everything at a place
        "on_movements",  # people open the journal
        "on_audit",  # people check somebody's cards
        "on_pay",  # people open the page that pays an amount
    )

    min_share_of_largest_piece_size: float = PREFERRED_MIN_PIECE_SIZE_SHARE
    """The minimum size of pieces, as a share of the largest size."""

    def __init__(self, *, has_cards: bool = False, has_money: bool = False, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        self.purses: list[Purse] = []
        self._places: list[Place] = []
        self.selected_holding: Holding | None = None
        self._drag: PieceDrag | None = None
        upright = get_companion_app().stage.is_next_page_portrait
        self._grids = UPRIGHT_PURSE_GRIDS if upright else LANDSCAPE_PURSE_GRIDS
        columns, rows = self._grids[0]
        self.pager = Pager(cols=columns, rows=rows, has_external_keys=not upright, between=sizes.gap / 2)
        self.pager.bind(size=self._choose_grid)
        tr = self.app.tr
        journal = Key(text=tr("Journal"), name="movements", lines=1, size_hint_x=None, width=sizes.bar * 1.7)
        journal.bind(on_release=lambda _: self.dispatch("on_movements"))
        audit = Key(text=tr("Check cards"), name="audit", size_hint_x=None, width=sizes.bar * 1.7)
        audit.bind(on_release=lambda _: self.dispatch("on_audit"))
        page_keys = (self.pager.back_key, self.pager.next_key) if self.pager.has_external_keys else ()
        pay = make_pay_key(self.app)
        pay.bind(on_release=lambda _: self.dispatch("on_pay"))
        keys = (*page_keys, *((pay,) if has_money else ()), *((audit,) if has_cards else ()), journal)
        self.refusal = RefusalNotice()
        self.amounts = AmountBar()
        self.amounts.bind(on_move_for_all_seats=lambda _, to_each: self._dispatch_each(to_each=to_each))
        self.add_content(tr("Bank"), self.pager, self.amounts, keys_beside_title=keys)

    def show_purses(
        self,
        holdings_by_place: Mapping[Place, Sequence[Holding]],
        current_place_by_numbered_place: Mapping[Place, Place],
    ) -> None:
        """Shows the current holdings of all places, and removes the last refusal.

        `current_place_by_numbered_place`: the current name of each numbered place.
        """
        self.clear_selection()
        self.refusal.dismiss()
        if list(holdings_by_place) != self._places:
            self._places = list(holdings_by_place)
            self.purses = [Purse(place, self.app.lang) for place in order_places(holdings_by_place)]
            self.pager.items = self.purses
        for purse in self.purses:
            purse.show_name(current_place_by_numbered_place.get(purse.place, purse.place))
            purse.show_holdings(holdings_by_place[purse.place])
        self._choose_grid()
        self._show_instruction()

    def _choose_grid(self, *_: object) -> None:
        """Chooses the grid: large purses, all on one page if they fit, each row as high as it needs."""
        fitting: list[tuple[int, int]] = []
        for share in (PREFERRED_MIN_PIECE_SIZE_SHARE, PIECE_SIZE_SHARES_TO_TRY[-1]):
            self.min_share_of_largest_piece_size = share
            fitting = [grid for grid in self._grids if self._do_rows_fit(*grid)]
            if fitting:
                break
        fitting = fitting or [self._grids[0]]
        complete = (grid for grid in fitting if grid[0] * grid[1] >= len(self.purses))
        columns, rows = next(complete, fitting[-1])
        self.pager.cols, self.pager.rows = columns, rows
        for page in self._rows_and_heights_by_page(columns, rows):
            average_height = sum(height for _, height in page) / len(page)
            for row, height in page:
                for purse in row:
                    purse.size_hint_y = height / average_height if average_height < inf else 1.0

    def _do_rows_fit(self, columns: int, rows: int) -> bool:
        """Returns whether every row has the height it needs; an empty row counts as an average one."""
        height = self.pager.height - theme.length.gap / 2 * (rows - 1)
        return all(
            sum(row_height for _, row_height in page) <= height * len(page) / rows
            for page in self._rows_and_heights_by_page(columns, rows)
        )

    def _rows_and_heights_by_page(self, columns: int, rows: int) -> Iterator[list[tuple[list[Purse], float]]]:
        """Yields the rows of each page, with the height that the highest purse of a row needs."""
        gap, purses_per_page = theme.length.gap / 2, columns * rows
        width = (self.pager.width - gap * (columns - 1)) / columns
        for first in range(0, len(self.purses), purses_per_page):
            page = self.purses[first : first + purses_per_page]
            yield [
                (row, max(purse.needed_height(width, self.min_share_of_largest_piece_size) for purse in row))
                for row in (page[start : start + columns] for start in range(0, len(page), columns))
            ]

    def show_refusal(self, text: str) -> None:
        """Shows why something can't be moved, until the next touch."""
        self.refusal.text = text
        amounts = self.amounts
        self.refusal.show_over(self, (amounts.x, amounts.y, amounts.width, amounts.height))

    def select_holding(self, holding: Holding | None) -> None:
        """Selects a piece; with None nothing is selected.

        Counted pieces of the same purse stay selected. The next touch of a place moves them all.
        """
        if holding is None or holding != self.selected_holding:
            counts = (
                self.count_by_selected_holding
                if holding is not None and self._stays_selected_with(holding)
                else {}
            )
            self.amounts.amount_by_other_holding = {
                other: count for other, count in counts.items() if other != holding
            }
            self.amounts.amount = 0 if holding is None else counts.get(holding, 0)
        self.selected_holding = holding
        self._show_instruction()

    @property
    def count_by_selected_holding(self) -> dict[Holding, int]:
        """Returns the count of each selected holding, in order.

        The count is 0 if nobody has chosen one.
        """
        last = {} if self.selected_holding is None else {self.selected_holding: int(self.amounts.amount)}
        return {**self.amounts.amount_by_other_holding, **last}

    def _stays_selected_with(self, holding: Holding) -> bool:
        """Returns whether the pieces counted so far stay selected when people touch this one."""
        selected = self.selected_holding
        return selected is not None and selected.place == holding.place and bool(self.amounts.amount)

    def clear_selection(self) -> None:
        """Clears the selection of pieces, and ends dragging."""
        self._remove_dragged_piece()
        self.select_holding(None)

    def _remove_dragged_piece(self) -> None:
        """Removes the dragged piece from the screen."""
        if self._drag is not None and self._drag.dragged_picture is not None:
            get_companion_app().stage.remove_overlay(self._drag.dragged_picture)
        self._drag = None
        self._highlight_drop_target(None)

    def _show_instruction(self) -> None:
        tr = self.app.tr
        self.amounts.instruction_text = (
            tr("Drag a piece to where it belongs, or touch it.")
            if self.selected_holding is None
            else tr("Choose how many to move, then touch a place.")
        )
        self.amounts.holding = self.selected_holding

    # The finger

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch: starts to drag a piece."""
        if self.refusal.dismiss_on_touch(touch):
            return True
        purse = self._purse_at(touch)
        if purse is None:
            return bool(super().on_touch_down(touch))
        if self._drag is None:
            holding = purse.holding_at(*touch.pos)
            touch.grab(self)
            self._drag = PieceDrag(purse, holding, touch)
            if holding is not None:
                self._drag.dragged_picture = make_holding_widget(holding, self.app.lang)
                get_companion_app().stage.show_overlay(self._drag.dragged_picture)
                self._drag.move_piece_to_finger(touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """Handles a moving finger: moves the dragged piece.

        Over a key of the pager the page turns.
        """
        drag = self._drag
        if touch.grab_current is not self or drag is None or drag.holding is None:
            return bool(super().on_touch_move(touch))
        drag.move_piece_to_finger(touch)
        self._highlight_drop_target(self._purse_at(touch) if drag.has_moved else None)
        page_key = next(
            (key for key in (self.pager.back_key, self.pager.next_key) if key.collide_point(*touch.pos)), None
        )
        if page_key is not None and page_key is not drag.last_page_key and not page_key.disabled:
            page_key.dispatch("on_release")
        drag.last_page_key = page_key
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """Handles a lifted finger: drops the dragged piece.

        A piece that was only touched is selected.
        """
        drag = self._drag
        if touch.grab_current is not self or drag is None:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        purse, selected = self._purse_at(touch), self.selected_holding
        self._remove_dragged_piece()
        if drag.holding is not None and drag.has_moved:
            self._drop({drag.holding: 0}, purse)
        elif purse is drag.purse and selected is not None and selected.place != purse.place:
            self._drop(self.count_by_selected_holding, purse)
        elif purse is drag.purse and drag.holding is not None and drag.holding != selected:
            self.select_holding(drag.holding)
        elif purse is drag.purse and selected is None:
            self.dispatch("on_look", purse.place)
        elif purse is drag.purse:
            self.select_holding(None)
        return True

    def _drop(self, counted: Mapping[Holding, int], purse: Purse | None) -> None:
        """Moves the dragged piece, with all selected pieces if it is one of them."""
        *_, dragged = counted
        counted = self.count_by_selected_holding if dragged in self.count_by_selected_holding else counted
        self.select_holding(None)
        if purse is not None and purse.place != dragged.place:
            self.dispatch("on_move", counted, purse.place)

    def _dispatch_each(self, *, to_each: bool) -> None:
        counted = {holding: max(1, count) for holding, count in self.count_by_selected_holding.items()}
        self.select_holding(None)
        if counted:
            self.dispatch("on_move_for_all_seats", counted, to_each)

    def shown_place_name(self, place: Place) -> str:
        """Returns the name of a place as the page shows it."""
        return next(purse.name for purse in self.purses if purse.place == place)

    def matching_places_of_others(self, place: Place) -> list[Place]:
        """Returns the place of this name of each other player; for nobody's place, everybody's first place.

        If no other player has a place of this name, everybody's first place is returned, too.
        """
        others = [other for other in self._places if other.seat not in (None, place.seat)]
        same_name = [other for other in others if place.seat is not None and other.name == place.name]
        first_place_by_seat = {other.seat: other for other in reversed(others)}
        return same_name or [
            first_place_by_seat[seat] for seat in dict.fromkeys(other.seat for other in others)
        ]

    def _purse_at(self, touch: Any) -> Purse | None:
        shown = (purse for purse in self.pager.grid.children if isinstance(purse, Purse))
        return next((purse for purse in shown if purse.collide_point(*touch.pos)), None)

    def _highlight_drop_target(self, target: Purse | None) -> None:
        for purse in self.purses:
            purse.is_drop_target = purse is target


class PieceDrag:
    """A finger that touched a purse, and the piece that it drags, if any."""

    def __init__(self, purse: Purse, holding: Holding | None, touch: Any) -> None:
        self.purse, self.holding = purse, holding
        self.dragged_picture: MarkWidget | None = None
        self.start_pos, self.has_moved = touch.pos, False
        self.last_page_key: Key | None = None

    def move_piece_to_finger(self, touch: Any) -> None:
        """Moves the piece under the finger."""
        x, y = touch.pos
        self.has_moved |= abs(x - self.start_pos[0]) + abs(y - self.start_pos[1]) > theme.length.space
        if self.dragged_picture is not None:
            self.dragged_picture.height = theme.length.piece * 1.4
            self.dragged_picture.center = x, y


# Questions before pieces move by hand: how many, and why.


MAX_REASON_LETTERS = 40


def ask_count_and_reason(
    holding: Holding, title: str, count: int, *, needs_reason: bool, move: Callable[[int, str, bool], None]
) -> None:
    """Asks how many pieces move, unless `count` says it, and why; then calls `move(count, reason, again)`.

    `title` says from where to where. `move` is called once, or never if people cancel.
    """

    def ask_reason(chosen_count: int) -> None:
        ask_reason_for_move(title, needs_reason=needs_reason, move=partial(move, chosen_count))

    if count or (holding.count == 1 and not holding.is_endless):
        ask_reason(count or 1)
        return
    # Covered pieces and endless pieces have no greatest number that could be shown.
    field = NumberField(least=1, most=None if holding.is_endless else holding.count)
    open_number_pad(
        title,
        field,
        ask_reason,
        confirm_text=get_companion_app().tr("Move {amount}", amount="{amount}"),
        start_number=1,
    )


def ask_reason_for_move(title: str, *, needs_reason: bool, move: Callable[[str, bool], None]) -> None:
    """Asks why pieces are moved by hand, and whether to ask the open question again; then calls `move`.

    Some games need no reason.
    """
    if not needs_reason:
        move("", False)
        return
    get_companion_app().stage.show_overlay(ReasonDialog(title, move))


class ReasonDialog(Dialog):
    """A dialog that asks why pieces move: ready reasons or own words.

    The dialog closes, then calls `move` with the reason, and with whether to ask the open question again.
    """

    width_share, height_share = 0.94, 0.96

    def __init__(self, title: str, move: Callable[[str, bool], None]) -> None:
        self._move = move
        tr, sizes = get_companion_app().tr, theme.length
        grid = GridLayout(cols=2, spacing=sizes.gap)
        reasons = {
            "miscounted": tr("Miscounted"),
            "forgotten": tr("We forgot a move"),
            "wrong place": tr("It was in the wrong place"),
            "house rule": tr("House rule"),
        }
        for name, text in reasons.items():
            add_children(
                grid, Key(name=name, text=text, on_release=lambda key: self._confirm_reason(key.text))
            )
        own = Key(name="own words", text=tr("Another reason"), icon="pen")
        own.bind(
            on_release=lambda _: open_keyboard(
                tr("Why?"), self._confirm_reason, max_letters=MAX_REASON_LETTERS
            )
        )
        self.ask_again_key = Key(name="ask again", text=tr("Also ask this question again"))
        self.ask_again_key.bind(on_release=lambda key: key.setter("chosen")(key, not key.chosen))
        add_children(grid, own, self.ask_again_key)
        answers = [("no", tr("Don't move it"), "paper")]
        super().__init__(title=title, body=grid, answers=answers)

    def _confirm_reason(self, reason: str) -> None:
        self.close()
        self._move(reason, self.ask_again_key.chosen)


# The flow of the bank: it moves pieces through the controller, with a reason if the game wants one.


MAX_SEATS_WITHOUT_EVERYBODY_TILE = 2
"""The most seats without a tile for everybody: with two seats everybody else is the other player."""


class BankFlow:
    """The flow of the bank's page: what happens when people move pieces or pay.

    People can also check cards and look at the journal from there.
    """

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._pay_page: PayPage | None = None
        self._closes_after_payment = False

    def make_page(self) -> BankPage:
        """Returns the page of the bank, bound to this flow."""
        evening = self.app.evening
        bank = BankPage(has_cards=evening.taggable_deck is not None, has_money=bool(evening.money_by_place()))
        bank.bind(
            on_move=lambda _, counted, target: self._run_after_pin(
                partial(self._move_pieces, bank, counted, target)
            ),
            on_move_for_all_seats=lambda _, counted, to_each: self._run_after_pin(
                partial(self._move_pieces_of_everybody, bank, counted, to_each=to_each)
            ),
            on_look=lambda _, place: self._open_purse_list(bank, place),
            on_movements=lambda _: self._open_journal(),
            on_audit=lambda _: self._run_after_pin(self._start_audit),
            on_pay=lambda _: self._open_pay_page(),
        )
        return bank

    def _render(self, text: Any) -> str:
        return render(text, self.app.lang)

    @property
    def _needs_reason(self) -> bool:
        return not self.app.evening.game.has_free_moves

    def _run_after_pin(self, correct: Callable[[], object]) -> None:
        """Runs a correction after the PIN; in a game whose players move pieces by hand, nothing is asked."""
        if self._needs_reason:
            run_after_pin(self.app, correct)
        else:
            correct()

    def _move_pieces(self, bank: BankPage, counted: Mapping[Holding, int], target: Place) -> None:
        """Moves pieces to a place; asks how many of the last piece if nobody has chosen a count."""
        *_, (last, last_count) = counted.items()

        def confirm(count: int, reason: str, again: bool) -> None:  # noqa: FBT001 - its caller gives it by place
            counts = {**counted, last: count}.items()
            moves = [PieceMove(holding.piece, holding.place, target, count) for holding, count in counts]
            self._correct(bank, moves, reason, again=again)

        source_name, target_name = bank.shown_place_name(last.place), bank.shown_place_name(target)
        title = f"{self._describe_pieces(counted)}: {source_name} → {target_name}"
        ask_count_and_reason(last, title, last_count, needs_reason=self._needs_reason, move=confirm)

    def _move_pieces_of_everybody(
        self, bank: BankPage, counted: Mapping[Holding, int], *, to_each: bool
    ) -> None:
        """Moves the same pieces to or from every other player, in one correction."""
        place = next(iter(counted)).place
        captains = self.app.evening.table.captains_in_game
        others = [other for other in bank.matching_places_of_others(place) if other.seat in captains]
        routes = [(place, other) if to_each else (other, place) for other in others]
        moves = [
            PieceMove(holding.piece, *route, count) for route in routes for holding, count in counted.items()
        ]

        def confirm(reason: str, again: bool) -> None:  # noqa: FBT001 - its caller gives it by place
            self._correct(bank, moves, reason, again=again)

        tr, pieces = self.app.tr, self._describe_pieces(counted)
        text = (
            tr("{pieces} to each player", pieces=pieces)
            if to_each
            else tr("{pieces} from each player", pieces=pieces)
        )
        ask_reason_for_move(
            f"{bank.shown_place_name(place)}: {text}", needs_reason=self._needs_reason, move=confirm
        )

    def _describe_pieces(self, counted: Mapping[Holding, int]) -> str:
        parts = [
            self._render(holding.piece.quantity_text(count) if count else holding.piece)
            for holding, count in counted.items()
        ]
        return ", ".join(parts)

    def _correct(self, bank: BankPage, moves: Sequence[PieceMove], reason: str, *, again: bool) -> None:
        """Moves the pieces, or explains why not; people confirm the move if it deletes sealed answers.

        If another question is open afterwards, the page says why.
        """

        def explain(text: Say | None) -> None:
            if text is not None:
                bank.show_refusal(self._render(text))

        def do(confirmed: Collection[str]) -> Say | None:
            return self.app.controller.correct_by_hand(
                moves, reason, ask_again=again, confirmed_keys=confirmed
            )

        run_with_confirmations(
            self.app,
            do,
            show_refusal=lambda error: explain(error.text),
            on_done=explain,
        )

    # Paying

    def _open_pay_page(self, pay_otherwise: Callable[[], object] | None = None) -> Overlay:
        """Opens the page that pays an amount."""
        self._pay_page = PayPage(
            lambda payment: self._run_after_pin(partial(self._pay_on_page, payment)), pay_otherwise
        )
        self.update_pay_page()
        return open_page(self._pay_page)

    @property
    def can_pay(self) -> bool:
        """True if people may pay between any places at any time, without a reason."""
        return not self._needs_reason and bool(self.app.evening.money_by_place())

    def open_payment(self, pay_otherwise: Callable[[], object]) -> Overlay:
        """Opens the page for one payment, with a key that closes it and calls `pay_otherwise`."""
        overlay = self._open_pay_page(pay_otherwise)
        self._closes_after_payment = True
        return overlay

    def can_pay_from(self, seat: Seat) -> bool:
        """Returns whether people may pay from a seat to others at any time, without a reason."""
        return not self._needs_reason and self._money_place_of(seat) is not None

    def open_payment_from(self, seat: Seat) -> Overlay:
        """Opens the page for one payment, with this seat as the payer."""
        overlay = self._open_pay_page()
        assert self._pay_page is not None
        self._pay_page.select_payer_at(self._money_place_of(seat))
        self._closes_after_payment = True
        return overlay

    def ask_amount_between(self, payer: Seat, payee: Seat) -> None:
        """Asks for the amount that one seat pays to another, and pays it."""
        source, target = self._money_place_of(payer), self._money_place_of(payee)
        if self._needs_reason or source is None or target is None:
            return
        tr = self.app.tr

        def pay(amount: int) -> None:
            self._pay(
                Payment((source,), (target,), amount),
                title="",
                show_refusal=show_message,
                on_done=lambda _: None,
            )

        open_number_pad(
            tr("{payer} pays {payee}", payer=payer.name, payee=payee.name),
            NumberField(least=1),
            pay,
            confirm_text=tr("Pay {amount}", amount="{amount}"),
        )

    def _money_place_of(self, seat: Seat) -> Place | None:
        """Returns the place from which amounts of a seat are paid; None if there is none."""
        return next((place for place in self.app.evening.money_by_place() if place.seat == seat), None)

    def update_pay_page(self) -> None:
        """Updates the amounts on the page for paying, if it is open."""
        if self._pay_page is None:
            return
        evening, lang = self.app.evening, self.app.lang
        money_by_place = evening.money_by_place()
        captains = evening.table.captains_in_game
        places_of_players = tuple(place for place in money_by_place if place.seat in captains)
        parties = [payment_party_of(place, lang) for place in money_by_place]
        if len(places_of_players) > MAX_SEATS_WITHOUT_EVERYBODY_TILE:
            parties.append(PaymentParty(places_of_players, self.app.tr("Everybody")))
        self._pay_page.show_amounts(parties, money_by_place)

    def _pay_on_page(self, payment: Payment) -> None:
        """Pays what people have chosen on the page for paying."""
        page = self._pay_page
        assert page is not None

        def show_payment_made(moves: Sequence[PieceMove]) -> None:
            if self._closes_after_payment:
                page.close()
            else:
                page.show_payment_made(self._describe_moves(moves))

        self._pay(
            payment,
            title=page.head.title.text,
            show_refusal=lambda text: page.show_refusal(self._render(text)),
            on_done=show_payment_made,
        )

    def _pay(
        self,
        payment: Payment,
        *,
        title: str,
        show_refusal: Callable[[Say], object],
        on_done: Callable[[Sequence[PieceMove]], object],
    ) -> None:
        """Pays an amount as one correction, or explains why it can't; `title` is over the reasons."""

        def confirm(reason: str, again: bool) -> None:  # noqa: FBT001 - its caller gives it by place
            def do(confirmed: Collection[str]) -> Sequence[PieceMove]:
                moves = payment.piece_moves(self.app.evening.table.ledger)
                self.app.controller.correct_by_hand(moves, reason, ask_again=again, confirmed_keys=confirmed)
                return moves

            run_with_confirmations(
                self.app,
                do,
                show_refusal=lambda error: show_refusal(error.text),
                on_done=on_done,
            )

        ask_reason_for_move(title, needs_reason=self._needs_reason, move=confirm)

    def _describe_moves(self, moves: Sequence[PieceMove]) -> str:
        """Returns a sentence that says which pieces moved from where to where."""
        counts_by_route: dict[tuple[Place, Place], dict[Any, int]] = {}
        for move in moves:
            counts_by_route.setdefault((move.source, move.target), {})[move.piece] = move.count
        sentences = []
        for (source, target), counts in counts_by_route.items():
            things = say_list([piece.quantity_text(count) for piece, count in counts.items()])
            owners = {"source": source.label_as_owner, "target": target.label_as_owner}
            sentences.append(self._render(say("{things} from {source} to {target}", things=things, **owners)))
        return "; ".join(sentences)

    def _start_audit(self) -> None:
        deck = self.app.evening.taggable_deck
        if deck is not None:
            AuditFlow(self.app, deck).ask_whose_cards_to_check()

    def _open_purse_list(self, bank: BankPage, place: Place) -> None:
        """Lists everything in a purse by name, so that people can choose pieces too small to touch."""
        purse = next(purse for purse in bank.purses if purse.place == place)
        if purse.holdings:
            close = DialogChoice("close", self.app.tr("Close"), look="brass")
            open_choice_dialog(
                purse.name,
                [self._holding_choice(bank, holding) for holding in purse.holdings],
                close,
                rows_per_page=4,
            )

    def _holding_choice(self, bank: BankPage, holding: Holding) -> DialogChoice:
        piece, count = holding.piece, holding.count
        text = self._render(piece if count is None or count == 1 else piece.quantity_text(count))
        return DialogChoice(f"take {piece.key}", text, partial(bank.select_holding, holding))

    def _open_journal(self) -> None:
        open_page(PieceMovesJournalPage(self.app.evening.step_movements(), self._open_moves))

    def _open_moves(self, moves: Sequence[Say]) -> None:
        """Lists all moves of one event: its line in the journal may have room for only the first few."""
        rows = [MoveRow(self._render(move)) for move in moves]
        open_full_screen_dialog("", Pager(items=rows, rows=theme.grow_count(MOVES_PER_PAGE), look="paper"))
