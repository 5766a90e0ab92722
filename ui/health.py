"""The subcommand `health`: checks that this version starts, draws, and opens the game that was played last.

An update runs the subcommand before it switches to the new version, on a copy of the games, because the copy
is migrated.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Generator
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.files.state_directory import state_directory
from companion.subcommand import Subcommand, add_state_argument, has_display
from companion.texts import render
from ui.kivy_env import WindowSettings, configure_kivy
from ui.screen import make_controller_without_devices, make_kivy_directory

if TYPE_CHECKING:
    from ui.app import CompanionApp

MAX_FRAMES_UNTIL_HOME_IS_LOADED = 300
"""The most frames that the check waits for home to be loaded; then the check fails."""


def _add_arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)


def _check_health(args: Namespace) -> int:
    if not has_display():
        os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
    directory = state_directory(args.state)
    configure_kivy(make_kivy_directory(directory), WindowSettings(touch="none"))
    from kivy.core.window import Window

    from ui.app import CompanionApp

    controller = make_controller_without_devices(directory)
    app, results, faults = CompanionApp(lambda: controller), list[str](), list[str]()
    steps = _check_one_step_per_frame(app, results, faults)

    def take_step(_window: object) -> None:
        app.stage.canvas.ask_update()
        if next(steps, "over") == "over":
            app.stop()

    Window.bind(on_flip=take_step)
    app.run()
    if faults or not results:
        sys.stderr.writelines(f"{fault}\n" for fault in faults)
        return 1
    sys.stdout.write(f"OK: {'; '.join(results)}.\n")
    return 0


def _check_one_step_per_frame(app: CompanionApp, results: list[str], faults: list[str]) -> Generator[None]:
    """Checks home, then the open game, and adds what works and what doesn't; a step per frame."""
    for _ in range(MAX_FRAMES_UNTIL_HOME_IS_LOADED):
        if app.number_pads_flow is not None:
            break
        yield
    else:
        return
    results.append("the home screen draws")
    try:
        saved_game = app.evening.find_open_game()
        if saved_game is None:
            results.append("no game is open")
            return
        app.controller.continue_saved_game(saved_game)
    except CompanionError as error:
        faults.append(f"The last game doesn't open: {render(error.text)}")
        return
    yield
    yield
    results.append(f"{saved_game.game} draws at question {app.evening.current_session.question_number}")


HEALTH = Subcommand(
    "Check that this version starts, draws and opens the last game.",
    _add_arguments,
    _check_health,
    ("companion health",),
)
