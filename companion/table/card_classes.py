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


@lru_cache(maxsize=1024)  # every replay has the same descriptions
def make_face_piece(key: str, card: Card) -> Piece:
    """Returns the piece for the face of a card, or for all cards with the same description."""
    return Piece(f"card {key}", card.label, is_endless=card.id is None, is_marker=True, look="card")


class DeckFacePieces(msgspec.Struct, frozen=True):
    """The faces of a deck as pieces: one for each card, and one for each design (for cards only described).

    `count_by_piece`: the number of copies of each piece in the box.
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
    piece_by_copy_id = {copy_id: make_face_piece(copy_id, card) for copy_id, card in deck.cards.items()}
    piece_by_design_id = {
        design.id: make_face_piece(f"any {design.id}", design.card_without_id) for design in deck.designs
    }
    card_by_piece = {piece: deck.cards[copy_id] for copy_id, piece in piece_by_copy_id.items()}
    card_by_piece |= {piece_by_design_id[design.id]: design.card_without_id for design in deck.designs}
    count_by_piece = dict.fromkeys(piece_by_copy_id.values(), 1)
    count_by_piece |= {piece_by_design_id[design.id]: design.copies for design in deck.designs}
    order_by_piece = {piece: position for position, piece in enumerate(card_by_piece)}
    class_by_design_id = {
        design.id: CardClass(
            piece_by_design_id[design.id],
            design.copy_id_set,
            is_limited=NAME_FIELD in design.values or not deck.provisional,
        )
        for design in deck.designs
    }
    copy_pieces_by_design_id = {
        design.id: {copy_id: piece_by_copy_id[copy_id] for copy_id in design.copy_ids}
        for design in deck.designs
    }
    return DeckFacePieces(
        piece_by_copy_id,
        piece_by_design_id,
        card_by_piece,
        order_by_piece,
        count_by_piece,
        class_by_design_id,
        copy_pieces_by_design_id,
    )


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
        self._deck_face_pieces = deck_face_pieces
        self._add_face_piece = add_face_piece
        self._class_by_key: dict[str | frozenset[tuple[str, CardValue]] | None, CardClass] = {}
        self._group_by_class: dict[CardClass, IndistinguishableCards] = {}
        self._last_grouping: tuple[Iterable[Card], Mapping[IndistinguishableCards, Sequence[Card]]] = (), {}

    def class_of_card(self, card: Card) -> CardClass:
        """Returns the class of a card: by its design, or by its description."""
        key = card.design or frozenset(card.values.items())
        if key not in self._class_by_key:
            self._class_by_key[key] = (
                self._make_class_of_design(card.design)
                if card.design
                else self._make_class_of_description(card)
            )
        return self._class_by_key[key]

    def look_alike_group_of_card(self, card: Card) -> IndistinguishableCards:
        """Returns the group of look-alikes that a card belongs to."""
        return self._group_by_class[self.class_of_card(card)]

    def forget_seen_cards(self) -> None:
        """Forgets which cards were seen: all copies are unseen again."""
        for group in self._group_by_class.values():
            group.reset_to_unseen()

    def group_look_alikes(self, cards: Sequence[Card]) -> Mapping[IndistinguishableCards, Sequence[Card]]:
        """Returns the cards grouped by look-alikes.

        In each group the cards with an id come first. Cards without id, design or values are skipped.
        """
        if cards is self._last_grouping[0]:
            return self._last_grouping[1]
        groups: Mapping[IndistinguishableCards, Sequence[Card]]
        first = cards[0] if cards else ANY_CARD
        if cards.count(first) < len(cards):
            groups = self._group_different_cards(cards)
        else:  # most payments are cards of one kind
            groups = {self.look_alike_group_of_card(first): cards} if has_id_design_or_values(first) else {}
        if isinstance(cards, tuple):  # an answer, whose groups are needed several times
            self._last_grouping = cards, groups
        return groups

    def _group_different_cards(
        self, cards: Sequence[Card]
    ) -> Mapping[IndistinguishableCards, Sequence[Card]]:
        has_id = False
        previous: Card | None = None
        for card in cards:  # first all classes are made, because a new class may merge groups
            if card is not previous:
                previous = card
                has_id = has_id or card.id is not None
                if card.design not in self._class_by_key and has_id_design_or_values(card):
                    self.class_of_card(card)
        groups: dict[IndistinguishableCards, list[Card]] = {}
        previous = None
        group: list[Card] = []
        for card in cards:
            if card is not previous:  # cards that look the same are mostly one object, one after the other
                previous = card
                group = (
                    groups.setdefault(self.look_alike_group_of_card(card), [])
                    if has_id_design_or_values(card)
                    else []
                )
            group.append(card)
        if has_id:
            for group in groups.values():
                group.sort(key=lambda card: card.id is None)
        return groups

    def check_enough_copies(self, cards: Sequence[Card]) -> None:
        """Checks that the deck has enough copies for these cards.

        Raises `IllegalAnswer` for a card listed twice, or for more cards of a class than exist.
        """
        for look_alikes, group in self.group_look_alikes(cards).items():
            if group[0].id is not None:
                _check_no_repeated_id(group)
            for card_class in look_alikes.classes if len(group) > 1 else ():
                if len(group) > len(card_class.copy_ids):
                    self._check_enough_copies_of_classes(cards, group)

    def _check_enough_copies_of_classes(self, cards: Sequence[Card], group: Sequence[Card]) -> None:
        for card in group:
            if card.id is None and (card_class := self.class_of_card(card)).is_limited:
                max_count, count = len(card_class.copy_ids), self.count_certain_members(cards, card_class)
                if count > max_count:
                    text = "{card}: the deck has only {n}, not {count}."
                    raise IllegalAnswer(say(text, card=card, n=max_count, count=count))

    def count_certain_members(self, cards: Sequence[Card], card_class: CardClass) -> int:
        """Returns how many of the cards can only belong to this class."""
        possible_ids_of_cards = [
            {card.id} if card.id else self.class_of_card(card).copy_ids
            for card in cards
            if has_id_design_or_values(card)
        ]
        return sum(
            bool(possible_ids) and possible_ids <= card_class.copy_ids
            for possible_ids in possible_ids_of_cards
        )

    def _make_class_of_design(self, design_id: str) -> CardClass:
        """Makes the class of a design and its group; none of its cards has moved yet."""
        card_class = self._deck_face_pieces.class_by_design_id[design_id]
        group = self._group_by_class[card_class] = IndistinguishableCards(
            self._deck_face_pieces.copy_pieces_by_design_id[design_id], [card_class]
        )
        group.uniform_places = ONLY_UNSEEN
        return card_class

    def _make_class_of_description(self, card: Card) -> CardClass:
        """Makes the class of a description, and merges the designs that it fits into one group."""
        design_classes = [
            self.class_of_card(design.card_without_id)
            for design in _matching_designs(self._deck, frozenset(card.values.items()))
        ]
        is_limited = bool(design_classes) and all(design_class.is_limited for design_class in design_classes)
        copy_ids = frozenset[str]().union(*[design_class.copy_ids for design_class in design_classes])
        card_class = CardClass(self._add_face_piece(card.key, card), copy_ids, is_limited)
        group = IndistinguishableCards({}, [card_class])
        for other_group in dict.fromkeys(
            self._group_by_class[design_class] for design_class in design_classes
        ):
            group.merge_group(other_group.start_tracking_copies_separately())
        self._group_by_class |= dict.fromkeys(group.classes, group)
        self._last_grouping = (), {}
        return card_class


@lru_cache(maxsize=1024)  # every replay has the same descriptions
def _matching_designs(deck: Deck, values: frozenset[tuple[str, CardValue]]) -> list[CardDesign]:
    return deck.matching_designs(dict(values))


def has_id_design_or_values(card: Card) -> bool:
    """Returns whether a card has an id, a design or values."""
    return bool(card.id or card.design or card.values)


def _check_no_repeated_id(cards: Sequence[Card]) -> None:
    copy_ids = [card.id for card in cards if card.id is not None]
    if len(set(copy_ids)) < len(copy_ids):
        repeated_id = next(copy_id for copy_id in copy_ids if copy_ids.count(copy_id) > 1)
        raise IllegalAnswer(say("Card {id} is listed twice. Remove one of the two entries.", id=repeated_id))
