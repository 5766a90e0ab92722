"""Photographs every screen of a scripted evening on the real window, in all languages, sizes and plans.

At the look that is kept beside the sources, a whole evening is played by touch first (`EveningByTouch`). What
it doesn't show comes from the album, which begins games without a touch.
Contact sheets of the album, a page for each game, come with it (`scripts.contact`).

    .venv/bin/python -m scripts.screenshots [--size 800x480] [--lang CODE] [--flat] [--kept]

A process has one window, so each language and size gets a process of its own.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from typing import Any

from companion.languages import ENGLISH, languages
from companion.store import Store
from scripts import contact
from scripts.pictures import apng, photograph, png
from ui.kivy_env import WindowSettings, configure_kivy
from ui.screen import parse_window_size

LOOKS = (
    *((size, False) for size in ((800, 480), (1280, 720), (720, 1280), (1920, 1080), (480, 800))),
    *((size, True) for size in ((800, 480), (480, 800), (1280, 720), (720, 1280))),
)
"""Sizes of the window, and whether it lies flat among the cards."""
BY_TOUCH = {
    "auction": "auction",
    "payment": "payment",
    "score": "score",
    "home with an open game": "home",
    "players": "set-up",
    "more": "menu",
    "past games": "past",
    "a past game": "past-game",
    "players of the past": "regulars",
    "keyboard": "keyboard",
}
"""Pictures of the evening by touch that are kept with the sources, and by what name."""
BY_TOUCH_IN_ENGLISH = {
    "first start": "first-start",
    "hints 1": "hints",
    "podium": "podium",
    "sum": "sum",
    "chart": "chart",
    "code": "code",
    "gallery": "gallery",
    "money moves": "money",
    "bank": "bank",
    "a round": "round",
    "score sheet": "score-sheet",
    "what to do with it": "past-menu",
    "a player": "regular",
    "shut down": "shut-down",
}
"""Pictures of the evening by touch that are kept in English only."""
CHOSEN = {
    "envelopes": "envelopes",
    "reveal": "reveal",
    "bidders Choose Round  bid on a card or pass 12": "bidders",
    "high_bid Raise 12": "high_bid",
    "mammon Choose  a card or pass 1": "mammon",
    "oyakata Choose Night what does an employee do 12": "oyakata",
    "who sits where": "placing",
    "service": "service",
    "devices": "devices",
    "any game": "any-game",
}
"""Pictures of the album that are kept: the rest can be made again at any time."""
IN_ENGLISH = {
    "rules": "rules",
    "clocks": "clocks",
    "settings": "settings",
    "limits": "limits",
    "a limit": "limit",
    "decks": "decks",
    "cards": "cards",
    "a card": "card",
    "learning": "learning",
    "printed": "values",
    "a board": "board",
    "templates": "templates",
    "a template": "template",
    "a template of our own": "own-template",
    "a piece of a template": "template-piece",
    "paying": "paying",
    "an amount": "pay",
    "movements": "journal",
    "by hand": "by-hand",
    "count cards": "count-cards",
    "history": "history",
    "event": "event",
    "amend": "amend",
    "people": "people",
    "before a player": "player-sheet",
    "under the hand": "private",
    "cover": "cover",
    "entering": "entering",
    "past a reveal": "past-reveal",
    "waiting games": "waiting",
    "a date": "date",
    "demo invites": "demo",
    "12 people play": "twelve",
    "high_bid Read Auction  turn up card 12": "choosing",
    "high_bid Roll Auction  sale  roll both dice 1": "dice",
}
"""Pictures of the album that are kept in English only."""
FILM = "sealed-bid"
"""What the moving picture is called."""
KEPT = (800, 480)
"""The look that is kept, standing; it is drawn without the grain of felt and paper, for small files."""


class Pictures:
    """Numbered files in the folder that was asked for; the chosen ones go beside the sources too."""

    def __init__(
        self, finger: Any, args: Namespace, chosen: Mapping[str, str], chosen_in_english: Mapping[str, str]
    ) -> None:
        """`chosen` and `chosen_in_english` name the files of what is kept."""
        self._finger, self._args = finger, args
        self._chosen = {**chosen, **(chosen_in_english if args.lang == ENGLISH else {})}
        self._taken: list[str] = []
        self.prepare: Callable[[str, Any], Awaitable[None]] | None = None
        """Called with what is photographed and the finger, before each picture."""

    async def take(self, what: str) -> None:
        """What the window shows now."""
        self._taken.append(what)
        if self._args.kept and what not in self._chosen:
            await self._finger.wait_frames(2)  # the album goes on as if it had been taken
            return
        lang, (width, height) = self._args.lang, self._finger.window.size
        look = f"{lang}-{width}x{height}{'-flat' if self._args.flat else ''}"
        file = self._args.out / f"{len(self._taken):02} {what} {look}.png"
        if self.prepare is not None:
            await self.prepare(what, self._finger)
        await self._finger.wait_frames(2)
        await self._finger.wait_until(lambda: not self._do_coins_slide())
        await self._finger.save_screenshot(file)
        if what in self._chosen and is_kept(self._args):
            self.keep(self._chosen[what], png(photograph(file)))

    def _do_coins_slide(self) -> bool:
        """Returns whether coins slide over the table, which may hide a number."""
        widgets = self._finger.walk_widgets_from_top()
        return any(type(widget).__name__ == "SlidingCoins" for widget in widgets)

    def keep(self, name: str, picture: bytes) -> None:
        """Puts a picture beside the sources."""
        self._args.chosen.mkdir(parents=True, exist_ok=True)
        (
            self._args.chosen / f"{name}{'' if self._args.lang == ENGLISH else '-' + self._args.lang}.png"
        ).write_bytes(picture)

    @property
    def missing(self) -> list[str]:
        """The chosen ones of which there was no such moment: a question is called otherwise now."""
        return sorted(self._chosen.keys() - set(self._taken))


def documented() -> list[str]:
    """Returns the languages that have pages in `docs`, and so pictures on them."""
    return [code for code in languages() if code == ENGLISH or Path("docs", code).is_dir()]


def is_kept(args: Namespace) -> bool:
    """Whether pictures of this look are kept beside the sources."""
    return bool(args.size == KEPT and not args.flat and args.lang in documented())


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="screenshots")
    parser.add_argument("--out", type=Path, default=Path("out/screens"), metavar="DIR", help="where they go")
    parser.add_argument(
        "--chosen", type=Path, default=Path("docs/screens"), metavar="DIR", help="where a few are kept"
    )
    parser.add_argument(
        "--size", type=parse_window_size, metavar="WxH", help="only at that size, such as 800x480"
    )
    parser.add_argument("--lang", choices=[*languages()], help="only in that language")
    parser.add_argument(
        "--flat", action="store_true", help="only lying flat; with --size standing without it"
    )
    parser.add_argument("--kept", action="store_true", help="only what is kept beside the sources")
    return parser.parse_args()


def main() -> int:
    """Photographs what was asked for; the exit status."""
    args = _arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    if args.size and args.lang:
        with tempfile.TemporaryDirectory(prefix="companion-") as folder:
            _prepare(Path(folder), args.size)
            missing = asyncio.run(_taken(Path(folder), args))
        for what in missing:
            print(f"no picture is called {what!r} any more: see CHOSEN", file=sys.stderr)
        return int(bool(missing))
    looks = [(args.size, args.flat)] if args.size else [look for look in LOOKS if look[1] or not args.flat]
    langs = [*languages()]
    if args.kept:
        looks, langs = [(KEPT, False)], documented()
    every = product(looks, [args.lang] if args.lang else langs)
    status = max(_in_a_process_of_its_own(args, size, flat, lang) for (size, flat), lang in every)
    print(*contact.write(args.out), sep="\n")
    return status


def _in_a_process_of_its_own(args: Namespace, size: tuple[int, int], flat: object, lang: str) -> int:
    places = ["--out", str(args.out), "--chosen", str(args.chosen)]
    wanted = ["--size", f"{size[0]}x{size[1]}", "--lang", lang, *(["--flat"] if flat else [])]
    wanted += ["--kept"] if args.kept else []
    command = [sys.executable, "-m", "scripts.screenshots", *places, *wanted]
    return subprocess.run(command, check=False).returncode


def _prepare(folder: Path, size: tuple[int, int]) -> None:
    os.environ["SDL_VIDEODRIVER"], os.environ["SDL_AUDIODRIVER"] = "offscreen", "dummy"
    configure_kivy(folder / "kivy", WindowSettings(*size, touch="none"))
    from kivy.config import Config

    from ui import theme

    Config.set("graphics", "maxfps", "0")
    Config.set("graphics", "min_state_time", "0")  # else a key looks pressed after the touch
    theme.IGNORED_REPEATED_TOUCH_SECONDS = 0.0


async def _taken(folder: Path, args: Namespace) -> list[str]:
    """Photographs the evening by touch and the album; returns which chosen pictures are missing."""
    if not is_kept(args):
        return await _photograph_album(folder, args)
    _draw_without_grain()
    return [*await _photograph_evening(folder, args), *await _photograph_album(folder, args)]


def _draw_without_grain() -> None:
    """Leaves out the grain of felt and paper, which makes files large."""
    import kivy.core.window  # noqa: F401 - a texture needs a window

    from ui.widgets.drawing.surfaces import make_grain_texture

    make_grain_texture().blit_buffer(bytes(2 * 128 * 128), colorfmt="luminance_alpha", bufferfmt="ubyte")


async def _photograph_evening(folder: Path, args: Namespace) -> list[str]:
    """Photographs a whole evening by touch, from the first start until the machine is shut down."""
    from scripts.album import FEW, people
    from scripts.evening_by_touch import EveningByTouch

    app = _make_app(folder / "evening", args)
    app.asks_first_questions = True
    app.quit_flow.shut_down_machine = lambda: ""
    async with _running(app) as finger:
        args = Namespace(**{**vars(args), "out": args.out / "evening"})
        args.out.mkdir(parents=True, exist_ok=True)
        pictures = Pictures(finger, args, BY_TOUCH, BY_TOUCH_IN_ENGLISH)
        await EveningByTouch(app, finger, pictures.take, people(args.lang)[:FEW]).play()
    return pictures.missing


async def _photograph_album(folder: Path, args: Namespace) -> list[str]:
    """Photographs every screen, and what is kept as a film."""
    from scripts.album import CROWDS, Album, people
    from scripts.film import Film
    from scripts.workbench import Workbench

    app = _make_app(folder / "state", args)
    async with _running(app) as finger:
        app.controller.change_setting("placement", "flat" if args.flat else "standing")
        workbench = Workbench(folder, app.controller)
        pictures = Pictures(finger, args, CHOSEN, IN_ENGLISH)
        pictures.prepare = workbench.prepare
        album = Album(app, finger, pictures.take)
        await (album.fill(crowds=CROWDS[-1:], templates=()) if args.kept else album.fill())
        if is_kept(args):
            shots = await Film(app, finger, people(args.lang)[:3]).evening()
            pictures.keep(FILM, apng(shots[-1].picture, shots))
    workbench.close()
    return pictures.missing


def _make_app(state: Path, args: Namespace) -> Any:
    from ui.app import CompanionApp
    from ui.evening.controller import TableController

    return CompanionApp(lambda: TableController(Store.open(state, for_writing=True)), lang=args.lang)


@asynccontextmanager
async def _running(app: Any) -> AsyncIterator[Any]:
    """Runs an app, and gives a finger for its window."""
    from kivy.core.window import Window

    from ui.demo.hand import SimulatedFinger, draw_only_awaited_frames

    draw_only_awaited_frames(Window)
    running = asyncio.create_task(app.async_run("asyncio"))
    finger = SimulatedFinger(app, Window)
    await finger.wait_frames(3)
    yield finger
    app.stop()
    await asyncio.wait({running})


if __name__ == "__main__":
    sys.exit(main())
