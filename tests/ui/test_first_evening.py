"""The first evening: three questions before home, a short game with hints, and a game that home suggests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.record.player_statistics import statistics_of_all_players
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.support.ui.screen_faults import find_faults, visible_widgets
from tests.support.ui.sealing import seal_bid_by_touch
from ui.evening.first_steps import FirstStepsOffer

pytestmark = pytest.mark.usefixtures("without_motion")
LOOKS = [((800, 480), "de"), ((480, 800), "ja")]
MORE_LOOKS = [
    (size, lang)
    for size in ((800, 480), (480, 800), (1280, 720), (720, 1280), (1920, 1080))
    for lang in ("en", "ja", "de")
]
TAKE_SCREEN_HINT = "One of you touches an envelope, and takes the screen."
ENTER_HINT = "Only this player looks now: enter a number, then touch the tick."
HAND_OVER_HINT = "Pass the screen on: the next player touches an open envelope."


def make_asking_app(tmp_path: Path) -> Any:
    """Returns an app that asks the first questions, as the program does when it is started as usual."""
    app = make_test_app(tmp_path / "state")
    app.asks_first_questions = True
    return app


@pytest.fixture
async def welcome(open_app: Any, tmp_path: Path) -> Any:
    """The app at its first start."""
    return await open_app(make_asking_app(tmp_path))


async def test_the_first_start_asks_three_questions_on_one_page(welcome: Any) -> None:
    """Each answer applies at once and is saved; then home is there, with what it offers newcomers."""
    await welcome.tap("language ja")
    assert "ようこそ" in welcome.texts()
    await welcome.tap("placement flat", "sound off", "done")
    settings = welcome.app.controller.settings
    assert (settings.language, settings.placement, settings.sound) == ("ja", "flat", False)
    assert {"2分で試す", "エジプトの人買いを遊ぶ"} <= set(welcome.texts())


async def test_the_questions_are_asked_once(welcome: Any) -> None:
    """Whoever changes nothing has answered too."""
    assert FirstStepsOffer(welcome.app.controller).is_first_evening
    await welcome.tap("done")
    assert not FirstStepsOffer(welcome.app.controller).is_first_evening
    assert welcome.app.controller.evening.store.load_json_text("language") == '"en"'


async def test_the_questions_are_asked_again_after_a_power_cut(
    welcome: Any, open_app: Any, tmp_path: Path
) -> None:
    """What people have touched is saved, but they may not have seen the other questions."""
    await welcome.tap("language de")
    welcome.app.close_evening()
    table = await open_app(make_asking_app(tmp_path))
    assert "Willkommen" in table.texts()
    assert table.app.controller.settings.language == "de"


@pytest.mark.parametrize(
    ("key", "value"), [("plan", "flat"), ("known players", [["Aki", "sky"]]), ("people", [["Aki", "sky"]])]
)
async def test_nobody_is_asked_who_has_changed_something(
    open_app: Any, tmp_path: Path, key: str, value: object
) -> None:
    """Any setting, or people who are remembered, say that somebody knows the program."""
    from contextlib import closing

    from companion.store import Store

    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        store.save_value(key, value)
    table = await open_app(make_asking_app(tmp_path))
    assert not FirstStepsOffer(table.app.controller).is_first_evening


async def test_nobody_is_asked_who_has_played_or_starts_otherwise(open_app: Any, tmp_path: Path) -> None:
    """A saved game says that people know the program; only the usual start asks."""
    from contextlib import closing

    from companion.evening import Evening
    from companion.store import Store

    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        Evening(store).begin_game("egypt", NAMES, {}, colours=COLOURS)
    table = await open_app(make_asking_app(tmp_path))
    assert "Continue" in table.texts()
    assert "Try it" not in table.texts()


async def test_a_short_game_is_played_with_hints(welcome: Any) -> None:
    """Each hint goes once people have followed it; then home suggests a game, and no short one again."""
    await welcome.tap("done", "try", "try with 2")
    assert TAKE_SCREEN_HINT in welcome.texts()
    await welcome.tap("Player 1")
    assert ENTER_HINT in welcome.texts()
    await welcome.tap("Player 1, take the screen", "not now")
    assert TAKE_SCREEN_HINT in welcome.texts()
    await seal_bid_by_touch(welcome, "Player 1", 5)
    assert TAKE_SCREEN_HINT not in welcome.texts()
    assert HAND_OVER_HINT in welcome.texts()
    await seal_bid_by_touch(welcome, "Player 2", 12)
    assert HAND_OVER_HINT not in welcome.texts()
    assert any(text.startswith("That was a round.") for text in welcome.texts())
    welcome.app.table_flow.last_reveal_screen.close()
    await welcome.wait_frames()
    await welcome.tap("finish", "Finish")
    assert not any(text.startswith("That was a round.") for text in welcome.texts())
    welcome.app.controller.put_away()
    await welcome.wait_frames()
    assert "Play Egypt" in welcome.texts()
    assert "Try it" not in welcome.texts()
    assert statistics_of_all_players(welcome.app.evening.store) == []


async def test_no_hint_passes_on_a_screen_that_lies_on_the_table(welcome: Any) -> None:
    """The next player touches an envelope from where they sit, and the others look away."""
    await welcome.tap("placement flat", "done", "try", "try with 2")
    assert "One of you touches an envelope. Nobody else looks." in welcome.texts()
    seen = visible_texts(welcome)
    await welcome.tap("Player 1")
    seen += visible_texts(welcome)
    await welcome.tap("Only Player 1 looks now", "not now")
    await seal_bid_by_touch(welcome, "Player 1", 5)
    seen += visible_texts(welcome)
    assert "The next player touches an open envelope." in seen
    assert not [text for text in seen if "screen" in text]


def visible_texts(table: Any) -> list[str]:
    """Every text that people see."""
    return [getattr(widget, "text", "") for widget in visible_widgets(table.window)]


async def test_hints_follow_the_language_and_the_look(welcome: Any) -> None:
    """Their bar is made again with the screen; once they have ended, it isn't."""
    from ui import theme

    await welcome.tap("done", "try", "try with 2")
    usual_height = welcome.app.stage._bar.height
    welcome.app.controller.change_setting("language", "de")
    await welcome.wait_frames()
    assert TAKE_SCREEN_HINT not in welcome.texts()
    assert {welcome.app.tr(TAKE_SCREEN_HINT), welcome.app.tr("No hints")} <= set(welcome.texts())
    theme.scale_lengths_to_window(1280, 720)
    welcome.app.stage.rebuild_screen()
    await welcome.wait_frames()
    assert welcome.app.stage._bar.height > usual_height
    assert welcome.app.tr(TAKE_SCREEN_HINT) in welcome.texts()
    await welcome.tap("skip hints")
    welcome.app.controller.change_setting("language", "en")
    await welcome.wait_frames()
    assert TAKE_SCREEN_HINT not in welcome.texts()


async def test_hints_can_be_ended(welcome: Any) -> None:
    """The game goes on without them, on the whole screen."""
    await welcome.tap("done", "try", "try with 3", "skip hints")
    assert TAKE_SCREEN_HINT not in welcome.texts()
    screen = welcome.app.stage.screen
    assert screen.height == welcome.app.stage.height
    await seal_bid_by_touch(welcome, "Player 1", 5)
    assert HAND_OVER_HINT not in welcome.texts()


async def test_newcomers_may_want_neither(welcome: Any) -> None:
    """Home has only its boxes then, for good; the suggested game is set up at a touch, and ends it too."""
    await welcome.tap("done", "suggested")
    assert "Egypt: who plays?" in welcome.texts()
    await welcome.tap("back")
    assert "Try it" in welcome.texts()
    await welcome.tap("not now")
    assert not {"Try it", "Play Egypt"} & set(welcome.texts())
    assert welcome.app.controller.load_remembered_value("first steps") == "nothing"
    welcome.app.controller.remember_value("first steps", "trial")
    welcome.app.show_home()
    await welcome.wait_frames()
    await welcome.tap("suggested", "Begin")
    assert welcome.app.controller.load_remembered_value("first steps") == "nothing"


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), MORE_LOOKS if SOAK else LOOKS, ids=str)
async def test_nothing_is_wrong_with_the_first_evening(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """The questions, home with its offers, and the short game with hints above envelopes and the pad."""
    table = await open_app(make_asking_app(tmp_path), size)
    app, found = table.app, list[str]()

    async def look(what: str) -> None:
        await table.wait_frames()
        found.extend(f"{what}: {fault}" for fault in find_faults(table, size))

    await table.tap(f"language {lang}")
    await look("questions")
    await table.tap("done")
    await look("home")
    await table.tap("try")
    await look("how many")
    await table.tap("try with 6")
    await look("envelopes")
    name = app.tr("Player {n}", n=1)
    await table.tap(name, app.tr("{name}, take the screen", name=name))
    await look("pad")
    await table.tap("5", "confirm")
    await look("one envelope closed")
    assert not found, "\n".join(found)
