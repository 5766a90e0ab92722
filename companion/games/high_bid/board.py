"""High Bid's parts: cards, money, sections, dice, where they lie, and what somebody's property is worth.

The order of play is in `high_bid.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.rulebook import (
    BOX,
    UNSEEN_PLACE,
    Account,
    Card,
    Deck,
    Piece,
    Place,
    Say,
    Seat,
    Seats,
    Table,
    UserError,
    say,
    say_n,
)

CARDS_IN_ALL = 54
CARDS_DEALT = {2: 10, 3: 7, 4: 7}
SETS, PROPERTIES, BUYERS = 12, 46, 8
STARTING_CASH = 2000
GOAL = {2: 7500, 3: 5000, 4: 5000}
OPEN_BID_STEP = 20
CLOSED_BID_STEP = 10
PUBLIC_AUCTION_START = 20
RED_200_BONUS = 200
MAX_SALES_PER_WIN = 3
MAX_BOUGHT_PER_WIN = 3
VALUE_OF_UNUSED_BUYER = 500
PENALTY_STEP = 10
SECTION_BY_RED_FACE = {100: "collector", 75: "gallery", 50: "dealer", 25: "warehouse"}
RED_FACES = (*SECTION_BY_RED_FACE, 200)
COUNTED_BY_RULE = 2
"""Since this version of the rulebook nothing is concluded from which of two equal cards is counted."""
NAME = "name"
PROPERTY, BUYER = {"kind": "property"}, {"kind": "buyer"}

HAND, FRONT, ASIDE, PURSE = say("hand"), say("front"), say("set aside"), say("purse")
OFFER = say("offer")
BANK, PILE, BLOCK = say("bank"), say("auction pile"), say("auction block")
RETURNED = say("returned lot")
SECTIONS = {
    "collector": Place(say("collector")),
    "gallery": Place(say("gallery")),
    "dealer": Place(say("dealer")),
    "warehouse": Place(say("warehouse")),
}

AT_PILE, AT_BLOCK, AT_BANK, AT_BOX = Place(PILE), Place(BLOCK), Place(BANK), Place(BOX)

CARD = Piece("card", say("card"), look="card", count_label=say_n("{n} card", "{n} cards", n=2))
DOLLAR = Piece("dollar", say("$1"), is_endless=True, look="coin", count_label=say("${n}", n=2))
AGAIN = Piece("second time", say("second time"), is_endless=True, is_marker=True)
AUCTION = Piece(
    "auction", say("auction"), is_endless=True, is_marker=True, count_label=say("auction {n}", n=2)
)
OPENS = Piece("opens", say("opens"), is_endless=True, is_marker=True)
LAST_WINNER = Piece("last winner", say("last winner"), is_endless=True, is_marker=True)
TRIED = Piece(
    "sale tried",
    say("sale tried"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} sale tried", "{n} sales tried", n=2),
)
BOUGHT = Piece("has bought", say("has bought"), is_endless=True, is_marker=True)
DECLARED = Piece("declared the end", say("declared the end"), is_endless=True, is_marker=True)


class Lot(NamedTuple):
    """The lot on the auction block: the number of its auction, its property, and whether bids are closed."""

    number: int
    card: Card
    closed: bool

    @property
    def price(self) -> int:
        """The lowest bid: what the warehouse pays for the property."""
        return printed_price(self.card, "warehouse")


class Board:
    """The accounts of High Bid, with questions about them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.faces = table.track_faces("high_bid")
        self.pile = table.supply(table.account(CARD, PILE), CARDS_IN_ALL)
        self.hands = table.account_per_seat(CARD, HAND)
        self.purses = {seat: table.covered_account(DOLLAR, PURSE, seat) for seat in table.seats}
        self.bank = table.covered_account(DOLLAR, BANK)
        self.last = table.account_per_seat(LAST_WINNER, FRONT)
        self.opens = table.account_per_seat(OPENS, FRONT)
        self.tried = table.account_per_seat(TRIED, FRONT)
        self.bought = table.account_per_seat(BOUGHT, FRONT)
        self.declared = table.account_per_seat(DECLARED, FRONT)
        self.auction = table.account(AUCTION, PILE)
        self.again = table.account(AGAIN, BLOCK)
        for place in (*SECTIONS.values(), *[Place(ASIDE, seat) for seat in table.seats]):
            table.ledger.account(place, CARD)

    @property
    def bidding_order(self) -> Seats:
        """The bidding order, clockwise from the last winner's left, or from the seat that the table chose."""
        if last := self.table.first_holder(self.last):
            return self.seats.starting_after(last)
        return self.seats.starting_with(self.table.first_holder(self.opens) or self.seats[0])

    @property
    def returned(self) -> list[Place]:
        """The lots that were not sold, oldest first."""
        places = [Place(RETURNED, slot=slot) for slot in range(1, self.auction.count + 1)]
        return [place for place in places if self.open_cards(place)]

    @property
    def has_more_lots(self) -> bool:
        """True if there is still something to auction."""
        return bool(self.pile.count or self.returned)

    @property
    def goal(self) -> int:
        """The wealth from which a player may declare the end."""
        return GOAL[len(self.seats)]

    def card_count(self, place: Place) -> int:
        """Returns the number of cards at a place."""
        return self.table.ledger.count(place, CARD)

    def open_cards(self, place: Place) -> list[Card]:
        """Returns the cards that lie open at a place, in the order of the deck."""
        return self.faces.cards_at(place) if self.card_count(place) else []

    def known_cards(self, seat: Seat) -> list[Card]:
        """Returns the cards of a seat that everybody has seen."""
        return [card for what in (FRONT, ASIDE, OFFER) for card in self.open_cards(Place(what, seat))]

    def can_be_shown(self, seat: Seat, kind: dict[str, str]) -> bool:
        """Returns True if a seat may have a card of this kind: a known one, or any card never seen."""
        return bool(self.hands[seat].count) or any(
            card.shows(kind) for card in self.open_cards(Place(FRONT, seat))
        )

    def move_open_cards(self, cards: Iterable[Card], source: Place, target: Place) -> None:
        """Moves cards face up to another place; cards from a hand or the pile are seen from now on."""
        at = self.table.ledger.account
        self.faces.move_cards(cards, at(source, CARD), at(target, CARD))

    def move_all_open_cards(self, source: Place, target: Place) -> None:
        """Moves everything that lies open at a place."""
        self.move_open_cards(self.open_cards(source), source, target)

    def hand_out_property(self, section: str, card: Card, seat: Seat) -> None:
        """Gives the buyer a property of a section, or one of several equal ones."""
        place = SECTIONS[section]
        self.move_open_cards([card.without_id], place, Place(ASIDE, seat))

    def lay_down_card(self, seat: Seat, card: Card, target: Place) -> None:
        """Lays down a card that a seat showed: one that lies before it, or one of those dealt to it.

        If it may be either, the one before it is counted. That is a rule and no knowledge: the copy that
        was laid down may have been in the hand, and the one that was counted may still be the seat's.
        """
        hand, front = Place(HAND, seat), Place(FRONT, seat)
        if self.faces.never_seen_before([card], (front,)):
            self.move_open_cards([card], hand, target)
        elif self.may_be_dealt(seat, card):
            self.faces.show([card.without_id], UNSEEN_PLACE, (front,))
            self.faces.show([card], target)
            if target != front:
                at = self.table.ledger.account
                self.table.move(at(front, CARD), at(target, CARD))
        else:
            self.move_open_cards([card], front, target)

    def may_be_dealt(self, seat: Seat, card: Card) -> bool:
        """Returns True if a card that a seat shows may be one dealt to it."""
        if self.table.version < COUNTED_BY_RULE:
            return False  # there the rule was taken for knowledge; other answers would follow from it now
        return self.hands[seat].count > 0 and self.faces.can_be_shown([card])

    def give_lot(self, winner: Seat) -> None:
        """Gives the winner what lies on the block; only its Buyer's cards may be used at once."""
        for card in self.open_cards(AT_BLOCK):
            self.move_open_cards([card], AT_BLOCK, Place(FRONT if card.shows(BUYER) else ASIDE, winner))
        for mark in (self.again, *self.opens.values(), *self.last.values()):
            self.table.remove_markers(mark)
        self.table.add_markers(self.last[winner])

    def end_win(self, winner: Seat) -> None:
        """Makes what was won, bought or kept available for sale from the next win on."""
        self.move_all_open_cards(Place(ASIDE, winner), Place(FRONT, winner))
        for mark in (self.tried[winner], self.bought[winner]):
            self.table.remove_markers(mark)

    def cards_for_sale(self, section: str | None) -> dict[str, tuple[str, Card]]:
        """Returns what the board sells, one card of each kind in a section; only one section if chosen."""
        found: dict[str, tuple[str, Card]] = {}
        for name in (section,) if section else SECTIONS:
            for card in self.open_cards(SECTIONS[name]):
                if not card.shows(PROPERTY):
                    continue
                found.setdefault(f"{name} {card.design or card.key}", (name, card))
        return found

    def pay_bid(self, seat: Seat, bid: int, card: Card, payee: Account) -> bool:
        """Pays a bid, or the penalty if the purse holds too little; returns True if the bid was paid."""
        purse = self.purses[seat]
        if purse.count >= bid:
            self.table.move(purse, payee, bid)
            self.table.add_note(
                say("{seat} pays ${bid} for {card}.", seat=seat, bid=bid, card=describe_property(card))
            )
            return True
        owed = penalty_for_bid(bid, card, by_bid=self.table.options["penalty"] == "bid")
        self.table.move_up_to(purse, self.bank, owed)
        self.table.add_note(
            say("{seat} can't pay ${bid}. Penalty: ${owed} to the bank, or all of {seat}'s cash.",
                seat=seat, bid=bid, owed=owed)
        )  # fmt: skip  # one sentence
        return False


# Arithmetic


class Estate(NamedTuple):
    """Cards put to their best use: whole sets, sets that a Buyer's card makes whole, Buyer's cards left."""

    whole: list[Card]
    completed: list[Card]
    unused: int

    @property
    def total_worth(self) -> int:
        """The value of everything in $."""
        sets = sum(printed_price(card, "value") for card in (*self.whole, *self.completed))
        return sets + VALUE_OF_UNUSED_BUYER * self.unused


def best_estate(cards: Sequence[Card]) -> Estate:
    """Returns the best use of cards: a Buyer's card replaces a missing card if that is worth more."""
    buyers = sum(card.shows(BUYER) for card in cards)
    sets: dict[str, list[Card]] = {}
    for card in cards:
        if card.shows(PROPERTY):
            sets.setdefault(card.design or card.key, []).append(card)
    lacking = {name: printed_price(held[0], "size") - len(held) for name, held in sets.items()}
    gains = [held[0] for name, held in sets.items() if lacking[name] == 1]
    gains = [card for card in gains if printed_price(card, "value") > VALUE_OF_UNUSED_BUYER]
    completed = sorted(gains, key=lambda card: printed_price(card, "value"), reverse=True)[:buyers]
    whole = [held[0] for name, held in sets.items() if lacking[name] <= 0]
    return Estate(whole, completed, buyers - len(completed))


def printed_price(card: Card, value: str) -> int:
    """Returns a number printed on a property."""
    return int(card.values[value])


def penalty_for_bid(bid: int, card: Card, *, by_bid: bool) -> int:
    """Returns the property's warehouse price, or a quarter of the bid rounded up to a multiple of $10."""
    return -(-bid // (4 * PENALTY_STEP)) * PENALTY_STEP if by_bid else printed_price(card, "warehouse")


def describe_property(card: Card) -> Say:
    """Returns a card's name; a card without a name is called after the value of its set."""
    if NAME in card.values:
        return card.label
    return say("the ${value} set", value=printed_price(card, "value"))


def check_deck(deck: Deck) -> list[Say]:
    """Raises `UserError` unless there are twelve sets of 46 cards, eight Buyer's cards and known dice."""
    properties = [design for design in deck.designs if design.shows(PROPERTY)]
    buyers = [design for design in deck.designs if design.shows(BUYER)]
    counts = (
        (say("sets"), SETS, len(properties)),
        (say("properties"), PROPERTIES, sum(design.copies for design in properties)),
        (say("Buyer's cards"), BUYERS, sum(design.copies for design in buyers)),
    )
    for what, needed, held in counts:
        if held != needed:
            raise UserError(
                say("There must be {needed} {what}, not {held}.", needed=needed, what=what, held=held)
            )
    for design in properties:
        if design.copies != (size := int(design.values["size"])):
            text = "Card {id}: copies can't be {copies}. It must be {size}, the same number as size."
            raise UserError(say(text, id=design.id, size=size, copies=design.copies))
    for face in deck.board["red"]:
        if face not in RED_FACES:
            faces = ", ".join(map(str, sorted(RED_FACES)))
            raise UserError(
                say("board.red: each number must be one of {faces}, not {face}.", faces=faces, face=face)
            )
    return (
        []
        if 0 in deck.board["green"]
        else [say("board.green needs a 0. Otherwise there is never a public auction.")]
    )
