"""What lies on the readers, and what of it was laid for the question now open.

It remembers and decides nothing: what a tag means stands in `tags`.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from hardware.signals import TagArrived, TagLeft


class Tray:
    """The tags in all zones, in the order in which they came.

    What was laid for an earlier question is spent while it lies there, as long as that answer counts.
    """

    def __init__(self) -> None:
        self.laid: dict[str, str] = {}
        """The tags laid for the open question, in order, each with its reader."""
        self._lying: dict[str, dict[str, None]] = {}
        self._spent: dict[str, int] = {}
        self._n = 0
        self._since = math.inf

    def ask(self, n: int, now: float) -> None:
        """Question `n` is open; 0: none. What was laid belongs to the one before."""
        if n != self._n:
            self._spent |= dict.fromkeys(self.laid, self._n)
            self.laid = {}
            self._n, self._since = n, now

    def arrived(self, signal: TagArrived) -> bool:
        """A tag was laid; whether that was for the open question, and not before it or on two readers."""
        is_new = all(signal.tag not in zone for zone in self._lying.values())
        self._lying.setdefault(signal.device, {})[signal.tag] = None
        return is_new and signal.at > self._since

    def left(self, signal: TagLeft) -> None:
        """A tag was lifted from a reader."""
        self._lying.get(signal.device, {}).pop(signal.tag, None)
        if not any(signal.tag in zone for zone in self._lying.values()):
            self._spent.pop(signal.tag, None)
            self.laid.pop(signal.tag, None)

    def waiting(self, device: str, answered: Collection[int]) -> list[str]:
        """The tags on a reader that were not laid for this question nor for any of those `answered`."""
        return [
            tag
            for tag in self._lying.get(device, ())
            if tag not in self.laid and self._spent.get(tag) not in answered
        ]
