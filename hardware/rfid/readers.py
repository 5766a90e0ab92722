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

Each reader is a zone with a name, which says where the reader is, and not what its tags mean. One thread
scans all readers in turn, and only puts signals into the inbox. A reader may be missing at first, go and come
back; tags that stay on it meanwhile haven't left. A zone's `open` makes its chip, so that a simulated chip
can replace it; the driver of the real chip loads only when it is opened.
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
from hardware.gpio.pin_claims import PinFactory, PinTaken, PinUnusable
from hardware.rfid.iso14443 import ImpossibleUidLevels, format_uid, has_valid_check_byte, join_levels_to_uid
from hardware.signals import (
    DeviceFound,
    DeviceLost,
    Inbox,
    LostReason,
    Signal,
    TagArrived,
    TagLeft,
    TagUnreadable,
    UnreadableTagReason,
)
from hardware.wiring.pins import Pin
from hardware.wiring.sections import DEFAULT_SPI_MHZ, Reader

SCAN_INTERVAL_SECONDS = 0.05
"""Time between two scans.

A tag is found faster than people notice, and the processor has 49 of 50 ms for other work.
"""
MISSED_SCANS_UNTIL_LEFT = 3
"""Number of scans in a row without a tag after which the tag has left.

A trembling hand makes the reader miss a tag once or twice.
"""
SCANS_TO_CONFIRM_UNREADABLE_TAG = 3
"""Scans in a row with the same impossible levels after which they can't be noise."""
READER_RETRY_SECONDS = 1.0
"""Time until a reader that can't be used is tried again."""
SPI_GROUP = "spi"
"""The group whose members may open SPI devices on Raspberry Pi OS."""


class ReaderPackageMissing(OSError):
    """A package that a reader needs isn't installed, or doesn't run here."""


class ReaderChip(Protocol):
    """The interface of an open reader's chip, such as `rc522.Rc522`."""

    @property
    def chip_description(self) -> Text:
        """The chip's name, and what is unusual about it."""

    @property
    def impossible_levels(self) -> Collection[ImpossibleUidLevels]:
        """Levels that tags sent in the last scan, though no UID has them."""

    def read_tags(self) -> Collection[bytes]:
        """Returns the UIDs of the tags on the reader.

        Raises OSError when the reader can't be used any more.
        """

    def close(self) -> None:
        """Closes the reader."""


class ReaderZone(NamedTuple):
    """A wired reader with the name of its zone; `open` raises OSError while the reader is missing."""

    device: str
    name: str
    open: Callable[[], ReaderChip]


def open_reader_at_spi(
    path: str,
    *,
    wait: Callable[[float], None] = time.sleep,
    reset: Callable[[], None] = lambda: None,
    mhz: int = DEFAULT_SPI_MHZ,
) -> ReaderChip:
    """Opens the reader at an SPI device such as "/dev/spidev0.0".

    `reset` pulses the reader's reset pin, if that is wired. Raises OSError, such as ReaderNotResponding, or
    `ReaderPackageMissing` if a package can't be loaded. In both cases the game goes on without the reader.
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


class TagPresenceChange(NamedTuple):
    """The tags that came into a zone and those that left it."""

    arrived_tags: list[str]
    left_tags: list[str]


class TagPresence:
    """Tracks which tags are in a zone: present at once, gone after MISSED_SCANS_UNTIL_LEFT without them."""

    def __init__(self) -> None:
        self._missed_scans_by_tag: dict[str, int] = {}

    @property
    def present_tags(self) -> tuple[str, ...]:
        """The tags that are present, in the order in which they arrived."""
        return tuple(self._missed_scans_by_tag)

    def update_after_scan(self, scanned_tags: Collection[str]) -> TagPresenceChange:
        """Applies the tags of one more scan; returns what it changes."""
        for tag in self._missed_scans_by_tag:
            self._missed_scans_by_tag[tag] = 0 if tag in scanned_tags else self._missed_scans_by_tag[tag] + 1
        left = [tag for tag, missed in self._missed_scans_by_tag.items() if missed >= MISSED_SCANS_UNTIL_LEFT]
        for tag in left:
            del self._missed_scans_by_tag[tag]
        arrived = sorted(set(scanned_tags) - self._missed_scans_by_tag.keys())
        self._missed_scans_by_tag.update(dict.fromkeys(arrived, 0))
        return TagPresenceChange(arrived, left)


class RepeatedImpossibleLevelsDetector:
    """Finds impossible levels that a tag sends again and again, and reports them once.

    Noise would make different levels in every scan.
    """

    def __init__(self) -> None:
        self._scan_counts: dict[ImpossibleUidLevels, int] = {}

    def confirm_after_scan(
        self, scanned_levels: Collection[ImpossibleUidLevels]
    ) -> list[ImpossibleUidLevels]:
        """Applies the impossible levels of one more scan; returns those that are certain now."""
        self._scan_counts = {levels: self._scan_counts.get(levels, 0) + 1 for levels in scanned_levels}
        return [
            levels for levels, count in self._scan_counts.items() if count == SCANS_TO_CONFIRM_UNREADABLE_TAG
        ]


class ReaderScanner:
    """Watches one reader: opens it, scans, and returns what has changed.

    Only `scan_once` uses the reader, so a test can go through it step by step. Signals carry the time after
    the scan, when they became certain, so a card that was laid during a scan counts as later than everything
    that could be read before.
    """

    def __init__(self, zone: ReaderZone, clock: Callable[[], float]) -> None:
        self.zone = zone
        self._clock = clock
        self.presence = TagPresence()
        self._impossible_levels = RepeatedImpossibleLevelsDetector()
        self._chip: ReaderChip | None = None
        self._retry_at = float("-inf")
        self._lost: DeviceLost | None = None

    @property
    def chip_description(self) -> Text:
        """The description of the reader's chip; "" while it can't be used."""
        chip = self._chip
        return "" if chip is None else chip.chip_description

    def scan_once(self) -> list[Signal]:
        """Scans once; returns the changes as signals."""
        if self._chip is None and self._clock() < self._retry_at:
            return []
        device, zone, open_chip = self.zone
        found_signals: list[Signal] = [DeviceFound(device)] if self._chip is None else []
        try:
            if self._chip is None:
                self._chip = open_chip()
            tags = [format_uid(uid) for uid in self._chip.read_tags()]
        except OSError as error:
            self._retry_at = self._clock() + READER_RETRY_SECONDS
            return self.close_and_report_lost(*_classify_error(error))
        self._lost = None
        now = self._clock()
        arrived, left = self.presence.update_after_scan(tags)
        left_signals = [TagLeft(device, zone, tag, now) for tag in left]
        arrived_signals = [TagArrived(device, zone, tag, now) for tag in arrived]
        unreadable_signals = [
            TagUnreadable(device, zone, *_describe_impossible(levels), now)
            for levels in self._impossible_levels.confirm_after_scan(self._chip.impossible_levels)
        ]
        return [*found_signals, *left_signals, *arrived_signals, *unreadable_signals]

    def close_and_report_lost(self, reason: LostReason, detail: str = "") -> list[Signal]:
        """Closes the reader; returns a signal unless the same reason was just reported."""
        self.close()
        reported, self._lost = self._lost, DeviceLost(self.zone.device, reason, detail)
        return [] if self._lost == reported else [self._lost]

    def close(self) -> None:
        """Closes the reader."""
        if self._chip is not None:
            with contextlib.suppress(OSError):
                self._chip.close()
            self._chip = None


def _describe_impossible(levels: ImpossibleUidLevels) -> tuple[UnreadableTagReason, str]:
    """Returns why a tag can't be read, and the id that it claims."""
    return ("mark" if has_valid_check_byte(levels[-1]) else "check"), format_uid(join_levels_to_uid(levels))


def _classify_error(error: OSError) -> tuple[LostReason, str]:
    match error:
        case FileNotFoundError():
            return "unplugged", ""
        case PermissionError():
            return "denied", SPI_GROUP
        case ReaderPackageMissing():
            return "no_package", ""
        case PinTaken():
            return "taken", error.holder
        case PinUnusable():
            return "no_pins", ""
    return "silent", ""


class ReaderPoller(DeviceDriver):
    """Scans readers again and again, in a thread of its own."""

    def __init__(
        self, zones: Sequence[ReaderZone], inbox: Inbox, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._watchers = [ReaderScanner(zone, clock) for zone in zones]
        self._inbox = inbox
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._scan_until_closed, name="readers", daemon=True)

    def start(self) -> None:
        """Starts to scan; signals then say which readers are found and which are lost."""
        self._thread.start()

    def close(self) -> None:
        """Closes all readers."""
        self._closing.set()
        if self._thread.ident is not None:
            self._thread.join()

    def describe_device(self, device: str) -> Text:
        """Returns the description of a reader's chip; "" for another device."""
        return next(
            (watcher.chip_description for watcher in self._watchers if watcher.zone.device == device), ""
        )

    def _scan_until_closed(self) -> None:
        try:
            while not self._closing.wait(SCAN_INTERVAL_SECONDS):
                for watcher in self._watchers:
                    self._put_into_inbox(watcher.scan_once())
        except BaseException:
            # A game must never wait for a reader that no thread scans.
            for watcher in self._watchers:
                self._put_into_inbox(watcher.close_and_report_lost("failed"))
            raise
        finally:
            for watcher in self._watchers:
                watcher.close()

    def _put_into_inbox(self, signals: list[Signal]) -> None:
        for signal in signals:
            self._inbox.put(signal)


RESET_PULSE_SECONDS = 0.001
"""Time for which the reset pin is low; the data sheet wants 100 ns."""
OSCILLATOR_START_SECONDS = 0.005
"""Time after a reset until the chip's oscillator is steady."""


class TagReaders(ReaderPoller):
    """Driver of the wired tag readers: each is a zone at an SPI device, perhaps with a reset pin.

    `spi` opens a chip as `open_reader_at_spi` does. The reset pin is claimed when the reader is opened.
    `clock` returns the seconds that signals carry. A reader is lost as long as its reset pin can't be used,
    because the pin may hold its chip in reset.
    """

    def __init__(
        self,
        sections: Sequence[Reader],
        inbox: Inbox,
        *,
        pins: Callable[[], PinFactory],
        spi: Callable[..., ReaderChip] = open_reader_at_spi,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins = pins
        self._spi = spi
        self._reset_pin_by_device: dict[str, Any] = {}
        zones = [
            ReaderZone(section.device_name, section.zone, partial(self._open_reader, section))
            for section in sections
        ]
        super().__init__(zones, inbox, clock=clock)

    def close(self) -> None:
        """Closes all readers and releases their pins."""
        super().close()
        for reset_pin in self._reset_pin_by_device.values():
            reset_pin.close()

    def _claim_reset_pin(self, device: str, pin: Pin) -> Any:
        if device not in self._reset_pin_by_device:
            try:
                from gpiozero import OutputDevice
                from gpiozero.exc import GPIOZeroError
            except ImportError as error:
                raise PinUnusable(f"the reset pin {pin} can't be used: {error}") from error
            try:
                self._reset_pin_by_device[device] = OutputDevice(
                    int(pin), initial_value=True, pin_factory=self._pins()
                )
            except PinTaken:
                raise
            except (OSError, ImportError, GPIOZeroError) as error:
                raise PinUnusable(f"the reset pin {pin} can't be used: {error}") from error
        return self._reset_pin_by_device[device]

    def _open_reader(self, reader: Reader) -> ReaderChip:
        if reader.reset is None:
            return self._spi(reader.spi, mhz=reader.mhz)
        reset_pin = self._claim_reset_pin(reader.device_name, reader.reset)
        return self._spi(reader.spi, mhz=reader.mhz, reset=partial(self._pulse_reset, reset_pin))

    def _pulse_reset(self, reset_pin: Any) -> None:
        reset_pin.off()
        time.sleep(RESET_PULSE_SECONDS)
        reset_pin.on()
        time.sleep(OSCILLATOR_START_SECONDS)
