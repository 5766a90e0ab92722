"""One number by touch, where 0 means no bid."""

from __future__ import annotations

from typing import Any

from companion.requests import Amount
from companion.table import Table
from companion.words import say


async def bid(table: Table) -> None:
    """Aki bids at least 60, or nothing."""
    await Amount(table.seats[0], say("Your bid"), 60, step=10, none=True)
    await Amount(table.seats[0], say("Your other bid"), 60, step=10)


async def test_no_bid_has_a_key_of_its_own(open_small: Any) -> None:
    """Below the least only no bid is taken, by its key; where everybody must bid there is none."""
    table, game = await open_small(bid)
    await table.tap("5", "0")
    assert table.find("confirm").disabled
    await table.tap("No bid")
    assert game.session.steps[-1].answer == 0
    assert "No bid" not in table.texts()
