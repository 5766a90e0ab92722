"""What only one person may see: under the hand, while it is held, and nowhere a frame later."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.errors import PrivateRefusal
from companion.texts import say
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app

pytestmark = pytest.mark.usefixtures("without_motion")
Trace = list[tuple[list[str], bytes]]


def hand_of(table: Any) -> Any:
    """The cover with the hand."""
    from ui.widgets.seats.private_view import PrivateView

    return next((widget for widget in table.widgets() if isinstance(widget, PrivateView)), None)


async def ended(table: Any) -> None:
    """The app is over, and its window empty."""
    table.app.stop()
    await table.running
    for left in table.window.children[:]:
        table.window.remove_widget(left)


def hold(table: Any) -> Any:
    """A finger on the hand; the touch is returned."""
    from kivy.tests.common import UnitTestTouch

    x, y, width, height = hand_of(table)._spot
    touch = UnitTestTouch(x + width / 2, y + height / 2)
    touch.touch_down()
    return touch


@pytest.fixture
def with_cash(open_app: Any, tmp_path: Path) -> Callable[..., Any]:
    """High Bid, where Ben has so much more than the rules gave him, as no rule makes it."""

    async def start(more: int) -> Any:
        table = await open_app(make_test_app(tmp_path / str(more), lang="en"))
        controller = table.app.controller
        controller.start_new_game("high_bid", NAMES, COLOURS, {})
        ledger = controller.evening.table.ledger
        ledger.supply_from_box(ledger.find_account_by_keys("Ben/purse", "dollar"), more)
        ledger.supply_from_box(ledger.find_account_by_keys("bank", "dollar"), -more)
        await table.wait_frames()
        return table

    return start


async def test_a_seat_sees_its_own_cash_while_the_hand_is_held(with_cash: Any) -> None:
    """Whose it is, how much and where; let go, it is gone from the widgets before another frame."""
    table = await with_cash(7)
    cash = f"${table.app.evening.table.ledger.find_account_by_keys('Ben/purse', 'dollar').count}"
    await table.tap("before Ben", "private")
    assert cash not in table.texts()
    touch = hold(table)
    sheet = [label.text for label in hand_of(table)._secret.walk() if getattr(label, "text", "")]
    assert ["Ben", "your purse", cash] == sheet[:3]
    touch.touch_up()
    assert cash not in table.texts()
    await table.tap("close")
    assert hand_of(table) is None


@pytest.mark.sweep(2)
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280), (480, 480)])
async def test_the_key_that_closes_lies_beside_the_hand(home: Any, size: tuple[int, int]) -> None:
    """Upright too: a key under the hand would leave no way back."""
    home.window.size = size
    home.app.controller.start_new_game("high_bid", NAMES, COLOURS, {})
    await home.wait_frames()
    home.app.table_flow.menu.show_covered_pieces_privately(home.app.controller.view.seats[1])
    await home.wait_frames()
    x, _, width, _ = hand_of(home)._spot
    assert x >= 0
    assert x + width <= hand_of(home).close_key.x
    await home.tap("close")
    assert hand_of(home) is None


async def test_a_hand_that_slides_away_has_let_go(with_cash: Any) -> None:
    """And so has one whose cover is taken away."""
    table = await with_cash(7)
    cash = f"${table.app.evening.table.ledger.find_account_by_keys('Ben/purse', 'dollar').count}"
    await table.tap("before Ben", "private")
    touch = hold(table)
    touch.touch_move(table.window.width - 1, table.window.height - 1)
    assert cash not in table.texts()
    touch = hold(table)
    hand = hand_of(table)
    hand.close()
    assert hand._secret is None
    assert cash not in table.texts()


async def test_name_and_money_are_in_the_middle_of_the_slip(with_cash: Any) -> None:
    """They are one block, as far from the left edge as from the right one, and from the top as from below."""
    from tests.support.ui.text_checks import ink_box_in_window

    table = await with_cash(7)
    await table.tap("before Ben", "private")
    touch, hand = hold(table), hand_of(table)
    await table.wait_frames(4)
    secret = hand._secret
    labels = [label for label in secret.walk() if getattr(label, "text", "")]
    owner, *holdings = map(ink_box_in_window, labels)
    lowest = min(box[1] for box in holdings)
    assert abs((owner[3] + lowest) / 2 - secret.center_y) < secret.height * 0.1
    left, right = min(box[0] for box in holdings), max(box[2] for box in holdings)
    assert abs((left + right) / 2 - secret.center_x) < secret.width * 0.05
    touch.touch_up()


async def test_a_cover_that_is_taken_away_has_no_secret(with_cash: Any) -> None:
    """Whatever takes it from the screen while the hand is held, such as the end of the game."""
    table = await with_cash(7)
    await table.tap("before Ben", "private")
    hand, touch = hand_of(table), hold(table)
    assert hand._secret in hand.children
    hand.parent.remove_widget(hand)
    assert hand._secret is None
    assert not hand.is_pressed
    touch.touch_up()


async def test_twins_that_differ_in_cash_look_alike_but_for_one_seat(with_cash: Any, tmp_path: Path) -> None:
    """Strips, bank, covers and the frame after the hand is lifted: the same texts, the same pixels."""

    async def trace(more: int) -> tuple[Trace, list[str]]:
        table = await with_cash(more)
        looks: Trace = []

        async def look(*touches: str) -> None:
            await table.tap(*touches)
            looks.append((table.texts(), (await table.take_screenshot(tmp_path / "look.png")).read_bytes()))

        for touches in ((), ("before Ben",), ("private",)):
            await look(*touches)
        touch = hold(table)
        await table.wait_frames(2)
        held = table.texts()
        touch.touch_up()
        await table.wait_frames(1)
        await look()
        await table.tap("close", "before Aki", "private")
        touch = hold(table)
        await table.wait_frames(2)
        await look()
        touch.touch_up()
        await look("close", "bank")
        await ended(table)
        return looks, held

    (one, ben), (other, also_ben) = await trace(10), await trace(90)
    assert [texts for texts, _ in one] == [texts for texts, _ in other]
    assert [pixels for _, pixels in one] == [pixels for _, pixels in other]
    assert ben != also_ben


async def test_why_cash_does_not_pay_is_read_by_one_alone(with_cash: Any) -> None:
    """A refusal that follows from what is covered waits under the hand of who answered."""
    table = await with_cash(0)
    controller = table.app.controller
    controller.answer_question(controller.view.question_number, "1")
    controller.dispatch("on_change")
    sentence = say("These pieces can't come from {place}.", place=say("purse"))

    def refuse() -> None:
        raise PrivateRefusal(sentence)

    controller._only_asked_seat = lambda: controller.view.seats[1]
    controller._apply_and_show(refuse)
    await table.wait_frames()
    assert "These pieces can't come from purse." not in table.texts()
    assert "That isn't possible. Only Ben may see the reason." in table.texts()
    touch = hold(table)
    assert "These pieces can't come from purse." in table.texts()
    touch.touch_up()
    assert "These pieces can't come from purse." not in table.texts()
