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
CASH = 2000
GOAL = {2: 7500, 3: 5000, 4: 5000}
OPEN_STEP = 20
CLOSED_STEP = 10
PUBLIC_START = 20
BONUS = 200
MOST_SALES = 3
MOST_BOUGHT = 3
UNUSED_BUYER = 500
PENALTY_STEP = 10
PERCENT = {100: "collector", 75: "gallery", 50: "dealer", 25: "warehouse"}
RED = (*PERCENT, 200)
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
    """What lies on the auction block: in which auction, its property, whether it is sold by closed bid."""

    number: int
    card: Card
    closed: bool

    @property
    def price(self) -> int:
        """The least bid: what the warehouse pays for the property."""
        return price(self.card, "warehouse")


class Board:
    """The accounts of High Bid, and what can be read off them."""

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
    def order(self) -> Seats:
        """Whose turn it is to bid: clockwise from the last winner's left; at first whom the table chose."""
        if last := self.table.first_holder(self.last):
            return self.seats.starting_after(last)
        return self.seats.starting_with(self.table.first_holder(self.opens) or self.seats[0])

    @property
    def returned(self) -> list[Place]:
        """The lots that were not sold, oldest first."""
        places = [Place(RETURNED, slot=slot) for slot in range(1, self.auction.count + 1)]
        return [place for place in places if self.lying(place)]

    @property
    def goes_on(self) -> bool:
        """Whether there is still something to be auctioned."""
        return bool(self.pile.count or self.returned)

    @property
    def goal(self) -> int:
        """The wealth from which a player may declare the end."""
        return GOAL[len(self.seats)]

    def cards(self, place: Place) -> int:
        """How many cards lie at a place."""
        return self.table.ledger.count(place, CARD)

    def lying(self, place: Place) -> list[Card]:
        """The cards that lie open at a place, in the order of the deck."""
        return self.faces.cards_at(place) if self.cards(place) else []

    def known(self, seat: Seat) -> list[Card]:
        """Which cards of a seat everybody has seen."""
        return [card for what in (FRONT, ASIDE, OFFER) for card in self.lying(Place(what, seat))]

    def can_be_shown(self, seat: Seat, kind: dict[str, str]) -> bool:
        """Whether a seat may have a card of this kind to lay down: one that is known, or any never seen."""
        return bool(self.hands[seat].count) or any(
            card.shows(kind) for card in self.lying(Place(FRONT, seat))
        )

    def carry(self, cards: Iterable[Card], source: Place, target: Place) -> None:
        """Lays cards open at another place; what came out of a hand or the pile is seen from now on."""
        at = self.table.ledger.account
        self.faces.move_cards(cards, at(source, CARD), at(target, CARD))

    def carry_all(self, source: Place, target: Place) -> None:
        """Everything that lies open there."""
        self.carry(self.lying(source), source, target)

    def hand_out(self, section: str, card: Card, seat: Seat) -> None:
        """A property of a section, or one of several equal ones, comes to who bought it."""
        place = SECTIONS[section]
        self.carry([card.without_id], place, Place(ASIDE, seat))

    def lay_down(self, seat: Seat, card: Card, target: Place) -> None:
        """A seat lays down a card that it showed: one that lies before it, or one of those dealt to it.

        Where it may be either, the one before it is counted. That is a rule and no knowledge: the copy that
        was laid down may have been in the hand, and the one that was counted may still be the seat's.
        """
        hand, front = Place(HAND, seat), Place(FRONT, seat)
        if self.faces.never_seen_before([card], (front,)):
            self.carry([card], hand, target)
        elif self.may_be_dealt(seat, card):
            self.faces.show([card.without_id], UNSEEN_PLACE, (front,))
            self.faces.show([card], target)
            if target != front:
                at = self.table.ledger.account
                self.table.move(at(front, CARD), at(target, CARD))
        else:
            self.carry([card], front, target)

    def may_be_dealt(self, seat: Seat, card: Card) -> bool:
        """Whether a card that a seat shows may be one dealt to it."""
        if self.table.version < COUNTED_BY_RULE:
            return False  # there the rule was taken for knowledge; other answers would follow from it now
        return self.hands[seat].count > 0 and self.faces.can_be_shown([card])

    def take(self, winner: Seat) -> None:
        """The winner of a lot has what lies on the block; only its Buyer's cards may be used at once."""
        for card in self.lying(AT_BLOCK):
            self.carry([card], AT_BLOCK, Place(FRONT if card.shows(BUYER) else ASIDE, winner))
        for mark in (self.again, *self.opens.values(), *self.last.values()):
            self.table.remove_markers(mark)
        self.table.add_markers(self.last[winner])

    def end_win(self, winner: Seat) -> None:
        """What was won, bought or kept in a win can be put up from the next one on."""
        self.carry_all(Place(ASIDE, winner), Place(FRONT, winner))
        for mark in (self.tried[winner], self.bought[winner]):
            self.table.remove_markers(mark)

    def offers(self, section: str | None) -> dict[str, tuple[str, Card]]:
        """What the board sells, one card of each kind a section; only in one section if that is chosen."""
        found: dict[str, tuple[str, Card]] = {}
        for name in (section,) if section else SECTIONS:
            for card in self.lying(SECTIONS[name]):
                if not card.shows(PROPERTY):
                    continue
                found.setdefault(f"{name} {card.design or card.key}", (name, card))
        return found

    def pays(self, seat: Seat, bid: int, card: Card, payee: Account) -> bool:
        """Whether a bid is paid; where the purse doesn't hold as much, the penalty is, as far as it goes."""
        purse = self.purses[seat]
        if purse.count >= bid:
            self.table.move(purse, payee, bid)
            self.table.add_note(say("{seat} pays ${bid} for {card}.", seat=seat, bid=bid, card=called(card)))
            return True
        owed = penalty(bid, card, by_bid=self.table.options["penalty"] == "bid")
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
    def worth(self) -> int:
        """All of it in $."""
        sets = sum(price(card, "value") for card in (*self.whole, *self.completed))
        return sets + UNUSED_BUYER * self.unused


def estate(cards: Sequence[Card]) -> Estate:
    """A Buyer's card stands in for one missing card where that brings more than the card by itself."""
    buyers = sum(card.shows(BUYER) for card in cards)
    sets: dict[str, list[Card]] = {}
    for card in cards:
        if card.shows(PROPERTY):
            sets.setdefault(card.design or card.key, []).append(card)
    lacking = {name: price(held[0], "size") - len(held) for name, held in sets.items()}
    gains = [held[0] for name, held in sets.items() if lacking[name] == 1]
    gains = [card for card in gains if price(card, "value") > UNUSED_BUYER]
    completed = sorted(gains, key=lambda card: price(card, "value"), reverse=True)[:buyers]
    whole = [held[0] for name, held in sets.items() if lacking[name] <= 0]
    return Estate(whole, completed, buyers - len(completed))


def price(card: Card, value: str) -> int:
    """A number printed on a property."""
    return int(card.values[value])


def penalty(bid: int, card: Card, *, by_bid: bool) -> int:
    """The property's warehouse price, or a quarter of the bid rounded up to the next multiple of $10."""
    return -(-bid // (4 * PENALTY_STEP)) * PENALTY_STEP if by_bid else price(card, "warehouse")


def called(card: Card) -> Say:
    """How people call a card; one whose name nobody typed by what its set is worth."""
    if NAME in card.values:
        return card.label
    return say("the ${value} set", value=price(card, "value"))


def check_deck(deck: Deck) -> list[Say]:
    """Twelve sets of 46 cards, eight Buyer's cards, and dice the board knows."""
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
        if face not in RED:
            faces = ", ".join(map(str, sorted(RED)))
            raise UserError(
                say("board.red: each number must be one of {faces}, not {face}.", faces=faces, face=face)
            )
    return (
        []
        if 0 in deck.board["green"]
        else [say("board.green needs a 0. Otherwise there is never a public auction.")]
    )
