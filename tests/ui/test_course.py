"""How the score went and the code for a phone, as they are opened from the final score."""

from __future__ import annotations

from typing import Any

import pytest

from companion.languages import languages
from companion.record.text_export import qr_code
from companion.table.seats import make_seats
from tests.support.long_names import PEOPLE
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.screen_sizes import make_bare_app


def test_names_keep_apart(kivy_window: Any) -> None:
    """Each stands as near to its line's end as it can: apart from the next, and none below the chart."""
    from ui.widgets.sheets.score_charts import spread_heights_apart

    assert spread_heights_apart([90, 50, 10], 20, 0) == [90, 50, 10]
    assert spread_heights_apart([50, 50, 50], 20, 0) == [50, 30, 10]
    assert spread_heights_apart([10, 10, 0], 20, 0) == [40, 20, 0]


@pytest.fixture
async def score(open_app: Any, tmp_path: Any, without_motion: None) -> Any:
    """Two rounds of sealed bids were played; the final score is on the screen."""
    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    controller = table.app.controller
    controller.start_new_game("sealed_bid", ["Aki", "Ben", "Chie"], ["orange", "sky", "green"], {})
    for bids, then in (((3, 2, 1), "again"), ((1, 4, 2), "again"), ((1, 2, 3), "finish")):
        for seat, bid in zip(controller.view.seats, bids, strict=True):
            controller.seal_answer_in_envelope(controller.view.question_number, seat, bid)
        controller.answer_question(controller.view.question_number, then)
    await table.wait_frames()
    table.app.table_flow.last_reveal_screen.close()
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()
    return table


async def test_the_course_has_a_line_for_each_seat(score: Any) -> None:
    """One key opens the chart: names with their totals at the lines' ends, and the scale beside."""
    await score.tap("chart")
    assert {"Aki 1", "Ben 1", "Chie 1", "0"} <= set(score.texts())
    await score.tap("Close")
    assert "Close" not in score.texts()


async def test_a_game_without_a_course_says_so(score: Any) -> None:
    """Where the score was known only at the end there is a sentence instead of a chart."""
    score.app.stage.screen._score_history = tuple
    await score.tap("chart")
    assert "There is no history of the score." in score.texts()


async def test_thinking_times_are_bars(score: Any) -> None:
    """From the chart one key leads to how long everybody took, each a bar as long as their share."""
    from companion.record.record import ThinkingTime
    from ui.widgets.sheets.score_charts import SeatThinkingTimeBar

    aki, ben, _chie = score.app.controller.view.seats
    times = (
        ThinkingTime(aki, 3, 90.0, 50.0, 63),
        ThinkingTime(ben, 3, 45.0, 20.0, 31),
        ThinkingTime(None, 2, 9.0, 5.0, 6),
    )
    score.app.stage.screen._thinking_times = lambda: times
    await score.tap("chart", "thinking")
    assert {"1:30  63 %", "0:45  31 %", "0:09  6 %", "the table"} <= set(score.texts())
    sheet = score.app.stage.topmost_widget
    assert "Aki 1" not in [getattr(widget, "text", "") for widget in sheet.walk()]
    bars = [widget.filled_share for widget in score.widgets() if isinstance(widget, SeatThinkingTimeBar)]
    assert sorted(bars) == [0.1, 0.5, 1.0]


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 720)])
@pytest.mark.parametrize("people", [5, 12])
@pytest.mark.sweep(1)
async def test_thinking_times_of_many_people_stand_apart(
    open_app: Any, size: tuple[int, int], people: int, lang: str
) -> None:
    """Each time has half a line of free height, and the names and times of twelve people are whole."""
    from companion.record.record import ThinkingTime
    from ui import theme
    from ui.pages import open_full_screen_dialog
    from ui.widgets.sheets.score_charts import ThinkingTimeBars

    table = await open_app(make_bare_app(lang=lang), size)
    times = [
        *(
            ThinkingTime(seat, 90, 3754.0 - 60 * at, 90.0, 8)
            for at, seat in enumerate(make_seats(PEOPLE[lang][:people]))
        ),
        ThinkingTime(None, 2, 9.0, 5.0, 6),
    ]
    open_full_screen_dialog(table.app.tr("Thinking times"), ThinkingTimeBars(times, lang))
    await table.wait_frames(4)
    durations = [one for one in table.widgets() if str(getattr(one, "text", "")).endswith(" %")]
    assert len(durations) == len(times)
    assert min(one.height for one in durations) >= 1.5 * theme.length.body
    assert not find_faults(table, size)


async def test_the_times_are_those_of_the_record(score: Any) -> None:
    """They are the seconds of play that the clocks count; a game on which nobody spent any has none."""
    controller = score.app.controller
    assert [one.answer_count for one in controller.evening.thinking_times()] == [3, 3, 3, 3]
    score.app.stage.screen._thinking_times = tuple
    await score.tap("chart")
    assert "Thinking times" not in score.texts()


FORMS = {"html": "<!DOCTYPE html>", "csv": "\ufeffpart,n,seconds", "json": "{"}


@pytest.mark.parametrize("form", FORMS)
async def test_the_record_is_saved_to_a_file(score: Any, tmp_path: Any, form: str) -> None:
    """In the form that is touched; a sentence says where it lies, and saving again writes it again."""
    file = tmp_path / "state" / "exports" / f"1-sealed-bid.{form}"
    for _ in range(2):
        await score.tap("save", form)
        assert f"The record was saved as {file}." in score.texts()
        text = file.read_text(encoding="utf-8")
        assert text.startswith(FORMS[form])
        assert "Chie" in text
        file.write_text("old", encoding="utf-8")
        await score.tap("done")
    assert [other.name for other in file.parent.iterdir()] == [file.name]


async def test_a_picture_of_the_result_is_saved(score: Any, tmp_path: Any, monkeypatch: Any) -> None:
    """It is as large as the window and not empty; a USB stick has it, or else the exports folder."""
    from kivy.core.image import Image

    stick = tmp_path / "stick"
    stick.mkdir()
    for sticks, folder in (([], tmp_path / "state" / "exports"), ([stick], stick)):
        monkeypatch.setattr("ui.screens.score.find_writable_usb_sticks", lambda _root, sticks=sticks: sticks)
        file = folder / "1-sealed-bid.png"
        await score.tap("save", "png")
        await score.wait_until(file.exists)
        await score.wait_frames()
        assert f"The picture was saved as {file}." in score.texts()
        await score.tap("done")
        picture = Image.load(str(file), keep_data=True)
        assert tuple(picture.size) == tuple(score.window.size)
        colours = {tuple(picture.read_pixel(x, y)) for x in range(40, 800, 40) for y in range(40, 480, 40)}
        assert len(colours) > 20


async def test_a_record_that_cannot_be_written_is_a_sentence(score: Any, tmp_path: Any) -> None:
    """What is in the way is named, and stays as it was."""
    (tmp_path / "state" / "exports").write_text("mine", encoding="utf-8")
    await score.tap("save", "csv")
    assert [text for text in score.texts() if "can't be written" in text]
    assert (tmp_path / "state" / "exports").read_text(encoding="utf-8") == "mine"


async def test_the_history_is_open_at_the_end(score: Any) -> None:
    """From the final score the table goes back to an earlier answer, or changes one: the score is new."""
    before = score.app.stage.screen
    await score.tap("history", "event 2", "amend", "Ben", "9", "confirm")
    assert score.app.stage.screen is not before
    assert [one.total for one in score.app.stage.screen.result.standings] == [1, 1, 1]
    score.app.stage.screen.turn_up_all_cards()
    await score.wait_frames(2)
    await score.tap("history", "event 5", "back")
    assert score.app.controller.view.question.kind == "Choose"


async def test_the_code_is_drawn_dot_by_dot(score: Any, tmp_path: Any) -> None:
    """The other key shows what a phone reads: each dot is dark or light as the text wants it."""
    from kivy.core.image import Image

    from ui.widgets.sheets.score_charts import QR_QUIET_ZONE_DOTS, QrCode

    await score.tap("code")
    code = next(widget for widget in score.widgets() if isinstance(widget, QrCode))
    assert code.encoded_text == "Sealed bid\n1. Aki 1\n1. Ben 1\n1. Chie 1"
    picture = Image(str(await score.take_screenshot(tmp_path / "code.png")), keep_data=True)
    wanted = qr_code(code.encoded_text)
    dot = int(min(code.size) // (len(wanted) + 2 * QR_QUIET_ZONE_DOTS))
    x, y = code.to_window(*code.center)
    side = dot * (len(wanted) + 2 * QR_QUIET_ZONE_DOTS)
    left, top = round(x - side / 2) + dot // 2, round(picture.height - y - side / 2) + dot // 2

    def is_dark(across: int, down: int) -> bool:
        red, *_ = picture.read_pixel(
            left + (across + QR_QUIET_ZONE_DOTS) * dot, top + (down + QR_QUIET_ZONE_DOTS) * dot
        )
        return bool(red < 0.5)

    seen = tuple(tuple(is_dark(at, down) for at in range(len(row))) for down, row in enumerate(wanted))
    assert seen == wanted
