"""What keypads on serial lines cost: lines read in one thread, memory under garbage, a pulled plug noticed.

On pseudo terminals, filled by another process as fast as they take it.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import serial

from benchmarks.pad_side import pad_line
from benchmarks.rounds import alternate, ratio
from hardware.keypad_protocol import EntryMessage, HeartbeatMessage, HelloMessage
from hardware.keypads import KeypadPortPoller, Keypads, open_serial_port
from hardware.signals import DeviceFound, DeviceLost, Inbox, NumbersAnswer
from hardware.wiring import Keypad

KEYPADS = 5
LINES = 40_000
"""Of all keypads together, every second one a heartbeat and every second one an answer."""
PEER_LINES = 1_500
GARBAGE = 10_000_000
"""Bytes."""
PULLS = 20

FILL = """
import os, sys
ends = [int(end) for end in sys.argv[1:]]
data = sys.stdin.buffer.read()
for at in range(0, len(data), 2048):
    for end in ends:
        piece = data[at : at + 2048]
        while piece:
            piece = piece[os.write(end, piece) :]
"""


class Plug:
    """A pseudo terminal at a name; what is written to `end` comes in there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.end, self._port = pty.openpty()
        tty.setraw(self._port)
        path.symlink_to(os.ttyname(self._port))

    def pull(self) -> None:
        """Pulls the cable: the port is gone."""
        self.path.unlink()
        os.close(self.end)
        os.close(self._port)


def figures() -> Iterator[dict[str, Any]]:
    """Lines a second beside pyserial's `readline`, memory, and milliseconds until a pulled plug is said."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        taken = alternate(3, {"ours": lambda: ours(place), "pyserial": lambda: pyserial(place)})
        rates = {name: round(median(each)) for name, each in taken.items()}
        yield figure(
            "serial.lines",
            rates["ours"],
            "lines/s",
            {"pyserial_readline": rates["pyserial"]},
            ratio(taken["ours"], taken["pyserial"]),
        )
        yield figure(
            "serial.garbage.memory", round(garbage(place) / 1024), "KiB", {"garbage_bytes": GARBAGE}, None
        )
        waited = pulled(place)
        yield figure("serial.unplug", round(max(waited), 1), "ms", {"median": round(median(waited), 1)}, None)


def ours(folder: Path) -> float:
    """Lines a second of processor time, from the port to the signal, all ports in this thread."""
    plugs = [Plug(folder / f"usb{number}") for number in range(KEYPADS)]
    typed: list[NumbersAnswer] = []
    inbox, ports = _listening(plugs)
    pairs = LINES // KEYPADS // 2
    with filled(plugs, _lines(pairs)):
        before = time.thread_time()
        while len(typed) < pairs * KEYPADS:
            ports.poll_once()
            typed += [signal for signal in inbox.drain() if isinstance(signal, NumbersAnswer)]
        spent = time.thread_time() - before
    _close(ports, plugs)
    return LINES / spent


def pyserial(folder: Path) -> float:
    """Lines a second of one port that is read with `readline`; nothing is read or checked in them."""
    plug = Plug(folder / "usb0")
    port = serial.Serial(str(plug.path), timeout=10)
    with filled([plug], _lines(PEER_LINES // 2)):
        before = time.thread_time()
        for _ in range(PEER_LINES):
            port.readline()
        spent = time.thread_time() - before
    port.close()
    plug.pull()
    return PEER_LINES / spent


def garbage(folder: Path) -> int:
    """The most bytes that are held more than before, while garbage comes in: any bytes, lines without end."""
    plugs = [Plug(folder / "usb0")]
    inbox, ports = _listening(plugs)
    third = GARBAGE // 3
    data = bytes(range(256)) * (third // 256) + b"7" * third + b"0 BEAT 1*0000\n" * (third // 14)
    data += b"\n" + _lines(1)
    tracemalloc.start()
    with filled(plugs, data):
        while not any(isinstance(signal, NumbersAnswer) for signal in inbox.drain()):
            ports.poll_once()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    _close(ports, plugs)
    return most


def pulled(folder: Path) -> list[float]:
    """Milliseconds from the pulled plug to the signal in the game's inbox."""
    heard = threading.Event()
    inbox = Inbox(wake=heard.set)
    waited = []

    def until(kind: type) -> None:
        while not any(isinstance(signal, kind) for signal in inbox.drain()):
            heard.wait()
            heard.clear()

    with Keypads([Keypad(seat=1, port=str(folder / "usb0"))], inbox):
        for _ in range(PULLS):
            plug = Plug(folder / "usb0")
            os.read(plug.end, 64)  # the host asks who is there
            os.write(plug.end, _hello())
            until(DeviceFound)
            before = time.monotonic()
            plug.pull()
            until(DeviceLost)
            waited.append(1000 * (time.monotonic() - before))
    return waited


@contextmanager
def filled(plugs: list[Plug], data: bytes) -> Iterator[None]:
    """Another process writes the data into all of these plugs."""
    ends = [plug.end for plug in plugs]
    command = [sys.executable, "-c", FILL, *map(str, ends)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=ends) as process:
        assert process.stdin is not None
        process.stdin.write(data)
        process.stdin.close()
        yield


def _listening(plugs: list[Plug]) -> tuple[Inbox, KeypadPortPoller]:
    """Ports to which these plugs are wired, without a thread of their own; each is open."""
    wired = [Keypad(seat=seat, port=str(plug.path)) for seat, plug in enumerate(plugs, 1)]
    inbox = Inbox(wake=lambda: None)
    ports = KeypadPortPoller(wired, inbox, open_serial_port, list, time.monotonic)
    ports.poll_once()
    return inbox, ports


def _close(ports: KeypadPortPoller, plugs: list[Plug]) -> None:
    ports.close()
    for plug in plugs:
        plug.pull()


def _hello() -> bytes:
    return pad_line(0, HelloMessage(1, "kp-1", "1.0", "9F2C1A07", ("line16",)))


def _lines(pairs: int) -> bytes:
    """HELLO, then so many heartbeats and answers by turns."""
    return _hello() + b"".join(
        pad_line(0, HeartbeatMessage(250 * each)) + pad_line(each, EntryMessage(7, 250 * each, (12,)))
        for each in range(1, pairs + 1)
    )


def figure(name: str, value: float, unit: str, others: dict[str, Any], ratio: float | None) -> dict[str, Any]:
    """One line of the results."""
    return {"name": name, "value": value, "unit": unit, "beside": others, "ratio": ratio}
