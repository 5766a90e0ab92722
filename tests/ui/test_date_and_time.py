"""The date and the time, set on the real window, and the page about the Companion."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from companion import wall_clock
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.setting_slips import turn_to_slip

pytestmark = pytest.mark.usefixtures("without_motion")
LOOKS = [((800, 480), "de"), ((480, 800), "ja"), ((1280, 720), "en"), ((720, 1280), "de"), ((800, 480), "ja")]


@pytest.fixture
def start(open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A function that starts the app of a machine of its own; `set_clock` sets the machine's clock."""
    monkeypatch.setattr(wall_clock, "_is_set_by_hand", False)

    async def begin(
        set_clock: Callable[[datetime], str] | None, size: tuple[int, int] = (800, 480), lang: str = "en"
    ) -> Any:
        app = make_test_app(tmp_path / "state", lang=lang)
        app.set_system_clock = set_clock
        table = await open_app(app, size)
        await table.wait_until(lambda: app.home_flow.are_other_pages_loaded)
        return table

    return begin


async def test_people_set_the_clock_on_the_dials(
    start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Companion then trusts it, also after a restart of the Companion, but not of the machine."""
    moments: list[datetime] = []

    def set_clock(moment: datetime) -> str:
        moments.append(moment)
        return ""

    table = await start(set_clock)
    await table.tap("settings")
    await turn_to_slip(table, "Date and time")
    await table.tap("date")
    await table.tap("type year", "clear", *"2028", "confirm", "type month", "clear", "2", "confirm")
    await table.tap("type day", "clear", *"29", "confirm", "set clock")
    assert [(moment.year, moment.month, moment.day) for moment in moments] == [(2028, 2, 29)]
    assert wall_clock._is_set_by_hand
    assert "Date and time" in table.texts()
    table.app.close_evening()
    wall_clock._is_set_by_hand = False
    table = await start(None)
    assert wall_clock._is_set_by_hand
    table.app.controller.remember_value("clock_set_in_boot", "another start")
    table.app.close_evening()
    wall_clock._is_set_by_hand = False
    await start(None)
    assert not wall_clock._is_set_by_hand


async def test_a_clock_that_cannot_be_set_is_not_trusted(start: Callable[..., Any]) -> None:
    """The reason is said, and the page stays."""
    table = await start(lambda _: "Access denied")
    await table.tap("settings")
    await turn_to_slip(table, "Date and time")
    await table.tap("date", "set clock")
    assert "The clock can't be set: Access denied" in table.texts()
    await table.tap("done")
    assert not wall_clock._is_set_by_hand
    assert "Set the clock" in table.texts()


async def test_a_pc_keeps_its_clock(start: Callable[..., Any]) -> None:
    """Its settings end with the page about the Companion: every game, and the folder of the saved games."""
    table = await start(None)
    await table.tap("settings")
    await turn_to_slip(table, "About")
    assert "Date and time" not in table.texts()
    await table.tap("about")
    assert {"Version", "MIT", str(table.app.evening.store.directory)} <= set(table.texts())
    await turn_to_slip(table, "Sealed bid")


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), LOOKS if SOAK else LOOKS[:2])
async def test_nothing_is_wrong_with_these_pages(
    start: Callable[..., Any], size: tuple[int, int], lang: str
) -> None:
    """The slips, the page of the date and every page about the Companion."""
    table = await start(lambda _: "", size, lang)
    await table.tap("settings")
    for name in ("date", "about"):
        await turn_to_slip(table, name)
        await table.wait_frames(3)
        assert find_faults(table, size) == []
        await table.tap(name)
        await table.wait_frames(3)
        assert find_faults(table, size) == []
        await table.tap("close")
