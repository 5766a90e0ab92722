"""Ports at which something other than a wired keypad is: left alone for a while.

A port is known by its name and its file in /dev, so that what is newly
plugged in under the same name is asked at once who it is; and by the keypad
that is wired to it, for the lasting name of a port comes a moment after it.
"""

import os
from typing import TypeAlias

PAUSE = 5.0
"""Seconds before a port with something else on it is tried again."""

Node: TypeAlias = tuple[int, int] | None


class Strangers:
    """Which ports are left alone, and until when."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str | None], tuple[Node, float]] = {}

    def turn_away(self, path: str, wired: str | None, now: float) -> bool:
        """Leave this port alone; True if it is news, and not the same thing once more."""
        node = _node(path)
        before, _ = self._known.get((path, wired), (None, now))
        self._known[path, wired] = (node, now + PAUSE)
        return node is None or node != before

    def may_try(self, path: str, wired: str | None, now: float) -> bool:
        """Whether this port may be opened; `wired` names the keypad whose port it is."""
        node, until = self._known.get((path, wired), (None, now))
        return now >= until or node != _node(path)


def _node(path: str) -> Node:
    try:
        stat = os.stat(path)  # noqa: PTH116 - a name in /dev, asked four times a second
    except OSError:
        return None
    return stat.st_ino, stat.st_ctime_ns
