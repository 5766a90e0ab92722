"""What everybody sees change between two views of a game: moved pieces, and money that is paid.

Sound and motion follow from these values. They come from the views of everybody alone, so they tell nothing
that is sealed or covered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.session.view import Holding, View
from companion.table.ledger import Piece, Place


class PublicMove(NamedTuple):
    """A piece of which everybody sees more or fewer at a place than before."""

    piece: Piece
    place: Place
    difference: int

    @property
    def is_at_seat(self) -> bool:
        """True if the place belongs to a player."""
        return self.place.seat is not None


class VisiblePayment(NamedTuple):
    """Money that everybody sees go from one place to another; `piece` is what the money looks like."""

    payer: Place
    payee: Place
    piece: Piece
    amount: int


def find_public_moves(before: View, after: View) -> Iterator[PublicMove]:
    """Yields what everybody sees move; what was covered before or is covered now moves unseen."""
    unchanged = {*before.holdings} & {*after.holdings}
    earlier, now = (
        _holdings_by_key(holding for holding in view.holdings if holding not in unchanged)
        for view in (before, after)
    )
    for key in dict.fromkeys([*earlier, *now]):
        holding = now.get(key) or earlier[key]
        old_count, new_count = (holdings[key].count if key in holdings else 0 for holdings in (earlier, now))
        if old_count is not None and new_count is not None and old_count != new_count:
            yield PublicMove(holding.piece, holding.place, new_count - old_count)


def find_payments(moves: Iterable[PublicMove]) -> list[VisiblePayment]:
    """Returns who paid whom, by what each place has less and more.

    Notes of several values count together, so that change is no payment of its own. If several places pay
    several others, the views don't tell who paid whom: then the first payer pays the first payee.
    """
    moves = list(moves)
    shown_piece_by_kind = {_money_kind(move.piece): move.piece for move in reversed(moves)}
    return [
        payment
        for kind, amounts in _money_changes_by_kind(moves).items()
        for payment in _pair_payers_and_payees(amounts, shown_piece_by_kind[kind])
    ]


def _money_kind(piece: Piece) -> Piece | None:
    """Returns what money can be added up with: itself if it has no value, else all money with values."""
    return None if piece.money_value else piece


def _money_changes_by_kind(moves: Iterable[PublicMove]) -> dict[Piece | None, dict[Place, int]]:
    amount_by_kind: dict[Piece | None, dict[Place, int]] = {}
    for move in moves:
        if move.piece.is_money:
            amounts = amount_by_kind.setdefault(_money_kind(move.piece), defaultdict(int))
            amounts[move.place] += move.difference * (move.piece.money_value or 1)
    return amount_by_kind


def _pair_payers_and_payees(amounts: dict[Place, int], piece: Piece) -> Iterator[VisiblePayment]:
    due = {place: -amount for place, amount in amounts.items() if amount < 0}
    for payee, amount in amounts.items():
        missing = amount
        for payer, payable in due.items():
            paid = min(payable, missing)
            if paid > 0:
                due[payer] = payable - paid
                missing -= paid
                yield VisiblePayment(payer, payee, piece, paid)


def _holdings_by_key(holdings: Iterable[Holding]) -> dict[tuple[str, str], Holding]:
    """Returns the holdings by the keys of place and piece, which stay the same when a seat is renamed."""
    return {(holding.place.key, holding.piece.key): holding for holding in holdings}
