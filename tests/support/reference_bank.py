"""A reference implementation of Any Game's bank, as plain arithmetic without any code of the program.

Seats are 0, 1, 2; POT is the only other place, BANK may run out or not. Nothing is asked: each act has a
field for what people answer if somebody can't pay.
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
    """The sums at the table: money, loans, shares in each of two companies, and the steps of their prices.

    `inside` are the seats that have not left for good; `bank` is None if the bank never runs out.
    """

    money: tuple[int, ...] = (START,) * SEATS
    pot: int = 0
    loans: tuple[int, ...] = (0,) * SEATS
    shares: tuple[tuple[int, ...], ...] = ((0,) * SEATS,) * 2
    steps: tuple[int, ...] = (1, 2)
    treasuries: tuple[int, ...] = (0, 0)
    inside: tuple[int, ...] = tuple(range(SEATS))
    bank: int | None = None

    def money_at(self, place: Place) -> int | None:
        """Returns the money at a place; None if it never runs out."""
        if isinstance(place, int):
            return self.money[place]
        return self.pot if place == POT else self.bank

    def with_money_added(self, place: Place, amount: int) -> Books:
        """Returns the books with an amount added at a place, or removed if it is negative."""
        if isinstance(place, int):
            return replace(self, money=with_number_added(self.money, place, amount))
        if place == POT:
            return replace(self, pot=self.pot + amount)
        return self if self.bank is None else replace(self, bank=self.bank + amount)

    def has(self, place: Place, amount: int) -> bool:
        """Whether a place has at least this amount."""
        available = self.money_at(place)
        return available is None or available >= amount

    def total(self, seat: int) -> int:
        """Returns a seat's money and shares at their prices, minus its loans."""
        shares = sum(self.shares[one][seat] * self.price(one) for one in range(len(self.shares)))
        return self.money[seat] + shares - self.loans[seat]

    def price(self, company: int) -> int:
        """Returns the price of a share."""
        return TRACK[self.steps[company] - 1]

    def bank_shares(self, company: int) -> int:
        """Returns the number of shares that the bank has."""
        return SHARES - sum(self.shares[company])


def with_number_added(numbers: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    """Returns the numbers with `by` added to one of them."""
    return tuple(number + by * (index == at) for index, number in enumerate(numbers))


def pay(books: Books, source: Place, target: Place, amount: int, *, part: bool) -> Books:
    """Pays an amount; if the source has less, it pays all it has (`part`) or nothing."""
    available = books.money_at(source)
    if available is not None and available < amount:
        amount = available if part else 0
    return books.with_money_added(source, -amount).with_money_added(target, amount)


def pay_each(books: Books, source: Place, targets: Sequence[int], each: int, *, part: bool) -> Books:
    """Pays an amount to each target; if the source has too little, equal parts of it (`part`) or nothing."""
    if not books.has(source, each * len(targets)):
        each = (books.money_at(source) or 0) // len(targets) if part else 0
    for seat in targets:
        books = books.with_money_added(source, -each).with_money_added(seat, each)
    return books


@dataclass(frozen=True)
class Act:
    """An event at the table."""

    def apply_to(self, books: Books) -> Books:
        """Returns the books after the act."""
        raise NotImplementedError


@dataclass(frozen=True)
class Pay(Act):
    """A place pays another place."""

    source: Place
    payee: Place
    amount: int
    part: bool = False

    def apply_to(self, books: Books) -> Books:
        """Pays all of it, or what people decide."""
        return pay(books, self.source, self.payee, self.amount, part=self.part)


@dataclass(frozen=True)
class AllPay(Act):
    """Everybody pays an amount to one seat."""

    payee: int
    amount: int
    part: bool = False

    def apply_to(self, books: Books) -> Books:
        """Pays one seat after the other."""
        for seat in books.inside:
            if seat != self.payee:
                books = pay(books, seat, self.payee, self.amount, part=self.part)
        return books


@dataclass(frozen=True)
class PayAll(Act):
    """A seat or the bank pays an amount to everybody else, always in full."""

    source: Place
    amount: int

    def apply_to(self, books: Books) -> Books:
        """Pays one seat after the other."""
        for seat in books.inside:
            if seat != self.source:
                books = books.with_money_added(self.source, -self.amount).with_money_added(seat, self.amount)
        return books


@dataclass(frozen=True)
class AllPayPercent(Act):
    """Everybody pays a percentage of their current money to a seat or into the pot."""

    payee: Place
    percent: int

    def apply_to(self, books: Books) -> Books:
        """Rounds each payment down."""
        for seat in books.inside:
            if seat != self.payee:
                amount = books.money[seat] * self.percent // 100
                books = books.with_money_added(seat, -amount).with_money_added(self.payee, amount)
        return books


@dataclass(frozen=True)
class Leave(Act):
    """A seat leaves for good, with all it has."""

    seat: int

    def apply_to(self, books: Books) -> Books:
        """Removes the seat from those that "everybody" means."""
        return replace(books, inside=tuple(one for one in books.inside if one != self.seat))


@dataclass(frozen=True)
class ShareOut(Act):
    """A seat shares an amount evenly among the others; the rest stays."""

    source: int
    amount: int

    def apply_to(self, books: Books) -> Books:
        """Shares as much as the seat has."""
        others = [seat for seat in books.inside if seat != self.source]
        return pay_each(books, self.source, others, self.amount // len(others), part=True)


@dataclass(frozen=True)
class Salary(Act):
    """The bank pays a seat its salary."""

    seat: int

    def apply_to(self, books: Books) -> Books:
        """Pays the salary, or what the bank has."""
        return pay(books, BANK, self.seat, SALARY, part=True)


@dataclass(frozen=True)
class PayOutPot(Act):
    """The pot is shared evenly among these seats; the rest stays."""

    seats: tuple[int, ...]

    def apply_to(self, books: Books) -> Books:
        """Pays each seat its share."""
        each = books.pot // len(self.seats)
        for seat in self.seats:
            books = books.with_money_added(POT, -each).with_money_added(seat, each)
        return books


@dataclass(frozen=True)
class Borrow(Act):
    """A seat borrows an amount, or pays back if it is negative."""

    seat: int
    amount: int

    def apply_to(self, books: Books) -> Books:
        """Changes money and loan together."""
        loans = with_number_added(books.loans, self.seat, self.amount)
        return replace(
            books.with_money_added(BANK, -self.amount).with_money_added(self.seat, self.amount), loans=loans
        )


@dataclass(frozen=True)
class PlayRound(Act):
    """A round passes: income for everybody, then interest on the loans, paid as far as possible."""

    def apply_to(self, books: Books) -> Books:
        """Rounds interest up."""
        books = pay_each(books, BANK, books.inside, INCOME, part=True)
        for seat in books.inside:
            books = pay(books, seat, BANK, (books.loans[seat] * INTEREST + 99) // 100, part=True)
        return books


@dataclass(frozen=True)
class Trade(Act):
    """A seat buys shares, or sells them if `count` is negative."""

    seat: int
    company: int
    count: int

    def apply_to(self, books: Books) -> Books:
        """Trades at the current price; a bank that can't pay for all buys none."""
        shares = list(books.shares)
        shares[self.company] = with_number_added(shares[self.company], self.seat, self.count)
        cost = self.count * books.price(self.company)
        if not books.has(BANK, -cost):
            return books
        return replace(
            books.with_money_added(self.seat, -cost).with_money_added(BANK, cost), shares=tuple(shares)
        )


@dataclass(frozen=True)
class Dividend(Act):
    """A company pays an amount per share to the shareholders, or all of it to its treasury (`kept`)."""

    company: int
    amount: int
    kept: bool = False

    def apply_to(self, books: Books) -> Books:
        """Pays nothing for shares in the bank."""
        if self.kept:
            earned = self.amount * SHARES
            if not books.has(BANK, earned):
                earned = books.bank or 0
            treasuries = with_number_added(books.treasuries, self.company, earned)
            return replace(books.with_money_added(BANK, -earned), treasuries=treasuries)
        for seat in range(SEATS):
            books = pay(books, BANK, seat, self.amount * books.shares[self.company][seat], part=True)
        return books


@dataclass(frozen=True)
class SetPrice(Act):
    """A share price moves to a step."""

    company: int
    step: int

    def apply_to(self, books: Books) -> Books:
        """Sets the step of the price."""
        return replace(
            books, steps=with_number_added(books.steps, self.company, self.step - books.steps[self.company])
        )


@dataclass(frozen=True)
class SellAll(Act):
    """Everybody who is in the game sells all shares."""

    def apply_to(self, books: Books) -> Books:
        """Sells one company after the other, if the bank can pay for all shares that a seat has of it."""
        for seat in books.inside:
            for company in range(len(books.shares)):
                books = Trade(seat, company, -books.shares[company][seat]).apply_to(books)
        return books
