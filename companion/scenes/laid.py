"""What a scene shows at one moment, as values: two that are equal look alike, so nothing is drawn again."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from companion.cards import CardFace
from companion.rules.scene import Value
from companion.session.view import Holding
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.words import Labelled, say

EARLIER = say("earlier")
"""The name of a line that stands for all before it."""


class NumberLaid(msgspec.Struct, frozen=True):
    """A number with the piece that stands beside it or, where there is none or it has no picture, its label.

    `value` None: it is covered, and a card's back stands for it. `of`: so many there can be.
    `told`: what the question was about whose answer it comes from, and who answered.
    """

    piece: Piece | None
    label: Labelled | None
    value: Value
    of: int = 0
    told: tuple[Piece | Place, Seat] | None = None

    @property
    def name(self) -> Labelled:
        """What it is called."""
        named = self.label or self.piece
        assert named is not None
        return named


class RowLaid(msgspec.Struct, frozen=True):
    """Things side by side with how many there are of each, and open cards; `piled`: the first lies lowest.

    A row in the middle always has a `label`; before a seat and on a card None says that it needs none.
    """

    label: Labelled | None
    things: tuple[tuple[Piece, int | None], ...] = ()
    cards: tuple[CardFace, ...] = ()
    piled: bool = False
    place: Place | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing lies there."""
        return not (self.things or self.cards)


class MatLaid(msgspec.Struct, frozen=True):
    """What lies before a seat. `badges` are those it has, each with whether it takes who has it out.

    `changes`: by how much the hero changed last is told beside it.
    """

    seat: Seat
    hero: NumberLaid | None
    cells: tuple[NumberLaid, ...]
    badges: tuple[tuple[Labelled, bool], ...]
    rows: tuple[RowLaid, ...]
    rest: tuple[Holding, ...]
    changes: bool

    @property
    def out(self) -> bool:
        """Whether a mark says that this seat takes no part for now."""
        return any(out for _, out in self.badges)


class GridLaid(msgspec.Struct, frozen=True):
    """Heads and lines of numbers, each under its head; `adds`: the last line is the sum of the others."""

    heads: tuple[Labelled, ...]
    lines: tuple[tuple[Labelled, tuple[NumberLaid | None, ...]], ...]
    adds: bool = False

    @property
    def is_told(self) -> bool:
        """Whether some of its numbers are answers, which can be amended."""
        return any(cell is not None and cell.told for _, cells in self.lines for cell in cells)

    @property
    def so_far(self) -> list[list[int]]:
        """The sum of each column down to each line that adds up."""
        sums, found = [0] * len(self.heads), []
        for _, cells in self.lines[:-1] if self.adds else ():
            values = [cell.value if cell is not None and isinstance(cell.value, int) else 0 for cell in cells]
            sums = [one + more for one, more in zip(sums, values, strict=True)]
            found.append(sums)
        return found

    def last(self, lines: int) -> GridLaid:
        """Returns the sheet with its last `count` lines, and one line before them that sums up all others.

        It stays whole where it doesn't add up, or has no more.
        """
        before = len(self.lines) - lines
        if not self.adds or before <= 1:
            return self
        sums = tuple([NumberLaid(None, EARLIER, value) for value in self.so_far[before - 1]])
        earlier = [(EARLIER, sums)] if lines > 1 else []
        return replace(self, lines=(*earlier, *self.lines[before:]))


class CardsLaid(msgspec.Struct, frozen=True):
    """Open cards, so many backs, and what lies on them; `wanted`: the question is about them.

    `label` None: they lie in a numbered row, whose number is their name there.
    `backs` None: nobody may know how many lie there.
    `place` wears the number it has now in a row that closes up.
    """

    label: Labelled | None
    place: Place
    cards: tuple[CardFace, ...]
    back: Piece | None
    backs: int | None
    on: tuple[NumberLaid | RowLaid, ...]
    wanted: bool

    @property
    def empty(self) -> bool:
        """Whether neither a card lies there nor anything on it."""
        there = any(not one.empty if isinstance(one, RowLaid) else one.value != 0 for one in self.on)
        return not (self.cards or self.backs != 0 or there)


class PileLaid(msgspec.Struct, frozen=True):
    """A number of cards face down; None means that nobody may know it."""

    label: Labelled
    piece: Piece
    count: int | None


class TrackLaid(msgspec.Struct, frozen=True):
    """A marker at a step of a track; the last is `of`."""

    label: Labelled
    at: int
    of: int


class LotLaid(msgspec.Struct, frozen=True):
    """One of a row of lots: still to be sold, `wanted` now, sold to a seat, or `gone`."""

    piece: Piece
    wanted: bool
    owner: Seat | None
    gone: bool


class LotsLaid(msgspec.Struct, frozen=True):
    """A row of lots, each at its own spot."""

    label: Labelled
    lots: tuple[LotLaid, ...]


PartLaid = GridLaid | CardsLaid | PileLaid | TrackLaid | LotsLaid | NumberLaid | RowLaid


class TableLaid(msgspec.Struct, frozen=True):
    """A mat for each seat, the middle, and what lies before nobody that the scene doesn't name."""

    mats: tuple[MatLaid, ...]
    middle: tuple[PartLaid, ...]
    rest: tuple[Holding, ...] = ()

    def mat(self, seat: Seat) -> MatLaid:
        """What lies before that seat."""
        return next(mat for mat in self.mats if mat.seat == seat)
