"""A bag of High Bid's real cards: whatever people do with them, the board believes what is there.

The bag plays the board's own verbs with real cards, of which the companion is told what a table tells it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from companion.cards import Card
from companion.errors import IllegalAnswer
from companion.games.high_bid.board import (
    ASIDE,
    BANK_PLACE,
    BLOCK_PLACE,
    BOX_PLACE,
    BUYER_VALUES,
    FRONT,
    HAND,
    OFFER,
    PILE_PLACE,
    PLACE_BY_SECTION,
    PROPERTY_VALUES,
    Board,
)
from companion.requests import Read
from companion.session.session import find_no_card
from companion.table.ledger import Place
from companion.table.seats import Seat, make_seats
from companion.table.table import Table
from companion.texts import render, say
from tests.support.games.high_bid_helpers import DECK, NAMES, PRINTED


class Bag:
    """Where each real card lies, and what the companion's board makes of what it is told."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.table = Table(make_seats(NAMES[:2]), {"penalty": "warehouse"}, {"high_bid": DECK}, find_no_card)
        self.board = Board(self.table)
        names = list(PRINTED)
        self.rng.shuffle(names)
        self.lies = dict.fromkeys(names, PILE_PLACE)
        for seat in self.table.seats:
            for name in names[seat.number * 14 - 14 : seat.number * 14]:
                self.lies[name] = Place(HAND, seat)
            self.table.move(self.board.pile, self.board.hands[seat], 14)
        self.known: dict[str, Place] = {}

    def at(self, *places: Place, kind: dict[str, str] | None = None) -> list[str]:
        """The real cards that lie there."""
        shown = [name for name, lies in self.lies.items() if lies in places]
        return [name for name in shown if PRINTED[name].has_printed_values(kind or {})]

    # What people say

    def says(self, name: str, *places: Place) -> dict[str, Any]:
        """A card is laid on the reader, or picked; whoever picks one means one that lies there, if any."""
        if self.rng.random() < 0.5:
            self.known[name] = self.lies[name]
            return {"card": name}
        alike = [other for other in self.at(*places) if PRINTED[other] is PRINTED[name]]
        self.blur(name, alike)
        return {"values": dict(PRINTED[name].values)}

    def blur(self, name: str, alike: list[str]) -> None:
        """One of several alike goes, nobody says which; where only one lies it is known to be that."""
        for other in alike if len(alike) > 1 else ():
            self.known.pop(other, None)
        if not alike:
            self.known.pop(name, None)

    def answers(self, question: Read, item: dict[str, Any]) -> Card:
        """What is really there is never refused."""
        answer = question.parse_answer([item])
        question.check_answer(answer)
        assert answer is not None
        return answer[0]

    def goes(self, name: str, target: Place) -> None:
        """A real card goes."""
        self.lies[name] = target
        if name in self.known:
            self.known[name] = target

    # What happens

    def turn_up(self) -> None:
        """A lot is turned up, and somebody gets it or nobody wants it."""
        name = self.rng.choice(self.at(PILE_PLACE) or [""])
        if not name:
            return
        item = self.says(name)
        card = self.answers(Read(None, say("Turn up"), self.board.faces, 1, 1, is_face_up=True), item)
        self.board.move_cards_face_up([card], PILE_PLACE, BLOCK_PLACE)
        self.goes(name, BLOCK_PLACE)
        if self.rng.random() < 0.2:
            self.board.move_all_face_up_cards(BLOCK_PLACE, BOX_PLACE)
            self.goes(name, BOX_PLACE)
            return
        seat = self.rng.choice(list(self.table.seats))
        self.board.give_lot_to_winner(seat)
        self.goes(name, Place(FRONT if PRINTED[name].has_printed_values(BUYER_VALUES) else ASIDE, seat))

    def lay_down(self, seat: Seat, kind: dict[str, str]) -> tuple[str, Card] | None:
        """Somebody lays down a card of theirs."""
        front, hand = Place(FRONT, seat), Place(HAND, seat)
        mine = self.at(front, hand, kind=kind)
        if not mine:
            return None
        name = self.rng.choice(mine)
        open_ones = [other for other in self.at(front) if PRINTED[other] is PRINTED[name]]
        if self.lies[name] == hand and open_ones:
            name = self.rng.choice(open_ones)
        item = self.says(name, front)
        question = Read(
            seat,
            say("Lay down"),
            self.board.faces,
            1,
            1,
            required_values=kind,
            places=(front,),
            max_unseen=self.board.hands[seat],
        )
        return name, self.answers(question, item)

    def sell(self, seat: Seat) -> None:
        """A property is put up: the board gets it, or the other one, or nobody."""
        if found := self.lay_down(seat, PROPERTY_VALUES):
            name, card = found
            offer, other = Place(OFFER, seat), self.table.seats.starting_after(seat)[0]
            self.board.lay_down_shown_card(seat, card, offer)
            target = self.rng.choice([*PLACE_BY_SECTION.values(), Place(FRONT, other), Place(ASIDE, seat)])
            self.board.move_all_face_up_cards(offer, target)
            self.goes(name, target)

    def buy(self, seat: Seat) -> None:
        """A Buyer's card is laid down, and something is taken from the board by its name."""
        offers = self.board.properties_for_sale(None)
        if not offers or not (found := self.lay_down(seat, BUYER_VALUES)):
            return
        name, buyer = found
        front = Place(FRONT, seat)
        self.board.lay_down_shown_card(seat, buyer, front)
        self.goes(name, front)
        alike = [other for other in self.at(front) if PRINTED[other] is PRINTED[name]]
        if buyer.id is None:
            self.blur(name, alike)
        self.board.move_cards_face_up([buyer], front, BANK_PLACE)
        self.goes(name, BANK_PLACE)
        section, offer = self.rng.choice(list(offers.values()))
        alike = [other for other in self.at(PLACE_BY_SECTION[section]) if PRINTED[other].id == offer.design]
        self.blur("", alike)
        self.board.give_property_to_buyer(section, offer, seat)
        self.goes(self.rng.choice(alike), Place(ASIDE, seat))

    def end_wins(self) -> None:
        """What was set aside lies with the rest again."""
        for seat in self.table.seats:
            self.board.make_new_cards_sellable(seat)
            for name in self.at(Place(ASIDE, seat)):
                self.goes(name, Place(FRONT, seat))

    def correct(self, seat: Seat) -> None:
        """Somebody's card went to the other by mistake: back and face are moved by hand."""
        source, target = Place(FRONT, seat), Place(FRONT, self.table.seats.starting_after(seat)[0])
        ledger = self.table.ledger
        if not self.at(source):
            return
        name = self.rng.choice(self.at(source))
        alike = [other for other in self.at(source) if PRINTED[other] is PRINTED[name]]
        pieces = {one.piece.key: one.piece for one in ledger.accounts_at(source) if one.count}
        if piece := pieces.get(f"card any {PRINTED[name].id}"):
            self.blur(name, alike)
        else:
            piece = pieces[f"card {name}"]
        for each in (piece, pieces["card"]):
            self.table.move_by_hand(ledger.open_account(source, each), ledger.open_account(target, each), 1)
        self.goes(name, target)

    def step(self) -> None:
        """Anything."""
        seat = self.rng.choice(list(self.table.seats))
        ways: list[Callable[[], None]] = [self.turn_up, self.end_wins]
        ways += [partial(way, seat) for way in (self.sell, self.buy, self.correct)]
        self.rng.choice(ways)()

    def check(self) -> None:
        """All that lies open is known by its look; what is known to lie somewhere can't come elsewhere."""
        for place in {place for place in self.lies.values() if place.name != HAND and place != PILE_PLACE}:
            lying_here = Counter(str(card.design) for card in self.board.face_up_cards(place))
            assert lying_here == Counter(PRINTED[name].id for name in self.at(place)), place
        question = Read(None, say("Turn up"), self.board.faces, 1, 1, is_face_up=True)
        for name, place in self.known.items():
            if place not in {PILE_PLACE, *[Place(HAND, seat) for seat in self.table.seats]}:
                with pytest.raises(IllegalAnswer) as refused:
                    question.check_answer(question.parse_answer([{"card": name}]))
                assert "already at " in str(refused.value)


@pytest.mark.sweep(8)
@pytest.mark.parametrize("seed", range(30))
def test_what_is_there_is_never_refused(seed: int) -> None:
    """Random lots, sales, purchases and corrections: each real card is taken, none that lies elsewhere."""
    bag = Bag(seed)
    for _ in range(60):
        bag.step()
        bag.check()
    assert {render(card) for card in bag.board.faces.known_cards_at(BANK_PLACE)} <= {"Buyer's card"}
