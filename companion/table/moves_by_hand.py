"""Pieces that people move by hand: which pieces move together, and where covered ones really come from.

What people say they took out of a covered place was there, whatever Companion has counted. Otherwise they
could find the hidden count by trying. So only public knowledge refuses such a move, and a covered count may
be below zero until its place is opened. A card is in one place only: it comes from wherever it is covered.
A card is two pieces, its back and its face. Where faces are covered nobody knows which back a face belongs
to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import force_setattr

from companion.bounds import MAX_NUMBER
from companion.errors import IllegalAnswer
from companion.table.indistinguishable import UNSEEN_PLACE
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.texts import Say, say

COUNT_ABOVE_ANY_PRICE = MAX_NUMBER
"""A count that is enough for every price."""


class RealSource(NamedTuple):
    """An account from which pieces really come, and how many of them."""

    account: Account
    piece_count: int


def find_real_sources(
    ledger: Ledger, claimed_source: Account, target: Account, count: int
) -> list[RealSource]:
    """Returns the accounts that pieces said to come from a covered place really come from.

    Raises `IllegalAnswer` if too many of these pieces are open, so that fewer than `count` can be covered.
    """
    if not claimed_source.covered:
        return [RealSource(claimed_source, count)]
    ledger.check_transfer_apart_from_stock(claimed_source, target, count)
    covered = [account for account in ledger.accounts_of(claimed_source.piece) if account.covered]
    if not claimed_source.piece.is_endless and count > sum(account.count for account in covered):
        raise IllegalAnswer(say("These pieces can't come from {place}.", place=claimed_source.place))
    return (
        list(_find_sources_of_faces(claimed_source, target, covered, count))
        if claimed_source.piece.is_card_face
        else [RealSource(claimed_source, count)]
    )


def _find_sources_of_faces(
    source: Account, target: Account, covered: Sequence[Account], count: int
) -> Iterator[RealSource]:
    """Yields the accounts that the faces come from: the named place first, unseen for the rest.

    Cards at the target stay.
    """
    other_sources = [account for account in covered if account not in (source, target)]
    for account in (source, *other_sources, target):
        taken_count = min(count, max(account.count, 0))
        count -= taken_count
        if taken_count and account is not target:
            yield RealSource(account, taken_count)
    if count and target.place != UNSEEN_PLACE:
        unseen = next(account for account in covered if account.place == UNSEEN_PLACE)
        yield RealSource(unseen, count)


def mask_covered_counts(ledger: Ledger) -> None:
    """Gives every covered account a plentiful count, so that rules on this table can't reveal the real one.

    Faces keep their counts: how many have been seen is no secret.
    """
    for account in ledger:
        if account.covered and not account.piece.is_marker:
            force_setattr(account, "count", COUNT_ABOVE_ANY_PRICE)  # only on a table that is thrown away


def overdrawn_place_texts(ledger: Ledger) -> Iterator[Say]:
    """Yields a sentence for each covered place from which more was taken than was counted there."""
    for account in ledger:
        if account.covered and account.count < 0 and not account.can_go_below_zero:
            text = "More came out of {place} than the companion had counted there: {things} more."
            yield say(text, place=account.place, things=account.piece.quantity_text(-account.count))


class BackAndFace(msgspec.Struct, frozen=True):
    """A piece to move and, for a card, the face that moves with it to `face_target`."""

    piece: Piece
    face: Piece | None = None
    face_target: Place | None = None


def find_back_and_face(ledger: Ledger, source: Account, target: Place, count: int) -> BackAndFace | None:
    """Returns the back and the face of a card that people move together; None without a known face.

    None means that the piece has no face, or that nobody knows which. Raises `IllegalAnswer` if people must
    name the card, or if there are too few. No place of the table may owe a card that was seen, though the
    deck may have more copies than its list.
    """
    if source.piece.is_card_face and not source.covered:
        ledger.check_holds_enough(source, count)
    faces = [
        account
        for account in ledger.accounts_at(source.place)
        if account.piece.is_card_face and account.count > 0 and not account.covered
    ]
    backs = [
        account
        for account in ledger.accounts_at(source.place)
        if account.piece.is_physical_card and (account.covered or account.count > 0)
    ]
    if len(backs) != 1 or backs[0].covered or backs[0].count < count:
        return None  # of two kinds of cards nobody knows whose face is whose
    if source in faces:
        return BackAndFace(backs[0].piece, source.piece, _place_for_face(ledger, target))
    if source not in backs or count <= source.count - sum(account.count for account in faces):
        return None
    if len(faces) > 1 or faces[0].count < count:
        raise IllegalAnswer(
            say("There are several cards at {place}. Move each card by its name.", place=source.place)
        )
    return BackAndFace(source.piece, faces[0].piece, _place_for_face(ledger, target))


def _place_for_face(ledger: Ledger, target: Place) -> Place:
    """Returns the place for the face: `target`, or unseen if places of that name hold unnamed cards."""
    similar_places = {account.place for account in ledger if account.place.name == target.name}
    return UNSEEN_PLACE if any(_has_unnamed_cards(ledger, place) for place in similar_places) else target


def _has_unnamed_cards(ledger: Ledger, place: Place) -> bool:
    back_count = sum(account.count for account in ledger.accounts_at(place) if account.piece.is_physical_card)
    return back_count > sum(
        account.count for account in ledger.accounts_at(place) if account.piece.is_card_face
    )
