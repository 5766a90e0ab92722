"""Selects the holdings that the screen shows one by one."""

from __future__ import annotations

from collections.abc import Iterable

from companion.session.view import Holding
from companion.table.ledger import Place


def select_holdings_to_show(holdings: Iterable[Holding]) -> list[Holding]:
    """Returns the holdings to show: without debts, backs of open cards and repeated covered holdings.

    Of all covered holdings at a place, only the first is returned. Covered markers are left out.
    """
    covered: set[Place] = set()
    visible: list[Holding] = []
    for holding in holdings:
        if holding.count is None and not (holding.piece.is_marker or holding.place in covered):
            covered.add(holding.place)
            visible.append(holding)
        elif holding.count is not None and holding.count > 0:
            visible.append(holding)
    faces: dict[Place, int] = {}
    for holding in visible:
        if holding.piece.is_card_face:
            faces[holding.place] = faces.get(holding.place, 0) + (holding.count or 0)
    without_counted_backs = (_without_open_cards(holding, faces) for holding in visible)
    return [holding for holding in without_counted_backs if holding.count is None or holding.count > 0]


def _without_open_cards(backs: Holding, face_counts: dict[Place, int]) -> Holding:
    """Returns a holding without backs whose faces are counted; reduces `face_counts` by those."""
    if backs.count is None or backs.piece.is_card_face or not backs.piece.is_physical_card:
        return backs
    open_count = min(face_counts.get(backs.place, 0), backs.count)
    if open_count:
        face_counts[backs.place] -= open_count
    return Holding(backs.place, backs.piece, backs.count - open_count)
