"""Evaluates a game's scene: the labelled cells that its table shows to one viewer.

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
from companion.rules.scene_views import GridView, MatView, MiddlePartView, RowView
from companion.session.view import Holding, View
from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Say

PLACES_WITHOUT_LABEL = ("front", "hand")
"""Names of places that need no label, because they say no more than their pieces do."""


class SceneView(msgspec.Struct, frozen=True):
    """A game's evaluated scene: a mat for each seat, the parts in the middle, and all other holdings.

    `other_holdings` is what the scene doesn't name: seat by seat, then common holdings.
    """

    mats: tuple[MatView, ...]
    middle: tuple[MiddlePartView, ...]
    other_holdings: tuple[Holding, ...] = ()

    def mat_of(self, seat: Seat) -> MatView:
        """Returns the mat of a seat."""
        return next(mat for mat in self.mats if mat.seat == seat)


def evaluate_scene(view: View, scene: Scene | None = None) -> SceneView:
    """Returns a scene evaluated with the numbers of a view; without a scene, everything on the table."""
    scene = default_scene(view) if scene is None else scene
    counts = {(one.place, one.piece): one.count for one in view.holdings}
    reader = SceneReader(
        VisibleTable(counts, dict(view.faces), view.question, view.piles, view.current_slots)
    )
    middle = tuple(_evaluate_middle(scene.middle, reader))
    mats = tuple([scene.mat.evaluate(reader, seat) for seat in view.seats])
    holdings = [one for seat in view.seats for one in view.holdings_of(seat)] + [*view.common_holdings()]
    unnamed = [one for one in holdings if (one.place, one.piece) not in reader.shown_accounts]
    return SceneView(mats, middle, tuple([one for one in unnamed if one.count is None or one.count > 0]))


def _evaluate_middle(parts: tuple[MiddlePart, ...], reader: SceneReader) -> Iterator[MiddlePartView]:
    """Yields the parts, without grids of which no line has been played yet."""
    for part in parts:
        shown = part.evaluate(reader)
        if isinstance(shown, RowView) and shown.label is None:
            shown = replace(shown, label=shown.place)
        if not (isinstance(shown, GridView) and not shown.lines):
            yield shown


# The scene of a game that brings none


def default_scene(view: View) -> Scene:
    """Returns a scene that shows everything on the table, for a game without its own scene.

    On each mat, the first place is shown as cells, the others as rows. The middle has a part for each place.
    """
    own = [one for one in view.holdings if one.place.seat is not None]
    marks = dict.fromkeys((one.place.name, one.piece) for one in own if _is_badge(one))
    places: dict[Say, dict[Piece, None]] = {}
    for one in own:
        if not one.piece.is_marker:
            places.setdefault(one.place.name, {})[one.piece] = None
    faces = dict.fromkeys(one.place.name for one in own if one.piece.is_card_face)
    first = next(iter(places), None)
    cells = [] if first is None else [CountCell(piece, first) for piece in places.pop(first)]
    rows = [
        PieceRow(what, tuple(pieces), label=None if what.template in PLACES_WITHOUT_LABEL else what)
        for what, pieces in places.items()
        if not (what in faces and all(piece.is_physical_card for piece in pieces))
    ]
    rows += [PieceRow(what) for what in faces]
    badges = tuple([SeatBadge(piece, what) for what, piece in marks])
    headline = cells[0] if cells else None
    return Scene(SeatMat(headline, tuple(cells[1:]), badges, tuple(rows)), _default_middle(view))


def _is_badge(one: Holding) -> bool:
    return one.piece.is_marker and not one.piece.is_card_face


def _default_middle(view: View) -> tuple[MiddlePart, ...]:
    """Returns the places that belong to nobody: backs as piles, everything else as named rows."""
    places: dict[tuple[Say, int | None], list[Holding]] = {}
    for one in view.common_holdings():
        if one.count is not None and one.count > 0 and (one.piece.look or not one.piece.is_marker):
            places.setdefault((one.place.name, one.place.slot), []).append(one)
    parts: list[MiddlePart] = []
    for (what, slot), there in places.items():
        alone = len(there) == 1 and there[0].piece.is_physical_card and slot is None
        open_cards = any(one.piece.is_card_face for one in there)
        pieces = tuple(
            [
                one.piece
                for one in there
                if not (one.piece.is_card_face or (open_cards and one.piece.is_physical_card))
            ]
        )
        if alone:
            parts.append(CardPile(there[0].piece, what))
        elif pieces:
            parts.append(PieceRow(what, pieces, slot=slot))
        if open_cards:
            parts.append(PieceRow(what, slot=slot))
    return tuple(parts)
