"""Evaluates a game's scene: the labelled cells that its table shows for one pair of eyes.

Everything comes from a view, so nothing else can be seen.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from companion.rules.scene import (
    CardPile,
    CountCell,
    MiddlePart,
    PieceRow,
    Scene,
    SceneReader,
    SeatBadge,
    SeatMat,
    VisibleTable,
)
from companion.rules.scene_views import GridView, MatView, PartView, RowView
from companion.session.view import Holding, View
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Say

PLACES_WITHOUT_LABEL = ("front", "hand")
"""Places whose names say no more than their pieces do."""


class SceneView(msgspec.Struct, frozen=True):
    """A mat for each seat, the parts in the middle, and everything that lies elsewhere.

    `other_holdings` is what the scene doesn't name: seat by seat, then what lies before nobody.
    """

    mats: tuple[MatView, ...]
    middle: tuple[PartView, ...]
    other_holdings: tuple[Holding, ...] = ()

    def mat_of(self, seat: Seat) -> MatView:
        """Returns what lies before that seat."""
        return next(mat for mat in self.mats if mat.seat == seat)


def evaluate_scene(seen: View, scene: Scene | None = None) -> SceneView:
    """Returns what a scene shows of a view; without a scene, everything that lies on the table."""
    scene = default_scene(seen) if scene is None else scene
    counts = {(one.place, one.piece): one.count for one in seen.holdings}
    reader = SceneReader(VisibleTable(counts, dict(seen.faces), seen.question, seen.piles, seen.slots))
    middle = tuple(_evaluate_middle(scene.middle, reader))
    mats = tuple([scene.mat.evaluate(reader, seat) for seat in seen.seats])
    holdings = [one for seat in seen.seats for one in seen.holdings_of(seat)] + [*seen.common_holdings()]
    unnamed = [one for one in holdings if (one.place, one.piece) not in reader.shown_accounts]
    return SceneView(mats, middle, tuple([one for one in unnamed if one.count is None or one.count > 0]))


def _evaluate_middle(parts: tuple[MiddlePart, ...], reader: SceneReader) -> Iterator[PartView]:
    """Yields the parts, without grids of which no line has been played yet."""
    for part in parts:
        shown = part.evaluate(reader)
        if isinstance(shown, RowView) and shown.label is None:
            shown = replace(shown, label=shown.place)
        if not (isinstance(shown, GridView) and not shown.lines):
            yield shown


# The scene of a game that brings none


def default_scene(seen: View) -> Scene:
    """Returns a scene of everything that lies on the table.

    Before each seat, the first place is shown as cells, the others as rows. The middle has a part per place.
    """
    own = [one for one in seen.holdings if one.place.seat is not None]
    marks = dict.fromkeys((one.place.name, one.piece) for one in own if _is_badge(one))
    places: dict[Say, dict[Piece, None]] = {}
    for one in own:
        if not one.piece.is_marker:
            places.setdefault(one.place.name, {})[one.piece] = None
    faces = dict.fromkeys(one.place.name for one in own if one.piece.is_face)
    first = next(iter(places), None)
    cells = [] if first is None else [CountCell(piece, first) for piece in places.pop(first)]
    rows = [
        PieceRow(what, tuple(pieces), label=None if what.template in PLACES_WITHOUT_LABEL else what)
        for what, pieces in places.items()
        if not (what in faces and all(piece.is_back for piece in pieces))
    ]
    rows += [PieceRow(what) for what in faces]
    badges = tuple([SeatBadge(piece, what) for what, piece in marks])
    headline = cells[0] if cells else None
    return Scene(SeatMat(headline, tuple(cells[1:]), badges, tuple(rows)), _default_middle(seen))


def _is_badge(one: Holding) -> bool:
    return one.piece.is_marker and not one.piece.is_face


def _default_middle(seen: View) -> tuple[MiddlePart, ...]:
    """Returns the places that belong to nobody: backs as piles, everything else as named rows."""
    places: dict[tuple[Say, int | None], list[Holding]] = {}
    for one in seen.common_holdings():
        if one.count is not None and one.count > 0 and (one.piece.look or not one.piece.is_marker):
            places.setdefault((one.place.name, one.place.slot), []).append(one)
    parts: list[MiddlePart] = []
    for (what, slot), there in places.items():
        alone = len(there) == 1 and there[0].piece.is_back and slot is None
        open_cards = any(one.piece.is_face for one in there)
        pieces = tuple(
            [one.piece for one in there if not (one.piece.is_face or (open_cards and one.piece.is_back))]
        )
        if alone:
            parts.append(CardPile(there[0].piece, what))
        elif pieces:
            parts.append(PieceRow(what, pieces, slot=slot))
        if open_cards:
            parts.append(PieceRow(what, slot=slot))
    return tuple(parts)
