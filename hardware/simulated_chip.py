"""An MFRC522 without metal: its registers below `spidev`, its antenna, and tags that lie on it.

    from hardware.simulated_chip import SimulatedChip, open_simulated

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

from hardware.iso14443 import ANSWER_AFTER, BIT, crc_a
from hardware.simulated_field import Heard, SimulatedField
from hardware.simulated_tags import Bits, SimulatedTag, to_bits, to_bytes

if TYPE_CHECKING:
    from hardware.rc522 import Rc522

CALL = 40e-6
"""Seconds that one transfer costs a Pi beside its bits [assume]."""
CLOCK = 13.56e6
FIFO_BYTES = 64
COLLISION_BITS = 32
"""CollReg names no bit after this one."""

COMMAND, COM_IRQ, DIV_IRQ, ERROR, STATUS2 = 0x01, 0x04, 0x05, 0x06, 0x08
FIFO, FIFO_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0C, 0x0D, 0x0E
MODE, TX_CONTROL, TX_ASK, CRC_HIGH, CRC_LOW = 0x11, 0x14, 0x15, 0x21, 0x22
TIMER_MODE, PRESCALER, RELOAD_HIGH, RELOAD_LOW, VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x37

IDLE, CALC_CRC, TRANSCEIVE, SOFT_RESET = 0x00, 0x03, 0x0C, 0x0F
AT_RESET = {COMMAND: 0x20, COM_IRQ: 0x14, COLL: 0xA0, MODE: 0x3F, TX_CONTROL: 0x80, CONTROL: 0x10}
TX_DONE, RX_DONE, IDLE_AGAIN, FAILED, TIMED_OUT = 0x40, 0x20, 0x10, 0x02, 0x01
OVERFLOW, COLLIDED, PARITY = 0x10, 0x08, 0x02
CRC_DONE = 0x04
ANTENNA = 0x03
UPPER = 0x80
"""Bit 7: StartSend, FlushBuffer, ValuesAfterColl, TAuto, and "set" in the interrupt registers."""


class SimulatedChip:
    """The chip, its antenna, and what lies on it.

    `version` is what VersionReg reads: 0x91 and 0x92 are NXP's, clones have others.
    `bit_errors` is the chance of every bit on air to arrive wrong, drawn from `rng`.
    `clock` gives seconds that pass for the chip even while nobody talks to it.
    `transfers` and `frames` count what went over SPI and what was sent on air.
    """

    max_speed_hz = 4_000_000

    def __init__(
        self,
        *,
        version: int = 0x92,
        bit_errors: float = 0.0,
        rng: random.Random | None = None,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.version = version
        self.transfers = 0
        self.frames = 0
        self.now = 0.0
        self._clock = clock
        self._lock = threading.RLock()
        self._field = SimulatedField(bit_errors, rng or random.Random(0))
        self._is_plugged = True
        self._is_deaf = False
        self._reset()

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
        """Let the tag lose its power for so long, as at the edge of the antenna."""
        with self._lock:
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
            self._reset()

    def go_deaf(self) -> None:
        """Let its receiver hang until it is reset; the registers look as ever."""
        with self._lock:
            self._is_deaf = True

    def unplug(self) -> None:
        """Pull its wires: everything reads 0."""
        with self._lock:
            self._reset()
            self._is_plugged = False

    def plug_in(self) -> None:
        """Put its wires back."""
        with self._lock:
            self._is_plugged = True

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
            if self._is_plugged and sent[0] & UPPER:
                received[1:] = [self._read(address >> 1 & 0x3F) for address in sent[:-1]]
            elif self._is_plugged:
                for value in sent[1:]:
                    self._write(sent[0] >> 1 & 0x3F, value)
        if isinstance(data, list):
            data[:] = received
            return data
        return received

    def wait(self, seconds: float) -> None:
        """Let so much of the chip's time pass."""
        with self._lock:
            self.now = max(self.now + seconds, self._clock())
            while self._due and self._due[0][0] <= self.now:
                self._happen(*self._due.pop(0))

    # Registers.

    def _reset(self) -> None:
        self._registers = [AT_RESET.get(register, 0) for register in range(0x40)]
        self._fifo: list[int] = []
        self._due: list[tuple[float, Bits | Heard | None]] = []
        self._is_deaf = False
        self._switch_field()

    def _read(self, register: int) -> int:
        if register == FIFO:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        return self.version if register == VERSION else self._registers[register]

    def _write(self, register: int, value: int) -> None:
        if register in {COM_IRQ, DIV_IRQ}:
            flags = self._registers[register]
            self._registers[register] = flags | value & 0x7F if value & UPPER else flags & ~value
        elif register == FIFO:
            self._store([value])
        elif register == FIFO_LEVEL:
            if value & UPPER:
                self._fifo.clear()
        elif register == COLL:
            self._registers[COLL] = self._registers[COLL] & ~UPPER | value & UPPER
        elif register not in {ERROR, CONTROL, VERSION, CRC_HIGH, CRC_LOW}:
            before, self._registers[register] = self._registers[register], value
            self._changed(register, value & ~before)

    def _changed(self, register: int, risen: int) -> None:
        command = self._registers[COMMAND] & 0x0F
        if register == COMMAND:
            self._start(command)
        elif register == BIT_FRAMING and risen & UPPER and command == TRANSCEIVE:
            self._send()
        elif register in {TX_CONTROL, TX_ASK}:
            self._switch_field()

    def _store(self, data: Sequence[int]) -> None:
        room = FIFO_BYTES - len(self._fifo)
        self._fifo += data[:room]
        if len(data) > room:
            self._registers[ERROR] |= OVERFLOW

    # Commands.

    def _start(self, command: int) -> None:
        self._due.clear()
        if command == SOFT_RESET:
            self._reset()
        elif command == CALC_CRC:
            low, high = crc_a(bytes(self._fifo)) if self._registers[MODE] & 3 == 1 else (0, 0)
            self._registers[CRC_LOW], self._registers[CRC_HIGH] = low, high
            self._registers[DIV_IRQ] |= CRC_DONE
            self._fifo.clear()

    def _send(self) -> None:
        if not self._fifo or self._due:  # a frame that is on its way goes on
            return
        bits = to_bits(bytes(self._fifo))
        left_out = -self._registers[BIT_FRAMING] % 8
        self._fifo.clear()
        self._registers[ERROR] = 0
        self.frames += 1
        frame = bits[: len(bits) - left_out]
        self._due.append((self.now + _on_air(frame), frame))

    def _happen(self, at: float, what: Bits | Heard | None) -> None:
        if what is None:
            self._registers[COM_IRQ] |= TIMED_OUT
        elif isinstance(what, Heard):
            self._receive(what)
        else:
            self._registers[COM_IRQ] |= TX_DONE
            self._ask(what, at)

    def _ask(self, frame: Bits, at: float) -> None:
        """The frame has been sent: the tags hear it, and whoever answers is heard later."""
        heard = self._field.ask(frame, self._align, at)
        if heard is not None and not self._is_deaf:
            self._due.append((at + ANSWER_AFTER + _on_air(heard.bits), heard))
        elif self._registers[TIMER_MODE] & UPPER:
            self._due.append((at + self._timer(), None))

    @property
    def _align(self) -> int:
        return self._registers[BIT_FRAMING] >> 4 & 7

    def _timer(self) -> float:
        prescaler = (self._registers[TIMER_MODE] & 0x0F) << 8 | self._registers[PRESCALER]
        reload = self._registers[RELOAD_HIGH] << 8 | self._registers[RELOAD_LOW]
        return (2 * prescaler + 1) * (reload + 1) / CLOCK

    def _receive(self, heard: Heard) -> None:
        bits = heard.bits
        if heard.collision is not None and not self._registers[COLL] & UPPER:
            bits = bits[: heard.collision + 1] + (0,) * (len(bits) - heard.collision - 1)
        self._store(to_bytes((0,) * self._align + bits))
        place = 0 if heard.collision is None else heard.collision + self._align + 1
        has_place = 0 < place <= COLLISION_BITS
        coll = self._registers[COLL] & UPPER
        self._registers[COLL] = coll | (place % COLLISION_BITS if has_place else 0x20)
        self._registers[CONTROL] = (len(bits) + self._align) % 8
        error = (COLLIDED if heard.collision is not None else 0) | (0 if heard.is_sound else PARITY)
        self._registers[ERROR] |= error
        self._registers[COM_IRQ] |= RX_DONE | (FAILED if error else 0)

    def _switch_field(self) -> None:
        # Without full modulation (TxASKReg 0x40) no tag of type A understands a word.
        is_modulated = bool(self._registers[TX_ASK] & 0x40)
        self._field.switch(on=is_modulated and self._registers[TX_CONTROL] & 3 == ANTENNA, now=self.now)


def open_simulated(chip: SimulatedChip) -> "Rc522":
    """The real driver on a simulated chip."""
    from hardware.simulated_modules import provide_modules

    provide_modules()
    from hardware.rc522 import Rc522

    return Rc522(chip, wait=chip.wait)


def _on_air(bits: Bits) -> float:
    """Seconds of a frame: each byte has a parity bit, the frame a start and an end."""
    return (len(bits) * 9 // 8 + 2) * BIT
