"""The verb `screenshots`: every screen of a scripted evening on the real window, in all languages and sizes.

A process has one window, so each language and size gets a process of its own.
Over 300 lines, because it is a list of all screens there are, each with the way to it.
"""

from __future__ import annotations

import asyncio
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from companion.cli import Verb
from companion.events import Answered, Began, Corrected, fold
from companion.game import NONE
from companion.logs import recorded
from companion.requests import Choose, Raise, Read, Together
from companion.requests.request import Asked
from companion.seats import Seat
from companion.store import Store
from companion.words import LANGUAGES
from ui.kivy_env import Display, prepare
from ui.screen import size

SIZES = ((800, 480), (1280, 720))
PEOPLE = {"en": ("Aki", "Ben", "Chie", "Dai"), "ja": ("アキ", "ベン", "ちえ", "大輔")}
COLOURS = ("orange", "sky", "green", "vermilion")
TOURED = ("bidders", "high_bid", "mammon", "oyakata")
"""Games of whose recorded match every kind of question is photographed."""
LATER = 12
"""When a question has been asked so often, much lies on the table."""
BIDS = (12, 7, 0, 9)
CHOSEN = {
    "auction": "auction",
    "payment": "payment",
    "envelopes": "envelopes",
    "reveal": "reveal",
    "score": "score",
    "bidders Choose Round  bid on a card or pass 12": "bidders",
    "high_bid Raise 12": "high_bid",
    "mammon Choose  a card or pass 1": "mammon",
    "oyakata Choose Night an employees action 12": "oyakata",
}
"""Which of them are kept with the sources, and by what name: the rest can be made anew at any time."""
KEPT_WIDTH = 800
WORTH_A_LOOK = 2
"""A payment above that takes more than one card."""
SHADE = 8
"""Of 256 shades those of the kept ones lie so far apart: the grain of the felt goes, nothing else."""
LONG = 3600.0
"""Seconds that a pause lasts while it is photographed."""


class Album:
    """One evening in one language at one size."""

    def __init__(self, app: Any, finger: Any, out: Path, chosen: Path) -> None:
        from ui import theme

        self.theme = theme
        self.app, self.finger, self.out, self.chosen = app, finger, out, chosen
        self.names = PEOPLE[app.lang]
        self._taken = 0

    async def fill(self) -> None:
        """All of it, from an empty shelf to the final score."""
        self.app.evening.remember("people", list(zip(self.names, COLOURS, strict=True)))
        await self._set_up()
        await self._egypt()
        await self._sealed()
        await self.finger.tap(self.app.tr(self.app.lang, "Leave it"))
        for game in TOURED:
            await self._tour(game)

    async def _set_up(self) -> None:
        await self._take("home")
        title = next(box.title for box in self.app.shelf.boxes(self.app.lang) if box.key == "sealed_bid")
        await self.finger.tap(title, "4")
        await self._take("players")
        await self.finger.tap(self.names[0])
        await self._take("keyboard")
        await self.finger.tap("done", self.app.tr(self.app.lang, "Next"))
        await self._take("rules")

    async def _egypt(self) -> None:
        """A recorded match, photographed at its turns."""
        evening, pause = self.app.evening, self.theme.PAUSE
        evening.begin("egypt", self.names, COLOURS, {})
        wanted = {"auction", "payment", "overpaid"}
        for step in fold(recorded("egypt")).steps:
            assert isinstance(step, Answered)
            name = _turn(evening.view)
            if name in wanted:
                wanted.discard(name)
                await self._take(name)
                if name == "payment":
                    await self._by_hand()
            self.theme.PAUSE = LONG
            evening.answer(evening.view.n, step.answer)
        await self._score()
        self.theme.PAUSE = pause

    async def _by_hand(self) -> None:
        """Undo, photographed, and put right again."""
        paid = self.app.evening.view.question.worth.owed
        rate = self.app.evening.view.question.worth.rates[-1]
        await self.finger.tap(*["more 2"] * (-(-paid // rate.each)))
        await self._take("payment counted")
        await self.finger.tap("lay", "undo")
        await self._take("by hand")
        await self.finger.tap(self.app.tr(self.app.lang, "Done that"))

    async def _tour(self, game: str) -> None:
        """A recorded match: each question when it is asked first, and once more when much lies there."""
        app, evening = self.app, self.app.evening
        events = recorded(game)
        began = events[0]
        assert isinstance(began, Began)
        options = {key: NONE if value is None else str(value) for key, value in began.options.items()}
        evening.begin(game, self.names[: len(began.names)], COLOURS[: len(began.names)], options)
        asked: Counter[str] = Counter()
        for step in fold(events).steps:
            if isinstance(step, Corrected):
                continue
            question, n = evening.view.question, evening.view.n
            about = _about(question)
            asked[about] += 1
            if asked[about] in (1, LATER):
                await self._take(f"{game} {about} {asked[about]}")
            if isinstance(question, Together):
                for seat in question.seats:
                    evening.draft(n, seat, step.answer[str(seat.number)])
                app.reveal.close()
            else:
                evening.answer(n, step.answer)
        app.stage.screen.skip()
        await self._take(f"{game} score")
        await self.finger.touch(app.stage.screen.places[0])
        await self._take(f"{game} sum")
        await self.finger.tap(app.tr(app.lang, "Close"), "put away")

    async def _score(self) -> None:
        await self._take("score face down")
        self.app.stage.screen.skip()
        await self._take("score")
        await self.finger.touch(self.app.stage.screen.places[0])
        await self._take("sum")
        await self.finger.tap(self.app.tr(self.app.lang, "Close"), "put away")

    async def _sealed(self) -> None:
        """A second sealed round, with envelopes that might be torn up, and its reveal."""
        app, evening = self.app, self.app.evening
        evening.begin("sealed_bid", self.names, COLOURS, {})
        for seat in evening.view.seats:
            evening.draft(evening.view.n, seat, seat.number)
        app.reveal.skip()
        await self.finger.frames(1)
        await self.finger.tap("go on", "again")
        await self._take("envelopes open")
        first, *others = evening.view.seats
        await self._seal(first.name, BIDS[0])
        evening.draft(evening.view.n, others[0], BIDS[1])
        await asyncio.sleep(self.theme.TURN)
        await self._take("envelopes")
        await self.finger.tap("undo")
        await self._take("tear up")
        await self.finger.tap(app.tr(app.lang, "Leave it"))
        app.go_home()
        await self._take("home with an open game")
        evening.resume()
        await self._reveal(others[1:])

    async def _reveal(self, missing: Sequence[Seat]) -> None:
        """All in, open, and an undo that would hide it again."""
        app, evening = self.app, self.app.evening
        self.theme.PAUSE = LONG
        for seat, bid in zip(missing, BIDS[-len(missing) :], strict=True):
            evening.draft(evening.view.n, seat, bid)
        await self._take("all in")
        app.reveal.skip()
        await self._take("reveal")
        await self.finger.tap("go on")
        await self._take("another round")
        await self.finger.tap("undo")
        await self._take("past a reveal")

    async def _seal(self, name: str, bid: int) -> None:
        app = self.app
        await self.finger.tap(name)
        await self._take("cover")
        await self.finger.tap(app.tr(app.lang, "{name}, take the screen", name=name), *str(bid))
        await self._take("entering")
        await self.finger.tap("confirm")
        await asyncio.sleep(self.theme.TURN)
        await self._take("closed")
        await asyncio.sleep(self.theme.PAUSE)

    async def _take(self, what: str) -> None:
        self._taken += 1
        width = self.finger.window.width
        end = f"{self.app.lang}-{width}.png"
        file = self.out / f"{self._taken:02} {what} {end}"
        await self.finger.frames(2)
        await self.finger.photograph(file)
        if what in CHOSEN and width == KEPT_WIDTH:
            keep(
                file,
                self.chosen / f"{CHOSEN[what]}{'' if self.app.lang == 'en' else '-' + self.app.lang}.png",
            )


def _about(question: Any) -> str:
    """What kind of question it is and its words without the names and numbers in them."""
    text = question.question.id if isinstance(question, Asked | Together) else ""
    return f"{question.kind} {re.sub('[^A-Za-z ]+', '', re.sub('{.*?}', '', text))}".strip()[:40]


def _turn(seen: Any) -> str:
    """What is worth a photograph of this view: an auction under way, a payment, a warning."""
    match seen.question:
        case Raise(bids=bids) if len(bids) > 1:
            return "auction"
        case Read(worth=worth) if worth is not None and worth.owed > WORTH_A_LOOK:
            return "payment"
        case Choose(seat=seat) if seat is not None:
            return "overpaid"
    return ""


def keep(photograph: Path, file: Path) -> None:
    """A photograph with fewer shades, so that it takes little room beside the sources."""
    from kivy.core.image import ImageLoader

    picture = ImageLoader.load(str(photograph), keep_data=True)._data[0]  # noqa: SLF001 Kivy has no other way
    channels = len(picture.data) // (picture.width * picture.height)
    coarse = picture.data.translate(bytes(min(255, round(value / SHADE) * SHADE) for value in range(256)))
    rows = [
        b"\0" + b"".join(coarse[at : at + 3] for at in range(start, start + stride, channels))
        for stride in (picture.width * channels,)
        for start in range(0, len(coarse), stride)
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(png(picture.width, picture.height, b"".join(rows)))


def png(width: int, height: int, rows: bytes) -> bytes:
    """A PNG of RGB rows, each after a byte 0 (unfiltered)."""
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0),
        b"IDAT": zlib.compress(rows, 9),
        b"IEND": b"",
    }
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts.items()
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("out/screens"), metavar="DIR", help="where they go")
    parser.add_argument(
        "--chosen", type=Path, default=Path("docs/screens"), metavar="DIR", help="where a few are kept"
    )
    parser.add_argument("--size", type=size, metavar="WxH", help="only at that size, such as 800x480")
    parser.add_argument("--lang", choices=LANGUAGES, help="only in that language")


def _screenshots(args: Namespace) -> int:
    args.out.mkdir(parents=True, exist_ok=True)
    if args.size and args.lang:
        with tempfile.TemporaryDirectory(prefix="companion-") as folder:
            _prepare(Path(folder), args.size)
            asyncio.run(_taken(Path(folder), args))
        return 0
    sizes = [args.size] if args.size else SIZES
    languages = [args.lang] if args.lang else LANGUAGES
    return max(_in_a_process_of_its_own(args, *each) for each in product(sizes, languages))


def _in_a_process_of_its_own(args: Namespace, size: tuple[int, int], lang: str) -> int:
    start = "import sys; from companion.cli import main; sys.exit(main())"
    places = ["--out", str(args.out), "--chosen", str(args.chosen)]
    wanted = ["--size", f"{size[0]}x{size[1]}", "--lang", lang]
    return subprocess.run(  # noqa: S603 our own program
        [sys.executable, "-c", start, "screenshots", *places, *wanted], check=False
    ).returncode


def _prepare(folder: Path, size: tuple[int, int]) -> None:
    os.environ["SDL_VIDEODRIVER"] = "offscreen"
    prepare(folder / "kivy", Display(*size, touch="none"))
    from ui import theme

    theme.TWICE = 0.0


async def _taken(folder: Path, args: Namespace) -> None:
    from kivy.core.window import Window

    from ui.evening import Evening
    from ui.finger import Finger
    from ui.table import TableApp

    app = TableApp(lambda: Evening(Store.open(folder / "state", playing=True)), lang=args.lang)
    running = asyncio.create_task(app.async_run("asyncio"))
    finger = Finger(app, Window)
    await finger.frames(3)
    await Album(app, finger, args.out, args.chosen).fill()
    app.stop()
    await asyncio.wait({running})


SCREENSHOTS = Verb("Photograph every screen, in all languages and sizes.", _arguments, _screenshots)
