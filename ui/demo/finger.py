"""A finger and an eye for the real window: it touches keys by their names, waits, and takes photographs.

    finger = Finger(app, Window)
    await finger.tap("Egypt", "Next", "Begin")
    await finger.photograph(Path("out/01-table.png"))

For demonstrations and pictures; the app must be running in the same loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.input.motionevent import MotionEvent
from kivy.uix.behaviors import ButtonBehavior

from companion.files.atomic import put
from ui.app import CompanionApp

PATIENCE = 20.0
"""Seconds until it gives up on something that should have happened."""


class Touch(MotionEvent):
    """One touch of the window."""

    def __init__(self, window: Any, x: float, y: float) -> None:
        place = {"x": x / (window.width - 1), "y": y / (window.height - 1)}
        super().__init__("finger", 1, place, is_touch=True, type_id="touch")
        self.profile = ["pos"]

    def depack(self, args: dict[str, float]) -> None:
        """Where it is."""
        self.sx, self.sy = args["x"], args["y"]
        super().depack(args)

    def down(self) -> None:
        """Comes down."""
        EventLoop.post_dispatch_input("begin", self)

    def up(self) -> None:
        """Goes up again."""
        EventLoop.post_dispatch_input("end", self)


class Finger:
    """Raises LookupError, which lists what can be read, where a key isn't there."""

    def __init__(self, app: CompanionApp, window: Any) -> None:
        self.app = app
        self.window = window

    async def frames(self, count: int = 1) -> None:
        """Lets that many frames pass; as everywhere in Kivy one without a change isn't drawn."""
        for _ in range(count):
            passed = asyncio.Event()
            Clock.schedule_once(partial(_passed, passed))
            await asyncio.wait_for(passed.wait(), PATIENCE)

    async def until(self, true: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Waits until something is so; TimeoutError after so many seconds."""
        async with asyncio.timeout(seconds):
            while not true():  # noqa: ASYNC110 what is waited for tells nobody
                await asyncio.sleep(0.002)

    def widgets(self, within: Any = None) -> Iterator[Any]:
        """Everything on the screen, or on one part of it, the topmost first."""
        for root in self.window.children if within is None else [within]:
            yield from _topmost(root)

    def find(self, name: str, within: Any = None) -> Any:
        """The topmost key that is called so or says so."""
        for widget in self.widgets(within):
            if isinstance(widget, ButtonBehavior) and name in (
                getattr(widget, "name", None),
                getattr(widget, "text", None),
            ):
                return widget
        raise LookupError(f"there is no key {name!r}; the screen says {self.texts()}")

    def sees(self, name: str, within: Any = None) -> bool:
        """Whether there is a key of that name that can be touched."""
        try:
            return not getattr(self.find(name, within), "disabled", False)
        except LookupError:
            return False

    def texts(self) -> list[str]:
        """Every text that can be read now."""
        found = (getattr(widget, "text", "") for widget in self.widgets())
        return [text for text in dict.fromkeys(found) if text]

    async def tap(self, *names: str) -> None:
        """Touches one key after the other."""
        for name in names:
            await self.touch(self.find(name))

    async def touch(self, widget: Any) -> None:
        """Puts a finger on the middle of a widget and lifts it again."""
        self.down(widget, widget.center).up()
        await self.frames(2)  # what comes next must have its place before it can be touched

    def down(self, widget: Any, at: tuple[float, float]) -> Touch:
        """Puts a finger on a place of a widget, until the touch goes up."""
        touch = Touch(self.window, *widget.to_window(*at))
        touch.down()
        return touch

    async def photograph(self, file: Path) -> None:
        """Saves what the window shows as a PNG, exactly under this name."""
        taken: list[str] = []
        await self.frames(2)

        def take(*_: object) -> None:
            taken.append(self.window.screenshot(name=f"{folder}/taken.png"))
            self.window.unbind(on_flip=take)

        with TemporaryDirectory(prefix="companion-") as folder:  # Kivy gives it another name, and open rights
            self.window.bind(on_flip=take)
            self.window.canvas.ask_update()
            await self.until(lambda: bool(taken))
            _put(Path(taken[0]), file)


def _put(taken: Path, file: Path) -> None:
    put(file, taken.read_bytes())


def draw_what_is_looked_at(window: Any) -> None:
    """From now on only frames that somebody waits for are drawn: in software that is half of all the work."""
    draw = window.on_draw
    window.on_draw = lambda: draw() if window.get_property_observers("on_flip") else None


def _passed(frame: asyncio.Event, _: float) -> None:
    frame.set()


def _topmost(widget: Any) -> Iterator[Any]:
    for child in widget.children:
        yield from _topmost(child)
    yield widget
