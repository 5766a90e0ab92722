"""High Bid's parts: cards, money, sections, dice, where they lie, and what somebody's property is worth.

The order of play is in `rulebook.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.rulebook import (
    BOX,
    NAME_FIELD,
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
SET_COUNT, PROPERTY_COUNT, BUYER_COUNT = 12, 46, 8
STARTING_CASH = 2000
WEALTH_TO_DECLARE_END = {2: 7500, 3: 5000, 4: 5000}
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
MIN_VERSION_COUNTING_EQUAL_CARDS_BY_RULE = 2
"""First version of the rulebook that counts one of two equal cards by rule, not as knowledge.

From this version on the companion concludes nothing from which of the two cards is counted.
"""
PROPERTY_VALUES, BUYER_VALUES = {"kind": "property"}, {"kind": "buyer"}

HAND, FRONT, ASIDE, PURSE = say("hand"), say("front"), say("set aside"), say("purse")
OFFER = say("offer")
BANK, PILE, BLOCK = say("bank"), say("auction pile"), say("auction block")
RETURNED = say("returned lot")
PLACE_BY_SECTION = {
    "collector": Place(say("collector")),
    "gallery": Place(say("gallery")),
    "dealer": Place(say("dealer")),
    "warehouse": Place(say("warehouse")),
}

PILE_PLACE, BLOCK_PLACE, BANK_PLACE, BOX_PLACE = Place(PILE), Place(BLOCK), Place(BANK), Place(BOX)

CARD = Piece("card", say("card"), look="card", count_label=say_n("{n} card", "{n} cards", n=2))
DOLLAR = Piece("dollar", say("$1"), is_endless=True, look="coin", count_label=say("${n}", n=2))
SECOND_TIME_MARKER = Piece("second time", say("second time"), is_endless=True, is_marker=True)
AUCTION_MARKER = Piece(
    "auction", say("auction number"), is_endless=True, is_marker=True, count_label=say("auction {n}", n=2)
)
OPENS_FIRST_AUCTION_MARKER = Piece("opens", say("opens"), is_endless=True, is_marker=True)
LAST_WINNER_MARKER = Piece("last winner", say("last winner"), is_endless=True, is_marker=True)
SALES_TRIED_MARKER = Piece(
    "sale tried",
    say("sale tried"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} sale tried", "{n} sales tried", n=2),
)
HAS_BOUGHT_MARKER = Piece("has bought", say("has bought"), is_endless=True, is_marker=True)
DECLARED_END_MARKER = Piece("declared the end", say("declared the end"), is_endless=True, is_marker=True)


class Lot(NamedTuple):
    """The lot on the auction block.

    `auction_number` is the number of its auction, `card` its property. With `has_closed_bids` the bids are
    secret.
    """

    auction_number: int
    card: Card
    has_closed_bids: bool

    @property
    def min_bid(self) -> int:
        """The lowest bid: what the warehouse pays for the property."""
        return printed_number(self.card, "warehouse")


class PropertyForSale(NamedTuple):
    """A property that the board sells: the section of the board where it lies, and its card."""

    section: str
    card: Card


class Board:
    """The accounts of a match of High Bid, and what can be read from them."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seats = table.seats
        self.faces = table.track_faces("high_bid")
        self.pile = table.supply_from_box(table.account(CARD, PILE), CARDS_IN_ALL)
        self.hands = table.account_by_seat(CARD, HAND)
        self.purses = {seat: table.covered_account(DOLLAR, PURSE, seat) for seat in table.seats}
        self.bank = table.covered_account(DOLLAR, BANK)
        self.last_winner_markers = table.account_by_seat(LAST_WINNER_MARKER, FRONT)
        self.opener_markers = table.account_by_seat(OPENS_FIRST_AUCTION_MARKER, FRONT)
        self.sales_tried_markers = table.account_by_seat(SALES_TRIED_MARKER, FRONT)
        self.has_bought_markers = table.account_by_seat(HAS_BOUGHT_MARKER, FRONT)
        self.declared_end_markers = table.account_by_seat(DECLARED_END_MARKER, FRONT)
        self.auction_counter = table.account(AUCTION_MARKER, PILE)
        self.second_time_marker = table.account(SECOND_TIME_MARKER, BLOCK)
        for place in (*PLACE_BY_SECTION.values(), *[Place(ASIDE, seat) for seat in table.seats]):
            table.ledger.open_account(place, CARD)

    @property
    def bidding_order(self) -> Seats:
        """The seats in the order in which they bid.

        The seat to the left of the last winner bids first; in the first auction, the seat that the table
        chose.
        """
        if last_winner := self.table.first_holder(self.last_winner_markers):
            return self.seats.starting_after(last_winner)
        return self.seats.starting_with(self.table.first_holder(self.opener_markers) or self.seats[0])

    @property
    def returned_lot_places(self) -> list[Place]:
        """The places of the lots that were not sold, oldest first."""
        places = [Place(RETURNED, slot=slot) for slot in range(1, self.auction_counter.count + 1)]
        return [place for place in places if self.face_up_cards(place)]

    @property
    def has_lots_left(self) -> bool:
        """True if there is still something to auction."""
        return bool(self.pile.count or self.returned_lot_places)

    @property
    def wealth_to_declare_end(self) -> int:
        """The wealth from which a player may declare the end."""
        return WEALTH_TO_DECLARE_END[len(self.seats)]

    def card_count(self, place: Place) -> int:
        """Returns the number of cards at a place."""
        return self.table.ledger.count_at(place, CARD)

    def face_up_cards(self, place: Place) -> list[Card]:
        """Returns the face-up cards at a place, in the order of the deck."""
        return self.faces.known_cards_at(place) if self.card_count(place) else []

    def publicly_known_cards(self, seat: Seat) -> list[Card]:
        """Returns the cards of a seat that everybody has seen."""
        return [
            card
            for place_name in (FRONT, ASIDE, OFFER)
            for card in self.face_up_cards(Place(place_name, seat))
        ]

    def can_seat_have_card(self, seat: Seat, required_values: dict[str, str]) -> bool:
        """Returns True if a seat may have a card of this kind: a known one, or any card never seen."""
        return bool(self.hands[seat].count) or any(
            card.has_printed_values(required_values) for card in self.face_up_cards(Place(FRONT, seat))
        )

    def move_cards_face_up(self, cards: Iterable[Card], source: Place, target: Place) -> None:
        """Moves cards face up to another place; from then on everybody has seen these cards."""
        open_account = self.table.ledger.open_account
        self.faces.move_cards_openly(cards, open_account(source, CARD), open_account(target, CARD))

    def move_all_face_up_cards(self, source: Place, target: Place) -> None:
        """Moves all face-up cards of a place to another place."""
        self.move_cards_face_up(self.face_up_cards(source), source, target)

    def give_property_to_buyer(self, section: str, card: Card, buyer: Seat) -> None:
        """Gives the buyer a property of a section, or one of several equal ones."""
        place = PLACE_BY_SECTION[section]
        self.move_cards_face_up([card.without_id], place, Place(ASIDE, buyer))

    def lay_down_shown_card(self, seat: Seat, card: Card, target: Place) -> None:
        """Moves a card that a seat showed to the target, from the cards before the seat or from its hand.

        If the card may come from either place, the copy before the seat is counted. The copy is chosen by
        rule, not by knowledge: the shown copy may have been in the hand, and the counted one may still be the
        seat's.
        """
        hand, front = Place(HAND, seat), Place(FRONT, seat)
        if self.faces.cards_seen_for_first_time([card], (front,)):
            self.move_cards_face_up([card], hand, target)
        elif self.can_be_from_hand(seat, card):
            self.faces.move_faces([card.without_id], UNSEEN_PLACE, (front,))
            self.faces.move_faces([card], target)
            if target != front:
                open_account = self.table.ledger.open_account
                self.table.move(open_account(front, CARD), open_account(target, CARD))
        else:
            self.move_cards_face_up([card], front, target)

    def can_be_from_hand(self, seat: Seat, card: Card) -> bool:
        """Returns True if a card that a seat shows may be one dealt to its hand."""
        if self.table.version < MIN_VERSION_COUNTING_EQUAL_CARDS_BY_RULE:
            return False  # older versions took the rule for knowledge; their logs would now lead elsewhere
        return self.hands[seat].count > 0 and self.faces.can_come_from([card])

    def give_lot_to_winner(self, winner: Seat) -> None:
        """Gives the winner the cards on the block.

        Only Buyer's cards among them may be used at once; properties are set aside.
        """
        for card in self.face_up_cards(BLOCK_PLACE):
            self.move_cards_face_up(
                [card], BLOCK_PLACE, Place(FRONT if card.has_printed_values(BUYER_VALUES) else ASIDE, winner)
            )
        for marker_account in (
            self.second_time_marker,
            *self.opener_markers.values(),
            *self.last_winner_markers.values(),
        ):
            self.table.remove_markers(marker_account)
        self.table.add_markers(self.last_winner_markers[winner])

    def make_new_cards_sellable(self, winner: Seat) -> None:
        """Makes the cards that a winner has set aside sellable from the next win on.

        A winner sets aside the cards that it won, bought or kept.
        """
        self.move_all_face_up_cards(Place(ASIDE, winner), Place(FRONT, winner))
        for marker_account in (self.sales_tried_markers[winner], self.has_bought_markers[winner]):
            self.table.remove_markers(marker_account)

    def properties_for_sale(self, section: str | None) -> dict[str, PropertyForSale]:
        """Returns the properties that the board sells, by key.

        Equal cards of a section are one property. `section` limits the properties to one section.
        """
        offer_by_key: dict[str, PropertyForSale] = {}
        for section_name in (section,) if section else PLACE_BY_SECTION:
            for card in self.face_up_cards(PLACE_BY_SECTION[section_name]):
                if card.has_printed_values(PROPERTY_VALUES):
                    offer_by_key.setdefault(
                        f"{section_name} {card.design or card.key}", PropertyForSale(section_name, card)
                    )
        return offer_by_key

    def pay_bid_or_penalty(self, seat: Seat, bid: int, card: Card, payee: Account) -> bool:
        """Pays a bid, or the penalty if the purse holds too little; returns True if the bid was paid."""
        purse = self.purses[seat]
        if purse.count >= bid:
            self.table.move(purse, payee, bid)
            self.table.declare_outcome(
                say("{seat} pays ${bid} for {card}.", seat=seat, bid=bid, card=describe_property(card)),
                [seat],
            )
            return True
        penalty = penalty_for_bid(bid, card, is_quarter_of_bid=self.table.options["penalty"] == "bid")
        self.table.move_up_to(purse, self.bank, penalty)
        self.table.declare_outcome(
            say("{seat} can't pay ${bid}. Penalty: ${owed} to the bank, or all of {seat}'s cash.",
                seat=seat, bid=bid, owed=penalty)
        )  # fmt: skip  # one sentence
        return False


# Arithmetic


class CardSets(NamedTuple):
    """The sets that some cards make.

    A set is whole, or a Buyer's card completes it; one of its cards stands for it. Buyer's cards that are
    left are only counted.
    """

    whole_sets: list[Card]
    sets_completed_by_buyers: list[Card]
    unused_buyer_count: int

    @property
    def total_worth(self) -> int:
        """The value of all these sets and Buyer's cards in $."""
        sets = sum(
            printed_number(card, "value") for card in (*self.whole_sets, *self.sets_completed_by_buyers)
        )
        return sets + VALUE_OF_UNUSED_BUYER * self.unused_buyer_count


def most_valuable_card_sets(cards: Sequence[Card]) -> CardSets:
    """Returns the most valuable sets that these cards can make.

    A Buyer's card replaces the one missing card of a set if the set is worth more than the unused card.
    """
    buyer_count = sum(card.has_printed_values(BUYER_VALUES) for card in cards)
    cards_by_set: dict[str, list[Card]] = {}
    for card in cards:
        if card.has_printed_values(PROPERTY_VALUES):
            cards_by_set.setdefault(card.design or card.key, []).append(card)
    missing_count_by_set = {
        name: printed_number(set_cards[0], "size") - len(set_cards)
        for name, set_cards in cards_by_set.items()
    }
    whole_sets = [set_cards[0] for name, set_cards in cards_by_set.items() if missing_count_by_set[name] <= 0]
    worth_completing = [
        set_cards[0]
        for name, set_cards in cards_by_set.items()
        if missing_count_by_set[name] == 1 and printed_number(set_cards[0], "value") > VALUE_OF_UNUSED_BUYER
    ]
    worth_completing.sort(key=lambda card: printed_number(card, "value"), reverse=True)
    completed_sets = worth_completing[:buyer_count]
    return CardSets(whole_sets, completed_sets, buyer_count - len(completed_sets))


def printed_number(card: Card, field: str) -> int:
    """Returns a number printed on a property."""
    return int(card.values[field])


def penalty_for_bid(bid: int, card: Card, *, is_quarter_of_bid: bool) -> int:
    """Returns the penalty for an unpaid bid: the warehouse price, or a quarter of the bid.

    A quarter is rounded up to a multiple of $10.
    """
    return (
        -(-bid // (4 * PENALTY_STEP)) * PENALTY_STEP
        if is_quarter_of_bid
        else printed_number(card, "warehouse")
    )


def describe_property(card: Card) -> Say:
    """Returns the name of a card as text; a card without a name is called after the value of its set."""
    if NAME_FIELD in card.values:
        return card.label
    return say("the ${value} set", value=printed_number(card, "value"))


def check_deck(deck: Deck) -> list[Say]:
    """Checks the deck and returns warnings; raises `UserError` if cards or dice are wrong.

    There must be twelve sets with 46 cards, eight Buyer's cards, and only red faces of the rulebook. There is
    a warning if no green face is 0.
    """
    properties = [design for design in deck.designs if design.has_printed_values(PROPERTY_VALUES)]
    buyers = [design for design in deck.designs if design.has_printed_values(BUYER_VALUES)]
    counts = (
        (say("sets"), SET_COUNT, len(properties)),
        (say("properties"), PROPERTY_COUNT, sum(design.copies for design in properties)),
        (say("Buyer's cards"), BUYER_COUNT, sum(design.copies for design in buyers)),
    )
    for counted_things, required_count, actual_count in counts:
        if actual_count != required_count:
            raise UserError(
                say(
                    "There must be {needed} {what}, not {held}.",
                    needed=required_count,
                    what=counted_things,
                    held=actual_count,
                )
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
