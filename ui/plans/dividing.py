"""Dividing room: each gets what it needs at least, and of what is left as much as it likes, in its turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Wish(NamedTuple):
    """How high something must be, and how high it likes to be."""

    least: float
    best: float


def divide(room: float, wishes: Sequence[Wish]) -> list[float]:
    """What each gets: never less than its least, so that it is for the caller to leave things out."""
    got = [wish.least for wish in wishes]
    left = room - sum(got)
    if left <= 0:
        return got
    wanted = [max(0.0, min(wish.best, wish.least + left) - wish.least) for wish in wishes]
    share = min(1.0, left / max(1.0, sum(wanted)))
    return [each + share * more for each, more in zip(got, wanted, strict=True)]


def fits(room: float, wishes: Sequence[Wish], between: float) -> bool:
    """Whether all of them have room below each other."""
    return sum(wish.least for wish in wishes) + between * max(0, len(wishes) - 1) <= room + 1
