"""A simulated MFRC522: its registers below `spidev`, its antenna, and the tags on it.

    from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader

    chip = SimulatedRc522()
    chip.add_tag("04A2B3C4D5E680")
    print(open_simulated_reader(chip).read_tags())

The real driver and the unmodified `mfrc522` package run on it. It offers spidev's `xfer2` and `close`, and
has FIFO, interrupt flags, errors, collisions, the timer, CRC and bit framing as the data sheet describes
them. It has no keys (MFAuthent is never answered), no self-test and no interrupt pin.

Its time is its own: a transfer takes as long as it would take on a Pi, and `wait` is the driver's sleep; so a
second of the chip passes in a moment. With a `clock` it doesn't fall behind real time. Tags are added,
removed and disturbed from any thread.
"""

import random
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hardware.rfid.iso14443 import ANSWER_DELAY_SECONDS, BIT_SECONDS, crc_a
from hardware.simulated.tags import Bits, ReceivedBits, SimulatedField, SimulatedTag, to_bits, to_bytes
from hardware.wiring.sections import DEFAULT_MHZ

if TYPE_CHECKING:
    from hardware.rfid.rc522 import Rc522


CLOCK = 13.56e6
FIFO_BYTES = 64
COLLISION_BITS = 32
"""CollReg names no bit after this one."""

COMMAND, COM_IRQ, DIV_IRQ, ERROR = 0x01, 0x04, 0x05, 0x06
FIFO, FIFO_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0C, 0x0D, 0x0E
MODE, TX_CONTROL, TX_ASK, CRC_HIGH, CRC_LOW = 0x11, 0x14, 0x15, 0x21, 0x22
TIMER_MODE, PRESCALER, RELOAD_HIGH, RELOAD_LOW, VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x37

CALC_CRC, TRANSCEIVE, SOFT_RESET = 0x03, 0x0C, 0x0F
AT_RESET = {COMMAND: 0x20, COM_IRQ: 0x14, COLL: 0xA0, MODE: 0x3F, TX_CONTROL: 0x80, CONTROL: 0x10}
TX_DONE, RX_DONE, FAILED, TIMED_OUT = 0x40, 0x20, 0x02, 0x01
OVERFLOW, COLLIDED, PARITY = 0x10, 0x08, 0x02
CRC_DONE = 0x04
ANTENNA = 0x03
UPPER = 0x80
"""Bit 7: StartSend, FlushBuffer, ValuesAfterColl, TAuto, and "set" in the interrupt registers."""


class SimulatedRegisters:
    """The inside of the chip, behind its SPI pins: registers, FIFO, commands and timer.

    `field` is at its antenna.

    `now` is its time. A deaf chip hears no answer until it is reset. A chip that `stops_after_answer` ends
    Transceive with every answer, as some clones do.
    """

    def __init__(self, version: int, field: SimulatedField, *, stops_after_answer: bool = False) -> None:
        self.version = version
        self.stops_after_answer = stops_after_answer
        self.frames = 0
        self.now = 0.0
        self._field = field
        self.reset()

    def pass_time(self, seconds: float) -> None:
        """Lets so many seconds of the chip's time pass."""
        self.now += seconds
        while self._due and self._due[0][0] <= self.now:
            self._happen(*self._due.pop(0))

    def reset(self) -> None:
        """Resets the chip, as when power comes on."""
        self._registers = [AT_RESET.get(register, 0) for register in range(0x40)]
        self._fifo: list[int] = []
        self._due: list[tuple[float, Bits | ReceivedBits | None]] = []
        self.is_deaf = False
        self._switch_field()

    def read(self, register: int) -> int:
        """Returns what a register holds now; reading the FIFO takes a byte out of it."""
        if register == FIFO:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        return self.version if register == VERSION else self._registers[register]

    def write(self, register: int, value: int) -> None:
        """Writes a register; what that triggers begins at once."""
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
            self.reset()
        elif command == CALC_CRC:
            # CRC_A begins with 6363; nobody asks for the other three beginnings.
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
        self._due.append((self.now + _seconds_on_air(frame), frame))

    def _happen(self, at: float, what: Bits | ReceivedBits | None) -> None:
        if what is None:
            self._registers[COM_IRQ] |= TIMED_OUT
        elif isinstance(what, ReceivedBits):
            self._receive(what)
        else:
            self._registers[COM_IRQ] |= TX_DONE
            self._ask(what, at)

    def _ask(self, frame: Bits, at: float) -> None:
        """The frame has been sent: the tags get it, and an answer arrives later."""
        heard = self._field.exchange(frame, self._align, at)
        if heard is not None and not self.is_deaf:
            self._due.append((at + ANSWER_DELAY_SECONDS + _seconds_on_air(heard.bits), heard))
        elif self._registers[TIMER_MODE] & UPPER:
            self._due.append((at + self._timer(), None))

    @property
    def _align(self) -> int:
        return self._registers[BIT_FRAMING] >> 4 & 7

    def _timer(self) -> float:
        prescaler = (self._registers[TIMER_MODE] & 0x0F) << 8 | self._registers[PRESCALER]
        reload = self._registers[RELOAD_HIGH] << 8 | self._registers[RELOAD_LOW]
        return (2 * prescaler + 1) * (reload + 1) / CLOCK

    def _receive(self, heard: ReceivedBits) -> None:
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
        if self.stops_after_answer:
            self._registers[COMMAND] &= 0xF0

    def _switch_field(self) -> None:
        # Without full modulation (TxASKReg 0x40) no tag of type A understands a word.
        is_modulated = bool(self._registers[TX_ASK] & 0x40)
        self._field.switch_antenna(
            on=is_modulated and self._registers[TX_CONTROL] & ANTENNA == ANTENNA, now=self.now
        )


def _seconds_on_air(bits: Bits) -> float:
    """Returns the time of a frame: each byte has a parity bit, the frame a start and an end."""
    return (len(bits) * 9 // 8 + 2) * BIT_SECONDS


TRANSFER_SECONDS = 40e-6
"""Time that one transfer costs a Pi beside its bits [assume]."""
READ_BIT = 0x80
"""Set in an address that is to be read."""


class SimulatedRc522:
    """The chip, its antenna, and the tags on it.

    `version` is what VersionReg reads: 0x91 and 0x92 are NXP's, clones have others. A chip that
    `stops_after_answer` leaves Transceive after every answer. `bit_errors` is the chance of every bit on air
    to arrive wrong, drawn from `rng`. `clock` returns seconds that pass for the chip even while nobody talks
    to it. `transfers` counts the SPI transfers.
    """

    max_speed_hz = DEFAULT_MHZ * 1_000_000

    def __init__(
        self,
        *,
        version: int = 0x92,
        stops_after_answer: bool = False,
        bit_errors: float = 0.0,
        rng: random.Random | None = None,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.transfers = 0
        self._clock = clock
        self._lock = threading.RLock()
        self._field = SimulatedField(bit_errors, rng or random.Random(0))
        self._registers = SimulatedRegisters(version, self._field, stops_after_answer=stops_after_answer)
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

    def add_tag(self, tag: SimulatedTag | str) -> None:
        """Lays a tag on the reader, given by its UID in hexadecimal digits or as an object."""
        laid = SimulatedTag.from_uid(tag) if isinstance(tag, str) else tag
        with self._lock:
            self._field.add_tag(laid, self.now)

    def remove_tag(self, name: str) -> None:
        """Takes the tag with this UID away. KeyError if it isn't there."""
        with self._lock:
            self._field.remove_tag(name, self.now)

    def flicker(self, name: str, seconds: float) -> None:
        """Makes the tag lose its power for so long, as at the edge. KeyError if it isn't there."""
        with self._lock:
            if name not in self._field.tags:
                raise KeyError(name)
            self._field.flicker(name, self.now, seconds)

    @property
    def tags(self) -> frozenset[str]:
        """The UIDs of the tags on it."""
        with self._lock:
            return frozenset(self._field.tags)

    def set_bit_errors(self, bit_errors: float) -> None:
        """Sets the chance of every bit on air to arrive wrong; 0 ends it."""
        with self._lock:
            self._field.bit_errors = bit_errors

    def brown_out(self) -> None:
        """Makes its power dip: all settings are lost."""
        with self._lock:
            self._registers.reset()

    def go_deaf(self) -> None:
        """Makes its receiver hang until it is reset; the registers look as ever."""
        with self._lock:
            self._registers.is_deaf = True

    def unplug(self) -> None:
        """Pulls its wires: everything reads 0."""
        with self._lock:
            self._registers.reset()
            self._is_plugged = False

    def plug_in(self) -> None:
        """Puts its wires back."""
        with self._lock:
            self._is_plugged = True

    @property
    def is_plugged(self) -> bool:
        """Whether its wires are on."""
        return self._is_plugged

    def set_reset_pin(self, *, is_high: bool) -> None:
        """Sets its reset pin; while it is low, the chip has no settings and reads 0."""
        with self._lock:
            self._registers.reset()
            self._is_down = not is_high

    # What a program sees of it: spidev's methods, and the time that passes.

    def open(self, bus: int, device: int) -> None:
        """Does nothing, as spidev's method: the chip is here already."""

    def close(self) -> None:
        """Does nothing, as spidev's method: the chip may be used again."""

    def xfer2(self, data: Sequence[int]) -> list[int]:
        """Transfers in one chip select: an address and values to write, or addresses to read.

        Like spidev's method, it writes what it reads over the list it is given.
        """
        sent = list(data)
        with self._lock:
            self.transfers += 1
            self.wait(TRANSFER_SECONDS + len(sent) * 8 / self.max_speed_hz)
            received = [0] * len(sent)
            is_awake = self._is_plugged and not self._is_down
            if is_awake and sent[0] & READ_BIT:
                received[1:] = [self._registers.read(address >> 1 & 0x3F) for address in sent[:-1]]
            elif is_awake:
                for value in sent[1:]:
                    self._registers.write(sent[0] >> 1 & 0x3F, value)
        if isinstance(data, list):
            data[:] = received
            return data
        return received

    def wait(self, seconds: float) -> None:
        """Lets so many seconds of the chip's time pass."""
        with self._lock:
            self._registers.pass_time(max(seconds, self._clock() - self.now))


def open_simulated_reader(
    chip: SimulatedRc522, *, reset: Callable[[], None] = lambda: None, mhz: int = DEFAULT_MHZ
) -> "Rc522":
    """Returns the real driver on a simulated chip."""
    chip.max_speed_hz = mhz * 1_000_000
    from hardware.rfid.rc522 import Rc522

    return Rc522(chip, wait=chip.wait, reset=reset)
