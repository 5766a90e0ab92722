"""What a touch costs: from the key under the finger to the answer on the disk and the next question drawn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from statistics import median, quantiles
from typing import Any

from benchmarks.screen import folder, window


def figures() -> Iterator[dict[str, Any]]:
    """`ui.answer.p50` and `ui.answer.p95`, over the answers of the recorded match of Egypt."""
    with folder() as place:
        taken = json.loads(window(place, "touch", "play"))
    shares = {"ui.answer.p50": median(taken), "ui.answer.p95": quantiles(taken, n=20)[-1]}
    for name, value in shares.items():
        yield {
            "name": name,
            "value": round(value, 1),
            "unit": "ms",
            "beside": {"answers": len(taken)},
            "ratio": None,
        }
