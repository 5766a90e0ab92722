"""An MFRC522 without metal: its registers below `spidev`, its antenna, and tags that lie on it.

    from hardware.simulated.chip import SimulatedChip, open_simulated

    chip = SimulatedChip()
    chip.lay("04A2B3C4D5E680")
    print(open_simulated(chip).look())

The real driver and the unmodified `mfrc522` package run on it: it offers
spidev's `xfer2` and `close`, and knows FIFO, interrupt flags, errors, collisions,
the timer, CRC and bit framing as the data sheet describes them. It has no keys
(MFAuthent is never answered), no self-test and no interrupt pin.

Its time is its own: a transfer takes what it would take on a Pi, and `wait` is
the driver's sleep; so a second of the chip passes in a moment.
With a `clock` it doesn't fall behind real time.
Tags are laid, lifted and disturbed from any thread.
"""

import random
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hardware.simulated.field import SimulatedField
from hardware.simulated.registers import SimulatedRegisters
from hardware.simulated.tags import SimulatedTag
from hardware.wiring.sections import MHZ

if TYPE_CHECKING:
    from hardware.rfid.rc522 import Rc522

CALL = 40e-6
"""Seconds that one transfer costs a Pi beside its bits [assume]."""
READ = 0x80
"""Set in an address that is to be read."""


class SimulatedChip:
    """The chip, its antenna, and what lies on it.

    `version` is what VersionReg reads: 0x91 and 0x92 are NXP's, clones have others; one that `tires`
    leaves Transceive after every answer.
    `bit_errors` is the chance of every bit on air to arrive wrong, drawn from `rng`.
    `clock` returns seconds that pass for the chip even while nobody talks to it.
    `transfers` counts what went over SPI.
    """

    max_speed_hz = MHZ * 1_000_000

    def __init__(
        self,
        *,
        version: int = 0x92,
        tires: bool = False,
        bit_errors: float = 0.0,
        rng: random.Random | None = None,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.transfers = 0
        self._clock = clock
        self._lock = threading.RLock()
        self._field = SimulatedField(bit_errors, rng or random.Random(0))
        self._registers = SimulatedRegisters(version, self._field, tires=tires)
        self._is_plugged = True
        self._is_down = False

    @property
    def now(self) -> float:
        """Seconds of the chip's time."""
        return self._registers.now

    @property
    def frames(self) -> int:
        """Frames sent on air."""
        return self._registers.frames

    # What hands do.

    def lay(self, tag: SimulatedTag | str) -> None:
        """Lay a tag on the reader, given by its UID in hexadecimal digits or as it is."""
        laid = SimulatedTag.named(tag) if isinstance(tag, str) else tag
        with self._lock:
            self._field.lay(laid, self.now)

    def lift(self, name: str) -> None:
        """Take the tag with this UID away. KeyError if it doesn't lie there."""
        with self._lock:
            self._field.lift(name, self.now)

    def flicker(self, name: str, seconds: float) -> None:
        """Let the tag lose its power for so long, as at the edge. KeyError if it doesn't lie there."""
        with self._lock:
            if name not in self._field.tags:
                raise KeyError(name)
            self._field.flicker(name, self.now, seconds)

    @property
    def tags(self) -> frozenset[str]:
        """The UIDs of the tags that lie on it."""
        with self._lock:
            return frozenset(self._field.tags)

    def disturb(self, bit_errors: float) -> None:
        """From now on let every bit on air arrive wrong by this chance; 0 ends it."""
        with self._lock:
            self._field.bit_errors = bit_errors

    def brown_out(self) -> None:
        """Let its power dip: all settings are lost."""
        with self._lock:
            self._registers.reset()

    def go_deaf(self) -> None:
        """Let its receiver hang until it is reset; the registers look as ever."""
        with self._lock:
            self._registers.is_deaf = True

    def unplug(self) -> None:
        """Pull its wires: everything reads 0."""
        with self._lock:
            self._registers.reset()
            self._is_plugged = False

    def plug_in(self) -> None:
        """Put its wires back."""
        with self._lock:
            self._is_plugged = True

    @property
    def is_plugged(self) -> bool:
        """Whether its wires are on."""
        return self._is_plugged

    def reset(self, *, is_high: bool) -> None:
        """Its reset pin: low, it has no settings and reads 0."""
        with self._lock:
            self._registers.reset()
            self._is_down = not is_high

    # What a program sees of it: spidev's methods, and the time that passes.

    def open(self, bus: int, device: int) -> None:
        """As spidev's: nothing to do, it is here already."""

    def close(self) -> None:
        """As spidev's: it may be used again."""

    def xfer2(self, data: Sequence[int]) -> list[int]:
        """One chip select: an address and values to write, or addresses to read.

        Like spidev's, it writes what it reads over the list it is given.
        """
        sent = list(data)
        with self._lock:
            self.transfers += 1
            self.wait(CALL + len(sent) * 8 / self.max_speed_hz)
            received = [0] * len(sent)
            is_awake = self._is_plugged and not self._is_down
            if is_awake and sent[0] & READ:
                received[1:] = [self._registers.read(address >> 1 & 0x3F) for address in sent[:-1]]
            elif is_awake:
                for value in sent[1:]:
                    self._registers.write(sent[0] >> 1 & 0x3F, value)
        if isinstance(data, list):
            data[:] = received
            return data
        return received

    def wait(self, seconds: float) -> None:
        """Let so much of the chip's time pass."""
        with self._lock:
            self._registers.pass_time(max(seconds, self._clock() - self.now))


def open_simulated(
    chip: SimulatedChip, *, reset: Callable[[], None] = lambda: None, mhz: int = MHZ
) -> "Rc522":
    """The real driver on a simulated chip."""
    chip.max_speed_hz = mhz * 1_000_000
    from hardware.rfid.rc522 import Rc522

    return Rc522(chip, wait=chip.wait, reset=reset)
