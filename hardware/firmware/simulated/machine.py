"""The chip's pins without a chip: stands beside main.py and takes the place of MicroPython's own module.

What is wired to the pins is simulated at their lowest level: switches that join a row with a column and
bounce, levels, and bytes on I²C. `$COMPANION_PICO` is a folder with two files for who works it:
`fingers`, a FIFO from which presses are read, `ROW COLUMN MILLISECONDS` a line, and `wires`, to which
every change is written, a line each: `pin 15 1`, `pwm 14 32768`, `i2c 60 00AE`.
"""
# ruff: noqa: ARG002, PTH123, SIM115, SLF001 - MicroPython's own signatures; no pathlib there; files for ever

import os
import select
import time

BOUNCES = 5
"""Milliseconds in which a contact is now open, now closed."""
LIFTED = 35
"""Milliseconds between two presses of the one finger there is."""

_FOLDER = os.getenv("COMPANION_PICO")
_wires = open(_FOLDER + "/wires", "wb")
_pins = {}


def _tell(text):
    _wires.write(text + "\n")
    _wires.flush()


def unique_id():
    """The number of the flash chip."""
    return b"\xe6\x60\x58\x38\x83\x72\x4a\x32"


class Finger:
    """Presses one switch after the other, as it is told."""

    def __init__(self, path):
        self._orders = open(path, "r+b", buffering=0)  # for writing too, so that it never ends
        self._poll = select.poll()
        self._poll.register(self._orders, select.POLLIN)
        self._text = b""
        self._todo = []
        self._at = ()
        self._changed = time.ticks_ms()
        self._lasts = LIFTED
        self._chance = 1

    def joins(self, one, other):
        """Whether a switch between these two pins is closed at this moment."""
        self._move()
        if {one, other} != set(self._joined):
            return False
        if time.ticks_diff(time.ticks_ms(), self._changed) >= BOUNCES:
            return bool(self._at)
        self._chance = self._chance * 1103515245 + 12345 & 0x7FFFFFFF
        return bool(self._chance & 0x10000)

    _joined = ()

    def _move(self):
        while self._poll.poll(0):
            self._text += self._orders.read(1)
            if self._text[-1:] == b"\n":
                self._todo.append([int(word) for word in self._text.split()])
                self._text = b""
        now = time.ticks_ms()
        if time.ticks_diff(now, self._changed) < self._lasts:
            return
        if self._at:
            self._at, self._lasts, self._changed = (), LIFTED, now
        elif self._todo:
            *self._at, self._lasts = self._todo.pop(0)
            self._joined, self._changed = self._at, now


_finger = Finger(_FOLDER + "/fingers")


class Pin:
    """A pin; a level that nobody drives is high, for all of them are pulled up."""

    IN, OUT, OPEN_DRAIN = 0, 1, 2
    PULL_UP = 1

    def __init__(self, number, mode=IN, pull=None, value=None):
        self._number = number
        self._mode = mode
        # The rows of the matrix change a thousand times a second and are nobody's news.
        self._is_news = mode == Pin.OUT or (mode == Pin.OPEN_DRAIN and pull is not None)
        self._level = 1 if mode == Pin.OPEN_DRAIN else 0
        _pins[number] = self
        if value is not None:
            self.value(value)

    def value(self, level=None):
        """Drive it, or read it."""
        if level is None:
            return self._read()
        level = int(level)
        if level != self._level:
            self._level = level
            if self._is_news:
                _tell(f"pin {self._number} {level}")
        return None

    def _read(self):
        if self._mode != Pin.IN:
            return self._level
        for number, other in _pins.items():
            if other._mode != Pin.IN and other._level == 0 and _finger.joins(number, self._number):
                return 0
        return 1


class PWM:
    """A tone."""

    def __init__(self, pin, freq, duty_u16):
        self._number = pin._number

    def duty_u16(self, duty):
        """How much of each period is high, of 65536."""
        _tell(f"pwm {self._number} {duty}")


class I2C:
    """A bus with a display at 60, if there is a file `display` in the folder."""

    def __init__(self, number, sda, scl, freq):
        self._number = number

    def writeto(self, address, data):
        """Send; OSError where nobody answers."""
        try:
            open(_FOLDER + "/display").close()
        except OSError:
            raise OSError(5) from None
        _tell(f"i2c {address} " + "".join(f"{byte:02X}" for byte in data))


class WDT:
    """A watchdog that only counts: what hangs here is seen by who waits."""

    def __init__(self, timeout):
        self.timeout = timeout

    def feed(self):
        """Still alive."""
