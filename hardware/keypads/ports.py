"""The serial ports at work: opens them, reads them in turn, finds whose each one is.

One thread goes through `Ports.turn` again and again.
How a port is opened is given from outside, what a keypad's answers lead to is
kept by its `Station`; nothing is decided here.
Over 300 lines, because opening, reading and losing a port are one state, and are best followed in one place.
"""

import errno
import grp
import itertools
import os
import selectors
import termios
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from companion.files import user_files
from hardware.inbox import Inbox
from hardware.keypads.link import Link
from hardware.keypads.station import Station
from hardware.keypads.strangers import Strangers
from hardware.panel import Panel
from hardware.protocol.protocol import HEARTBEAT, VERSION, Entry, FromPad, Hello, Press, Who, host_line
from hardware.signals import Given, Why
from hardware.wiring import Keypad

CHUNK = 4096
"""Bytes read from one port before the others get their turn."""
PATIENCE = 2.0
"""Seconds in which a port that the wiring doesn't name must say HELLO."""
SERIAL_GROUP = "dialout"
"""Whose members may open serial ports on Debian."""

# termios.error is no OSError, though a pulled plug may raise either.
GONE = (OSError, termios.error)


class Tty(Protocol):
    """An open serial port; `read` and `write` raise one of GONE when its plug is pulled."""

    @property
    def is_open(self) -> bool:
        """Until `close`."""

    def fileno(self) -> int:
        """For the selector."""

    def read(self, size: int, /) -> bytes:
        """What is there, without waiting."""

    def write(self, data: bytes, /) -> int | None:
        """Send all, or raise when that takes too long."""

    def close(self) -> None:
        """Let go of it."""


class Port:
    """One open port, the keypad that is wired to it, and what is known of the one at it.

    Whose port it is was settled when it was opened: when a plug is pulled, its
    name in /dev may go before its last lines are read.
    """

    def __init__(self, path: str, wired: Keypad | None, tty: Tty, now: float) -> None:
        self.path = path
        self.wired = wired
        self.tty = tty
        self.opened = now
        self.link = Link(now)
        self.station: Station | None = None

    @property
    def owner(self) -> str | None:
        """The keypad whose port it is."""
        return _device(self.wired)


class Ports:
    """All ports, for the keypads' own thread; only `wake` and `about` are for any thread."""

    def __init__(
        self,
        wired: Sequence[Keypad],
        inbox: Inbox,
        open_tty: Callable[[str], Tty],
        scan: Callable[[], Iterable[str]],
        clock: Callable[[], float],
    ) -> None:
        self._wired = wired
        self._stations = {keypad.device: Station(keypad.device, inbox) for keypad in wired}
        self._open_tty = open_tty
        self._scan = scan
        self._clock = clock
        self._receipts = itertools.count(1)
        self._open: dict[str, Port] = {}
        self._strangers = Strangers()
        self._beat_due = clock()
        self._is_woken = False
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._wake, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._woken, selectors.EVENT_READ, None)

    def about(self, device: str) -> str:
        """What a keypad says of itself; for any thread."""
        return self._stations[device].about if device in self._stations else ""

    def wake(self) -> None:
        """End the wait of this turn or the next; what is to be done then must be there already."""
        if not self._is_woken:
            self._is_woken = True
            os.write(self._wake, b"!")

    def turn(self) -> None:
        """Wait until something happens or is due, and do it."""
        for key, _ in self._selector.select(max(0.0, self._beat_due - self._clock())):
            if key.data is None:
                os.read(self._woken, CHUNK)
                self._is_woken = False
            else:
                self._read(key.data)
        now = self._clock()
        if now >= self._beat_due:
            self._beat_due = now + HEARTBEAT
            self._open_missing(now)
            for port in list(self._open.values()):
                self._beat(port, now)

    def show(self, device: str, panel: Panel) -> None:
        """Keep the panel and send it if the keypad is there."""
        station = self._stations[device]
        if panel != station.panel:
            station.panel = panel
            self._send_to(station, station.heartbeat())

    def settle(self, answer: Given, refusal: str | None) -> None:
        """Keep what was said to the answer and send it if the keypad is there."""
        station = self._stations[answer.device]
        self._send_to(station, station.settle(answer.receipt, refusal))

    def lose_all(self) -> None:
        """Nobody reads the ports any more."""
        for station in self._stations.values():
            station.lost("failed")

    def close(self) -> None:
        """Let go of everything."""
        for port in self._open.values():
            port.tty.close()
        self._selector.close()
        os.close(self._woken)
        os.close(self._wake)

    def _open_missing(self, now: float) -> None:
        candidates = self._candidates()
        denied = [self._open_one(path, wired, now) for path, wired in candidates.items()]
        searched = [group for wired, group in zip(candidates.values(), denied, strict=True) if wired is None]
        if searched and all(searched):
            for keypad in self._unheard():
                self._stations[keypad.device].unreachable(searched[0])

    def _open_one(self, path: str, wired: Keypad | None, now: float) -> str:
        """Opens a port that isn't open; whose members might have, if this machine denied it."""
        port = self._open.get(path)
        if port is not None:
            # The lasting name of a port comes a moment after the port.
            if port.wired is None and port.station is None:
                port.wired = wired
            return ""
        if not self._strangers.may_try(path, _device(wired), now):
            return ""
        try:
            port = Port(path, wired, self._open_tty(path), now)
        except GONE as error:  # not there yet, or not ours: tried again
            group = _group(path, error)
            if wired is not None:
                self._stations[wired.device].unreachable(group)
            return group
        self._open[path] = port
        self._selector.register(port.tty.fileno(), selectors.EVENT_READ, port)
        return ""

    def _candidates(self) -> dict[str, Keypad | None]:
        # Two names in /dev may be one port, and a name may move to another port.
        ports = {
            user_files.resolve_link(keypad.port): keypad for keypad in self._wired if keypad.port is not None
        }
        searched = [user_files.resolve_link(path) for path in self._scan()] if self._unheard() else []
        return {**dict.fromkeys(searched), **ports}

    def _unheard(self) -> list[Keypad]:
        """The keypads that may be at any port, and are at none so far."""
        at_work = {port.station for port in self._open.values()}
        return [
            keypad
            for keypad in self._wired
            if keypad.port is None and self._stations[keypad.device] not in at_work
        ]

    def _read(self, port: Port) -> None:
        try:
            data = port.tty.read(CHUNK)
        except GONE:
            self._drop(port)
            return
        now = self._clock()
        for seq, message in port.link.received(data, now):
            if port.tty.is_open:
                self._hear(port, seq, message, now)

    def _hear(self, port: Port, seq: int, message: FromPad, now: float) -> None:
        if isinstance(message, Hello):
            self._greet(port, message)
        if port.station is None:
            return
        port.station.found()
        if isinstance(message, Entry | Press):
            at = port.link.clock.at(message.ms, now)
            reply = port.station.answered(seq, message, at, next(self._receipts))
            self._send(port, reply)

    def _greet(self, port: Port, hello: Hello) -> None:
        keypad = port.wired or self._named(hello.id)
        station = None if keypad is None else self._stations[keypad.device]
        if port.station is not None and port.station is not station:
            port.station.lost("another")
        port.station = None
        if keypad is None or station is None:
            self._turn_away(port)
        elif misfit := self._misfit(keypad, hello):
            self._turn_away(port)
            station.lost(misfit)
        elif self._is_taken(station):
            if self._turn_away(port):
                station.doubled(hello.id, port.path)
        else:
            port.station = station
            self._send(port, station.greet(hello))

    def _named(self, pad_id: str) -> Keypad | None:
        return next((keypad for keypad in self._wired if keypad.port is None and keypad.id == pad_id), None)

    def _misfit(self, keypad: Keypad, hello: Hello) -> Why | None:
        is_other = keypad.id not in (None, hello.id)
        if is_other or any(other.id == hello.id for other in self._wired if other is not keypad):
            return "another"
        return None if hello.version == VERSION else "protocol"

    def _is_taken(self, station: Station) -> bool:
        """Whether another port has it; one that has fallen silent gives it up to where it is heard now."""
        for port in list(self._open.values()):
            if port.station is station:
                if not port.link.is_silent(self._clock()):
                    return True
                self._drop(port)
        return False

    def _turn_away(self, port: Port) -> bool:
        self._drop(port)
        return self._strangers.turn_away(port.path, port.owner, self._clock())

    def _beat(self, port: Port, now: float) -> None:
        station = port.station
        if station is None:
            self._send(port, host_line(0, Who()))
            if now > port.opened + PATIENCE and port.wired is None:
                self._turn_away(port)
            return
        if port.link.is_silent(now):
            station.lost("silent")
        self._send(port, station.heartbeat())

    def _send_to(self, station: Station, line: bytes) -> None:
        for port in list(self._open.values()):
            if port.station is station:
                self._send(port, line)

    def _send(self, port: Port, line: bytes) -> None:
        try:
            port.tty.write(line)
        except GONE:
            self._drop(port)

    def _drop(self, port: Port) -> None:
        if port.tty.is_open:
            self._selector.unregister(port.tty.fileno())
            port.tty.close()
            del self._open[port.path]
            if port.station is not None:
                port.station.lost("unplugged")
                port.station = None


def _device(wired: Keypad | None) -> str | None:
    return None if wired is None else wired.device


def _group(path: str, error: Exception) -> str:
    """Whose members may open a port that was denied; nothing where something else is the matter."""
    if getattr(error, "errno", None) not in (errno.EACCES, errno.EPERM):
        return ""
    try:
        group = grp.getgrgid(os.stat(path).st_gid).gr_name  # noqa: PTH116 - a name in /dev
    except (OSError, KeyError):
        return SERIAL_GROUP
    return SERIAL_GROUP if group == "root" else group
