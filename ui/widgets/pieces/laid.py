"""Which of the holdings of a place are shown one by one."""

from __future__ import annotations

from collections.abc import Iterable

from companion.session.view import Holding
from companion.table.ledger import Place


def visible_holdings(holdings: Iterable[Holding]) -> list[Holding]:
    """Returns the holdings that are to be shown.

    Left out are debts and the back of a card that is open. Of all covered holdings at a place, one is shown.
    """
    covered: set[Place] = set()
    seen: list[Holding] = []
    for one in holdings:
        if one.count is None and not (one.piece.is_marker or one.place in covered):
            covered.add(one.place)
            seen.append(one)
        elif one.count is not None and one.count > 0:
            seen.append(one)
    faces: dict[Place, int] = {}
    for one in seen:
        if one.piece.is_card_face:
            faces[one.place] = faces.get(one.place, 0) + (one.count or 0)
    left = (_less_faces(one, faces) for one in seen)
    return [one for one in left if one.count is None or one.count > 0]


def _less_faces(one: Holding, faces: dict[Place, int]) -> Holding:
    """A holding of backs without those whose faces are counted already."""
    if one.count is None or one.piece.is_card_face or not one.piece.is_physical_card:
        return one
    open_ones = min(faces.get(one.place, 0), one.count)
    if open_ones:
        faces[one.place] -= open_ones
    return Holding(one.place, one.piece, one.count - open_ones)
