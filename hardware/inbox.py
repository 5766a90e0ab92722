"""The one queue from the device threads into the game's thread.

    import threading

    from hardware.inbox import Inbox
    from hardware.signals import Found

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    inbox.put(Found("keypad 1"))  # from any thread
    awake.wait()
    print(inbox.drain())  # in the game's thread

It holds signals in the order in which they came and decides nothing.
"""

import threading
from collections.abc import Callable

from hardware.signals import Signal


class Inbox:
    """Signals in order; `put` from any thread, `drain` from the game's.

    `wake` is called in the putting thread, once for every time that an empty
    inbox gets its first signal; it must return at once and must not raise.
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._wake = wake
        self._lock = threading.Lock()
        self._signals: list[Signal] = []

    def put(self, signal: Signal) -> None:
        """Add a signal and wake the game's thread if nothing waited yet."""
        with self._lock:
            was_empty = not self._signals
            self._signals.append(signal)
        if was_empty:
            self._wake()

    def drain(self) -> list[Signal]:
        """Everything put since the last drain, oldest first."""
        with self._lock:
            drained, self._signals = self._signals, []
        return drained
