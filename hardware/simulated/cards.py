"""Cards with simulated tags: each card of each deck has one, without being taught.

    from hardware.simulated.cards import tag_of

    chip.lay(tag_of("egypt", "7.1"))

The tags are the same on every machine, and no maker of real ones has their first byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2s

from companion.owner_decks import OwnerDeck
from hardware.rfid.iso14443 import CASCADE

NO_MAKER = "FE"
DIGITS = 12
MARK, NO_MARK = f"{CASCADE:02X}", "00"


def tag_of(deck: str, card: str) -> str:
    """The simulated tag of a card, by the names of its deck and itself."""
    digits = blake2s(f"{deck}/{card}".encode()).hexdigest()[:DIGITS].upper()
    if digits[4:6] == MARK:  # the first of the last four bytes: a reader would wait for more
        digits = digits[:4] + NO_MARK + digits[6:]
    return NO_MAKER + digits


def simulated_tags(copies: Mapping[str, OwnerDeck]) -> dict[str, tuple[str, str]]:
    """The deck and the card of every simulated tag of these decks, by the names of the decks."""
    return {
        tag_of(deck, card): (deck, card)
        for deck, copy in copies.items()
        for card in copy.shipped_file.deck.cards
    }
