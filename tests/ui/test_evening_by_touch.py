"""A whole evening by touch in one go, as `make screenshots` photographs it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.record.player_statistics import statistics_of_all_players
from scripts.screenshots import BY_TOUCH, BY_TOUCH_IN_ENGLISH
from tests.support.ui.app_helpers import make_test_app

NAMES = ["Aki", "Ben", "Chie", "Dai"]


@pytest.mark.usefixtures("without_motion")
async def test_an_evening_from_the_first_start_to_the_last_touch(open_app: Any, tmp_path: Path) -> None:
    """First questions, guided bid, Egypt, the bank, points by rounds, records: every step is a touch."""
    from scripts.evening_by_touch import EveningByTouch
    from ui.demo.hand import SimulatedFinger

    app, shut_down, taken = make_test_app(tmp_path / "state"), list[str](), list[str]()

    def shut_down_machine() -> str:
        shut_down.append("now")
        return ""

    app.asks_first_questions, app.quit_flow.shut_down_machine = True, shut_down_machine
    table = await open_app(app)

    async def take(what: str) -> None:
        taken.append(what)

    await EveningByTouch(app, SimulatedFinger(app, table.window), take, NAMES).play()
    assert {*BY_TOUCH, *BY_TOUCH_IN_ENGLISH} - {*taken} == {"podium"}  # there is none without motion
    assert shut_down == ["now"]
    assert [game.game for game in app.evening.past_games()] == ["any_game", "any_game", "egypt", "sealed_bid"]
    assert {player.name for player in statistics_of_all_players(app.evening.store)} == {*NAMES}
