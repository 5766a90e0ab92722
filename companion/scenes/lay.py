"""Lays out what a view shows as its scene says; a pure function of the view, so nothing else can be seen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from companion.cards import CardFace
from companion.requests import Request
from companion.rules.scene import Cards, Cell, Figure, Grid, Look, Lots, Mat, Part, Pile, Row, Scene, Track
from companion.scenes.laid import (
    CardsLaid,
    GridLaid,
    LotLaid,
    LotsLaid,
    MatLaid,
    NumberLaid,
    PartLaid,
    PileLaid,
    RowLaid,
    TableLaid,
    TrackLaid,
)
from companion.scenes.plain import plain
from companion.session.view import Holding, View
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.words import Labelled


def lay(seen: View, scene: Scene | None = None) -> TableLaid:
    """The table of this moment; without a scene the plain one."""
    scene = plain(seen) if scene is None else scene
    laying = _Laying(seen)
    middle = tuple([one for part in scene.middle if not _is_empty(one := laying.part(part))])
    mats = tuple([laying.mat(scene.mat, seat) for seat in seen.seats])
    return TableLaid(mats, middle, laying.others(None))


def _is_empty(part: PartLaid) -> bool:
    """Whether it is a grid of which no line has been played yet."""
    return isinstance(part, GridLaid) and not part.lines


class _Laying:
    """`named` remembers what the scene has named, so that the rest can be told."""

    def __init__(self, seen: View) -> None:
        self._seen = seen
        counts = {(one.place, one.piece): one.count for one in seen.holdings}
        self._faces_seen = dict(seen.faces)
        self._look = Look(counts, self._faces_seen, seen.question)
        self._named: set[tuple[Place, Piece]] = set()

    def mat(self, mat: Mat, seat: Seat) -> MatLaid:
        number = partial(self._number, seat=seat)
        return MatLaid(
            seat,
            None if mat.hero is None else number(mat.hero),
            tuple([number(cell) for cell in mat.cells]),
            tuple(
                [
                    (badge.label or badge.piece, badge.out)
                    for badge in mat.badges
                    if self._count(badge.piece, Place(badge.what, seat))
                ]
            ),
            tuple([self._row(row, seat) for row in mat.rows]),
            self.others(seat),
            mat.changes,
        )

    def others(self, seat: Seat | None) -> tuple[Holding, ...]:
        """What can be seen there and wasn't named."""
        there = self._seen.common() if seat is None else self._seen.before(seat)
        left = [one for one in there if (one.place, one.piece) not in self._named]
        return tuple([one for one in left if one.count is None or one.count > 0])

    def part(self, part: Part) -> PartLaid:  # noqa: PLR0911 - a line for each word of the vocabulary
        match part:
            case Grid():
                lines = [
                    (label, tuple([None if one is None else self._in_grid(one) for one in cells]))
                    for label, cells in (part.lines(self._look) if callable(part.lines) else part.lines)
                ]
                return GridLaid(part.heads, tuple(lines), part.adds)
            case Cards():
                return self._cards(part)
            case Pile():
                return PileLaid(
                    part.label or part.what, part.piece, self._count(part.piece, Place(part.what))
                )
            case Track():
                at = self._number(part.at).value
                return TrackLaid(part.label, at if isinstance(at, int) else 0, part.of)
            case Lots():
                return LotsLaid(
                    part.label or part.what, tuple([self._lot(part, piece) for piece in part.pieces])
                )
            case Row():
                return self._row(part, None, Place(part.what, slot=part.slot))
            case _:
                return self._number(part)

    def _in_grid(self, cell: Cell | Figure) -> NumberLaid | None:
        number = self._number(cell)
        return None if cell.late and number.value == 0 else number

    def _number(self, cell: Cell | Figure, seat: Seat | None = None) -> NumberLaid:
        if isinstance(cell, Figure):
            return NumberLaid(cell.piece, cell.label, cell.of(self._look, seat), told=cell.told)
        place = Place(cell.what, seat, cell.slot)
        if isinstance(cell.piece, Piece):
            shown = None if cell.label else cell.piece
            return NumberLaid(shown, cell.label, self._count(cell.piece, place), cell.of)
        assert seat is not None
        own = cell.piece(seat)
        # Whose it is the mat says: all of them have the label, else the place, for a name.
        return NumberLaid(
            None if cell.label else own, cell.label or cell.what, self._count(own, place), cell.of
        )

    def _count(self, piece: Piece, place: Place) -> int | None:
        self._named.add((place, piece))
        return self._look.counts.get((place, piece), 0)

    def _row(self, row: Row, seat: Seat | None, name: Labelled | None = None) -> RowLaid:
        """A row; `name` is what it is called where it has no label of its own."""
        place, label = Place(row.what, seat, row.slot), row.label or name
        pile = self._seen.piles.get(place)
        counts = [(piece, self._count(piece, place)) for piece in row.pieces]
        if pile is not None:
            return RowLaid(label, tuple([(piece, 1) for piece in pile]), piled=True, place=place)
        things = [(piece, count) for piece, count in counts if count is None or count > 0]
        if row.marks:
            lying = [one.piece for one in self._seen.holdings if one.place == place and one.piece.mark]
            things += [(piece, count) for piece in lying if (count := self._count(piece, place))]
        return RowLaid(label, tuple(things), () if row.pieces else self._faces(place), place=place)

    def _faces(self, place: Place) -> tuple[CardFace, ...]:
        """The open cards at a place, each as often as it lies there."""
        found: list[CardFace] = []
        for piece, face in self._faces_seen.items():
            found += [face] * (self._count(piece, place) or 0)
        return tuple(found)

    def _cards(self, cards: Cards) -> CardsLaid:
        place = Place(cards.what, slot=cards.slot)
        faces = self._faces(place)
        lying = self._count(cards.back, place) if cards.back else 0
        backs = None if lying is None else max(0, lying - len(faces))
        numbered = self._seen.numbered.get(place, place)
        on: list[NumberLaid | RowLaid] = [
            self._row(one, None) if isinstance(one, Row) else self._number(one) for one in cards.on
        ]
        wanted = any(one == place or one in [face.card for face in faces] for one in self._subjects)
        label = cards.label or (cards.what if cards.slot is None else None)
        return CardsLaid(label, numbered, faces, cards.back, backs, tuple(on), wanted)

    def _lot(self, lots: Lots, piece: Piece) -> LotLaid:
        slots: Iterable[Place] = (
            one.place for one in self._seen.holdings if one.piece == piece and (one.count or 0) > 0
        )
        place = next(iter(slots), None)
        if place is not None:
            self._named.add((place, piece))
        owner = None if place is None else place.seat
        there = place is not None and place.what == lots.what
        return LotLaid(piece, there and piece in self._subjects, owner, not there and owner is None)

    @property
    def _subjects(self) -> tuple[object, ...]:
        question: Request[object] | None = self._seen.question
        return () if question is None else question.subjects
