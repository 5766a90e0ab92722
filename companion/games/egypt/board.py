"""Egypt's table: cards, daughters and marks, and the sums that can be read off them. It asks nothing."""

from __future__ import annotations

from companion.rulebook import BOX, Piece, Place, Seat, Table, say, say_n

CHIPS = range(4, 14)
CARDS_IN_ALL = 85
CARDS_A_POINT = 3

HAND, FRONT, MARKET = say("hand"), say("front"), say("market")
BANK, TRACK = say("bank"), say("round track")

CARD = Piece("card", say("card"), count_label=say_n("{n} card", "{n} cards", n=2))
CHIP = {number: Piece(f"chip {number}", say("daughter {number}", number=number)) for number in CHIPS}
POINT = Piece(
    "point", say("point"), is_endless=True, is_marker=True, count_label=say_n("{n} point", "{n} points", n=2)
)
OUT = Piece("knocked out", say("knocked out"), is_endless=True, is_marker=True)
LEADER = Piece("leader", say("leader"), is_marker=True)
ROUND = Piece("round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2))


class Board:
    """The accounts of Egypt, and what can be read off them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.hands = table.account_per_seat(CARD, HAND)
        self.points = table.account_per_seat(POINT, FRONT)
        self.out = table.account_per_seat(OUT, FRONT)
        self.leads = table.account_per_seat(LEADER, FRONT)
        self.bank = table.account(CARD, BANK)
        self.box = table.supply(table.account(CARD, BOX), CARDS_IN_ALL)
        self.market = {
            number: table.supply(table.account(CHIP[number], MARKET, slot=number)) for number in CHIPS
        }
        self.won = {seat: table.accounts(CHIP, FRONT, seat) for seat in table.seats}
        self.aside = table.accounts(CHIP, BOX)
        self.round = table.account(ROUND, TRACK)
        table.supply(table.account(LEADER, BOX))
        self.faces = table.track_faces("egypt", Place(BANK))
        self._homes = {CARD: self.box, OUT: table.account(OUT, BOX)}
        self._homes |= {CHIP[number]: at for number, at in self.market.items()}

    @property
    def leader(self) -> Seat:
        """Who leads the next auction."""
        return self.table.first_holder(self.leads) or self.seats[0]

    @property
    def still_in(self) -> list[Seat]:
        """Everybody not knocked out of the round."""
        return [seat for seat in self.seats if not self.out[seat].count]

    def bidders(self, first: Seat) -> list[Seat]:
        """Who is in and holds cards, clockwise beginning with `first`."""
        return [
            seat
            for seat in self.seats.starting_with(first)
            if self.hands[seat].count and not self.out[seat].count
        ]

    def chips(self, seat: Seat) -> int:
        """The sum of the chips a seat has won this round."""
        return sum([number for number, account in self.won[seat].items() if account.count])

    def total(self, seat: Seat) -> int:
        """Chips and the bonus for cards; nothing for who is knocked out."""
        return 0 if self.out[seat].count else self.chips(seat) + bonus(self.hands[seat].count)

    def lead(self, seat: Seat) -> None:
        """Gives a seat the lead, wherever its mark lies."""
        self.table.move_only_piece(self.leads[seat])

    def gather(self) -> None:
        """All cards into the box, all chips into the market, wherever they lie; everybody is in again."""
        for account, home in self.table.ledger.misplaced(self._homes):
            self.table.move_all(account, home)
        self.faces.shuffle_all()


def bonus(cards: int) -> int:
    """Points for the cards still held at the end of a round: one per three."""
    return cards // CARDS_A_POINT
