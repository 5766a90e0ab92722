"""The drawer of `--simulate`: every wired device can be worked on the screen, down to its pins."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.requests import Read
from companion.testing.random_game import sample_answer
from hardware.simulated.tags import simulated_tag_uid
from tests.support.ui.device_table import simulate_wiring
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from ui.screen import make_app

LEAST = 40
"""Pixels of the smallest key at 800×480: a finger still finds it."""
NAMES = {"1": "1 ", "2": "2 ", "3": "3 ", "market": "card "}
WIRED = """
[[keypad]]
seat = 1
id = "kp-1"
[[numpad]]
seat = 2
port = "usb-0000:01:00.0-1.1"
[[buttons]]
seat = 3
minus = "GPIO5"
plus = "GPIO6"
ok = "GPIO13"
[[light]]
seat = 3
pin = "GPIO12"
[[display]]
seat = 3
clock = "GPIO23"
data = "GPIO24"
[[reader]]
zone = "market"
spi = "/dev/spidev0.0"
"""


@pytest.fixture
def metal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Everything that a table can have, without metal."""
    with simulate_wiring(WIRED, tmp_path, monkeypatch) as metal:
        yield metal


@pytest.fixture
def opened(open_app: Any, metal: Any, tmp_path: Path) -> Any:
    """A game on the table, all devices found."""

    async def begin(key: str, size: tuple[int, int] = (800, 480), lang: str = "en") -> Any:

        app = make_app(tmp_path / "state", simulated_table=metal, lang=lang)
        return await begun(await open_app(app, size), key)

    return begin


async def begun(table: Any, key: str) -> Any:
    """Begins a game once the devices are found."""
    controller = table.app.controller
    await table.wait_until(lambda: not controller._devices.lost_devices)
    assert controller.start_new_game(key, ["Aki", "Ben", "Chie"], ["orange", "sky", "green"], {})
    await table.wait_frames(2)
    return table


@pytest.mark.usefixtures("without_motion")
@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
async def test_every_page_can_be_worked(opened: Any, size: tuple[int, int], lang: str) -> None:
    """Each seat has its keys and what they see there, each reader the cards of the game."""
    table = await opened("egypt", size, lang)
    from ui.widgets.keys.key import Key

    drawer = table.app.drawer
    await table.tap(table.app.words.translate_text(lang, "Devices"))
    for place in ("1", "2", "3", "market"):
        await table.tap(f"drawer {place}")
        await table.wait_frames(8)
        keys = [each for each in table.widgets() if isinstance(each, Key)]
        shown = [key for key in keys if key.name.startswith(NAMES[place])]
        assert shown
        for key in shown:
            assert key.width >= LEAST * size[1] / 480
            assert key.height >= LEAST * size[1] / 480
            assert key.right <= size[0]
    await table.tap(table.app.words.translate_text(lang, "Close the drawer"))
    assert not drawer.is_open


@pytest.mark.usefixtures("without_motion")
async def test_devices_answer(opened: Any, metal: Any) -> None:
    """Keypad, number pad and buttons of the drawer answer the game; light and digits are seen there."""
    table = await opened("egypt")
    controller = table.app.controller
    await table.tap("Devices", "drawer 1")
    await table.wait_until(
        lambda: metal.keypads[1].answerable_question_number == controller.view.question_number
    )
    await table.tap("1 2", "1 OK")
    await table.wait_until(lambda: controller.view.question_number == 2)
    while not controller.view.question.seats:
        controller.answer_question(
            controller.view.question_number,
            sample_answer(controller.evening.session.question, random.Random(1)),
        )
    n = controller.view.question_number
    assert controller.view.question.seats[0].name == "Ben"
    await table.tap("drawer 2", "2 1", "2 OK")
    await table.wait_until(lambda: controller.view.question_number == n + 1)
    await table.tap("drawer 3")
    assert metal.is_light_on(3)
    for _ in range(2):
        await table.tap("3 plus")
    await table.wait_until(lambda: metal.displays[3].text.strip() != "")
    number = metal.displays[3].text
    await table.wait_until(lambda: number in table.texts())
    await table.tap("3 ok")
    await table.wait_until(lambda: controller.view.question_number == n + 2)
    assert not metal.is_light_on(3)


@pytest.mark.usefixtures("without_motion")
async def test_cards_and_plugs(opened: Any, metal: Any) -> None:
    """A card is laid on the antenna and lifted again; a plug is pulled and put back."""
    table = await opened("egypt")
    chip, lost = metal.readers["market"], table.app.controller._devices
    await table.tap("Devices", "drawer market", "card 4.1")
    assert chip.tag_uids == {simulated_tag_uid("egypt", "4.1")}
    await table.tap("card 4.1")
    assert chip.tag_uids == set()
    await table.tap("drawer 1", "1 plug")
    await table.wait_until(lambda: "keypad 1" in lost._lost_by_device)
    await table.tap("Plug in")
    await table.wait_until(lambda: not lost._lost_by_device)


@pytest.mark.usefixtures("without_motion")
async def test_a_button_comes_up_where_the_finger_slides_off_it(opened: Any, metal: Any) -> None:
    """A button that stayed down would be a stuck one."""
    table = await opened("egypt")
    from kivy.tests.common import UnitTestTouch

    await table.tap("Devices", "drawer 3")
    pin = metal._pin(metal.wiring.buttons[0].pins["plus"])
    touch = UnitTestTouch(*table.find("3 plus").center)
    touch.touch_down()
    assert not pin.state
    touch.touch_move(790, 470)
    touch.touch_up()
    assert pin.state


@pytest.mark.usefixtures("without_motion")
async def test_an_open_drawer_has_the_cards_of_the_game_that_is_played(opened: Any) -> None:
    """Not of the one before; without one it says so."""
    table = await opened("egypt")
    await table.tap("Devices", "drawer market")
    assert "card 4.1" in [getattr(each, "name", "") for each in table.widgets()]
    table.app.controller.leave_table()
    await table.wait_until(lambda: "No game with cards is open." in table.texts())
    await begun(table, "mammon")
    await table.wait_until(lambda: "card spy.1" in [getattr(each, "name", "") for each in table.widgets()])


@pytest.mark.usefixtures("without_motion")
async def test_once_the_app_has_ended_it_looks_at_nothing(opened: Any) -> None:
    """Its devices may be gone."""
    table = await opened("egypt")
    drawer = table.app.drawer
    await table.tap("Devices")
    assert drawer._update_trigger.is_triggered
    table.app.stop()
    await table.running
    assert not drawer._update_trigger.is_triggered


@pytest.mark.usefixtures("without_motion")
async def test_a_card_is_known_untaught(opened: Any, metal: Any) -> None:
    """A card of the drawer answers a question for a card, though nobody has taught its tag."""
    table = await opened("bidders")
    controller = table.app.controller
    while not isinstance(controller.evening.session.question, Read):
        answer = sample_answer(controller.evening.session.question, random.Random(1))
        controller.answer_question(controller.view.question_number, answer)
    n, card = (
        controller.view.question_number,
        controller.evening.session.question.tracker.possibly_unseen_card_ids()[0],
    )
    await table.tap("Devices", "drawer market")
    await table.tap(f"card {card}")
    await table.wait_until(lambda: controller.view.question_number > n)


async def touched(table: Any, spot: tuple[float, float]) -> None:
    """A finger comes there and goes."""
    from kivy.tests.common import UnitTestTouch

    touch = UnitTestTouch(*spot)
    touch.touch_down()
    await table.wait_frames(1)
    touch.touch_up()
    await table.wait_frames(1)


@pytest.mark.usefixtures("without_motion")
async def test_closed_it_leaves_the_screen_alone(opened: Any) -> None:
    """Closed, only its tab is there; open, a touch in it doesn't reach the screen below."""
    table = await opened("egypt")
    drawer, n = table.app.drawer, table.app.controller.view.question_number
    from ui.widgets.keys.key import Key

    (tab,) = drawer.children
    answer = table.find("Aki")
    left, low = answer.to_window(*answer.pos)
    await table.tap("Devices", "drawer 1", "Faults")
    (tray,) = drawer.children
    keys = [each for each in tray.walk() if isinstance(each, Key)]
    spots = [(left + x, low + y) for x in range(0, 60, 2) for y in range(0, 60, 2)]
    spot = next(at for at in spots if tray.collide_point(*at) and not any(k.collide_point(*at) for k in keys))
    await touched(table, spot)
    assert table.app.controller.view.question_number == n
    table.app.lang = "ja"
    await table.wait_frames(2)
    assert drawer.is_open
    await table.tap(table.app.words.translate_text("ja", "Close the drawer"))
    assert [type(each) for each in drawer.children] == [type(tab)]
    await touched(table, spot)
    assert table.app.controller.view.question_number == n + 1


@pytest.mark.usefixtures("without_motion")
async def test_faults_are_at_hand(opened: Any, metal: Any) -> None:
    """A worn contact is one press, a program that hangs is a lost keypad, a deaf reader hears again."""
    table = await opened("egypt")
    controller, devices = table.app.controller, table.app.controller._devices
    controller.answer_question(
        controller.view.question_number, sample_answer(controller.evening.session.question, random.Random(1))
    )
    await table.tap("Devices", "drawer 1", "Faults", "1 silent")
    await table.wait_until(lambda: "keypad 1" in devices.lost_devices)
    await table.tap("1 speak")
    await table.wait_until(lambda: not devices.lost_devices)
    await table.tap("drawer 2")
    assert "Faults" not in table.texts()
    while not (question := controller.evening.session.question).seats or question.seats[0].name != "Chie":
        controller.answer_question(controller.view.question_number, sample_answer(question, random.Random(1)))
    n = controller.view.question_number
    await table.tap("drawer 3", "Faults", "3 bounce plus")
    await table.wait_until(lambda: metal.displays[3].text.strip() != "")
    await table.tap("3 bounce ok")
    await table.wait_until(lambda: controller.view.question_number == n + 1)
    await table.tap("drawer market", "card 4.1", "Faults", "market deaf", "market again CARD")
    assert metal.readers["market"].tag_uids == {simulated_tag_uid("egypt", "4.1")}
    await table.tap("Faults", "card 4.1")
    assert metal.readers["market"].tag_uids == set()
