"""Decks and cards: the values that are printed on them.

The printed values come from a TOML file beside the game. A game keeps the values with which it began. The
table knows where cards are and who has seen them.
"""

from companion.cards.deck import (
    ANY_CARD,
    Card,
    CardDesign,
    CardField,
    CardValue,
    CardValues,
    Deck,
    DeckAndCard,
    TagLookup,
    cached_equal_deck,
)
from companion.cards.deck_file import (
    CardFace,
    DeckFile,
    FaceLayout,
    PrintedValue,
    face_of_card,
    find_part_missing_in_logged_deck,
    parse_deck_file,
    shipped_deck,
    shipped_deck_file,
)

__all__ = [
    "ANY_CARD",
    "Card",
    "CardDesign",
    "CardFace",
    "CardField",
    "CardValue",
    "CardValues",
    "Deck",
    "DeckAndCard",
    "DeckFile",
    "FaceLayout",
    "PrintedValue",
    "TagLookup",
    "cached_equal_deck",
    "face_of_card",
    "find_part_missing_in_logged_deck",
    "parse_deck_file",
    "shipped_deck",
    "shipped_deck_file",
]
