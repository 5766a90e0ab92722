"""The table in large letters across the room: when it is shown, what it shows, and how a touch leads back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.clocks import parse_clocks
from companion.session.view import make_view
from tests.support.ui.app_helpers import answer_questions, make_test_app
from tests.support.ui.text_checks import check_all_texts_are_whole
from tests.ui.test_twins import covered_twins

pytestmark = pytest.mark.usefixtures("without_motion")
NAMES, COLOURS = ["Aki", "Ben", "Chie"], ["orange", "sky", "green"]


@pytest.fixture
async def auction(open_app: Any, tmp_path: Path) -> Any:
    """An auction of Egypt with clocks, in which Aki has bid 3."""
    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    await table.wait_until(lambda: hasattr(table.app, "table_flow"))
    controller = table.app.controller
    controller.start_new_game("egypt", NAMES, COLOURS, {}, parse_clocks("turn=1:00 ring"))
    answer_questions(controller, "2", True, 3)
    await table.wait_frames()
    return table


async def test_after_a_minute_the_table_is_shown_in_large_letters(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has touched the screen; at home nothing happens."""
    from ui import theme

    monkeypatch.setattr(theme, "ACROSS_ROOM_AFTER_SECONDS", 0.3)
    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    await table.wait_until(lambda: hasattr(table.app, "table_flow"))
    flow = table.app.table_flow.across_room_flow
    table.app.shows_table_across_room = True
    flow.show()
    assert flow.page is None
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    await table.wait_until(lambda: flow.page is not None)


async def test_a_touch_leads_back_and_presses_nothing(auction: Any) -> None:
    """Turn, lot, highest bid, clock and all players are shown; then the table is as before."""
    from kivy.tests.common import UnitTestTouch

    flow, number = auction.app.table_flow.across_room_flow, auction.app.controller.view.question_number
    flow.show()
    await auction.wait_frames()
    texts = {widget.text for widget in flow.page.walk() if getattr(widget, "text", "")}
    assert {*NAMES, "3"} <= texts
    assert any(re.fullmatch(r"[01]:[0-5][0-9]", text) for text in texts)
    check_all_texts_are_whole(flow.page.walk())
    key = auction.find("confirm")
    touch = UnitTestTouch(*key.to_window(*key.center))
    touch.touch_down()
    await auction.wait_frames(1)
    touch.touch_up()
    await auction.wait_frames()
    assert flow.page is None
    assert auction.app.controller.view.question_number == number


async def test_the_page_follows_the_game(auction: Any) -> None:
    """An answer by keypad changes it; the end of the game or a notice removes it."""
    flow, controller = auction.app.table_flow.across_room_flow, auction.app.controller
    flow.show()
    answer_questions(controller, 5)
    await auction.wait_frames()
    assert "5" in {getattr(widget, "text", "") for widget in flow.page.walk()}
    controller.leave_table()
    await auction.wait_frames()
    assert flow.page is None


async def test_only_the_seconds_of_a_clock_draw_anything(auction: Any) -> None:
    """Without a change on the clock no frame is shown."""
    flow = auction.app.table_flow.across_room_flow
    auction.app.controller.ticker.stop_following_clocks()
    flow.show()
    shown: list[object] = []
    auction.window.bind(on_flip=shown.append)
    await auction.wait_frames(5)
    shown.clear()
    await auction.wait_frames(30)
    assert shown == []
    flow.page.show_clocks(auction.app.controller.ticker.clocks)
    await auction.wait_frames(5)
    assert shown == []
    auction.window.unbind(on_flip=shown.append)


async def test_tables_that_differ_in_what_lies_covered_look_alike_across_the_room(open_app: Any) -> None:
    """Texts and pixels are equal whatever lies there."""
    from tests.support.ui.screen_sizes import make_bare_app
    from ui.screens.across_room import AcrossRoomPage

    app: Any = make_bare_app(lang="en")
    table = await open_app(app)
    seen = []
    for session in covered_twins("high_bid", 5):
        view, scene = make_view(session), session.scene
        app.stage.replace_screen(lambda view=view, scene=scene: AcrossRoomPage(view, scene))
        await table.wait_frames(4)
        seen.append((table.texts(), app.stage.export_as_image().texture.pixels))
    assert seen[0] == seen[1]


async def test_whoever_leads_wears_a_crown_across_the_room_too(open_app: Any, tmp_path: Path) -> None:
    """It names the players of the panels; while all have nothing, there are neither numbers nor crowns."""
    from ui.widgets.drawing.symbols import PlayerToken

    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    await table.wait_until(lambda: hasattr(table.app, "table_flow"))
    controller, flow = table.app.controller, table.app.table_flow.across_room_flow
    controller.start_new_game("any_game", NAMES, COLOURS, {"pays": "nobody"})

    async def shown() -> tuple[list[bool], set[str]]:
        flow.show()
        await table.wait_frames()
        widgets = [*flow.page.walk()]
        crowns = [widget.wears_crown for widget in widgets if isinstance(widget, PlayerToken)]
        return crowns[-3:], {getattr(widget, "text", "") for widget in widgets}

    crowns, texts = await shown()
    assert (crowns, "0" in texts) == ([False] * 3, False)
    answer_questions(controller, "points", {"1": 0, "2": 7, "3": 0})
    crowns, texts = await shown()
    assert (crowns, {"0", "7"} <= texts) == ([False, True, False], True)
