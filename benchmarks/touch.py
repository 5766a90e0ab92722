"""What a touch costs: from the key under the finger to the answer on the disk and the next question drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from statistics import quantiles
from typing import Any

from benchmarks.screen import folder, window


def figures() -> Iterator[dict[str, Any]]:
    """`ui.answer.p50` and `ui.answer.p95`, over the recorded match, beside drawing a frame once more."""
    with folder() as place:
        taken = json.loads(window(place, "touch", "play"))
    answers, frames = taken["answers"], taken["frames"]
    for name, at in (("ui.answer.p50", 9), ("ui.answer.p95", 18)):
        ours, frame = quantiles(answers, n=20)[at], quantiles(frames, n=20)[at]
        beside = {"the same frame again": round(frame, 1), "answers": len(answers)}
        value, ratio = round(ours, 1), round(ours / frame, 2)
        yield {"name": name, "value": value, "unit": "ms", "beside": beside, "ratio": ratio}
