"""`python -m benchmarks [MODULE]…`: measures everything, or only these modules.

Prints a table and writes one JSON line a figure to `results.jsonl`; what fails doesn't stop the rest.
At the end it names what is worse than the figures that docs/performance.md keeps.
"""

from __future__ import annotations

import json
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import kept

MODULES = (
    "answers", "games", "longest", "store", "desk", "record", "free_moves", "buttons", "keypads", "rfid",
    "idle", "screen", "touch", "motion", "seal", "web",
)  # fmt: skip  # a list in its order
RESULTS = Path(__file__).with_name("results.jsonl")


def main(names: list[str]) -> int:
    """All figures; 1 where one failed."""
    failed, measured = 0, list[dict[str, Any]]()
    with RESULTS.open("w", encoding="utf-8") as results:
        for name in names or MODULES:
            try:
                for figure in import_module(f"benchmarks.{name}").figures():
                    results.write(json.dumps(figure, ensure_ascii=False) + "\n")
                    results.flush()
                    measured.append(figure)
                    print(line(figure), flush=True)
            except Exception:  # noqa: BLE001  a figure that fails doesn't stop the others
                failed = 1
                traceback.print_exc()
    for text in kept.worse(measured, kept.ratios(kept.PAGE.read_text(encoding="utf-8"))):
        print(f"worse by more than a tenth: {text}")
    return failed


def line(figure: dict[str, Any]) -> str:
    """A figure as people read it."""
    ratio = "" if figure["ratio"] is None else f"× {figure['ratio']:.3g}"
    beside = ", ".join(f"{name}: {value}" for name, value in figure["beside"].items())
    value = figure["value"] if isinstance(figure["value"], str) else f"{figure['value']:,}"
    return f"{figure['name']:30} {value:>12} {figure['unit']:8} {ratio:9} {beside}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
