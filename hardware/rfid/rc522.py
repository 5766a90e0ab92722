"""The driver of the reader chip MFRC522: which tags lie on it now.

    import time

    from hardware.rfid.readers import open_reader_at_spi

    reader = open_reader_at_spi("/dev/spidev0.0")
    while True:
        print([uid.hex() for uid in reader.read_tags()])
        time.sleep(0.03)

Registers and set-up come from the package `mfrc522`, without the pins that it would drive: a reset pin is
driven like all other pins. The way it talks to tags is replaced: the package waits 2,000 transfers for
nothing, knows UIDs of four bytes only, selects nothing, and is blind when two tags lie there. `iso14443`
tells tags apart; `readers` finds out which tags came and left.

After an answer, the chip is expected to wait for the next frame. A chip that doesn't is restarted for each
frame, as soon as that is noticed.

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
    ANSWER_DELAY_SECONDS,
    BIT_SECONDS,
    FIELD_SETTLE_SECONDS,
    LEVEL_BITS,
    MAX_CALLS,
    REQA,
    WUPA,
    ImpossibleLevels,
    TagAnswer,
    find_tags,
    is_tag_present,
)

TIMEOUT_TICKS = 15
"""Ticks of 25 µs until the chip counts a frame as unanswered: answers begin after 91 µs."""
TIMEOUT_SECONDS = (TIMEOUT_TICKS + 1) * 25e-6
READ_MARGIN_SECONDS = 60e-6
"""Time between the latest end of an answer and the moment when it is read."""
WARM_UP_SECONDS = FIELD_SETTLE_SECONDS + 0.001
"""Time with the field off, or on, until every tag knows it."""
MAX_MISSED_LOOKS = 3
"""Looks in which a silent tag is still called by its UID: at the edge of the field it misses frames."""
CALLS_OF_MISSED_TAG = 10
"""How often a silent tag is called in each of these looks."""
QUIET_LOOKS_UNTIL_RESET = 400
"""Looks without a tag until the chip is set up again: readers have gone deaf after hours."""
CHIP_NAMES = {
    0x91: "MFRC522 1.0",
    0x92: "MFRC522 2.0",
    0x88: "FM17522",
    0xB2: "FM17522 (0xB2)",
    0x12: "clone (0x12)",
}
"""What VersionReg reads on chips that are known to work."""
NO_CHIP_VERSIONS = (0x00, 0xFF)
"""What VersionReg reads where there is no chip, or one without power or wires."""

TX_DONE, RX_DONE = 0x40, 0x20
OVERFLOW, COLLIDED, PARITY, PROTOCOL = 0x10, 0x08, 0x02, 0x01
NO_PLACE = 0x20
START = 0x80
FLUSH = 0x80
ANTENNA = 0x03


class SpiDevice(Protocol):
    """The part of spidev.SpiDev that is used here."""

    def xfer2(self, data: list[int], /) -> list[int]:
        """Sends these bytes in one chip select and returns what came back. Raises OSError."""

    def close(self) -> None:
        """Closes the device."""


class ReaderNotResponding(OSError):
    """No chip answers at this SPI device, or the chip loses its settings at once."""


class _SettingsLost(Exception):
    """The chip has been without power since it was set up."""


def _registers() -> Any:
    """Returns the package's class, of which only the access to the chip's registers is used.

    The package imports RPi.GPIO, which fails on a Pi 5, and spidev, and calls them only where it begins and
    ends. This driver begins and ends otherwise, so empty modules take their place, on a Pi too.
    """
    empty = {name: ModuleType(name) for name in {"RPi", "RPi.GPIO", "spidev"} - sys.modules.keys()}
    sys.modules.update(empty)
    try:
        from mfrc522 import MFRC522
    finally:
        for name in empty:
            del sys.modules[name]
    return MFRC522


class Rc522(_registers()):  # type: ignore[misc]  # the package has no types
    """One reader, ready after it is made. Raises ReaderNotResponding, or the OSError of the SPI device.

    `wait` sleeps for seconds. `impossible_tags` are levels that tags sent in the last look and no UID has.
    `reset` pulls the chip's reset pin low and releases it, if that pin is wired.
    """

    def __init__(
        self,
        spi: SpiDevice,
        *,
        wait: Callable[[float], None] = time.sleep,
        reset: Callable[[], None] = lambda: None,
    ) -> None:
        # The package's own way to begin opens SPI itself and drives a pin that may be the UART's.
        self.spi = spi
        self.version = 0
        self.frames = 0
        self._wait = wait
        self._pull_reset = reset
        self.impossible_tags: frozenset[ImpossibleLevels] = frozenset()
        self._missed: dict[bytes, int] = {}
        self._is_ready = False
        self._needs_restart = False
        self._quiet = 0
        self.initialise()

    @property
    def chip_name(self) -> Text:
        """Which chip it says it is, and what is odd about it."""
        name = CHIP_NAMES.get(self.version, f"unknown (0x{self.version:02X})")
        return say("{chip}, restarted before every message", chip=name) if self._needs_restart else name

    def initialise(self) -> None:
        """Sets the chip up from nothing; all tags forget what they were told. Raises ReaderNotResponding."""
        self._is_ready = False
        self._quiet = 0
        self._pull_reset()
        self.MFRC522_Reset()
        self._wait(WARM_UP_SECONDS)
        version = self.Read_MFRC522(self.VersionReg)
        if version in NO_CHIP_VERSIONS:
            raise ReaderNotResponding(f"no reader answers: its version reads 0x{version:02X}")
        self.version = version
        self.MFRC522_Init()
        self.Write_MFRC522(self.TModeReg, 0x80)  # the timer starts by itself after every frame
        self.Write_MFRC522(self.TPrescalerReg, 169)  # ticks of 25 µs
        self.Write_MFRC522(self.TReloadRegL, TIMEOUT_TICKS)
        self._wait(WARM_UP_SECONDS)

    def read_tags(self) -> frozenset[bytes]:
        """Returns the UIDs of the tags on the reader.

        Raises ReaderNotResponding, or the OSError of the SPI device.
        """
        try:
            return self._look()
        except _SettingsLost:
            self.initialise()
        try:
            return self._look()
        except _SettingsLost:
            raise ReaderNotResponding(
                "the reader forgets its settings: look at its power and wires"
            ) from None

    def close(self) -> None:
        """Closes the SPI device."""
        self.spi.close()

    def _look(self) -> frozenset[bytes]:
        self.frames = 0
        calls = {uid: CALLS_OF_MISSED_TAG if missed else MAX_CALLS for uid, missed in self._missed.items()}
        there = frozenset(uid for uid in calls if is_tag_present(self, uid, calls[uid]))
        odd = set[ImpossibleLevels]()
        seen = there | find_tags(self, REQA if there else WUPA, odd.add)
        self.impossible_tags = frozenset(odd)
        # One that was there and is silent has gone, or misses frames, or the reader has gone deaf:
        # only a new beginning tells.
        is_doubtful = any(not missed and uid not in seen for uid, missed in self._missed.items())
        counted = {uid: missed + 1 for uid, missed in self._missed.items() if missed + 1 < MAX_MISSED_LOOKS}
        self._missed = counted | dict.fromkeys(seen, 0)
        self._quiet = 0 if self._missed else self._quiet + 1
        if is_doubtful or self._quiet >= QUIET_LOOKS_UNTIL_RESET:
            self.initialise()
        return seen

    # What `anticollision` needs.

    def exchange(self, frame: bytes, expected: int, *, bits: int = 0, align: int = 0) -> TagAnswer | None:
        """Sends a frame and returns the answer; None is silence. See `iso14443.FrameCarrier`.

        All answers come at the same time, so the chip is read once, when the answer must be complete.
        """
        was_ready = self._is_ready
        self._send(frame, align << 4 | bits)
        self._wait(
            _seconds_on_air(len(frame))
            + max(TIMEOUT_SECONDS, ANSWER_DELAY_SECONDS + _seconds_on_air(expected))
            + READ_MARGIN_SECONDS
        )
        irq, error, level, coll, version, antenna, *data = self._read(expected)
        if version != self.version or antenna & ANTENNA != ANTENNA:
            raise _SettingsLost
        if was_ready and not irq & RX_DONE:
            # Somebody has just answered. Either the tag missed this frame, or it never went out.
            self._needs_restart = self._needs_restart or not irq & TX_DONE
            self._stop_receiver()
            return self.exchange(frame, expected, bits=bits, align=align)
        if error or level != expected or not irq & RX_DONE:
            self._stop_receiver()
        if not irq & RX_DONE:
            return None
        is_whole = level == expected and not error & (OVERFLOW | PROTOCOL)
        if not error & COLLIDED:
            return TagAnswer(bytes(data), None, is_whole and not error & PARITY)
        place = (coll & 0x1F or LEVEL_BITS) - 1
        return TagAnswer(bytes(data), place, is_whole and not coll & NO_PLACE)  # parity says nothing here

    def send_without_answer(self, frame: bytes) -> None:
        """Sends a frame that no tag answers."""
        self._send(frame, 0)
        self._wait(_seconds_on_air(len(frame)) + READ_MARGIN_SECONDS)
        self._stop_receiver()

    # Registers.

    def _send(self, frame: bytes, framing: int) -> None:
        # After a good answer the FIFO is empty and Transceive waits for the next start.
        self.frames += 1
        if not self._is_ready:
            self.Write_MFRC522(self.FIFOLevelReg, FLUSH)
        self.Write_MFRC522(self.BitFramingReg, framing)
        self.Write_MFRC522(self.CommIrqReg, 0x7F)
        self.spi.xfer2([self.FIFODataReg << 1, *frame])
        if not self._is_ready:
            self.Write_MFRC522(self.CommandReg, self.PCD_TRANSCEIVE)
            self._is_ready = not self._needs_restart
        self.Write_MFRC522(self.BitFramingReg, framing | START)

    def _read(self, expected: int) -> list[int]:
        """Reads all about an answer in one chip select: each byte sent is the next register to read."""
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
        """Lets the receiver hear nothing until the next frame."""
        self.Write_MFRC522(self.CommandReg, self.PCD_IDLE)
        self._is_ready = False


def _seconds_on_air(size: int) -> float:
    """Returns the time of a frame: each byte has a parity bit, the frame has a start and an end."""
    return (size * 9 + 2) * BIT_SECONDS
