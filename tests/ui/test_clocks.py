"""Clocks on the real window: chosen in set-up, seen on the strips, stopped by touch, and what they do."""

from __future__ import annotations

from typing import Any

import pytest

from companion.installed_games import playable_game
from companion.texts import render
from tests.support.ui.app_helpers import answer_questions
from tests.support.ui.clock_helpers import (
    ManualSeconds,
    begin_egypt_auction,
    begin_game_with_clocks,
    pass_time,
    turn_to_clock_page,
)
from tests.support.ui.screen_sizes import SIZES_AND_LONG_WORDS
from tests.support.ui.sealing import seal_bid_by_touch
from tests.support.ui.text_checks import check_all_texts_are_whole

pytestmark = pytest.mark.usefixtures("without_motion")


def dials(table: Any) -> list[Any]:
    """The clock of each strip."""
    return [strip.clock_face for strip in table.app.stage.screen.panels.values()]


def faces(table: Any) -> list[str]:
    """What stands on each strip's clock."""
    return [dial.clock.display_text if dial.clock else "" for dial in dials(table)]


async def test_a_clock_is_chosen_in_set_up(open_app: Any, make_app_with_clock: Any) -> None:
    """Every game has a slip for the clock; what is chosen from its list runs in the game."""
    table = await open_app(make_app_with_clock())
    await table.tap("Sealed bid", "rules")
    await turn_to_clock_page(table)
    await table.tap("clock of the table", "page on", "15 minutes per player, plus 10 s per turn", "Begin")
    assert table.app.controller.ticker.clocks
    assert faces(table) == ["15:00", "15:00"]


async def test_without_a_clock_there_is_no_pause(open_app: Any, make_app_with_clock: Any) -> None:
    """Who plays without a clock sees none and finds no pause sign in the bar."""
    table = await open_app(make_app_with_clock())
    await begin_game_with_clocks(table, "sealed_bid", "none")
    assert "pause" not in table.app.stage.screen.bar.icon_names
    assert faces(table) == ["", "", ""]


async def test_time_goes_on_the_strip_of_who_is_asked(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """The strip of who is asked counts down, the others show what they have; the game's in the heading."""
    table = await open_app(make_app_with_clock())
    await begin_egypt_auction(table, "Raise=20 answer, budget=5:00, game=1:00:00")
    await pass_time(table, seconds, 12.5)
    assert faces(table) == ["0:08", "5:00", "5:00"]
    assert table.app.stage.screen.heading.text == "Egypt · Round 1 · daughter 4 · game 59:48"
    check_all_texts_are_whole(table.widgets())


async def test_a_budget_waits_for_its_delay(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """The strip stands still for the delay and then counts down."""
    table = await open_app(make_app_with_clock())
    await begin_egypt_auction(table, "budget=5:00, delay=30")
    await pass_time(table, seconds, 29.5)
    assert faces(table) == ["5:00", "5:00", "5:00"]
    await pass_time(table, seconds, 5)
    assert faces(table) == ["4:56", "5:00", "5:00"]


async def test_a_delay_counts_for_which_clock_ends_first(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """A turn of 40 seconds ends before a budget of 20 that waits for 30."""
    table = await open_app(make_app_with_clock())
    await begin_egypt_auction(table, "budget=20, delay=30, turn=40")
    await pass_time(table, seconds, 9.5)
    assert faces(table) == ["0:31", "0:20", "0:20"]


async def test_a_time_that_all_share_is_large_beside_the_question(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """Everybody seals against one clock: its digits are 48 pixels high, as those of who alone is asked."""
    table = await open_app(make_app_with_clock())
    controller = await begin_game_with_clocks(table, "sealed_bid", "Together=20 answer, budget=5:00")
    await pass_time(table, seconds, 5)
    turn = table.app.stage.screen.question_banner
    assert (turn.clock_face.clock.display_text, turn.clock_face.digits_height) == ("0:15", 48)
    controller.seal_answer_in_envelope(controller.view.question_number, controller.view.seats[0], 7)
    await pass_time(table, seconds, 5)
    assert turn.clock_face.clock.display_text == "0:10"
    check_all_texts_are_whole(table.widgets())


async def test_times_of_their_own_stand_on_the_strips_alone(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """Where everybody's own time runs, none is the question's."""
    table = await open_app(make_app_with_clock())
    await begin_game_with_clocks(table, "sealed_bid", "budget=5:00")
    await pass_time(table, seconds, 5)
    assert faces(table) == ["4:55", "4:55", "4:55"]
    assert table.app.stage.screen.question_banner.clock_face.clock is None


async def test_a_pause_stops_the_clocks_until_somebody_answers(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """Paused by the sign in the bar, nothing runs; the sign that replaces it or an answer ends the pause."""
    table = await open_app(make_app_with_clock())
    controller = await begin_egypt_auction(table, "turn=1:00 ring")
    await table.tap("pause")
    await pass_time(table, seconds, 1000)
    assert faces(table) == ["1:00", "", ""]
    assert table.app.stage.screen.heading.text.endswith("clocks stopped")
    await table.tap("go on")
    await pass_time(table, seconds, 20)
    assert faces(table) == ["0:40", "", ""]
    await table.tap("pause")
    await pass_time(table, seconds, 1000)
    controller.answer_question(3, 1)
    await pass_time(table, seconds, 5)
    assert faces(table) == ["", "0:55", ""]


async def test_a_ring_is_seen(open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds) -> None:
    """Where silence only rings, a sentence says so, the question stays open, and the plate is red."""
    table = await open_app(make_app_with_clock())
    controller = await begin_egypt_auction(table, "turn=1:00 ring")
    await pass_time(table, seconds, 61)
    assert "Time is up, Aki." in table.texts()
    assert controller.view.question_number == 3
    assert [bool(dial.clock and dial.clock.is_time_up) for dial in dials(table)] == [True, False, False]
    check_all_texts_are_whole(table.widgets())
    from kivy.tests.common import UnitTestTouch

    assert type(table.app.stage.topmost_widget).__name__ == "TimeUpNotice"
    UnitTestTouch(400, 240).touch_down()
    assert not table.app.stage.has_overlay
    assert controller.view.question_number == 3


async def test_blinds_of_a_poker_tournament_rise_by_the_clock(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """After 20 minutes of play a sentence says how high they become; the button of the menu raises them."""
    table = await open_app(make_app_with_clock())
    controller = table.app.controller
    names, colours = ["Aki", "Ben"], ["orange", "sky"]
    assert controller.start_new_game("any_game", names, colours, {"template": "poker_tournament"})
    await pass_time(table, seconds, 600)
    await table.tap("pause")
    await pass_time(table, seconds, 5000)
    await table.tap("go on")
    await pass_time(table, seconds, 599)
    assert "blinds 0:01" in table.app.stage.screen.heading.text
    await pass_time(table, seconds, 2)
    text = "20 minutes are over. Raise the blinds to 50 and 100: “Blinds go up”."
    assert text in table.texts()
    number = controller.view.question_number
    answer_questions(controller, "blinds")
    await table.wait_frames()
    assert controller.view.question_number == number + 1
    assert "blinds 20:00" in table.app.stage.screen.heading.text


async def test_the_last_ten_seconds_are_red_and_heard(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """One tone as they begin, another at their end; the strip's digits stand where they stood."""
    table = await open_app(make_app_with_clock())
    await begin_egypt_auction(table, "turn=1:00 ring")
    await pass_time(table, seconds, 40)
    assert table.app.sounds.last_played != "ten_seconds"
    face = dials(table)[0].digits_box
    await pass_time(table, seconds, 11)
    assert table.app.sounds.last_played == "ten_seconds"
    assert dials(table)[0].clock.is_in_final_seconds
    assert dials(table)[0].digits_box == face
    table.app.sounds.last_played = None
    await pass_time(table, seconds, 5)
    assert table.app.sounds.last_played is None
    await pass_time(table, seconds, 5)
    assert table.app.sounds.last_played == "time_up"


async def test_a_game_opened_in_its_last_ten_seconds_is_silent(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """Whoever continues it hears nothing; the tone comes when the next turn has ten seconds left."""
    table = await open_app(make_app_with_clock())
    controller = await begin_egypt_auction(table, "turn=1:00 ring")
    await pass_time(table, seconds, 52)
    controller.leave_table()
    await table.wait_frames()
    table.app.sounds.last_played = None
    assert controller.resume_saved_game()
    await table.wait_frames()
    assert dials(table)[0].clock.is_in_final_seconds
    await pass_time(table, seconds, 1)
    assert table.app.sounds.last_played is None
    answer_questions(controller, 3)
    await pass_time(table, seconds, 52)
    assert table.app.sounds.last_played == "ten_seconds"


async def test_sounds_are_switched_off_with_one_touch(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """In the bar of the play screen; the next evening knows."""
    table = await open_app(make_app_with_clock())
    await begin_egypt_auction(table, "turn=1:00 ring")
    await table.tap("sound")
    table.app.sounds.last_played = None
    await pass_time(table, seconds, 61)
    assert table.app.sounds.last_played is None
    assert table.app.controller.settings.sound is False
    table.app.stage.topmost_widget.close()
    await table.wait_frames(1)
    await table.tap("muted")
    assert table.app.controller.settings.sound is True


async def test_silence_answers_and_a_late_press_is_dropped(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """After its time the clock answers; who presses later presses for a question that is gone."""
    table = await open_app(make_app_with_clock())
    controller = await begin_egypt_auction(table, "Raise=20 answer", 1)
    await pass_time(table, seconds, 20)
    assert (controller.view.question_number, controller.view.question.log_key) == (5, "Raise @3: chip 4")
    assert "Time is up, Ben." in table.texts()
    controller.answer_question(4, 7)
    assert controller.view.question_number == 5


async def test_silence_answers_behind_the_cover(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """Who holds the screen when time is up is answered for, and the cover goes; what is in stays in."""
    from tests.support.ui.sealing import is_sealed_answer_screen_open

    table = await open_app(make_app_with_clock())
    controller = await begin_game_with_clocks(table, "sealed_bid", "Together=60 answer")
    await seal_bid_by_touch(table, "Ben", 7)
    await table.tap("Aki", "Aki, take the screen", "3")
    assert is_sealed_answer_screen_open(table)
    await pass_time(table, seconds, 60)
    await table.wait_until(lambda: not is_sealed_answer_screen_open(table))
    told = controller.view.opened_envelopes
    assert {seat.name: bid for seat, bid in told.answers.items()} == {"Aki": 0, "Ben": 7, "Chie": 0}


async def test_a_game_waits_with_its_clocks_standing_still(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """Left and continued, the game has the time it had, and stands still until somebody answers."""
    table = await open_app(make_app_with_clock())
    controller = await begin_egypt_auction(table, "budget=5:00")
    await pass_time(table, seconds, 30)
    controller.leave_table()
    seconds.now += 1_000_000
    controller.resume_saved_game()
    await table.wait_frames()
    assert faces(table) == ["4:30", "5:00", "5:00"]
    assert controller.ticker.are_clocks_paused
    controller.answer_question(3, 1)
    await pass_time(table, seconds, 30)
    assert faces(table) == ["4:30", "4:30", "5:00"]


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LONG_WORDS)
async def test_clocks_fit_every_screen(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds, size: tuple[int, int], lang: str
) -> None:
    """With all clocks at once nothing is cut, and the list of clocks in set-up isn't either."""
    table = await open_app(make_app_with_clock(lang), size)
    await table.tap(render(playable_game("egypt").title, lang), "rules")
    await turn_to_clock_page(table)
    check_all_texts_are_whole(table.widgets())
    await table.tap("clock of the table")
    check_all_texts_are_whole(table.widgets())
    controller = await begin_game_with_clocks(
        table, "egypt", "game=3:00:00, turn=2:00:00, budget=1:30:00", ("Wilhelmina M", "Ben", "Chie")
    )
    answer_questions(controller, "1", True, 12)
    await pass_time(table, seconds, 3)
    assert faces(table)[1] == "1:29:57"
    check_all_texts_are_whole(table.widgets())
    await begin_game_with_clocks(
        table, "sealed_bid", "Together=2:00:00, budget=1:30:00", ("Wilhelmina M", "Ben", "Chie")
    )
    await pass_time(table, seconds, 3)
    assert table.app.stage.screen.question_banner.clock_face.clock.display_text == "1:59:57"
    check_all_texts_are_whole(table.widgets())


@pytest.mark.parametrize("clocks", ["none", "turn"])
async def test_the_bar_has_room_for_a_pause(open_app: Any, make_app_with_clock: Any, clocks: str) -> None:
    """All signs of the bar are on the window, one of them the pause where there is a clock."""
    from companion.clocks import parse_clocks

    table = await open_app(make_app_with_clock())
    controller = table.app.controller
    assert controller.start_new_game("oyakata", ("Aki", "Ben"), ("orange", "sky"), {}, parse_clocks(clocks))
    await table.wait_frames(6)
    bar = table.app.stage.screen.bar
    assert ("pause" in bar.keys) == (clocks == "turn")
    tops = [key.to_window(0, key.top)[1] for key in bar.keys.values()]
    lows = [key.to_window(0, key.y)[1] for key in bar.keys.values()]
    assert max(tops) <= 480
    assert min(lows) >= 0


async def test_a_lot_goes_once_and_twice(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """In the last ten seconds of the only player who can still bid more, if time answers for them."""
    table = await open_app(make_app_with_clock())
    controller = await begin_egypt_auction(table, "Raise=20 answer", 3)
    await table.wait_frames()

    def caption() -> str:
        return str(table.app.stage.screen.question_widget.pad.highest_bid_panel.caption)

    await pass_time(table, seconds, 12)
    assert caption() == "Top bid"  # Chie may bid too
    answer_questions(controller, None)
    await table.wait_frames()
    said = []
    for duration in (9, 2, 3, 3):
        await pass_time(table, seconds, duration)
        said.append(caption())
    assert said == ["Top bid", "Going once", "Going once", "Going twice"]
    answer_questions(controller, 4)
    await table.wait_frames()
    assert caption() == "Top bid"
