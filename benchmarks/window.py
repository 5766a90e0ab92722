"""One real window, off screen, in a process of its own: `python -m benchmarks.window WHAT SHOWN FOLDER`.

WHAT is start (prints the monotonic second of the first frame), ready (of when home can be used), idle (the
processor's percent while nothing happens) or touch (milliseconds of each answer, and of each frame drawn
again).
SHOWN is bare (an empty Kivy App), home or play.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic, perf_counter, process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ui.app import CompanionApp
    from ui.demo.hand import SimulatedFinger

SETTLE, IDLE = 2.0, 10.0
"""Seconds until a window counts as idle, and for how long it is watched."""
ANSWERS, STILL = 120, 0.4
"""Number of answers by touch, and the seconds without a movement before each."""
PATIENCE = 10.0
"""Seconds until a frame must be drawn."""
NAMES, COLOURS = ("Aki", "Ben", "Chie", "Dai"), ("orange", "sky", "green", "vermilion", "purple")


def bare(folder: Path) -> Any:
    """Kivy's own App, with nothing in it."""
    os.environ.update(KIVY_HOME=str(folder), KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1")
    from kivy.app import App

    return App()


def ours(folder: Path) -> CompanionApp:
    """Builds the app as the subcommand `screen` does."""
    from ui.kivy_env import WindowSettings, configure_kivy
    from ui.screen import make_app

    configure_kivy(folder / "kivy", WindowSettings())
    return make_app(folder / "state")


def begin(app: CompanionApp, names: Sequence[str] = NAMES) -> None:
    """Puts a match of Egypt on the screen."""
    app.controller.start_new_game("egypt", names, COLOURS, {})


def start(app: Any) -> None:
    """Ends with the first frame."""
    from kivy.core.window import Window

    def drawn(_window: object) -> None:
        now = monotonic()
        Window.unbind(on_flip=drawn)
        print(now)
        app.stop()

    app.bind(on_start=lambda _: Window.bind(on_flip=drawn))
    app.run()


def ready(app: Any) -> None:
    """Ends when home is there with all that can be reached from it."""
    from kivy.clock import Clock

    def look(_seconds: float) -> None:
        if hasattr(app, "table_flow"):
            print(monotonic())
            app.stop()

    Clock.schedule_interval(look, 0)
    app.run()


def idle(app: Any, prepared: Callable[[Any], None]) -> None:
    """Ends after some seconds in which nobody does anything."""
    from kivy.clock import Clock

    def watch(_seconds: float) -> None:
        busy, began = process_time(), monotonic()

        def told(_seconds: float) -> None:
            print(100 * (process_time() - busy) / (monotonic() - began))
            app.stop()

        Clock.schedule_once(told, IDLE)

    def began(_app: object) -> None:  # gives nothing: what is true would keep the app from beginning
        Clock.schedule_once(lambda _: prepared(app), 1.0)
        Clock.schedule_once(watch, SETTLE)

    app.bind(on_start=began)
    app.run()


async def touch(app: CompanionApp) -> None:
    """Runs the app and a finger that plays on it."""
    import asyncio
    import json

    from kivy.core.window import Window

    from ui import theme
    from ui.demo.hand import SimulatedFinger

    theme.IGNORED_REPEATED_TOUCH_SECONDS = 0.0  # this finger never slips: no touch comes twice
    running = asyncio.create_task(app.async_run("asyncio"))
    finger = SimulatedFinger(app, Window)
    await finger.wait_until(lambda: hasattr(app, "table_flow"))
    try:
        print(json.dumps(await played(app, finger)))
    finally:
        app.stop()
        await asyncio.wait({running})


async def played(app: CompanionApp, finger: SimulatedFinger) -> dict[str, list[float]]:
    """The recorded match by touch: from the last key until the next question is drawn, and that again."""
    import asyncio

    from companion.log.events import Answered, Began
    from companion.log.timeline import build_timeline
    from companion.recorded_match import load_recorded_events

    events = load_recorded_events("egypt")
    began = events[0]
    assert isinstance(began, Began)
    begin(app, began.names)
    taken: dict[str, list[float]] = {"answers": [], "frames": []}
    for step in build_timeline(events).steps[:ANSWERS]:
        assert isinstance(step, Answered)
        await asyncio.sleep(STILL)
        await finger.wait_until(lambda: not app.stage.has_overlay)  # a result that covers the keys
        taken["answers"].append(await one_answer(app, finger, step.answer))
        await asyncio.sleep(STILL)
        taken["frames"].append(await one_frame(finger))
    return taken


async def one_answer(app: CompanionApp, finger: SimulatedFinger, answer: object) -> float:
    """Milliseconds for one answer; those of a longer one are counted from its last key."""
    import asyncio

    from ui.demo.hand import SimulatedTouch
    from ui.demo.presses import button_names_for_answer

    question, n = app.controller.view.question, app.controller.view.question_number
    *first, last = button_names_for_answer(question.form, answer)
    for key in first:
        await finger.tap_buttons(key)
        await asyncio.sleep(STILL)
    widget = finger.find_button(last)
    touch = SimulatedTouch(finger.window, *widget.to_window(*widget.center))
    touch.send_touch_down()
    took = await until_drawn(finger.window, touch.send_touch_up)
    assert app.controller.view.question_number == n + 1, (
        f"{last} did not answer question {n}: {finger.visible_texts()}"
    )
    await finger.wait_frames(2)  # what comes next must have its place before it can be touched
    return took


async def one_frame(finger: SimulatedFinger) -> float:
    """Milliseconds to draw what is shown once more: all of it, though nothing has changed."""
    return await until_drawn(finger.window, finger.window.canvas.ask_update)


async def until_drawn(window: Any, do: Callable[[], object]) -> float:
    """Milliseconds from when that is done until the window shows what came of it.

    It is done at a tick, when devices are read: between two of them a touch would wait for the next, which
    takes up to a sixtieth of a second by nothing but the length of the pause before it. The frame counts as
    drawn when its last pixel is: without a graphics chip that takes longer than all the rest.
    """
    import asyncio

    from kivy.clock import Clock
    from kivy.graphics.opengl import glFinish

    drawn, began = asyncio.Event(), 0.0

    def shown(_window: object) -> None:
        window.unbind(on_flip=shown)
        glFinish()
        drawn.set()

    def begin(_seconds: float) -> None:
        nonlocal began
        began = perf_counter()
        do()
        window.bind(on_flip=shown)

    Clock.schedule_once(begin, 0)
    await asyncio.wait_for(drawn.wait(), PATIENCE)  # a touch that changes nothing draws nothing
    return (perf_counter() - began) * 1e3


def main(what: str, shown: str, folder: str) -> None:
    """Measures one thing."""
    os.environ.update(SDL_VIDEODRIVER="offscreen", KIVY_WINDOW="sdl2")
    app = bare(Path(folder)) if shown == "bare" else ours(Path(folder))
    if what in ("start", "ready"):
        {"start": start, "ready": ready}[what](app)
    elif what == "idle":
        idle(app, begin if shown == "play" else lambda _: None)
    else:
        import asyncio

        asyncio.run(touch(app))


if __name__ == "__main__":
    main(*sys.argv[1:])
