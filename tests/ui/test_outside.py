"""A game of another package on the real window: its box, a whole table on it, and what is left without it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from companion import installed_games
from tests.outside.shelf import put_on_the_shelf
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.support.ui.device_table import DeviceTable

QUICK = 25
"""Questions that are answered where there isn't time for a whole game: some auctions with their payments."""


@pytest.fixture
def metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """It is installed; what makes it so."""
    return put_on_the_shelf(tmp_path / "site", monkeypatch)


@pytest.mark.usefixtures("metadata", "without_motion")
async def test_its_box_stands_on_the_shelf_with_its_cover_and_its_japanese(
    open_app: Any, tmp_path: Path
) -> None:
    """The picture it brings is drawn, not a card's back; a touch sets it up."""
    from tests.ui.test_shelf import sides
    from ui.screens.set_up import SetUpScreen
    from ui.widgets.keys.game_box import GameBoxButton

    table = await open_app(make_test_app(tmp_path / "state", lang="ja"))
    (lid,) = [
        widget for widget in table.widgets() if isinstance(widget, GameBoxButton) and widget.text == "係留所"
    ]
    assert lid.cover_path.endswith("moorings/moorings.png")
    assert {480, 400} & sides(lid)
    await table.tap("係留所")
    assert isinstance(table.app.stage.screen, SetUpScreen)


@pytest.mark.usefixtures("metadata", "without_motion")
async def test_nobody_touches_the_screen(open_app: Any, tmp_path: Path) -> None:
    """Bids come from keypad, number pad and buttons, cards from the reader; the screen follows."""
    metal = DeviceTable(tmp_path, "moorings", 3)
    try:
        table = await open_app(metal.app)
        await metal.begin_game(table)
        await metal.play(1000 if SOAK else QUICK)
        assert metal.refusals == []
        assert {device for _, device in metal.device_by_answer} == {"keypad 1", "numpad 2", "buttons 3"}
        assert len(metal.laid_cards) >= 3
    finally:
        metal.simulated.close()


@pytest.mark.usefixtures("without_motion")
async def test_a_game_whose_package_is_gone_is_still_there_with_the_reason(
    open_app: Any, tmp_path: Path, metadata: Path
) -> None:
    """Home goes on to offer it, by its key; opened it says why it can't be, and nothing is lost."""
    from companion.store import Store
    from ui.evening.controller import TableController

    first = TableController(Store.open(tmp_path / "state", for_writing=True))
    assert first.start_new_game("moorings", NAMES, COLOURS, {})
    first.close()
    shutil.move(metadata, tmp_path / "away.dist-info")
    installed_games._entry_points.cache_clear()  # the program starts again
    table = await open_app(make_test_app(tmp_path / "state"))
    assert "moorings" in table.texts()
    await table.tap("Continue")
    assert any("There is no game called moorings. Installed games: " in text for text in table.texts())
