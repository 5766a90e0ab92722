"""What has no room in the middle of the table is named, and a touch opens it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events, replay_until
from companion.requests.raise_ import Raise
from companion.session.view import make_view
from tests.support.games.script_helpers import repeat_step
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.screen_variants import ScreenVariant
from tests.ui.test_every_table import laid

pytestmark = pytest.mark.usefixtures("without_motion")
PRICE = {"en": "price ›", "de": "Preis ›"}


@pytest.mark.parametrize("lang", ["en", "de"])
async def test_prices_without_room_are_a_touch_away(open_app: Any, lang: str) -> None:
    """A bidder on a small panel that lies flat reads what is left out, and the touch shows all of it."""
    from ui.screens.play import PlayScreen
    from ui.widgets.pieces.marks import LeftOutCountBadge

    look = ScreenVariant("flat", (800, 480), lang)
    table, match = await laid(open_app, look), load_recorded_events("high_bid")
    session = replay_until(match, 0)
    for step in build_timeline(match).steps:
        repeat_step(session, step)
        if isinstance(session.question, Raise):
            break
    view = make_view(session)
    table.app.stage.replace_screen(
        lambda: PlayScreen(view=view, scene_function=session.scene, layout_name=look.layout)
    )
    await table.wait_frames(3)
    play = table.app.stage.screen
    (badge,) = [placed for placed in play.middle.placed if isinstance(placed.mark, LeftOutCountBadge)]
    assert badge.mark.visible_text == PRICE[lang]
    await table.tap("middle")
    await table.wait_frames(3)
    assert table.app.stage.has_overlay
    whole = [each for each in table.app.stage.topmost_widget.walk() if type(each).__name__ == "TableMiddle"]
    (middle,) = whole
    assert not middle.leaves_something_out
    assert "160" in " ".join(middle.visible_texts)
    assert not find_faults(table, look.size)
    await table.tap("close")
    assert not table.app.stage.has_overlay
