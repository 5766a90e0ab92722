"""A lot whose price falls, on the real window: by the clock, until somebody's key is touched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.clocks import parse_clocks
from companion.games.any_game.rulebook import GAME
from companion.languages import languages
from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR
from companion.table.seats import SEAT_COLOURS
from tests.support.games.any_game_helpers import COIN_CARD, rules_card
from tests.support.long_names import PEOPLE
from tests.support.ui.app_helpers import NAMES, answer_questions
from tests.support.ui.clock_helpers import ManualSeconds, pass_time
from tests.support.ui.text_checks import check_all_texts_are_whole
from tests.ui.test_play import check_all, in_window

PLANS = [
    *((size, plan) for plan in ("", "flat") for size in ((1280, 720), (720, 1280), (1920, 1080))),
    ((800, 480), ""),
]


@pytest.fixture
def falls(tmp_path: Path) -> None:
    """A template whose lots fall by 15 down to 20."""
    deck = "\n".join(
        f"[[card]]\n{card}" for card in (COIN_CARD, rules_card(auction="falling", step=15, reserve=20))
    )
    (tmp_path / "state/templates").mkdir(parents=True)
    (tmp_path / "state/templates/falling.toml").write_text(deck, encoding="utf-8")


def prices(table: Any) -> list[Any]:
    """Where the price stands."""
    from ui.widgets.seats.clock_face import FallingPriceDisplay

    return [one for one in table.widgets() if isinstance(one, FallingPriceDisplay) and one.width > 1]


@pytest.mark.usefixtures("falls")
async def test_a_price_falls_until_a_key_is_touched(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds, without_motion: None
) -> None:
    """Each price stands for its seconds; who can't pay is told why; the first touch has the lot."""
    table = await open_app(make_app_with_clock())
    controller = table.app.controller
    controller.start_new_game(
        GAME.key, NAMES, SEAT_COLOURS, {"template": "falling"}, parse_clocks("price=4 answer")
    )
    answer_questions(controller, "auction", 110)
    await table.wait_frames()
    assert "Who takes lot 1 for 110?" in table.texts()
    assert [one.visible_texts for one in prices(table)] == [["110", "0:04", "then 95"]]
    await table.tap("Aki")
    assert any("Aki can't pay 110." in text for text in table.texts())
    await pass_time(table, seconds, 4.5)
    assert "Who takes lot 1 for 95?" in table.texts()
    check_all_texts_are_whole(table.widgets())
    await table.tap("Ben")
    assert controller.evening.table.ledger.find_account_by_keys("Ben/purse", "coin").count == 5


@pytest.mark.usefixtures("falls")
@pytest.mark.parametrize("clock", ["", "price=4 answer"])
async def test_the_last_price_is_said_to_be_the_last(
    open_app: Any, make_app_with_clock: Any, clock: str, without_motion: None
) -> None:
    """What it falls to next stands beside it, at the end that it falls no further; nothing moves by it."""
    table = await open_app(make_app_with_clock())
    controller = table.app.controller
    controller.start_new_game(GAME.key, NAMES, SEAT_COLOURS, {"template": "falling"}, parse_clocks(clock))
    answer_questions(controller, "auction", 35)
    await table.wait_frames()
    (before,) = prices(table)
    spot, digits = before.pos, before.largest_digits_size(*before.size)
    assert before.visible_texts[-1] == "then 20"
    answer_questions(controller, "pass")
    await table.wait_frames()
    (after,) = prices(table)
    assert (after.visible_texts[0], after.visible_texts[-1]) == ("20", "last price")
    assert (after.pos, after.largest_digits_size(*after.size)) == (spot, digits)


@pytest.mark.usefixtures("falls")
@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("people", [2, 5, 8, 12])
@pytest.mark.parametrize(("size", "plan"), PLANS)
@pytest.mark.sweep(2)
async def test_a_price_is_the_largest_thing_on_the_screen(
    open_app: Any, make_app_with_clock: Any, size: tuple[int, int], plan: str, people: int, lang: str
) -> None:
    """It is read across the table, on a panel that lies flat from both long sides, and hides no key."""
    from ui import theme

    table = await open_app(make_app_with_clock(lang=lang), size)
    controller = table.app.controller
    names, colours = PEOPLE[lang][:people], list(SIGN_BY_SEAT_COLOUR)[:people]
    controller.start_new_game(
        GAME.key, names, colours, {"template": "falling"}, parse_clocks("price=4 answer")
    )
    answer_questions(controller, "auction", 95)
    play = table.app.stage.screen
    play.layout_name = plan
    await table.wait_frames(4)
    check_all(table, size)
    shown = prices(table)
    assert len(shown) == (2 if plan == "flat" else 1)
    for one in shown:
        assert one.largest_digits_size(*one.size) >= theme.length.number
        assert [one.visible_texts[0], one.visible_texts[1]] == ["95", "0:04"]
    on_this_page = [*table.widgets()]
    keys = [key for key in play.question_widget.keys.values() if key in on_this_page]
    assert keys
    for key in keys:
        left, low, right, high = in_window(key)
        assert min(right - left, high - low) >= theme.length.target - 1
