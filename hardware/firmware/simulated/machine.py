"""Simulates MicroPython's `machine` module: the pins of a Pico, for main.py beside it.

What is wired to the pins is simulated at the lowest level: switches that join a row with a column and bounce,
levels, and bytes on I²C.

`$COMPANION_PICO` is a folder with three files. `fingers` is a FIFO with a press in each line:
`MILLISECONDS ROW COLUMN …`, with more pairs of numbers for several switches at once. `wires` gets a line for
every change: `pin 15 1`, `pwm 14 32768`, `i2c 60 00AE`. `display` exists while a display is on the bus.
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
"""Minimum number of reads of the switches during each press, and between two, after the bouncing.

So a busy machine can't lose a press.
"""

_FOLDER = os.getenv("COMPANION_PICO")
_wires_file = open(_FOLDER + "/wires", "wb")
_pins = {}


def _write_change(text):
    _wires_file.write(text + "\n")
    _wires_file.flush()


def unique_id():
    """Returns the unique id of the board, which is the number of its flash chip."""
    return b"\xe6\x60\x58\x38\x83\x72\x4a\x32"


class SimulatedFingers:
    """Presses switches as the orders in a FIFO say, one after the other."""

    def __init__(self, path):
        self._orders_file = open(
            path, "r+b", buffering=0
        )  # opened for writing too, so that reading never reaches an end
        self._poll = select.poll()
        self._poll.register(self._orders_file, select.POLLIN)
        self._text = b""
        self._orders_to_do = []
        self._switches = set()
        self._is_down = False
        self._phase_started = time.ticks_ms()
        self._phase_ms = 0
        self._reads_after_bounce = 0
        self._reads = 0
        self._random_state = 1
        # A key that was held when the power came on has finished bouncing.
        self._read_orders()
        self._start_next_phase(time.ticks_add(time.ticks_ms(), -BOUNCE_MS))

    def closed_switches(self):
        """Returns the switches that are closed at this moment, as pairs of pins."""
        self._reads += 1
        if self._reads % 16 == 0:
            self._read_orders()
        now = time.ticks_ms()
        if (
            time.ticks_diff(now, self._phase_started) >= self._phase_ms
            and self._reads_after_bounce > MIN_SWITCH_READS_PER_PRESS
        ):
            self._start_next_phase(now)
        bounce_steps = time.ticks_diff(now, self._phase_started) // 5
        if bounce_steps < BOUNCE_MS // 5:
            return self._switches if self._bounces[bounce_steps] else ()
        self._reads_after_bounce += 1
        return self._switches if self._is_down else ()

    def _read_orders(self):
        while self._poll.poll(0):
            self._text += self._orders_file.read(1)
            if self._text[-1:] == b"\n":
                self._orders_to_do.append([int(word) for word in self._text.split()])
                self._text = b""

    def _start_next_phase(self, now):
        self._reads_after_bounce = 0
        self._random_state = self._random_state * 1103515245 + 12345 & 0x7FFFFFFF
        self._bounces = [bool(self._random_state >> 16 & 1 << moment) for moment in range(BOUNCE_MS // 5)]
        if self._is_down:
            self._is_down, self._phase_ms, self._phase_started = False, PAUSE_BETWEEN_PRESSES_MS, now
        elif self._orders_to_do:
            self._phase_ms, *pins = self._orders_to_do.pop(0)
            self._switches = {(pins[at], pins[at + 1]) for at in range(0, len(pins), 2)}
            self._is_down, self._phase_started = True, now


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
            if (
                self._mode == Pin.OUT
            ):  # the open drains, which are the rows of the matrix, change too often to report
                _write_change(f"pin {self._number} {level}")
        return None

    def _read(self):
        if self._mode != Pin.IN:
            return self._level
        closed = _fingers.closed_switches()
        return 0 if closed and self._reaches_ground(closed, {self._number}) else 1

    def _reaches_ground(self, closed, connected_pins):
        # Closed switches conduct both ways, so three keys can connect a row and a column as a fourth would.
        while True:
            new_pins = {
                pin for switch in closed if connected_pins & set(switch) for pin in switch
            } - connected_pins
            if not new_pins:
                break
            connected_pins = connected_pins | new_pins
        return any(
            _pins[pin]._mode != Pin.IN and not _pins[pin]._level for pin in connected_pins if pin in _pins
        )


class PWM:
    """A simulated tone output."""

    def __init__(self, pin, freq, duty_u16):
        self._number = pin._number

    def duty_u16(self, duty):
        """Sets the duty cycle: which part of each period is high, of 65536."""
        _write_change(f"pwm {self._number} {duty}")


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
        _write_change(f"i2c {address} " + "".join(f"{byte:02X}" for byte in data))


class WDT:
    """A watchdog that does nothing: tests notice by themselves if the program hangs."""

    def __init__(self, timeout):
        self.timeout = timeout

    def feed(self):
        """Does nothing."""
