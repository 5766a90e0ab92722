"""Auction shapes that several games share."""

from collections.abc import Mapping

import pytest

from companion.auctions import highest, until_all_pass
from companion.game import Game
from companion.requests import Choose
from companion.scores import Line, Result, ranked
from companion.seats import Seat, seated
from companion.table import Table
from companion.testing import Script
from companion.words import say

AKI, BEN, CHIE = seated(["Aki", "Ben", "Chie"])


async def one_lot(table: Table) -> Result:
    """One auction in which a bid needs no amount."""

    async def turn(seat: Seat) -> bool:
        return await Choose(seat, say("Bid?"), {"bid": say("bid"), "pass": say("pass")}) == "bid"

    winner = await until_all_pass(table.seats, turn)
    return ranked(table.seats, lambda seat: int(seat == winner), lambda _: (Line(say("won"), 1),))


LOT = Game("lot", 1, say("Lot"), (2, 5), one_lot)


@pytest.mark.parametrize(
    ("turns", "winners"),
    [
        ("Aki bid, Ben pass, Chie pass", ["Aki"]),
        ("Aki pass, Ben pass, Chie pass", []),
        ("Aki pass, Ben bid, Chie pass, Aki bid, Ben bid, Chie pass, Aki pass", ["Ben"]),
        ("Aki pass, Ben pass, Chie bid, Aki pass, Ben pass", ["Chie"]),
    ],
)
def test_a_pass_is_not_final(turns: str, winners: list[str]) -> None:
    """All others in a row since the last bid, or everybody without any, must pass."""
    lot = Script(LOT, "Aki", "Ben", "Chie").says(*turns.split(", "))
    ahead = [one["seat"] for one in lot.score["standings"] if one["total"]]
    assert ahead == winners


@pytest.mark.parametrize(
    ("bids", "least", "best"),
    [
        ({}, 1, []),
        ({AKI: 0, BEN: 0}, 1, []),
        ({AKI: 0, BEN: 0}, 0, [AKI, BEN]),
        ({AKI: 3, BEN: 5, CHIE: 4}, 1, [BEN]),
        ({AKI: 5, BEN: 2, CHIE: 5}, 1, [AKI, CHIE]),
        ({AKI: 5, BEN: 2}, 6, []),
    ],
)
def test_the_highest_bids(bids: Mapping[Seat, int], least: int, best: list[Seat]) -> None:
    """All who made the best bid, if it is at least the least."""
    assert highest(bids, least) == best
