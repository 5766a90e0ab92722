"""The subcommand `screen`, the default of `companion`: plays on the touchscreen.

Kivy is imported only when the subcommand runs, after its environment is set.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
import tempfile
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, NoReturn, get_args

from companion.errors import UserError
from companion.files.regular_files import create_folder
from companion.files.state_directory import state_directory
from companion.subcommand import Subcommand, add_language_argument, add_state_argument, has_display
from companion.texts import say
from ui.journal import LOG, configure_logging
from ui.kivy_env import ScreenRotation, WindowSettings, configure_kivy
from ui.starts import MAX_CRASHES_IN_A_ROW, STABLE_AFTER_SECONDS, CrashCounter

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

    from hardware.simulated.table import SimulatedTable
    from ui.app import CompanionApp
    from ui.evening.controller import TableController
    from ui.idle_dimmer import IdleDimmer

MACHINE_MODEL_FILE = Path("/proc/device-tree/model")
SERVICE_ENV_VARIABLE = "COMPANION_SERVICE"
"""The environment variable that systemd/companion.service sets to 1.

The service restarts the companion however it ends.
"""
ROTATION_ENV_VARIABLE = "COMPANION_TURN"
"""The environment variable with the degrees by which the picture is turned.

The service is started without arguments, but its panel may be mounted turned.
"""
WINDOW_SIZE_PATTERN = re.compile(r"([1-9][0-9]{2,4})x([1-9][0-9]{2,4})")


def parse_window_size(text: str) -> tuple[int, int]:
    """Parses a text such as `800x480`; returns width and height in pixels."""
    match = WINDOW_SIZE_PATTERN.fullmatch(text)
    if match is None:
        raise ArgumentTypeError(f"write a size as WIDTHxHEIGHT in pixels, such as 800x480, not {text}")
    return int(match[1]), int(match[2])


def parse_rotation(text: str) -> ScreenRotation:
    """Parses the degrees by which the picture is turned."""
    rotation_by_text: dict[str, ScreenRotation] = {str(turn): turn for turn in get_args(ScreenRotation)}
    if text not in rotation_by_text:
        raise ArgumentTypeError(f"the turn must be {', '.join(rotation_by_text)} degrees, not {text}")
    return rotation_by_text[text]


def make_window_settings(size_px: tuple[int, int] | None, rotation: ScreenRotation = 0) -> WindowSettings:
    """Returns the settings for a window of a size; without a size it fills the panel of a Raspberry Pi."""
    if size_px is not None:
        return WindowSettings(*size_px, rotation=rotation)
    if MACHINE_MODEL_FILE.is_file() and "Raspberry Pi" in MACHINE_MODEL_FILE.read_text(errors="replace"):
        return WindowSettings(touch="panel", fullscreen=True, rotation=rotation)
    return WindowSettings(rotation=rotation)


def _add_arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.add_argument(
        "--size", type=parse_window_size, metavar="WxH", help="the size of the window, such as 800x480"
    )
    parser.add_argument(
        "--turn",
        type=parse_rotation,
        metavar="DEGREES",
        default=os.environ.get(ROTATION_ENV_VARIABLE, "0"),
        help=f"turn the picture and its touches by 90, 180 or 270 degrees (or set {ROTATION_ENV_VARIABLE})",
    )
    add_language_argument(parser, "the language of the screen (default: the last language used)")
    parser.add_argument(
        "--simulate",
        action="store_true",
        help="without real devices: type presses such as `2 plus` and cards such as `market lay 04A2B3C4`",
    )
    parser.add_argument(
        "--safe",
        action="store_true",
        help="start in safe mode: without devices, added games and settings, but with all saved games",
    )


def _run_screen(args: Namespace) -> int:
    directory = state_directory(args.state)
    configure_logging(is_service=os.environ.get(SERVICE_ENV_VARIABLE) == "1")
    window = make_window_settings(args.size, args.turn)
    configure_kivy(make_kivy_directory(directory), window)
    if not _has_window():
        _refuse_without_display(directory)
    from kivy.clock import Clock

    from ui.supervisor import keep_systemd_notified

    starts = CrashCounter(directory)
    with ExitStack() as resources:
        simulated_table = resources.enter_context(_start_simulated_table()) if args.simulate else None
        app = make_app(directory, simulated_table=simulated_table, lang=args.lang, safe_mode=args.safe)
        app.dimmer = _make_dimmer()
        previous_starts = starts.count_start()
        app.reopens_game_after_crash = previous_starts.was_interrupted
        app.asks_first_questions = args.lang is None and not args.simulate
        # Collecting objects that stay in memory anyway would stop a touch for some frames.
        app.after_loading = gc.freeze
        app.offers_safe_mode = previous_starts.crashes_in_a_row >= MAX_CRASHES_IN_A_ROW and not args.safe
        Clock.schedule_once(lambda _: starts.reset_crash_count(), STABLE_AFTER_SECONDS)
        signal.signal(signal.SIGTERM, lambda *_: Clock.schedule_once(lambda _: app.stop()))
        keep_systemd_notified(app)
        app.run()
    starts.record_clean_exit()
    LOG.info("ended normally")
    return 0


def _refuse_without_display(directory: Path) -> NoReturn:
    """Raises the error that there is no display; if something is wrong with the games, that comes first."""
    from companion.store import Store

    Store.open(directory, for_writing=True).close()
    raise UserError(say("There is no display here. Play in the terminal: companion play GAME."))


def _make_dimmer() -> IdleDimmer:
    """Returns what dims the screen; only the service changes a panel, so that of a desktop stays as it is."""
    from hardware.backlight import find_backlight
    from ui.idle_dimmer import IdleDimmer
    from ui.screen_light import ScreenLight

    return IdleDimmer(ScreenLight(find_backlight() if os.environ.get(SERVICE_ENV_VARIABLE) == "1" else None))


def _start_simulated_table() -> SimulatedTable:
    """Returns the simulated devices of hardware.toml; a thread runs the lines of standard input on them."""
    from hardware.simulated.table import SimulatedTable, read_lines, run_script_lines
    from hardware.wiring import read_machine_wiring

    simulated_table = SimulatedTable(read_machine_wiring())
    lines = read_lines(sys.stdin.fileno())
    Thread(
        target=run_script_lines, args=(simulated_table, lines, _print_error), name="fingers", daemon=True
    ).start()
    return simulated_table


def _print_error(message: str) -> None:
    sys.stderr.write(f"{message}\n")


def make_app(
    games_directory: Path,
    simulated_table: SimulatedTable | None = None,
    *,
    safe_mode: bool = False,
    **kwargs: Any,
) -> CompanionApp:
    """Makes the app for the games of a directory, with the devices of hardware.toml or simulated ones."""
    from hardware.system_clock import set_system_clock
    from ui.app import CompanionApp
    from ui.evening.home_snapshot import SNAPSHOT_FILE_NAME
    from ui.screens.quit_flow import shut_down_machine

    if simulated_table is not None:
        kwargs["find_inputs"] = simulated_table.inputs
        kwargs["make_drawer"] = _make_drawer_maker(simulated_table)
    make_controller = (
        partial(_make_controller, games_directory)
        if simulated_table is None
        else partial(_make_simulated_controller, games_directory, simulated_table)
    )
    make_safe_controller = partial(_make_safe_controller, games_directory)
    app = CompanionApp(
        make_safe_controller if safe_mode else make_controller,
        without_devices=partial(make_controller_without_devices, games_directory),
        **kwargs,
    )
    app.open_safe_evening = make_safe_controller
    app.home_snapshot_file = None if safe_mode else games_directory / SNAPSHOT_FILE_NAME
    if os.environ.get(SERVICE_ENV_VARIABLE) == "1":
        app.quit_flow.shut_down_machine = shut_down_machine
        app.set_system_clock = set_system_clock
    return app


# These functions import what an evening needs only when they are called, because home is drawn before.


def _make_controller(directory: Path) -> TableController:
    from companion.store import Store
    from hardware.wiring import read_machine_wiring
    from ui.evening.controller import TableController

    wiring = read_machine_wiring()  # it may raise, so it comes before the store, which would stay locked
    return TableController(Store.open(directory, for_writing=True), wiring)


def make_controller_without_devices(directory: Path) -> TableController:
    """Makes a controller for the games of a directory without devices, for play by touch alone."""
    from companion.store import Store
    from ui.evening.controller import TableController

    return TableController(Store.open(directory, for_writing=True))


def _make_safe_controller(directory: Path) -> TableController:
    from companion import installed_games

    installed_games.disable_third_party_games()
    controller = make_controller_without_devices(directory)
    controller.is_safe_mode = True
    return controller


def _make_simulated_controller(directory: Path, simulated_table: SimulatedTable) -> TableController:
    from companion.store import Store
    from companion.tag_enrolment import taggable_decks_by_name
    from hardware.devices import Devices
    from hardware.simulated.tags import card_by_simulated_tag
    from ui.evening.controller import TableController

    devices = partial(
        Devices,
        clock=simulated_table.clock,
        pins=simulated_table.pins,
        spi=simulated_table.open_reader,
        inputs=simulated_table.inputs,
    )
    tags = card_by_simulated_tag(taggable_decks_by_name(directory)).get
    store = Store.open(directory, for_writing=True)
    return TableController(store, simulated_table.wiring, devices=devices, tags=tags)


def _make_drawer_maker(simulated_table: SimulatedTable) -> Callable[[CompanionApp], Widget]:
    """Returns a function that makes the drawer of these simulated devices."""
    from ui.simulate import SimulatedDevicesDrawer

    return lambda app: SimulatedDevicesDrawer(app, simulated_table)


def make_kivy_directory(directory: Path) -> Path:
    """Makes the directory for Kivy's files, in the state directory or else a temporary one; returns it."""
    try:
        create_folder(directory / "kivy")
    except OSError:
        return Path(tempfile.mkdtemp(prefix="companion-"))
    return directory / "kivy"


def _has_window() -> bool:
    """Returns whether there is a display; without one SDL would draw a window that nobody sees."""
    if not (has_display() or os.environ.get("SDL_VIDEODRIVER")):
        return False
    from kivy.core.window import Window

    return Window is not None


SCREEN = Subcommand(
    "Play on the touchscreen.", _add_arguments, _run_screen, ("companion", "companion screen --simulate")
)
