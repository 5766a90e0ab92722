"""A real window without a display, and functions that touch, read and photograph it.

One process has one window; each test gets a fresh app in it, at the size it asks for.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.disks import memory_directory

os.environ["SDL_VIDEODRIVER"] = "offscreen"
os.environ["SDL_AUDIODRIVER"] = "dummy"  # a machine without a loudspeaker has the same tests
ROOT = Path(__file__).parents[2]
TIMEOUT_SECONDS = 60.0
"""A test fails if it waits for something for this many seconds."""
IDLE_FRAMES_PER_SECOND, MAX_IDLE_FRAMES_AT_FULL_SPEED = 500, 20
"""Frames a second while nothing is due, and the number of such frames before the app slows down."""
ANIMATED_FRAMES_PER_SECOND = 250
"""Frames a second while something moves: four times those of a screen."""


@pytest.fixture(scope="session", autouse=True)
def kivy_window(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The only window of this process, made before any screen test can load Kivy with other settings.

    Its offscreen surface never grows. Above its height, a test reads whatever the memory holds.
    """
    from ui.kivy_env import WindowSettings, configure_kivy

    configure_kivy(tmp_path_factory.mktemp("kivy"), WindowSettings(1280, 720, touch="none"))
    from kivy.config import Config

    Config.set("graphics", "maxfps", "0")
    Config.set("graphics", "min_state_time", "0")  # a key looks pressed only while the finger is down
    from kivy.core.window import Window

    from ui.demo.hand import draw_only_awaited_frames
    from ui.widgets.drawing.text import load_fonts

    load_fonts()  # for tests of widgets without an app
    draw_only_awaited_frames(Window)
    _slow_down_idle_frames()
    _let_time_pass_steadily()
    gc.freeze()  # don't scan what all tests share after each test
    return Window


@pytest.fixture(scope="package", autouse=True)
def no_collections_in_tests() -> Iterator[None]:
    """Lets garbage be collected only between apps: it took a third of the time of window tests."""
    gc.disable()
    yield
    gc.enable()


def _slow_down_idle_frames() -> None:
    """Lets the app rest while something moves, and as soon as nothing is due for some frames.

    A test that waits for a pause or a device would otherwise run 25,000 empty frames a second, and take a
    core from the tests of other processes.
    """
    from kivy.animation import Animation
    from kivy.clock import Clock

    idle = Clock.async_idle
    idle_frame_count = 0

    async def rest_or_go_on() -> float:
        nonlocal idle_frame_count
        idle_frame_count = idle_frame_count + 1 if Clock.get_min_timeout() > 0 else 0
        Clock._max_fps = 0
        if idle_frame_count > MAX_IDLE_FRAMES_AT_FULL_SPEED:
            Clock._max_fps = IDLE_FRAMES_PER_SECOND
        elif Animation._instances:
            Clock._max_fps = ANIMATED_FRAMES_PER_SECOND
        seconds: float = await idle()
        return seconds

    Clock.async_idle = rest_or_go_on


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A directory in memory: what a window writes needs no real disk."""
    with memory_directory() as directory:
        yield Path(directory)


@pytest.fixture(autouse=True)
def usual_theme() -> None:
    """Sets the lengths of the smallest window and usual motion, as the test before may have changed them."""
    from ui import theme

    theme.reduced_motion = theme.is_read_from_all_sides = False
    theme.use_look(theme.Look())
    theme.scale_lengths_to_window(800, 480)


@pytest.fixture(autouse=True)
def brief_result_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a card with a result cover the table for one frame only, so that it takes no touch of a test."""
    from ui import theme

    monkeypatch.setattr(theme, "RESULT_CARD_SECONDS", 0.0)


@pytest.fixture
def without_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns off animations, long reveal pauses, and the time after a new question that ignores touches."""
    from ui import theme

    monkeypatch.setattr(theme, "reduced_motion", True)
    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(theme, "IGNORED_REPEATED_TOUCH_SECONDS", 0.0)


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch, without_motion: None) -> None:
    """The pages can be reached from this machine only, and a killed web process is soon started again."""
    from hardware.phones import web_process
    from ui.evening import phone_service

    command = (*web_process.WEB_COMMAND, "--host", "127.0.0.1", "--port", "0")
    monkeypatch.setattr(web_process, "WEB_COMMAND", command)
    monkeypatch.setattr(phone_service, "WEB_RESTART_SECONDS", 0.0)


def _let_time_pass_steadily() -> None:
    """Lets Kivy's time pass slowly while the machine is busy, from where it is now."""
    from kivy.clock import Clock

    from tests.support.ui.steady_time import SteadyTime

    Clock.time = SteadyTime(Clock.time)


class AppUnderTest:
    """A running app that tests can touch, read and photograph."""

    def __init__(self, app: Any, window: Any, running: asyncio.Task[None]) -> None:
        self.app = app
        self.window = window
        self.running = running

    async def wait_frames(self, count: int = 3) -> None:
        """Lets `count` frames pass; as always in Kivy, a frame without a change isn't drawn."""
        from kivy.clock import Clock

        for _ in range(count):
            passed = asyncio.Event()
            Clock.schedule_once(lambda _, passed=passed: passed.set())
            frame = asyncio.create_task(passed.wait())
            await asyncio.wait({frame, self.running}, return_when=asyncio.FIRST_COMPLETED)
            if self.running.done():
                self.running.result()
                pytest.fail("the app has ended")

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Lets frames pass until a condition is true; fails after `TIMEOUT_SECONDS`."""
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while not condition():
                    await self.wait_frames(1)
        except TimeoutError:
            pytest.fail("the condition never became true")

    def widgets(self) -> Iterator[Any]:
        """Returns all visible widgets, the topmost first."""
        found: list[Any] = []
        for root in self.window.children:
            _add_topmost_first(root, found)
        return iter(found)

    def find(self, text: str) -> Any:
        """Returns the topmost key with this name or text, otherwise the topmost widget with it."""
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
        """Returns every text that is readable now."""
        found: list[str] = []
        for widget in self.widgets():
            found += [getattr(widget, "text", ""), *getattr(widget, "visible_texts", ())]
        return [text for text in dict.fromkeys(found) if text]

    def press(self, text: str) -> Any:
        """Puts a finger on a widget and keeps it there; returns the touch."""
        from kivy.tests.common import UnitTestTouch

        widget = self.find(text)
        touch = UnitTestTouch(*widget.to_window(*widget.center))
        touch.touch_down()
        return touch

    async def tap(self, *texts: str) -> None:
        """Taps widgets by their names or texts, one after the other."""
        for text in texts:
            touch = self.press(text)
            await self.wait_frames(1)
            touch.touch_up()
            await self.wait_frames(2)

    async def take_screenshot(self, file: Path) -> Path:
        """Saves the window as a PNG with exactly this name."""
        taken: list[str] = []

        def take(*_: object) -> None:
            if not taken:
                taken.append(self.window.screenshot(name=str(file)))

        await self.wait_frames(2)
        self.window.bind(on_flip=take)
        self.window.canvas.ask_update()
        await self.wait_frames(1)
        self.window.unbind(on_flip=take)
        os.replace(taken[0], file)  # noqa: PTH105 a pathlib call in a coroutine is refused
        return file


def _add_topmost_first(widget: Any, found: list[Any]) -> None:
    """Adds a widget behind what lies on it; generators within generators took twice as long."""
    if widget.opacity:
        for child in widget.children:
            _add_topmost_first(child, found)
    found.append(widget)


@pytest.fixture
async def open_app(kivy_window: Any, tmp_path: Path) -> AsyncIterator[Callable[..., Any]]:
    """A function that runs an app in the window, by default at 800×480, until the test is over.

    `tmp_path` is there until the app has stopped, as its games may lie in it.
    """
    # The last test's widgets are in reference cycles. The more widgets are left, the longer Kivy takes to
    # replace a texture: after two walks through all screens a third took 46 s of processor time, alone 14 s.
    # What was made since the last app is in the youngest generation. As each widget goes, it leaves ten
    # callbacks of Kivy's that have just become garbage themselves; without the second collection, a third of
    # all time went into the memory they filled. What tests share isn't looked at again.
    gc.collect(0)
    gc.collect(1)
    gc.freeze()
    running: list[tuple[Any, asyncio.Task[None]]] = []

    async def start(app: Any, size: tuple[int, int] = (800, 480)) -> AppUnderTest:
        kivy_window.size = size
        app.shows_table_across_room = False  # a slow machine would show it in the middle of a test
        task = asyncio.create_task(app.async_run("asyncio"))
        running.append((app, task))
        table = AppUnderTest(app, kivy_window, task)
        await table.wait_frames()
        return table

    yield start
    for app, task in running:
        app.stop()
        await asyncio.wait({task})
        for left in kivy_window.children[:]:
            kivy_window.remove_widget(left)
    running.clear()


@pytest.fixture
async def open_small_game(open_app: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function that plays a rulebook; it returns the app under test and the game."""
    from tests.support.ui.play_screen_game import PlayScreenGame, begin_session
    from tests.support.ui.screen_sizes import make_bare_app
    from ui import theme

    monkeypatch.setattr(theme, "IGNORED_REPEATED_TOUCH_SECONDS", 0.0)

    async def begin(
        rules: Any,
        size: tuple[int, int] = (800, 480),
        lang: str = "en",
        players: int = 3,
        log: Any = None,
        scene: Any = None,
    ) -> Any:
        app: Any = make_bare_app(lang=lang)
        table = await open_app(app, size)
        game = PlayScreenGame(table, begin_session(rules, players, log=log, scene=scene))
        await table.wait_frames()
        return table, game

    return begin


@pytest.fixture
async def home(open_app: Any, tmp_path: Path, without_motion: None) -> Any:
    """The app on its home screen, with no saved games."""
    from tests.support.ui.app_helpers import make_test_app

    return await open_app(make_test_app(tmp_path / "state"))


@pytest.fixture
def seconds() -> Any:
    """A clock that tests advance by changing `now`."""
    from tests.support.ui.clock_helpers import ManualSeconds

    return ManualSeconds()


@pytest.fixture
def make_app_with_clock(tmp_path: Path, seconds: Any) -> Any:
    """A function that makes an app on the same state directory, with the clock `seconds`."""
    from tests.support.ui.app_helpers import make_test_app

    return lambda lang="en": make_test_app(tmp_path / "state", seconds=seconds, lang=lang)


@pytest.fixture
def start(open_app: Any, tmp_path: Path) -> Callable[..., Any]:
    """A function that starts the app on the same games again and again."""
    from tests.support.ui.app_helpers import make_test_app

    async def begin(size: tuple[int, int] = (800, 480), **kwargs: Any) -> Any:
        table = await open_app(make_test_app(tmp_path / "state", **kwargs), size)
        await table.wait_until(lambda: hasattr(table.app, "table_flow"))
        return table

    return begin


@pytest.fixture
def touches(kivy_window: Any) -> Iterator[list[Any]]:
    """Every finger that comes down on the window."""
    down: list[Any] = []

    def note(_window: object, touch: Any) -> None:
        down.append(touch)

    kivy_window.bind(on_touch_down=note)
    yield down
    kivy_window.unbind(on_touch_down=note)
