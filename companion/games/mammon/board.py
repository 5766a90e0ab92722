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
"""A reaction lies as a mark with the bet until the battle is settled."""


def coin_piece(seat: Seat) -> Piece:
    """Returns the coin of a player's colour."""
    label, counted = say("{seat}'s coin", seat=seat), say("{n} of {seat}'s coins", n=2, seat=seat)
    return Piece(f"{seat.colour} coin", label, look="coin", colour=seat.colour, count_label=counted)


def bet_value(own: int, foreign: int, spies: int = 0) -> int:
    """Returns the value of a bet: own coins count 1, foreign coins 2, each spy 3."""
    return own + FOREIGN_WORTH * foreign + SPY_WORTH * spies


def split_foreign_coins(held: Mapping[Seat, int], count: int) -> dict[Seat, int]:
    """Splits foreign coins by colour: one by one from the most common colour, the first if tied."""
    left, taken = dict(held), dict.fromkeys(held, 0)
    for _ in range(count):
        most = max(left, key=left.__getitem__)
        left[most] -= 1
        taken[most] += 1
    return taken


def may_split(held: Mapping[Seat, int], count: int) -> bool:
    """Returns True if that many coins can be taken in more than one way."""
    return len(held) > 1 and 0 < count < sum(held.values())


@cache
def market_card_piece(slot: int, before: int) -> Piece:
    """Returns the card of a slot with its current position; the log identifies it by its slot."""
    return Piece(Place(MARKET, slot=slot).key, say("{place} {slot}", place=MARKET, slot=before + 1))


class Board:
    """The accounts of Mammon, with questions about them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.coins = {seat: coin_piece(seat) for seat in table.seats}
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
        self.start_marks, self.extra, self.confusion = (
            table.account_per_seat(mark, FRONT) for mark in (START, EXTRA, CONFUSION)
        )
        self.eliminated, self.battles_won = (
            table.account_per_seat(OUT, FRONT),
            table.account_per_seat(WON, FRONT),
        )
        self.coins_paid, self.cards_played = (
            table.account_per_seat(PAID, FRONT),
            table.account_per_seat(PLAYED, FRONT),
        )
        for account in self.market.values():
            table.supply(account)
        for seat in table.seats:
            table.supply(self.own_coins(seat), COINS_EACH)
        table.supply(table.account(START, BOX))

    def _of_all(self, place: Place) -> dict[Seat, Account]:
        return {seat: self.table.ledger.account(place, piece) for seat, piece in self.coins.items()}

    # Coins

    def own_coins(self, seat: Seat) -> Account:
        """Returns the account of a seat's own coins in its treasury."""
        return self.treasury[seat][seat]

    def foreign_coins(self, seat: Seat) -> dict[Seat, int]:
        """Returns the foreign coins in a treasury by their colour's owner, the next seat clockwise first."""
        held = self.treasury[seat]
        return {
            owner: held[owner].count
            for owner in self.seats.starting_after(seat)
            if owner != seat and held[owner].count
        }

    def countable_coins(self, seat: Seat) -> dict[str, CountedItem]:
        """Returns the counts that may be paid or bet, in own and in foreign coins."""
        foreign = self.foreign_coins(seat)
        only = self.treasury[seat][next(iter(foreign))] if len(foreign) == 1 else None
        return {
            "own": CountedItem(
                say("own coins"), self.own_coins(seat), say_n("{n} own coin", "{n} own coins", n=2)
            ),
            "foreign": CountedItem(
                say("foreign coins"),
                only or sum(foreign.values()),
                say_n("{n} foreign coin", "{n} foreign coins", n=2),
            ),
        }

    def open_bet(self, seat: Seat) -> tuple[int, int]:
        """Returns the number of own and of foreign coins in an open bet."""
        bet = self.bets[seat]
        return bet[seat].count, sum(bet[owner].count for owner in self.seats if owner != seat)

    def place_bet(self, seat: Seat, own: int, foreign: int) -> None:
        """Moves coins from the treasury to the open bet; foreign coins of the most common colours first."""
        self.move_coins(
            self.treasury[seat],
            self.bets[seat],
            split_foreign_coins(self.foreign_coins(seat), foreign) | {seat: own},
        )

    def return_bets(self, seats: Iterable[Seat]) -> None:
        """Returns the bets of these seats to their treasuries."""
        for seat in seats:
            self.move_all_coins(self.bets[seat], self.treasury[seat])

    def move_coins(
        self, source: Mapping[Seat, Account], target: Mapping[Seat, Account], counts: Mapping[Seat, int]
    ) -> None:
        """Moves these numbers of coins by colour from one place to another."""
        for owner, count in counts.items():
            self.table.move(source[owner], target[owner], count)

    def move_all_coins(self, source: Mapping[Seat, Account], target: Mapping[Seat, Account]) -> None:
        """Moves all coins of all colours from one place to another."""
        self.move_coins(source, target, {owner: account.count for owner, account in source.items()})

    def recruit(self, account: Account) -> None:
        """Moves five own coins from the bank, or as many as there are."""
        self.table.move_up_to(self.table.account(account.piece, BANK), account, RECRUITS)

    # Cards

    @property
    def market_slots(self) -> list[int]:
        """The slots of the cards left in the market, first card first."""
        return [slot for slot, account in self.market.items() if account.count]

    def market_card(self, slot: int) -> Piece:
        """Returns a card of the market with its current position."""
        return market_card_piece(slot, self.price_of_card(slot))

    def price_of_card(self, slot: int) -> int:
        """Returns the price of a card: the number of cards before it in the market."""
        return sum(other < slot for other in self.market_slots)

    def unplayed_cards(self, kind: str) -> int:
        """Returns how many cards of a kind haven't been played."""
        return self.faces.unseen_count_of(kind)

    def discard_card(self, seat: Seat, kind: str) -> None:
        """Moves a card from a hand to the discard pile, where its face is seen from then on."""
        self.table.move(self.hands[seat], self.discard)
        self.faces.show([Card(None, kind, {})], self.discard.place)
        self.table.add_markers(self.cards_played[seat])

    # Marks

    def appoint_start_player(self, seat: Seat) -> None:
        """Moves the start player's mark to a seat, wherever it lies."""
        self.table.move_only_piece(self.start_marks[seat])

    @property
    def start_player(self) -> Seat:
        """The start player; the first seat where people took the mark away by hand."""
        return self.table.first_holder(self.start_marks) or self.seats[0]

    def survivors(self, first: Seat | None = None) -> list[Seat]:
        """Returns the seats that aren't eliminated, clockwise from `first`."""
        return [
            seat
            for seat in self.seats.starting_with(first or self.seats[0])
            if not self.eliminated[seat].count
        ]

    @property
    def is_confused(self) -> bool:
        """True while confusion lasts: nobody may play a card."""
        return self.table.first_holder(self.confusion) is not None

    def bet_value(self, seat: Seat) -> int:
        """Returns the value of a seat's bet now, with the spies played for it."""
        return bet_value(*self.open_bet(seat), self.reacted["spy"][seat].count)
