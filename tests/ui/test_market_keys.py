"""Cards of a market are chosen where they lie: the market is shown once, and a touch on a card chooses it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.rules.scene_views import CardSpreadView
from tests.support.ui.app_helpers import NAMES, answer_questions
from tests.ui.test_play import check_all

pytestmark = pytest.mark.usefixtures("without_motion")
COLOURS = ["orange", "sky", "green"]


async def begin(open_app: Any, tmp_path: Any, game: str, kind: str, size: tuple[int, int]) -> Any:
    """A table of three, played at random until a question with this name."""
    from tests.support.ui.app_helpers import make_test_app

    table = await open_app(make_test_app(tmp_path / "state"), size)
    table.app.controller.start_new_game(game, NAMES, COLOURS, {})
    controller, rng = table.app.controller, Random(1)
    while kind not in controller.view.question.log_key:
        number, question = controller.view.question_number, controller.view.question
        if question.is_sealed:
            for seat, part in list(question.parts_by_seat.items()):
                answer = part.answer_to_json(part.random_legal_answer(rng))
                controller.seal_answer_in_envelope(number, seat, answer)
        else:
            answer_questions(controller, question.answer_to_json(question.random_legal_answer(rng)))
    await table.wait_until(lambda: type(table.app.stage.screen).__name__ == "PlayScreen")
    await table.wait_frames()
    return table


def market_in_middle(table: Any) -> list[CardSpreadView]:
    """The cards of a row that are shown in the middle."""
    parts = table.app.stage.screen.middle.parts
    return [part for part in parts if isinstance(part, CardSpreadView) and not part.is_empty]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800)])
async def test_the_market_is_the_keys(open_app: Any, tmp_path: Any, size: tuple[int, int]) -> None:
    """Each card is a key with its number, its price and the coins on it, and isn't shown in the middle."""
    table = await begin(open_app, tmp_path, "mammon", "Survey a first", size)
    check_all(table, size)
    assert not market_in_middle(table)
    keys = table.app.stage.screen.question_widget.keys
    assert [key.text for key in keys.values()] == [str(number) for number in range(1, len(keys) + 1)]
    third = list(keys)[2]
    answer_questions(table.app.controller, third)
    await table.wait_frames()
    key = table.app.stage.screen.question_widget.keys[third]
    assert [count for _piece, count in key.counted_pieces] == [1]
    assert key.looks_disabled
    answer_questions(table.app.controller, list(keys)[4])
    await table.wait_frames()
    await table.tap(keys[list(keys)[3]].text)
    assert table.app.evening.current_session.steps[-1].answer == list(keys)[3]


async def test_the_market_lies_in_the_middle_while_no_card_is_chosen(open_app: Any, tmp_path: Any) -> None:
    """Only a question that chooses one of its cards takes it away."""
    table = await begin(open_app, tmp_path, "mammon", "Start wager", (800, 480))
    assert market_in_middle(table)


async def test_a_card_that_costs_too_much_stays_in_the_row(open_app: Any, tmp_path: Any) -> None:
    """It says so, instead of lying apart from the cards that can be bought."""
    table = await begin(open_app, tmp_path, "mammon", "Survey a first", (800, 480))
    session = table.app.evening.current_session
    seat = session.question.seat
    coin = f"{seat.colour} coin"
    session.correct(f"@{seat.number}/treasury", "bank", coin, 14, "gone")
    first, second = list(session.question.options)[:2]
    answer_questions(table.app.controller, first, second)
    await table.wait_frames()
    keys = table.app.stage.screen.question_widget.keys
    assert [key.looks_disabled for key in keys.values()].count(False) < len(keys)
    assert {key.reason for key in keys.values()} == {"", "Too dear."}
    assert not market_in_middle(table)


async def test_a_card_in_the_middle_is_touched_to_choose_it(open_app: Any, tmp_path: Any) -> None:
    """A project of Bidders! shows more than a key can, so it stays there, and a touch on it bids on it."""
    from kivy.tests.common import UnitTestTouch

    table = await begin(open_app, tmp_path, "bidders", "bid on a card", (800, 480))
    middle = table.app.stage.screen.middle
    question = table.app.controller.view.question
    place = question.options["white"].place
    left, low, width, height = middle.box_of_place(place)
    touch = UnitTestTouch(*middle.to_window(left + width / 4, low + height / 3))
    touch.touch_down()
    await table.wait_frames(1)
    touch.touch_up()
    await table.wait_frames()
    assert table.app.evening.current_session.steps[-1].answer == "white"
