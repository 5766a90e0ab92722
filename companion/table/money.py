"""Payments and change: which notes go from one purse to another so that an amount is paid.

    limits = [NoteLimits(25, 3, 0), NoteLimits(10, 1, 0), NoteLimits(5, 2, 4), NoteLimits(1, 0, 9)]
    find_fewest_notes(37, limits)  # (1, 1, 1, -3)

The functions move nothing: they return the moves of one correction or payment. A piece is money if it has
a `money_value`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd

import msgspec

from companion.bounds import MAX_NUMBER
from companion.errors import IllegalAnswer
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.moves import PieceMove
from companion.texts import say

PaidNoteCounts = tuple[int, ...]
"""How many notes of each value are paid.

A negative number of notes comes back as change.
"""


class NoteLimits(msgspec.Struct, frozen=True):
    """Limits for notes of one value: the most that can be paid, and the most that can come back as change."""

    value: int
    max_paid: int
    max_change: int


def find_fewest_notes(amount: int, note_limits: Sequence[NoteLimits]) -> PaidNoteCounts | None:
    """Returns the fewest notes that pay the amount, in the order given; None if no notes make it.

    Among equals, the one with the least change wins, then the one with the larger notes.
    """
    order = sorted(range(len(note_limits)), key=lambda at: -note_limits[at].value)
    found = _Search([note_limits[at] for at in order]).fewest(0, amount)
    if found is None:
        return None
    counts = dict(zip(order, found[1], strict=True))
    return tuple([counts[at] for at in range(len(note_limits))])


_Found = tuple[tuple[int, int], PaidNoteCounts]
"""The number of notes that move and of those that come back as change; then the count of each note."""


class _Search:
    """Searches counts of notes, from the largest note on.

    Counts stay near what the larger notes leave: each note more or less costs more of the smaller ones.
    """

    def __init__(self, notes: Sequence[NoteLimits]) -> None:
        self._notes = notes
        rest = [notes[at:] for at in range(len(notes) + 1)]
        self._most = [sum(one.value * one.max_paid for one in some) for some in rest]
        self._least = [-sum(one.value * one.max_change for one in some) for some in rest]
        self._grid = [gcd(*[one.value for one in some if one.max_paid or one.max_change]) for some in rest]
        self._known: dict[tuple[int, int], _Found | None] = {}

    def fewest(self, at: int, amount: int) -> _Found | None:
        """The best way to make the amount with the notes from this one on."""
        if not self._least[at] <= amount <= self._most[at] or amount % (self._grid[at] or 1):
            return None
        if at == len(self._notes):
            return (0, 0), ()
        if (at, amount) not in self._known:
            self._known[at, amount] = self._best(at, amount)
        return self._known[at, amount]

    def _best(self, at: int, amount: int) -> _Found | None:
        best: _Found | None = None
        for ways in self._ways(at, amount):
            for many in ways:
                left = amount - many * self._notes[at].value
                if best and abs(many) + self._bound(at + 1, left) > best[0][0]:
                    break  # farther off only more of them move
                if rest := self.fewest(at + 1, left):
                    (moved, back), counts = rest
                    found = (abs(many) + moved, max(-many, 0) + back), (many, *counts)
                    best = found if best is None or found[0] < best[0] else best
        return best

    def _ways(self, at: int, amount: int) -> tuple[Iterator[int], Iterator[int]]:
        """Counts of this note to try, from the nearest to `amount`: upwards, and downwards."""
        note = self._notes[at]
        low = max(-note.max_change, -((self._most[at + 1] - amount) // note.value))
        high = min(note.max_paid, (amount - self._least[at + 1]) // note.value)
        near = min(max(-(-amount // note.value), low), high + 1)
        return iter(range(near, high + 1)), iter(range(near - 1, low - 1, -1))

    def _bound(self, at: int, amount: int) -> int:
        """Fewest notes, from this one on, that can make an amount."""
        return -(-abs(amount) // self._notes[at].value) if at < len(self._notes) else 0


AvailableNoteCounts = dict[Piece, int]
"""The number of each note that can be paid."""


class MoneyAtPlace(msgspec.Struct, frozen=True):
    """All money at one place.

    As a limit of a bid it says what can be paid from the place, debts included.
    """

    place: Place
    accounts: tuple[Account, ...]

    @property
    def total_value(self) -> int:
        """The value of the notes here; below zero if money is owed."""
        return sum(one.count * one.piece.money_value for one in self.accounts)

    @property
    def count(self) -> int:
        """The most that can be paid from here now, debts included."""
        if self.is_endless:
            return MAX_NUMBER
        return self.total_value + sum((one.max_debt or 0) * one.piece.money_value for one in self.accounts)

    @property
    def is_endless(self) -> bool:
        """True if this place never runs out of money."""
        return any(one.can_go_below_zero for one in self.accounts)

    @property
    def covered(self) -> bool:
        """True if only the owner knows the sum."""
        return any(one.covered for one in self.accounts)


def money_at(ledger: Ledger, place: Place) -> MoneyAtPlace:
    """Returns the money at a place, with one account for each kind of note."""
    there = {one.piece: one for one in ledger.accounts_at(place)}
    notes = [piece for piece in ledger.pieces if piece.money_value]
    return MoneyAtPlace(place, tuple([there.get(note) or _empty(place, note) for note in notes]))


def _empty(place: Place, note: Piece) -> Account:
    return Account(place, note, covered=False, is_card=False)


def payment_moves(ledger: Ledger, source: Place, target: Place, amount: int) -> list[PieceMove]:
    """Returns the moves that pay an amount from one place to another.

    The payee gives change, else the bank, else the rest is owed. The bank is the first place without
    an owner where money lies. Raises `IllegalAnswer` if nobody can change.
    """
    return plan_moves_for_payments(ledger, [(source, target, amount)])


def plan_moves_for_payments(ledger: Ledger, payments: Iterable[tuple[Place, Place, int]]) -> list[PieceMove]:
    """Returns the moves of payments in turn; each has a source, a target and an amount."""
    moves, moved = list[PieceMove](), Counter[tuple[Place, Piece]]()
    for source, target, amount in payments:
        giver, taker = (_Till(money_at(ledger, place), moved) for place in (source, target))
        made = _paid(ledger, giver, taker, amount)
        for one in made:
            moved[one.source, one.piece] -= one.count
            moved[one.target, one.piece] += one.count
        moves += made
    return moves


class _Till:
    """A purse after the moves planned so far."""

    def __init__(self, money: MoneyAtPlace, moved: Mapping[tuple[Place, Piece], int]) -> None:
        self.place, self.covered, self.accounts = money.place, money.covered, money.accounts
        self._moved = moved
        more = sum(self._more(one) * one.piece.money_value for one in money.accounts)
        self.held, self.count = money.total_value + more, money.count + more

    def _more(self, one: Account) -> int:
        return self._moved.get((one.place, one.piece), 0)

    def stock(self, *, owing: bool = False) -> AvailableNoteCounts:
        """Returns how many of each note can leave; covered notes count as available."""
        return {
            one.piece: MAX_NUMBER
            if one.can_go_below_zero or one.covered
            else max(0, one.count + self._more(one) + (one.max_debt or 0) * owing)
            for one in self.accounts
        }


def _paid(ledger: Ledger, giver: _Till, taker: _Till, amount: int) -> list[PieceMove]:
    _check(giver, taker, amount)
    bank = next(one.place for one in ledger if one.piece.money_value and one.place.seat is None)
    till = _Till(money_at(ledger, bank), giver._moved)  # noqa: SLF001 - one of us
    for owing in (False, True):
        stock = giver.stock(owing=owing)
        if counts := _made(amount, stock, taker.stock()):
            return _moves(giver.place, taker.place, counts)
        if bank not in (giver.place, taker.place) and (ways := _changed(amount, stock, till, taker)):
            swap, on = ways
            return [*_moves(giver.place, bank, swap), *_moves(bank, taker.place, on)]
    raise IllegalAnswer(say("These notes can't add up to {amount}. Change some notes first.", amount=amount))


def _check(giver: _Till, taker: _Till, amount: int) -> None:
    """Raises `IllegalAnswer` if this is no payment, or if the payer has too little."""
    if giver.place == taker.place:
        raise IllegalAnswer(say("Nothing can move from {place} to the same place.", place=giver.place))
    if amount < 1:
        raise IllegalAnswer(say("Move at least 1 piece, not {count}.", count=amount))
    if not giver.accounts:
        raise IllegalAnswer(say("There is no money on this table."))
    if not giver.covered and amount > giver.count:
        text = "{place} has only {held}, not {amount}."
        raise IllegalAnswer(say(text, place=giver.place.owner_label, held=giver.held, amount=amount))


def _made(amount: int, given: AvailableNoteCounts, back: AvailableNoteCounts) -> AvailableNoteCounts | None:
    """Returns how many of each note are paid, or (below zero) come back."""
    counts = find_fewest_notes(
        amount, [NoteLimits(note.money_value, given[note], back[note]) for note in given]
    )
    return None if counts is None else dict(zip(given, counts, strict=True))


def _changed(
    amount: int, stock: AvailableNoteCounts, bank: _Till, taker: _Till
) -> tuple[AvailableNoteCounts, AvailableNoteCounts] | None:
    """Returns how the payer pays the bank, which gives change, and how the bank pays on."""
    swap = _made(amount, stock, bank.stock())
    if swap is None:
        return None
    after = {note: min(MAX_NUMBER, count + swap[note]) for note, count in bank.stock().items()}
    paid = _made(amount, after, taker.stock())
    return None if paid is None else (swap, paid)


def _moves(source: Place, target: Place, counts: AvailableNoteCounts) -> list[PieceMove]:
    """Each note there or back."""
    return [
        PieceMove(note, source, target, count) if count > 0 else PieceMove(note, target, source, -count)
        for note, count in counts.items()
        if count
    ]
