"""Readers of tags: which tags arrive on them and which leave.

    import threading
    from functools import partial

    from hardware.rfid.readers import ReaderPoller, ReaderZone, open_reader_at_spi
    from hardware.signals import Inbox

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    market = ReaderZone("reader 1", "market", partial(open_reader_at_spi, "/dev/spidev0.0"))
    with ReaderPoller([market], inbox):
        while awake.wait():
            awake.clear()
            print(inbox.drain())

Each reader is a zone with a name: where it stands, not what its tags mean.
One thread polls all readers in turn, and only puts signals into the inbox.
A reader may be missing at first, go and come back; tags that lie on it all the while haven't left.
A zone's `open` makes its chip, so that a simulated chip may stand in; the driver of the real chip loads only
when it is opened.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from companion.texts import Text
from hardware.device_drivers import DeviceDriver
from hardware.gpio.pin_claims import PinFactory, PinTaken, PinUnavailable
from hardware.rfid.iso14443 import ImpossibleLevels, format_uid, has_valid_check_byte, uid_of_levels
from hardware.signals import (
    DeviceFound,
    DeviceLost,
    Inbox,
    LostReason,
    Signal,
    TagArrived,
    TagLeft,
    TagUnreadable,
    UnreadReason,
)
from hardware.wiring.pins import Pin
from hardware.wiring.sections import DEFAULT_MHZ, Reader

LOOK_INTERVAL_SECONDS = 0.05
"""Time between looks: a tag is known in a blink, and the processor has 49 of 50 ms for others."""
MAX_MISSES = 3
"""Looks in a row without a tag until it has left; a trembling hand costs one or two."""
LOOKS_UNTIL_SURE = 3
"""Looks in a row in which a tag sends the same impossible levels until that can't be noise."""
RETRY_SECONDS = 1.0
"""Time until a reader that can't be used is tried again."""
SPI_GROUP = "spi"
"""The group whose members may open SPI devices on Raspberry Pi OS."""


class ReaderPackageMissing(OSError):
    """A package that a reader needs isn't installed, or doesn't run here."""


class ReaderChip(Protocol):
    """An open reader, such as `rc522.Rc522`."""

    @property
    def chip_name(self) -> Text:
        """Which chip it says it is, and what is odd about it."""

    @property
    def impossible_tags(self) -> Collection[ImpossibleLevels]:
        """Levels that tags sent in the last look and no UID has."""

    def read_tags(self) -> Collection[bytes]:
        """Returns the UIDs of the tags on the reader.

        Raises OSError when the reader can't be used any more.
        """

    def close(self) -> None:
        """Closes the reader."""


class ReaderZone(NamedTuple):
    """A wired reader and the name of its place; `open` raises OSError while the reader isn't there."""

    device: str
    name: str
    open: Callable[[], ReaderChip]


def open_reader_at_spi(
    path: str,
    *,
    wait: Callable[[float], None] = time.sleep,
    reset: Callable[[], None] = lambda: None,
    mhz: int = DEFAULT_MHZ,
) -> ReaderChip:
    """Opens the reader at an SPI device such as "/dev/spidev0.0".

    `reset` pulls its reset pin, if that is wired.

    Raises OSError, such as ReaderNotResponding; `ReaderPackageMissing` if a package can't be loaded: the game
    goes on without the reader.
    """
    try:
        import spidev

        from hardware.rfid.rc522 import Rc522
    except ImportError as error:
        raise ReaderPackageMissing(f"the reader's packages can't be loaded: {error}") from error
    bus, _, device = path.removeprefix("/dev/spidev").partition(".")
    spi = spidev.SpiDev()
    spi.open(int(bus), int(device))
    spi.max_speed_hz = mhz * 1_000_000
    try:
        return Rc522(spi, wait=wait, reset=reset)
    except OSError:
        spi.close()
        raise


class TagPresence:
    """Which tags lie in a zone, without flicker: a tag is there at once, and gone after MAX_MISSES looks."""

    def __init__(self) -> None:
        self._missed: dict[str, int] = {}

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that are there, in the order in which they came."""
        return tuple(self._missed)

    def update(self, tags: Collection[str]) -> tuple[list[str], list[str]]:
        """Returns which tags have arrived and which have left, after one more look."""
        for tag in self._missed:
            self._missed[tag] = 0 if tag in tags else self._missed[tag] + 1
        left = [tag for tag, missed in self._missed.items() if missed >= MAX_MISSES]
        for tag in left:
            del self._missed[tag]
        arrived = sorted(set(tags) - self._missed.keys())
        self._missed.update(dict.fromkeys(arrived, 0))
        return arrived, left


class ImpossibleTags:
    """Impossible levels that tags send again and again, each reported once: noise differs every time."""

    def __init__(self) -> None:
        self._looks: dict[ImpossibleLevels, int] = {}

    def update(self, odd: Collection[ImpossibleLevels]) -> list[ImpossibleLevels]:
        """Returns the levels that are certain now, after one more look."""
        self._looks = {said: self._looks.get(said, 0) + 1 for said in odd}
        return [said for said, looks in self._looks.items() if looks == LOOKS_UNTIL_SURE]


class ReaderWatcher:
    """Watches one reader: opens it, looks, and returns what has changed.

    Only `poll` touches the reader, so a test can go through it step by step.
    Signals carry the moment after the look, when they were certain: a card that was laid during a look was
    laid after everything that was there to be read before.
    """

    def __init__(self, zone: ReaderZone, clock: Callable[[], float]) -> None:
        self.zone = zone
        self._clock = clock
        self.presence = TagPresence()
        self._oddities = ImpossibleTags()
        self._chip: ReaderChip | None = None
        self._again = float("-inf")
        self._lost: DeviceLost | None = None

    @property
    def chip_name(self) -> Text:
        """Which chip the reader says it is; "" while it can't be used."""
        chip = self._chip
        return "" if chip is None else chip.chip_name

    def poll(self) -> list[Signal]:
        """Looks once; returns the changes as signals."""
        if self._chip is None and self._clock() < self._again:
            return []
        device, zone, open_chip = self.zone
        found: list[Signal] = [DeviceFound(device)] if self._chip is None else []
        try:
            if self._chip is None:
                self._chip = open_chip()
            tags = [format_uid(uid) for uid in self._chip.read_tags()]
        except OSError as error:
            self._again = self._clock() + RETRY_SECONDS
            return self.mark_lost(*_reason_of(error))
        self._lost = None
        now = self._clock()
        arrived, left = self.presence.update(tags)
        gone = [TagLeft(device, zone, tag, now) for tag in left]
        new = [TagArrived(device, zone, tag, now) for tag in arrived]
        odd = [
            TagUnreadable(device, zone, *_describe_impossible(said), now)
            for said in self._oddities.update(self._chip.impossible_tags)
        ]
        return [*found, *gone, *new, *odd]

    def mark_lost(self, why: LostReason, what: str = "") -> list[Signal]:
        """Closes the reader; returns a signal unless the same reason was just reported."""
        self.close()
        before, self._lost = self._lost, DeviceLost(self.zone.device, why, what)
        return [] if self._lost == before else [self._lost]

    def close(self) -> None:
        """Closes the reader."""
        if self._chip is not None:
            with contextlib.suppress(OSError):
                self._chip.close()
            self._chip = None


def _describe_impossible(said: ImpossibleLevels) -> tuple[UnreadReason, str]:
    """Returns why a tag can't be read, and the id that it claims."""
    return ("mark" if has_valid_check_byte(said[-1]) else "check"), format_uid(uid_of_levels(said))


def _reason_of(error: OSError) -> tuple[LostReason, str]:
    match error:
        case FileNotFoundError():
            return "unplugged", ""
        case PermissionError():
            return "denied", SPI_GROUP
        case ReaderPackageMissing():
            return "no_package", ""
        case PinTaken():
            return "taken", error.holder
        case PinUnavailable():
            return "no_pins", ""
    return "silent", ""


class ReaderPoller(DeviceDriver):
    """Polls readers in a thread of its own."""

    def __init__(
        self, wired: Sequence[ReaderZone], inbox: Inbox, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._watches = [ReaderWatcher(zone, clock) for zone in wired]
        self._inbox = inbox
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="readers", daemon=True)

    def start(self) -> None:
        """Begins to look; every reader that answers is found, the others are lost."""
        self._thread.start()

    def close(self) -> None:
        """Closes all readers."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join()

    def describe_device(self, device: str) -> Text:
        """Returns which chip a reader says it is; "" for another device."""
        return next((watch.chip_name for watch in self._watches if watch.zone.device == device), "")

    def _run(self) -> None:
        try:
            while not self._closing.wait(LOOK_INTERVAL_SECONDS):
                for watch in self._watches:
                    self._put(watch.poll())
        except BaseException:
            # A game must never wait for a reader that nobody looks at.
            for watch in self._watches:
                self._put(watch.mark_lost("failed"))
            raise
        finally:
            for watch in self._watches:
                watch.close()

    def _put(self, signals: list[Signal]) -> None:
        for signal in signals:
            self._inbox.put(signal)


RESET_LOW_SECONDS = 0.001
"""Time that the reset pin is low; the data sheet wants 100 ns."""
OSCILLATOR_START_SECONDS = 0.005
"""Time until the chip's oscillator is steady."""


class TagReaders(ReaderPoller):
    """The wired readers: each a zone at its SPI device, with its reset pin if that is wired.

    `spi` opens a chip as `open_reader_at_spi` does; the reset pin is taken when the reader is opened.
    `clock` returns the seconds that signals carry. A reader whose reset pin can't be used is lost until it
    can: the pin may hold its chip down.
    """

    def __init__(
        self,
        wired: Sequence[Reader],
        inbox: Inbox,
        *,
        pins: Callable[[], PinFactory],
        spi: Callable[..., ReaderChip] = open_reader_at_spi,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins = pins
        self._spi = spi
        self._resets: dict[str, Any] = {}
        zones = [ReaderZone(each.device_name, each.zone, partial(self._open_reader, each)) for each in wired]
        super().__init__(zones, inbox, clock=clock)

    def close(self) -> None:
        """Closes all readers and frees their pins."""
        super().close()
        for reset in self._resets.values():
            reset.close()

    def _reset_pin(self, device: str, pin: Pin) -> Any:
        if device not in self._resets:
            try:
                from gpiozero import OutputDevice
                from gpiozero.exc import GPIOZeroError
            except ImportError as error:
                raise PinUnavailable(f"the reset pin {pin} can't be used: {error}") from error
            try:
                self._resets[device] = OutputDevice(int(pin), initial_value=True, pin_factory=self._pins())
            except PinTaken:
                raise
            except (OSError, ImportError, GPIOZeroError) as error:
                raise PinUnavailable(f"the reset pin {pin} can't be used: {error}") from error
        return self._resets[device]

    def _open_reader(self, reader: Reader) -> ReaderChip:
        if reader.reset is None:
            return self._spi(reader.spi, mhz=reader.mhz)
        reset = self._reset_pin(reader.device_name, reader.reset)
        return self._spi(reader.spi, mhz=reader.mhz, reset=partial(self._pulse_reset, reset))

    def _pulse_reset(self, reset: Any) -> None:
        reset.off()
        time.sleep(RESET_LOW_SECONDS)
        reset.on()
        time.sleep(OSCILLATOR_START_SECONDS)
