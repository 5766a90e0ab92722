"""How the score went and the code for a phone, as they are opened from the final score."""

from __future__ import annotations

from typing import Any

import pytest

from companion.record.summary import dots
from tests.ui.evening import app_for


def test_names_keep_apart(kivy_window: Any) -> None:
    """Each stands as near to its line's end as it can: apart from the next, and none below the chart."""
    from ui.widgets.course import spread

    assert spread([90, 50, 10], 20, 0) == [90, 50, 10]
    assert spread([50, 50, 50], 20, 0) == [50, 30, 10]
    assert spread([10, 10, 0], 20, 0) == [40, 20, 0]


@pytest.fixture
async def score(open_table: Any, tmp_path: Any, locale: Any, nothing_moves: None) -> Any:
    """Two rounds of sealed bids were played; the final score is on the screen."""
    table = await open_table(app_for(tmp_path / "state", locale, lang="en"))
    evening = table.app.evening
    evening.begin("sealed_bid", ["Aki", "Ben", "Chie"], ["orange", "sky", "green"], {})
    for bids, then in (((3, 2, 1), "again"), ((1, 4, 2), "again"), ((1, 2, 3), "finish")):
        for seat, bid in zip(evening.view.seats, bids, strict=True):
            evening.draft(evening.view.n, seat, bid)
        evening.answer(evening.view.n, then)
    await table.frames()
    table.app.reveal.close()
    table.app.stage.screen.skip()
    await table.frames()
    return table


async def test_the_course_has_a_line_for_each_seat(score: Any) -> None:
    """One key opens the chart: names with their totals at the lines' ends, and the scale beside."""
    await score.tap("chart")
    assert {"Aki 1", "Ben 1", "Chie 1", "0"} <= set(score.texts())
    await score.tap("Close")
    assert "Aki 1" not in score.texts()


async def test_a_game_without_a_course_says_so(score: Any) -> None:
    """Where the score was known only at the end there is a sentence instead of a chart."""
    score.app.stage.screen._standing = tuple
    await score.tap("chart")
    assert "No score was kept on the way." in score.texts()


async def test_the_code_is_drawn_dot_by_dot(score: Any, tmp_path: Any) -> None:
    """The other key shows what a phone reads: each dot is dark or light as the text wants it."""
    from kivy.core.image import Image

    from ui.widgets.qr import QUIET, Qr

    await score.tap("code")
    code = next(widget for widget in score.widgets() if isinstance(widget, Qr))
    assert code.text_within == "Sealed bid\n1. Aki 1\n1. Ben 1\n1. Chie 1"
    picture = Image(str(await score.photograph(tmp_path / "code.png")), keep_data=True)
    wanted = dots(code.text_within)
    dot = int(min(code.size) // (len(wanted) + 2 * QUIET))
    x, y = code.to_window(*code.center)
    side = dot * (len(wanted) + 2 * QUIET)
    left, top = round(x - side / 2) + dot // 2, round(picture.height - y - side / 2) + dot // 2

    def is_dark(across: int, down: int) -> bool:
        red, *_ = picture.read_pixel(left + (across + QUIET) * dot, top + (down + QUIET) * dot)
        return bool(red < 0.5)

    seen = tuple(tuple(is_dark(at, down) for at in range(len(row))) for down, row in enumerate(wanted))
    assert seen == wanted
