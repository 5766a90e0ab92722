"""Ports on real terminals in made-up time: whose is tried when, and let go when."""

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import serial

from hardware.ports import PATIENCE, PAUSE, Ports
from hardware.protocol import Hello, pad_line
from hardware.signals import Found, Lost, Signal
from hardware.wiring import Keypad
from tests.hardware.bench import Listener, Metal

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

HELLO = Hello(1, "kp-1", "1.0", "9F2C1A07", ("line16",))


class Pulled(serial.Serial):
    """A real port whose plug can be half out: the last bytes are read, nothing is written any more."""

    is_pulled = False

    def write(self, data: "ReadableBuffer", /) -> int | None:
        """What the system says when the device is gone."""
        if self.is_pulled:
            raise OSError(errno.EIO, "Input/output error")
        return super().write(data)


class Desk:
    """One thing at a port, and ports that turn when told to."""

    def __init__(self, path: Path, *wired: Keypad) -> None:
        self.now = 0.0
        self.metal = Metal(path)
        self.opened: list[Pulled] = []
        self.game = Listener()
        self.ports = Ports(wired, self.game.inbox, self._open, lambda: [str(path)], lambda: self.now)

    def _open(self, path: str) -> Pulled:
        self.opened.append(Pulled(path, timeout=0, write_timeout=0.1))
        return self.opened[-1]

    def pass_time(self, seconds: float) -> None:
        """A quarter of a second a turn."""
        end = self.now + seconds
        while self.now < end:
            self.now += 0.25
            self.ports.turn()

    def says(self, hello: Hello) -> list[Signal]:
        """The device says HELLO; what comes of it."""
        self.metal.say(pad_line(0, hello))
        self.ports.turn()
        return self.game.inbox.drain()


@pytest.fixture
def searching(tmp_path: Path) -> Iterator[Desk]:
    """Keypad kp-1 is wired by its id; something is at the one port there is."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, id="kp-1"))
    yield desk
    desk.ports.close()
    desk.metal.close()


def test_a_port_where_nobody_answers_is_let_go(searching: Desk) -> None:
    """After two seconds without HELLO; five seconds later it is asked again."""
    searching.pass_time(PATIENCE)
    assert [tty.is_open for tty in searching.opened] == [True]
    searching.pass_time(PAUSE)
    assert [tty.is_open for tty in searching.opened] == [False]
    searching.pass_time(0.75)
    assert [tty.is_open for tty in searching.opened] == [False, True]


def test_a_keypad_of_nobody_is_let_go(searching: Desk) -> None:
    """An id that the wiring doesn't name: no signal, and the port is free for others."""
    searching.pass_time(0.25)
    assert searching.says(Hello(1, "kp-2", "1.0", "9F2C1A07", ("line16",))) == []
    assert [tty.is_open for tty in searching.opened] == [False]


def test_a_found_keypad_ends_the_search(searching: Desk) -> None:
    """Its port stays open, and no port is opened any more."""
    searching.pass_time(0.25)
    assert searching.says(HELLO) == [Found("keypad 1")]
    for _ in range(40):
        searching.pass_time(0.5)
        searching.says(HELLO)
    assert [tty.is_open for tty in searching.opened] == [True]


def test_a_port_that_is_wired_is_asked_for_ever(tmp_path: Path) -> None:
    """A keypad may come up late at its own port."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, port=str(tmp_path / "usb0")))
    desk.pass_time(60)
    assert [tty.is_open for tty in desk.opened] == [True]
    desk.metal.hear()
    assert desk.says(HELLO) == [Found("keypad 1")]
    desk.ports.close()
    desk.metal.close()


def test_a_keypad_that_changes_its_name_is_another(tmp_path: Path) -> None:
    """The program at a wired port starts anew under another id: the seat has lost its keypad."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, port=str(tmp_path / "usb0"), id="kp-1"))
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [Found("keypad 1")]
    renamed = Hello(1, "kp-2", "1.0", "00000001", ("line16",))
    assert desk.says(renamed) == [Lost("keypad 1", "another")]
    desk.ports.close()
    desk.metal.close()


def test_a_keypad_that_changes_its_name_speaks_for_its_new_seat(tmp_path: Path) -> None:
    """Wired by id: under the new id it is the other seat's, and the first seat has none."""
    wired = [Keypad(seat=1, id="kp-1"), Keypad(seat=2, id="kp-2")]
    desk = Desk(tmp_path / "usb0", *wired)
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [Found("keypad 1")]
    renamed = Hello(1, "kp-2", "1.0", "00000001", ("line16",))
    assert desk.says(renamed) == [Lost("keypad 1", "another"), Found("keypad 2")]
    desk.ports.close()
    desk.metal.close()


def test_a_keypad_pulled_while_it_says_hello_is_lost(tmp_path: Path) -> None:
    """Its name in /dev goes first, then its plug: its last line makes it nobody else's, nor found."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, port=str(tmp_path / "usb0")))
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [Found("keypad 1")]
    (tmp_path / "usb0").unlink()
    assert desk.says(HELLO) == []
    desk.opened[-1].is_pulled = True
    assert desk.says(HELLO) == [Lost("keypad 1", "unplugged")]
    desk.ports.close()
    desk.metal.close()
