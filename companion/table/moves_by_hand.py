"""What people say they took out of a covered place was there, whatever the companion has counted.

Else they could try how much they may take, and find the count. So only what all may know refuses it; a count
may be below zero then, until its place is opened. A card is in one place only: it comes from wherever it lies
covered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import force_setattr

from companion.errors import IllegalAnswer
from companion.table.indistinguishable import UNSEEN_PLACE
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.texts import Say, say

PLENTIFUL_COUNT = 1_000_000
"""More than anything costs."""


def resolve_claimed_source(
    ledger: Ledger, source: Account, target: Account, count: int
) -> list[tuple[Account, int]]:
    """Where so many really come from, and how many from each.

    Raises `IllegalAnswer` where not so many can lie covered, because all others of the piece lie open.
    """
    if not source.covered:
        return [(source, count)]
    ledger.check_transfer(source, target, count)
    covered = [account for account in ledger.accounts_of(source.piece) if account.covered]
    if not source.piece.is_endless and count > sum(account.count for account in covered):
        raise IllegalAnswer(say("These pieces can't come from {place}.", place=source.place))
    return list(_faces(source, target, covered, count)) if source.piece.is_face else [(source, count)]


def _faces(
    source: Account, target: Account, covered: Sequence[Account], count: int
) -> Iterator[tuple[Account, int]]:
    """From the named place first; what lies at the target already stays. So many more were never listed."""
    others = [one for one in covered if one not in (source, target)]
    for account in (source, *others, target):
        taken = min(count, max(account.count, 0))
        count -= taken
        if taken and account is not target:
            yield account, taken
    if count and target.place != UNSEEN_PLACE:
        yield next(one for one in covered if one.place == UNSEEN_PLACE), count


def mask_hidden_counts(ledger: Ledger) -> None:
    """Covers what lies covered from the rules too: after it they tell nothing of how much that is.

    Which faces have been seen stays; how many of them there are is no secret.
    """
    for account in ledger:
        if account.covered and not account.piece.is_marker:
            force_setattr(account, "count", PLENTIFUL_COUNT)  # a table that is thrown away


def overdrawn_accounts(ledger: Ledger) -> Iterator[Say]:
    """Of which covered places more was taken than was counted there, for when all is opened."""
    for account in ledger:
        if account.covered and account.count < 0 and not account.may_go_below_zero:
            text = "More came out of {place} than the companion had counted there: {things} more."
            yield say(text, place=account.place, things=account.piece.quantity(-account.count))


# A card is two pieces, its back and its face: which of them people move by hand together.
#
# It moves nothing, and knows no deck: where a face lies covered, nobody knows which one a back is.


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
