"""A simulated MFRC522: its registers below `spidev`, its antenna, and the tags on it.

    from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader

    chip = SimulatedRc522()
    chip.add_tag("04A2B3C4D5E680")
    print(open_simulated_reader(chip).read_tags())

The real driver and the unmodified `mfrc522` package run on it. It offers spidev's `xfer2` and `close`, and
has FIFO, interrupt flags, errors, collisions, the timer, CRC and bit framing as the data sheet describes
them. It has no keys (MFAuthent is never answered), no self-test and no interrupt pin.

The chip has a time of its own: a transfer takes as long as it would take on a Pi, and `wait` is the driver's
sleep; so a second of the chip passes in a moment. With a `clock` the chip doesn't fall behind real time. Tags
can be added, removed and disturbed from any thread.
"""

import random
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hardware.rfid.iso14443 import BIT_SECONDS, TAG_ANSWER_DELAY_SECONDS, crc_a
from hardware.simulated.tags import (
    Bits,
    ReceivedFrame,
    SimulatedTag,
    SimulatedTagField,
    bits_to_bytes,
    bytes_to_bits,
)
from hardware.wiring.sections import DEFAULT_SPI_MHZ

if TYPE_CHECKING:
    from hardware.rfid.rc522 import Rc522


CARRIER_HERTZ = 13.56e6
FIFO_BYTES = 64
MAX_COLLISION_BIT = 32
"""Maximum bit number at which the chip can report a collision, in CollReg."""

COMMAND, COM_IRQ, DIV_IRQ, ERROR = 0x01, 0x04, 0x05, 0x06
FIFO, FIFO_LEVEL, CONTROL, BIT_FRAMING, COLL = 0x09, 0x0A, 0x0C, 0x0D, 0x0E
MODE, TX_CONTROL, TX_ASK, CRC_HIGH, CRC_LOW = 0x11, 0x14, 0x15, 0x21, 0x22
TIMER_MODE, PRESCALER, RELOAD_HIGH, RELOAD_LOW, VERSION = 0x2A, 0x2B, 0x2C, 0x2D, 0x37

CALC_CRC, TRANSCEIVE, SOFT_RESET = 0x03, 0x0C, 0x0F
AT_RESET = {COMMAND: 0x20, COM_IRQ: 0x14, COLL: 0xA0, MODE: 0x3F, TX_CONTROL: 0x80, CONTROL: 0x10}
TX_DONE, RX_DONE, FAILED, TIMED_OUT = 0x40, 0x20, 0x02, 0x01
OVERFLOW, COLLIDED, PARITY = 0x10, 0x08, 0x02
CRC_DONE = 0x04
ANTENNA_BITS = 0x03
BIT_7 = 0x80
"""Bit 7 of a register.

The bit means StartSend, FlushBuffer, ValuesAfterColl, TAuto, or "set" in the interrupt registers.
"""


class SimulatedRc522Registers:
    """The inside of the simulated chip, behind its SPI pins: registers, FIFO, commands and timer.

    `field` is at its antenna. `now` is the chip's time in seconds. A deaf chip receives no answer until it is
    reset. A chip that `stops_after_answer` ends Transceive with every answer, as some clones do.
    """

    def __init__(self, version: int, field: SimulatedTagField, *, stops_after_answer: bool = False) -> None:
        self.version = version
        self.stops_after_answer = stops_after_answer
        self.frames_sent = 0
        self.now = 0.0
        self._field = field
        self.reset_chip()

    def advance_time(self, seconds: float) -> None:
        """Advances the chip's time by this many seconds."""
        self.now += seconds
        while self._scheduled_events and self._scheduled_events[0][0] <= self.now:
            self._handle_event(*self._scheduled_events.pop(0))

    def reset_chip(self) -> None:
        """Resets the chip, as at power-on."""
        self._registers = [AT_RESET.get(register, 0) for register in range(0x40)]
        self._fifo: list[int] = []
        self._scheduled_events: list[tuple[float, Bits | ReceivedFrame | None]] = []
        self.is_deaf = False
        self._update_antenna()

    def read_register(self, register: int) -> int:
        """Returns the value of a register; reading the FIFO removes a byte from it."""
        if register == FIFO:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        return self.version if register == VERSION else self._registers[register]

    def write_register(self, register: int, value: int) -> None:
        """Writes a register; a command that this triggers starts at once."""
        if register in {COM_IRQ, DIV_IRQ}:
            flags = self._registers[register]
            self._registers[register] = flags | value & 0x7F if value & BIT_7 else flags & ~value
        elif register == FIFO:
            self._append_to_fifo([value])
        elif register == FIFO_LEVEL:
            if value & BIT_7:
                self._fifo.clear()
        elif register == COLL:
            self._registers[COLL] = self._registers[COLL] & ~BIT_7 | value & BIT_7
        elif register not in {ERROR, CONTROL, VERSION, CRC_HIGH, CRC_LOW}:
            old_value, self._registers[register] = self._registers[register], value
            self._handle_written_register(register, value & ~old_value)

    def _handle_written_register(self, register: int, raised_bits: int) -> None:
        command = self._registers[COMMAND] & 0x0F
        if register == COMMAND:
            self._start_command(command)
        elif register == BIT_FRAMING and raised_bits & BIT_7 and command == TRANSCEIVE:
            self._send_frame()
        elif register in {TX_CONTROL, TX_ASK}:
            self._update_antenna()

    def _append_to_fifo(self, data: Sequence[int]) -> None:
        free_bytes = FIFO_BYTES - len(self._fifo)
        self._fifo += data[:free_bytes]
        if len(data) > free_bytes:
            self._registers[ERROR] |= OVERFLOW

    # Commands

    def _start_command(self, command: int) -> None:
        self._scheduled_events.clear()
        if command == SOFT_RESET:
            self.reset_chip()
        elif command == CALC_CRC:
            # CRC_A starts with 6363 (mode 1); no program uses the other three start values.
            low, high = crc_a(bytes(self._fifo)) if self._registers[MODE] & 3 == 1 else (0, 0)
            self._registers[CRC_LOW], self._registers[CRC_HIGH] = low, high
            self._registers[DIV_IRQ] |= CRC_DONE
            self._fifo.clear()

    def _send_frame(self) -> None:
        if not self._fifo or self._scheduled_events:  # a frame on air isn't interrupted
            return
        bits = bytes_to_bits(bytes(self._fifo))
        omitted_bits = -self._registers[BIT_FRAMING] % 8
        self._fifo.clear()
        self._registers[ERROR] = 0
        self.frames_sent += 1
        frame = bits[: len(bits) - omitted_bits]
        self._scheduled_events.append((self.now + _seconds_on_air(frame), frame))

    def _handle_event(self, event_time: float, bits_or_timeout: Bits | ReceivedFrame | None) -> None:
        if bits_or_timeout is None:
            self._registers[COM_IRQ] |= TIMED_OUT
        elif isinstance(bits_or_timeout, ReceivedFrame):
            self._receive_answer(bits_or_timeout)
        else:
            self._registers[COM_IRQ] |= TX_DONE
            self._pass_frame_to_tags(bits_or_timeout, event_time)

    def _pass_frame_to_tags(self, frame: Bits, sent_at: float) -> None:
        """Passes a sent frame to the tags; their answer arrives later."""
        answer = self._field.exchange_frame(frame, self._rx_align, sent_at)
        if answer is not None and not self.is_deaf:
            self._scheduled_events.append(
                (sent_at + TAG_ANSWER_DELAY_SECONDS + _seconds_on_air(answer.bits), answer)
            )
        elif self._registers[TIMER_MODE] & BIT_7:
            self._scheduled_events.append((sent_at + self._timer_seconds(), None))

    @property
    def _rx_align(self) -> int:
        return self._registers[BIT_FRAMING] >> 4 & 7

    def _timer_seconds(self) -> float:
        prescaler = (self._registers[TIMER_MODE] & 0x0F) << 8 | self._registers[PRESCALER]
        reload = self._registers[RELOAD_HIGH] << 8 | self._registers[RELOAD_LOW]
        return (2 * prescaler + 1) * (reload + 1) / CARRIER_HERTZ

    def _receive_answer(self, received: ReceivedFrame) -> None:
        bits = received.bits
        if received.first_collision is not None and not self._registers[COLL] & BIT_7:
            bits = bits[: received.first_collision + 1] + (0,) * (len(bits) - received.first_collision - 1)
        self._append_to_fifo(bits_to_bytes((0,) * self._rx_align + bits))
        collision_bit = (
            0 if received.first_collision is None else received.first_collision + self._rx_align + 1
        )
        can_report_bit = 0 < collision_bit <= MAX_COLLISION_BIT
        coll = self._registers[COLL] & BIT_7
        self._registers[COLL] = coll | (collision_bit % MAX_COLLISION_BIT if can_report_bit else 0x20)
        self._registers[CONTROL] = (len(bits) + self._rx_align) % 8
        error = (COLLIDED if received.first_collision is not None else 0) | (
            0 if received.has_valid_parity else PARITY
        )
        self._registers[ERROR] |= error
        self._registers[COM_IRQ] |= RX_DONE | (FAILED if error else 0)
        if self.stops_after_answer:
            self._registers[COMMAND] &= 0xF0

    def _update_antenna(self) -> None:
        # Without full modulation (TxASKReg 0x40) tags of type A understand nothing.
        is_modulated = bool(self._registers[TX_ASK] & 0x40)
        self._field.switch_antenna(
            is_on=is_modulated and self._registers[TX_CONTROL] & ANTENNA_BITS == ANTENNA_BITS, now=self.now
        )


def _seconds_on_air(bits: Bits) -> float:
    """Returns the time that a frame takes: each byte has a parity bit, the frame a start and an end."""
    return (len(bits) * 9 // 8 + 2) * BIT_SECONDS


SPI_TRANSFER_OVERHEAD_SECONDS = 40e-6
"""Time that one SPI transfer costs a Pi besides its bits [assume]."""
ADDRESS_READ_BIT = 0x80
"""Bit in a register's address that makes a transfer read the register."""


class SimulatedRc522:
    """A simulated MFRC522 with its antenna and the tags on it.

    `version` is the value of VersionReg: 0x91 and 0x92 are NXP's, clones have others. A chip that
    `stops_after_answer` leaves Transceive after every answer. `bit_error_chance` is the chance of every bit
    on air to arrive wrong, drawn from `rng`. `clock` returns seconds that pass for the chip even while
    nothing is transferred. `transfers` counts the SPI transfers.
    """

    max_speed_hz = DEFAULT_SPI_MHZ * 1_000_000

    def __init__(
        self,
        *,
        version: int = 0x92,
        stops_after_answer: bool = False,
        bit_error_chance: float = 0.0,
        rng: random.Random | None = None,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.transfers = 0
        self._clock = clock
        self._lock = threading.RLock()
        self._field = SimulatedTagField(bit_error_chance, rng or random.Random(0))
        self._registers = SimulatedRc522Registers(version, self._field, stops_after_answer=stops_after_answer)
        self._is_plugged_in = True
        self._is_held_in_reset = False

    @property
    def now(self) -> float:
        """The chip's time in seconds."""
        return self._registers.now

    @property
    def frames_sent(self) -> int:
        """Number of frames sent on air."""
        return self._registers.frames_sent

    # What hands do

    def add_tag(self, tag: SimulatedTag | str) -> None:
        """Puts a tag on the reader, given by its UID in hexadecimal digits or as an object."""
        simulated_tag = SimulatedTag.from_uid(tag) if isinstance(tag, str) else tag
        with self._lock:
            self._field.add_tag(simulated_tag, self.now)

    def remove_tag(self, uid: str) -> None:
        """Removes the tag with this UID; raises KeyError if it isn't there."""
        with self._lock:
            self._field.remove_tag(uid, self.now)

    def interrupt_tag_power(self, uid: str, seconds: float) -> None:
        """Cuts a tag's power for this time, as at the edge of the field; raises KeyError without the tag."""
        with self._lock:
            if uid not in self._field.tags:
                raise KeyError(uid)
            self._field.interrupt_tag_power(uid, self.now, seconds)

    @property
    def tag_uids(self) -> frozenset[str]:
        """The UIDs of the tags on the reader."""
        with self._lock:
            return frozenset(self._field.tags)

    def set_bit_error_chance(self, chance: float) -> None:
        """Sets the chance of every bit on air to arrive wrong; 0 for none."""
        with self._lock:
            self._field.bit_error_chance = chance

    def dip_power(self) -> None:
        """Makes the chip's power dip: all settings are lost."""
        with self._lock:
            self._registers.reset_chip()

    def hang_receiver(self) -> None:
        """Makes the chip's receiver hang until a reset; the registers read as usual."""
        with self._lock:
            self._registers.is_deaf = True

    def unplug(self) -> None:
        """Disconnects the chip's wires: everything reads 0."""
        with self._lock:
            self._registers.reset_chip()
            self._is_plugged_in = False

    def plug_in(self) -> None:
        """Connects the chip's wires again."""
        with self._lock:
            self._is_plugged_in = True

    @property
    def is_plugged_in(self) -> bool:
        """Whether the chip's wires are connected."""
        return self._is_plugged_in

    def set_reset_pin(self, *, is_high: bool) -> None:
        """Sets its reset pin; while it is low, the chip has no settings and reads 0."""
        with self._lock:
            self._registers.reset_chip()
            self._is_held_in_reset = not is_high

    # What programs use: spidev's methods, and the time that passes

    def open(self, bus: int, device: int) -> None:
        """Opens the SPI device, as spidev's method; nothing to do, because the chip is here already."""

    def close(self) -> None:
        """Closes the SPI device, as spidev's method; nothing to do, because the chip may be used again."""

    def xfer2(self, data: Sequence[int]) -> list[int]:
        """Transfers in one chip select: an address and values to write, or addresses to read.

        The result also replaces the content of the given list, as spidev's method does.
        """
        sent = list(data)
        with self._lock:
            self.transfers += 1
            self.wait(SPI_TRANSFER_OVERHEAD_SECONDS + len(sent) * 8 / self.max_speed_hz)
            received = [0] * len(sent)
            can_answer = self._is_plugged_in and not self._is_held_in_reset
            if can_answer and sent[0] & ADDRESS_READ_BIT:
                received[1:] = [self._registers.read_register(address >> 1 & 0x3F) for address in sent[:-1]]
            elif can_answer:
                for value in sent[1:]:
                    self._registers.write_register(sent[0] >> 1 & 0x3F, value)
        if isinstance(data, list):
            data[:] = received
            return data
        return received

    def wait(self, seconds: float) -> None:
        """Waits in the chip's time, which advances by this many seconds."""
        with self._lock:
            self._registers.advance_time(max(seconds, self._clock() - self.now))


def open_simulated_reader(
    chip: SimulatedRc522, *, reset: Callable[[], None] = lambda: None, mhz: int = DEFAULT_SPI_MHZ
) -> "Rc522":
    """Returns the real reader driver, opened on a simulated chip."""
    chip.max_speed_hz = mhz * 1_000_000
    from hardware.rfid.rc522 import Rc522

    return Rc522(chip, wait=chip.wait, reset=reset)
