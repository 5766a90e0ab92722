"""Keys for one of several things, on one page or many."""

from __future__ import annotations

from typing import Any

import pytest

from companion.requests import Choose, Offer
from companion.table.table import Table
from companion.words import Labelled, say
from tests.ui.test_play import check_all

pytestmark = pytest.mark.usefixtures("nothing_moves")
MANY = 60


async def many(table: Table) -> None:
    """One of sixty, or none of them."""
    options = {str(at): Offer(say("Thing {n}", n=at)) for at in range(MANY)}
    await Choose(None, say("Which one?"), {"none": Offer(say("None of them"), apart=True), **options})


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280)])
async def test_the_way_out_stands_in_the_corner_of_every_page(open_small: Any, size: Any) -> None:
    """Whatever page is open, it is there, at the same place, and answers."""
    table, game = await open_small(many, size)
    places = set()
    for _page in range(3):
        check_all(table, size)
        way_out = table.find("None of them")
        places.add(way_out.to_window(*way_out.pos))
        await table.tap("page on")
    assert len(places) == 1
    await table.tap("None of them")
    assert game.answers == ["none"]


async def menu(table: Table) -> None:
    """What is mostly meant, something else, and the way out."""
    options: dict[str, Labelled] = {
        "pay": Offer(say("Payment"), usual=True),
        "roll": say("Dice"),
        "end": Offer(say("End"), apart=True),
    }
    await Choose(None, say("What is next?"), options)


async def test_what_is_mostly_meant_is_brass(open_small: Any) -> None:
    """One key is the thing to do now, where the rulebook says which; all others are paper."""
    table, _game = await open_small(menu, (800, 480))
    looks = {text: table.find(text).look for text in ("Payment", "Dice", "End")}
    assert looks == {"Payment": "brass", "Dice": "paper", "End": "paper"}
