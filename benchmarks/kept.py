"""The figures that docs/performance.md keeps, and what got worse since they were written there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
WORSE = 1.1
"""More than a tenth of its ratio is no noise."""
NAME = re.compile(r"`([\w.]+)`")


def ratios(page: str) -> dict[str, float]:
    """The last ratio of each figure in the page's tables with ratios; figures that have none are left out."""
    found: dict[str, float] = {}
    column = 0
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if not line.startswith("|"):
            column = 0
        elif "ratio" in cells:
            column = len(cells) - 1 - cells[::-1].index("ratio")
        elif column and len(cells) > column and re.fullmatch(r"[\d.]+", cells[column]):
            found |= dict.fromkeys(NAME.findall(cells[1]), float(cells[column]))
    return found


def worse(figures: Iterable[dict[str, Any]], kept: Mapping[str, float]) -> Iterator[str]:
    """Each figure whose ratio is worse than the one that is kept by more than a tenth of it, as a line."""
    for figure in figures:
        name, now = figure["name"], figure["ratio"]
        if now is None or name not in kept:
            continue
        more_is_better = figure["unit"].endswith("/s")
        better, less_good = (now, kept[name]) if more_is_better else (kept[name], now)
        if less_good > better * WORSE:
            yield f"{name}: × {now:.3g}, and × {kept[name]:.3g} is kept"
