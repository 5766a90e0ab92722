"""Payments and change: which notes go from one purse to another so that an amount is paid.

    limits = [NotePaymentLimits(25, 3, 0), NotePaymentLimits(10, 1, 0), NotePaymentLimits(5, 2, 4)]
    find_fewest_notes(40, limits)  # (1, 1, 1)

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


class NotePaymentLimits(msgspec.Struct, frozen=True):
    """Limits for notes of one value: the most that can be paid, and the most that can come back as change."""

    value: int
    max_paid: int
    max_change: int


def find_fewest_notes(amount: int, note_limits: Sequence[NotePaymentLimits]) -> PaidNoteCounts | None:
    """Returns the fewest notes that pay the amount, in the order given; None if no notes make it.

    Of equally few notes, those with the least change win, then those with the larger notes.
    """
    order = sorted(range(len(note_limits)), key=lambda index: -note_limits[index].value)
    solution = _FewestNotesSearch([note_limits[index] for index in order]).fewest(0, amount)
    if solution is None:
        return None
    counts = dict(zip(order, solution[1], strict=True))
    return tuple([counts[index] for index in range(len(note_limits))])


_Solution = tuple[tuple[int, int], PaidNoteCounts]
"""The number of notes that move and of those that come back as change; then the count of each note."""


class _FewestNotesSearch:
    """Searches for the fewest notes, from the largest note on.

    It tries counts near the remaining amount first, because any other count needs more of the smaller notes.
    """

    def __init__(self, notes: Sequence[NotePaymentLimits]) -> None:
        self._notes = notes
        notes_from_index = [notes[index:] for index in range(len(notes) + 1)]
        self._max_amounts = [
            sum(note.value * note.max_paid for note in notes_left) for notes_left in notes_from_index
        ]
        self._min_amounts = [
            -sum(note.value * note.max_change for note in notes_left) for notes_left in notes_from_index
        ]
        self._divisors = [
            gcd(*[note.value for note in notes_left if note.max_paid or note.max_change])
            for notes_left in notes_from_index
        ]
        self._solution_by_state: dict[tuple[int, int], _Solution | None] = {}

    def fewest(self, index: int, amount: int) -> _Solution | None:
        """Returns the best way to make the amount with the notes from `index` on; None if there is none."""
        if not self._min_amounts[index] <= amount <= self._max_amounts[index] or amount % (
            self._divisors[index] or 1
        ):
            return None
        if index == len(self._notes):
            return (0, 0), ()
        if (index, amount) not in self._solution_by_state:
            self._solution_by_state[index, amount] = self._search_counts(index, amount)
        return self._solution_by_state[index, amount]

    def _search_counts(self, index: int, amount: int) -> _Solution | None:
        best: _Solution | None = None
        for counts_to_try in self._counts_to_try(index, amount):
            for count in counts_to_try:
                remaining_amount = amount - count * self._notes[index].value
                if best and abs(count) + self._min_note_count(index + 1, remaining_amount) > best[0][0]:
                    break  # counts that are farther away move even more notes
                if solution_of_rest := self.fewest(index + 1, remaining_amount):
                    (moved_count, change_count), counts = solution_of_rest
                    solution = (abs(count) + moved_count, max(-count, 0) + change_count), (count, *counts)
                    best = solution if best is None or solution[0] < best[0] else best
        return best

    def _counts_to_try(self, index: int, amount: int) -> tuple[Iterator[int], Iterator[int]]:
        """Returns the counts of this note to try, from the nearest to `amount`: upwards, and downwards."""
        note = self._notes[index]
        low = max(-note.max_change, -((self._max_amounts[index + 1] - amount) // note.value))
        high = min(note.max_paid, (amount - self._min_amounts[index + 1]) // note.value)
        nearest = min(max(-(-amount // note.value), low), high + 1)
        return iter(range(nearest, high + 1)), iter(range(nearest - 1, low - 1, -1))

    def _min_note_count(self, index: int, amount: int) -> int:
        """Returns a lower bound of the number of notes, from `index` on, that make an amount."""
        return -(-abs(amount) // self._notes[index].value) if index < len(self._notes) else 0


CountByNote = dict[Piece, int]
"""A number for each kind of note.

In a stock it is how many can be paid; in a payment, how many are paid or (below zero) come back as change.
"""


class MoneyAtPlace(msgspec.Struct, frozen=True):
    """All money at one place.

    As a limit of a bid it says what can be paid from the place, debts included.
    """

    place: Place
    accounts: tuple[Account, ...]

    @property
    def total_value(self) -> int:
        """The value of the notes here; below zero if money is owed."""
        return sum(account.count * account.piece.money_value for account in self.accounts)

    @property
    def count(self) -> int:
        """The amount of money that can be paid from here now, debts included.

        The name is that of `LiveCount`, so that the money at a place can be a limit.
        """
        if self.is_endless:
            return MAX_NUMBER
        return self.total_value + sum(
            (account.max_debt or 0) * account.piece.money_value for account in self.accounts
        )

    @property
    def is_endless(self) -> bool:
        """True if this place never runs out of money."""
        return any(account.can_go_below_zero for account in self.accounts)

    @property
    def covered(self) -> bool:
        """True if only the owner knows the sum."""
        return any(account.covered for account in self.accounts)


def money_at(ledger: Ledger, place: Place) -> MoneyAtPlace:
    """Returns the money at a place, with one account for each kind of note."""
    account_by_piece = {account.piece: account for account in ledger.accounts_at(place)}
    notes = [piece for piece in ledger.pieces if piece.money_value]
    return MoneyAtPlace(
        place,
        tuple(
            [
                account_by_piece.get(note) or Account(place, note, covered=False, is_card=False)
                for note in notes
            ]
        ),
    )


def plan_payment_moves(ledger: Ledger, source: Place, target: Place, amount: int) -> list[PieceMove]:
    """Returns the moves that pay an amount from one place to another.

    The payee gives change, else the bank, else the rest is owed. The bank is the first place without
    an owner where money lies. Raises `IllegalAnswer` if nobody can change.
    """
    return plan_moves_of_several_payments(ledger, [(source, target, amount)])


def plan_moves_of_several_payments(
    ledger: Ledger, payments: Iterable[tuple[Place, Place, int]]
) -> list[PieceMove]:
    """Returns the moves of several payments in order; each has a source, a target and an amount."""
    moves, planned_change = list[PieceMove](), Counter[tuple[Place, Piece]]()
    for source, target, amount in payments:
        payment = _plan_payment(ledger, planned_change, source, target, amount)
        for move in payment:
            planned_change[move.source, move.piece] -= move.count
            planned_change[move.target, move.piece] += move.count
        moves += payment
    return moves


_PlannedChange = Mapping[tuple[Place, Piece], int]
"""How many notes the moves planned so far add to a place, or (below zero) take away."""


class _PlannedPurse:
    """A purse after the moves planned so far."""

    def __init__(self, ledger: Ledger, place: Place, planned_change: _PlannedChange) -> None:
        money = money_at(ledger, place)
        self.place, self.covered, self.accounts = place, money.covered, money.accounts
        self._planned_change = planned_change
        planned_value = sum(
            self._planned_count(account) * account.piece.money_value for account in money.accounts
        )
        self.held, self.count = money.total_value + planned_value, money.count + planned_value

    def _planned_count(self, account: Account) -> int:
        return self._planned_change.get((account.place, account.piece), 0)

    def stock(self, *, may_owe: bool = False) -> CountByNote:
        """Returns how many of each note can leave, with `may_owe` also as a debt.

        Of covered notes any number counts as available.
        """
        return {
            account.piece: MAX_NUMBER
            if account.can_go_below_zero or account.covered
            else max(0, account.count + self._planned_count(account) + (account.max_debt or 0) * may_owe)
            for account in self.accounts
        }


def _plan_payment(
    ledger: Ledger, planned_change: _PlannedChange, source: Place, target: Place, amount: int
) -> list[PieceMove]:
    payer, payee = (_PlannedPurse(ledger, place, planned_change) for place in (source, target))
    _check_payment(payer, payee, amount)
    bank_places = (each.place for each in ledger if each.piece.money_value and each.place.seat is None)
    bank_place = next(bank_places, source)  # without a bank nobody else gives change
    bank = _PlannedPurse(ledger, bank_place, planned_change)
    for may_owe in (False, True):
        stock = payer.stock(may_owe=may_owe)
        if counts := _choose_notes(amount, stock, payee.stock()):
            return _moves_of_notes(source, target, counts)
        if bank_place in (source, target):
            continue
        if exchange := _choose_notes_through_bank(amount, stock, bank, payee):
            notes_to_bank, notes_from_bank = exchange
            return [
                *_moves_of_notes(source, bank_place, notes_to_bank),
                *_moves_of_notes(bank_place, target, notes_from_bank),
            ]
    raise IllegalAnswer(say("These notes can't add up to {amount}. Change some notes first.", amount=amount))


def _check_payment(payer: _PlannedPurse, payee: _PlannedPurse, amount: int) -> None:
    """Raises `IllegalAnswer` if nothing would be paid, or if the payer has too little."""
    if payer.place == payee.place:
        raise IllegalAnswer(
            say("Nothing can move from {place} to the same place. Choose two places.", place=payer.place)
        )
    if amount < 1:
        raise IllegalAnswer(say("Move at least 1 piece, not {count}.", count=amount))
    if not payer.accounts:
        raise IllegalAnswer(say("There is no money on this table."))
    if not payer.covered and amount > payer.count:
        text = "{place} has only {held}, not {amount}."
        raise IllegalAnswer(say(text, place=payer.place.label_as_owner, held=payer.held, amount=amount))


def _choose_notes(amount: int, payable: CountByNote, returnable: CountByNote) -> CountByNote | None:
    """Returns how many of each note are paid, or (below zero) come back; None if no notes make the amount."""
    counts = find_fewest_notes(
        amount, [NotePaymentLimits(note.money_value, payable[note], returnable[note]) for note in payable]
    )
    return None if counts is None else dict(zip(payable, counts, strict=True))


def _choose_notes_through_bank(
    amount: int, payable: CountByNote, bank: _PlannedPurse, payee: _PlannedPurse
) -> tuple[CountByNote, CountByNote] | None:
    """Returns the notes that the payer pays to the bank, which gives change, and those that it pays on."""
    notes_to_bank = _choose_notes(amount, payable, bank.stock())
    if notes_to_bank is None:
        return None
    bank_stock = {note: min(MAX_NUMBER, count + notes_to_bank[note]) for note, count in bank.stock().items()}
    notes_from_bank = _choose_notes(amount, bank_stock, payee.stock())
    return None if notes_from_bank is None else (notes_to_bank, notes_from_bank)


def _moves_of_notes(source: Place, target: Place, counts: CountByNote) -> list[PieceMove]:
    """Returns a move for each note, from target to source if its count is below zero."""
    return [
        PieceMove(note, source, target, count) if count > 0 else PieceMove(note, target, source, -count)
        for note, count in counts.items()
        if count
    ]
