"""What lies on the table of sealed bids: purses, what was paid, rounds won. It asks nothing."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rulebook import Account, Labelled, Piece, Seat, Table, say, say_n

PURSE, FRONT, BANK, TRACK = say("purse"), say("front"), say("bank"), say("round track")
WON = Piece(
    "round won",
    say("round won"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} round won", "{n} rounds won", n=2),
)
PAID = Piece("paid", say("paid"), is_endless=True, is_marker=True)
ROUND = Piece("round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2))


class Purses:
    """What the seats hold, have paid and have won."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.unit = str(table.options["unit"])
        self.money = money(table.options)
        self.purses = table.account_per_seat(self.money, PURSE)
        self.won = table.account_per_seat(WON, FRONT)
        self.paid = table.account_per_seat(PAID, FRONT)
        self.round = table.account(ROUND, TRACK)
        start = table.options["start"]
        self.counted = isinstance(start, int)
        if isinstance(start, int):
            for purse in self.purses.values():
                table.supply(purse, start)

    def take(self, account: Account, count: int = 1) -> None:
        """Moves pieces from the bank."""
        self.table.move(self.table.account(account.piece, BANK), account, count)

    def pay(self, seat: Seat, amount: int) -> None:
        """Moves the money where there are purses, as far as they go, and notes it."""
        paid, bank = amount, self.table.account(self.money, BANK)
        if self.counted:
            paid = self.table.move_up_to(self.purses[seat], bank, amount)
        if paid < amount:
            self.table.add_note(say("{seat} can pay only {amount}.", seat=seat, amount=self.sum(paid)))
        self.take(self.paid[seat], paid)

    def sum(self, amount: int) -> Labelled | int:
        """An amount as people say it."""
        return say("{amount} {unit}", amount=amount, unit=self.unit) if self.unit else amount


def money(options: Mapping[str, str | int | None]) -> Piece:
    """A coin, or what the table calls it."""
    unit = options["unit"]
    if unit:
        label, counted = say("{unit}", unit=str(unit)), say("{n} {unit}", n=2, unit=str(unit))
        return Piece("money", label, is_endless=True, count_label=counted)
    return Piece("money", say("coin"), is_endless=True, count_label=say_n("{n} coin", "{n} coins", n=2))
