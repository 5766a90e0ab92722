"""A hand that pays amounts and moves pieces in the bank by touch, as people did in a recorded match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.session.typed_payments import Payment
from companion.table.ledger import Ledger, Place
from companion.table.moves import PieceMove
from ui.app import CompanionApp
from ui.demo.hand import SimulatedFinger
from ui.screens.bank import BankPage
from ui.screens.paying import PayPage
from ui.widgets.keys.pager import Pager


class BankHand:
    """A hand that enters corrections in the bank, in a game whose pieces people may move freely."""

    def __init__(self, app: CompanionApp, finger: SimulatedFinger) -> None:
        self.app, self.finger = app, finger

    async def try_correction(self, moves: Sequence[PieceMove]) -> bool:
        """Makes a correction by touch; returns False if this hand can't make it, and then touches nothing."""
        if not self.app.evening.game.has_free_moves:
            return False
        payment = find_payment(self.app.evening.table.ledger, moves)
        if payment is not None and self._has_tiles_for(payment):
            await self._pay(payment)
            return True
        if len(moves) == 1 and not moves[0].piece.is_marker:
            await self._move_pieces(moves[0])
            return True
        return False

    def _has_tiles_for(self, payment: Payment) -> bool:
        """Returns whether both parties have tiles: one place, or the places of all other players."""
        evening = self.app.evening
        places = [*evening.money_by_place()]
        players = {place for place in places if place.seat in evening.table.captains_in_game}
        return all(
            party[0] in places if len(party) == 1 else {*party} == players - {*other}
            for party, other in ((payment.payers, payment.payees), (payment.payees, payment.payers))
        )

    async def _pay(self, payment: Payment) -> None:
        await self._open_bank()
        await self.finger.tap_buttons("pay", *str(payment.amount))
        page = self._find_page(PayPage)
        for party in (payment.payers, payment.payees):
            tile = next(tile for tile in page.tiles if _is_party_of(tile.party.places, party))
            await self._turn_to_item(page.pager, tile)
            await self.finger.tap_widget(tile)
        await self.finger.tap_buttons("close", "close")

    async def _move_pieces(self, move: PieceMove) -> None:
        await self._open_bank()
        bank = self._find_page(BankPage)
        purse_by_place = {purse.place: purse for purse in bank.purses}
        source, target = purse_by_place[move.source], purse_by_place[move.target]
        await self._turn_to_item(bank.pager, source)
        holding = next(holding for holding in source.holdings if holding.piece == move.piece)
        position = source.centre_of_piece(move.piece.key)
        if position is None:  # people choose a piece without room in its purse from a list
            bank.select_holding(holding)
        else:
            self.finger.press_and_hold(source, position).send_touch_up()
            await self.finger.wait_frames(2)
        await self._turn_to_item(bank.pager, target)
        await self.finger.tap_widget(target)
        if holding.count != 1 or holding.is_endless:
            await self.finger.tap_buttons(*str(move.count), "confirm")
        await self.finger.tap_buttons("close")

    async def _open_bank(self) -> None:
        """Opens the bank with its icon, or from the menu if the icon has no room."""
        bar = self.app.stage.screen.bar
        if "bank" in bar.hidden_icons:
            await self.finger.tap_buttons("more", "bank")
        else:
            await self.finger.tap_widget(self.finger.find_button("bank", bar))

    def _find_page(self, page_class: type[Any]) -> Any:
        return next(page for page in self.finger.walk_widgets_from_top() if isinstance(page, page_class))

    async def _turn_to_item(self, pager: Pager, item: Any) -> None:
        """Turns pages until an item is shown."""
        page = pager.items.index(item) // (pager.cols * pager.rows)
        while pager.page != page:
            await self.finger.tap_widget(pager.next_key if pager.page < page else pager.back_key)


def find_payment(ledger: Ledger, moves: Sequence[PieceMove]) -> Payment | None:
    """Returns the payment of one amount that makes exactly these moves; None if there is none."""
    amounts = Counter[tuple[Place, Place]]()
    for move in moves:
        value = move.piece.money_value * move.count
        amounts[move.source, move.target] += value
        amounts[move.target, move.source] -= value
    paid_amounts = {parties: amount for parties, amount in amounts.items() if amount > 0}
    if len({*paid_amounts.values()}) != 1:
        return None
    payers = tuple(dict.fromkeys(payer for payer, _ in paid_amounts))
    payees = tuple(dict.fromkeys(payee for _, payee in paid_amounts))
    payment = Payment(payers, payees, next(iter(paid_amounts.values())))
    is_payment = min(len(payers), len(payees)) == 1 and payment.piece_moves(ledger) == list(moves)
    return payment if is_payment else None


def _is_party_of(places: Sequence[Place], party: Sequence[Place]) -> bool:
    """Returns whether a tile with these places is the tile of a party: its place, or everybody's."""
    return len(places) > 1 if len(party) > 1 else tuple(places) == tuple(party)
