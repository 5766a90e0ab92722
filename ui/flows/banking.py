"""The bank over the table: pieces go from purse to purse, with their reason where the game wants one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from companion.session.paying import Payment
from companion.session.view import Holding
from companion.table.ledger import Place
from companion.table.moves import PieceMove
from companion.words import Say, listed, render, say
from ui.flows.acting import confirming
from ui.flows.auditing import Audit
from ui.flows.undoing import LINES, MoveRow
from ui.host import TableHost
from ui.screens.bank import Bank
from ui.screens.history import Movements
from ui.screens.moving import Moved, reasoned
from ui.screens.paying import Paying, Ways, ways
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Leaf
from ui.widgets.sheets.overlay import Overlay

PAIR = 2
"""With so few seats everybody else is the other one."""


class Banking:
    """`Banking(app).page()` is the bank's page, to be shown what lies where by `show`."""

    def __init__(self, app: TableHost) -> None:
        self.app = app
        self._paying: Paying | None = None

    def page(self) -> Bank:
        """The page, of which every touch is heeded."""
        evening = self.app.evening
        bank = Bank(has_cards=evening.deck is not None, has_money=bool(evening.tills()))
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
    def _reasons(self) -> bool:
        return not self.app.evening.game.has_free_moves

    def _move(self, bank: Bank, counted: Mapping[Holding, int], target: Place) -> None:
        """To that place; how many of the last is asked where nobody has said it and there are several."""
        *_, (last, many) = counted.items()

        def take(count: int, reason: str, again: bool) -> None:  # noqa: FBT001 - Moved gives it by place
            gone = {**counted, last: count}.items()
            moves = [PieceMove(held.piece, held.place, target, count) for held, count in gone]
            self._do(bank, moves, reason, again=again)

        way = f"{self._pieces(counted)}: {bank.called(last.place)} → {bank.called(target)}"
        Moved(self.app, last, way, many, reasons=self._reasons, take=take)

    def _each(self, bank: Bank, counted: Mapping[Holding, int], *, to_each: bool) -> None:
        """As much to everybody else, or from everybody else, in one go."""
        place = next(iter(counted)).place
        everybody = self.app.evening.table.paying_seats
        others = [other for other in bank.others(place) if other.seat in everybody]
        ways = [(place, other) if to_each else (other, place) for other in others]
        moves = [PieceMove(held.piece, *way, count) for way in ways for held, count in counted.items()]

        def take(reason: str, again: bool) -> None:  # noqa: FBT001 - reasoned gives it by place
            self._do(bank, moves, reason, again=again)

        tr, pieces = self.app.tr, self._pieces(counted)
        text = (
            tr("{pieces} to each player", pieces=pieces)
            if to_each
            else tr("{pieces} from each player", pieces=pieces)
        )
        reasoned(self.app, f"{bank.called(place)}: {text}", reasons=self._reasons, take=take)

    def _pieces(self, counted: Mapping[Holding, int]) -> str:
        parts = [
            self._said(held.piece.quantity(count) if count else held.piece) for held, count in counted.items()
        ]
        return ", ".join(parts)

    def _do(self, bank: Bank, moves: Sequence[PieceMove], reason: str, *, again: bool) -> None:
        """All of it, or it is said why not; people confirm it where sealed answers would be deleted."""

        def refuse(why: Say | None) -> None:
            if why is not None:
                bank.refuse(self._said(why))

        def do(confirmed: Collection[str]) -> Say | None:
            return self.app.controller.correct(moves, reason, again=again, confirmed=confirmed)

        confirming(self.app, do, refuse=lambda error: refuse(error.text), done=refuse)

    # Amounts

    def _pay(self) -> None:
        """The page for amounts, over the bank."""
        self._paying = page = Paying()
        overlay = Overlay(page)
        page.bind(
            on_pay=lambda _, payers, payees, amount: self._paid(page, Payment(payers, payees, amount)),
            on_close=overlay.close,
        )
        self.show_money()
        self.app.stage.lay(overlay)

    def show_money(self) -> None:
        """How much lies where now, if the page for amounts is open."""
        if self._paying is None:
            return
        evening, lang = self.app.evening, self.app.lang
        places = evening.tills()
        everybody = evening.table.paying_seats
        seats = tuple(place for place in places if place.seat in everybody)
        tills = [ways(place, lang) for place in places]
        if len(seats) > PAIR:
            tills.append(Ways(seats, self.app.tr("Everybody")))
        self._paying.show(tills, evening.purses())

    def _paid(self, page: Paying, payment: Payment) -> None:
        """All of it, as one line of the history, or it is said why not."""

        def take(reason: str, again: bool) -> None:  # noqa: FBT001 - reasoned gives it by place
            def do(confirmed: Collection[str]) -> Sequence[PieceMove]:
                moves = payment.moves(self.app.evening.table.ledger)
                self.app.controller.correct(moves, reason, again=again, confirmed=confirmed)
                return moves

            confirming(
                self.app,
                do,
                refuse=lambda error: page.refuse(self._said(error.text)),
                done=lambda moves: page.told(self._told(moves)),
            )

        reasoned(self.app, page.head.title.text, reasons=self._reasons, take=take)

    def _told(self, moves: Sequence[PieceMove]) -> str:
        """Which pieces go where, those of one way together."""
        ways: dict[tuple[Place, Place], dict[Any, int]] = {}
        for move in moves:
            ways.setdefault((move.source, move.target), {})[move.piece] = move.count
        lines = []
        for (source, target), counts in ways.items():
            things = listed([piece.quantity(count) for piece, count in counts.items()])
            way = {"source": source.holder, "target": target.holder}
            lines.append(self._said(say("{things} from {source} to {target}", things=things, **way)))
        return "; ".join(lines)

    def _audit(self) -> None:
        deck = self.app.evening.deck
        if deck is not None:
            Audit(self.app, deck).open()

    def _look(self, bank: Bank, place: Place) -> None:
        """Everything in a purse by name, to be chosen where it has no room to be touched."""
        purse = next(purse for purse in bank.purses if purse.place == place)
        keys = {self._taking(one): one for one in purse.held}
        if keys:
            body = Pager(things=list(keys), cols=2, rows=4, look="paper")
            sheet = Leaf(title=purse.name, body=body, answers=[("close", self.app.tr("Close"), "brass")])
            sheet.leave_with(keys, lambda key: bank.choose(keys[key]))
            self.app.stage.lay(sheet)

    def _taking(self, held: Holding) -> Key:
        piece, count = held.piece, held.count
        text = self._said(piece if count is None or count == 1 else piece.quantity(count))
        return Key(text=text, name=f"take {held.piece.key}")

    def _movements(self) -> None:
        page = Movements(self.app.evening.movements())
        overlay = Overlay(page)
        page.bind(on_close=overlay.close, on_touched=lambda _, at: self._moves(page.moves[at]))
        self.app.stage.lay(overlay)

    def _moves(self, moves: Sequence[Say]) -> None:
        """All that moved with one thing: a line may have room for the first few only."""
        close = [("close", self.app.tr("Close"), "brass")]
        pages = Pager(things=[MoveRow(self._said(move)) for move in moves], rows=LINES, look="paper")
        self.app.stage.lay(Leaf(title="", body=pages, answers=close))
