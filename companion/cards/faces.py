"""Which cards of a deck have been seen, and where they lie since.

It knows no rule; the backs that people see on the table are pieces of the game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

from companion.cards.deck import ANY_CARD, NAME, Card, Deck, Values
from companion.errors import IllegalAnswer
from companion.ledger import Account, Ledger, Piece, Place
from companion.words import Say, say

UNSEEN = Place(say("unseen"))
Tags = Callable[[str], "tuple[str, str] | None"]
"""From the id of a tag to its deck and card, or None for a tag nobody has learnt."""


@cache
def _face(key: str, label: Say, endless: bool) -> Piece:  # noqa: FBT001 - it is one column of a key
    return Piece(f"card {key}", label, endless=endless, mark=True, look="card")


class Faces:
    """Which faces of a deck have been seen, and where those cards went.

    Each card of the deck is a piece of its own, and so is each design for cards that were only described,
    and each description of a card that isn't in the list. All lie `unseen` until they are shown.
    As long as the list is a guess, more cards than it has may show the same values; names are no guess.
    In the places `covered` nobody sees them; the first of those is where `show` puts them by itself.
    """

    def __init__(self, deck: Deck, ledger: Ledger, tags: Tags, *covered: Place) -> None:
        self.deck = deck
        self._ledger = ledger
        self._tags = tags
        self._covered = covered
        self._typed: dict[str, Card] = {repr({}): ANY_CARD}
        self._shown: dict[Piece, Card] = {}
        self._order: dict[Piece, int] = {}
        self._homes: dict[Piece, Account] = {}
        self._cards = {name: Card(name, design.id, design.values) for name, design in deck.named().items()}
        self._counted = {
            design.id for design in deck.designs if NAME in design.values or not deck.provisional
        }
        self._unseen = {name: self._lay(name, card, 1) for name, card in self._cards.items()}
        self._described = {
            design.id: self._lay(
                f"any {design.id}",
                Card(None, design.id, design.values),
                design.copies,
                endless=design.id not in self._counted,
            )
            for design in deck.designs
        }
        self._copies = {design.id: [self._unseen[name] for name in design.names] for design in deck.designs}

    def read(self, item: object, shows: Values | None = None) -> Card:
        """The card that one item of an answer means: `{"card": id}`, `{"tag": uid}` or `{"values": {…}}`.

        A description gets the values of `shows` added.
        """
        if isinstance(item, dict) and len(item) == 1:
            ((way, what),) = item.items()
            if way == "values" and isinstance(what, dict):
                return self._described_card({**(shows or {}), **what})
            if way == "card" and isinstance(what, str):
                return self._card(what)
            if way == "tag" and isinstance(what, str):
                return self._card(self._tagged(what))
        raise IllegalAnswer(say('A card is {{"card": id}}, {{"tag": uid}} or {{"values": {{…}}}}.'))

    def check(self, cards: Sequence[Card]) -> None:
        """Raises `IllegalAnswer` for cards that the deck doesn't hold together, whatever was shown."""
        named = [card.id for card in cards if card.id is not None]
        if len(set(named)) < len(named):
            twice = next(name for name in named if named.count(name) > 1)
            raise IllegalAnswer(say("Card {id} is there twice; take one of the two away.", id=twice))
        for design, count in _designs(cards).items():
            if design in self._counted and count > len(self._copies[design]):
                raise IllegalAnswer(say("There can't be so many cards {id}.", id=design))

    def unseen(self) -> list[str]:
        """The ids of all cards not shown by name, in the order of the deck."""
        return [name for name, account in self._unseen.items() if account.count]

    def left(self, design: str) -> int:
        """How many cards of a design can still be anywhere unseen."""
        copies = self._copies[design]
        return sum([account.count for account in copies]) + self._described[design].count - len(copies)

    def lying(self, place: Place) -> list[Card]:
        """The cards whose faces lie at a place, in the order of the deck; those only typed last."""
        faces = [one for one in self._ledger.at(place) if one.count and one.piece in self._shown]
        faces.sort(key=lambda one: self._order[one.piece])
        return [self._shown[one.piece] for one in faces for _ in range(one.count)]

    def misplaced(self, cards: Sequence[Card], at: Sequence[Place] = ()) -> Account | None:
        """Where the first of these named cards lies that is neither unseen nor at one of the places `at`."""
        for card in cards:
            if card.id is not None and not self._unseen[card.id].count:
                account = self._account_of(card.id)
                if account.place not in at:
                    return account
        return None

    def fresh(self, cards: Sequence[Card], at: Sequence[Place] = ()) -> list[Card]:
        """Those of the cards that lie at none of these places, so that nobody has seen them before."""
        lying = [card for place in at for card in self.lying(place)]
        fresh: list[Card] = []
        for card in sorted(cards, key=lambda card: card.id is None):
            there = next((one for one in lying if _may_be(card, one)), None)
            if there is None:
                fresh.append(card)
            else:
                lying.remove(there)
        return fresh

    def may_show(self, cards: Sequence[Card], at: Sequence[Place] = ()) -> bool:
        """Whether these cards can still come, unseen or from the places `at`; where the rest lies is covered.

        A card that was read lies there, whatever was typed before: only typed ones can be too many.
        """
        named = [card.id for card in cards if card.id is not None]
        if len(set(named)) < len(named) or self.misplaced(cards, at):
            return False
        fresh = self.fresh(cards, at)
        typed = {card.design for card in fresh if card.id is None} & self._counted
        return all(count <= self.left(design) for design, count in _designs(fresh).items() if design in typed)

    def show(self, cards: Iterable[Card], place: Place | None = None, at: Sequence[Place] = ()) -> None:
        """Moves the faces of these cards to a place, those only typed from the places `at` if they lie there.

        Without a place they go where they lie face down. Of a card of which nothing is known nothing moves.
        """
        target = self._covered[0] if place is None else place
        for card in cards:
            self._name(card, at)
            source = self._source(card, at)
            if source is not None and source.place != target:
                self._ledger.transfer(source, self._ledger.account(target, source.piece), 1)

    def any_of(self, card: Card, place: Place) -> Card:
        """What is taken of several copies that lie there: one; from then on nobody knows which is which."""
        copies = [one for one in self.lying(place) if one.design == card.design]
        if card.design is None or len(copies) == 1:
            return card
        home = self._described[card.design]
        for name in [one.id for one in copies if one.id is not None]:
            face = self._account_of(name)
            self._ledger.transfer(face, self._homes[face.piece], 1)
            self._ledger.transfer(home, self._ledger.account(place, home.piece), 1)
        return self._shown[home.piece]

    def gather(self) -> None:
        """All cards are shuffled again: nothing has been seen."""
        for account, home in self._ledger.astray(self._homes):
            self._ledger.transfer(account, home, account.count)

    def _name(self, card: Card, at: Sequence[Place]) -> None:
        """A card that was only typed until now has been read: what stood for it lies nowhere any more."""
        if card.id is None or card.design is None or not self._unseen[card.id].count:
            return
        home = self._described[card.design]
        place = next((place for place in at if self._ledger.count(place, home.piece)), None)
        if place is not None:
            self._ledger.transfer(self._ledger.account(place, home.piece), home, 1)

    def _source(self, card: Card, at: Sequence[Place]) -> Account | None:
        if card.id is not None:
            return self._account_of(card.id)
        if card == ANY_CARD:
            return None
        for place in at:
            for one in sorted(self.lying(place), key=lambda one: one != card):
                if _may_be(card, one):
                    return self._ledger.account(place, self._piece(one))
        if card.design is not None:
            return self._described[card.design]
        return self._lay(card.key, card, 0) if self.deck.fields else None

    def _account_of(self, name: str) -> Account:
        home = self._unseen[name]
        return home if home.count else self._ledger.holding(home.piece)

    def _lay(self, key: str, card: Card, count: int, *, endless: bool = False) -> Account:
        face = _face(key, card.label, endless or not count)
        self._shown[face] = card
        self._order.setdefault(face, len(self._order))
        for place in self._covered:
            self._ledger.account(place, face, covered=True)
        home = self._homes[face] = self._ledger.account(UNSEEN, face, covered=True)
        return self._ledger.supply(home, count)

    def _piece(self, card: Card) -> Piece:
        return next(piece for piece, one in self._shown.items() if one == card)

    def _card(self, name: str) -> Card:
        if name not in self._cards:
            raise IllegalAnswer(say("There is no card {id} in this deck.", id=name))
        return self._cards[name]

    def _tagged(self, uid: str) -> str:
        found = self._tags(uid)
        if found is None:
            raise IllegalAnswer(say("Tag {uid} has not been learnt; pick or type the card.", uid=uid))
        deck, name = found
        if deck != self.deck.name:
            text = say("Tag {uid} is card {id} of another game, {deck}.", uid=uid, id=name, deck=deck)
            raise IllegalAnswer(text)
        return name

    def _described_card(self, values: dict[str, Any]) -> Card:
        written = repr(values)
        if written not in self._typed:
            self._typed[written] = self.deck.described(values)
        return self._typed[written]


def _may_be(card: Card, lying: Card) -> bool:
    """Whether a card is the one that lies there; where one was only typed it may be any of its design."""
    if card.design is not None and None in (card.id, lying.id):
        return lying.design == card.design
    return lying == card and card != ANY_CARD


def _designs(cards: Sequence[Card]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for card in cards:
        if card.design is not None:
            counts[card.design] = counts.get(card.design, 0) + 1
    return counts
