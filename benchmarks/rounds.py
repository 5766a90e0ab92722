"""Taking turns: what is compared is measured in the same rounds of the same run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median


def alternate(rounds: int, measures: Mapping[str, Callable[[], float]]) -> dict[str, list[float]]:
    """What each measure gives, round by round, all of them in each round."""
    taken: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            taken[name].append(measure())
    return taken


def ratio(ours: list[float], beside: list[float]) -> float:
    """The median of the ratios taken round by round, which holds when the machine's speed drifts."""
    return round(median(own / other for own, other in zip(ours, beside, strict=True)), 3)
