"""The scene of a game that brings none, made of what lies where: the plainest table that is still one."""

from __future__ import annotations

from companion.rules.scene import Badge, Cell, Mat, Part, Pile, Row, Scene
from companion.session.view import Holding, View
from companion.table.ledger import Piece
from companion.words import Say

Spot = tuple[Say, Piece]


def plain(seen: View) -> Scene:
    """Before each seat what it holds first and what else can be counted; in the middle place by place."""
    own = [one for one in seen.holdings if one.place.seat is not None]
    spots = list(dict.fromkeys((one.place.what, one.piece) for one in own if not one.piece.mark))
    marks = list(dict.fromkeys((one.place.what, one.piece) for one in own if _is_badge(one)))
    faces = list(dict.fromkeys(one.place.what for one in own if one.piece.is_face))
    hero = Cell(spots[0][1], spots[0][0]) if spots else None
    cells = tuple([Cell(piece, what) for what, piece in spots[1:]])
    badges = tuple([Badge(piece, what) for what, piece in marks])
    return Scene(Mat(hero, cells, badges, tuple([Row(what) for what in faces])), _middle(seen))


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
        pieces = tuple([one.piece for one in there if not one.piece.is_face])
        if alone:
            parts.append(Pile(there[0].piece, what))
        elif pieces:
            parts.append(Row(what, pieces, label=what, slot=slot))
        if any(one.piece.is_face for one in there):
            parts.append(Row(what, label=what, slot=slot))
    return tuple(parts)
