"""What the screen costs beside an empty Kivy App: time to the first frame, and doing nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from benchmarks.rounds import alternate, ratio

STARTS, IDLES = 9, 3
ROOT = Path(__file__).parents[1]
BARE = "bare Kivy App"


def figures() -> Iterator[dict[str, Any]]:
    """`ui.start`, `ui.ready`, `ui.idle_cpu` (home), `ui.idle_cpu_play` (a question is open)."""
    with folder() as place:
        window(place, "start", "bare")
        window(place, "start", "home")
        ways = {BARE: ("bare", "start"), "ui.start": ("home", "start"), "ui.ready": ("home", "ready")}
        starts = alternate(
            STARTS, {name: partial(milliseconds_until, place, *way) for name, way in ways.items()}
        )
    idles = alternate(IDLES, {shown: partial(percent, shown) for shown in ("bare", "home", "play")})
    for name in ("ui.start", "ui.ready"):
        yield figure(name, "ms", starts[name], starts[BARE])
    yield figure("ui.idle_cpu", "%", idles["home"], idles["bare"])
    yield figure("ui.idle_cpu_play", "%", idles["play"], idles["bare"])


def figure(name: str, unit: str, ours: list[float], bare: list[float]) -> dict[str, Any]:
    """One line."""
    beside, value = {BARE: round(median(bare), 2)}, round(median(ours), 2)
    return {"name": name, "value": value, "unit": unit, "beside": beside, "ratio": ratio(ours, bare)}


def folder() -> AbstractContextManager[str]:
    """On the disk that is worked on, for a temporary one may be memory."""
    return TemporaryDirectory(dir=ROOT)


def window(place: str, what: str, shown: str, module: str = "benchmarks.window") -> str:
    """What the window prints last."""
    command = [sys.executable, "-m", module, what, shown, place]
    done = subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()[-1]


def milliseconds_until(place: str, shown: str, what: str) -> float:
    """From before the process is started until its first frame, or until it is ready; modules are warm."""
    began = monotonic()
    return (float(window(place, what, shown)) - began) * 1e3


def percent(shown: str) -> float:
    """Of one processor, while nobody does anything."""
    with folder() as place:
        return float(window(place, "idle", shown))
