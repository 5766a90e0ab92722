"""Serial keypads: real ports in, signals out, and what the seats are to see.

    import threading

    from hardware.inbox import Inbox
    from hardware.keypads.keypads import Keypads
    from hardware.panel import Panel
    from hardware.signals import Typed
    from hardware.wiring import Keypad

    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    with Keypads([Keypad(seat=1, port="/dev/ttyACM0")], inbox) as keypads:
        keypads.show("keypad 1", Panel(question=7, line="Bid more than 4", light="blink"))
        while awake.wait():
            awake.clear()
            for signal in inbox.drain():
                print(signal)
                if isinstance(signal, Typed):
                    keypads.taken(signal)

One thread reads and writes all ports and only puts signals into the inbox.
Nothing is decided here.
A keypad may be unplugged and plugged in at any time, into its own port or,
when the wiring names its id only, into any.
"""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from queue import SimpleQueue

import serial
from serial.tools import list_ports

from hardware.inbox import Inbox
from hardware.keypads.ports import Ports
from hardware.openable import Openable
from hardware.panel import Panel
from hardware.signals import Given
from hardware.wiring import Keypad

BAUD = 115_200
WRITE_TIMEOUT = 0.1
"""Seconds: a keypad that takes no bytes for so long is unplugged from its port."""


def serial_ports() -> list[str]:
    """Every USB serial port of this machine."""
    return [port.device for port in list_ports.comports() if port.vid is not None]


def open_tty(path: str) -> serial.Serial:
    """Open a serial port for a keypad. Raises OSError or termios.error."""
    tty = serial.Serial()
    tty.port = path
    tty.baudrate = BAUD
    tty.timeout = 0
    tty.write_timeout = WRITE_TIMEOUT
    tty.exclusive = True
    tty.dtr = True  # a keypad on TinyUSB sends nothing without it
    tty.open()
    return tty


class Keypads(Openable):
    """The wired keypads.

    `scan` lists the ports to search for keypads that are wired by id alone.
    The methods are for the game's thread; they return at once.
    """

    def __init__(
        self,
        wired: Sequence[Keypad],
        inbox: Inbox,
        *,
        scan: Callable[[], Iterable[str]] = serial_ports,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ports = Ports(wired, inbox, open_tty, scan, clock)
        self._orders: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._shown: dict[str, Panel] = {}
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="keypads", daemon=True)

    def start(self) -> None:
        """Open the ports; every keypad that answers is `Found`."""
        self._thread.start()

    def close(self) -> None:
        """Let go of all ports; keypads then show that nobody is connected."""
        if not self._closed:
            self._closed = True
            if self._thread.ident is not None:
                self._ports.wake()
                self._thread.join()
            self._ports.close()

    def about(self, device: str) -> str:
        """The id and the firmware of its last HELLO; nothing before one, or for another device."""
        return self._ports.about(device)

    def show(self, device: str, panel: Panel) -> None:
        """From now on the keypad shows this, also when it is plugged in later."""
        if self._shown.get(device) == panel:
            return
        self._shown[device] = panel
        self._order(lambda: self._ports.show(device, panel))

    def taken(self, answer: Given) -> None:
        """The answer is committed: the keypad may forget it."""
        self._order(lambda: self._ports.settle(answer, None))

    def refused(self, answer: Given, why: str) -> None:
        """The answer doesn't count; the keypad shows why until its next key."""
        self._order(lambda: self._ports.settle(answer, why))

    def _order(self, order: Callable[[], None]) -> None:
        if not self._closed:
            self._orders.put(order)
            self._ports.wake()

    def _run(self) -> None:
        try:
            while not self._closed:
                self._ports.turn()
                while not self._orders.empty():
                    self._orders.get()()
        except BaseException:
            # A game must never wait for a keypad that nobody reads.
            self._ports.lose_all()
            raise
