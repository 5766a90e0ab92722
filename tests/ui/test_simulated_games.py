"""Whole games on the real window, played by simulated metal alone: nobody touches the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.soak import SOAK
from tests.support.ui.device_table import DeviceTable

QUICK = {"bidders": 15, "mammon": 1000}
"""Questions that are answered where there isn't time for a whole game of both."""
FEWEST = {"bidders": 20, "mammon": 5}
"""Cards that are laid in a whole game."""


@pytest.mark.sweep(1)
@pytest.mark.usefixtures("without_motion")
@pytest.mark.parametrize(("key", "seed"), [("bidders", 3), ("mammon", 3)])
async def test_nobody_touches_the_screen(open_app: Any, tmp_path: Path, key: str, seed: int) -> None:
    """Everybody answers on their own device and lays cards on the reader; the screen follows to the score."""
    metal = DeviceTable(tmp_path, key, seed)
    touches: list[object] = []
    try:
        table = await open_app(metal.app)
        table.window.bind(on_touch_down=touches.append)
        await metal.begin_game(table)
        await metal.play(1000 if SOAK else QUICK[key])
        assert touches == metal.refusals == []
        assert {device for _, device in metal.device_by_answer} == {"keypad 1", "numpad 2", "buttons 3"}
        if metal.controller.view.question is None:
            from ui.screens.score import ScoreScreen

            assert isinstance(metal.app.stage.screen, ScoreScreen)
            assert len(metal.laid_cards) >= FEWEST[key]
        else:
            assert not SOAK
            assert len({n for n, _ in metal.device_by_answer}) + len(metal.laid_cards) >= QUICK[key]
    finally:
        table.window.unbind(on_touch_down=touches.append)
        metal.simulated.close()
