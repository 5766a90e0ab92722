"""What motion costs: frame times beside a bare scene, the frames of a still screen, and memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from statistics import median, quantiles
from typing import Any

from benchmarks.rounds import ratio
from benchmarks.screen import folder, window

ROUNDS = 3
MOTIONS = ("reveal", "ceremony", "transfer")
OURS, BARE = "ours", "bare"
PERCENTILES = {"p50": 9, "p95": 18}
"""Each percentile's index among twentieths."""
MOST_KIB = 1024
"""What 500 questions may add to the memory."""


def figures() -> Iterator[dict[str, Any]]:
    """`motion.MOTION.p50` and `.p95`, `motion.still` and `motion.memory`."""
    for motion in MOTIONS:
        yield from frame_times(motion)
    drawn = measured("still")
    yield {
        "name": "motion.still",
        "value": sum(drawn.values()),
        "unit": "frames",
        "beside": drawn,
        "ratio": None,
    }
    before, after = measured("memory").values()
    yield {
        "name": "motion.memory",
        "value": after - before,
        "unit": "KiB",
        "beside": {"at question 500": before},
        "ratio": round((after - before) / MOST_KIB, 3),
    }


def frame_times(motion: str) -> Iterator[dict[str, Any]]:
    """Both figures of a motion; its frames and those of the bare scene are measured in turn."""
    rounds = [{shown: measured(motion, shown) for shown in (OURS, BARE)} for _ in range(ROUNDS)]
    for name, at in PERCENTILES.items():
        ours, bare = ([percentile(frames[shown], at) for frames in rounds] for shown in (OURS, BARE))
        yield {
            "name": f"motion.{motion}.{name}",
            "value": round(median(ours), 1),
            "unit": "ms",
            "beside": {
                "bare scene": round(median(bare), 1),
                "frames": sum(len(frames[OURS]) for frames in rounds),
            },
            "ratio": ratio(ours, bare),
        }


def percentile(frames: Sequence[float], at: int) -> float:
    """The frame time below which so many twentieths of all frames are."""
    return quantiles(frames, n=20)[at]


def measured(what: str, shown: str = OURS) -> Any:
    """What a window in a process of its own has measured."""
    with folder() as place:
        return json.loads(window(place, what, shown, "benchmarks.moving"))
