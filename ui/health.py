"""The subcommand `health`: checks that this version starts, draws, and opens the game that was played last.

An update runs it before it switches over, with a copy of the games, as the copy is migrated.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Generator
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.evening import Evening
from companion.files.state_directory import state_directory
from companion.subcommand import Subcommand, add_state_argument, has_display
from companion.texts import render
from ui.kivy_env import WindowSettings, configure_kivy
from ui.screen import make_controller_without_devices, make_kivy_directory

if TYPE_CHECKING:
    from ui.app import CompanionApp

MAX_HEALTH_CHECK_FRAMES = 300
"""The most frames that the check draws; what isn't there by then never comes."""


def _arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)


def _health(args: Namespace) -> int:
    if not has_display():
        os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    directory = state_directory(args.state)
    configure_kivy(make_kivy_directory(directory), WindowSettings(touch="none"))
    from kivy.core.window import Window

    from ui.app import CompanionApp

    controller = make_controller_without_devices(directory)
    app, told = CompanionApp(lambda: controller), list[str]()
    walk = _walk(app, told)

    def drawn(_window: object) -> None:
        app.stage.canvas.ask_update()
        if next(walk, "over") == "over":
            app.stop()

    Window.bind(on_flip=drawn)
    app.run()
    if not told:
        return 1
    sys.stdout.write(f"OK: {'; '.join(told)}.\n")
    return 0


def _walk(app: CompanionApp, told: list[str]) -> Generator[None]:
    """One step a frame: home, then the open game."""
    for _ in range(MAX_HEALTH_CHECK_FRAMES):
        if app.pads is not None:
            break
        yield
    else:
        return
    told.append("the home screen draws")
    saved = app.controller.read_store(Evening.find_open_game, None)
    if saved is None:
        told.append("no game is open")
        return
    try:
        app.controller.continue_saved_game(saved)
    except CompanionError as error:
        told.append(f"the last game doesn't open: {render(error.text).rstrip('.')}")
        return
    yield
    yield
    told.append(f"{saved.game} draws at question {app.evening.current_session.question_number}")


HEALTH = Subcommand(
    "Check that this version starts, draws and opens the last game.",
    _arguments,
    _health,
    ("companion health",),
)
