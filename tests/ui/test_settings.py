"""The page of settings: drawn from its fields, from home and from the table; what is set counts at once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion import settings
from companion.languages import languages
from tests.outside.languages import PIRATES, installed
from tests.probes.fireworks import WithFireworks
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.setting_slips import choose, turn_to_slip

pytestmark = pytest.mark.usefixtures("without_motion")
SIZES = [(800, 480), (480, 800), (1280, 720), (720, 1280), (1920, 1080)]
LOOKS = (
    list(product(SIZES, languages(), (False, True)))
    if SOAK
    else [(SIZES[0], "de", True), (SIZES[1], "ja", False)]
)


async def at_the_table(table: Any) -> None:
    """Egypt lies on the table."""
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    await table.wait_frames()


async def test_the_language_is_chosen_by_its_own_name(start: Callable[..., Any]) -> None:
    """The page, home below it and the displays speak it at once, and tomorrow too."""
    table = await start()
    await table.tap("settings")
    await choose(table, "language", "ja")
    assert {"設定", "言語", "エジプトの人買い"} <= set(table.texts())
    assert not {"Settings", "Egypt", "Language"} & set(table.texts())
    assert table.app.controller.display_language == "ja"
    await table.tap("close")
    assert {"テーブルメイト", "エジプトの人買い"} <= set(table.texts())
    table.app.close_evening()
    assert "テーブルメイト" in (await start()).texts()


async def test_many_languages_are_a_list(start: Callable[..., Any], tmp_path: Path) -> None:
    """The key says which is spoken now, and leads to all, those of packages too."""
    with installed(tmp_path / "site"):
        table = await start()
        await table.tap("settings", "language")
        assert table.find("language en").chosen
        assert find_faults(table, (800, 480)) == []
        await table.tap("Arr")
        assert table.app.controller.settings.language == PIRATES
        assert {"Arr", "Logbook"} <= set(table.texts())


async def test_sound_is_heard_or_not_at_once(start: Callable[..., Any]) -> None:
    """It is set on the page and at the table alike."""
    table = await start()
    await table.tap("settings", "Off", "close")
    assert table.app.sounds.volume == 0
    await at_the_table(table)
    await table.tap("muted")
    assert table.app.sounds.volume == table.app.controller.settings.volume
    assert table.app.controller.settings.sound
    table.app.toggle_sounds()
    table.app.close_evening()
    assert (await start()).app.sounds.volume == 0


async def test_each_step_of_the_volume_is_heard_at_once(
    start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A coin says how loud it is; the key under the finger stays, and the volume is there tomorrow."""
    table = await start()
    heard: list[tuple[str, int]] = []
    sounds = table.app.sounds
    monkeypatch.setattr(sounds, "play", lambda name: heard.append((name, sounds.volume)))
    await table.tap("settings")
    await turn_to_slip(table, "less volume")
    key = table.find("less volume")
    for _ in range(3):
        await table.tap("less volume")
    assert heard == [("coin", 2), ("coin", 1), ("coin", 0)]
    assert table.find("less volume") is key
    assert key.disabled
    await table.tap("more volume")
    table.app.close_evening()
    table = await start()
    assert (table.app.controller.settings.volume, table.app.sounds.volume) == (1, 1)


async def test_the_screen_lies_flat_at_once(start: Callable[..., Any]) -> None:
    """From the table's menu; the play screen below the page is laid anew, and is so tomorrow."""
    table = await start((1280, 720))
    await at_the_table(table)
    play = table.app.stage.screen
    assert play.layout_name == ""
    await table.tap("more", "Settings", "Lying flat")
    assert play.layout_name == "flat"
    await table.tap("close")
    assert table.app.stage.screen is play
    table.app.close_evening()
    table = await start((1280, 720))
    table.app.controller.resume_saved_game()
    await table.wait_frames()
    assert table.app.stage.screen.layout_name == "flat"


async def test_the_page_where_people_sit_sets_the_same(start: Callable[..., Any]) -> None:
    """There are two ways to it and one setting."""
    table = await start((1280, 720))
    await at_the_table(table)
    await table.tap("more", "sides", "Lying flat", "close")
    assert table.app.controller.settings.placement == "flat"
    await table.tap("more", "Settings", "On a stand", "close")
    assert table.app.stage.screen.layout_name == ""


async def test_a_language_that_was_told_counts_for_this_evening(start: Callable[..., Any]) -> None:
    """`--lang` changes nothing that is saved, until somebody chooses a language."""
    table = await start(lang="ja")
    assert table.app.controller.settings.language == "ja"
    await table.tap("settings", "オフ", "close")
    table.app.close_evening()
    table = await start()
    assert (table.app.lang, table.app.controller.settings.sound) == ("en", False)


async def test_a_value_that_is_not_allowed_is_told_once(start: Callable[..., Any]) -> None:
    """At the start, in a sentence; it stays in the file until somebody chooses another."""
    table = await start()
    table.app.evening.store.save_value("sound", "loud")
    table.app.close_evening()
    table = await start()
    sentence = "The saved setting “Sound” can't be used. Until you change it, it is: On."
    assert sentence in table.texts()
    await table.tap("done", "settings")
    assert sentence not in table.texts()
    assert table.app.evening.store.load_value("sound") == "loud"
    await table.tap("Off")
    assert table.app.evening.store.load_value("sound") is False


async def test_service_is_in_the_corner(start: Callable[..., Any]) -> None:
    """From home; at the table, where a game is open, it is not offered."""
    table = await start()
    await table.tap("settings", "Service")
    await table.wait_until(lambda: "Back up the games" in table.texts())
    await table.tap("close")
    assert "Demo table" in table.texts()
    await at_the_table(table)
    await table.tap("more", "Settings")
    assert "Service" not in table.texts()


async def test_a_setting_is_one_field(start: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """One more, and the page draws it, people change its number in steps, and it is there tomorrow."""
    monkeypatch.setattr(settings, "Settings", WithFireworks)
    table = await start()
    await table.tap("settings")
    await turn_to_slip(table, "Fireworks")
    assert {"Fireworks", "Rockets for the winner.", "3"} <= set(table.texts())
    await table.tap("more fireworks", "more fireworks")
    assert table.app.controller.settings.fireworks == 5
    assert "5" in table.texts()
    assert table.find("more fireworks").disabled
    table.app.close_evening()
    assert (await start()).app.controller.settings.fireworks == 5


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang", "flat"), LOOKS, ids=lambda at: str(at).replace(", ", "x"))
async def test_nothing_is_wrong_with_the_page(
    start: Callable[..., Any], size: tuple[int, int], lang: str, *, flat: bool
) -> None:
    """Each of its pages, from home, and over a table that lies or stands."""
    table = await start(size, lang=lang)
    table.app.controller.change_setting("placement", "flat" if flat else "standing")
    await table.tap("settings")
    await table.wait_frames(3)
    assert find_faults(table, size) == []
    await table.tap("close")
    await at_the_table(table)
    await table.tap("more")
    await table.wait_frames(3)
    assert find_faults(table, size) == []
    await table.tap("settings")
    await table.wait_frames(3)
    assert find_faults(table, size) == []


@pytest.mark.parametrize(("lang", "pages"), [("en", 3), ("ja", 3), ("de", 4)])
async def test_few_pages_have_room_for_all_settings(start: Callable[..., Any], lang: str, pages: int) -> None:
    """On the smallest screen, with their sentences; the pages are turned beside the title."""
    from ui.screens.options import OptionsPager

    table = await start(lang=lang)
    await table.tap("settings")
    (pager,) = [widget for widget in table.widgets() if isinstance(widget, OptionsPager)]
    assert pager.page_count <= pages
    assert find_faults(table, (800, 480)) == []
    assert table.find("page on").y > pager.top


async def test_a_wide_screen_has_settings_in_two_columns(start: Callable[..., Any]) -> None:
    """Fewer pages are better, as long as no sentence is cut."""
    from ui.screens.options import OptionsPager

    table = await start((1920, 1080))
    await table.tap("settings")
    (pager,) = [widget for widget in table.widgets() if isinstance(widget, OptionsPager)]
    assert pager.cols == 2
    assert pager.page_count <= 2
    assert find_faults(table, (1920, 1080)) == []
