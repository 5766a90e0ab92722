"""Mammon's table: coins, cards and marks, and the sums that can be read off them. It asks nothing.

The 20 coins of each colour lie in treasuries, bets, strength, on cards of the market and in the bank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from companion.rulebook import BOX, Account, Card, CountedItem, Piece, Place, Seat, Table, say, say_n

COINS_EACH = 20
RECRUITS = 5
FOREIGN_WORTH = 2
SPY_WORTH = 3

TREASURY, STRENGTH, FRONT_LINE = say("treasury"), say("strength"), say("front line")
BET, HAND, FRONT = say("bet"), say("hand"), say("front")
MARKET, TURNED_UP, DISCARD = say("market"), say("turned up"), say("discard pile")
BANK = say("bank")

CARD = Piece("card", say("card"), look="card", count_label=say_n("{n} card", "{n} cards", n=2))
START = Piece("start player", say("start player"), is_marker=True)
EXTRA = Piece(
    "extra turn",
    say("extra turn"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} extra turn", "{n} extra turns", n=2),
)
CONFUSION = Piece("confusion", say("confusion"), is_endless=True, is_marker=True)
OUT = Piece("eliminated", say("eliminated"), is_endless=True, is_marker=True)
WON = Piece(
    "battle won",
    say("battle won"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} battle won", "{n} battles won", n=2),
)
PAID = Piece(
    "coin paid",
    say("coin paid in bets"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} coin paid in bets", "{n} coins paid in bets", n=2),
)
PLAYED = Piece(
    "card played",
    say("card played"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} card played", "{n} cards played", n=2),
)

REACTIONS = {
    "spy": Piece("spy", say("spy"), is_endless=True, is_marker=True, look="card"),
    "retreat": Piece("retreat", say("retreat"), is_endless=True, is_marker=True, look="card"),
}
"""What was played after a wager lies as a mark with the bet until the battle is settled."""


def coin(seat: Seat) -> Piece:
    """A coin of a player's colour."""
    label, counted = say("{seat}'s coin", seat=seat), say("{n} of {seat}'s coins", n=2, seat=seat)
    return Piece(f"{seat.colour} coin", label, look="coin", colour=seat.colour, count_label=counted)


def value(own: int, foreign: int, spies: int = 0) -> int:
    """What a bet counts: own coins 1, foreign coins 2 and each spy 3."""
    return own + FOREIGN_WORTH * foreign + SPY_WORTH * spies


def by_number(held: Mapping[Seat, int], count: int) -> dict[Seat, int]:
    """Takes foreign coins one by one from the colour held most of at that moment; a tie: the first."""
    left, taken = dict(held), dict.fromkeys(held, 0)
    for _ in range(count):
        most = max(left, key=left.__getitem__)
        left[most] -= 1
        taken[most] += 1
    return taken


def may_split(held: Mapping[Seat, int], count: int) -> bool:
    """Whether so many coins can be taken in more than one way from colours that are all held."""
    return len(held) > 1 and 0 < count < sum(held.values())


@cache
def market_card(slot: int, before: int) -> Piece:
    """A card with so many before it; the log knows it by where it was laid out."""
    return Piece(Place(MARKET, slot=slot).key, say("{place} {slot}", place=MARKET, slot=before + 1))


class Board:
    """The accounts of Mammon, and what can be read off them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.coins = {seat: coin(seat) for seat in table.seats}
        self.treasury = {seat: self._of_all(Place(TREASURY, seat)) for seat in table.seats}
        self.bets = {seat: self._of_all(Place(BET, seat)) for seat in table.seats}
        self.bank = self._of_all(Place(BANK))
        self.strength = {seat: table.account(self.coins[seat], STRENGTH, seat) for seat in table.seats}
        self.front_line = {seat: table.account(self.coins[seat], FRONT_LINE, seat) for seat in table.seats}
        self.deck = table.deck("mammon")
        cards = sum(design.copies for design in self.deck.designs)
        self.market = {slot: table.account(CARD, MARKET, slot=slot) for slot in range(1, cards + 1)}
        table.make_compact_row(MARKET, CARD)
        self.on_card = {slot: self._of_all(Place(MARKET, slot=slot)) for slot in self.market}
        self.hands = table.account_per_seat(CARD, HAND)
        self.turned_up = table.account(CARD, TURNED_UP)
        self.discard, self.box = table.account(CARD, DISCARD), table.account(CARD, BOX)
        self.faces = table.track_faces("mammon")
        self.reacted = {kind: table.account_per_seat(mark, BET) for kind, mark in REACTIONS.items()}
        self.starts, self.extra, self.confusion = (
            table.account_per_seat(mark, FRONT) for mark in (START, EXTRA, CONFUSION)
        )
        self.out, self.won = table.account_per_seat(OUT, FRONT), table.account_per_seat(WON, FRONT)
        self.paid, self.played = table.account_per_seat(PAID, FRONT), table.account_per_seat(PLAYED, FRONT)
        for account in self.market.values():
            table.supply(account)
        for seat in table.seats:
            table.supply(self.own(seat), COINS_EACH)
        table.supply(table.account(START, BOX))

    def _of_all(self, place: Place) -> dict[Seat, Account]:
        return {seat: self.table.ledger.account(place, piece) for seat, piece in self.coins.items()}

    # Coins

    def own(self, seat: Seat) -> Account:
        """The coins of the own colour in a treasury."""
        return self.treasury[seat][seat]

    def foreign(self, seat: Seat) -> dict[Seat, int]:
        """How many foreign coins lie in a treasury, by whose they were; the next seat clockwise first."""
        held = self.treasury[seat]
        return {
            owner: held[owner].count
            for owner in self.seats.starting_after(seat)
            if owner != seat and held[owner].count
        }

    def purse(self, seat: Seat) -> dict[str, CountedItem]:
        """What may be paid or bet, in own and in foreign coins."""
        foreign = self.foreign(seat)
        only = self.treasury[seat][next(iter(foreign))] if len(foreign) == 1 else None
        return {
            "own": CountedItem(say("own coins"), self.own(seat), say_n("{n} own coin", "{n} own coins", n=2)),
            "foreign": CountedItem(
                say("foreign coins"),
                only or sum(foreign.values()),
                say_n("{n} foreign coin", "{n} foreign coins", n=2),
            ),
        }

    def bet(self, seat: Seat) -> tuple[int, int]:
        """The own and the foreign coins that lie open as a bet."""
        bet = self.bets[seat]
        return bet[seat].count, sum(bet[owner].count for owner in self.seats if owner != seat)

    def lay_bet(self, seat: Seat, own: int, foreign: int) -> None:
        """Coins from the treasury lie open; of the foreign ones those of which most are held."""
        self.hand_over(
            self.treasury[seat], self.bets[seat], by_number(self.foreign(seat), foreign) | {seat: own}
        )

    def take_back(self, seats: Iterable[Seat]) -> None:
        """All bets return to their treasuries."""
        for seat in seats:
            self.clear(self.bets[seat], self.treasury[seat])

    def hand_over(
        self, source: Mapping[Seat, Account], target: Mapping[Seat, Account], counts: Mapping[Seat, int]
    ) -> None:
        """Moves so many coins of each colour from one place to another."""
        for owner, count in counts.items():
            self.table.move(source[owner], target[owner], count)

    def clear(self, source: Mapping[Seat, Account], target: Mapping[Seat, Account]) -> None:
        """Moves all coins of all colours from one place to another."""
        self.hand_over(source, target, {owner: account.count for owner, account in source.items()})

    def recruit(self, account: Account) -> None:
        """Five own coins from the bank, or as many as there are."""
        self.table.move_up_to(self.table.account(account.piece, BANK), account, RECRUITS)

    # Cards

    @property
    def row(self) -> list[int]:
        """The slots of the cards left in the market, the head first."""
        return [slot for slot, account in self.market.items() if account.count]

    def called(self, slot: int) -> Piece:
        """A card of the market by its position now."""
        return market_card(slot, self.before(slot))

    def before(self, slot: int) -> int:
        """How many cards of the market are before that one: its price."""
        return sum(other < slot for other in self.row)

    def left(self, kind: str) -> int:
        """How many cards of a kind have not been played."""
        return self.faces.unseen_count_of(kind)

    def play(self, seat: Seat, kind: str) -> None:
        """A card leaves a hand; its face lies open with the discards from then on."""
        self.table.move(self.hands[seat], self.discard)
        self.faces.show([Card(None, kind, {})], self.discard.place)
        self.table.add_markers(self.played[seat])

    # Marks

    def appoint(self, seat: Seat) -> None:
        """The start player's mark comes to a seat, wherever it lies."""
        self.table.move_only_piece(self.starts[seat])

    @property
    def start(self) -> Seat:
        """The start player; the first seat where people took the mark away by hand."""
        return self.table.first_holder(self.starts) or self.seats[0]

    def survivors(self, first: Seat | None = None) -> list[Seat]:
        """Everybody not eliminated, clockwise beginning with `first`."""
        return [seat for seat in self.seats.starting_with(first or self.seats[0]) if not self.out[seat].count]

    @property
    def confused(self) -> bool:
        """Whether nobody may play a card."""
        return self.table.first_holder(self.confusion) is not None

    def value(self, seat: Seat) -> int:
        """What a seat's bet counts now, with the spies played for it."""
        return value(*self.bet(seat), self.reacted["spy"][seat].count)
