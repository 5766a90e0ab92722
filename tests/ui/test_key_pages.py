"""Keys are on pages only if the screen has no free room for them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.session.session import Session
from companion.session.view import make_view
from tests.any_game_presets import SHIPPED, deck_of
from tests.support.games.any_game_helpers import NO_DIRECTORY
from tests.support.games.script_helpers import repeat_step
from tests.support.soak import SOAK
from tests.support.ui.free_room import find_needless_pages
from tests.support.ui.screen_variants import ScreenVariant, variants_with_languages_in_turn
from tests.ui.test_every_table import RECORDED, answer, called, laid, sort_of

pytestmark = pytest.mark.usefixtures("without_motion")
SMALL_SIZES = {"landscape": [(800, 480)], "upright": [(480, 800)], "flat": [(800, 480), (480, 800)]}
NAMES = ("Aki", "Ben", "Chie", "Dai")
MOST_ANSWERS = 150 if SOAK else 40
TEMPLATES = [
    (name, look) for n, name in enumerate(SHIPPED) for look in variants_with_languages_in_turn(n, SMALL_SIZES)
]
MATCHES = [
    (name, look)
    for n, name in enumerate(RECORDED)
    for look in variants_with_languages_in_turn(n, SMALL_SIZES)
]


async def check_pages(table: Any, session: Session, look: ScreenVariant) -> None:
    """Shows the open question; its keys aren't on pages while there is free room."""
    from ui.screens.play import PlayScreen

    stage = table.app.stage
    stage.replace_screen(
        lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name=look.layout)
    )
    await table.wait_frames(3)
    assert [*find_needless_pages(stage.screen)] == []


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("template", "look"), TEMPLATES, ids=called)
async def test_keys_of_templates_are_on_pages_only_without_free_room(
    open_app: Any, template: str, look: ScreenVariant
) -> None:
    """The menu and what it leads to: no page more than the room on the screen asks for."""
    decks = {"any_game": deck_of(template, NO_DIRECTORY)}
    game = installed_games.playable_game("any_game")
    session = Session.begin(game, NAMES, {"template": template}, MemoryLog(), deck_by_name=decks, seed=7)
    table, rng, seen = await laid(open_app, look), Random(3), set[object]()
    for _answer in range(MOST_ANSWERS):
        if session.question is None:
            break
        if (sort := sort_of(session.question)) not in seen:
            seen.add(sort)
            await check_pages(table, session, look)
        answer(session, rng)
    assert len(seen) > 1


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("game", "look"), MATCHES, ids=called)
async def test_keys_of_recorded_matches_are_on_pages_only_without_free_room(
    open_app: Any, game: str, look: ScreenVariant
) -> None:
    """Hands of cards, dials and actions: no page more than the room on the screen asks for."""
    began, *_ = events = load_recorded_events(game)
    log = MemoryLog([began])
    session = Session(installed_games.playable_game(game), log, log)
    session.answer_for_absent_players()
    table, seen = await laid(open_app, look), set[object]()
    for step in build_timeline(events).steps:
        if (sort := sort_of(session.question)) not in seen:
            seen.add(sort)
            await check_pages(table, session, look)
        repeat_step(session, step)
    assert len(seen) > 1
