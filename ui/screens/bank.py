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
)
from ui.screens.actions import run_with_confirmations
from ui.screens.audit import AuditFlow
from ui.screens.history import MOVES_PER_PAGE, JournalPage, MoveRow
from ui.screens.paying import PaymentParty, PayPage, make_pay_key, payment_party_of
from ui.widgets.drawing.containers import add_children
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import MarkWidget
from ui.widgets.pieces.pieces import PIECE_SIZE_SHARES_TO_TRY
from ui.widgets.seats.purse import PREFERRED_PIECE_SHARE, AmountBar, Purse, make_holding_widget
from ui.widgets.sheets.dialog import Dialog
from ui.widgets.sheets.messages import RefusalNotice

PURSE_GRIDS = ((2, 3), (3, 2), (3, 3), (4, 3), (4, 4), (5, 4), (5, 5))
UPRIGHT_PURSE_GRIDS = ((2, 5), (2, 6), (3, 5), (3, 6), (3, 7), (3, 9))
"""Columns and rows of purses on an upright page, to be tried in this order.

The first grid that shows all purses is taken, else the last that fits.
"""


class BankPage(Page):
    """The page of the bank: purses with the pieces of each place, which people move.

    People drag a piece, or touch it and then the place where it goes. They may count the pieces first, and
    pieces of the same purse together. `has_cards`: whether there are cards that can be counted with a
    reader. `has_money`: whether people can pay an amount in any pieces that make it.
    """

    __events__: tuple[str, ...] = (
        "on_move",  # counted, target: this goes there, so much of each; 0: nobody has said how much
        "on_each",  # counted, to_each: everybody else gets as much of it, or gives it
        "on_look",  # place: somebody wants to see all that lies there
        "on_movements",  # somebody wants to see what moved
        "on_audit",  # somebody's cards are to be counted
        "on_pay",  # an amount is to be paid
    )

    min_piece_size_share: float = PREFERRED_PIECE_SHARE
    """The minimum size of pieces, as a share of the largest size."""

    def __init__(self, *, has_cards: bool = False, has_money: bool = False, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        self.purses: list[Purse] = []
        self.selected_holding: Holding | None = None
        self._drag: PieceDrag | None = None
        upright = get_companion_app().stage.is_next_page_portrait
        self._grids = UPRIGHT_PURSE_GRIDS if upright else PURSE_GRIDS
        columns, rows = self._grids[0]
        self.pager = Pager(cols=columns, rows=rows, is_apart=not upright, between=sizes.gap / 2)
        self.pager.bind(size=self._divide)
        tr = self.app.tr
        moved = Key(text=tr("Journal"), name="movements", lines=1, size_hint_x=None, width=sizes.bar * 1.7)
        moved.bind(on_release=lambda _: self.dispatch("on_movements"))
        audit = Key(text=tr("Check cards"), name="audit", size_hint_x=None, width=sizes.bar * 1.7)
        audit.bind(on_release=lambda _: self.dispatch("on_audit"))
        for key in (self.pager.back_key, self.pager.next_key):
            key.width = sizes.target
        turning = (self.pager.back_key, self.pager.next_key) if self.pager.is_apart else ()
        pay = make_pay_key(self.app)
        pay.bind(on_release=lambda _: self.dispatch("on_pay"))
        keys = (*turning, *((pay,) if has_money else ()), *((audit,) if has_cards else ()), moved)
        self.refusal = RefusalNotice()
        self.amounts = AmountBar()
        self.amounts.bind(on_each=lambda _, to_each: self._each(to_each=to_each))
        self.add_content(tr("Bank"), self.pager, self.amounts, keys=keys)

    def show_purses(
        self,
        holdings_by_place: Mapping[Place, Sequence[Holding]],
        renumbered_place_by_place: Mapping[Place, Place],
    ) -> None:
        """Shows the current holdings of all places, and removes the last refusal.

        `renumbered_place_by_place`: the current name of each numbered place.
        """
        self.clear_selection()
        self.refusal.dismiss()
        if list(holdings_by_place) != [purse.place for purse in self.purses]:
            self.purses = [Purse(place, self.app.lang) for place in holdings_by_place]
            self.pager.items = self.purses
        for purse in self.purses:
            purse.show_name(renumbered_place_by_place.get(purse.place, purse.place))
            purse.show_holdings(holdings_by_place[purse.place])
        self._divide()
        self._say()

    def _divide(self, *_: object) -> None:
        """Chooses the grid: large purses, all on one page if they fit, each row as high as it needs."""
        for self.min_piece_size_share in (PREFERRED_PIECE_SHARE, PIECE_SIZE_SHARES_TO_TRY[-1]):
            if fitting := [grid for grid in self._grids if self._have_room(*grid)]:
                break
        fitting = fitting or [self._grids[0]]
        whole = (grid for grid in fitting if grid[0] * grid[1] >= len(self.purses))
        columns, rows = next(whole, fitting[-1])
        self.pager.cols, self.pager.rows = columns, rows
        for page in self._pages(columns, rows):
            usual = sum(high for _, high in page) / len(page)
            for row, high in page:
                for purse in row:
                    purse.size_hint_y = high / usual if usual < inf else 1.0

    def _have_room(self, columns: int, rows: int) -> bool:
        """Returns whether every row has the height it needs; an empty row counts as an average one."""
        height = self.pager.height - theme.length.gap / 2 * (rows - 1)
        return all(
            sum(high for _, high in page) <= height * len(page) / rows for page in self._pages(columns, rows)
        )

    def _pages(self, columns: int, rows: int) -> Iterator[list[tuple[list[Purse], float]]]:
        """Yields the rows of each page, with the height that the highest purse of a row needs."""
        gap, each = theme.length.gap / 2, columns * rows
        width = (self.pager.width - gap * (columns - 1)) / columns
        for first in range(0, len(self.purses), each):
            page = self.purses[first : first + each]
            lines = [page[at : at + columns] for at in range(0, len(page), columns)]
            yield [
                (line, max(purse.needed_height(width, self.min_piece_size_share) for purse in line))
                for line in lines
            ]

    def show_refusal(self, text: str) -> None:
        """Shows why something can't be moved, until the next touch."""
        self.refusal.text = text
        amounts = self.amounts
        self.refusal.show_over(self, (amounts.x, amounts.y, amounts.width, amounts.height))

    def select_holding(self, holding: Holding | None) -> None:
        """Selects a piece; counted pieces of the same purse stay selected. The next touch moves them all."""
        if holding is None or holding != self.selected_holding:
            along = (
                self.count_by_selected_holding if holding is not None and self._goes_along(holding) else {}
            )
            self.amounts.amount_by_other_holding = {
                one: count for one, count in along.items() if one != holding
            }
            self.amounts.amount = 0 if holding is None else along.get(holding, 0)
        self.selected_holding = holding
        self._say()

    @property
    def count_by_selected_holding(self) -> dict[Holding, int]:
        """Returns the count of each selected holding, in order.

        The count is 0 if nobody has chosen one.
        """
        here = {} if self.selected_holding is None else {self.selected_holding: int(self.amounts.amount)}
        return {**self.amounts.amount_by_other_holding, **here}

    def _goes_along(self, held: Holding) -> bool:
        """Returns whether a piece is counted beside those counted before."""
        before = self.selected_holding
        return before is not None and before.place == held.place and bool(self.amounts.amount)

    def clear_selection(self) -> None:
        """Clears the selection of pieces, and ends dragging."""
        self._lift()
        self.select_holding(None)

    def _lift(self) -> None:
        """Removes the dragged piece from the screen."""
        if self._drag is not None and self._drag.dragged_picture is not None:
            get_companion_app().stage.remove_overlay(self._drag.dragged_picture)
        self._drag = None
        self._light(None)

    def _say(self) -> None:
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
            held = purse.holding_at(*touch.pos)
            touch.grab(self)
            self._drag = PieceDrag(purse, held, touch)
            if held is not None:
                self._drag.dragged_picture = make_holding_widget(held, self.app.lang)
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
        self._light(self._purse_at(touch) if drag.has_moved else None)
        way = next(
            (key for key in (self.pager.back_key, self.pager.next_key) if key.collide_point(*touch.pos)), None
        )
        if way is not None and way is not drag.way and not way.disabled:
            way.dispatch("on_release")
        drag.way = way
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """Handles a lifted finger: drops the dragged piece.

        A piece that was only touched is selected.
        """
        drag = self._drag
        if touch.grab_current is not self or drag is None:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        purse, chosen = self._purse_at(touch), self.selected_holding
        self._lift()
        if drag.holding is not None and drag.has_moved:
            self._lay_down({drag.holding: 0}, purse)
        elif purse is drag.purse and chosen is not None and chosen.place != purse.place:
            self._lay_down(self.count_by_selected_holding, purse)
        elif purse is drag.purse and drag.holding is not None and drag.holding != chosen:
            self.select_holding(drag.holding)
        elif purse is drag.purse and chosen is None:
            self.dispatch("on_look", purse.place)
        elif purse is drag.purse:
            self.select_holding(None)
        return True

    def _lay_down(self, counted: Mapping[Holding, int], purse: Purse | None) -> None:
        """Moves the dragged piece, with all selected pieces if it is one of them."""
        *_, held = counted
        counted = self.count_by_selected_holding if held in self.count_by_selected_holding else counted
        self.select_holding(None)
        if purse is not None and purse.place != held.place:
            self.dispatch("on_move", counted, purse.place)

    def _each(self, *, to_each: bool) -> None:
        counted = {held: max(1, count) for held, count in self.count_by_selected_holding.items()}
        self.select_holding(None)
        if counted:
            self.dispatch("on_each", counted, to_each)

    def shown_place_name(self, place: Place) -> str:
        """Returns the name of a place as the page shows it."""
        return next(purse.name for purse in self.purses if purse.place == place)

    def matching_places_of_others(self, place: Place) -> list[Place]:
        """Returns the same place of all other players; for nobody's place, everybody's first place."""
        seats = [purse.place for purse in self.purses if purse.place.seat not in (None, place.seat)]
        alike = [other for other in seats if place.seat is not None and other.name == place.name]
        first = {other.seat: other for other in reversed(seats)}
        return alike or [first[seat] for seat in dict.fromkeys(other.seat for other in seats)]

    def _purse_at(self, touch: Any) -> Purse | None:
        shown = (purse for purse in self.pager.grid.children if isinstance(purse, Purse))
        return next((purse for purse in shown if purse.collide_point(*touch.pos)), None)

    def _light(self, lit: Purse | None) -> None:
        for purse in self.purses:
            purse.is_drop_target = purse is lit


class PieceDrag:
    """A finger that touched a purse, and the piece that it drags, if any."""

    def __init__(self, purse: Purse, held: Holding | None, touch: Any) -> None:
        self.purse, self.holding = purse, held
        self.dragged_picture: MarkWidget | None = None
        self.began, self.has_moved = touch.pos, False
        self.way: Key | None = None

    def move_piece_to_finger(self, touch: Any) -> None:
        """Moves the piece under the finger."""
        x, y = touch.pos
        self.has_moved |= abs(x - self.began[0]) + abs(y - self.began[1]) > theme.length.space
        if self.dragged_picture is not None:
            self.dragged_picture.height = theme.length.piece * 1.4
            self.dragged_picture.center = x, y


# Questions before pieces move by hand: how many, and why.
# `take(count, reason, again)` moves them; it is called once, or never where people give it up.


MAX_REASON_LETTERS = 40


def ask_count_and_reason(
    holding: Holding, title: str, count: int, *, needs_reason: bool, move: Callable[[int, str, bool], None]
) -> None:
    """Asks how many pieces move, unless `count` says it, and why; then calls `move(count, reason, again)`.

    `title` says from where to where. `move` is called once, or never if people cancel.
    """
    if count or (holding.count == 1 and not holding.is_endless):
        ask_reason_for_move(title, needs_reason=needs_reason, move=partial(move, count or 1))
        return

    def counted(count: int) -> None:
        ask_reason_for_move(title, needs_reason=needs_reason, move=partial(move, count))

    # What is covered or never ends has no highest number that could be shown.
    field = NumberField(least=1, most=None if holding.is_endless else holding.count)
    open_number_pad(
        title,
        field,
        counted,
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
    why = ReasonDialog(title=title)
    why.bind(on_reason=lambda _, reason, again: move(reason, again))
    get_companion_app().stage.show_overlay(why)


class ReasonDialog(Dialog):
    """Asks for a reason: ready reasons or own words; people may also have the open question asked again.

    The dialog closes before it dispatches the reason.
    """

    width_share, height_share = 0.94, 0.96
    __events__ = (
        *Dialog.__events__,
        "on_reason",  # reason, again: why the pieces move, and whether the question is asked again
    )

    def __init__(self, **kwargs: Any) -> None:
        tr, sizes = get_companion_app().tr, theme.length
        grid = GridLayout(cols=2, spacing=sizes.gap)
        reasons = {
            "miscounted": tr("Miscounted"),
            "forgotten": tr("We forgot a move"),
            "wrong place": tr("It was in the wrong place"),
            "house rule": tr("House rule"),
        }
        for name, text in reasons.items():
            add_children(grid, Key(name=name, text=text, on_release=lambda key: self._give(key.text)))
        own = Key(name="own words", text=tr("Another reason"), icon="pen")
        own.bind(on_release=lambda _: self._type())
        self.again = Key(name="ask again", text=tr("Also ask this question again"))
        self.again.bind(on_release=lambda key: key.setter("chosen")(key, not key.chosen))
        add_children(grid, own, self.again)
        answers = [("no", tr("Don't move it"), "paper")]
        super().__init__(body=grid, answers=answers, **kwargs)

    def _type(self) -> None:
        open_keyboard(get_companion_app().tr("Why?"), self._give, max_letters=MAX_REASON_LETTERS)

    def _give(self, reason: str) -> None:
        self.close()
        self.dispatch("on_reason", reason, self.again.chosen)


# The flow of the bank: it moves pieces through the controller, with a reason if the game wants one.


MAX_SEATS_WITHOUT_EVERYBODY_TILE = 2
"""The most seats without a tile for everybody: with two seats everybody else is the other player."""


class BankFlow:
    """The flow of the bank's page: what happens when people move pieces or pay.

    People can also check cards and look at the journal from there.
    """

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._paying: PayPage | None = None

    def make_page(self) -> BankPage:
        """Returns the page of the bank, bound to this flow."""
        evening = self.app.evening
        bank = BankPage(has_cards=evening.taggable_deck is not None, has_money=bool(evening.money_places()))
        bank.bind(
            on_move=lambda _, counted, target: self._move(bank, counted, target),
            on_each=lambda _, counted, to_each: self._each(bank, counted, to_each=to_each),
            on_look=lambda _, place: self._look(bank, place),
            on_movements=lambda _: self._movements(),
            on_audit=lambda _: self._audit(),
            on_pay=lambda _: self._pay(),
        )
        return bank

    def _said(self, text: Any) -> str:
        return render(text, self.app.lang)

    @property
    def _has_reasons(self) -> bool:
        return not self.app.evening.game.has_free_moves

    def _move(self, bank: BankPage, counted: Mapping[Holding, int], target: Place) -> None:
        """Moves pieces to a place; asks how many of the last piece if nobody has chosen a count."""
        *_, (last, many) = counted.items()

        def take(count: int, reason: str, again: bool) -> None:  # noqa: FBT001 - its caller gives it by place
            gone = {**counted, last: count}.items()
            moves = [PieceMove(held.piece, held.place, target, count) for held, count in gone]
            self._do(bank, moves, reason, again=again)

        way = (
            f"{self._pieces(counted)}: {bank.shown_place_name(last.place)} → {bank.shown_place_name(target)}"
        )
        ask_count_and_reason(last, way, many, needs_reason=self._has_reasons, move=take)

    def _each(self, bank: BankPage, counted: Mapping[Holding, int], *, to_each: bool) -> None:
        """Moves the same pieces to or from every other player, in one correction."""
        place = next(iter(counted)).place
        everybody = self.app.evening.table.paying_seats
        others = [other for other in bank.matching_places_of_others(place) if other.seat in everybody]
        ways = [(place, other) if to_each else (other, place) for other in others]
        moves = [PieceMove(held.piece, *way, count) for way in ways for held, count in counted.items()]

        def take(reason: str, again: bool) -> None:  # noqa: FBT001 - its caller gives it by place
            self._do(bank, moves, reason, again=again)

        tr, pieces = self.app.tr, self._pieces(counted)
        text = (
            tr("{pieces} to each player", pieces=pieces)
            if to_each
            else tr("{pieces} from each player", pieces=pieces)
        )
        ask_reason_for_move(
            f"{bank.shown_place_name(place)}: {text}", needs_reason=self._has_reasons, move=take
        )

    def _pieces(self, counted: Mapping[Holding, int]) -> str:
        parts = [
            self._said(held.piece.quantity_text(count) if count else held.piece)
            for held, count in counted.items()
        ]
        return ", ".join(parts)

    def _do(self, bank: BankPage, moves: Sequence[PieceMove], reason: str, *, again: bool) -> None:
        """Moves the pieces, or explains why not; people confirm it if sealed answers would be deleted."""

        def refuse(why: Say | None) -> None:
            if why is not None:
                bank.show_refusal(self._said(why))

        def do(confirmed: Collection[str]) -> Say | None:
            return self.app.controller.correct_by_hand(
                moves, reason, ask_again=again, confirmed_keys=confirmed
            )

        run_with_confirmations(self.app, do, show_refusal=lambda error: refuse(error.text), on_done=refuse)

    # AmountBar

    def _pay(self) -> None:
        """Opens the page that pays an amount."""
        self._paying = page = PayPage()
        page.bind(on_pay=lambda _, payers, payees, amount: self._paid(page, Payment(payers, payees, amount)))
        self.update_pay_page()
        open_page(page)

    def update_pay_page(self) -> None:
        """Updates the amounts on the page for paying, if it is open."""
        if self._paying is None:
            return
        evening, lang = self.app.evening, self.app.lang
        places = evening.money_places()
        everybody = evening.table.paying_seats
        seats = tuple(place for place in places if place.seat in everybody)
        tills = [payment_party_of(place, lang) for place in places]
        if len(seats) > MAX_SEATS_WITHOUT_EVERYBODY_TILE:
            tills.append(PaymentParty(seats, self.app.tr("Everybody")))
        self._paying.show_amounts(tills, evening.movable_holdings_by_place())

    def _paid(self, page: PayPage, payment: Payment) -> None:
        """Pays an amount as one correction, or explains why it can't."""

        def take(reason: str, again: bool) -> None:  # noqa: FBT001 - its caller gives it by place
            def do(confirmed: Collection[str]) -> Sequence[PieceMove]:
                moves = payment.piece_moves(self.app.evening.table.ledger)
                self.app.controller.correct_by_hand(moves, reason, ask_again=again, confirmed_keys=confirmed)
                return moves

            run_with_confirmations(
                self.app,
                do,
                show_refusal=lambda error: page.show_refusal(self._said(error.text)),
                on_done=lambda moves: page.show_payment(self._told(moves)),
            )

        ask_reason_for_move(page.head.title.text, needs_reason=self._has_reasons, move=take)

    def _told(self, moves: Sequence[PieceMove]) -> str:
        """Returns a sentence of which pieces went where."""
        ways: dict[tuple[Place, Place], dict[Any, int]] = {}
        for move in moves:
            ways.setdefault((move.source, move.target), {})[move.piece] = move.count
        lines = []
        for (source, target), counts in ways.items():
            things = say_list([piece.quantity_text(count) for piece, count in counts.items()])
            way = {"source": source.owner_label, "target": target.owner_label}
            lines.append(self._said(say("{things} from {source} to {target}", things=things, **way)))
        return "; ".join(lines)

    def _audit(self) -> None:
        deck = self.app.evening.taggable_deck
        if deck is not None:
            AuditFlow(self.app, deck).ask_whose_cards_to_check()

    def _look(self, bank: BankPage, place: Place) -> None:
        """Lists everything in a purse by name, to be chosen where it has no room to be touched."""
        purse = next(purse for purse in bank.purses if purse.place == place)
        if purse.holdings:
            close = DialogChoice("close", self.app.tr("Close"), look="brass")
            open_choice_dialog(
                purse.name, [self._taking(bank, one) for one in purse.holdings], close, rows_per_page=4
            )

    def _taking(self, bank: BankPage, held: Holding) -> DialogChoice:
        piece, count = held.piece, held.count
        text = self._said(piece if count is None or count == 1 else piece.quantity_text(count))
        return DialogChoice(f"take {piece.key}", text, partial(bank.select_holding, held))

    def _movements(self) -> None:
        page = JournalPage(self.app.evening.step_movements())
        page.bind(on_touched=lambda _, at: self._moves(page.moves[at]))
        open_page(page)

    def _moves(self, moves: Sequence[Say]) -> None:
        """Lists all that moved with one thing: a line may have room for the first few only."""
        rows = [MoveRow(self._said(move)) for move in moves]
        open_full_screen_dialog("", Pager(items=rows, rows=MOVES_PER_PAGE, look="paper"))
