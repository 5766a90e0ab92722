"""A card is two pieces, its back and its face: which of them people move by hand together.

It moves nothing, and knows no deck: where a face lies covered, nobody knows which one a back is.
"""

from __future__ import annotations

import msgspec

from companion.errors import IllegalAnswer
from companion.table.alike import UNSEEN_PLACE
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.texts import say


class BackAndFace(msgspec.Struct, frozen=True):
    """What moves: a piece, and the face that goes with it, if any, to a place of its own."""

    piece: Piece
    face: Piece | None = None
    face_target: Place | None = None


def pair_of(ledger: Ledger, source: Account, target: Place, count: int) -> BackAndFace | None:
    """The other piece of a card that people move; None where it has none, or nobody knows which one.

    Raises `IllegalAnswer` where people must say which card they mean, or there are not so many: a card that
    was seen is owed by no place of the table, though there may be more of it than the list has.
    """
    if source.piece.is_face and not source.covered:
        ledger.check_enough(source, count)
    faces = [
        one
        for one in ledger.accounts_at(source.place)
        if one.piece.is_face and one.count > 0 and not one.covered
    ]
    backs = [
        one
        for one in ledger.accounts_at(source.place)
        if one.piece.is_back and (one.covered or one.count > 0)
    ]
    if len(backs) != 1 or backs[0].covered or backs[0].count < count:
        return None  # of two kinds of cards nobody knows whose face is whose
    if source in faces:
        return BackAndFace(backs[0].piece, source.piece, _where(ledger, target))
    if source not in backs or count <= source.count - sum(one.count for one in faces):
        return None
    if len(faces) > 1 or faces[0].count < count:
        raise IllegalAnswer(
            say("There are several cards at {place}. Move each card by its name.", place=source.place)
        )
    return BackAndFace(source.piece, faces[0].piece, _where(ledger, target))


def _where(ledger: Ledger, target: Place) -> Place:
    """Where the face goes: with the card, or out of sight where cards of that kind of place lie unnamed."""
    alike = {one.place for one in ledger if one.place.name == target.name}
    return UNSEEN_PLACE if any(_are_unnamed(ledger, place) for place in alike) else target


def _are_unnamed(ledger: Ledger, place: Place) -> bool:
    backs = sum(one.count for one in ledger.accounts_at(place) if one.piece.is_back)
    return backs > sum(one.count for one in ledger.accounts_at(place) if one.piece.is_face)
