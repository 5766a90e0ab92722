"""An action of the table on the screen: listed, entered, confirmed, done."""

from __future__ import annotations

from typing import Any

import pytest

from companion.actions import ACTIONS
from tests.probes.gift import GIFT
from tests.support.ui.app_helpers import COLOURS, NAMES


@pytest.fixture
async def gift(home: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Any Game at the table, with one action more."""
    monkeypatch.setitem(ACTIONS, GIFT.key, GIFT)
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {})
    await home.wait_frames()
    return home


def coins(table: Any) -> list[int]:
    """How many coins everybody has."""
    playing = table.app.evening.current_session
    return [
        playing.table.ledger.find_account_by_keys(f"{seat.key}/purse", "coin").count
        for seat in playing.table.seats
    ]


async def test_a_new_action_stands_behind_the_last_sign(gift: Any) -> None:
    """Its parameters are chosen and typed, its question is asked, and then it is done."""
    await gift.tap("more", "Gift")
    assert "Who gets a gift?" in gift.texts()
    await gift.tap("Ben")
    assert {"How many coins?", "From 1 to 9"} <= set(gift.texts())
    await gift.tap("4", "confirm")
    assert {"Give Ben a gift?", "Gifts make the others envious."} <= set(gift.texts())
    await gift.tap("Keep it")
    assert coins(gift) == [0, 0, 0]
    await gift.tap("more", "Gift", "Ben", "4", "confirm", "Give")
    assert coins(gift) == [0, 4, 0]


async def test_a_game_without_free_moves_does_not_offer_it(gift: Any) -> None:
    """Only what makes sense now is listed."""
    gift.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    await gift.wait_frames()
    await gift.tap("more")
    assert "People" in gift.texts()
    assert "Gift" not in gift.texts()
