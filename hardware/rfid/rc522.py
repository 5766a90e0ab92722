"""The driver of the reader chip MFRC522: which tags lie on it now.

    import time

    from hardware.rfid.readers import open_reader_at_spi

    reader = open_reader_at_spi("/dev/spidev0.0")
    while True:
        print([uid.hex() for uid in reader.read_tags()])
        time.sleep(0.03)

Registers and set-up come from the package `mfrc522`, without the pins that it would drive: a reset pin is
driven like all other pins. This driver replaces the way the package talks to tags: the package waits 2,000
transfers for nothing, knows only UIDs of four bytes, selects nothing, and finds no tag when there are two.
`iso14443` tells tags apart; `readers` finds out which tags came and left.

After an answer, the chip should wait for the next frame. A chip that doesn't is restarted before each frame,
from the first time on that the driver notices it.

No wait is longer than 10 ms, and all loops end. Timing and the order of transfers follow the data sheet and
are tested on the simulated chip.
"""

import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol

from companion.texts import Text, say
from hardware.rfid.iso14443 import (
    BIT_SECONDS,
    MAX_CALLS_PER_TAG,
    REQA,
    TAG_ANSWER_DELAY_SECONDS,
    TAG_START_OR_RESET_SECONDS,
    UID_BITS_PER_LEVEL,
    WUPA,
    ImpossibleUidLevels,
    TagAnswer,
    find_and_halt_tags,
    halt_tag_if_present,
)

ANSWER_TIMEOUT_TICKS = 15
"""Ticks of 25 µs until a frame counts as unanswered; answers begin after 91 µs."""
ANSWER_TIMEOUT_SECONDS = (ANSWER_TIMEOUT_TICKS + 1) * 25e-6
ANSWER_READ_MARGIN_SECONDS = 60e-6
"""Time between the latest end of an answer and the moment when it is read."""
MIN_FIELD_OFF_OR_ON_SECONDS = TAG_START_OR_RESET_SECONDS + 0.001
"""Time for which the field must be off, or on, until every tag has noticed."""
MAX_SCANS_CALLING_SILENT_TAG = 3
"""Number of scans in which a silent tag is still called by its UID.

At the edge of the field a tag misses frames.
"""
CALLS_PER_SILENT_TAG = 10
"""Maximum calls to a silent tag in each of these scans."""
EMPTY_SCANS_UNTIL_RESET = 400
"""Scans without a tag until the chip is set up again: readers have gone deaf after hours."""
CHIP_NAME_BY_VERSION = {
    0x91: "MFRC522 1.0",
    0x92: "MFRC522 2.0",
    0x88: "FM17522",
    0xB2: "FM17522 (0xB2)",
    0x12: "clone (0x12)",
}
"""Names of the chips that are known to work, by the value of VersionReg."""
VERSIONS_WITHOUT_CHIP = (0x00, 0xFF)
"""Values of VersionReg if there is no chip, or one without power or wires."""

TX_DONE, RX_DONE = 0x40, 0x20
OVERFLOW, COLLIDED, PARITY, PROTOCOL = 0x10, 0x08, 0x02, 0x01
NO_COLLISION_POSITION_BIT = 0x20
START_SEND_BIT = 0x80
FLUSH_FIFO_BIT = 0x80
ANTENNA_BITS = 0x03


class SpiDevice(Protocol):
    """The part of spidev.SpiDev that is used here."""

    def xfer2(self, data: list[int], /) -> list[int]:
        """Sends bytes in one chip select and returns the received bytes. Raises OSError."""

    def close(self) -> None:
        """Closes the device."""


class ReaderNotResponding(OSError):
    """No chip answers at this SPI device, or the chip loses its settings at once."""


class _SettingsLost(Exception):
    """The chip has been without power since it was set up."""


def _load_package_class() -> Any:
    """Returns the package's class, of which only the access to the chip's registers is used.

    The package imports RPi.GPIO, which fails on a Pi 5, and spidev, and uses them only to open and to close
    the chip. This driver opens and closes the chip itself, so empty modules take their place, on a Pi too.
    """
    placeholder_modules = {
        name: ModuleType(name) for name in {"RPi", "RPi.GPIO", "spidev"} - sys.modules.keys()
    }
    sys.modules.update(placeholder_modules)
    try:
        from mfrc522 import MFRC522
    finally:
        for name in placeholder_modules:
            del sys.modules[name]
    return MFRC522


class Rc522(_load_package_class()):  # type: ignore[misc]  # the package has no types
    """Driver of one MFRC522, ready to read. Raises ReaderNotResponding, or the SPI device's OSError.

    `wait` sleeps for seconds. Tags sent `impossible_levels` in the last scan, though no UID has them.
    `reset` pulls the chip's reset pin low and releases it, if that pin is wired.
    """

    def __init__(
        self,
        spi: SpiDevice,
        *,
        wait: Callable[[float], None] = time.sleep,
        reset: Callable[[], None] = lambda: None,
    ) -> None:
        # The package's `__init__` isn't called: it opens SPI itself and drives a pin that may be the UART's.
        self.spi = spi
        self.version = 0
        self.frames_sent = 0
        self._wait = wait
        self._pull_reset = reset
        self.impossible_levels: frozenset[ImpossibleUidLevels] = frozenset()
        self._missed_scans_by_uid: dict[bytes, int] = {}
        self._is_receiving = False
        self._needs_restart = False
        self._empty_scan_count = 0
        self.initialise_chip()

    @property
    def chip_description(self) -> Text:
        """The chip's name by its version, and whether it must be restarted before every message."""
        name = CHIP_NAME_BY_VERSION.get(self.version, f"unknown (0x{self.version:02X})")
        return say("{chip}, restarted before every message", chip=name) if self._needs_restart else name

    def initialise_chip(self) -> None:
        """Resets the chip and sets it up; all tags lose their state. Raises ReaderNotResponding."""
        self._is_receiving = False
        self._empty_scan_count = 0
        self._pull_reset()
        self.MFRC522_Reset()
        self._wait(MIN_FIELD_OFF_OR_ON_SECONDS)
        version = self.Read_MFRC522(self.VersionReg)
        if version in VERSIONS_WITHOUT_CHIP:
            raise ReaderNotResponding(f"no reader answers: its version reads 0x{version:02X}")
        self.version = version
        self.MFRC522_Init()
        self.Write_MFRC522(self.TModeReg, 0x80)  # the timer starts by itself after every frame
        self.Write_MFRC522(self.TPrescalerReg, 169)  # ticks of 25 µs
        self.Write_MFRC522(self.TReloadRegL, ANSWER_TIMEOUT_TICKS)
        self._wait(MIN_FIELD_OFF_OR_ON_SECONDS)

    def read_tags(self) -> frozenset[bytes]:
        """Returns the UIDs of the tags on the reader.

        Raises ReaderNotResponding, or the OSError of the SPI device.
        """
        try:
            return self._scan_tags()
        except _SettingsLost:
            self.initialise_chip()
        try:
            return self._scan_tags()
        except _SettingsLost:
            raise ReaderNotResponding(
                "the reader forgets its settings: look at its power and wires"
            ) from None

    def close(self) -> None:
        """Closes the SPI device."""
        self.spi.close()

    def _scan_tags(self) -> frozenset[bytes]:
        self.frames_sent = 0
        max_calls_by_uid = {
            uid: CALLS_PER_SILENT_TAG if missed else MAX_CALLS_PER_TAG
            for uid, missed in self._missed_scans_by_uid.items()
        }
        present = frozenset(
            uid for uid in max_calls_by_uid if halt_tag_if_present(self, uid, max_calls_by_uid[uid])
        )
        impossible_levels = set[ImpossibleUidLevels]()
        found = present | find_and_halt_tags(self, REQA if present else WUPA, impossible_levels.add)
        self.impossible_levels = frozenset(impossible_levels)
        # A tag that was there and is silent has gone, or misses frames, or the reader has gone deaf. Only a
        # newly initialised chip can tell which.
        is_doubtful = any(
            not missed and uid not in found for uid, missed in self._missed_scans_by_uid.items()
        )
        still_missing = {
            uid: missed + 1
            for uid, missed in self._missed_scans_by_uid.items()
            if missed + 1 < MAX_SCANS_CALLING_SILENT_TAG
        }
        self._missed_scans_by_uid = still_missing | dict.fromkeys(found, 0)
        self._empty_scan_count = 0 if self._missed_scans_by_uid else self._empty_scan_count + 1
        if is_doubtful or self._empty_scan_count >= EMPTY_SCANS_UNTIL_RESET:
            self.initialise_chip()
        return found

    # The methods of `FrameTransport`

    def exchange_frame(
        self, frame: bytes, expected_bytes: int, *, last_byte_bits: int = 0, rx_align: int = 0
    ) -> TagAnswer | None:
        """Sends a frame to all tags and returns their answer; None for silence (see `FrameTransport`).

        All answers come at the same time, so the chip is read once, when the answer must be complete.
        """
        was_receiving = self._is_receiving
        self._start_frame(frame, rx_align << 4 | last_byte_bits)
        self._wait(
            _seconds_on_air(len(frame))
            + max(ANSWER_TIMEOUT_SECONDS, TAG_ANSWER_DELAY_SECONDS + _seconds_on_air(expected_bytes))
            + ANSWER_READ_MARGIN_SECONDS
        )
        irq, error, fifo_level, coll, version, antenna, *data = self._read_answer(expected_bytes)
        if version != self.version or antenna & ANTENNA_BITS != ANTENNA_BITS:
            raise _SettingsLost
        if was_receiving and not irq & RX_DONE:
            # A tag has just answered. Either the tag missed this frame, or the chip never sent it.
            self._needs_restart = self._needs_restart or not irq & TX_DONE
            self._stop_receiver()
            return self.exchange_frame(
                frame, expected_bytes, last_byte_bits=last_byte_bits, rx_align=rx_align
            )
        if error or fifo_level != expected_bytes or not irq & RX_DONE:
            self._stop_receiver()
        if not irq & RX_DONE:
            return None
        is_complete = fifo_level == expected_bytes and not error & (OVERFLOW | PROTOCOL)
        if not error & COLLIDED:
            return TagAnswer(bytes(data), None, is_complete and not error & PARITY)
        collision = (coll & 0x1F or UID_BITS_PER_LEVEL) - 1
        # Parity says nothing after a collision.
        return TagAnswer(bytes(data), collision, is_complete and not coll & NO_COLLISION_POSITION_BIT)

    def send_without_answer(self, frame: bytes) -> None:
        """Sends a frame that no tag answers."""
        self._start_frame(frame, 0)
        self._wait(_seconds_on_air(len(frame)) + ANSWER_READ_MARGIN_SECONDS)
        self._stop_receiver()

    # Registers

    def _start_frame(self, frame: bytes, framing: int) -> None:
        # After a good answer the FIFO is empty and Transceive waits for the next start.
        self.frames_sent += 1
        if not self._is_receiving:
            self.Write_MFRC522(self.FIFOLevelReg, FLUSH_FIFO_BIT)
        self.Write_MFRC522(self.BitFramingReg, framing)
        self.Write_MFRC522(self.CommIrqReg, 0x7F)
        self.spi.xfer2([self.FIFODataReg << 1, *frame])
        if not self._is_receiving:
            self.Write_MFRC522(self.CommandReg, self.PCD_TRANSCEIVE)
            self._is_receiving = not self._needs_restart
        self.Write_MFRC522(self.BitFramingReg, framing | START_SEND_BIT)

    def _read_answer(self, expected: int) -> list[int]:
        """Reads an answer and the registers about it in one transfer, in which each byte is an address."""
        registers = [
            self.CommIrqReg,
            self.ErrorReg,
            self.FIFOLevelReg,
            self.CollReg,
            self.VersionReg,
            self.TxControlReg,
            *[self.FIFODataReg] * expected,
        ]
        return list(self.spi.xfer2([*[register << 1 | 0x80 for register in registers], 0])[1:])

    def _stop_receiver(self) -> None:
        """Stops the receiver until the next frame."""
        self.Write_MFRC522(self.CommandReg, self.PCD_IDLE)
        self._is_receiving = False


def _seconds_on_air(byte_count: int) -> float:
    """Returns the time that a frame takes: each byte has a parity bit, the frame has a start and an end."""
    return (byte_count * 9 + 2) * BIT_SECONDS
