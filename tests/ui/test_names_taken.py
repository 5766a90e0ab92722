"""A name that means everybody or a place is refused on the set-up, which stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.ui.app_helpers import make_test_app

pytestmark = pytest.mark.usefixtures("without_motion")
WHY = "Bank can't be the name of a player, because this word means something else here."


async def test_the_set_up_says_who_can_not_be_called_so(open_app: Any, tmp_path: Path) -> None:
    """What was chosen stays; with another name the game begins."""
    from ui.screens.set_up import SetUpScreen

    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    await table.tap("Any Game", "template plain", "Player 2", *"Bank", "done", "Close", "Begin")
    assert WHY in table.texts()
    assert isinstance(table.app.stage.screen, SetUpScreen)
    assert table.app.evening.unfinished_games() == []


def test_nobody_sits_twice_when_more_people_play() -> None:
    """Somebody who left the group and is seated again gives up the earlier seat."""
    from dataclasses import replace

    from companion import installed_games
    from companion.table.seats import SEAT_COLOURS
    from ui.screens.set_up import SeatingPlan

    people = [*zip(("Ann", "Ben", "Cleo", "Dai"), SEAT_COLOURS, strict=False)]
    two = replace(SeatingPlan.for_game(installed_games.playable_game("egypt"), people), size=2)
    more = replace(two.with_name(1, "cleo"), size=4)
    assert [guest.name for guest in more.active_guests] == ["Ann", "cleo", "", "Dai"]


async def test_the_set_up_says_who_reads_the_same(open_app: Any, tmp_path: Path) -> None:
    """Two such names can't go on to the rules; another spelling of one's own name is no other player."""
    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    await table.tap("Any Game", "template plain", "Player 1", *"Ann", "done", "shift", *"ann", "done")
    assert "Ann and ann count as the same name. Change one of the names." in table.texts()
    assert table.app.stage.screen.people_page.is_blocked
    await table.tap("ann", "delete", "y", "done")
    assert not table.app.stage.screen.people_page.is_blocked
