"""Evaluates a game's scene: the labelled cells that its table shows to one viewer.

Everything comes from a view, so a scene shows nothing that the viewer may not see.
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
"""The names of places without a label: these names say no more than the pieces there."""


class SceneView(msgspec.Struct, frozen=True):
    """A game's evaluated scene: a mat for each seat, the parts in the middle, and all other holdings.

    `other_holdings` are the holdings that the scene doesn't name: seat by seat, then common holdings.
    """

    mats: tuple[MatView, ...]
    middle_parts: tuple[MiddlePartView, ...]
    other_holdings: tuple[Holding, ...] = ()

    def mat_of(self, seat: Seat) -> MatView:
        """Returns the mat of a seat."""
        return next(mat for mat in self.mats if mat.seat == seat)


def evaluate_scene(view: View, scene: Scene | None = None) -> SceneView:
    """Returns a scene evaluated with the numbers of a view; without a scene, everything on the table."""
    scene = default_scene(view) if scene is None else scene
    counts = {(holding.place, holding.piece): holding.count for holding in view.holdings}
    reader = SceneReader(
        VisibleTable(counts, dict(view.faces), view.question, view.piles, view.current_slot_by_place)
    )
    middle = tuple(_evaluate_middle(scene.middle, reader))
    mats = tuple([scene.mat.evaluate(reader, seat) for seat in view.seats])
    seat_holdings = [holding for seat in view.seats for holding in view.holdings_of(seat)]
    other_holdings = [
        holding
        for holding in (*seat_holdings, *view.common_holdings())
        if (holding.place, holding.piece) not in reader.shown_accounts
        and (holding.count is None or holding.count > 0)
    ]
    return SceneView(mats, middle, tuple(other_holdings))


def _evaluate_middle(parts: tuple[MiddlePart, ...], reader: SceneReader) -> Iterator[MiddlePartView]:
    """Yields the views of the parts, without grids that have no line yet."""
    for part in parts:
        part_view = part.evaluate(reader)
        if isinstance(part_view, RowView) and part_view.label is None:
            part_view = replace(part_view, label=part_view.place)
        if not (isinstance(part_view, GridView) and not part_view.lines):
            yield part_view


# The scene of a game without its own scene


def default_scene(view: View) -> Scene:
    """Returns a scene that shows everything on the table, for a game without its own scene.

    On each mat, the first place is shown as cells, the others as rows. The middle has a part for each place.
    """
    seat_holdings = [holding for holding in view.holdings if holding.place.seat is not None]
    badge_keys = dict.fromkeys(
        (holding.place.name, holding.piece) for holding in seat_holdings if _is_badge(holding)
    )
    pieces_by_place: dict[Say, dict[Piece, None]] = {}
    for holding in seat_holdings:
        if not holding.piece.is_marker:
            pieces_by_place.setdefault(holding.place.name, {})[holding.piece] = None
    face_places = dict.fromkeys(holding.place.name for holding in seat_holdings if holding.piece.is_card_face)
    first_place = next(iter(pieces_by_place), None)
    cells: list[CountCell] = []
    if first_place is not None:
        cells = [CountCell(piece, first_place) for piece in pieces_by_place.pop(first_place)]
    rows = [
        PieceRow(
            place_name,
            tuple(pieces),
            label=None if place_name.template in PLACES_WITHOUT_LABEL else place_name,
        )
        for place_name, pieces in pieces_by_place.items()
        if not (place_name in face_places and all(piece.is_physical_card for piece in pieces))
    ]
    rows += [PieceRow(place_name) for place_name in face_places]
    badges = tuple([SeatBadge(piece, place_name) for place_name, piece in badge_keys])
    headline = cells[0] if cells else None
    return Scene(SeatMat(headline, tuple(cells[1:]), badges, tuple(rows)), _default_middle(view))


def _is_badge(holding: Holding) -> bool:
    return holding.piece.is_marker and not holding.piece.is_card_face


def _default_middle(view: View) -> tuple[MiddlePart, ...]:
    """Returns a part for each place that belongs to nobody: backs as piles, everything else as named rows."""
    holdings_by_place: dict[tuple[Say, int | None], list[Holding]] = {}
    for holding in view.common_holdings():
        if holding.count and holding.count > 0 and (holding.piece.look or not holding.piece.is_marker):
            holdings_by_place.setdefault((holding.place.name, holding.place.slot), []).append(holding)
    parts: list[MiddlePart] = []
    for (place_name, slot), holdings in holdings_by_place.items():
        is_single_pile = len(holdings) == 1 and holdings[0].piece.is_physical_card and slot is None
        has_open_cards = any(holding.piece.is_card_face for holding in holdings)
        pieces = tuple(
            [
                holding.piece
                for holding in holdings
                if not (holding.piece.is_card_face or (has_open_cards and holding.piece.is_physical_card))
            ]
        )
        if is_single_pile:
            parts.append(CardPile(holdings[0].piece, place_name))
        elif pieces:
            parts.append(PieceRow(place_name, pieces, slot=slot))
        if has_open_cards:
            parts.append(PieceRow(place_name, slot=slot))
    return tuple(parts)
