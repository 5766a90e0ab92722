"""A whole game by touch on the real window, from shelf to score, in every plan; no device has a part."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.log.events import PutAway
from companion.recorded_match import load_recorded_events
from companion.table.scores import GameResult
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import make_test_app

PLANS = {"landscape": (1280, 720), "upright": (720, 1280), "flat": (1280, 720)}
RECORDED = ("bidders", "egypt", "high_bid", "mammon", "oyakata")
ENDLESS = ("any_game", "sealed_bid")
"""Games that people end when they like."""
ANSWERS = 12


async def at_home(open_app: Any, state: Path, plan: str) -> Any:
    """A hand before home; the panel lies as that plan wants it."""
    from ui.demo.demo import Demonstration
    from ui.demo.hand import AnsweringHand, SimulatedFinger

    table = await open_app(make_test_app(state), PLANS[plan])
    table.app.controller.change_setting("placement", "flat" if plan == "flat" else "standing")
    hand = AnsweringHand(table.app, SimulatedFinger(table.app, table.window))
    return Demonstration(table.app, hand, {}, None)


@pytest.mark.skipif(not SOAK, reason="recorded matches are touched in every plan in a soak")
@pytest.mark.usefixtures("without_motion")
@pytest.mark.parametrize("game", RECORDED)
@pytest.mark.parametrize("plan", PLANS)
async def test_a_recorded_match_is_played_again_by_touch(
    open_app: Any, tmp_path: Path, game: str, plan: str
) -> None:
    """Names are typed, every answer is touched, and it ends as it was recorded."""
    events = load_recorded_events(game)
    demonstration = await at_home(open_app, tmp_path / "state", plan)
    result: GameResult = await demonstration.play_match(events)
    last = events[-1]
    assert isinstance(last, PutAway)
    assert last.result is not None
    ended = [(one["seat"], one["rank"], one["total"]) for one in last.result["standings"]]
    assert [(one.seat.name, one.rank, one.total) for one in result.standings] == ended


@pytest.mark.usefixtures("without_motion")
@pytest.mark.sweep(1)
@pytest.mark.parametrize("game", ENDLESS)
@pytest.mark.parametrize("plan", PLANS)
async def test_a_game_without_an_end_is_ended_by_touch(
    open_app: Any, tmp_path: Path, game: str, plan: str
) -> None:
    """Some of its questions are answered by touch, then its score is asked for and shown."""
    from ui.screens.score import ScoreScreen

    demonstration = await at_home(open_app, tmp_path / "state", plan)
    finger, app, rng = demonstration.finger, demonstration.app, Random(4)
    await demonstration.set_up_game(game, ["Aki", "Ben", "Chie"])
    given = 0
    while app.controller.view.question is not None and given < ANSWERS:
        question, given = app.controller.view.question, given + 1
        await demonstration.enter_answer(question, question.answer_to_json(question.random_legal_answer(rng)))
    if app.controller.view.question is not None:
        await finger.tap_buttons("more", "end", "yes")
    assert isinstance(app.stage.screen, ScoreScreen)
    assert len(app.controller.view.result.standings) == 3
