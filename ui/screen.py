"""The subcommand `screen`, the default of `companion`: plays on the touchscreen.

Kivy loads only when it runs, after its environment is set.
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
SERVICE_VARIABLE = "COMPANION_SERVICE"
"""systemd/companion.service sets it to 1; the service restarts the companion however it ends."""
ROTATION_VARIABLE = "COMPANION_TURN"
"""Degrees by which the picture is turned. The service takes no arguments, but a panel may hang turned."""
SIZE_PATTERN = re.compile(r"([1-9][0-9]{2,4})x([1-9][0-9]{2,4})")


def parse_size(text: str) -> tuple[int, int]:
    """Returns `800x480` as width and height in pixels."""
    found = SIZE_PATTERN.fullmatch(text)
    if found is None:
        raise ArgumentTypeError(f"write a size as WIDTHxHEIGHT in pixels, such as 800x480, not {text}")
    return int(found[1]), int(found[2])


def parse_rotation(text: str) -> ScreenRotation:
    """Returns by how many degrees the picture is turned."""
    found: dict[str, ScreenRotation] = {str(turn): turn for turn in get_args(ScreenRotation)}
    if text not in found:
        raise ArgumentTypeError(f"the turn must be {', '.join(found)} degrees, not {text}")
    return found[text]


def window_settings(wanted: tuple[int, int] | None, turned: ScreenRotation = 0) -> WindowSettings:
    """Returns a window of the wanted size; without one, the whole panel on a Raspberry Pi."""
    if wanted is not None:
        return WindowSettings(*wanted, rotation=turned)
    if MODEL_FILE.is_file() and "Raspberry Pi" in MODEL_FILE.read_text(errors="replace"):
        return WindowSettings(touch="panel", fullscreen=True, rotation=turned)
    return WindowSettings(rotation=turned)


def _arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.add_argument(
        "--size", type=parse_size, metavar="WxH", help="the size of the window, such as 800x480"
    )
    parser.add_argument(
        "--turn",
        type=parse_rotation,
        metavar="DEGREES",
        default=os.environ.get(ROTATION_VARIABLE, "0"),
        help=f"turn the picture and its touches by 90, 180 or 270 degrees (or set {ROTATION_VARIABLE})",
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
    configure_logging(service=os.environ.get(SERVICE_VARIABLE) == "1")
    configure_kivy(kivy_directory(directory), window_settings(args.size, args.turn))
    if not _has_window():
        from companion.store import Store

        Store.open(
            directory, for_writing=True
        ).close()  # says first what is wrong with the games, if anything is
        raise UserError(say("There is no display here. Play in the terminal: companion play GAME."))
    from kivy.clock import Clock

    from ui.supervisor import notify_systemd

    starts = CrashCounter(directory)
    with ExitStack() as opened:
        metal = opened.enter_context(_simulated()) if args.simulate else None
        app = make_app(directory, metal=metal, lang=args.lang, safe=args.safe)
        before = starts.count_start()
        app.was_interrupted = before.was_interrupted
        app.when_ready = gc.freeze  # looking through what stays anyway would stop a touch for some frames
        app.offers_safe_mode = before.crashes_in_a_row >= MAX_CRASHES_IN_A_ROW and not args.safe
        Clock.schedule_once(lambda _: starts.reset(), STABLE_AFTER_SECONDS)
        signal.signal(signal.SIGTERM, lambda *_: Clock.schedule_once(lambda _: app.stop()))
        notify_systemd(app)
        app.run()
    starts.record_clean_exit()
    LOG.info("ended normally")
    return 0


def _simulated() -> SimulatedTable:
    """Returns the simulated devices of hardware.toml, worked by lines from standard input."""
    from hardware.simulated.table import SimulatedTable, read_lines, run_lines
    from hardware.wiring import read_wiring

    metal = SimulatedTable(read_wiring())
    lines = read_lines(sys.stdin.fileno())
    Thread(target=run_lines, args=(metal, lines, _say), name="fingers", daemon=True).start()
    return metal


def _say(wrong: str) -> None:
    sys.stderr.write(f"{wrong}\n")


def make_app(
    directory: Path, metal: SimulatedTable | None = None, *, safe: bool = False, **kwargs: Any
) -> CompanionApp:
    """Returns the app for the games of a directory, with the devices of hardware.toml or simulated ones."""
    from ui.app import CompanionApp
    from ui.evening.home_snapshot import SNAPSHOT_FILE
    from ui.screens.quit_flow import shut_down_machine

    if metal is not None:
        kwargs["inputs"] = metal.inputs
        kwargs["drawer"] = _drawer(metal)
    controller = partial(_wired, directory) if metal is None else partial(_without_metal, directory, metal)
    safely = partial(_safe, directory)
    app = CompanionApp(
        safely if safe else controller, without_devices=partial(open_without_devices, directory), **kwargs
    )
    app.open_safe_evening = safely
    app.snapshot_file = None if safe else directory / SNAPSHOT_FILE
    if os.environ.get(SERVICE_VARIABLE) == "1":
        app.quit_flow.shut_down = shut_down_machine
    return app


# What an evening needs is loaded only when one is opened: home is drawn before.


def _wired(directory: Path) -> TableController:
    from companion.store import Store
    from hardware.wiring import read_wiring
    from ui.evening.controller import TableController

    wiring = read_wiring()  # first: what it raises must not leave the games taken
    return TableController(Store.open(directory, for_writing=True), wiring)


def open_without_devices(directory: Path) -> TableController:
    """Opens the evening of a directory without devices, by touch alone."""
    from companion.store import Store
    from ui.evening.controller import TableController

    return TableController(Store.open(directory, for_writing=True))


def _safe(directory: Path) -> TableController:
    from companion import installed_games

    installed_games.disable_third_party_games()
    controller = open_without_devices(directory)
    controller.is_safe = True
    return controller


def _without_metal(directory: Path, metal: SimulatedTable) -> TableController:
    from companion.store import Store
    from companion.tag_enrolment import decks_with_tags
    from hardware.devices import Devices
    from hardware.simulated.tags import cards_by_simulated_tag
    from ui.evening.controller import TableController

    devices = partial(Devices, clock=metal.clock, pins=metal.pins, spi=metal.spi, inputs=metal.inputs)
    tags = cards_by_simulated_tag(decks_with_tags(directory)).get
    store = Store.open(directory, for_writing=True)
    return TableController(store, metal.wiring, devices=devices, tags=tags)


def _drawer(metal: SimulatedTable) -> Callable[[CompanionApp], Widget]:
    """Returns a function that makes the drawer of these simulated devices."""
    from ui.simulate.drawer import Drawer

    return lambda app: Drawer(app, metal)


def kivy_directory(directory: Path) -> Path:
    """Returns the directory for Kivy's own files: in the state directory, or a temporary one."""
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
