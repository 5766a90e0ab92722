"""What a template lays on the table of Any Game: pieces, purses, a bank, categories of points, and markers.

It asks nobody anything; what people want is told by `any_game`.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.any_game.printed import DECK, kind_of, named, number, rules_of, word
from companion.rulebook import BOX, NO_PURSES, Account, Design, Piece, Seat, Table, say

PLAIN = "plain"
"""What a piece is painted in that has no colour."""
PURSE, FRONT, BANK, TRACK = say("purse"), say("front"), say("bank"), say("round track")
START = Piece("start player", say("start player"), mark=True)
ROUND = Piece("round", say("round"), endless=True, mark=True)
LOT = Piece("lot", say("lot"), endless=True, mark=True)


class Category:
    """Points of one kind: those gained and those lost, as no place holds less than nothing."""

    def __init__(self, table: Table, printed: Design) -> None:
        self.label = named(printed)
        gained, lost = points(printed)
        self.gained, self.lost = table.each(gained, FRONT), table.each(lost, FRONT)
        self._table = table

    def add(self, seat: Seat, points: int) -> None:
        """Notes points gained or lost; one makes up for the other, so that what lies there is the net."""
        mine, other = (self.gained, self.lost) if points > 0 else (self.lost, self.gained)
        back = min(abs(points), other[seat].count)
        self._table.unmark(other[seat], back)
        self._table.mark(mine[seat], abs(points) - back)

    def of(self, seat: Seat) -> int:
        """The points of a seat."""
        return self.gained[seat].count - self.lost[seat].count


class Laid:
    """What the template has laid on the table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        deck = table.deck(DECK)
        self.rules = rules_of(deck)
        self.pieces = {piece(one): one for one in kind_of(deck, "piece")}
        self.categories = [Category(table, one) for one in kind_of(deck, "category")]
        self.purses = {one: table.each(one, PURSE) for one in self.pieces}
        self.banks = {one: table.account(one, BANK) for one in self.pieces}
        for one, printed in self.pieces.items():
            table.lay(self.banks[one], number(printed, "supply"))
            for purse in self.purses[one].values():
                table.lay(purse, number(printed, "start"))
        self.round, self.lot = table.account(ROUND, TRACK), table.account(LOT, TRACK)
        self.starts = table.each(START, FRONT)
        table.lay(table.account(START, BOX))

    @property
    def money(self) -> Piece:
        """The first piece, in which bids are made and paid; ask only where there are `pieces`."""
        return next(iter(self.pieces))

    @property
    def most(self) -> int | None:
        """The table's own limit of every bid."""
        most = self.table.options["most"]
        return most if isinstance(most, int) else None

    @property
    def paid_from(self) -> Mapping[Seat, Account]:
        """The purses that limit and pay bids; none where nobody pays."""
        return NO_PURSES if self.table.options["pays"] == "nobody" else self.purses[self.money]

    @property
    def start(self) -> Seat | None:
        """The start player, if there is one."""
        return self.table.who_has(self.starts)

    def appoint(self, seat: Seat) -> None:
        """The marker goes to a seat, wherever it lies."""
        self.table.bring(self.starts[seat])

    def pay(self, seat: Seat, amount: int) -> None:
        """A bid is paid to the bank, as far as the purse goes: pieces may have been moved since."""
        paid = self.table.move_up_to(self.purses[self.money][seat], self.banks[self.money], amount)
        text = "{seat} pays {amount}." if paid == amount else "{seat} can pay only {amount}."
        self.table.tell(say(text, seat=seat, amount=paid))

    def worth(self, one: Piece, seat: Seat) -> int:
        """What a seat's pieces of one kind count."""
        return self.purses[one][seat].count * number(self.pieces[one], "worth")

    def total(self, seat: Seat) -> int:
        """Pieces and points."""
        return sum(self.worth(one, seat) for one in self.pieces) + sum(
            one.of(seat) for one in self.categories
        )


def points(printed: Design) -> tuple[Piece, Piece]:
    """The marks of points gained and of points lost."""
    label = named(printed)
    gained = Piece(printed.id, label, endless=True, mark=True)
    return gained, Piece(f"{printed.id} lost", say("{points} lost", points=label), endless=True, mark=True)


def piece(printed: Design) -> Piece:
    """A piece of the template; one whose bank has no limit may be owed."""
    colour = word(printed, "colour", PLAIN)
    return Piece(
        printed.id,
        named(printed),
        endless=not number(printed, "supply"),
        look=word(printed, "look", "coin"),
        colour="" if colour == PLAIN else colour,
    )
