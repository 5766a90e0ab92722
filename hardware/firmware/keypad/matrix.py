"""Scans the key matrix: four rows and four columns of wires, with a switch at each crossing.

`clock` returns milliseconds.
"""

import time

from machine import Pin

COLUMN_SETTLE_MICROSECONDS = 20
"""Microseconds until a column has followed its row.

The inner pull-up is weak, and the wire may be a metre long.
"""
MIN_KEY_UP_MS = 20
"""Milliseconds that a key must be up before it can go down again; its contact may bounce that long."""
MAX_KEYS_DOWN = 2
"""Maximum keys down at once: with three down, a fourth seems to be, because there are no diodes."""


class KeyMatrix:
    """The matrix of a keypad's keys, in which newly pressed keys are found.

    `caps` names the keys row by row; "" for a key without a function.
    """

    def __init__(self, rows: list[int], columns: list[int], caps: list[str], clock) -> None:
        # Open drain: two keys of one column never short a high row to a low one.
        self._rows = [Pin(number, Pin.OPEN_DRAIN, value=1) for number in rows]
        self._columns = [Pin(number, Pin.IN, Pin.PULL_UP) for number in columns]
        self._caps = caps
        self._clock = clock
        self._before: list[int] = []
        self._down: dict[int, int] = {}  # key: when a look found it down, or up for the first time since
        self._up: set[int] = set()

    def scan_new_presses(self) -> list[str]:
        """Scans the matrix; returns the caps of the keys that went down. To be called every few ms.

        A key counts when two scans in a row see it, so that a spark doesn't.
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
        self._down = {key: last for key, last in self._down.items() if now - last < MIN_KEY_UP_MS}
        if len(seen) > MAX_KEYS_DOWN:
            return []
        return [self._caps[key] for key in fresh if self._caps[key]]

    def _closed(self) -> list[int]:
        closed = []
        for at, row in enumerate(self._rows):
            row.value(0)
            time.sleep_us(COLUMN_SETTLE_MICROSECONDS)
            for place, column in enumerate(self._columns):
                if not column.value():
                    closed.append(at * len(self._columns) + place)
            row.value(1)
        return closed
