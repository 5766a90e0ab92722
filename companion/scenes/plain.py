"""The scene of a game that brings none, made of what lies where: the plainest table that is still one."""

from __future__ import annotations

from companion.rules.scene import Badge, Cell, Mat, Part, Pile, Row, Scene
from companion.session.view import Holding, View
from companion.table.ledger import Piece
from companion.words import Say

UNNAMED = ("front", "hand")
"""Places whose names say no more than the pieces do."""


def plain(seen: View) -> Scene:
    """Before each seat its first place in cells, the others in rows; in the middle place by place."""
    own = [one for one in seen.holdings if one.place.seat is not None]
    marks = dict.fromkeys((one.place.what, one.piece) for one in own if _is_badge(one))
    places: dict[Say, dict[Piece, None]] = {}
    for one in own:
        if not one.piece.mark:
            places.setdefault(one.place.what, {})[one.piece] = None
    faces = dict.fromkeys(one.place.what for one in own if one.piece.is_face)
    first = next(iter(places), None)
    cells = [] if first is None else [Cell(piece, first) for piece in places.pop(first)]
    rows = [
        Row(what, tuple(pieces), label=None if what.id in UNNAMED else what)
        for what, pieces in places.items()
        if not (what in faces and all(piece.is_back for piece in pieces))
    ]
    rows += [Row(what) for what in faces]
    badges = tuple([Badge(piece, what) for what, piece in marks])
    hero = cells[0] if cells else None
    return Scene(Mat(hero, tuple(cells[1:]), badges, tuple(rows)), _middle(seen))


def _is_badge(one: Holding) -> bool:
    return one.piece.mark and not one.piece.is_face


def _middle(seen: View) -> tuple[Part, ...]:
    """Places of nobody: backs are piles, all else a row with the place's name."""
    places: dict[tuple[Say, int | None], list[Holding]] = {}
    for one in seen.common():
        if one.count is not None and one.count > 0 and (one.piece.look or not one.piece.mark):
            places.setdefault((one.place.what, one.place.slot), []).append(one)
    parts: list[Part] = []
    for (what, slot), there in places.items():
        alone = len(there) == 1 and there[0].piece.is_back and slot is None
        open_cards = any(one.piece.is_face for one in there)
        pieces = tuple(
            [one.piece for one in there if not (one.piece.is_face or (open_cards and one.piece.is_back))]
        )
        if alone:
            parts.append(Pile(there[0].piece, what))
        elif pieces:
            parts.append(Row(what, pieces, slot=slot))
        if open_cards:
            parts.append(Row(what, slot=slot))
    return tuple(parts)
