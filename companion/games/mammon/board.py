"""Mammon's table: coins, cards and marks, and the sums that can be read from them.

This module asks people nothing. The 20 coins of each colour are in treasuries, bets, strength, on cards of
the market and in the bank.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from companion.rulebook import BOX, Account, Card, CountedItem, Piece, Place, Seat, Table, say, say_n

COINS_PER_SEAT = 20
MAX_COINS_FROM_BANK = 5
FOREIGN_COIN_VALUE = 2
SPY_VALUE = 3

TREASURY, STRENGTH, FRONT_LINE = say("treasury"), say("strength"), say("front line")
STRENGTH_PLACES = STRENGTH, FRONT_LINE
"""The places of the coins that are a seat's strength, also what it has put forward and may lose."""
BET, HAND, FRONT = say("bet"), say("hand"), say("front")
MARKET, TURNED_UP, DISCARD = say("market"), say("turned up"), say("discard pile")
BANK = say("bank")

CARD = Piece("card", say("card"), look="card", count_label=say_n("{n} card", "{n} cards", n=2))
START_PLAYER_MARKER = Piece("start player", say("start player"), is_marker=True)
EXTRA_TURN_MARKER = Piece(
    "extra turn",
    say("extra turn"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} extra turn", "{n} extra turns", n=2),
)
CONFUSION_MARKER = Piece("confusion", say("confusion"), is_endless=True, is_marker=True)
ELIMINATION_MARKER = Piece("eliminated", say("eliminated"), is_endless=True, is_marker=True)
BATTLE_WON_MARKER = Piece(
    "battle won",
    say("battle won"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} battle won", "{n} battles won", n=2),
)
COIN_PAID_MARKER = Piece(
    "coin paid",
    say("coin paid in bets"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} coin paid in bets", "{n} coins paid in bets", n=2),
)
CARD_PLAYED_MARKER = Piece(
    "card played",
    say("card played"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} card played", "{n} cards played", n=2),
)

REACTION_MARKER_BY_CARD = {
    "spy": Piece("spy", say("spy"), is_endless=True, is_marker=True, look="card"),
    "retreat": Piece("retreat", say("retreat"), is_endless=True, is_marker=True, look="card"),
}
"""Markers of reaction cards that were played; they lie with the bet until the battle is settled."""


def make_coin_piece(seat: Seat) -> Piece:
    """Returns the coin piece of a player's colour."""
    label, count_label = say("{seat}'s coin", seat=seat), say("{n} of {seat}'s coins", n=2, seat=seat)
    return Piece(f"{seat.colour} coin", label, look="coin", colour=seat.colour, count_label=count_label)


def bet_value(own_coins: int, foreign_coins: int, spy_count: int = 0) -> int:
    """Returns the value of a bet: own coins count 1, foreign coins 2, each spy 3."""
    return own_coins + FOREIGN_COIN_VALUE * foreign_coins + SPY_VALUE * spy_count


def pick_most_common_foreign_coins(coins_by_owner: Mapping[Seat, int], count: int) -> dict[Seat, int]:
    """Splits a number of foreign coins by colour.

    Coins are taken one by one from the most common colour. If colours are tied, the first one is taken.
    """
    remaining_coins, taken_coins = dict(coins_by_owner), dict.fromkeys(coins_by_owner, 0)
    for _ in range(count):
        most_common_owner = max(remaining_coins, key=remaining_coins.__getitem__)
        remaining_coins[most_common_owner] -= 1
        taken_coins[most_common_owner] += 1
    return taken_coins


def can_split_in_several_ways(coins_by_owner: Mapping[Seat, int], count: int) -> bool:
    """Returns True if that many foreign coins can be taken in more than one way."""
    return len(coins_by_owner) > 1 and 0 < count < sum(coins_by_owner.values())


@cache
def make_market_card_piece(slot: int, cards_before_it_in_row: int) -> Piece:
    """Returns the piece that stands for the market card in a slot.

    The label shows the card's current position; the log identifies the card by its slot.
    """
    return Piece(Place(MARKET, slot=slot).key, say("market card {number}", number=cards_before_it_in_row + 1))


class Board:
    """The accounts of a match of Mammon, and what can be read from them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.coin_by_owner = {seat: make_coin_piece(seat) for seat in table.seats}
        self.treasury = {seat: self._open_account_by_owner(Place(TREASURY, seat)) for seat in table.seats}
        self.bets = {seat: self._open_account_by_owner(Place(BET, seat)) for seat in table.seats}
        self.bank = self._open_account_by_owner(Place(BANK))
        self.strength = {
            seat: table.account(self.coin_by_owner[seat], STRENGTH, seat) for seat in table.seats
        }
        self.front_line = {
            seat: table.account(self.coin_by_owner[seat], FRONT_LINE, seat) for seat in table.seats
        }
        self.deck = table.find_deck("mammon")
        cards = sum(design.copies for design in self.deck.designs)
        self.market = {slot: table.account(CARD, MARKET, slot=slot) for slot in range(1, cards + 1)}
        table.make_compact_row(MARKET, CARD)
        self.coins_by_market_slot = {
            slot: self._open_account_by_owner(Place(MARKET, slot=slot)) for slot in self.market
        }
        self.hands = table.account_by_seat(CARD, HAND)
        self.turned_up = table.account(CARD, TURNED_UP)
        self.discard, self.box = table.account(CARD, DISCARD), table.account(CARD, BOX)
        self.faces = table.track_faces("mammon")
        self.reaction_markers_by_card = {
            kind: table.account_by_seat(marker, BET) for kind, marker in REACTION_MARKER_BY_CARD.items()
        }
        self.start_marks, self.extra_turn_markers, self.confusion, self.eliminated = (
            table.account_by_seat(marker, FRONT)
            for marker in (START_PLAYER_MARKER, EXTRA_TURN_MARKER, CONFUSION_MARKER, ELIMINATION_MARKER)
        )
        self.battles_won, self.coins_paid, self.cards_played = (
            table.account_by_seat(marker, FRONT)
            for marker in (BATTLE_WON_MARKER, COIN_PAID_MARKER, CARD_PLAYED_MARKER)
        )
        for account in self.market.values():
            table.supply_from_box(account)
        for seat in table.seats:
            table.supply_from_box(self.own_coin_account(seat), COINS_PER_SEAT)
        table.supply_from_box(table.account(START_PLAYER_MARKER, BOX))

    def _open_account_by_owner(self, place: Place) -> dict[Seat, Account]:
        """Opens an account for the coins of each colour at a place."""
        return {
            seat: self.table.ledger.open_account(place, piece) for seat, piece in self.coin_by_owner.items()
        }

    # Coins

    def own_coin_account(self, seat: Seat) -> Account:
        """Returns the account of a seat's own coins in its treasury."""
        return self.treasury[seat][seat]

    def foreign_coins_by_owner(self, seat: Seat) -> dict[Seat, int]:
        """Returns the foreign coins in a treasury by their colour's owner, the next seat clockwise first."""
        treasury = self.treasury[seat]
        return {
            owner: treasury[owner].count
            for owner in self.seats.starting_after(seat)
            if owner != seat and treasury[owner].count
        }

    def own_and_foreign_coin_counts(self, seat: Seat) -> dict[str, CountedItem]:
        """Returns the counts that may be paid or bet, in own and in foreign coins."""
        foreign_count_by_owner = self.foreign_coins_by_owner(seat)
        single_foreign_account = (
            self.treasury[seat][next(iter(foreign_count_by_owner))]
            if len(foreign_count_by_owner) == 1
            else None
        )
        return {
            "own": CountedItem(
                say("own coins"), self.own_coin_account(seat), say_n("{n} own coin", "{n} own coins", n=2)
            ),
            "foreign": CountedItem(
                say("foreign coins"),
                single_foreign_account or sum(foreign_count_by_owner.values()),
                say_n("{n} foreign coin", "{n} foreign coins", n=2),
                value=FOREIGN_COIN_VALUE,
            ),
        }

    def own_and_foreign_coins_in_open_bet(self, seat: Seat) -> tuple[int, int]:
        """Returns the number of own and of foreign coins in an open bet."""
        bet = self.bets[seat]
        return bet[seat].count, sum(bet[owner].count for owner in self.seats if owner != seat)

    def place_bet(self, seat: Seat, own_coins: int, foreign_coins: int) -> None:
        """Places a bet openly: moves own and foreign coins from the treasury.

        Foreign coins of the most common colours go first.
        """
        self.move_coins(
            self.treasury[seat],
            self.bets[seat],
            pick_most_common_foreign_coins(self.foreign_coins_by_owner(seat), foreign_coins)
            | {seat: own_coins},
        )

    def return_bets_to_treasuries(self, seats: Iterable[Seat]) -> None:
        """Returns the bets of these seats to their treasuries."""
        for seat in seats:
            self.move_all_coins(self.bets[seat], self.treasury[seat])

    def move_coins(
        self,
        source: Mapping[Seat, Account],
        target: Mapping[Seat, Account],
        count_by_owner: Mapping[Seat, int],
    ) -> None:
        """Moves these numbers of coins by colour from one place to another."""
        for owner, count in count_by_owner.items():
            self.table.move(source[owner], target[owner], count)

    def move_all_coins(self, source: Mapping[Seat, Account], target: Mapping[Seat, Account]) -> None:
        """Moves all coins of all colours from one place to another."""
        self.move_coins(source, target, {owner: account.count for owner, account in source.items()})

    def move_up_to_five_coins_from_bank(self, target: Account) -> None:
        """Moves five own coins from the bank to an account, or as many as the bank has."""
        self.table.move_up_to(self.table.account(target.piece, BANK), target, MAX_COINS_FROM_BANK)

    # Cards

    @property
    def filled_market_slots(self) -> list[int]:
        """The slots of the cards left in the market, first card first."""
        return [slot for slot, account in self.market.items() if account.count]

    def market_card(self, slot: int) -> Piece:
        """Returns the piece that stands for the market card in a slot.

        The label shows the card's current position.
        """
        return make_market_card_piece(slot, self.price_of_card(slot))

    def price_of_card(self, slot: int) -> int:
        """Returns the price of a card: the number of cards before it in the market."""
        return sum(other_slot < slot for other_slot in self.filled_market_slots)

    def unplayed_card_count(self, kind: str) -> int:
        """Returns how many cards of a kind haven't been played."""
        return self.faces.max_unseen_count(kind)

    def discard_played_card(self, seat: Seat, kind: str) -> None:
        """Moves a played card from a hand to the discard pile; from then on everybody has seen the card."""
        self.table.move(self.hands[seat], self.discard)
        self.faces.move_faces([Card(None, kind, {})], self.discard.place)
        self.table.add_markers(self.cards_played[seat])

    # Marks

    def appoint_start_player(self, seat: Seat) -> None:
        """Moves the start player's mark to a seat, wherever the mark is."""
        self.table.move_single_piece(self.start_marks[seat])

    @property
    def start_player(self) -> Seat:
        """The start player; the first seat if people took the mark away by hand."""
        return self.table.first_holder(self.start_marks) or self.seats[0]

    def survivors(self, first_seat: Seat | None = None) -> list[Seat]:
        """Returns the seats that aren't eliminated, clockwise from `first_seat`."""
        return [
            seat
            for seat in self.seats.starting_with(first_seat or self.seats[0])
            if not self.eliminated[seat].count
        ]

    @property
    def is_confusion_active(self) -> bool:
        """True while confusion lasts: nobody may play a card."""
        return self.table.first_holder(self.confusion) is not None

    def current_bet_value(self, seat: Seat) -> int:
        """Returns the value of a seat's bet now, with the spies played for it."""
        return bet_value(
            *self.own_and_foreign_coins_in_open_bet(seat), self.reaction_markers_by_card["spy"][seat].count
        )
