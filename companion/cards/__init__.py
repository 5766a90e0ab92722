"""Decks and cards: what is printed on them. Where they lie, and who has seen them, the table knows.

The printed values come from a TOML file beside the game; a game keeps the values it began with.
"""

from companion.cards.deck import ANY_CARD, Card, Deck, Design, Field, Value, Values, as_known
from companion.cards.face import CardFace, Face, PrintedValue, face_of
from companion.cards.meaning import Tags
from companion.cards.printed import Printed, deck_of, find_fault, read_deck, shipped

__all__ = [
    "ANY_CARD",
    "Card",
    "CardFace",
    "Deck",
    "Design",
    "Face",
    "Field",
    "Printed",
    "PrintedValue",
    "Tags",
    "Value",
    "Values",
    "as_known",
    "deck_of",
    "face_of",
    "find_fault",
    "read_deck",
    "shipped",
]
