"""The keypad's program: MicroPython on a Raspberry Pi Pico starts it when it gets power.

Nothing here waits longer than a few milliseconds, and what hangs for two seconds is restarted.
With OK held down while it is plugged in it stays out of the way, so that its files can be changed.
"""

import os
import select
import sys
import time

import machine
import micropython
from keypad.lamp import Buzzer, Lamp
from keypad.matrix import Matrix
from keypad.pad import Pad
from keypad.settings import checked_id, read_settings

SCAN = 4
"""Milliseconds between two looks at the keys."""
MOST_BYTES = 256
"""Read in one round, so that a host that never stops talking doesn't hold up the keys."""
PATIENCE = 2000
"""Milliseconds without a round until the watchdog starts the program again."""


class Cable:
    """The USB plug as a serial line, without ever waiting for the other end."""

    def __init__(self):
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)

    def read(self, wait):
        """What has come, after at most so many milliseconds of waiting for the first byte."""
        data = b""
        while len(data) < MOST_BYTES and self._in.poll(0 if data else wait):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data):
        """Send; without a host that reads it is lost, and said again at the next heartbeat."""
        if data and self._out.poll(0):
            sys.stdout.buffer.write(data)


class Clock:
    """Milliseconds since the start; the chip's own count begins again after twelve days."""

    def __init__(self):
        self._last = time.ticks_ms()
        self._now = 0

    def __call__(self):
        """Now."""
        ticks = time.ticks_ms()
        self._now += time.ticks_diff(ticks, self._last)
        self._last = ticks
        return self._now


class NoDisplay:
    """Shows nothing; the host sends it no text."""

    def show(self, host, own, now):
        """Nothing."""


def display(settings):
    """The display that is wired, and what it can."""
    first, second = settings["display_pins"]
    if settings["display"] == "ssd1306":
        from keypad import ssd1306

        return ssd1306.Display(first, second, settings["height"]), ssd1306.CAN
    if settings["display"] == "tm1637":
        from keypad import tm1637

        return tm1637.Display(first, second), tm1637.CAN
    return NoDisplay(), "line0"


def hexadecimal(data):
    """Upper-case digits."""
    return "".join(f"{byte:02X}" for byte in data)


def run():
    """Until the power goes."""
    settings = read_settings("keypad.toml")
    clock, cable = Clock(), Cable()
    keys = Matrix(settings["rows"], settings["columns"], settings["caps"], clock)
    keys.pressed()
    if "OK" in keys.pressed():
        return
    micropython.kbd_intr(-1)  # a damaged byte may look like Ctrl-C
    pad_id = checked_id(settings["id"] or hexadecimal(machine.unique_id()))
    screen, can = display(settings)
    lamp, buzzer = Lamp(settings["light"]), Buzzer(settings["buzzer"])
    pad = Pad(pad_id, hexadecimal(os.urandom(4)), clock(), can)
    watchdog = machine.WDT(timeout=PATIENCE)
    while True:
        data = cable.read(SCAN)
        now = clock()
        pad.received(data, now)
        for cap in keys.pressed():
            pad.press(cap, now)
        pad.tick(now)
        cable.write(pad.outgoing())
        light = pad.light(now)
        lamp.show(light, now)
        buzzer.show(light, now)
        host, own = pad.display(now)
        screen.show(host, own, now)
        watchdog.feed()


if __name__ == "__main__":
    run()
