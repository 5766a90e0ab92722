"""The options of every game before it begins, each on a slip with the keys that change it."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion import installed_games
from companion.languages import languages
from companion.rules.game import Game
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_faults import find_faults

pytestmark = pytest.mark.usefixtures("without_motion")
SIZES = [(800, 480), (480, 800), (1280, 720), (720, 1280), (1920, 1080)]
LOOKS = list(product(SIZES, languages())) if SOAK else [(SIZES[0], "de"), (SIZES[1], "ja")]


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), LOOKS, ids=str)
async def test_nothing_is_wrong_with_the_options_of_any_game(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """All texts are whole; where they are too long to stand side by side, the choices are a list."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    found: list[str] = []
    for key in (game.key for game in installed_games.games().values() if isinstance(game, Game)):
        table.app.open_game_setup(key)
        await table.wait_frames()
        await table.tap("rules")
        pages = table.app.stage.screen.ids.page.children[0]
        for page in range(pages.page_count):
            pages.page = page
            await table.wait_frames()
            found += [f"{key}, page {page}: {fault}" for fault in find_faults(table, size)]
    assert found == []
