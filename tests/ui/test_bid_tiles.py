"""Bids with numbered tiles on the real window: the tiles can be read, and the pad offers only one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.any_game.rulebook import GAME
from companion.languages import languages
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR
from companion.table.seats import SEAT_COLOURS
from tests.support.games.any_game_helpers import rules_card, template_card
from tests.support.long_names import PEOPLE
from tests.support.ui.app_helpers import NAMES, answer_questions
from tests.ui.test_play import check_all

PLANS = [
    *((size, plan) for plan in ("", "flat") for size in ((1280, 720), (720, 1280), (1920, 1080))),
    ((800, 480), ""),
]
TILES = {
    "dealt": "tiles = [13, 8, 5, 2, 12, 9, 6, 3, 11, 10, 7, 4, 1]",
    "each": "tiles = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]",
    "shared": f"tiles = {[*range(1, 31)]}",
}


def tiles_template(word: str) -> str:
    """The text of a template in which people bid with tiles that they own in that way."""
    said, points = rules_card(auction="once", bid_with=word), template_card("category", "points")
    return f"[board]\n{TILES[word]}\n\n[[card]]\n{said}\n\n[[card]]\n{points}"


@pytest.fixture
def tiled(tmp_path: Path) -> None:
    """A template for each way to own tiles: Ra's suns, Raj's cards and For Sale's properties."""
    (tmp_path / "state/templates").mkdir(parents=True)
    for word in TILES:
        (tmp_path / f"state/templates/{word}.toml").write_text(tiles_template(word), encoding="utf-8")


@pytest.mark.usefixtures("tiled")
async def test_a_sun_is_bid_by_touch_and_swapped(
    open_app: Any, make_app_with_clock: Any, without_motion: None
) -> None:
    """The lowest sun is offered; after Aki's 8 Ben's next one is 9. The winner's lies in the middle (Ra)."""
    table = await open_app(make_app_with_clock())
    controller = table.app.controller
    controller.start_new_game(GAME.key, NAMES, SEAT_COLOURS, {"template": "dealt"})
    answer_questions(controller, "auction")
    await table.wait_frames()
    assert table.find("confirm").text == "Bid\n2"
    await table.tap("8", "confirm")
    assert table.find("confirm").text == "Bid\n9"
    await table.tap("confirm", "way out")
    assert controller.evening.table.ledger.find_account_by_keys("bid tiles", "bid tile 9").count == 1


@pytest.mark.usefixtures("tiled")
@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("people", [2, 5, 12])
@pytest.mark.parametrize("word", TILES)
@pytest.mark.parametrize("shape", PLANS)
@pytest.mark.sweep(1)
async def test_tiles_leave_room_for_every_key(
    open_app: Any,
    make_app_with_clock: Any,
    shape: tuple[tuple[int, int], str],
    word: str,
    people: int,
    lang: str,
) -> None:
    """Texts are whole, and keys large and apart, with up to thirty tiles and twelve players."""
    size, plan = shape
    table = await open_app(make_app_with_clock(lang=lang), size)
    controller = table.app.controller
    names, colours = PEOPLE[lang][:people], list(SIGN_BY_SEAT_COLOUR)[:people]
    controller.start_new_game(GAME.key, names, colours, {"template": word})
    answer_questions(controller, "auction")
    table.app.stage.screen.layout_name = plan
    await table.wait_frames(4)
    check_all(table, size)


@pytest.mark.parametrize(
    ("numbers", "runs"),
    [([], []), ([7], ["7"]), ([2, 1], ["1", "2"]), ([9, 1, 2, 3, 7, 12, 10, 11], ["1–3", "7", "9–12"])],
)
def test_tiles_of_consecutive_numbers_are_written_as_runs(
    kivy_window: Any, numbers: list[int], runs: list[str]
) -> None:
    """From three on, where panels have little height."""
    from ui.widgets.pieces.worded import find_number_runs

    assert find_number_runs(numbers) == runs
