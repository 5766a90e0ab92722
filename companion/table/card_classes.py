"""The classes of cards of a deck: which copies a description fits, and which cards look alike.

`DeckFacePieces` has the face of every card of a deck as a piece of the ledger; it doesn't depend on a match.
`CardClasses` puts the cards of an answer into classes and groups. Neither looks at a ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from companion.cards.deck import ANY_CARD, NAME_FIELD, Card, CardDesign, CardValue, Deck
from companion.errors import IllegalAnswer
from companion.table.indistinguishable import ONLY_UNSEEN, CardClass, IndistinguishableCards
from companion.table.ledger import Piece
from companion.texts import say


@lru_cache(maxsize=1024)  # every replay comes upon the same descriptions
def face_piece(key: str, card: Card) -> Piece:
    """Returns the piece for the face of a card, or for all cards with the same description."""
    return Piece(f"card {key}", card.label, is_endless=card.id is None, is_marker=True, look="card")


class DeckFacePieces(msgspec.Struct, frozen=True):
    """The faces of a deck as pieces: of single cards by their ids, and of designs for those only described.

    `counts`: the number of each in the box. `classes` and `copies_of_design` go by the id of a design.
    """

    by_copy: dict[str, Piece]
    by_design: dict[str, Piece]
    cards: dict[Piece, Card]
    order: dict[Piece, int]
    counts: dict[Piece, int]
    classes: dict[str, CardClass]
    copies_of_design: dict[str, dict[str, Piece]]


@lru_cache(maxsize=16)  # every match, and every replay of it, begins with all of a deck's cards
def face_pieces_of(deck: Deck) -> DeckFacePieces:
    """Returns the face pieces of all cards and designs of a deck."""
    named = {name: face_piece(name, card) for name, card in deck.cards.items()}
    described = {design.id: face_piece(f"any {design.id}", design.card) for design in deck.designs}
    cards = {piece: deck.cards[name] for name, piece in named.items()}
    cards |= {described[design.id]: design.card for design in deck.designs}
    counts = dict.fromkeys(named.values(), 1)
    counts |= {described[design.id]: design.copies for design in deck.designs}
    order = {piece: at for at, piece in enumerate(cards)}
    kinds = {
        design.id: CardClass(
            described[design.id],
            design.copy_id_set,
            is_limited=NAME_FIELD in design.values or not deck.provisional,
        )
        for design in deck.designs
    }
    copies = {design.id: {name: named[name] for name in design.copy_ids} for design in deck.designs}
    return DeckFacePieces(named, described, cards, order, counts, kinds, copies)


class CardClasses:
    """A class for each design, and one for each description that fits several designs or none.

    `printed` has the face pieces of the deck; `lay` adds a face piece for a new description.
    """

    def __init__(
        self,
        deck: Deck,
        printed: DeckFacePieces,
        lay: Callable[[str, Card], Piece],
    ) -> None:
        self._deck = deck
        self._printed = printed
        self._add_face = lay
        self._classes: dict[str | frozenset[tuple[str, CardValue]] | None, CardClass] = {}
        self._groups: dict[CardClass, IndistinguishableCards] = {}
        self._grouping: tuple[Iterable[Card], Mapping[IndistinguishableCards, Sequence[Card]]] = (), {}

    def class_of(self, card: Card) -> CardClass:
        """Returns the class of a card: by its design, or by its description."""
        key = card.design or frozenset(card.values.items())
        if key not in self._classes:
            self._classes[key] = (
                self._class_of_design(card.design) if card.design else self._class_of_description(card)
            )
        return self._classes[key]

    def indistinguishable_from(self, card: Card) -> IndistinguishableCards:
        """Returns the group of look-alikes that a card belongs to."""
        return self._groups[self.class_of(card)]

    def forget_everything(self) -> None:
        """Forgets everything that was seen."""
        for alike in self._groups.values():
            alike.forget_everything()

    def group_cards(self, cards: Sequence[Card]) -> Mapping[IndistinguishableCards, Sequence[Card]]:
        """Returns the cards that say anything, by group of look-alikes; cards with an id come first."""
        if cards is self._grouping[0]:
            return self._grouping[1]
        groups: Mapping[IndistinguishableCards, Sequence[Card]]
        first = cards[0] if cards else ANY_CARD
        if cards.count(first) < len(cards):
            groups = self._grouped(cards)
        else:  # most payments are of one kind
            groups = {self.indistinguishable_from(first): cards} if says_anything(first) else {}
        if isinstance(cards, tuple):  # an answer, which is asked about again until it has been shown
            self._grouping = cards, groups
        return groups

    def _grouped(self, cards: Sequence[Card]) -> Mapping[IndistinguishableCards, Sequence[Card]]:
        named, last = False, None
        for card in cards:  # before they are grouped, as a kind that is new makes others alike
            if card is not last:
                last, named = card, named or card.id is not None
                if card.design not in self._classes and says_anything(card):
                    self.class_of(card)
        groups: dict[IndistinguishableCards, list[Card]] = {}
        last = None
        group: list[Card] = []
        for card in cards:
            if card is not last:  # those that look the same are mostly one and the same, and lie together
                last, group = (
                    card,
                    groups.setdefault(self.indistinguishable_from(card), []) if says_anything(card) else [],
                )
            group.append(card)
        if named:
            for group in groups.values():
                group.sort(key=_is_unnamed)
        return groups

    def check_counts(self, cards: Sequence[Card]) -> None:
        """Raises `IllegalAnswer` for a card listed twice, and for more cards of a class than exist."""
        for alike, group in self.group_cards(cards).items():
            if group[0].id is not None:
                _check_named(group)
            for kind in alike.classes if len(group) > 1 else ():
                if len(group) > len(kind.copies):
                    self._check_counts(cards, group)

    def _check_counts(self, cards: Sequence[Card], group: Sequence[Card]) -> None:
        for card in group:
            if card.id is None and (kind := self.class_of(card)).is_limited:
                most, count = len(kind.copies), self.count_surely_of(cards, kind)
                if count > most:
                    text = "{card}: the deck has only {n}, not {count}."
                    raise IllegalAnswer(say(text, card=card, n=most, count=count))

    def count_surely_of(self, cards: Sequence[Card], kind: CardClass) -> int:
        """Returns how many of the cards can only be of this class."""
        copies = [
            {card.id} if card.id else self.class_of(card).copies for card in cards if says_anything(card)
        ]
        return sum(bool(each) and each <= kind.copies for each in copies)

    def _class_of_design(self, name: str) -> CardClass:
        """Makes the class of a design, before any of its cards has moved or been moved by hand."""
        kind = self._printed.classes[name]
        alike = self._groups[kind] = IndistinguishableCards(self._printed.copies_of_design[name], [kind])
        alike.uniform_places = ONLY_UNSEEN
        return kind

    def _class_of_description(self, card: Card) -> CardClass:
        """Makes the class of a description; the designs that it fits become one group of look-alikes."""
        inner = [
            self.class_of(design.card) for design in _fitting(self._deck, frozenset(card.values.items()))
        ]
        counted = bool(inner) and all(each.is_limited for each in inner)
        copies = frozenset[str]().union(*[each.copies for each in inner])
        kind = CardClass(self._add_face(card.key, card), copies, counted)
        alike = IndistinguishableCards({}, [kind])
        for other in dict.fromkeys(self._groups[each] for each in inner):
            alike.absorb(other.stop_treating_alike())
        self._groups |= dict.fromkeys(alike.classes, alike)
        self._grouping = (), {}
        return kind


@lru_cache(maxsize=1024)  # every replay comes upon the same descriptions
def _fitting(deck: Deck, values: frozenset[tuple[str, CardValue]]) -> list[CardDesign]:
    return deck.matching_designs(dict(values))


def says_anything(card: Card) -> bool:
    """Returns whether a card has an id, a design or values."""
    return bool(card.id or card.design or card.values)


def _check_named(cards: Sequence[Card]) -> None:
    named = [card.id for card in cards if card.id is not None]
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise IllegalAnswer(say("Card {id} is listed twice. Remove one of the two entries.", id=twice))


def _is_unnamed(card: Card) -> bool:
    return card.id is None
