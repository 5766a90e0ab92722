"""The host's end of one cable, without the cable: bytes and moments in, messages out.

A `Link` lives as long as its port is open; what has to outlive unplugging is
kept at the seat (`hardware.keypads.station`).
Time is given by the caller in seconds of one monotonic clock.
"""

from collections import deque
from collections.abc import Iterator

from hardware.firmware.keypad.lines import LineSplitter
from hardware.protocol.lines import DamagedLine
from hardware.protocol.protocol import (
    HEARTBEAT,
    MISSED,
    Beat,
    FromPad,
    Hello,
    parse_pad_line,
)


class PadClock:
    """Tells when, by this machine's clock, a keypad's own clock showed a moment.

    A line is never early, so the least delay of the last lines is the true
    offset, plus what a cable always takes; only the last lines count, because
    a keypad's crystal drifts.
    """

    def __init__(self) -> None:
        self._offsets: deque[float] = deque(maxlen=16)

    def heard(self, ms: int, now: float) -> None:
        """A line arrived that was written when the keypad's clock showed `ms`."""
        self._offsets.append(now - ms / 1000)

    def at(self, ms: int, now: float) -> float:
        """The moment at which the keypad's clock showed `ms`; never later than `now`."""
        return min(now, min(self._offsets, default=now) + ms / 1000)


class Link:
    """One open port: cuts and checks its lines, and knows whether the keypad is alive."""

    def __init__(self, now: float) -> None:
        self.hello: Hello | None = None
        self.clock = PadClock()
        self._over: set[str] = set()
        self._splitter = LineSplitter()
        self._heard = now

    def received(self, data: bytes, now: float) -> Iterator[tuple[int, FromPad]]:
        """Take bytes from the port; SEQ and message of each intact line.

        An answer before the first HELLO is dropped: whose it is isn't known,
        and the keypad repeats it. So is a HELLO from before another start of its
        program: answers of that start can only be replays.
        """
        for line in self._splitter.split(data):
            try:
                seq, message = parse_pad_line(line)
            except DamagedLine:
                continue
            self._heard = now
            if isinstance(message, Hello) and message.boot in self._over:
                continue
            self._note(message, now)
            if self.hello is not None:
                yield seq, message

    def is_silent(self, now: float) -> bool:
        """No intact line for as long as three heartbeats take."""
        return now - self._heard > MISSED * HEARTBEAT

    def _note(self, message: FromPad, now: float) -> None:
        if isinstance(message, Hello):
            if self.hello is not None and self.hello.boot != message.boot:
                self.clock = PadClock()
                self._over.add(self.hello.boot)
            self.hello = message
        elif isinstance(message, Beat):
            self.clock.heard(message.ms, now)
