"""Photographs every screen of a scripted evening on the real window, in all languages, sizes and plans.

Contact sheets of them, a page for each game, come with them (`scripts.contact`).

    .venv/bin/python -m scripts.screenshots [--size 800x480] [--lang ja] [--flat]

A process has one window, so each language and size gets a process of its own.
"""

from __future__ import annotations

import asyncio
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from argparse import ArgumentParser, Namespace
from itertools import product
from pathlib import Path
from typing import Any

from companion.store import Store
from companion.words import LANGUAGES
from scripts import contact
from ui.kivy_env import Surface, prepare
from ui.screen import size

LOOKS = (
    *((size, False) for size in ((800, 480), (1280, 720), (720, 1280), (1920, 1080), (480, 800))),
    *((size, True) for size in ((800, 480), (480, 800), (1280, 720), (720, 1280))),
)
"""Sizes of the window, and whether it lies flat among the cards."""
CHOSEN = {
    "auction": "auction",
    "payment": "payment",
    "envelopes": "envelopes",
    "reveal": "reveal",
    "score": "score",
    "bidders Choose Round  bid on a card or pass 12": "bidders",
    "high_bid Raise 12": "high_bid",
    "mammon Choose  a card or pass 1": "mammon",
    "oyakata Choose Night what does an employee do 12": "oyakata",
}
"""Which of them are kept with the sources, and by what name: the rest can be made again at any time."""
KEPT_WIDTH = 800
SHADE = 8
"""Of 256 shades those of the kept ones lie so far apart: the grain of the felt goes, nothing else."""


class Pictures:
    """Numbered files in the folder that was asked for; the chosen ones go beside the sources too."""

    def __init__(self, finger: Any, args: Namespace) -> None:
        self._finger, self._args = finger, args
        self._taken: list[str] = []

    async def take(self, what: str) -> None:
        """What the window shows now."""
        self._taken.append(what)
        lang, (width, height) = self._args.lang, self._finger.window.size
        look = f"{lang}-{width}x{height}{'-flat' if self._args.flat else ''}"
        file = self._args.out / f"{len(self._taken):02} {what} {look}.png"
        await self._finger.frames(2)
        await self._finger.photograph(file)
        if what in CHOSEN and width == KEPT_WIDTH:
            keep(file, self._args.chosen / f"{CHOSEN[what]}{'' if lang == 'en' else '-' + lang}.png")

    @property
    def missing(self) -> list[str]:
        """The chosen ones of which there was no such moment: a question is called otherwise now."""
        return sorted(CHOSEN.keys() - set(self._taken))


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


def _arguments() -> Namespace:
    parser = ArgumentParser(prog="screenshots")
    parser.add_argument("--out", type=Path, default=Path("out/screens"), metavar="DIR", help="where they go")
    parser.add_argument(
        "--chosen", type=Path, default=Path("docs/screens"), metavar="DIR", help="where a few are kept"
    )
    parser.add_argument("--size", type=size, metavar="WxH", help="only at that size, such as 800x480")
    parser.add_argument("--lang", choices=LANGUAGES, help="only in that language")
    parser.add_argument(
        "--flat", action="store_true", help="only lying flat; with --size standing without it"
    )
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
    languages = [args.lang] if args.lang else LANGUAGES
    every = product(looks, languages)
    status = max(_in_a_process_of_its_own(args, size, flat, lang) for (size, flat), lang in every)
    print(*contact.write(args.out), sep="\n")
    return status


def _in_a_process_of_its_own(args: Namespace, size: tuple[int, int], flat: object, lang: str) -> int:
    places = ["--out", str(args.out), "--chosen", str(args.chosen)]
    wanted = ["--size", f"{size[0]}x{size[1]}", "--lang", lang, *(["--flat"] if flat else [])]
    command = [sys.executable, "-m", "scripts.screenshots", *places, *wanted]
    return subprocess.run(command, check=False).returncode


def _prepare(folder: Path, size: tuple[int, int]) -> None:
    os.environ["SDL_VIDEODRIVER"] = "offscreen"
    prepare(folder / "kivy", Surface(*size, touch="none"))
    from ui import theme

    theme.TWICE = 0.0


async def _taken(folder: Path, args: Namespace) -> list[str]:
    from kivy.core.window import Window

    from scripts.album import Album
    from ui.app import CompanionApp
    from ui.demo.finger import Finger
    from ui.evening.window import WindowEvening

    app = CompanionApp(lambda: WindowEvening(Store.open(folder / "state", playing=True)), lang=args.lang)
    running = asyncio.create_task(app.async_run("asyncio"))
    finger = Finger(app, Window)
    await finger.frames(3)
    app.evening.remember("plan", "flat" if args.flat else "standing")
    pictures = Pictures(finger, args)
    await Album(app, finger, pictures.take).fill()
    app.stop()
    await asyncio.wait({running})
    return pictures.missing


if __name__ == "__main__":
    sys.exit(main())
