"""Ports on real terminals in made-up time: whose is tried when, and let go when."""

import errno
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import serial

from benchmarks.pad_side import pad_line
from hardware.keypad_protocol import HelloMessage
from hardware.keypads import (
    SEARCHED_PORT_HELLO_TIMEOUT_SECONDS,
    UNKNOWN_DEVICE_RETRY_SECONDS,
    KeypadPortPoller,
    KeypadTty,
    open_serial_port,
)
from hardware.signals import DeviceFound, DeviceLost, DuplicateKeypad, Signal
from hardware.wiring import Keypad
from tests.support.hardware.device_helpers import FakeSerialDevice, SignalListener

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

HELLO = HelloMessage(1, "kp-1", "1.0", "9F2C1A07", ("line16",))


class Pulled(KeypadTty):
    """A real port whose plug can be half out: the last bytes are read, nothing is written any more."""

    is_pulled = False

    def write(self, data: "ReadableBuffer", /) -> int:
        """What the system says when the device is gone."""
        if self.is_pulled:
            raise OSError(errno.EIO, "Input/output error")
        return super().write(data)


class Desk:
    """One thing at a port, and ports that turn when told to."""

    def __init__(self, path: Path, *wired: Keypad) -> None:
        self.now = 0.0
        self.metal = FakeSerialDevice(path)
        self.opened: list[Pulled] = []
        self.game = SignalListener()
        self.there = [str(path)]
        self.denied: set[str] = set()
        self.ports = KeypadPortPoller(
            wired, self.game.inbox, self._open, lambda: self.there, lambda: self.now
        )

    def _open(self, path: str) -> Pulled:
        if path in self.denied:
            raise serial.SerialException(errno.EACCES, f"could not open port {path}")
        self.opened.append(Pulled(path, timeout=0))
        return self.opened[-1]

    def pass_time(self, seconds: float) -> None:
        """A quarter of a second a turn."""
        end = self.now + seconds
        while self.now < end:
            self.now += 0.25
            self.ports.poll_once()

    def says(self, hello: HelloMessage, metal: FakeSerialDevice | None = None) -> list[Signal]:
        """The device says HELLO; what comes of it."""
        (metal or self.metal).send(pad_line(0, hello))
        self.ports.poll_once()
        return self.game.inbox.drain()

    def plugs(self, path: Path) -> FakeSerialDevice:
        """Something more is plugged in, and found by the next search."""
        metal = FakeSerialDevice(path)
        self.there = [*dict.fromkeys([*self.there, str(path)])]
        self.pass_time(0.25)
        return metal

    def close(self) -> None:
        """Everything is pulled out."""
        self.ports.close()
        self.metal.close()


@pytest.fixture
def searching(tmp_path: Path) -> Iterator[Desk]:
    """Keypad kp-1 is wired by its id; something is at the one port there is."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, id="kp-1"))
    yield desk
    desk.close()


def test_a_port_where_nobody_answers_is_let_go(searching: Desk) -> None:
    """After two seconds without HELLO; five seconds later it is asked again."""
    searching.pass_time(SEARCHED_PORT_HELLO_TIMEOUT_SECONDS)
    assert [tty.is_open for tty in searching.opened] == [True]
    searching.pass_time(UNKNOWN_DEVICE_RETRY_SECONDS)
    assert [tty.is_open for tty in searching.opened] == [False]
    searching.pass_time(0.75)
    assert [tty.is_open for tty in searching.opened] == [False, True]


def test_a_keypad_of_nobody_is_let_go(searching: Desk) -> None:
    """An id that the wiring doesn't name: no signal, and the port is free for others."""
    searching.pass_time(0.25)
    assert searching.says(HelloMessage(1, "kp-2", "1.0", "9F2C1A07", ("line16",))) == []
    assert [tty.is_open for tty in searching.opened] == [False]


def test_a_found_keypad_ends_the_search(searching: Desk) -> None:
    """Its port stays open, and no port is opened any more."""
    searching.pass_time(0.25)
    assert searching.says(HELLO) == [DeviceFound("keypad 1")]
    for _ in range(40):
        searching.pass_time(0.5)
        searching.says(HELLO)
    assert [tty.is_open for tty in searching.opened] == [True]


def test_a_port_that_is_wired_is_asked_for_ever(tmp_path: Path) -> None:
    """A keypad may come up late at its own port."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, port=str(tmp_path / "usb0")))
    desk.pass_time(60)
    assert [tty.is_open for tty in desk.opened] == [True]
    desk.metal.receive()
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    desk.close()


def test_a_keypad_that_changes_its_name_is_another(tmp_path: Path) -> None:
    """The program at a wired port starts again under another id: the seat has lost its keypad."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, port=str(tmp_path / "usb0"), id="kp-1"))
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    renamed = HelloMessage(1, "kp-2", "1.0", "00000001", ("line16",))
    assert desk.says(renamed) == [DeviceLost("keypad 1", "another")]
    desk.close()


def test_a_keypad_that_changes_its_name_speaks_for_its_new_seat(tmp_path: Path) -> None:
    """Wired by id: under the new id it is the other seat's, and the first seat has none."""
    wired = [Keypad(seat=1, id="kp-1"), Keypad(seat=2, id="kp-2")]
    desk = Desk(tmp_path / "usb0", *wired)
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    renamed = HelloMessage(1, "kp-2", "1.0", "00000001", ("line16",))
    assert desk.says(renamed) == [DeviceLost("keypad 1", "another"), DeviceFound("keypad 2")]
    desk.close()


def test_a_keypad_pulled_while_it_says_hello_is_lost(tmp_path: Path) -> None:
    """Its name in /dev goes first, then its plug: its last line makes it nobody else's, nor found."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, port=str(tmp_path / "usb0")))
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    (tmp_path / "usb0").unlink()
    assert desk.says(HELLO) == []
    desk.opened[-1].is_pulled = True
    assert desk.says(HELLO) == [DeviceLost("keypad 1", "unplugged")]
    desk.close()


def test_a_second_keypad_of_the_same_id_is_named_once_and_turned_away(tmp_path: Path) -> None:
    """The first one stays; the other is named, and not again while it stays plugged in."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, id="kp-1"), Keypad(seat=2, id="kp-2"))
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    twin = desk.plugs(tmp_path / "usb1")
    port = str((tmp_path / "usb1").resolve())
    assert desk.says(HELLO, twin) == [DuplicateKeypad("keypad 1", "kp-1", port)]
    for _ in range(int(3 * UNKNOWN_DEVICE_RETRY_SECONDS / 0.5)):
        desk.pass_time(0.5)
        assert desk.says(HELLO) == []
        assert desk.says(HELLO, twin) == []
    assert len(desk.opened) > 2
    assert desk.opened[0].is_open
    twin.close()
    (tmp_path / "usb1").unlink()
    again = desk.plugs(tmp_path / "usb1")
    port = str((tmp_path / "usb1").resolve())
    assert desk.says(HELLO, again) == [DuplicateKeypad("keypad 1", "kp-1", port)]
    again.close()
    desk.close()


def test_a_keypad_that_is_heard_elsewhere_has_moved(tmp_path: Path) -> None:
    """Its old port is still there but says nothing any more: it speaks for its seat from the new one."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, id="kp-1"), Keypad(seat=2, id="kp-2"))
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    moved = desk.plugs(tmp_path / "usb1")
    desk.pass_time(0.75)
    assert desk.says(HELLO, moved) == [
        DeviceLost("keypad 1", "silent"),
        DeviceLost("keypad 1", "unplugged"),
        DeviceFound("keypad 1"),
    ]
    moved.close()
    desk.close()


def test_what_is_newly_plugged_in_is_asked_at_once(searching: Desk, tmp_path: Path) -> None:
    """A stranger's port is left alone, but not when something else comes to it."""
    searching.pass_time(0.25)
    searching.says(HelloMessage(1, "kp-9", "1.0", "9F2C1A07", ("line16",)))
    searching.metal.close()
    (tmp_path / "usb0").unlink()
    searching.metal = searching.plugs(tmp_path / "usb0")
    assert searching.says(HELLO) == [DeviceFound("keypad 1")]


def test_a_port_may_get_its_lasting_name_late(tmp_path: Path) -> None:
    """It is found by the search a moment before it has the name that the wiring gives; both mean one port."""
    desk = Desk(tmp_path / "ttyACM0", Keypad(seat=1, port=str(tmp_path / "by-id")), Keypad(seat=2, id="kp-2"))
    desk.pass_time(0.25)
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyACM0")
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    desk.close()


def test_a_lasting_name_comes_soon_enough_after_a_keypad_was_turned_away(tmp_path: Path) -> None:
    """The keypad said who it is before its port had its name: it is asked again with it."""
    desk = Desk(tmp_path / "ttyACM0", Keypad(seat=1, port=str(tmp_path / "by-id")), Keypad(seat=2, id="kp-2"))
    desk.pass_time(0.25)
    assert desk.says(HELLO) == []
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyACM0")
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    desk.close()


def test_a_keypad_of_another_seat_is_not_taken_at_a_port(tmp_path: Path) -> None:
    """It says the id that the wiring gives to somebody else: this seat's port has the wrong keypad."""
    wired = [Keypad(seat=1, port=str(tmp_path / "usb0")), Keypad(seat=2, id="kp-2")]
    desk = Desk(tmp_path / "usb0", *wired)
    desk.pass_time(0.25)
    assert desk.says(HelloMessage(1, "kp-2", "1.0", "9F2C1A07", ("line16",))) == [
        DeviceLost("keypad 1", "another")
    ]
    desk.close()


@pytest.mark.parametrize("by", ["port", "id"])
def test_a_port_that_may_not_be_opened_is_named_by_its_group(tmp_path: Path, by: str) -> None:
    """Whether it is named or searched; it is found when that is mended, and unplugged when it goes."""
    path = str(tmp_path / "usb0")
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, **{by: path if by == "port" else "kp-1"}))
    desk.denied = {str((tmp_path / "usb0").resolve())}
    desk.pass_time(1)
    # The group of a terminal of this machine: tty, or dialout where that is root's.
    group = (tmp_path / "usb0").resolve().group()
    expected = "dialout" if group == "root" else group
    assert desk.game.inbox.drain() == [DeviceLost("keypad 1", "denied", expected)]
    desk.denied.clear()
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    desk.close()


def test_a_port_that_was_denied_may_be_pulled_out(tmp_path: Path) -> None:
    """Then its keypad is unplugged."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, port=str(tmp_path / "usb0")))
    desk.denied = {str((tmp_path / "usb0").resolve())}
    desk.pass_time(0.25)
    assert [lost.reason for lost in desk.game.inbox.drain() if isinstance(lost, DeviceLost)] == ["denied"]
    (tmp_path / "usb0").unlink()
    desk.pass_time(0.25)
    assert desk.game.inbox.drain() == [DeviceLost("keypad 1", "unplugged")]
    desk.close()


def test_a_name_may_vanish_while_it_is_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A keypad pulled between two looks at its name is unplugged; the search for others goes on."""
    name, port = tmp_path / "kp-1", tmp_path / "usb0"
    name.symlink_to(port)
    desk = Desk(port, Keypad(seat=1, port=str(name)))
    readlink = os.readlink

    def pulled(path: str) -> str:
        name.unlink(missing_ok=True)
        return readlink(path)

    with monkeypatch.context() as moment:
        moment.setattr(os, "readlink", pulled)
        desk.pass_time(0.25)
    name.symlink_to(port)
    desk.pass_time(0.25)
    assert desk.says(HELLO) == [DeviceFound("keypad 1")]
    desk.close()


def test_a_port_whose_owner_is_unknown_wants_the_usual_group(tmp_path: Path) -> None:
    """It is gone before it could be looked at."""
    desk = Desk(tmp_path / "usb0", Keypad(seat=1, port=str(tmp_path / "usb9")))
    desk.denied = {str(tmp_path / "usb9")}
    desk.pass_time(0.25)
    assert desk.game.inbox.drain() == [DeviceLost("keypad 1", "denied", "dialout")]
    desk.close()


def test_a_line_that_was_written_on_a_busy_machine_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a port that takes no bytes fails: the thread may have waited for a processor meanwhile."""
    seconds = itertools.count()
    monkeypatch.setattr("serial.serialutil.Timeout.TIME", lambda *_: float(next(seconds)))
    device = FakeSerialDevice(tmp_path / "usb0")
    with open_serial_port(str(tmp_path / "usb0")) as port:
        port.write(b"a line\n")
        assert device.receive() == b"a line\n"
    device.close()


def test_a_port_that_takes_no_bytes_fails(tmp_path: Path) -> None:
    """Such a keypad counts as unplugged; its thread doesn't wait for it."""
    device = FakeSerialDevice(tmp_path / "usb0")
    with open_serial_port(str(tmp_path / "usb0")) as port, pytest.raises(serial.SerialTimeoutException):
        port.write(bytes(1_000_000))
    device.close()
