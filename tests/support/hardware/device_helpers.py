"""Helpers for tests of devices: a listener for signals, a lagging clock, and cables that damage bytes."""

import contextlib
import os
import pty
import resource
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from hardware.gpio.buzzers import Buzzers
from hardware.signals import Inbox, Signal
from hardware.simulated.keypads import CableNoise

S = TypeVar("S")
TIMEOUT_SECONDS = 20.0
"""A test gives up after this time; nothing here takes so long."""


class SignalListener:
    """Collects all signals of an inbox in order, like the thread of a game."""

    def __init__(self) -> None:
        self._awake = threading.Event()
        self.inbox = Inbox(wake=self._awake.set)
        self.signals: list[Signal] = []
        self._unread: list[Signal] = []

    def listen(self, seconds: float) -> list[Signal]:
        """Waits up to `seconds` for signals and returns them."""
        self._awake.wait(seconds)
        self._awake.clear()
        drained = self.inbox.drain()
        self.signals += drained
        return drained

    def wait_for_signal(self, kind: type[S], wanted: Callable[[S], bool] = lambda _: True) -> S:
        """Waits for the next signal of a kind; skips the signals before it."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end:
            while self._unread:
                signal = self._unread.pop(0)
                if isinstance(signal, kind) and wanted(signal):
                    return signal
            self._unread += self.listen(end - time.monotonic())
        raise TimeoutError(f"no {kind.__name__} among {self.signals}")


def run_until(
    is_done: Callable[[], bool],
    process_signals: Callable[[], object],
    wake_event: threading.Event,
    describe_state: Callable[[], object],
    poll_seconds: float = TIMEOUT_SECONDS,
) -> float:
    """Processes signals whenever the game wakes up, until `is_done`; returns the seconds that this took.

    It also runs every `poll_seconds`. `describe_state` is for the error message after a timeout.
    """
    start = time.monotonic()
    while True:
        process_signals()
        if is_done():
            return time.monotonic() - start
        seconds_left = start + TIMEOUT_SECONDS - time.monotonic()
        if seconds_left < 0:
            raise TimeoutError(str(describe_state()))
        wake_event.wait(min(poll_seconds, seconds_left))
        wake_event.clear()


class LaggingClock:
    """The machine's clock, some seconds late; `wait` reduces the lag instead of sleeping."""

    def __init__(self, seconds: float) -> None:
        self._behind = seconds

    def __call__(self) -> float:
        """Returns the time."""
        return time.monotonic() - self._behind

    def wait(self, seconds: float) -> None:
        """Lets the given time pass at once, by reducing the lag."""
        self._behind -= seconds


def measure_idle(seconds: float = 5) -> dict[str, float]:
    """Measures this process while it has nothing to do: its CPU time in percent and its wake-ups per second.

    Load on the machine makes CPU time longer in a slow kernel; it doesn't add wake-ups.
    """
    usage, begin = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    time.sleep(seconds)
    later, seconds = resource.getrusage(resource.RUSAGE_SELF), time.monotonic() - begin
    cpu = later.ru_utime + later.ru_stime - usage.ru_utime - usage.ru_stime
    return {"idle_cpu": 100 * cpu / seconds, "idle_wakeups": (later.ru_nvcsw - usage.ru_nvcsw) / seconds}


def wait_until_silent(buzzers: Buzzers) -> None:
    """Waits until the buzzers have played all queued sounds."""
    waiting = buzzers._queued_sounds
    with waiting.all_tasks_done:
        is_silent = waiting.all_tasks_done.wait_for(lambda: not waiting.unfinished_tasks, TIMEOUT_SECONDS)
    assert is_silent, "the buzzers' thread has ended, or sounds for ever"


class FakeSerialDevice:
    """A pseudo-terminal on which a test sends bytes as a device would."""

    def __init__(self, path: Path) -> None:
        self.device_end, self.port = pty.openpty()
        tty.setraw(self.port)
        path.symlink_to(os.ttyname(self.port))

    def send(self, data: bytes) -> None:
        """Sends bytes to the host."""
        os.write(self.device_end, data)

    def receive(self) -> bytes:
        """Waits for bytes from the host and returns them."""
        assert select.select([self.device_end], [], [], TIMEOUT_SECONDS)[0], "the host says nothing"
        return os.read(self.device_end, 4096)

    def close(self) -> None:
        """Closes both ends, as if the plug was pulled."""
        os.close(self.device_end)
        os.close(self.port)


class NoisyCable:
    """Connects a simulated keypad's port with a port for the host, and damages the bytes in between."""

    def __init__(self, keypad: Path, host: Path, noise: CableNoise) -> None:
        self._keypad = os.open(keypad, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self._end, self._port = pty.openpty()
        tty.setraw(self._port)
        os.set_blocking(self._end, False)
        self._host = host
        self._noise = noise
        self._woken, self._wake = os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        host.symlink_to(os.ttyname(self._port))

    def unplug_host(self) -> None:
        """Pulls the cable at the host; the keypad keeps its power."""
        self._host.unlink()
        os.write(self._wake, b"!")
        self._thread.join()
        for end in (self._keypad, self._end, self._port, self._woken, self._wake):
            os.close(end)

    def _run(self) -> None:
        other_end = {self._keypad: self._end, self._end: self._keypad}
        while True:
            ready, _, _ = select.select([*other_end, self._woken], [], [])
            if self._woken in ready:
                return
            for end in ready:
                for chunk in self._noise.transmit(os.read(end, 4096)):
                    with contextlib.suppress(BlockingIOError):
                        os.write(other_end[end], chunk)
