"""The keys: four rows and four columns of wires, a switch at each crossing.

`clock` returns milliseconds.
"""

import time

from machine import Pin

SETTLED = 20
"""Microseconds until a column has followed its row, over the weak inner pull-up and a metre of wire."""
RESTS = 20
"""Milliseconds that a key must be up before it can go down again: its contact may bounce for so long."""
MOST = 2
"""With three keys down a fourth seems to be, where there are no diodes."""


class Matrix:
    """Tells which keys go down. `caps` names them row by row; empty where a key has no function."""

    def __init__(self, rows: list[int], columns: list[int], caps: list[str], clock) -> None:
        # Open drain: two keys of one column never short a high row to a low one.
        self._rows = [Pin(number, Pin.OPEN_DRAIN, value=1) for number in rows]
        self._columns = [Pin(number, Pin.IN, Pin.PULL_UP) for number in columns]
        self._caps = caps
        self._clock = clock
        self._before: list[int] = []
        self._down: dict[int, int] = {}  # key: when a look found it down, or up for the first time since
        self._up: set[int] = set()

    def pressed(self) -> list[str]:
        """The caps that went down; to be called every few milliseconds.

        A key counts when two looks in a row see it, so that a spark doesn't.
        """
        seen = self._closed()
        now = self._clock()  # after the look: one that took long must not let a key rest too early
        sure = [key for key in seen if key in self._before]
        self._before = seen
        fresh = [key for key in sure if key not in self._down]
        for key in set(self._down) | set(sure):
            # Its rest begins with the look that finds it up: none that came late lets it rest too early.
            if key in seen or key not in self._up:
                self._down[key] = now
        self._up = {key for key in self._down if key not in seen}
        self._down = {key: last for key, last in self._down.items() if now - last < RESTS}
        if len(seen) > MOST:
            return []
        return [self._caps[key] for key in fresh if self._caps[key]]

    def _closed(self) -> list[int]:
        closed = []
        for at, row in enumerate(self._rows):
            row.value(0)
            time.sleep_us(SETTLED)
            for place, column in enumerate(self._columns):
                if not column.value():
                    closed.append(at * len(self._columns) + place)
            row.value(1)
        return closed
