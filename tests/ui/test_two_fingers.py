"""Two keys that two fingers press at once: the screen of the second one may be gone when it is let go."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions, make_test_app

pytestmark = pytest.mark.usefixtures("without_motion")
AT_THE_END = ("again", "put away", "undo", "history", "save", "chart", "code")
IN_PLAY = ("undo", "redo", "history", "bank", "more", "sound")


async def press_both(table: Any, first: str, second: str) -> None:
    """Presses two keys that are there, and lets go the first one first."""
    touches = [table.press(name) for name in (first, second)]
    for touch in touches:
        await table.wait_frames(1)
        touch.touch_up()
    await table.wait_frames(3)


def is_there(table: Any, *names: str) -> bool:
    """Returns whether there are keys with all these names."""
    return names_of_keys(table).issuperset(names)


def names_of_keys(table: Any) -> set[str]:
    """Returns the names of all widgets that can be seen."""
    return {getattr(widget, "name", "") for widget in table.widgets()}


@pytest.fixture
async def final_score(open_app: Any, tmp_path: Path) -> Any:
    """The final score of a game, with all its keys."""
    table = await open_app(make_test_app(tmp_path))
    table.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "points"})
    answer_questions(table.app.controller, "finish")
    await table.wait_until(lambda: hasattr(table.app.stage.screen, "turn_up_all_cards"))
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames(3)
    return table


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("first", "second"), [*permutations(AT_THE_END, 2)])
async def test_two_keys_at_the_final_score(final_score: Any, first: str, second: str) -> None:
    """What the second key was for is gone with the game, so it does nothing; nothing fails."""
    assert is_there(final_score, first, second)
    await press_both(final_score, first, second)
    assert not final_score.running.done()


async def test_a_game_is_put_away_and_not_undone_at_once(final_score: Any) -> None:
    """The finger on "put away" comes first; the other one would undo the last answer."""
    await press_both(final_score, "put away", "undo")
    assert final_score.app.evening.session is None


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("first", "second"), [*permutations(IN_PLAY, 2)])
async def test_two_keys_in_a_game(open_app: Any, tmp_path: Path, first: str, second: str) -> None:
    """Both do what they can do; nothing fails."""
    table = await open_app(make_test_app(tmp_path))
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    await table.wait_frames(3)
    assert is_there(table, first, second)
    await press_both(table, first, second)
    assert not table.running.done()


async def test_two_events_of_the_history(open_app: Any, tmp_path: Path) -> None:
    """Both are asked about. To undo the earlier one closes the dialog of the later one, which is gone."""
    table = await open_app(make_test_app(tmp_path))
    controller = table.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {"pay_rule": "winning_bid"})
    answer_questions(controller, "1", True, 1, 2, 3)
    await table.wait_frames(3)
    await table.tap("history")
    events = sorted(name for name in names_of_keys(table) if name.startswith("event "))
    await press_both(table, events[-1], events[0])
    await table.tap("back")
    assert len(controller.evening.session.steps) == 1
    assert not is_there(table, "amend")


async def test_two_envelopes_of_a_sealed_round(open_app: Any, tmp_path: Path) -> None:
    """Only one player takes the screen; a second page would stay when the round is over."""
    table = await open_app(make_test_app(tmp_path))
    table.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    await table.wait_frames(3)
    await press_both(table, NAMES[0], NAMES[1])
    pages = [type(overlay).__name__ for overlay in table.app.stage.overlays_topmost_first]
    assert pages == ["SealedAnswerScreen"]
