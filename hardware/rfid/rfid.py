"""Readers of tags: metal in, `TagArrived` and `TagLeft` out.

    import threading
    from functools import partial

    from hardware.inbox import Inbox
    from hardware.rfid.rfid import Readers, Zone, at_spi

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    market = Zone("reader 1", "market", partial(at_spi, "/dev/spidev0.0"))
    with Readers([market], inbox):
        while awake.wait():
            awake.clear()
            print(inbox.drain())

Each reader is a zone with a name: where it stands, not what its tags mean.
One thread looks at all of them in turn and only puts signals into the inbox.
A reader may be missing at first, go and come back; tags that lie on it all the
while haven't left. What stands behind a zone is made by its opener, so a
simulated chip may; the driver of the real one loads only when it is opened.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

from companion.texts import Text
from hardware.gpio.chips import NoPins, PinTaken
from hardware.inbox import Inbox
from hardware.openable import Openable
from hardware.rfid.anticollision import Odd
from hardware.rfid.iso14443 import is_level, tag_name, uid_of
from hardware.signals import Found, Lost, Signal, TagArrived, TagLeft, TagUnread, Unread, Why
from hardware.wiring.sections import MHZ

PAUSE = 0.05
"""Seconds between looks: a tag is known in a blink, and the processor has 49 of 50 ms for others."""
MISSES = 3
"""Looks in a row without a tag until it has left; a hand that trembles costs one or two."""
SURE = 3
"""Looks in a row in which a tag says the same impossible thing until that is no noise."""
AGAIN = 1.0
"""Seconds until a reader that can't be used is tried once more."""
GROUP = "spi"
"""Whose members may open SPI devices on Raspberry Pi OS."""


class NoPackage(OSError):
    """What a reader needs to be opened isn't installed, or doesn't run here."""


class ReaderChip(Protocol):
    """An open reader, such as `rc522.Rc522`."""

    @property
    def chip(self) -> Text:
        """Which chip it says it is, and what is odd about it."""

    @property
    def odd(self) -> Collection[Odd]:
        """What tags said in the last look that no UID is made of."""

    def look(self) -> Collection[bytes]:
        """The UIDs of the tags that lie there now. Raises OSError when it can't be used any more."""

    def close(self) -> None:
        """Let go of it."""


class Zone(NamedTuple):
    """A wired reader and the name of its place; `open` raises OSError while it isn't there."""

    device: str
    name: str
    open: Callable[[], ReaderChip]


def at_spi(
    path: str,
    *,
    wait: Callable[[float], None] = time.sleep,
    reset: Callable[[], None] = lambda: None,
    mhz: int = MHZ,
) -> ReaderChip:
    """The reader at an SPI device such as "/dev/spidev0.0"; `reset` pulls its reset pin, where that is wired.

    Raises OSError, such as ReaderSilent; `NoPackage` where the packages it needs can't be loaded: the game
    goes on without it.
    """
    try:
        import spidev

        from hardware.rfid.rc522 import Rc522
    except ImportError as error:
        raise NoPackage(f"the reader's packages can't be loaded: {error}") from error
    bus, _, device = path.removeprefix("/dev/spidev").partition(".")
    spi = spidev.SpiDev()
    spi.open(int(bus), int(device))
    spi.max_speed_hz = mhz * 1_000_000
    try:
        return Rc522(spi, wait=wait, reset=reset)
    except OSError:
        spi.close()
        raise


class Presence:
    """Which tags lie in a zone, without flicker: a tag is there at once, and gone after MISSES looks."""

    def __init__(self) -> None:
        self._missed: dict[str, int] = {}

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that are there, in the order in which they came."""
        return tuple(self._missed)

    def seen(self, tags: Collection[str]) -> tuple[list[str], list[str]]:
        """After one more look: the tags that have arrived and those that have left."""
        for tag in self._missed:
            self._missed[tag] = 0 if tag in tags else self._missed[tag] + 1
        left = [tag for tag, missed in self._missed.items() if missed >= MISSES]
        for tag in left:
            del self._missed[tag]
        arrived = sorted(set(tags) - self._missed.keys())
        self._missed.update(dict.fromkeys(arrived, 0))
        return arrived, left


class Oddities:
    """What tags say again and again that can't be, each told once: noise says something else every time."""

    def __init__(self) -> None:
        self._looks: dict[Odd, int] = {}

    def seen(self, odd: Collection[Odd]) -> list[Odd]:
        """After one more look: what is sure now."""
        self._looks = {said: self._looks.get(said, 0) + 1 for said in odd}
        return [said for said, looks in self._looks.items() if looks == SURE]


class Watch:
    """One reader as it is watched: opens it, looks, and tells what has changed.

    Only `turn` touches the reader, so a test can go through it step by step.
    What it says carries the moment after the look, when it was sure: a card that was laid during a look
    was laid after all that was there to be read before it.
    """

    def __init__(self, zone: Zone, clock: Callable[[], float]) -> None:
        self.zone = zone
        self._clock = clock
        self.presence = Presence()
        self._oddities = Oddities()
        self._chip: ReaderChip | None = None
        self._again = float("-inf")
        self._lost: Lost | None = None

    @property
    def about(self) -> Text:
        """Which chip it says it is; nothing while it can't be used."""
        chip = self._chip
        return "" if chip is None else chip.chip

    def turn(self) -> list[Signal]:
        """One look; what it changes, as signals."""
        if self._chip is None and self._clock() < self._again:
            return []
        device, zone, open_chip = self.zone
        found: list[Signal] = [Found(device)] if self._chip is None else []
        try:
            if self._chip is None:
                self._chip = open_chip()
            tags = [tag_name(uid) for uid in self._chip.look()]
        except OSError as error:
            self._again = self._clock() + AGAIN
            return self.lose(*_why(error))
        self._lost = None
        now = self._clock()
        arrived, left = self.presence.seen(tags)
        gone = [TagLeft(device, zone, tag, now) for tag in left]
        new = [TagArrived(device, zone, tag, now) for tag in arrived]
        odd = [TagUnread(device, zone, *_unread(said), now) for said in self._oddities.seen(self._chip.odd)]
        return [*found, *gone, *new, *odd]

    def lose(self, why: Why, what: str = "") -> list[Signal]:
        """Let go of the reader; says so once for each reason."""
        self.close()
        before, self._lost = self._lost, Lost(self.zone.device, why, what)
        return [] if self._lost == before else [self._lost]

    def close(self) -> None:
        """Let go of the reader."""
        if self._chip is not None:
            with contextlib.suppress(OSError):
                self._chip.close()
            self._chip = None


def _unread(said: Odd) -> tuple[Unread, str]:
    """Why nothing is read from a tag, and the id that it claims."""
    return ("mark" if is_level(said[-1]) else "check"), tag_name(uid_of(said))


def _why(error: OSError) -> tuple[Why, str]:
    match error:
        case FileNotFoundError():
            return "unplugged", ""
        case PermissionError():
            return "denied", GROUP
        case NoPackage():
            return "no_package", ""
        case PinTaken():
            return "taken", error.holder
        case NoPins():
            return "no_pins", ""
    return "silent", ""


class Readers(Openable):
    """The wired readers."""

    def __init__(
        self, wired: Sequence[Zone], inbox: Inbox, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._watches = [Watch(zone, clock) for zone in wired]
        self._inbox = inbox
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="readers", daemon=True)

    def start(self) -> None:
        """Begin to look; every reader that answers is `Found`, the others are `Lost`."""
        self._thread.start()

    def close(self) -> None:
        """Let go of all readers."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join()

    def about(self, device: str) -> Text:
        """What a reader says of itself; nothing for another device."""
        return next((watch.about for watch in self._watches if watch.zone.device == device), "")

    def _run(self) -> None:
        try:
            while not self._closing.wait(PAUSE):
                for watch in self._watches:
                    self._put(watch.turn())
        except BaseException:
            # A game must never wait for a reader that nobody looks at.
            for watch in self._watches:
                self._put(watch.lose("failed"))
            raise
        finally:
            for watch in self._watches:
                watch.close()

    def _put(self, signals: list[Signal]) -> None:
        for signal in signals:
            self._inbox.put(signal)
