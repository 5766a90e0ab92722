"""The classes of cards of a deck: which copies a description fits, and which cards look alike.

`DeckFacePieces` has the face of every card of a deck as a piece of the ledger; it doesn't depend on a match.
`CardClasses` sorts the cards of an answer into classes and groups. Neither looks at a ledger.
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
def make_face_piece(key: str, card: Card) -> Piece:
    """Returns the piece for the face of a card, or for all cards with the same description."""
    return Piece(f"card {key}", card.label, is_endless=card.id is None, is_marker=True, look="card")


class DeckFacePieces(msgspec.Struct, frozen=True):
    """The faces of a deck as pieces: one for each card, and one for each design (for cards only described).

    `count_by_piece`: the number of each in the box.
    """

    piece_by_copy_id: dict[str, Piece]
    piece_by_design_id: dict[str, Piece]
    card_by_piece: dict[Piece, Card]
    order_by_piece: dict[Piece, int]
    count_by_piece: dict[Piece, int]
    class_by_design_id: dict[str, CardClass]
    copy_pieces_by_design_id: dict[str, dict[str, Piece]]


@lru_cache(maxsize=16)  # every match, and every replay of it, begins with all of a deck's cards
def build_deck_face_pieces(deck: Deck) -> DeckFacePieces:
    """Returns the face pieces of all cards and designs of a deck."""
    named = {name: make_face_piece(name, card) for name, card in deck.cards.items()}
    described = {
        design.id: make_face_piece(f"any {design.id}", design.card_without_id) for design in deck.designs
    }
    cards = {piece: deck.cards[name] for name, piece in named.items()}
    cards |= {described[design.id]: design.card_without_id for design in deck.designs}
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
    """Puts cards into classes (one for each design or description) and into groups of look-alikes.

    `deck_face_pieces` has the face pieces of the deck; `add_face_piece` adds one for a new description.
    """

    def __init__(
        self,
        deck: Deck,
        deck_face_pieces: DeckFacePieces,
        add_face_piece: Callable[[str, Card], Piece],
    ) -> None:
        self._deck = deck
        self._printed = deck_face_pieces
        self._add_face = add_face_piece
        self._classes: dict[str | frozenset[tuple[str, CardValue]] | None, CardClass] = {}
        self._groups: dict[CardClass, IndistinguishableCards] = {}
        self._grouping: tuple[Iterable[Card], Mapping[IndistinguishableCards, Sequence[Card]]] = (), {}

    def class_of_card(self, card: Card) -> CardClass:
        """Returns the class of a card: by its design, or by its description."""
        key = card.design or frozenset(card.values.items())
        if key not in self._classes:
            self._classes[key] = (
                self._class_of_design(card.design) if card.design else self._class_of_description(card)
            )
        return self._classes[key]

    def look_alike_group_of_card(self, card: Card) -> IndistinguishableCards:
        """Returns the group of look-alikes that a card belongs to."""
        return self._groups[self.class_of_card(card)]

    def forget_seen_cards(self) -> None:
        """Forgets which cards were seen: all copies are unseen again."""
        for alike in self._groups.values():
            alike.reset_to_unseen()

    def group_look_alikes(self, cards: Sequence[Card]) -> Mapping[IndistinguishableCards, Sequence[Card]]:
        """Returns the cards grouped by look-alikes.

        In each group the cards with an id come first. Cards without id, design or values are skipped.
        """
        if cards is self._grouping[0]:
            return self._grouping[1]
        groups: Mapping[IndistinguishableCards, Sequence[Card]]
        first = cards[0] if cards else ANY_CARD
        if cards.count(first) < len(cards):
            groups = self._grouped(cards)
        else:  # most payments are of one kind
            groups = {self.look_alike_group_of_card(first): cards} if has_id_design_or_values(first) else {}
        if isinstance(cards, tuple):  # an answer, which is asked about again until it has been shown
            self._grouping = cards, groups
        return groups

    def _grouped(self, cards: Sequence[Card]) -> Mapping[IndistinguishableCards, Sequence[Card]]:
        named, last = False, None
        for card in cards:  # before they are grouped, as a kind that is new makes others alike
            if card is not last:
                last, named = card, named or card.id is not None
                if card.design not in self._classes and has_id_design_or_values(card):
                    self.class_of_card(card)
        groups: dict[IndistinguishableCards, list[Card]] = {}
        last = None
        group: list[Card] = []
        for card in cards:
            if card is not last:  # those that look the same are mostly one and the same, and lie together
                last, group = (
                    card,
                    groups.setdefault(self.look_alike_group_of_card(card), [])
                    if has_id_design_or_values(card)
                    else [],
                )
            group.append(card)
        if named:
            for group in groups.values():
                group.sort(key=_is_unnamed)
        return groups

    def check_enough_copies(self, cards: Sequence[Card]) -> None:
        """Checks that the deck has enough copies for these cards.

        Raises `IllegalAnswer` for a card listed twice, or for more cards of a class than exist.
        """
        for alike, group in self.group_look_alikes(cards).items():
            if group[0].id is not None:
                _check_named(group)
            for kind in alike.classes if len(group) > 1 else ():
                if len(group) > len(kind.copy_ids):
                    self._check_enough_copies(cards, group)

    def _check_enough_copies(self, cards: Sequence[Card], group: Sequence[Card]) -> None:
        for card in group:
            if card.id is None and (kind := self.class_of_card(card)).is_limited:
                most, count = len(kind.copy_ids), self.count_certain_members(cards, kind)
                if count > most:
                    text = "{card}: the deck has only {n}, not {count}."
                    raise IllegalAnswer(say(text, card=card, n=most, count=count))

    def count_certain_members(self, cards: Sequence[Card], card_class: CardClass) -> int:
        """Returns how many of the cards can only belong to this class."""
        copies = [
            {card.id} if card.id else self.class_of_card(card).copy_ids
            for card in cards
            if has_id_design_or_values(card)
        ]
        return sum(bool(each) and each <= card_class.copy_ids for each in copies)

    def _class_of_design(self, name: str) -> CardClass:
        """Makes the class of a design, before any of its cards has moved or been moved by hand."""
        kind = self._printed.class_by_design_id[name]
        alike = self._groups[kind] = IndistinguishableCards(
            self._printed.copy_pieces_by_design_id[name], [kind]
        )
        alike.uniform_places = ONLY_UNSEEN
        return kind

    def _class_of_description(self, card: Card) -> CardClass:
        """Makes the class of a description; the designs that it fits become one group of look-alikes."""
        inner = [
            self.class_of_card(design.card_without_id)
            for design in _fitting(self._deck, frozenset(card.values.items()))
        ]
        counted = bool(inner) and all(each.is_limited for each in inner)
        copies = frozenset[str]().union(*[each.copy_ids for each in inner])
        kind = CardClass(self._add_face(card.key, card), copies, counted)
        alike = IndistinguishableCards({}, [kind])
        for other in dict.fromkeys(self._groups[each] for each in inner):
            alike.merge_group(other.track_copies_separately())
        self._groups |= dict.fromkeys(alike.classes, alike)
        self._grouping = (), {}
        return kind


@lru_cache(maxsize=1024)  # every replay comes upon the same descriptions
def _fitting(deck: Deck, values: frozenset[tuple[str, CardValue]]) -> list[CardDesign]:
    return deck.matching_designs(dict(values))


def has_id_design_or_values(card: Card) -> bool:
    """Returns whether a card has an id, a design or values."""
    return bool(card.id or card.design or card.values)


def _check_named(cards: Sequence[Card]) -> None:
    named = [card.id for card in cards if card.id is not None]
    if len(set(named)) < len(named):
        twice = next(name for name in named if named.count(name) > 1)
        raise IllegalAnswer(say("Card {id} is listed twice. Remove one of the two entries.", id=twice))


def _is_unnamed(card: Card) -> bool:
    return card.id is None
