"""How a card looks: which of its printed values stand where. What is printed decides, never a card's code."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.bounds import ShortText
from companion.cards.deck import NAME, Card, Prints, Value


class Face(msgspec.Struct, frozen=True):
    """Where the printed values of cards that show `on` stand, each called by its field.

    `big` is what the card is about; `corners` and a `row` below it hold the others;
    a nought in the row is not shown.
    `colour`: the field, or where there is none the word, for what the card is painted in.
    `signs`: by its field, a picture or a colour that stands beside a value.
    """

    on: Prints = {}
    big: ShortText = NAME
    corners: tuple[ShortText, ...] = ()
    row: tuple[ShortText, ...] = ()
    colour: ShortText | None = None
    signs: dict[ShortText, ShortText] = {}

    def of(self, card: Card) -> CardFace:
        """The card with each of its known values at its spot."""
        known = card.values
        spots = {name: PrintedValue(name, known[name], self.signs.get(name, "")) for name in known}
        colour = str(known.get(self.colour, self.colour)) if self.colour else ""
        return CardFace(
            card,
            spots.get(self.big),
            tuple([spots[name] for name in self.corners if name in spots]),
            tuple([spots[name] for name in self.row if known.get(name)]),
            colour,
        )


class PrintedValue(msgspec.Struct, frozen=True):
    """One printed value: the field it is of, what it is, and the sign beside it if there is one."""

    field: str
    value: Value
    sign: str = ""


class CardFace(msgspec.Struct, frozen=True):
    """A card as people see it."""

    card: Card
    big: PrintedValue | None
    corners: tuple[PrintedValue, ...] = ()
    row: tuple[PrintedValue, ...] = ()
    colour: str = ""


PLAIN = Face()
"""Of a card without a face of its own people see its name, if it has one."""


def face_of(faces: Sequence[Face], card: Card) -> CardFace:
    """The card as the first of these faces shows it that is meant for its like."""
    face = next((face for face in faces if card.shows(face.on)), PLAIN)
    return face.of(card)
