"""Dividing room: each gets what it needs at least, and of what is left as much as it likes, in its turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class HeightRange(NamedTuple):
    """How high something must be, how high it needs to be to show everything, and how high it likes to be."""

    least: float
    needed: float
    preferred: float


def distribute(height: float, ranges: Sequence[HeightRange]) -> list[float]:
    """What each gets: its least, then all they need, then what they like, each time in equal shares.

    Never less than the least, so that it is for the caller to leave things out.
    """
    got = [wish.least for wish in ranges]
    for wanted in ([wish.needed for wish in ranges], [wish.preferred for wish in ranges]):
        more = [max(0.0, want - has) for want, has in zip(wanted, got, strict=True)]
        share = min(1.0, max(0.0, height - sum(got)) / max(1.0, sum(more)))
        got = [has + share * each for has, each in zip(got, more, strict=True)]
    return got


def fit_below_each_other(height: float, ranges: Sequence[HeightRange], gap: float) -> bool:
    """Whether all of them have room below each other."""
    return sum(wish.least for wish in ranges) + gap * max(0, len(ranges) - 1) <= height + 1
