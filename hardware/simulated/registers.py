"""The inside of a simulated MFRC522: registers, FIFO, commands and timer, in seconds of its own.

It is what the data sheet says of them, as far as it takes to talk to tags: bit
framing, interrupt flags, errors, collisions, the timer and CRC.
"""

from collections.abc import Sequence

from hardware.rfid.iso14443 import ANSWER_AFTER, BIT, crc_a
from hardware.simulated.field import Received, SimulatedField
from hardware.simulated.tags import Bits, to_bits, to_bytes

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
    """The chip behind its SPI pins, with `field` in front of its antenna.

    `now` is its time; a deaf one hears no answer until it is reset; one that `tires` ends Transceive
    with every answer, as some clones do.
    """

    def __init__(self, version: int, field: SimulatedField, *, tires: bool = False) -> None:
        self.version = version
        self.tires = tires
        self.frames = 0
        self.now = 0.0
        self._field = field
        self.reset()

    def pass_time(self, seconds: float) -> None:
        """Let so much of the chip's time pass."""
        self.now += seconds
        while self._due and self._due[0][0] <= self.now:
            self._happen(*self._due.pop(0))

    def reset(self) -> None:
        """As after power came on."""
        self._registers = [AT_RESET.get(register, 0) for register in range(0x40)]
        self._fifo: list[int] = []
        self._due: list[tuple[float, Bits | Received | None]] = []
        self.is_deaf = False
        self._switch_field()

    def read(self, register: int) -> int:
        """What the register holds now; reading the FIFO takes a byte out of it."""
        if register == FIFO:
            return self._fifo.pop(0) if self._fifo else 0
        if register == FIFO_LEVEL:
            return len(self._fifo)
        return self.version if register == VERSION else self._registers[register]

    def write(self, register: int, value: int) -> None:
        """What writing the register sets off begins at once."""
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
        self._due.append((self.now + _on_air(frame), frame))

    def _happen(self, at: float, what: Bits | Received | None) -> None:
        if what is None:
            self._registers[COM_IRQ] |= TIMED_OUT
        elif isinstance(what, Received):
            self._receive(what)
        else:
            self._registers[COM_IRQ] |= TX_DONE
            self._ask(what, at)

    def _ask(self, frame: Bits, at: float) -> None:
        """The frame has been sent: the tags hear it, and whoever answers is heard later."""
        heard = self._field.ask(frame, self._align, at)
        if heard is not None and not self.is_deaf:
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

    def _receive(self, heard: Received) -> None:
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
        if self.tires:
            self._registers[COMMAND] &= 0xF0

    def _switch_field(self) -> None:
        # Without full modulation (TxASKReg 0x40) no tag of type A understands a word.
        is_modulated = bool(self._registers[TX_ASK] & 0x40)
        self._field.switch(on=is_modulated and self._registers[TX_CONTROL] & ANTENNA == ANTENNA, now=self.now)


def _on_air(bits: Bits) -> float:
    """Seconds of a frame: each byte has a parity bit, the frame a start and an end."""
    return (len(bits) * 9 // 8 + 2) * BIT
