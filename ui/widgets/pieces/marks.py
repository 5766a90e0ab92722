"""What is drawn small on a strip or in the middle: a picture, a text, a number beside its picture, a card.

A mark is no widget: it knows how wide it is where it is so high, and draws itself at a spot. So a strip of
thirty marks is one widget, and what changes on it is a few strokes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.table.ledger import Piece
from companion.table.seats import Seat
from ui import theme
from ui.theme import Colour
from ui.widgets.drawing.surfaces import Box, fill, inset, rim
from ui.widgets.drawing.symbols import draw_shape, draw_token
from ui.widgets.drawing.text import across, inscribe
from ui.widgets.pieces.things import THINGS, draw_thing

CARD_WIDE = 0.74
"""A card's width as a share of its height."""
OVERLAP = 0.78
"""How far the pieces of a stack lie apart, as a share of one."""
DIGITS = 0.86
"""How high digits are beside a picture."""
WORDS = 0.74
"""How high words are."""


class Ground(NamedTuple):
    """What lies below: the colour of words on it, of quiet ones and of numbers that are nought."""

    word: Colour
    quiet: Colour

    @property
    def faint(self) -> Colour:
        """For what is there, but nought."""
        return theme.fade(self.word, 0.65)


ON_PAPER = Ground(theme.INK, theme.INK_QUIET)
ON_FELT = Ground(theme.PAPER, theme.QUIET)


class Mark:
    """Something small to look at, this one nothing. It is so many `lines` high, and told how high one is."""

    lines: float = 1.0
    said: str = ""
    """Its words and numbers, for whoever can't see it (and for tests)."""
    weight: int = 0
    """Where room is short the mark of the highest weight is left out first, one below 0 never."""

    def across(self, high: float) -> float:  # noqa: ARG002 - of nothing it doesn't matter
        """How wide it is where it is so high."""
        return 0.0

    def draw(self, x: float, y: float, high: float) -> None:
        """Draws the sign with its lower left corner at (x, y)."""

    def apart(self, high: float, width: float) -> Sequence[Mark]:  # noqa: ARG002 - most are one piece
        """The marks to show in place of this one where it is wider than `width`."""
        return (self,)


class Said(Mark):
    """A text in one line; `share` is how much of the height its letters take, never less than can be read."""

    def __init__(
        self,
        text: str,
        colour: Colour,
        share: float = WORDS,
        *,
        bold: bool = True,
        font: str = theme.TEXT_FONT,
    ) -> None:
        self.said, self._colour, self._share, self._bold, self._font = text, colour, share, bold, font

    def _size(self, high: float) -> float:
        return max(theme.length.smallest, high * self._share)

    def across(self, high: float) -> float:
        """The text."""
        return across(self.said, self._size(high), self._font, bold=self._bold)

    def draw(self, x: float, y: float, high: float) -> None:
        """The text."""
        middle = (x + self.across(high) / 2, y + high / 2)
        inscribe(self.said, middle, self._size(high), self._colour, self._font, bold=self._bold)


def digits(text: str, colour: Colour, share: float = DIGITS) -> Said:
    """A number in digits of one width."""
    return Said(text, colour, share, font=theme.MONEY)


class Picture(Mark):
    """A piece without its number: a coin, a gem, a card's back; `sign` is the letter on it."""

    def __init__(self, piece: Piece, sign: str = "") -> None:
        self.piece, self.said = piece, sign

    @property
    def _is_thing(self) -> bool:
        return self.piece.look in THINGS

    def across(self, high: float) -> float:
        """A square, or a card."""
        return high if self._is_thing else high * CARD_WIDE

    def draw(self, x: float, y: float, high: float) -> None:
        """The piece."""
        if self._is_thing:
            draw_thing(self.piece, self.said, (x, y, high, high))
        else:
            draw_back(self.piece.colour, (x, y, high * CARD_WIDE, high))


class CoveredMark(Mark):
    """What nobody may see: a card's back."""

    def across(self, high: float) -> float:
        """A card."""
        return high * CARD_WIDE

    def draw(self, x: float, y: float, high: float) -> None:
        """Draws the card's back, with what people would ask."""
        box = (x, y, high * CARD_WIDE, high)
        draw_ground("", box)
        inscribe("?", middle(box), high * WORDS, theme.BRASS_LIT)


class Plaque(Mark):
    """A word on a small plate: a mark that somebody has; `warning` in red.

    Its letters are as small as can be read, or take a `share` of its height.
    """

    def __init__(self, text: str, *, warning: bool = False, share: float = 0.0) -> None:
        self.said, self._warning, self._share = text, warning, share

    def _letters(self, high: float) -> float:
        return max(theme.length.smallest, high * self._share)

    def across(self, high: float) -> float:
        """The word with a margin."""
        return across(self.said, self._letters(high)) + theme.length.gap * 1.2

    def draw(self, x: float, y: float, high: float) -> None:
        """Plate and word."""
        size, radius = self._letters(high), theme.length.radius * 0.4
        tall = min(high, size * 1.4)
        box: Box = (x, y + (high - tall) / 2, self.across(high), tall)
        fill(theme.PAPER_LIT, box, radius)
        rim(theme.DANGER if self._warning else theme.BRASS_DARK, box, theme.length.line, radius)
        inscribe(self.said, middle(box), size, theme.INK)


class LeftOut(Plaque):
    """How many things have no room, in words: a bare `+2` would be read as a bid, or as a change."""


class NameCard(Mark):
    """An open card by its name, a stroke of brass at its head."""

    def __init__(self, name: str) -> None:
        self.said = name

    def across(self, high: float) -> float:
        """The name with a margin."""
        return max(high * CARD_WIDE, across(self.said, self._letters(high)) + theme.length.gap * 1.2)

    def _letters(self, high: float) -> float:
        return max(theme.length.smallest, high * 0.5)

    def draw(self, x: float, y: float, high: float) -> None:
        """Card, ink edge, brass, the name."""
        box: Box = (x, y, self.across(high), high)
        fill(theme.PAPER_LIT, box, theme.length.rim)
        rim(theme.INK, box, theme.length.hair, theme.length.rim)
        left, low, width, tall = inset(box, theme.length.line)
        head = theme.length.line
        fill(theme.BRASS, (left, low + tall - head, width, head), theme.length.hair)
        inscribe(self.said, middle(box), self._letters(high), theme.INK)


class Beside(Mark):
    """Marks side by side; `gap` is what lies between them, in heights."""

    def __init__(self, *marks: Mark, gap: float = 0.16) -> None:
        self.marks, self._gap = marks, gap
        self.said = " ".join(mark.said for mark in marks if mark.said)

    def across(self, high: float) -> float:
        """All of them."""
        return sum(mark.across(high) for mark in self.marks) + self._gap * high * (len(self.marks) - 1)

    def draw(self, x: float, y: float, high: float) -> None:
        """From the left."""
        for mark in self.marks:
            mark.draw(x, y, high)
            x += mark.across(high) + self._gap * high

    def apart(self, high: float, width: float) -> Sequence[Mark]:  # noqa: ARG002 - at any width the same
        """Each mark by itself."""
        return self.marks


class Stacked(Mark):
    """Pieces one over the other, the lowest at the left and the topmost whole."""

    def __init__(self, pictures: Sequence[Picture]) -> None:
        self._pictures = pictures
        self.said = " ".join(picture.said for picture in pictures)

    def across(self, high: float) -> float:
        """Returns the width of the pictures, which overlap."""
        return high * (1 + OVERLAP * (len(self._pictures) - 1))

    def draw(self, x: float, y: float, high: float) -> None:
        """From the lowest to the topmost."""
        for at, picture in enumerate(self._pictures):
            picture.draw(x + at * OVERLAP * high, y, high)


class Wooden(Mark):
    """A round piece of wood with its number; brass all round if it is `wanted`, hollow once it is `gone`."""

    def __init__(self, text: str, *, wanted: bool = False, gone: bool = False, owner: str = "") -> None:
        self.said, self._wanted, self._gone, self._owner = text, wanted, gone, owner

    def across(self, high: float) -> float:
        """Round, or longer for a long number."""
        return max(high, across(self.said, high * 0.66, theme.MONEY) + high * 0.3)

    def draw(self, x: float, y: float, high: float) -> None:
        """Wood, rim, number; an owner's token over its lower half."""
        box = inset((x, y, self.across(high), high), theme.length.hair)
        radius = box[3] / 2
        if self._gone:
            rim(theme.fade(theme.QUIET, 0.5), box, theme.length.hair, radius)
            inscribe(self.said, middle(box), high * 0.5, theme.fade(theme.QUIET, 0.7), theme.MONEY)
            return
        taken = bool(self._owner)
        fill(
            theme.fade(theme.KRAFT, 0.35) if taken else theme.PAPER_LIT if self._wanted else theme.KRAFT,
            box,
            radius,
        )
        if self._wanted:
            rim(theme.BRASS, inset(box, -theme.length.line), theme.length.rim * 1.4, radius)
        rim(theme.INK, box, theme.length.hair, radius)
        if taken:
            draw_token(self._owner, inset(box, high * 0.06))
            return
        inscribe(self.said, middle(box), high * 0.66, theme.INK, theme.MONEY)


class TokenMark(Mark):
    """Somebody's token, where there is no room for the name."""

    def __init__(self, seat: Seat) -> None:
        self._seat, self.said = seat, seat.name

    def across(self, high: float) -> float:
        """A square."""
        return high

    def draw(self, x: float, y: float, high: float) -> None:
        """The token."""
        draw_token(self._seat.colour, inset((x, y, high, high), high * 0.06))


def draw_ground(colour: str, box: Box) -> Box:
    """A small card face down, with nothing on it; returns what lies within its rim."""
    fill(theme.PAPER_LIT, box, theme.length.rim)
    rim(theme.INK, box, theme.length.hair, theme.length.rim)
    inner = inset(box, theme.length.line * 1.2)
    fill(theme.PIECE_COLOURS.get(colour, theme.FELT_LIT), inner, theme.length.line)
    return inner


def draw_back(colour: str, box: Box) -> None:
    """A small card face down, in the colour of its deck."""
    inner = draw_ground(colour, box)
    side = min(inner[2], inner[3]) * 0.86
    x, y = inner[0] + (inner[2] - side) / 2, inner[1] + (inner[3] - side) / 2
    draw_shape("diamond", (x, y, side, side), theme.BRASS, theme.FELT, theme.length.hair)


def middle(box: Box) -> tuple[float, float]:
    """The middle of a box."""
    return box[0] + box[2] / 2, box[1] + box[3] / 2
