"""The PIN on the real window: before the settings and before corrections in the bank."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.pin import hash_pin
from tests.support.soak import SOAK
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.setting_slips import choose, turn_to_slip
from tests.ui.test_bank import any_game, bank_of, drag, money, state, touch_piece, touch_purse

pytestmark = pytest.mark.usefixtures("without_motion")
WRONG = "This PIN is wrong. The owner of this machine can turn it off: see “Settings” in the documentation."
WAIT = "Too many wrong PINs. The keys work again after half a minute."
LOOKS = [
    ((800, 480), "de"),
    ((480, 800), "ja"),
    ((1280, 720), "en"),
    ((720, 1280), "de"),
    ((1920, 1080), "ja"),
]


async def test_a_pin_that_people_choose_is_asked_before_the_settings(start: Callable[..., Any]) -> None:
    """They enter it twice; after a restart it is asked, until somebody turns it off."""
    table = await start()
    await table.tap("settings")
    await turn_to_slip(table, "PIN")
    await choose(table, "pin", "on")
    await table.tap(*"0042", *"0043")
    assert "The two PINs weren't the same. Choose four digits." in table.texts()
    await table.tap(*"0042", *"0042")
    assert table.find("pin on").chosen
    table.app.close_evening()
    table.window.remove_widget(table.app.root)  # its page would be found beside that of the next start
    table = await start()
    await table.tap("settings", *"4200")
    assert WRONG in table.texts()
    assert "Language" not in table.texts()
    await table.tap(*"00", "9", "delete", *"42")
    assert "Language" in table.texts()
    await turn_to_slip(table, "PIN")
    await choose(table, "pin", "off")
    await table.tap("close", "settings")
    assert "Language" in table.texts()


async def test_no_pin_is_chosen_if_people_go_back(start: Callable[..., Any]) -> None:
    """The slip then says so."""
    table = await start()
    await table.tap("settings")
    await turn_to_slip(table, "PIN")
    await choose(table, "pin", "on")
    await table.tap(*"0042", "close")
    assert table.find("pin off").chosen
    assert table.app.controller.settings.pin == ""


async def test_after_five_wrong_pins_people_wait(
    start: Callable[..., Any], seconds: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on a new page; then the keys work again, and the PIN is right as before."""
    from ui import theme
    from ui.evening.pin_attempts import PinAttempts

    monkeypatch.setattr(theme, "WRONG_PINS_WAIT_SECONDS", 0.5)
    table = await start()
    table.app.pin_attempts = PinAttempts(seconds)
    table.app.controller.change_setting("pin", hash_pin("0042"))
    await table.tap("settings", *"4200" * 3, "close", "settings", *"4200" * 2)
    assert WAIT in table.texts()
    await table.tap("close", "settings")
    assert WAIT in table.texts()
    assert table.find("4").disabled
    await table.wait_until(lambda: "Enter the PIN." in table.texts())
    seconds.now += 1
    await table.tap(*"0042")
    assert "Language" in table.texts()


async def test_a_correction_in_the_bank_needs_the_pin(start: Callable[..., Any]) -> None:
    """Without it nothing moves; the settings at the table need it too."""
    table = await start()
    table.app.controller.change_setting("pin", hash_pin("0042"))
    await bank_of(table, "egypt", "1", True, 3)
    await drag(table, "card", "Aki/hand", "Ben/hand")
    await table.tap(*"4200", "close")
    await drag(table, "card", "Aki/hand", "Ben/hand")
    await table.tap(*"0042", "3", "confirm", "miscounted")
    session = table.app.evening.session
    assert (state(session)["Aki/hand"]["card"], state(session)["Ben/hand"]["card"]) == (22, 28)
    await table.tap("close", "more", "Settings")
    assert "Enter the PIN." in table.texts()


async def test_a_game_of_free_moves_needs_no_pin(start: Callable[..., Any]) -> None:
    """In Any Game, people move pieces by hand all the time."""
    table = await start()
    table.app.controller.change_setting("pin", hash_pin("0042"))
    await any_game(table, template="train")
    await touch_piece(table, "Aki/purse")
    await table.tap("100", "50")
    await touch_purse(table, "Ben/purse")
    assert money(table) == [250, 550, 400]


@pytest.mark.parametrize(("size", "lang"), LOOKS if SOAK else LOOKS[:2])
async def test_nothing_is_wrong_with_the_page_of_the_pin(
    start: Callable[..., Any], size: tuple[int, int], lang: str
) -> None:
    """Also with the long sentence about a wrong PIN."""
    table = await start(size, lang=lang)
    table.app.controller.change_setting("pin", hash_pin("0042"))
    await table.tap("settings")
    await table.wait_frames(3)
    assert find_faults(table, size) == []
    await table.tap(*"4200")
    await table.wait_frames(3)
    assert find_faults(table, size) == []
