"""Who plays is entered in one go: names on the keyboard one after the other, known players by a touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.soak import SOAK
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_faults import find_faults

pytestmark = pytest.mark.usefixtures("without_motion")
REGULARS = [["Aki", "purple"], ["Ben", "sky"], ["Cleo", "green"], ["Dai", "rose"]]
MAX_TOUCHES_FOR_STRANGERS, MAX_TOUCHES_FOR_A_GUEST = 22, 8
"""The most touches from home to the first question of Egypt: four strangers, and one guest among regulars."""
LOOKS = [((800, 480), "de"), ((480, 800), "ja")]
MORE_LOOKS = [
    (size, lang)
    for size in ((800, 480), (480, 800), (1280, 720), (720, 1280), (1920, 1080))
    for lang in ("en", "ja", "de")
]


async def tap_and_count(table: Any, *touches: str) -> int:
    """Touches these keys, and returns how many touches that were."""
    await table.tap(*touches)
    return len(touches)


def players(table: Any) -> list[tuple[str, str]]:
    """Names and colours of the players of the game on the table."""
    return [(seat.name, seat.colour) for seat in table.app.controller.view.seats]


async def test_four_strangers_are_at_the_first_question_in_22_touches(home: Any) -> None:
    """Done on the keyboard asks for the next name; after the last one the game can begin."""
    names = [[*"Aki"], [*"Ben"], [*"Cleo"], [*"Dai"]]
    typed = [touch for letters in names for touch in (*letters, "done")]
    touches = await tap_and_count(home, "Egypt", "4", "Player 1", *typed, "Begin")
    assert touches <= MAX_TOUCHES_FOR_STRANGERS
    assert [name for name, _ in players(home)] == ["Aki", "Ben", "Cleo", "Dai"]
    assert home.app.controller.view.question_number == 1


async def test_a_guest_among_regulars_is_at_the_first_question_in_8_touches(home: Any) -> None:
    """The number of players is that of last time, and a letter takes the place of an old name."""
    home.app.controller.remember_value("people", REGULARS)
    home.app.controller.remember_value("player count", 4)
    touches = await tap_and_count(home, "Egypt", "Dai", *"Eve", "done", "Begin")
    assert touches <= MAX_TOUCHES_FOR_A_GUEST
    assert players(home) == [("Aki", "purple"), ("Ben", "sky"), ("Cleo", "green"), ("Eve", "rose")]


async def test_who_played_before_is_a_token_with_the_piece_of_last_time(home: Any) -> None:
    """The latest come first; a letter leaves those that begin with it; a touch goes on to the next seat."""
    home.app.controller.remember_value("known players", REGULARS)
    await home.tap("Egypt", "Player 1")
    assert known(home) == ["Aki", "Ben", "Cleo", "Dai"]
    await home.tap("known Dai")
    assert known(home) == ["Aki", "Ben", "Cleo"]
    await home.tap("C")
    assert known(home) == ["Cleo"]
    await home.tap("known Cleo", *"Eve", "done", "Begin")
    assert players(home) == [("Dai", "rose"), ("Cleo", "green"), ("Eve", "sky")]
    assert home.app.controller.load_remembered_value("known players") == [
        ["Dai", "rose"],
        ["Cleo", "green"],
        ["Eve", "sky"],
        ["Aki", "purple"],
        ["Ben", "sky"],
    ]


def known(table: Any) -> list[str]:
    """The known players on the keyboard, from left to right."""
    names = [getattr(widget, "name", "") for widget in table.widgets()]
    return [name.removeprefix("known ") for name in reversed(names) if name.startswith("known ")]


async def test_a_piece_is_not_taken_from_a_player_with_a_name(home: Any) -> None:
    """Who sits there already keeps it; a typed name gets the piece of last time as a touched one does."""
    home.app.controller.remember_value("known players", [["Aki", "orange"], ["Ben", "orange"]])
    await home.tap("Egypt", "Player 2", *"Ben", "done", "known Aki", "Close")
    assert home.app.stage.screen.people_page.people[1] == ("Ben", "orange")
    names = dict(home.app.stage.screen.people_page.people)
    assert names["Aki"] != "orange"


async def test_the_number_of_players_fits_the_game(home: Any) -> None:
    """Twelve of last time are five in Egypt."""
    home.app.controller.remember_value("player count", 12)
    await home.tap("Egypt")
    assert home.app.stage.screen.seating.size == 5


async def test_closing_the_keyboard_keeps_the_names_so_far(home: Any) -> None:
    """The seats left have numbers; deleting letters of an old name keeps its beginning."""
    await home.tap(
        "Egypt", "Player 1", *"Aki", "done", "Close", "Aki", "delete", "a", "done", "Close", "Begin"
    )
    assert [name for name, _ in players(home)] == ["Aka", "Player 2", "Player 3"]


@pytest.mark.parametrize(("size", "lang"), MORE_LOOKS if SOAK else LOOKS, ids=str)
async def test_nothing_is_wrong_with_the_keyboard_of_known_players(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """Names of twenty letters are whole or end in dots, and all keys have their size."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    names = ["あき", "べん", "ちえ", "ウォルフガング・アマデウス", "だい", "えみ", "ふみ", "じろう"]
    table.app.controller.remember_value(
        "known players", [[name, "orange"] for name in (names if lang == "ja" else [*"ABCDEFG", "W" * 20])]
    )
    table.app.open_game_setup("egypt")
    await table.wait_frames()
    await table.tap(table.app.tr("Player {n}", n=2))
    await table.wait_frames()
    faults = find_faults(table, size)
    assert not faults, "\n".join(faults)
