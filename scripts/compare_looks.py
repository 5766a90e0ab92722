"""Takes pictures of recorded matches before and after a change, and compares them pixel by pixel.

    .venv/bin/python -m scripts.compare_looks take out/before
    .venv/bin/python -m scripts.compare_looks take out/after
    .venv/bin/python -m scripts.compare_looks compare out/before out/after

The clocks stand still, so that two runs of one version take equal pictures. A look (size, placement and
language) takes about 40 seconds, in a process of its own, because a process has one window. `take` also
prints how long the play screen took to arrange its widgets. `compare` writes each picture that differs as
two PNG files into the second folder.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import zlib
from argparse import ArgumentParser, Namespace
from functools import wraps
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from companion.clocks import parse_clocks
from companion.log.events import Began, Corrected
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.requests import Together
from companion.rules.game import NO_NUMBER_WORD
from companion.session.session import NO_CLOCKS
from companion.store import Store
from companion.table.seats import SEAT_COLOURS
from scripts.album import people
from scripts.pictures import Picture, png
from ui.kivy_env import WindowSettings, configure_kivy
from ui.screen import parse_window_size


class Look(NamedTuple):
    """Size of the window, whether it lies flat among the cards, and the language."""

    width: int
    height: int
    is_flat: bool
    lang: str

    @property
    def name(self) -> str:
        """The name of the folder for its pictures, such as `800x480-flat-en`."""
        return f"{self.width}x{self.height}{'-flat' if self.is_flat else ''}-{self.lang}"


LOOKS = (
    Look(800, 480, is_flat=False, lang="en"),
    Look(480, 800, is_flat=False, lang="ja"),
    Look(800, 480, is_flat=True, lang="ja"),
    Look(1280, 720, is_flat=False, lang="en"),
)
GAMES = ("egypt", "mammon", "high_bid", "bidders", "oyakata")
"""Games whose recorded match is played."""
CLOCKS = {"high_bid": "turn=1:30, budget=20:00, game=up", "oyakata": "turn=0:09"}
"""Clocks of the games that have some; all stand still."""
EVERY, MAX_ANSWERS = 3, 90
"""A picture is taken before every third answer, up to this number of answers."""
CROWDS = (8, 12)
"""Numbers of people at the large tables."""
BIDS = (3, 6, 9, 12, 15)
"""First bids of the auction at a large table."""
CHANNELS = 3


class Shots:
    """Plays the matches in one window and writes its pixels, compressed, into a folder."""

    def __init__(self, app: Any, finger: Any, folder: Path) -> None:
        self._app, self._finger, self._folder = app, finger, folder
        self._count = 0

    async def play_all(self, games: tuple[str, ...]) -> int:
        """Plays every recorded match and the large tables. Returns the number of pictures."""
        for game in games:
            await self._play(game)
        for crowd in CROWDS:
            await self._play_crowd(crowd)
        return self._count

    async def _play(self, game: str) -> None:
        controller, events = self._app.controller, load_recorded_events(game)
        began = events[0]
        assert isinstance(began, Began)
        names = people(self._app.lang)[: len(began.names)]
        options = {
            key: NO_NUMBER_WORD if value is None else str(value) for key, value in began.options.items()
        }
        clocks = parse_clocks(CLOCKS[game]) if game in CLOCKS else NO_CLOCKS
        controller.start_new_game(game, names, SEAT_COLOURS[: len(names)], options, clocks)
        answers = (step for step in build_timeline(events).steps if not isinstance(step, Corrected))
        for at, step in enumerate(islice(answers, MAX_ANSWERS)):
            question, n = controller.view.question, controller.view.question_number
            if at % EVERY == 0:
                await self._take(f"{game} {at}")
            if isinstance(question, Together):
                for seat in question.seats:
                    controller.seal_answer_in_envelope(n, seat, step.answer[str(seat.number)])
                self._app.table_flow.last_reveal_screen.close()
            else:
                controller.answer_question(n, step.answer)
        controller.leave_table()
        await self._finger.wait_frames(2)

    async def _play_crowd(self, crowd: int) -> None:
        """Plays an auction of Any Game, on the smaller table with clocks."""
        controller, names = self._app.controller, people(self._app.lang)[:crowd]
        clocks = parse_clocks(CLOCKS["high_bid"]) if crowd == CROWDS[0] else NO_CLOCKS
        controller.start_new_game("any_game", names, SEAT_COLOURS[:crowd], {"template": "train"}, clocks)
        await self._take(f"crowd {crowd} begins")
        for answer in ("auction", *BIDS):
            controller.answer_question(controller.view.question_number, answer)
            await self._take(f"crowd {crowd} {answer}")
        while controller.view.question.seat is not None:
            controller.answer_question(controller.view.question_number, None)
        await self._take(f"crowd {crowd} has bid")
        controller.leave_table()
        await self._finger.wait_frames(2)

    async def _take(self, name: str) -> None:
        """Writes the pixels of the next frame."""
        from kivy.core.window import Window
        from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels

        await self._finger.wait_frames(1)
        drawn, pixels = asyncio.Event(), list[bytes]()

        def keep(*_: object) -> None:
            pixels.append(bytes(glReadPixels(0, 0, *Window.size, GL_RGB, GL_UNSIGNED_BYTE)))
            Window.unbind(on_flip=keep)
            drawn.set()

        Window.bind(on_flip=keep)
        Window.canvas.ask_update()
        await asyncio.wait_for(drawn.wait(), 20)
        self._count += 1
        (self._folder / f"{self._count:03} {name}.z").write_bytes(zlib.compress(pixels[0], 1))


async def _run(look: Look, folder: Path, state: Path) -> None:
    from kivy.core.window import Window

    from ui import theme
    from ui.app import CompanionApp
    from ui.demo.hand import SimulatedFinger
    from ui.evening.controller import TableController
    from ui.screens import play

    theme.IGNORED_REPEATED_TOUCH_SECONDS, theme.reduced_motion = 0.0, True
    theme.RESULT_CARD_SECONDS = 0.0
    arrange, milliseconds = play.PlayScreen._place, list[float]()  # noqa: SLF001 what is measured

    @wraps(arrange)  # Kivy's clock looks the method up by its name
    def timed(screen: Any, seconds: float) -> None:
        began = process_time()
        arrange(screen, seconds)
        milliseconds.append((process_time() - began) * 1000)

    screen_class: Any = play.PlayScreen
    screen_class._place = timed  # noqa: SLF001 what is measured
    controller = TableController(Store.open(state, for_writing=True), seconds=lambda: 0.0)
    app = CompanionApp(lambda: controller, lang=look.lang)
    running = asyncio.create_task(app.async_run("asyncio"))
    finger = SimulatedFinger(app, Window)
    await finger.wait_frames(3)
    app.controller.change_setting("placement", "flat" if look.is_flat else "standing")
    count = await Shots(app, finger, folder).play_all(GAMES)
    app.stop()
    await asyncio.wait({running})
    print(f"{look.name}: {count} pictures, {len(milliseconds)} arrangements in {sum(milliseconds):.0f} ms")


def take(look: Look, folder: Path) -> None:
    """Takes all pictures of a look; the process must have no window yet."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(SDL_VIDEODRIVER="offscreen", SDL_AUDIODRIVER="dummy")
    with tempfile.TemporaryDirectory(prefix="companion-") as state:
        configure_kivy(Path(state) / "kivy", WindowSettings(look.width, look.height, touch="none"))
        asyncio.run(_run(look, folder, Path(state) / "state"))


def compare(before: Path, after: Path) -> int:
    """Compares the pictures of two folders and prints which differ. Returns how many."""
    old, new = ({file.relative_to(root): file for file in root.glob("*/*.z")} for root in (before, after))
    names = sorted(old.keys() | new.keys())
    different = [name for name in names if not _are_equal(old.get(name), new.get(name))]
    for name in different:
        files = [file for file in (old.get(name), new.get(name)) if file is not None]
        for word, file in zip(("before", "after"), files, strict=False):
            (after / name).with_suffix(f".{word}.png").write_bytes(png(_picture(file)))
        print(name)
    print(f"{len(old)} and {len(new)} pictures, {len(different)} differ")
    return len(different)


def _are_equal(one: Path | None, other: Path | None) -> bool:
    if one is None or other is None:
        return False
    return zlib.decompress(one.read_bytes()) == zlib.decompress(other.read_bytes())


def _picture(file: Path) -> Picture:
    """The picture, turned: pixels of the window come row by row from the bottom."""
    width, height = parse_window_size(file.parent.name.split("-")[0])
    pixels, row = zlib.decompress(file.read_bytes()), width * CHANNELS
    rows = [pixels[at : at + row] for at in range(0, len(pixels), row)]
    return Picture(width, height, b"".join(reversed(rows)))


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="compare_looks")
    todo = parser.add_subparsers(dest="todo", required=True)
    taking = todo.add_parser("take", help="take pictures")
    taking.add_argument("folder", type=Path, help="where they go")
    taking.add_argument("--look", choices=[look.name for look in LOOKS], help="only that look")
    comparing = todo.add_parser("compare", help="compare two folders")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    return parser.parse_args()


def main() -> int:
    """Takes or compares pictures. Returns the exit status."""
    args = _arguments()
    if args.todo == "compare":
        return int(compare(args.before, args.after) > 0)
    if args.look:
        look = next(look for look in LOOKS if look.name == args.look)
        take(look, args.folder / look.name)
        return 0
    command = [sys.executable, "-m", "scripts.compare_looks", "take", str(args.folder), "--look"]
    return max(subprocess.run([*command, look.name], check=False).returncode for look in LOOKS)


if __name__ == "__main__":
    sys.exit(main())
