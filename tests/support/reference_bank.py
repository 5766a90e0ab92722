"""The bank of Any Game as bare arithmetic, without any of the program's own code: what acts make of sums.

Seats are 0, 1, 2; POT is the only other place, BANK may run out or not. Nothing is asked here: an act says
what people answer where somebody can't pay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

SEATS = 3
START, INCOME, SALARY, INTEREST = 60, 3, 20, 15
SHARES, TRACK = 4, (5, 8, 12, 17)
POT, BANK = "pot", "bank"
Place = int | str


@dataclass(frozen=True)
class Books:
    """What everybody has: money, loans, shares in each of two companies, and the steps of their prices.

    `inside` are those who have not left for good; `bank` is what the bank has, None if there is always more.
    The last fields are the rules of the template; `broken` says whether the bank was declared broken.
    """

    money: tuple[int, ...] = (START,) * SEATS
    pot: int = 0
    loans: tuple[int, ...] = (0,) * SEATS
    shares: tuple[tuple[int, ...], ...] = ((0,) * SEATS,) * 2
    steps: tuple[int, ...] = (1, 2)
    treasuries: tuple[int, ...] = (0, 0)
    inside: tuple[int, ...] = tuple(range(SEATS))
    bank: int | None = None
    broken: bool = False
    empty_bank: str = "ask"
    debts: int = 0
    percentage_rounding: str = "down"
    interest_rounding: str = "up"
    dividend: str = "share"
    dividend_rounding: str = "down"
    half_pay: str = "no"

    def money_at(self, place: Place) -> int | None:
        """What lies there; None: there is always more."""
        if isinstance(place, int):
            return self.money[place]
        return self.pot if place == POT else self.bank

    def with_money_added(self, place: Place, amount: int) -> Books:
        """So much more there, or less below 0."""
        if isinstance(place, int):
            return replace(self, money=with_number_added(self.money, place, amount))
        if place == POT:
            return replace(self, pot=self.pot + amount)
        if self.bank is None:
            return self
        left = self.bank + amount
        return replace(self, bank=left, broken=self.broken or (left < 0 and self.empty_bank == "broken"))

    def can_pay(self, place: Place, amount: int) -> bool:
        """Whether so much can be paid from there."""
        most = self.largest_payment_from(place)
        return most is None or most >= amount

    def largest_payment_from(self, place: Place) -> int | None:
        """What can be paid from there, debts included; None: there is always more."""
        there = self.money_at(place)
        if there is None or (place == BANK and self.empty_bank == "broken"):
            return None
        return there + (self.debts if isinstance(place, int) else 0)

    def total(self, seat: int) -> int:
        """Money, and shares at their prices, less what is owed."""
        shares = sum(self.shares[one][seat] * self.price(one) for one in range(len(self.shares)))
        return self.money[seat] + shares - self.loans[seat]

    def price(self, company: int) -> int:
        """What a share costs."""
        return TRACK[self.steps[company] - 1]

    def bank_shares(self, company: int) -> int:
        """The shares that the bank has."""
        return SHARES - sum(self.shares[company])


def with_number_added(numbers: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    """Returns the numbers with one of them more or less."""
    return tuple(number + by * (index == at) for index, number in enumerate(numbers))


def divide_and_round(count: int, divisor: int, word: str) -> int:
    """The quotient as a whole number; exactly a half is rounded up by "nearest"."""
    if word == "nearest":
        count, divisor = 2 * count + divisor, 2 * divisor
    return -(-count // divisor) if word == "up" else count // divisor


def payable_part(books: Books, source: Place, amount: int, *, part: bool) -> int:
    """What is paid of an amount: all of it, or else a part or nothing, as people or the bank's rule say."""
    most = books.largest_payment_from(source)
    if most is None or most >= amount:
        return amount
    if source == BANK and books.empty_bank != "ask":
        part = books.empty_bank == "part"
    return max(0, most) if part else 0


def pay(books: Books, source: Place, target: Place, amount: int, *, part: bool) -> Books:
    """So much from there to there; where there is less, all of it or nothing."""
    amount = payable_part(books, source, amount, part=part)
    return books.with_money_added(source, -amount).with_money_added(target, amount)


def pay_each(books: Books, source: Place, targets: Sequence[int], each: int, *, part: bool) -> Books:
    """So much to each of them; where it isn't there for all, as much of what is there, or nothing."""
    if source == BANK and books.empty_bank == "part":
        return pay_in_proportion(books, [(seat, each) for seat in targets])
    if not books.can_pay(source, each * len(targets)):
        each = payable_part(books, source, each * len(targets), part=part) // len(targets)
    for seat in targets:
        books = books.with_money_added(source, -each).with_money_added(seat, each)
    return books


def pay_in_proportion(books: Books, dues: Sequence[tuple[int, int]]) -> Books:
    """Pays what the bank owes; if it has less, each their part of it, and what is left over coin by coin."""
    due = sum(amount for _, amount in dues)
    there = due if books.bank is None else min(due, max(0, books.bank))
    parts = [there * amount // due if due else 0 for _, amount in dues]
    for at, (_, amount) in enumerate(dues):
        if sum(parts) < there and parts[at] < amount:
            parts[at] += 1
    for (seat, _), part in zip(dues, parts, strict=True):
        books = books.with_money_added(BANK, -part).with_money_added(seat, part)
    return books


@dataclass(frozen=True)
class Act:
    """What happens at the table."""

    def apply_to(self, books: Books) -> Books:
        """The books after it."""
        raise NotImplementedError


@dataclass(frozen=True)
class Pay(Act):
    """One pays another."""

    source: Place
    payee: Place
    amount: int
    part: bool = False

    def apply_to(self, books: Books) -> Books:
        """All of it, or what people say."""
        return pay(books, self.source, self.payee, self.amount, part=self.part)


@dataclass(frozen=True)
class AllPay(Act):
    """Everybody pays somebody so much."""

    payee: int
    amount: int
    part: bool = False

    def apply_to(self, books: Books) -> Books:
        """One after the other."""
        for seat in books.inside:
            if seat != self.payee:
                books = pay(books, seat, self.payee, self.amount, part=self.part)
        return books


@dataclass(frozen=True)
class PayAll(Act):
    """Somebody, or the bank, pays everybody else so much, all of it."""

    source: Place
    amount: int

    def apply_to(self, books: Books) -> Books:
        """One after the other."""
        for seat in books.inside:
            if seat != self.source:
                books = books.with_money_added(self.source, -self.amount).with_money_added(seat, self.amount)
        return books


@dataclass(frozen=True)
class AllPayPercent(Act):
    """Everybody pays somebody, or into the pot, so much of a hundred of what they have then."""

    payee: Place
    percent: int

    def apply_to(self, books: Books) -> Books:
        """Rounded as the template says; who owes money pays nothing."""
        for seat in books.inside:
            if seat != self.payee:
                held = max(0, books.money[seat])
                amount = divide_and_round(held * self.percent, 100, books.percentage_rounding)
                books = books.with_money_added(seat, -amount).with_money_added(self.payee, amount)
        return books


@dataclass(frozen=True)
class Leave(Act):
    """Somebody leaves for good, with all they have."""

    seat: int

    def apply_to(self, books: Books) -> Books:
        """Nobody means them by everybody."""
        return replace(books, inside=tuple(one for one in books.inside if one != self.seat))


@dataclass(frozen=True)
class ShareOut(Act):
    """Somebody shares an amount evenly among the others; the rest stays."""

    source: int
    amount: int

    def apply_to(self, books: Books) -> Books:
        """Or as much of what is there."""
        others = [seat for seat in books.inside if seat != self.source]
        return pay_each(books, self.source, others, self.amount // len(others), part=True)


@dataclass(frozen=True)
class Salary(Act):
    """The bank pays a seat."""

    seat: int

    def apply_to(self, books: Books) -> Books:
        """Or what the bank has."""
        return pay(books, BANK, self.seat, SALARY, part=True)


@dataclass(frozen=True)
class PayOutPot(Act):
    """All in the pot goes to these seats evenly; the rest stays."""

    seats: tuple[int, ...]

    def apply_to(self, books: Books) -> Books:
        """A share each."""
        each = books.pot // len(self.seats)
        for seat in self.seats:
            books = books.with_money_added(POT, -each).with_money_added(seat, each)
        return books


@dataclass(frozen=True)
class Borrow(Act):
    """A seat borrows; below 0 it pays back."""

    seat: int
    amount: int

    def apply_to(self, books: Books) -> Books:
        """What is held and what is owed go together."""
        loans = with_number_added(books.loans, self.seat, self.amount)
        return replace(
            books.with_money_added(BANK, -self.amount).with_money_added(self.seat, self.amount), loans=loans
        )


@dataclass(frozen=True)
class PlayRound(Act):
    """Income, then interest, of which everybody pays at least a part."""

    def apply_to(self, books: Books) -> Books:
        """Interest is rounded as the template says."""
        books = pay_each(books, BANK, books.inside, INCOME, part=True)
        for seat in books.inside:
            interest = divide_and_round(books.loans[seat] * INTEREST, 100, books.interest_rounding)
            books = pay(books, seat, BANK, interest, part=True)
        return books


@dataclass(frozen=True)
class Trade(Act):
    """A seat buys so many shares, or below 0 sells them."""

    seat: int
    company: int
    count: int

    def apply_to(self, books: Books) -> Books:
        """At the price of now; a bank that can't pay all takes none."""
        shares = list(books.shares)
        shares[self.company] = with_number_added(shares[self.company], self.seat, self.count)
        cost = self.count * books.price(self.company)
        if not books.can_pay(BANK, -cost):
            return books
        return replace(
            books.with_money_added(self.seat, -cost).with_money_added(BANK, cost), shares=tuple(shares)
        )


@dataclass(frozen=True)
class Dividend(Act):
    """What a company earns, a share or in all: to whoever holds shares, to the treasury, or half to each."""

    company: int
    amount: int
    whose: str = "holders"

    def apply_to(self, books: Books) -> Books:
        """Shares in the bank get nothing."""
        total = self.amount * (1 if books.dividend == "total" else SHARES)
        if self.whose == "kept":
            return self._keep(books, total)
        half = min(divide_and_round(total, 2 * SHARES, books.half_pay), total // SHARES)
        counts = books.shares[self.company]
        dues = [
            half * count
            if self.whose == "half"
            else divide_and_round(total * count, SHARES, books.dividend_rounding)
            for count in counts
        ]
        if books.empty_bank == "part":
            books = pay_in_proportion(books, list(enumerate(dues)))
        else:
            for seat, due in enumerate(dues):
                books = pay(books, BANK, seat, due, part=True)
        return self._keep(books, total - half * SHARES) if self.whose == "half" else books

    def _keep(self, books: Books, amount: int) -> Books:
        """So much to the treasury, or what the bank has."""
        kept = payable_part(books, BANK, amount, part=True)
        treasuries = with_number_added(books.treasuries, self.company, kept)
        return replace(books.with_money_added(BANK, -kept), treasuries=treasuries)


@dataclass(frozen=True)
class SetPrice(Act):
    """A price goes to a step."""

    company: int
    step: int

    def apply_to(self, books: Books) -> Books:
        """Up or down."""
        return replace(
            books, steps=with_number_added(books.steps, self.company, self.step - books.steps[self.company])
        )


@dataclass(frozen=True)
class SellAll(Act):
    """Everybody who is in the game sells everything."""

    def apply_to(self, books: Books) -> Books:
        """One company after the other, as far as the bank can pay for all that somebody has of it."""
        for seat in books.inside:
            for company in range(len(books.shares)):
                books = Trade(seat, company, -books.shares[company][seat]).apply_to(books)
        return books
