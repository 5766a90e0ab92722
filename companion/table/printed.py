"""The faces of a deck as pieces, which don't depend on a match: what every ledger of cards begins with."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from companion.cards.deck import NAME_FIELD, Card, Deck
from companion.table.alike import CardClass
from companion.table.ledger import Piece


@lru_cache(maxsize=1024)  # every replay comes upon the same descriptions
def face_piece(key: str, card: Card) -> Piece:
    """The face of a card, or of all that are described so."""
    return Piece(f"card {key}", card.label, is_endless=card.id is None, is_marker=True, look="card")


class DeckFacePieces(msgspec.Struct, frozen=True):
    """The faces of a deck as pieces: of single cards by their ids, and of designs for those only described.

    `counts`: how many of each there are in the box. `kinds` and `copies` go by the id of a design.
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
    """All faces of a deck that nobody has described yet."""
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
