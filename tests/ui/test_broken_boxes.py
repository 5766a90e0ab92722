"""The screens beside games of others that are broken."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.third_party_packages import (
    BROKEN_GAMES,
    GAMES_THAT_FAIL_AT_START,
    PLAYABLE_GAMES,
    install_games,
)
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app

LIDS = ("crash", "lanterns", "misreads", "stops", "claps", "egypt")


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with a few games, broken and whole."""
    texts = {
        key: text for group in (BROKEN_GAMES, GAMES_THAT_FAIL_AT_START) for key, (text, _) in group.items()
    } | PLAYABLE_GAMES
    folder = tmp_path / "site"
    folder.mkdir()
    install_games(folder, {key: texts[key] for key in LIDS})
    monkeypatch.syspath_prepend(folder)
    yield
    for module in [name for name in sys.modules if name.startswith("strangers_")]:
        del sys.modules[module]


@pytest.fixture
async def shelf(strangers: None, open_app: Any, tmp_path: Path, without_motion: None) -> Any:
    """The app on its first screen."""
    return await open_app(make_test_app(tmp_path / "state"))


async def test_home_and_a_game_beside_broken_ones(shelf: Any) -> None:
    """All boxes stand there, a broken one tells why; Egypt begins, and its history opens."""
    games = {game.key: game.broken_reason for game in shelf.app.stage.screen.games}
    assert [key for key, broken in games.items() if broken] == [
        "crash",
        "egypt (strangers)",
        "lanterns",
        "misreads",
    ]
    assert {"egypt", "claps", "stops", "oyakata"} <= games.keys()
    await shelf.tap("crash")
    assert "The game crash can't be loaded: ValueError: no dice." in shelf.texts()
    await shelf.tap("Understood")
    assert shelf.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    shelf.app.controller.answer_question(1, "1")
    await shelf.wait_frames()
    await shelf.tap("history")
    assert "Who leads the first auction? Aki" in shelf.texts()


async def test_a_game_that_fails_as_it_begins_is_refused(shelf: Any) -> None:
    """The screen says why and stays; a whole game can be begun after it."""
    controller = shelf.app.controller
    assert not controller.start_new_game("stops", NAMES, COLOURS, {})
    await shelf.wait_frames()
    assert "The rules of Stops crashed at the start: ValueError: no dice." in shelf.texts()
    assert controller.evening.find_open_game() is None
    assert controller.start_new_game("claps", NAMES, COLOURS, {})


async def test_cards_and_tags_beside_broken_games(shelf: Any) -> None:
    """A game that can't be loaded has a box there that says why; the cards of the others open."""
    await shelf.tap("cards", "page on", "deck lanterns")
    assert any(
        text.startswith("The game lanterns can't be loaded: there is no deck") for text in shelf.texts()
    )
    await shelf.tap("Understood", "page back", "deck egypt")
    assert "card 4.1" in [getattr(widget, "name", "") for widget in shelf.widgets()]
