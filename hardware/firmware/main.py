"""The keypad's program: MicroPython on a Raspberry Pi Pico starts it at power-on.

Nothing here waits longer than a few milliseconds, and a program that hangs for two seconds is restarted. If
OK is held down while the keypad is plugged in, the program ends at once, so that its files can be changed.
"""

import os
import select
import sys
import time

import machine
import micropython
from keypad.lamp import Buzzer, Lamp
from keypad.matrix import KeyMatrix
from keypad.pad import KeypadProgram
from keypad.settings import read_keypad_toml, validate_keypad_id

SCAN_INTERVAL_MS = 4
"""Milliseconds between two scans of the keys."""
MAX_READ_BYTES = 256
"""Maximum bytes read in one round, so that a host that never stops sending doesn't block the keys."""
WATCHDOG_TIMEOUT_MS = 2000
"""Milliseconds without a round until the watchdog restarts the program."""


class UsbSerialCable:
    """The USB cable as a serial port that never waits for the host."""

    def __init__(self):
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)

    def read(self, max_wait_ms):
        """Returns the received bytes, after at most `max_wait_ms` milliseconds of waiting for the first."""
        data = b""
        while len(data) < MAX_READ_BYTES and self._in.poll(0 if data else max_wait_ms):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data):
        """Sends bytes if the host reads; otherwise they are lost.

        The next heartbeat or retry makes up for the loss.
        """
        if data and self._out.poll(0):
            sys.stdout.buffer.write(data)


class MillisecondClock:
    """A clock that counts the milliseconds since the start.

    The chip's own count starts again from 0 after twelve days.
    """

    def __init__(self):
        self._last = time.ticks_ms()
        self._now = 0

    def __call__(self):
        """Returns the time."""
        ticks = time.ticks_ms()
        self._now += time.ticks_diff(ticks, self._last)
        self._last = ticks
        return self._now


class NoDisplay:
    """Stands in for a missing display; the host sends it no text."""

    def show_lines(self, host_line, own_line, now_ms):
        """Shows nothing, because there is no display."""


def open_display(settings):
    """Returns the wired display and its capabilities."""
    first_pin, second_pin = settings["display_pins"]
    if settings["display"] == "ssd1306":
        from keypad import ssd1306

        return ssd1306.OledDisplay(first_pin, second_pin, settings["height"]), ssd1306.CAPABILITIES
    if settings["display"] == "tm1637":
        from keypad import tm1637

        return tm1637.SegmentDisplay(first_pin, second_pin), tm1637.CAPABILITIES
    return NoDisplay(), "line0"


def to_upper_hex(data):
    """Returns bytes as upper-case hexadecimal digits."""
    return "".join(f"{byte:02X}" for byte in data)


def run_keypad():
    """Runs the keypad until the power goes off."""
    settings = read_keypad_toml("keypad.toml")
    clock, cable = MillisecondClock(), UsbSerialCable()
    keys = KeyMatrix(settings["rows"], settings["columns"], settings["caps"], clock)
    keys.scan_new_presses()
    if "OK" in keys.scan_new_presses():
        return
    micropython.kbd_intr(-1)  # otherwise a damaged byte that looks like Ctrl-C would end the program
    keypad_id = validate_keypad_id(settings["id"] or to_upper_hex(machine.unique_id()))
    screen, capabilities = open_display(settings)
    lamp, buzzer = Lamp(settings["light"]), Buzzer(settings["buzzer"])
    pad = KeypadProgram(keypad_id, to_upper_hex(os.urandom(4)), clock(), capabilities)
    watchdog = machine.WDT(timeout=WATCHDOG_TIMEOUT_MS)
    while True:
        data = cable.read(SCAN_INTERVAL_MS)
        now = clock()
        pad.handle_host_bytes(data, now)
        for cap in keys.scan_new_presses():
            pad.press_key(cap, now)
        pad.queue_due_lines(now)
        cable.write(pad.take_outgoing_bytes())
        light = pad.light_state(now)
        lamp.set_state(light, now)
        buzzer.beep_if_light_comes_on(light, now)
        host_line, own_line = pad.display_lines(now)
        screen.show_lines(host_line, own_line, now)
        watchdog.feed()


if __name__ == "__main__":
    run_keypad()
