"""How a game's table looks, as data: what matters before each seat and in the middle.

A part of the middle without a label is called after its place, a cell after its piece. A row before a seat or
on a card has no name then, and a single card of a numbered row shows its number.

A scene names pieces and places, never widgets, sizes or colours; window, terminal and record draw it.
It is made of what was chosen before the match, and its figures read only what a view shows: it can't leak.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.cards import Card, CardFace, Deck
from companion.errors import TableError
from companion.requests import Raise, Request
from companion.table.ledger import Ledger, Piece, Place
from companion.table.seats import Seat, Seats
from companion.table.table import Setting
from companion.words import Labelled, Say, say

Value = int | tuple[int, int] | None
"""What a number shows: a count, so many of so many, or None where that is covered."""
Own = Callable[[Seat], Piece]
"""The piece of a seat's own colour."""
Counts = Mapping[tuple[Place, Piece], int | None]


class Setup(msgspec.Struct, frozen=True):
    """What was chosen before the match began: all that a scene may depend on."""

    seats: Seats
    options: Mapping[str, Setting]
    decks: Mapping[str, Deck]

    def deck(self, name: str) -> Deck:
        """Returns the printed values of the match."""
        return self.decks[name]


class Look(msgspec.Struct, frozen=True):
    """What one pair of eyes sees; figures read it."""

    counts: Counts
    faces: Mapping[Piece, CardFace]
    question: Request[Any] | None

    def count(self, piece: Piece, what: Say, seat: Seat | None = None, slot: int | None = None) -> int | None:
        """Returns how many lie there; None if that is covered."""
        return self.counts.get((Place(what, seat, slot), piece), 0)

    def number(self, piece: Piece, what: Say, seat: Seat | None = None, slot: int | None = None) -> int:
        """Returns how many lie there, where everybody knows it."""
        return self.count(piece, what, seat, slot) or 0

    def open_cards(self, what: Say, seat: Seat | None = None, slot: int | None = None) -> list[Card]:
        """Returns the cards that lie face up there for these eyes."""
        place = Place(what, seat, slot)
        return [
            face.card
            for piece, face in self.faces.items()
            for _ in range(self.counts.get((place, piece), 0) or 0)
        ]

    @property
    def bids(self) -> Mapping[Seat, int]:
        """The open bids at this moment."""
        return self.question.bids if isinstance(self.question, Raise) else {}


class Cell(msgspec.Struct, frozen=True):
    """How many of a piece lie at a place: on a mat before each seat, in the middle before nobody.

    It is named after its piece, or by `label`. On a mat `piece` may be a function that returns the seat's own
    piece; then it is named after the place.
    `of`: the most there can be. `late`: in a grid, the cell stays empty while the count is 0.
    """

    piece: Piece | Own
    what: Say
    slot: int | None = None
    label: Say | None = None
    of: int = 0
    late: bool = False


class Figure(msgspec.Struct, frozen=True):
    """A number that a function works out; `of` gets what is seen and the seat of the mat (or None).

    `piece` is drawn in place of the label, which stays its name.
    `told` says which answer the number comes from, if any: what the question was about, and who answered.
    `late`: in a grid, the cell stays empty while the number is 0.
    """

    label: Say
    of: Callable[[Look, Seat | None], Value]
    piece: Piece | None = None
    told: tuple[Piece | Place, Seat] | None = None
    late: bool = False


class Badge(msgspec.Struct, frozen=True):
    """A mark that may lie before a seat, such as start player. `out`: its owner takes no part for now."""

    piece: Piece
    what: Say
    label: Say | None = None
    out: bool = False


class Row(msgspec.Struct, frozen=True):
    """Things that come and go at a place, in this order; in a pile, in the pile's order.

    Without pieces it shows the open cards there. With `marks` it shows all marks there, such as lots won.
    """

    what: Say
    pieces: tuple[Piece, ...] = ()
    label: Say | None = None
    slot: int | None = None
    marks: bool = False


class Mat(msgspec.Struct, frozen=True):
    """What lies before each seat: one number that matters most, then more cells, badges and rows.

    Everything else there is seen by touch. `changes`: shows the last change of that number beside it.
    """

    hero: Cell | Figure | None = None
    cells: tuple[Cell | Figure, ...] = ()
    badges: tuple[Badge, ...] = ()
    rows: tuple[Row, ...] = ()
    changes: bool = False


Lines = tuple[tuple[Labelled, tuple[Cell | Figure | None, ...]], ...]
"""Lines of a grid: what each is called, and its cells. None is an empty cell."""


class Grid(msgspec.Struct, frozen=True):
    """A table of counts: a head for each column, and lines of as many cells. None is an empty cell.

    `lines` may be a function of what is seen, if there is one line per round played.
    `adds`: the last line is the sum of the lines before it.
    """

    heads: tuple[Labelled, ...]
    lines: Lines | Callable[[Look], Lines]
    adds: bool = False


class Cards(msgspec.Struct, frozen=True):
    """Open cards at a place, or `back`, a card that lies face down there, with what lies `on` them."""

    what: Say
    slot: int | None = None
    back: Piece | None = None
    on: tuple[Cell | Figure | Row, ...] = ()
    label: Say | None = None


class Pile(msgspec.Struct, frozen=True):
    """A pile of cards face down, and how many there are."""

    piece: Piece
    what: Say
    label: Say | None = None


class Track(msgspec.Struct, frozen=True):
    """Progress: a marker has gone `at` of `of` steps."""

    label: Say
    at: Cell | Figure
    of: int


class Lots(msgspec.Struct, frozen=True):
    """Pieces that are sold one by one from a place. A sold one keeps its spot and shows its owner's sign."""

    what: Say
    pieces: tuple[Piece, ...]
    label: Say | None = None


Part = Grid | Cards | Pile | Track | Lots | Cell | Figure | Row
"""One thing in the middle of the table."""


class Scene(msgspec.Struct, frozen=True):
    """How the table looks: the mat before each seat, and the parts in the middle, most important first."""

    mat: Mat = Mat()
    middle: tuple[Part, ...] = ()


def check(scene: Scene, ledger: Ledger, game: Labelled) -> None:
    """Raises `TableError`, which names the first piece or place that isn't on the game's table."""
    if not isinstance(scene, Scene):
        raise TableError(say("The scene function of {game} must return a Scene.", game=game))
    places = {place.what for place in ledger.places}
    known = ledger.pieces
    owners = {place.seat for place in ledger.places if place.seat is not None}
    for part in scene.middle:
        if any(callable(piece) for piece, _ in _of(part)):
            text = "In the shared middle, the scene of {game} shows a piece that belongs to one seat."
            raise TableError(say(text, game=game))
    for piece, what in _named(scene):
        pieces = [piece(seat) for seat in owners] if callable(piece) else [piece]
        if what not in places:
            text = "The scene of {game} names a place that isn't on its table: {place}."
            raise TableError(say(text, game=game, place=what))
        for each in pieces:
            if each is not None and each not in known:
                text = "The scene of {game} names a piece that isn't on its table: {piece}."
                raise TableError(say(text, game=game, piece=each))


Named = Iterator[tuple[Piece | Own | None, Say]]


def _named(scene: Scene) -> Named:
    """Every piece of the scene with its place, and every other place with None."""
    mat = scene.mat
    for part in (mat.hero, *mat.cells, *mat.badges, *mat.rows, *scene.middle):
        yield from _of(part)


def _of(part: Part | Badge | None) -> Named:
    match part:
        case Cell() | Badge() | Pile():
            yield part.piece, part.what
        case Row() | Lots():
            yield None, part.what
            yield from [(piece, part.what) for piece in part.pieces]
        case Cards():
            yield part.back, part.what
            yield from _all(part.on)
        case Grid():
            lines = () if callable(part.lines) else part.lines
            yield from _all([cell for _, cells in lines for cell in cells])
        case Track():
            yield from _of(part.at)
        case None | Figure():
            pass
        case _:
            raise TypeError(f"a scene shows no {type(part).__name__}: {part!r}")


def _all(parts: Sequence[Part | None]) -> Named:
    for part in parts:
        yield from _of(part)
