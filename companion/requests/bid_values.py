"""Bids with numbers of one's own: fixed values, or pieces that lie before the bidder and have a value.

`Raise` and `Amount` use these functions for their fields `values` and `pieces`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.half_numbers import WholeOrHalf
from companion.requests.fields import NumberField
from companion.table.ledger import Account
from companion.table.seats import Seat
from companion.texts import Say, join_names_with_commas, say

BidValues = Sequence[int] | None
"""The numbers that may be bid; None if any number may be."""
BidPieces = Mapping[int, Account] | None
"""The pieces that may be bid, by their value, each with the account in which it lies; None without pieces."""


def list_public_bid_values(
    values: BidValues, pieces: BidPieces, lowest: int, highest: int | None
) -> tuple[int, ...]:
    """Returns the numbers from lowest to highest that everybody may expect as a bid, in ascending order.

    A piece in a covered account is always among them: nobody else may know whether it is there.
    """
    if pieces is not None:
        values = [number for number, account in pieces.items() if account.covered or account.count > 0]
    return tuple(
        sorted(
            {number for number in values or () if number >= lowest and (highest is None or number <= highest)}
        )
    )


def may_use_bid_value(pieces: BidPieces, number: int) -> bool:
    """Returns whether the piece with a value is there now; True if bids aren't pieces."""
    return pieces is None or (number in pieces and pieces[number].count > 0)


def list_legal_bid_values(numbers: Sequence[int], pieces: BidPieces, highest: int | None) -> list[int]:
    """Returns the numbers of a public list that can really be bid; hidden limits and pieces count too."""
    return [
        number
        for number in numbers
        if (highest is None or number <= highest) and may_use_bid_value(pieces, number)
    ]


def make_bid_field(
    least: WholeOrHalf,
    most: WholeOrHalf | None,
    step: WholeOrHalf,
    allowed_values: tuple[int, ...] | None,
    confirm_above: int | None = None,
) -> NumberField:
    """Returns the field for a number within limits, or for one of the allowed values."""
    values = allowed_values or ()
    return NumberField(
        least=min(values, default=least),
        most=max(values, default=most),
        step=step,
        values=values,
        confirm_above=None if values else confirm_above,
    )


def nothing_to_bid_text(bidder: Seat | Say) -> Say:
    """Returns the refusal of every answer while a bidder who must bid has nothing to bid.

    Few people ever see it: no question begins like that, and a session refuses moves by hand after which
    nobody could answer.
    """
    return say("{seat} has nothing left to bid. Move a piece back by hand.", seat=bidder)


def bid_values_text(numbers: Iterable[int]) -> Say:
    """Returns numbers as text: `2, 5, 9`."""
    return join_names_with_commas(map(str, numbers))
