"""The reader chip MFRC522: which tags lie on it now.

    import time

    from hardware.rfid.rfid import at_spi

    reader = at_spi("/dev/spidev0.0")
    while True:
        print([uid.hex() for uid in reader.look()])
        time.sleep(0.03)

Registers and set-up come from the package `mfrc522`, without the pins that it
would drive: a reset pin is driven as all other pins are. How it talks to tags is
replaced: the package waits 2,000 transfers for nothing, knows UIDs of four
bytes only, selects nothing and is blind when two tags lie there.
How tags are told apart stands in `anticollision`; what came and what left is
found in `rfid`.

After an answer the chip is expected to wait for the next frame; one that doesn't is
restarted for each, as soon as that is noticed.

No wait here is longer than 10 ms, and all loops end. Timing and the order of
transfers follow the data sheet and are proved on the simulated chip.
"""

import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol

from companion.texts import Text, say
from hardware.rfid.anticollision import CALLS, Answer, Odd, is_there, search
from hardware.rfid.iso14443 import ANSWER_AFTER, BIT, LEVEL_BITS, REQA, SETTLE, WUPA

TICKS = 15
"""Ticks of 25 µs until the chip calls a frame unanswered: answers begin after 91 µs."""
UNANSWERED = (TICKS + 1) * 25e-6
MARGIN = 60e-6
"""Seconds that we come later than an answer can end."""
WARM_UP = SETTLE + 0.001
"""Seconds with the field off, or on, until every tag knows it."""
SOUGHT = 3
"""Looks in which a silent tag is still called by name: at the edge of the field it misses frames."""
SEARCHES = 10
"""How often it is called in each of them."""
QUIET_LOOKS = 400
"""Looks without a tag until the chip is set up anew: readers have gone deaf after hours."""
CHIPS = {
    0x91: "MFRC522 1.0",
    0x92: "MFRC522 2.0",
    0x88: "FM17522",
    0xB2: "FM17522 (0xB2)",
    0x12: "clone (0x12)",
}
"""What VersionReg says of the chips that are known to work."""
NO_CHIP = (0x00, 0xFF)
"""What it says where there is no chip, or one without power or wires."""

TX_DONE, RX_DONE = 0x40, 0x20
OVERFLOW, COLLIDED, PARITY, PROTOCOL = 0x10, 0x08, 0x02, 0x01
NO_PLACE = 0x20
START = 0x80
FLUSH = 0x80
ANTENNA = 0x03


class Spi(Protocol):
    """What is needed of spidev.SpiDev; anything else may stand here."""

    def xfer2(self, data: list[int], /) -> list[int]:
        """Send these bytes in one chip select and return what came back. Raises OSError."""

    def close(self) -> None:
        """Let go of it."""


class ReaderSilent(OSError):
    """No chip answers at this SPI device, or it forgets its settings at once."""


class _SettingsLost(Exception):
    """The chip has been without power since it was set up."""


def _registers() -> Any:
    """The package's class, of which only what talks to the chip's registers is used.

    It imports RPi.GPIO, which fails on a Pi 5, and spidev, and calls them only where it begins and ends.
    That is done otherwise here, so empty modules serve for them, on a Pi too.
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
    """One reader, ready when it is made. Raises ReaderSilent, or the SPI device's OSError.

    `wait` sleeps for seconds. `odd` is what tags said in the last look that no UID is made of.
    `reset` pulls the chip's reset pin low and lets go of it, where that is wired.
    """

    def __init__(
        self,
        spi: Spi,
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
        self.odd: frozenset[Odd] = frozenset()
        self._missed: dict[bytes, int] = {}
        self._is_ready = False
        self._tires = False
        self._quiet = 0
        self.begin()

    @property
    def chip(self) -> Text:
        """Which chip it says it is, and what is odd about it."""
        name = CHIPS.get(self.version, f"unknown (0x{self.version:02X})")
        return say("{chip}, restarted before every message", chip=name) if self._tires else name

    def begin(self) -> None:
        """Set the chip up from nothing; all tags forget what they were told. Raises ReaderSilent."""
        self._is_ready = False
        self._quiet = 0
        self._pull_reset()
        self.MFRC522_Reset()
        self._wait(WARM_UP)
        version = self.Read_MFRC522(self.VersionReg)
        if version in NO_CHIP:
            raise ReaderSilent(f"no reader answers: its version reads 0x{version:02X}")
        self.version = version
        self.MFRC522_Init()
        self.Write_MFRC522(self.TModeReg, 0x80)  # the timer starts by itself after every frame
        self.Write_MFRC522(self.TPrescalerReg, 169)  # ticks of 25 µs
        self.Write_MFRC522(self.TReloadRegL, TICKS)
        self._wait(WARM_UP)

    def look(self) -> frozenset[bytes]:
        """The UIDs of the tags that lie here now. Raises ReaderSilent, or the SPI device's OSError."""
        try:
            return self._look()
        except _SettingsLost:
            self.begin()
        try:
            return self._look()
        except _SettingsLost:
            raise ReaderSilent("the reader forgets its settings: look at its power and wires") from None

    def close(self) -> None:
        """Let go of the SPI device."""
        self.spi.close()

    def _look(self) -> frozenset[bytes]:
        self.frames = 0
        calls = {uid: SEARCHES if missed else CALLS for uid, missed in self._missed.items()}
        there = frozenset(uid for uid in calls if is_there(self, uid, calls[uid]))
        odd = set[Odd]()
        seen = there | search(self, REQA if there else WUPA, odd.add)
        self.odd = frozenset(odd)
        # One that was there and is silent has gone, or misses frames, or the reader has gone deaf:
        # only a new beginning tells.
        is_doubtful = any(not missed and uid not in seen for uid, missed in self._missed.items())
        counted = {uid: missed + 1 for uid, missed in self._missed.items() if missed + 1 < SOUGHT}
        self._missed = counted | dict.fromkeys(seen, 0)
        self._quiet = 0 if self._missed else self._quiet + 1
        if is_doubtful or self._quiet >= QUIET_LOOKS:
            self.begin()
        return seen

    # What `anticollision` needs.

    def exchange(self, frame: bytes, expected: int, *, bits: int = 0, align: int = 0) -> Answer | None:
        """Send a frame and return what is answered; None is silence. See `anticollision.Air`.

        All answers come at the same time, so it is read once, when it must be complete.
        """
        was_ready = self._is_ready
        self._send(frame, align << 4 | bits)
        self._wait(_on_air(len(frame)) + max(UNANSWERED, ANSWER_AFTER + _on_air(expected)) + MARGIN)
        irq, error, level, coll, version, antenna, *data = self._read(expected)
        if version != self.version or antenna & ANTENNA != ANTENNA:
            raise _SettingsLost
        if was_ready and not irq & RX_DONE:
            # Somebody has just answered. Either the tag missed this frame, or it never went out.
            self._tires = self._tires or not irq & TX_DONE
            self._rest()
            return self.exchange(frame, expected, bits=bits, align=align)
        if error or level != expected or not irq & RX_DONE:
            self._rest()
        if not irq & RX_DONE:
            return None
        is_whole = level == expected and not error & (OVERFLOW | PROTOCOL)
        if not error & COLLIDED:
            return Answer(bytes(data), None, is_whole and not error & PARITY)
        place = (coll & 0x1F or LEVEL_BITS) - 1
        return Answer(bytes(data), place, is_whole and not coll & NO_PLACE)  # parity says nothing here

    def tell(self, frame: bytes) -> None:
        """Send a frame that nobody answers."""
        self._send(frame, 0)
        self._wait(_on_air(len(frame)) + MARGIN)
        self._rest()

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
            self._is_ready = not self._tires
        self.Write_MFRC522(self.BitFramingReg, framing | START)

    def _read(self, expected: int) -> list[int]:
        """Everything about an answer in one chip select: each byte sent is the next register to read."""
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

    def _rest(self) -> None:
        """Let the receiver hear nothing until the next frame."""
        self.Write_MFRC522(self.CommandReg, self.PCD_IDLE)
        self._is_ready = False


def _on_air(size: int) -> float:
    """Seconds that so many bytes take, each with its parity bit, the frame with a start and an end."""
    return (size * 9 + 2) * BIT
