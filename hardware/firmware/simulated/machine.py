"""Simulates MicroPython's `machine` module: the pins of a Pico, for main.py beside it.

What is wired to the pins is simulated at the lowest level: switches that join a row with a column and bounce,
levels, and bytes on I²C.

`$COMPANION_PICO` is a folder with three files: `fingers`, a FIFO of presses, `MILLISECONDS ROW COLUMN …` a
line, with several switches at once if there are more numbers; `wires`, to which every change is written, a
line each: `pin 15 1`, `pwm 14 32768`, `i2c 60 00AE`; and `display`, which exists while a display is on the
bus.
"""
# ruff: noqa: ARG002, PTH123, SIM115, SLF001 - MicroPython's signatures; it has no pathlib; open for ever

import os
import select
import time

BOUNCE_MS = 15
"""Milliseconds in which a contact opens and closes at random, every five milliseconds."""
PAUSE_BETWEEN_PRESSES_MS = 45
"""Milliseconds between two presses of the same finger."""
MIN_SWITCH_READS_PER_PRESS = 6 * 16
"""Minimum number of reads of the switches in each press and between two, after they bounced.

A busy machine can't lose a press that way.
"""

_FOLDER = os.getenv("COMPANION_PICO")
_wires = open(_FOLDER + "/wires", "wb")
_pins = {}


def _tell(text):
    _wires.write(text + "\n")
    _wires.flush()


def unique_id():
    """Returns the unique id of the board, which is the number of its flash chip."""
    return b"\xe6\x60\x58\x38\x83\x72\x4a\x32"


class SimulatedFingers:
    """Presses switches as the orders in a FIFO say, one after the other."""

    def __init__(self, path):
        self._orders = open(path, "r+b", buffering=0)  # for writing too, so that it never ends
        self._poll = select.poll()
        self._poll.register(self._orders, select.POLLIN)
        self._text = b""
        self._todo = []
        self._switches = set()
        self._is_down = False
        self._changed = time.ticks_ms()
        self._lasts = 0
        self._looks = 0
        self._reads = 0
        self._chance = 1
        # A key that was held when the power came bounces no more.
        self._listen()
        self._move(time.ticks_add(time.ticks_ms(), -BOUNCE_MS))

    def closed_switches(self):
        """Returns the switches that are closed at this moment, as pairs of pins."""
        self._reads += 1
        if self._reads % 16 == 0:
            self._listen()
        now = time.ticks_ms()
        if time.ticks_diff(now, self._changed) >= self._lasts and self._looks > MIN_SWITCH_READS_PER_PRESS:
            self._move(now)
        moments = time.ticks_diff(now, self._changed) // 5
        if moments < BOUNCE_MS // 5:
            return self._switches if self._bounces[moments] else ()
        self._looks += 1
        return self._switches if self._is_down else ()

    def _listen(self):
        while self._poll.poll(0):
            self._text += self._orders.read(1)
            if self._text[-1:] == b"\n":
                self._todo.append([int(word) for word in self._text.split()])
                self._text = b""

    def _move(self, now):
        self._looks = 0
        self._chance = self._chance * 1103515245 + 12345 & 0x7FFFFFFF
        self._bounces = [bool(self._chance >> 16 & 1 << moment) for moment in range(BOUNCE_MS // 5)]
        if self._is_down:
            self._is_down, self._lasts, self._changed = False, PAUSE_BETWEEN_PRESSES_MS, now
        elif self._todo:
            self._lasts, *pins = self._todo.pop(0)
            self._switches = {(pins[at], pins[at + 1]) for at in range(0, len(pins), 2)}
            self._is_down, self._changed = True, now


_fingers = SimulatedFingers(_FOLDER + "/fingers")


class Pin:
    """A simulated pin; a level that nobody drives is high, because all pins are pulled up."""

    IN, OUT, OPEN_DRAIN = 0, 1, 2
    PULL_UP = 1

    def __init__(self, number, mode=IN, pull=None, value=None):
        self._number = number
        self._mode = mode
        self._level = 1 if mode == Pin.OPEN_DRAIN else 0
        _pins[number] = self
        if value is not None:
            self.value(value)

    def value(self, level=None):
        """Returns the level of the pin, or sets it if `level` isn't None."""
        if level is None:
            return self._read()
        level = int(level)
        if level != self._level:
            self._level = level
            if self._mode == Pin.OUT:  # the rows of the matrix, open drains, are nobody's news
                _tell(f"pin {self._number} {level}")
        return None

    def _read(self):
        if self._mode != Pin.IN:
            return self._level
        closed = _fingers.closed_switches()
        return 0 if closed and self._reaches_ground(closed, {self._number}) else 1

    def _reaches_ground(self, closed, joined):
        # Through closed switches a level goes any way, that of a fourth key between three too.
        while True:
            more = {pin for switch in closed if joined & set(switch) for pin in switch} - joined
            if not more:
                break
            joined = joined | more
        return any(_pins[pin]._mode != Pin.IN and not _pins[pin]._level for pin in joined if pin in _pins)


class PWM:
    """A simulated tone output."""

    def __init__(self, pin, freq, duty_u16):
        self._number = pin._number

    def duty_u16(self, duty):
        """Sets the duty cycle: which part of each period is high, of 65536."""
        _tell(f"pwm {self._number} {duty}")


class I2C:
    """A simulated bus with a display at address 60, while the file `display` exists."""

    def __init__(self, number, sda, scl, freq):
        self._number = number

    def writeto(self, address, data):
        """Sends bytes; raises OSError if no device answers."""
        try:
            open(_FOLDER + "/display").close()
        except OSError:
            raise OSError(5) from None
        _tell(f"i2c {address} " + "".join(f"{byte:02X}" for byte in data))


class WDT:
    """A watchdog that does nothing: a test notices itself that the program hangs."""

    def __init__(self, timeout):
        self.timeout = timeout

    def feed(self):
        """Does nothing."""
