"""Home as it was seen last is drawn before the games are loaded, and is put right once they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from ui.evening.home_snapshot import SNAPSHOT_FILE_NAME, load_home_snapshot

pytestmark = pytest.mark.usefixtures("without_motion")


@pytest.fixture
def evening_on(open_app: Any, tmp_path: Path) -> Callable[..., Any]:
    """Starts the app on the same games again; `look` sees it at the moment when its evening is opened."""
    from ui.screens.recovery import StartErrorScreen

    async def start(look: Callable[[Any], None] = lambda _app: None, **kwargs: Any) -> Any:
        app = make_test_app(tmp_path / "state", **kwargs)
        app.home_snapshot_file = tmp_path / SNAPSHOT_FILE_NAME
        opened = app._open_evening

        def opens() -> Any:
            look(app)
            return opened()

        app._open_evening = opens
        table = await open_app(app)
        await table.wait_until(
            lambda: hasattr(app, "table_flow") or isinstance(app.stage.screen, StartErrorScreen)
        )
        await table.wait_frames()
        return table

    return start


@pytest.mark.parametrize(
    "found",
    [
        b"",
        b"\xff",
        b'{"lang":"\xff","games":[]}',
        b'{"lang":"en","games":[],"x":' + b"[" * 5000,
        b'{"lang":"en","games":[],"ongoing_game":[]}',
    ],
)
def test_a_damaged_snapshot_is_none(tmp_path: Path, found: bytes) -> None:
    """Whatever stands in the file, the program starts."""
    (tmp_path / SNAPSHOT_FILE_NAME).write_bytes(found)
    assert load_home_snapshot(tmp_path / SNAPSHOT_FILE_NAME) is None


def over(table: Any) -> None:
    """The app ends, and lets go of its games."""
    table.app.close_evening()


def titles(app: Any) -> list[str]:
    """What stands on the lids of the screen that is shown; none where that isn't home."""
    return [game.title for game in getattr(app.stage.screen, "games", ())]


async def test_home_is_drawn_before_the_games_are_loaded(evening_on: Any) -> None:
    """At the first start nobody has seen it; at the next it is there, and stays the same widget."""
    seen: list[Any] = []

    def look(app: Any) -> None:
        seen.append((titles(app), app.stage.screen))

    over(await evening_on(look))
    table = await evening_on(look)
    (first, _), (second, home) = seen
    assert first == []
    assert "Egypt" in second
    assert table.app.stage.screen is home
    await table.tap("Egypt")
    assert table.app.stage.screen is not home


async def test_a_touch_waits_until_the_games_are_there(evening_on: Any) -> None:
    """Whoever touches a box at once comes to its set-up all the same."""
    from kivy.clock import Clock

    from ui.demo.hand import SimulatedTouch

    over(await evening_on())

    def look(app: Any) -> None:
        from kivy.core.window import Window

        lid = next(one for one in app.stage.screen.walk() if getattr(one, "text", "") == "Egypt")
        touch = SimulatedTouch(Window, *lid.to_window(*lid.center))
        Clock.schedule_once(lambda _: touch.send_touch_down())
        Clock.schedule_once(lambda _: touch.send_touch_up())

    table = await evening_on(look)
    await table.wait_until(lambda: getattr(table.app.stage.screen, "game", None) is not None)
    assert table.app.stage.screen.game.key == "egypt"


async def test_what_has_changed_meanwhile_is_put_right(evening_on: Any, tmp_path: Path) -> None:
    """A game that was begun since is there, and a box that is gone isn't."""
    table = await evening_on()
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    over(table)
    file = tmp_path / SNAPSHOT_FILE_NAME
    snapshot = json.loads(file.read_text())
    assert not snapshot["ongoing_game"]
    gone = {"key": "gone", "title": "Gone", "min_players": 2, "max_players": 5}
    file.write_text(json.dumps({**snapshot, "games": [*snapshot["games"], gone]}))
    seen: list[str] = []
    table = await evening_on(lambda app: seen.extend(titles(app)))
    assert "Gone" in seen
    assert "Gone" not in table.texts()
    assert "Continue" in table.texts()
    assert json.loads(file.read_text())["ongoing_game"]


@pytest.mark.parametrize("kept", ["", "{", "[1]", '{"lang": "en"}', '{"lang": "tlh", "games": []}'])
async def test_what_cant_be_read_is_as_if_nobody_had_seen_it(
    evening_on: Any, tmp_path: Path, kept: str
) -> None:
    """Home comes later, and is kept anew."""
    file = tmp_path / SNAPSHOT_FILE_NAME
    file.write_text(kept)
    seen: list[str] = []
    table = await evening_on(lambda app: seen.extend(titles(app)))
    assert not seen
    assert "Egypt" in table.texts()
    assert json.loads(file.read_text())["games"]


async def test_it_is_seen_in_the_language_that_was_read_last(evening_on: Any) -> None:
    """Unless the program is told another."""
    table = await evening_on()
    table.app.lang = "ja"
    await table.wait_frames()
    over(table)
    languages: list[tuple[str, bool]] = []
    table = await evening_on(lambda app: languages.append((app.lang, bool(titles(app)))))
    over(table)
    over(await evening_on(lambda app: languages.append((app.lang, bool(titles(app)))), lang="en"))
    assert languages == [("ja", True), ("en", False)]


async def test_where_it_cant_be_kept_nothing_is_said(evening_on: Any, tmp_path: Path) -> None:
    """A folder in its place is no trouble."""
    (tmp_path / SNAPSHOT_FILE_NAME).mkdir()
    table = await evening_on()
    assert "Egypt" in table.texts()


async def test_trouble_takes_its_place(evening_on: Any, tmp_path: Path) -> None:
    """Whoever can't play is told so, whatever was seen at first; once that is over home is there."""
    from companion.store import Store

    over(await evening_on())
    other = Store.open(tmp_path / "state", for_writing=True)
    table = await evening_on()
    assert "Another Companion is already using" in "\n".join(table.texts())
    other.close()
    await table.tap("again")
    assert "Demo table" in table.texts()
