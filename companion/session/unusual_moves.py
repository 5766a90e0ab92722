"""Finds moves by hand of an unusually large number, so that front ends ask people whether it is right.

Only an endless supply gives such numbers: nobody can move more of anything else than is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.requests.fields import confirm_above
from companion.table.ledger import Account, Ledger, Piece


def find_unusual_number(ledger: Ledger, moves: Iterable[tuple[str, str, str, int]]) -> int | None:
    """Returns the first number that is out of all proportion to what everybody can see; None if none is.

    Each move has the keys of its source, target and piece, and a count. Money is added up for each source
    and target, whatever its pieces are. Raises `UnknownName` if there is no such place or piece.
    """
    numbers: Counter[tuple[str, str, Piece | None]] = Counter()
    for source, target, piece_key, count in moves:
        account = ledger.find_account_by_keys(source, piece_key)
        if account.can_go_below_zero:
            numbers[source, target, _kind(account.piece)] += count * _unit_value(account.piece)
    for (_, _, kind), number in numbers.items():
        accounts = [account for account in ledger if _kind(account.piece) == kind and not account.covered]
        if number > confirm_above(*map(_value, accounts)):
            return number
    return None


def _kind(piece: Piece) -> Piece | None:
    """Returns what is added up together: the piece, or None for all money."""
    return None if piece.is_money else piece


def _unit_value(piece: Piece) -> int:
    return piece.money_value or 1


def _value(account: Account) -> int:
    return account.count * _unit_value(account.piece)
