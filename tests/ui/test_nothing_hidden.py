"""The play screen leaves out nothing that happened, and nothing that is asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import installed_games, logtext
from companion.log.events import Began, Event
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.session.session import Session
from companion.session.view import make_view
from tests.support.games.script_helpers import repeat_step
from tests.support.ui.missing_information import find_missing_information
from tests.support.ui.screen_variants import ScreenVariant, variant_id, variants_with_languages_in_turn
from tests.ui.test_every_table import laid

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.log"))


@pytest.fixture
def lasting_result_cards(brief_result_cards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a card with a result lie on the table until the next answer, so that it can be read."""
    from ui import theme

    monkeypatch.setattr(theme, "RESULT_CARD_SECONDS", 60.0)


@pytest.mark.usefixtures("lasting_result_cards")
@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("log", "look"),
    [
        pytest.param(log, look, id=f"{log.stem}-{variant_id(look)}")
        for turn, log in enumerate(GOLDEN)
        for look in variants_with_languages_in_turn(turn)
    ],
)
async def test_a_recorded_match_hides_nothing(open_app: Any, log: Path, look: ScreenVariant) -> None:
    """After every answer of a golden match all that happened and all that is asked about can be read."""
    began, *_ = events = written(log)
    assert isinstance(began, Began)
    kept = MemoryLog([began])
    session = Session(installed_games.playable_game(began.game), kept, kept)
    session.answer_for_absent_players()
    table = await laid(open_app, look)
    play = await playing(table, session, look)
    found: list[str] = []
    for step in build_timeline(events).steps:
        repeat_step(session, step)
        if session.question is None:
            break
        play.view = make_view(session)
        if play.events_notice is not None:
            await table.wait_frames(2)
        found += [
            f"{session.question_number} {session.question.log_key}: {fault}"
            for fault in find_missing_information(play)
        ]
    assert not found, f"{len(found)} hidden\n" + "\n".join(found)


def written(log: Path) -> list[Event]:
    """The events in a file."""
    return logtext.parse_log_text(log.read_text(encoding="utf-8"))


async def playing(table: Any, session: Session, look: ScreenVariant) -> Any:
    """The play screen over a session, at a look."""
    from ui.screens.play import PlayScreen

    table.app.stage.replace_screen(
        lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name=look.layout)
    )
    await table.wait_frames(2)
    return table.app.stage.screen
