"""The verb `screen`, which is also what `companion` does without a verb: the touchscreen.

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
from ui.journal import LOG, speak
from ui.kivy_env import Surface, Turn, prepare
from ui.starts import BLAMELESS, TOO_OFTEN, Starts

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

    from hardware.simulated.table import SimulatedTable
    from ui.app import CompanionApp
    from ui.evening.controller import TableController

MODEL = Path("/proc/device-tree/model")
SERVICE = "COMPANION_SERVICE"
"""Set to 1 by systemd/companion.service, which starts the companion again however it ends."""
TURN = "COMPANION_TURN"
"""Degrees: the service takes no arguments, but whoever built the box knows how its panel hangs."""
SIZE = re.compile(r"([1-9][0-9]{2,4})x([1-9][0-9]{2,4})")


def size(text: str) -> tuple[int, int]:
    """`800x480` as width and height in pixels."""
    found = SIZE.fullmatch(text)
    if found is None:
        raise ArgumentTypeError(f"write a size as WIDTHxHEIGHT in pixels, such as 800x480, not {text}")
    return int(found[1]), int(found[2])


def turn(text: str) -> Turn:
    """By how many degrees the picture is turned on a panel that hangs otherwise than it was made."""
    found: dict[str, Turn] = {str(turn): turn for turn in get_args(Turn)}
    if text not in found:
        raise ArgumentTypeError(f"the turn must be {', '.join(found)} degrees, not {text}")
    return found[text]


def display(wanted: tuple[int, int] | None, turned: Turn = 0) -> Surface:
    """A window of that size; on a Raspberry Pi the whole panel, unless a size is wanted."""
    if wanted is not None:
        return Surface(*wanted, rotation=turned)
    if MODEL.is_file() and "Raspberry Pi" in MODEL.read_text(errors="replace"):
        return Surface(touch="panel", fullscreen=True, rotation=turned)
    return Surface(rotation=turned)


def _arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.add_argument("--size", type=size, metavar="WxH", help="the size of the window, such as 800x480")
    parser.add_argument(
        "--turn",
        type=turn,
        metavar="DEGREES",
        default=os.environ.get(TURN, "0"),
        help=f"turn the picture and its touches by 90, 180 or 270 degrees (or set {TURN})",
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
    speak(service=os.environ.get(SERVICE) == "1")
    prepare(kivy_home(directory), display(args.size, args.turn))
    if not _has_window():
        from companion.store import Store

        Store.open(
            directory, for_writing=True
        ).close()  # says first what is wrong with the games, if anything is
        raise UserError(say("There is no display here. Play in the terminal: companion play GAME."))
    from kivy.clock import Clock

    from ui.supervisor import supervised

    starts = Starts(directory)
    with ExitStack() as opened:
        metal = opened.enter_context(_simulated()) if args.simulate else None
        app = table_app(directory, metal=metal, lang=args.lang, safe=args.safe)
        before = starts.begun()
        app.torn = before.torn
        app.settled = gc.freeze  # looking through what stays anyway would stop a touch for some frames
        app.unsound = before.in_a_row >= TOO_OFTEN and not args.safe
        Clock.schedule_once(lambda _: starts.forgive(), BLAMELESS)
        signal.signal(signal.SIGTERM, lambda *_: Clock.schedule_once(lambda _: app.stop()))
        supervised(app)
        app.run()
    starts.ended()
    LOG.info("ended normally")
    return 0


def _simulated() -> SimulatedTable:
    """The table that hardware.toml describes, without metal, worked from standard input."""
    from hardware.simulated.table import SimulatedTable, read_lines, run_lines
    from hardware.wiring import read_wiring

    metal = SimulatedTable(read_wiring())
    lines = read_lines(sys.stdin.fileno())
    Thread(target=run_lines, args=(metal, lines, _say), name="fingers", daemon=True).start()
    return metal


def _say(wrong: str) -> None:
    sys.stderr.write(f"{wrong}\n")


def table_app(
    directory: Path, metal: SimulatedTable | None = None, *, safe: bool = False, **kwargs: Any
) -> CompanionApp:
    """The app over the games in that directory and the devices of hardware.toml, or those of `metal`."""
    from ui.app import CompanionApp
    from ui.evening.home_snapshot import FILE
    from ui.screens.quit_flow import shut_down

    if metal is not None:
        kwargs["inputs"] = metal.inputs
        kwargs["drawer"] = _drawer(metal)
    controller = partial(_wired, directory) if metal is None else partial(_without_metal, directory, metal)
    safely = partial(_safe, directory)
    app = CompanionApp(
        safely if safe else controller, without_devices=partial(without_devices, directory), **kwargs
    )
    app.safely = safely
    app.seen_last = None if safe else directory / FILE
    if os.environ.get(SERVICE) == "1":
        app.leaving.shut_down = shut_down
    return app


# What an evening needs is loaded only when one is opened: home is drawn before.


def _wired(directory: Path) -> TableController:
    from companion.store import Store
    from hardware.wiring import read_wiring
    from ui.evening.controller import TableController

    wiring = read_wiring()  # first: what it raises must not leave the games taken
    return TableController(Store.open(directory, for_writing=True), wiring)


def without_devices(directory: Path) -> TableController:
    """The evening of that directory, by touch alone."""
    from companion.store import Store
    from ui.evening.controller import TableController

    return TableController(Store.open(directory, for_writing=True))


def _safe(directory: Path) -> TableController:
    from companion import installed_games

    installed_games.disable_third_party_games()
    controller = without_devices(directory)
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
    """What is drawn of that metal."""
    from ui.simulate.drawer import Drawer

    return lambda app: Drawer(app, metal)


def kivy_home(directory: Path) -> Path:
    """Kivy's own files lie in the state directory, or for this time only where that can't be written."""
    try:
        create_folder(directory / "kivy")
    except OSError:
        return Path(tempfile.mkdtemp(prefix="companion-"))
    return directory / "kivy"


def _has_window() -> bool:
    """Whether people can see a window here; SDL alone would draw one that nobody sees."""
    if not (has_display() or os.environ.get("SDL_VIDEODRIVER")):
        return False
    from kivy.core.window import Window

    return Window is not None


SCREEN = Subcommand(
    "Play on the touchscreen.", _arguments, _screen, ("companion", "companion screen --simulate")
)
