"""A real window without a display, a finger, and an eye.

One process has one window; each test gets a fresh app in it, at the size it asks for.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

os.environ["SDL_VIDEODRIVER"] = "offscreen"
os.environ["SDL_AUDIODRIVER"] = "dummy"  # a machine without a loudspeaker has the same tests
ROOT = Path(__file__).parents[2]
APPS = count()
PATIENCE = 60.0
"""Seconds until something that should have happened will not happen any more."""


@pytest.fixture(scope="session", autouse=True)
def kivy_window(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The one window of this process, made before any test of the screen can load Kivy in its own way.

    Offscreen its surface never grows, so it begins as large as the largest size any test asks for.
    """
    from ui.kivy_env import WindowSettings, configure_kivy

    configure_kivy(tmp_path_factory.mktemp("kivy"), WindowSettings(1280, 720, touch="none"))
    from kivy.config import Config

    Config.set("graphics", "maxfps", "0")
    Config.set("graphics", "min_state_time", "0")  # a key looks pressed no longer than the finger is down
    Config.set("graphics", "multisamples", "0")  # drawn in software, smooth edges cost most of the time
    from kivy.core.window import Window

    from ui.demo.hand import draw_only_awaited_frames

    draw_only_awaited_frames(Window)
    gc.freeze()  # what all tests share is not looked through after each
    return Window


@pytest.fixture(autouse=True)
def lengths() -> None:
    """As on the smallest window, whatever the test before had."""
    from ui import theme

    theme.scale_lengths_to_window(800, 480)


@pytest.fixture
def nothing_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing moves, no pause is long, and this finger never slips."""
    from ui import theme

    monkeypatch.setattr(theme, "reduced_motion", True)
    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(theme, "IGNORED_TOUCH_AFTER_NEW_QUESTION_SECONDS", 0.0)


class Table:
    """A running app as a person meets it: it can be touched, read and photographed."""

    def __init__(self, app: Any, window: Any, running: asyncio.Task[None]) -> None:
        self.app = app
        self.window = window
        self.running = running

    async def frames(self, count: int = 3) -> None:
        """Let that many frames pass; as everywhere in Kivy one without a change isn't drawn."""
        from kivy.clock import Clock

        for _ in range(count):
            passed = asyncio.Event()
            Clock.schedule_once(lambda _, passed=passed: passed.set())
            frame = asyncio.create_task(passed.wait())
            await asyncio.wait({frame, self.running}, return_when=asyncio.FIRST_COMPLETED)
            if self.running.done():
                self.running.result()
                pytest.fail("the app has ended")

    async def until(self, true: Callable[[], bool]) -> None:
        """Let frames pass until something is so; fails when it never is."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not true():
                    await self.frames(1)
        except TimeoutError:
            pytest.fail("it never came to that")

    def widgets(self) -> Iterator[Any]:
        """Everything on the screen, the topmost first."""
        for root in self.window.children:
            yield from _topmost(root)

    def find(self, text: str) -> Any:
        """The topmost key that is called so, or says so; else whatever says so."""
        from kivy.uix.behaviors import ButtonBehavior

        found = [
            widget
            for widget in self.widgets()
            if text in (getattr(widget, "text", None), getattr(widget, "name", None))
        ]
        keys = [widget for widget in found if isinstance(widget, ButtonBehavior)]
        for widget in keys or found:
            return widget
        pytest.fail(f"nothing on the screen says {text!r}; it says {self.texts()}")

    def texts(self) -> list[str]:
        """Every text that can be read now."""
        found: list[str] = []
        for widget in self.widgets():
            found += [getattr(widget, "text", ""), *getattr(widget, "visible_texts", ())]
        return [text for text in dict.fromkeys(found) if text]

    def press(self, text: str) -> Any:
        """Put a finger on it and keep it there; the touch is returned."""
        from kivy.tests.common import UnitTestTouch

        widget = self.find(text)
        touch = UnitTestTouch(*widget.to_window(*widget.center))
        touch.touch_down()
        return touch

    async def tap(self, *texts: str) -> None:
        """Touch and let go of each, one after the other."""
        for text in texts:
            touch = self.press(text)
            await self.frames(1)
            touch.touch_up()
            await self.frames(2)

    async def photograph(self, file: Path) -> Path:
        """Save what the window shows as a PNG, exactly under this name."""
        taken: list[str] = []

        def take(*_: object) -> None:
            if not taken:
                taken.append(self.window.screenshot(name=str(file)))

        await self.frames(2)
        self.window.bind(on_flip=take)
        self.window.canvas.ask_update()
        await self.frames(1)
        self.window.unbind(on_flip=take)
        os.replace(taken[0], file)  # noqa: PTH105 a pathlib call in a coroutine is refused
        return file


def _topmost(widget: Any) -> Iterator[Any]:
    if widget.opacity:
        for child in widget.children:
            yield from _topmost(child)
    yield widget


@pytest.fixture
async def open_table(kivy_window: Any) -> AsyncIterator[Callable[..., Any]]:
    """Run an app in the window, at 800×480 unless told, until the test is over."""
    running: list[tuple[Any, asyncio.Task[None]]] = []

    async def start(app: Any, size: tuple[int, int] = (800, 480)) -> Table:
        kivy_window.size = size
        task = asyncio.create_task(app.async_run("asyncio"))
        running.append((app, task))
        table = Table(app, kivy_window, task)
        await table.frames()
        return table

    yield start
    for app, task in running:
        app.stop()
        await asyncio.wait({task})
        for left in kivy_window.children[:]:
            kivy_window.remove_widget(left)
    running.clear()
    if next(APPS) % 5 == 0:  # looking for them takes longer than many a test
        gc.collect()  # widgets lie in circles, and hold pictures that Python can't weigh


@pytest.fixture
async def open_small(open_table: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Play some rules; gives the table to touch and the game on it."""
    from tests.support.ui.play_screen_game import PlayScreenGame, begin_session
    from tests.support.ui.screen_sizes import make_bare_app
    from ui import theme

    monkeypatch.setattr(theme, "IGNORED_TOUCH_AFTER_NEW_QUESTION_SECONDS", 0.0)

    async def begin(
        rules: Any, size: tuple[int, int] = (800, 480), lang: str = "en", players: int = 3
    ) -> Any:
        app: Any = make_bare_app(lang=lang)
        table = await open_table(app, size)
        game = PlayScreenGame(table, begin_session(rules, players))
        await table.frames()
        return table, game

    return begin


@pytest.fixture
async def home(open_table: Any, tmp_path: Path, nothing_moves: None) -> Any:
    """The app on its first screen, with nothing saved."""
    from tests.support.ui.app_helpers import make_test_app

    return await open_table(make_test_app(tmp_path / "state"))


@pytest.fixture
def seconds() -> Any:
    """A clock that goes on when it is told to."""
    from tests.support.ui.clock_helpers import ManualSeconds

    return ManualSeconds()


@pytest.fixture
def app_at(tmp_path: Path, seconds: Any) -> Any:
    """An app over one state directory, with that clock."""
    from tests.support.ui.app_helpers import make_test_app

    return lambda lang="en": make_test_app(tmp_path / "state", seconds=seconds, lang=lang)
