"""Shapes of auctions that several games share: small coroutines and sums, no framework.

They ask nothing by themselves: how a bid is asked for is the game's own.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from companion.requests import Request
from companion.seats import Seat, Seats

Turn = Callable[[Seat], Coroutine[Request[Any], Any, bool]]
"""Asks one seat for its turn; gives whether it bid."""


async def until_all_pass(order: Seats, turn: Turn) -> Seat | None:
    """Asks round and round; a pass is not final. Gives the last bidder, None where nobody bid.

    It ends when all others have passed in a row since the last bid, or everybody without any bid.
    """
    bidder: Seat | None = None
    passes, at = 0, 0
    while passes < len(order) - (bidder is not None):
        seat = order[at % len(order)]
        at += 1
        if await turn(seat):
            bidder, passes = seat, 0
        else:
            passes += 1
    return bidder


def highest(bids: Mapping[Seat, int], least: int = 1) -> list[Seat]:
    """Who made the best bid of at least `least`: nobody, one, or several who tie."""
    best = max(bids.values(), default=0)
    return [seat for seat, bid in bids.items() if bid == best >= least]
