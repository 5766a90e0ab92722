"""Decks and cards: what is printed on them, which of them the table has seen, and where those lie.

The printed values come from a TOML file beside the game; a game keeps the values it began with.
"""

from companion.cards.alike import UNSEEN
from companion.cards.deck import ANY_CARD, Card, Deck, Design, Field, Value, Values
from companion.cards.faces import Faces
from companion.cards.meaning import Tags
from companion.cards.printed import Printed, deck_of, read_deck, shipped

__all__ = [
    "ANY_CARD",
    "UNSEEN",
    "Card",
    "Deck",
    "Design",
    "Faces",
    "Field",
    "Printed",
    "Tags",
    "Value",
    "Values",
    "deck_of",
    "read_deck",
    "shipped",
]
