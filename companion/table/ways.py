"""Which way every single card goes from one moment of a game to another.

Back through all that happened since both were the same, then forth through the rest of the other.
It tells nothing, and knows no more than all saw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.table.flights import CardStep, CardTransfer, are_equal, card_transfers
from companion.table.ledger import Piece, Place
from companion.texts import Say

CountsByPlace = Mapping[Place, int]
MAX_TRACED_CARDS = 1000
"""More cards than that go nowhere one by one."""


class TracedCard(msgspec.Struct, eq=False):
    """A card that moves: where it lay at first, where it lies now, and what was seen on it on the way.

    `back`: it moved by going back. `guess`: it may be one that came there before.
    """

    origin: Place
    place: Place
    is_guess: bool
    names: list[Say]
    moved_back: bool = False


def trace_cards(
    piece: Piece, held: CountsByPlace, now: Sequence[CardStep], then: Sequence[CardStep]
) -> list[TracedCard]:
    """All cards of a kind that have to move, in an order in which it can be done; `held`: where they lie."""
    same = 0
    while same < min(len(now), len(then)) and now[same] == then[same]:
        same += 1
    ways = [way for step in (*now[same:], *then[same:]) for way in step if way.piece.is_back]
    if sum(way.count for way in ways) > MAX_TRACED_CARDS or piece not in {way.piece for way in ways}:
        return []
    walk = _Walk(held)
    for step in reversed(now[same:]):
        for late in (True, False):
            walk.go([one.reversed for one in reversed(_of(piece, step, late=late))], back=True)
    for step in then[same:]:
        for late in (False, True):
            walk.go(_of(piece, step, late=late), back=False)
    return [card for card in walk.cards if card.place != card.origin]


def _of(piece: Piece, step: CardStep, *, late: bool) -> list[CardTransfer]:
    return [flight for flight in card_transfers(step) if flight.piece == piece and flight.is_return == late]


class _Walk:
    """Cards on their way from one moment to another; `cards` are all that have moved."""

    def __init__(self, held: CountsByPlace) -> None:
        self.cards: list[TracedCard] = []
        self._own = dict(held)
        self._came: dict[Place, list[TracedCard]] = {}

    def go(self, ways: Sequence[CardTransfer], *, back: bool) -> None:
        """One thing happens, or is taken `back`."""
        leaving = [self._leaving(flight, back=back) for flight in ways]
        for card, flight in zip(leaving, ways, strict=True):
            card.place, card.moved_back = flight.target, card.moved_back or back
            card.names += [flight.name] if flight.name else []
            self._came.setdefault(flight.target, []).append(card)
        for flight in ways:
            self._empty(flight.source)

    def _leaving(self, flight: CardTransfer, *, back: bool) -> TracedCard:
        """The card that all know; or what came last; or one that lay there at first.

        Of what a seat holds nobody else knows which card leaves it: one that lay there is told.
        """
        place = flight.source
        here = self._came.setdefault(place, [])
        fitting = [card for card in here if flight.name in card.names]
        if not fitting:
            fitting = [card for card in here if not (flight.was_open and card.names)]
            if place.seat and not self._are_alike(place, fitting):
                fitting = [card for card in fitting if card.moved_back and not back]
        if fitting:
            here.remove(fitting[-1])
            return fitting[-1]
        self._own[place] = self._own.get(place, 0) - 1
        self.cards.append(TracedCard(place, place, bool(here), []))
        return self.cards[-1]

    def _are_alike(self, place: Place, cards: Sequence[TracedCard]) -> bool:
        """Whether these are all that lies there, and it makes no difference which of them leaves."""
        others = self._own.get(place) or any(card.is_guess for card in self.cards if card.origin == place)
        return not others and are_equal((card.origin, *card.names) for card in cards)

    def _empty(self, place: Place) -> None:
        """Nothing is left there: so what came there has left, too, and where to is sure if all went there."""
        here = self._came[place]
        if here and self._own.get(place, 0) + len(here) == 0:
            left = [card for card in self.cards if card.origin == place and card.is_guess]
            if are_equal((card.place, *card.names) for card in left):
                for card, other in zip(here, left, strict=False):
                    self._stand_in(card, other)
            for card in left:
                card.is_guess = False
            here.clear()
            self._own[place] = 0

    def _stand_in(self, card: TracedCard, other: TracedCard) -> None:
        """It was this card that left, not one that lay there."""
        card.place = other.place
        card.names += other.names
        came = self._came[card.place]
        if other in came:  # else that place has been emptied since, and nobody knows where it went from there
            came.remove(other)
            came.append(card)
        self.cards.remove(other)
