"""The subcommand `screen`, the default of `companion`: plays on the touchscreen.

Kivy loads only when the subcommand runs, after its environment is set.
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
from typing import TYPE_CHECKING, Any, get_args

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

MODEL_FILE = Path("/proc/device-tree/model")
SERVICE_ENV_VARIABLE = "COMPANION_SERVICE"
"""The environment variable that systemd/companion.service sets to 1.

The service restarts the companion however it ends.
"""
ROTATION_ENV_VARIABLE = "COMPANION_TURN"
"""The environment variable with the degrees by which the picture is turned.

The service takes no arguments, but a panel may hang turned.
"""
SIZE_PATTERN = re.compile(r"([1-9][0-9]{2,4})x([1-9][0-9]{2,4})")


def parse_window_size(text: str) -> tuple[int, int]:
    """Returns a text such as `800x480` as width and height in pixels."""
    found = SIZE_PATTERN.fullmatch(text)
    if found is None:
        raise ArgumentTypeError(f"write a size as WIDTHxHEIGHT in pixels, such as 800x480, not {text}")
    return int(found[1]), int(found[2])


def parse_rotation(text: str) -> ScreenRotation:
    """Returns the degrees by which the picture is turned."""
    found: dict[str, ScreenRotation] = {str(turn): turn for turn in get_args(ScreenRotation)}
    if text not in found:
        raise ArgumentTypeError(f"the turn must be {', '.join(found)} degrees, not {text}")
    return found[text]


def make_window_settings(size_px: tuple[int, int] | None, rotation: ScreenRotation = 0) -> WindowSettings:
    """Returns the settings for a window of that size.

    Without a size the window takes the whole panel on a Raspberry Pi.
    """
    if size_px is not None:
        return WindowSettings(*size_px, rotation=rotation)
    if MODEL_FILE.is_file() and "Raspberry Pi" in MODEL_FILE.read_text(errors="replace"):
        return WindowSettings(touch="panel", fullscreen=True, rotation=rotation)
    return WindowSettings(rotation=rotation)


def _arguments(parser: ArgumentParser) -> None:
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


def _screen(args: Namespace) -> int:
    directory = state_directory(args.state)
    configure_logging(is_service=os.environ.get(SERVICE_ENV_VARIABLE) == "1")
    configure_kivy(make_kivy_directory(directory), make_window_settings(args.size, args.turn))
    if not _has_window():
        from companion.store import Store

        Store.open(
            directory, for_writing=True
        ).close()  # says first what is wrong with the games, if anything is
        raise UserError(say("There is no display here. Play in the terminal: companion play GAME."))
    from kivy.clock import Clock

    from ui.supervisor import keep_systemd_notified

    starts = CrashCounter(directory)
    with ExitStack() as opened:
        metal = opened.enter_context(_simulated()) if args.simulate else None
        app = make_app(directory, simulated_table=metal, lang=args.lang, safe_mode=args.safe)
        before = starts.count_start()
        app.was_interrupted = before.was_interrupted
        app.after_loading = gc.freeze  # looking through what stays anyway would stop a touch for some frames
        app.offers_safe_mode = before.crashes_in_a_row >= MAX_CRASHES_IN_A_ROW and not args.safe
        Clock.schedule_once(lambda _: starts.reset_crash_count(), STABLE_AFTER_SECONDS)
        signal.signal(signal.SIGTERM, lambda *_: Clock.schedule_once(lambda _: app.stop()))
        keep_systemd_notified(app)
        app.run()
    starts.record_clean_exit()
    LOG.info("ended normally")
    return 0


def _simulated() -> SimulatedTable:
    """Returns the simulated devices of hardware.toml, worked by lines from standard input."""
    from hardware.simulated.table import SimulatedTable, read_lines, run_script_lines
    from hardware.wiring import read_machine_wiring

    metal = SimulatedTable(read_machine_wiring())
    lines = read_lines(sys.stdin.fileno())
    Thread(target=run_script_lines, args=(metal, lines, _say), name="fingers", daemon=True).start()
    return metal


def _say(wrong: str) -> None:
    sys.stderr.write(f"{wrong}\n")


def make_app(
    games_directory: Path,
    simulated_table: SimulatedTable | None = None,
    *,
    safe_mode: bool = False,
    **kwargs: Any,
) -> CompanionApp:
    """Makes the app for the games of a directory.

    The devices are those of hardware.toml or simulated ones.
    """
    from ui.app import CompanionApp
    from ui.evening.home_snapshot import SNAPSHOT_FILE_NAME
    from ui.screens.quit_flow import shut_down_machine

    if simulated_table is not None:
        kwargs["find_inputs"] = simulated_table.inputs
        kwargs["make_drawer"] = _drawer(simulated_table)
    controller = (
        partial(_wired, games_directory)
        if simulated_table is None
        else partial(_without_metal, games_directory, simulated_table)
    )
    safely = partial(_safe, games_directory)
    app = CompanionApp(
        safely if safe_mode else controller,
        without_devices=partial(make_controller_without_devices, games_directory),
        **kwargs,
    )
    app.open_safe_evening = safely
    app.home_snapshot_file = None if safe_mode else games_directory / SNAPSHOT_FILE_NAME
    if os.environ.get(SERVICE_ENV_VARIABLE) == "1":
        app.quit_flow.shut_down = shut_down_machine
    return app


# What an evening needs is loaded only when one is opened: home is drawn before.


def _wired(directory: Path) -> TableController:
    from companion.store import Store
    from hardware.wiring import read_machine_wiring
    from ui.evening.controller import TableController

    wiring = read_machine_wiring()  # first: what it raises must not leave the games taken
    return TableController(Store.open(directory, for_writing=True), wiring)


def make_controller_without_devices(directory: Path) -> TableController:
    """Makes a controller without devices, for play by touch alone.

    It has the games of a directory.
    """
    from companion.store import Store
    from ui.evening.controller import TableController

    return TableController(Store.open(directory, for_writing=True))


def _safe(directory: Path) -> TableController:
    from companion import installed_games

    installed_games.disable_third_party_games()
    controller = make_controller_without_devices(directory)
    controller.is_safe_mode = True
    return controller


def _without_metal(directory: Path, metal: SimulatedTable) -> TableController:
    from companion.store import Store
    from companion.tag_enrolment import taggable_decks_by_name
    from hardware.devices import Devices
    from hardware.simulated.tags import card_by_simulated_tag
    from ui.evening.controller import TableController

    devices = partial(Devices, clock=metal.clock, pins=metal.pins, spi=metal.open_reader, inputs=metal.inputs)
    tags = card_by_simulated_tag(taggable_decks_by_name(directory)).get
    store = Store.open(directory, for_writing=True)
    return TableController(store, metal.wiring, devices=devices, tags=tags)


def _drawer(metal: SimulatedTable) -> Callable[[CompanionApp], Widget]:
    """Returns a function that makes the drawer of these simulated devices."""
    from ui.simulate.drawer import SimulatedDevicesDrawer

    return lambda app: SimulatedDevicesDrawer(app, metal)


def make_kivy_directory(directory: Path) -> Path:
    """Makes the directory for Kivy's files, and returns it.

    The directory is in the state directory, or a temporary one.
    """
    try:
        create_folder(directory / "kivy")
    except OSError:
        return Path(tempfile.mkdtemp(prefix="companion-"))
    return directory / "kivy"


def _has_window() -> bool:
    """Returns whether there is a display; SDL alone would draw a window that nobody sees."""
    if not (has_display() or os.environ.get("SDL_VIDEODRIVER")):
        return False
    from kivy.core.window import Window

    return Window is not None


SCREEN = Subcommand(
    "Play on the touchscreen.", _arguments, _screen, ("companion", "companion screen --simulate")
)
