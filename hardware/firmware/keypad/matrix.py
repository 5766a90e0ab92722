"""Scans the key matrix: four rows and four columns of wires, with a switch at each crossing.

`clock` returns milliseconds.
"""

import time

from machine import Pin

COLUMN_FOLLOWS_ROW_MICROSECONDS = 20
"""Microseconds until a column has followed its row.

The inner pull-up is weak, and the wire may be a metre long.
"""
MIN_KEY_UP_MS = 20
"""Milliseconds for which a key must be up before it can go down again: its contact may bounce that long."""
MAX_KEYS_DOWN = 2
"""Maximum keys down at once.

With three keys down, a fourth may seem to be down, because the matrix has no diodes.
"""


class KeyMatrix:
    """The matrix of a keypad's keys; scans find newly pressed keys.

    `caps` names the keys row by row; "" for a key without a function.
    """

    def __init__(self, rows: list[int], columns: list[int], caps: list[str], clock) -> None:
        # Open drain: two keys of one column never short a high row to a low one.
        self._rows = [Pin(number, Pin.OPEN_DRAIN, value=1) for number in rows]
        self._columns = [Pin(number, Pin.IN, Pin.PULL_UP) for number in columns]
        self._caps = caps
        self._clock = clock
        self._closed_before: list[int] = []
        # For each key that is down: when a scan last found it down, or first found it up after that.
        self._time_by_key_down: dict[int, int] = {}
        self._keys_up: set[int] = set()

    def scan_new_presses(self) -> list[str]:
        """Scans the matrix; returns the caps of the keys that went down since the last scan.

        The keypad's loop scans every few milliseconds. A key counts when two scans in a row find it down, so
        that a spark doesn't count.
        """
        closed_keys = self._find_closed_switches()
        now = self._clock()  # after the scan, so that a slow scan doesn't make a key's pause look longer
        confirmed_keys = [key for key in closed_keys if key in self._closed_before]
        self._closed_before = closed_keys
        new_keys = [key for key in confirmed_keys if key not in self._time_by_key_down]
        for key in set(self._time_by_key_down) | set(confirmed_keys):
            # A key's pause begins with the first scan that finds it up, so a late scan doesn't shorten it.
            if key in closed_keys or key not in self._keys_up:
                self._time_by_key_down[key] = now
        self._keys_up = {key for key in self._time_by_key_down if key not in closed_keys}
        self._time_by_key_down = {
            key: last_time
            for key, last_time in self._time_by_key_down.items()
            if now - last_time < MIN_KEY_UP_MS
        }
        if len(closed_keys) > MAX_KEYS_DOWN:
            return []
        return [self._caps[key] for key in new_keys if self._caps[key]]

    def _find_closed_switches(self) -> list[int]:
        keys = []
        for row_number, row in enumerate(self._rows):
            row.value(0)
            time.sleep_us(COLUMN_FOLLOWS_ROW_MICROSECONDS)
            for column_number, column in enumerate(self._columns):
                if not column.value():
                    keys.append(row_number * len(self._columns) + column_number)
            row.value(1)
        return keys
