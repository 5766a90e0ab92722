"""The final score of every recorded match, played by people with names of twenty letters."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion import installed_games
from companion.languages import languages
from companion.log.events import Began
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.texts import say_plain_text
from tests.support.games.script_helpers import repeat_step
from tests.support.long_names import PEOPLE
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.ui.test_every_screen import SIZES
from tests.ui.test_nothing_hidden import GOLDEN, written

pytestmark = pytest.mark.usefixtures("without_motion")


def final_view(log: Path, lang: str) -> View:
    """What everybody sees at the end of a recorded match, with the long names of a language."""
    began, *events = written(log)
    assert isinstance(began, Began)
    began = replace(began, names=PEOPLE[lang][: len(began.names)])
    kept = MemoryLog([began])
    session = Session(installed_games.playable_game(began.game), kept, kept)
    session.answer_for_absent_players()
    for step in build_timeline([began, *events]).steps:
        repeat_step(session, step)
    return make_view(session)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("is_flat", [False, True], ids=["standing", "flat"])
@pytest.mark.parametrize(("size", "lang"), [*product(SIZES, languages())], ids=str)
@pytest.mark.parametrize("log", GOLDEN, ids=lambda log: log.stem)
async def test_a_reason_leaves_room_for_the_name(
    open_app: Any, tmp_path: Path, log: Path, size: tuple[int, int], lang: str, *, is_flat: bool
) -> None:
    """Names, reasons and totals are whole on all cards; a name may be shortened to its beginning."""
    from ui.screens.score import ScoreScreen

    table, view = await open_app(make_test_app(tmp_path / "state", lang=lang), size), final_view(log, lang)
    assert view.result is not None
    table.app.stage.replace_screen(lambda: ScoreScreen(view, is_flat=is_flat))
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames(4)
    assert find_faults(table, size) == []


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("size", "lang"), [*product(SIZES, languages())], ids=str)
@pytest.mark.parametrize("people", [2, 3, 5, 12])
async def test_reasons_of_several_lines_leave_room_for_the_names(
    open_app: Any, tmp_path: Path, people: int, size: tuple[int, int], lang: str
) -> None:
    """On every card; where they have no room below the names, a touch on the card shows them."""
    from ui.screens.score import ScoreScreen

    log = next(one for one in GOLDEN if one.stem == f"sealed_bid-{people}")
    table, view = await open_app(make_test_app(tmp_path / "state", lang=lang), size), final_view(log, lang)
    assert view.result is not None
    reason = say_plain_text(", ".join(PEOPLE[lang][:4]))
    standings = tuple(replace(standing, why=reason) for standing in view.result.standings)
    view = replace(view, result=replace(view.result, standings=standings))
    table.app.stage.replace_screen(lambda: ScoreScreen(view))
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames(4)
    assert find_faults(table, size) == []
