"""The bank over the table: pieces go from purse to purse, with their reason where the game wants one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import CompanionError
from companion.session.view import Holding
from companion.table.ledger import Place
from companion.table.moves import Move
from companion.words import Say, render
from ui.flows.auditing import Audit
from ui.flows.undoing import LINES, MoveRow
from ui.host import TableHost
from ui.screens.bank import Bank
from ui.screens.history import Journal
from ui.screens.moving import Moved, reasoned
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Leaf
from ui.widgets.sheets.overlay import Overlay


class Banking:
    """`Banking(app).page()` is the bank's page, to be shown what lies where by `show`."""

    def __init__(self, app: TableHost) -> None:
        self.app = app

    def page(self) -> Bank:
        """The page, of which every touch is heeded."""
        bank = Bank(has_cards=self.app.evening.headless.deck is not None)
        bank.bind(
            on_move=lambda _, counted, target: self._move(bank, counted, target),
            on_each=lambda _, counted, to_each: self._each(bank, counted, to_each=to_each),
            on_look=lambda _, place: self._look(bank, place),
            on_journal=lambda _: self._journal(),
            on_audit=lambda _: self._audit(),
        )
        return bank

    def _said(self, text: Any) -> str:
        return render(text, self.app.lang)

    @property
    def _reasons(self) -> bool:
        return not self.app.evening.headless.playing.game.free_moves

    def _move(self, bank: Bank, counted: Mapping[Holding, int], target: Place) -> None:
        """To that place; how many of the last is asked where nobody has said it and there are several."""
        *_, (last, many) = counted.items()

        def take(count: int, reason: str, again: bool) -> None:  # noqa: FBT001 - Moved gives it by place
            gone = {**counted, last: count}.items()
            moves = [Move(held.piece, held.place, target, count) for held, count in gone]
            self._do(bank, moves, reason, again=again)

        way = f"{self._pieces(counted)}: {bank.called(last.place)} → {bank.called(target)}"
        Moved(self.app, last, way, many, reasons=self._reasons, take=take)

    def _each(self, bank: Bank, counted: Mapping[Holding, int], *, to_each: bool) -> None:
        """As much to everybody else, or from everybody else, in one go."""
        place = next(iter(counted)).place
        ways = [(place, other) if to_each else (other, place) for other in bank.others(place)]
        moves = [Move(held.piece, *way, count) for way in ways for held, count in counted.items()]

        def take(reason: str, again: bool) -> None:  # noqa: FBT001 - reasoned gives it by place
            self._do(bank, moves, reason, again=again)

        tr, pieces = self.app.tr, self._pieces(counted)
        text = tr("{pieces} to each", pieces=pieces) if to_each else tr("{pieces} from each", pieces=pieces)
        reasoned(self.app, f"{bank.called(place)}: {text}", reasons=self._reasons, take=take)

    def _pieces(self, counted: Mapping[Holding, int]) -> str:
        tr = self.app.tr
        parts = [
            tr("{n} × {piece}", n=count, piece=self._said(held.piece)) if count else self._said(held.piece)
            for held, count in counted.items()
        ]
        return ", ".join(parts)

    def _do(self, bank: Bank, moves: Sequence[Move], reason: str, *, again: bool) -> None:
        """All of it, or it is said why not."""
        try:
            why = self.app.evening.correct(moves, reason, again=again)
        except CompanionError as error:
            why = error.text
        if why is not None:
            bank.refuse(self._said(why))

    def _audit(self) -> None:
        deck = self.app.evening.headless.deck
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
        name = self._said(held.piece)
        text = name if held.count in (None, 1) else f"{held.count} × {name}"
        return Key(text=text, name=f"take {held.piece.key}")

    def _journal(self) -> None:
        journal = Journal(self.app.evening.headless.journal())
        overlay = Overlay(journal)
        journal.bind(on_close=overlay.close, on_touched=lambda _, at: self._moves(journal.moves[at]))
        self.app.stage.lay(overlay)

    def _moves(self, moves: Sequence[Say]) -> None:
        """All that moved with one thing: a line may have room for the first few only."""
        close = [("close", self.app.tr("Close"), "brass")]
        pages = Pager(things=[MoveRow(self._said(move)) for move in moves], rows=LINES, look="paper")
        self.app.stage.lay(Leaf(title="", body=pages, answers=close))
