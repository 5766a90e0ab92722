"""Home and set-up, by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.languages import languages
from companion.table.seats import SEAT_COLOURS
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_sizes import SIZES


def begun(home: Any) -> Any:
    """What the game on the table began with."""
    return home.app.evening.current_session.began


async def turn_to(home: Any, name: str) -> None:
    """Turns the pages of the rules until the key of that name is there, then touches it."""
    while name not in [getattr(widget, "name", "") for widget in home.widgets()]:
        await home.tap("page on")
    await home.tap(name)


async def test_a_game_begins_with_the_names_typed_and_the_options_left_alone(home: Any) -> None:
    """From home to a begun game by touch alone; who sat there is remembered, with the names typed."""
    await home.tap("Egypt", "Player 1", "A", "k", "i", "done", "Close")
    await home.tap("4", "Begin")
    began = begun(home)
    assert (began.game, began.options) == ("egypt", {"pay_rule": "own_bid"})
    assert [*began.names] == ["Aki", "Player 2", "Player 3", "Player 4"]
    assert [*began.colours] == ["orange", "sky", "green", "vermilion"]
    remembered = [["Aki", "orange"], *(["", colour] for colour in SEAT_COLOURS[1:])]
    assert home.app.controller.load_remembered_value("people") == remembered


async def test_options_can_be_chosen_typed_and_taken_away(home: Any) -> None:
    """A pick takes one touch; a number is typed; a way out names no number."""
    await home.tap("Sealed bid", "rules")
    await turn_to(home, "start")
    await home.tap("4", "0", "confirm")
    await turn_to(home, "most")
    await home.tap("5", "confirm", "most", "None")
    await turn_to(home, "wins lowest")
    await home.tap("Begin")
    options = begun(home).options
    assert {key: options[key] for key in ("start", "most", "wins")} == {
        "start": 40,
        "most": None,
        "wins": "lowest",
    }


async def test_three_choices_are_a_list(home: Any) -> None:
    """The key says what is chosen now, and leads to every choice under the option's name."""
    await home.tap("Sealed bid", "rules")
    await turn_to(home, "pays")
    assert {"Who pays", "the winner", "everybody", "nobody"} <= set(home.texts())
    await home.tap("everybody")
    assert "the winner" not in home.texts()
    await home.tap("Begin")
    assert begun(home).options["pays"] == "all"


async def test_who_played_together_lately_sits_down_at_once(home: Any) -> None:
    """A touch takes a whole group with its pieces; one too large or small for the game is not offered."""
    crowd = [("Emi", "sky"), ("Dai", "purple"), ("Chie", "green"), ("Ben", "orange"), ("Aki", "vermilion")]
    home.app.controller.remember_value("groups", [crowd, crowd[:2]])
    await home.tap("Egypt", "groups")
    assert "group 1" not in [getattr(widget, "name", "") for widget in home.widgets()]
    await home.tap("Emi, Dai, Chie, Ben, Aki")
    await home.tap("Begin")
    began = begun(home)
    assert list(zip(began.names, began.colours, strict=True)) == crowd


async def test_where_nobody_played_together_no_groups_are_offered(home: Any) -> None:
    """The first evening has no others."""
    await home.tap("Egypt")
    assert "Recent players" not in home.texts()


async def test_the_language_changes_at_once_and_back(home: Any) -> None:
    """A key opens the list of languages, each by its own name; a touch on one changes every word on home."""
    await home.tap("language")
    assert {one.name for one in languages().values()} <= set(home.texts())
    await home.tap("日本語")
    assert {"エジプトの人買い", "テーブルメイト"} <= set(home.texts())
    assert not {"Egypt", "Companion"} & set(home.texts())
    await home.tap("language", "English")
    assert {"Egypt", "Companion"} <= set(home.texts())


async def test_set_up_keeps_what_was_typed_when_the_language_changes(home: Any) -> None:
    """The draft is no text, so it outlives a switch; the options are read in the other language."""
    await home.tap("Egypt", "Player 2", "B", "e", "n", "done", "Close", "4")
    home.app.lang = "ja"
    await home.wait_frames()
    assert {"Ben", "プレイヤー1", "始める"} <= set(home.texts())
    await home.tap("rules")
    assert {"支払い", "時計"} & set(home.texts())
    home.app.lang = "en"
    await home.wait_frames()
    assert {"Payment", "No clock"} <= set(home.texts())


async def test_two_seats_with_one_name_cannot_go_on(home: Any) -> None:
    """The screen says which name is there twice and waits."""
    await home.tap("Egypt", "Player 1", "A", "done", "A", "done", "Close", "rules")
    assert "Two players are called A. Change one of the names." in home.texts()
    assert "Equal totals" not in home.texts()
    assert home.find("begin").disabled


async def test_a_taken_piece_is_swapped(home: Any) -> None:
    """Colours stay different: who had it gets the other one."""
    await home.tap("Egypt", "colour", "purple", "Begin")
    colours = begun(home).colours
    assert len(set(colours)) == 3
    assert "purple" in colours


async def test_the_open_game_is_continued_with_one_touch(open_app: Any, tmp_path: Path) -> None:
    """Home names the open game and who plays it."""
    table = await open_app(make_test_app(tmp_path / "state"))
    table.app.controller.start_new_game("egypt", ["Aki", "Ben", "ちえ"], SEAT_COLOURS[:3], {})
    table.app.controller.leave_table()
    await table.wait_frames()
    assert {"Aki", "Ben", "ちえ"} <= set(table.texts())
    await table.tap("Continue")
    assert begun(table).game == "egypt"


async def test_a_press_is_seen_in_the_next_frame(home: Any, tmp_path: Path) -> None:
    """The pixels of a key change one frame after the finger came down, and back after it left."""
    await home.tap("Egypt")
    before = (await home.take_screenshot(tmp_path / "before.png")).read_bytes()
    touch = home.press("Begin")
    await home.wait_frames(1)
    key = home.find("Begin")
    assert key.state == "down"
    assert (await home.take_screenshot(tmp_path / "pressed.png")).read_bytes() != before
    touch.touch_move(0, 0)  # where it comes up, it presses nothing
    touch.touch_up()
    await home.wait_frames(1)
    assert key.state == "normal"
    assert (await home.take_screenshot(tmp_path / "after.png")).read_bytes() == before


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", SIZES)
async def test_every_target_is_large_enough_and_on_the_screen(
    open_app: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    """64 pixels at 800×480, elsewhere as the theme says; nothing to press hangs over the edge."""
    from kivy.uix.behaviors import ButtonBehavior

    table = await open_app(make_test_app(tmp_path / "state"), size)
    table.app.controller.start_new_game("egypt", ["Aki", "Ben", "ちえ"], SEAT_COLOURS[:3], {})
    table.app.controller.leave_table()
    from ui import theme

    least = theme.length.target - 0.5
    for steps in ([], ["Egypt"], ["5", "Player 1"], ["hiragana"], ["Close", "colour"]):
        await table.tap(*steps)
        await table.wait_frames()
        for key in (each for each in table.widgets() if isinstance(each, ButtonBehavior)):
            assert min(key.size) >= least, (key, key.text, key.size)
            x, y = key.to_window(*key.pos)
            assert x >= 0 <= y
            assert x + key.width <= size[0] + 0.5
            assert y + key.height <= size[1] + 0.5
