"""How often the network may ask something of the box."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

MAX_KNOWN_ADDRESSES = 1024
"""The most addresses whose rate is known; further ones must wait."""


class Rate(NamedTuple):
    """A number of requests that may come at once, and how many more each second."""

    at_once: int
    per_second: float


class RateLimit:
    """Limits requests of each address, and of all addresses together."""

    def __init__(self, of_address: Rate, of_all: Rate, seconds: Callable[[], float] = time.monotonic) -> None:
        self._of_address, self._seconds = of_address, seconds
        self._all = _Allowance(of_all, seconds())
        self._allowances: dict[str, _Allowance] = {}

    def allows(self, address: str) -> bool:
        """Returns whether one more request of an address is within the limits, and counts it then."""
        now = self._seconds()
        if address not in self._allowances:
            self._forget_full(now)
            if len(self._allowances) >= MAX_KNOWN_ADDRESSES:
                return False
            self._allowances[address] = _Allowance(self._of_address, now)
        return self._allowances[address].take(now) and self._all.take(now)

    def _forget_full(self, now: float) -> None:
        if len(self._allowances) >= MAX_KNOWN_ADDRESSES:
            self._allowances = {
                address: each for address, each in self._allowances.items() if not each.is_full(now)
            }


class _Allowance:
    """How many requests may come now."""

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate, self._count, self._at = rate, float(rate.at_once), now

    def is_full(self, now: float) -> bool:
        return self._count_at(now) >= self._rate.at_once

    def take(self, now: float) -> bool:
        self._count, self._at = self._count_at(now), now
        if self._count < 1:
            return False
        self._count -= 1
        return True

    def _count_at(self, now: float) -> float:
        return min(self._rate.at_once, self._count + (now - self._at) * self._rate.per_second)
