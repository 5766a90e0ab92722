"""Home and set-up, by touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.languages import languages
from companion.table.seats import COLOURS
from tests.ui.shelf import SIZES, PaperShelf, paper_app
from ui.evening.boxes import Begin


@pytest.fixture
def shelf() -> PaperShelf:
    """Two boxes and no open game."""
    return PaperShelf()


@pytest.fixture
async def home(open_table: Any, shelf: PaperShelf) -> Any:
    """The app on its first screen, in English at 800×480."""
    return await open_table(paper_app(shelf))


async def test_a_game_begins_with_the_names_typed_and_the_options_left_alone(
    home: Any, shelf: PaperShelf
) -> None:
    """From home to a begun game by touch alone."""
    await home.tap("Egypt", "Player 1", "A", "k", "i", "done")
    await home.tap("4", "Next", "Begin")
    names = ("Aki", "Player 2", "Player 3", "Player 4")
    colours = ("orange", "sky", "green", "vermilion")
    guests = (("Aki", "orange"), *(("", colour) for colour in COLOURS[1:]))
    assert [Begin("egypt", names, colours, {"pay_rule": "own_bid"}, guests)] == shelf.heard


async def test_options_can_be_chosen_typed_and_taken_away(home: Any, shelf: PaperShelf) -> None:
    """A pick takes one touch; a number is typed; a way out names no number."""
    await home.tap("Sealed bid", "Next", "Winning bid", "start", "4", "0", "confirm")
    await home.tap("most", "clear", "5", "confirm", "Begin")
    assert shelf.heard[0].options == {"pay_rule": "winning_bid", "start": 40, "most": 5, "ties": "again"}  # type: ignore[attr-defined]  # a Begin


async def test_three_choices_are_a_list(home: Any, shelf: PaperShelf) -> None:
    """The key says what is chosen now, and leads to every choice under the option's name."""
    await home.tap("Sealed bid", "Next", "page on", "Bid again")
    assert {"Ties", "Bid again", "The first", "Nobody wins it"} <= set(home.texts())
    await home.tap("Nobody wins it")
    assert "Bid again" not in home.texts()
    await home.tap("Begin")
    assert shelf.heard[0].options["ties"] == "nobody"  # type: ignore[attr-defined]  # a Begin


async def test_who_played_together_lately_sits_down_at_once(home: Any, shelf: PaperShelf) -> None:
    """A touch takes a whole group with its pieces; one too large or small for the box is not offered."""
    crowd = [("Emi", "sky"), ("Dai", "purple"), ("Chie", "green"), ("Ben", "orange"), ("Aki", "vermilion")]
    shelf.lately = [crowd, crowd[:2]]
    await home.tap("Egypt", "groups")
    assert "group 1" not in [getattr(widget, "name", "") for widget in home.widgets()]
    await home.tap("Emi, Dai, Chie, Ben, Aki")
    await home.tap("Next", "Begin")
    begin = shelf.heard[0]
    assert isinstance(begin, Begin)
    assert list(zip(begin.names, begin.colours, strict=True)) == crowd


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
    """The draft is no text, so it outlives a switch."""
    await home.tap("Egypt", "Player 2", "B", "e", "n", "done", "4")
    home.app.lang = "ja"
    await home.frames()
    assert {"Ben", "プレイヤー1", "次へ"} <= set(home.texts())


async def test_two_seats_with_one_name_cannot_go_on(home: Any) -> None:
    """The screen says which name is there twice and waits."""
    await home.tap("Egypt", "Player 1", "A", "done", "Player 2", "A", "done", "Next")
    assert "Two players are called A. Change one of the names." in home.texts()
    assert "Begin" not in home.texts()


async def test_a_taken_piece_is_swapped(home: Any, shelf: PaperShelf) -> None:
    """Colours stay different: who had it gets the other one."""
    await home.tap("Egypt", "colour", "purple", "Next", "Begin")
    begin = shelf.heard[0]
    assert isinstance(begin, Begin)
    assert len(set(begin.colours)) == 3
    assert "purple" in begin.colours


async def test_the_open_game_is_continued_with_one_touch(open_table: Any) -> None:
    """Home names the open game and who plays it."""
    shelf = PaperShelf(open_game=True)
    table = await open_table(paper_app(shelf))
    assert {"Aki", "Ben", "ちえ"} <= set(table.texts())
    await table.tap("Continue", "Demo table")
    assert shelf.heard == ["resume 7", "demo"]


async def test_a_press_is_seen_in_the_next_frame(home: Any, tmp_path: Path) -> None:
    """The pixels of a key change one frame after the finger came down, and back after it left."""
    await home.tap("Egypt")
    before = (await home.photograph(tmp_path / "before.png")).read_bytes()
    touch = home.press("Next")
    await home.frames(1)
    assert home.find("Next").state == "down"
    pressed = (await home.photograph(tmp_path / "pressed.png")).read_bytes()
    assert before != pressed
    touch.touch_up()


@pytest.mark.parametrize("size", SIZES)
async def test_every_target_is_large_enough_and_on_the_screen(open_table: Any, size: tuple[int, int]) -> None:
    """64 pixels at 800×480, elsewhere as the theme says; nothing to press hangs over the edge."""
    from kivy.uix.behaviors import ButtonBehavior

    table = await open_table(paper_app(PaperShelf(open_game=True)), size)
    from ui import theme

    least = theme.length.target - 0.5
    for steps in ([], ["Sealed bid"], ["5", "Player 1"], ["hiragana"], ["Cancel", "colour"]):
        await table.tap(*steps)
        await table.frames()
        for key in (each for each in table.widgets() if isinstance(each, ButtonBehavior)):
            assert min(key.size) >= least, (key, key.text, key.size)
            x, y = key.to_window(*key.pos)
            assert x >= 0 <= y
            assert x + key.width <= size[0] + 0.5
            assert y + key.height <= size[1] + 0.5
