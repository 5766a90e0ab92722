"""The link to the process that faces the network, as the process that holds the games sees it."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.web.link import (
    MAX_BYTES_FROM_WEB,
    ClosePhone,
    PhoneConnected,
    PhoneGone,
    PhoneSent,
    encode,
    receive_exactly,
    to_web_decoder,
)
from hardware.phones import link as module
from hardware.phones.link import WebLink
from hardware.signals import Inbox, PhoneSignal, Signal, WebLinkLost


class Box:
    """The games' end of the link: `wait_for` returns the next signals in the inbox."""

    def __init__(
        self, path: Path, allowed_user_ids: list[int], pause: Callable[[float], None] = time.sleep
    ) -> None:
        self._awake = threading.Condition()
        self.inbox = Inbox(wake=self._wake)
        self.link = WebLink(self.inbox, pause=pause)
        self.path = path
        self._signals: list[Signal] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        self.link.listen(self._listening, allowed_user_ids)

    def _wake(self) -> None:
        with self._awake:
            self._awake.notify_all()

    def wait_for(self, count: int) -> list[Signal]:
        """Returns all signals so far, once there are at least this many."""
        with self._awake:
            assert self._awake.wait_for(lambda: self._drain() >= count, timeout=20)
        return self._signals

    def _drain(self) -> int:
        self._signals += self.inbox.drain()
        return len(self._signals)

    def connect(self) -> socket.socket:
        """Connects as the web process does."""
        web = socket.socket(socket.AF_UNIX)
        web.settimeout(20)
        web.connect(str(self.path))
        return web

    def close(self) -> None:
        """Ends link and socket."""
        self._listening.close()
        self.link.disconnect()


@pytest.fixture
def make_box(tmp_path: Path) -> Iterator[Callable[..., Box]]:
    """Makes the games' end of a link that listens."""
    boxes: list[Box] = []

    def make(allowed_user_ids: list[int] | None = None, **options: Any) -> Box:
        box = Box(tmp_path / f"link {len(boxes)}", allowed_user_ids or [os.getuid()], **options)
        boxes.append(box)
        return box

    yield make
    for box in boxes:
        box.close()


def receive_to_web(web: socket.socket) -> object:
    """Returns the next message that the box has sent."""
    length = int.from_bytes(receive_exactly(web, 4), "big")
    return to_web_decoder.decode(receive_exactly(web, length))


def is_cut_off(web: socket.socket) -> bool:
    """Returns whether the box has ended a connection: nothing more comes."""
    try:
        return web.recv(1) == b""
    except ConnectionResetError:  # what we had sent wasn't read any more
        return True


def test_messages_reach_the_inbox_in_their_order(make_box: Callable[..., Box]) -> None:
    """What browsers do comes in the order in which it happened; a race depends on it."""
    box = make_box()
    messages = [PhoneSent(number, bytes([number])) for number in range(1, 101)]
    with box.connect() as web:
        web.sendall(b"".join(map(encode, messages)))
        signals = box.wait_for(100)
    assert [signal.message for signal in signals[:100] if isinstance(signal, PhoneSignal)] == messages


def test_messages_reach_the_web_process(make_box: Callable[..., Box]) -> None:
    """What the box sends arrives in its order, once the web process is connected."""
    box = make_box()
    box.link.send(ClosePhone(1, "nobody is connected yet"))
    with box.connect() as web:
        web.sendall(encode(PhoneGone(1)))
        box.wait_for(1)
        for number in range(2, 50):
            box.link.send(ClosePhone(number, "error"))
        assert [receive_to_web(web) for _ in range(48)] == [
            ClosePhone(number, "error") for number in range(2, 50)
        ]


def test_a_lost_web_process_is_noticed_and_another_can_connect(make_box: Callable[..., Box]) -> None:
    """The game goes on without phones until the web process is there again."""
    box = make_box()
    with box.connect() as web:
        web.sendall(encode(PhoneGone(1)))
        box.wait_for(1)
    assert isinstance(box.wait_for(2)[1], WebLinkLost)
    assert not box.link.is_connected
    with box.connect() as web:
        web.sendall(encode(PhoneGone(2)))
        assert box.wait_for(3)[2] == PhoneSignal(PhoneGone(2))


def test_a_second_web_process_is_refused(make_box: Callable[..., Box]) -> None:
    """While one is connected, nobody else gets in between."""
    box = make_box()
    with box.connect() as web, box.connect() as second:
        web.sendall(encode(PhoneGone(1)))
        box.wait_for(1)
        assert is_cut_off(second)
        web.sendall(encode(PhoneGone(2)))
        assert box.wait_for(2)[1] == PhoneSignal(PhoneGone(2))


def test_a_process_of_another_user_is_refused(make_box: Callable[..., Box]) -> None:
    """The kernel says whose process connects; only that of the web process may."""
    box = make_box([os.getuid() + 1])
    with box.connect() as web:
        assert is_cut_off(web)
    assert box.inbox.drain() == []


@pytest.mark.parametrize(
    "content",
    [
        (MAX_BYTES_FROM_WEB + 1).to_bytes(4, "big"),
        b"\xff\xff\xff\xff" + b"x" * 100,
        (4).to_bytes(4, "big") + b"\xc1\xc1\xc1\xc1",
        (1).to_bytes(4, "big") + b"\x80",
        encode(ClosePhone(1, "error")),
        encode(PhoneConnected(1, 13, "", b"")),
        encode(PhoneConnected(0, 1, "", b"")),
        encode(PhoneConnected(1, 1, "x" * 65, b"")),
        encode(PhoneSent(1, b"x" * 5000)),
        encode(PhoneSent(2**60, b"")),
    ],
    ids=["long", "huge", "no msgpack", "no type", "wrong way", "seat", "zero", "cookie", "message", "number"],
)
def test_a_hostile_web_process_is_cut_off(make_box: Callable[..., Box], content: bytes) -> None:
    """Whatever isn't a message within its limits ends the link, and nothing of it reaches the game."""
    box = make_box()
    with box.connect() as web:
        web.sendall(content)
        assert isinstance(box.wait_for(1)[0], WebLinkLost)
        assert is_cut_off(web)


def test_a_web_process_that_doesnt_read_is_cut_off(
    make_box: Callable[..., Box], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box keeps a limited number of messages for it, and never waits."""
    monkeypatch.setattr(module, "MAX_WAITING_MESSAGES", 10)
    box = make_box()
    with box.connect() as web:
        web.sendall(encode(PhoneGone(1)))
        box.wait_for(1)
        for number in range(20_000):
            box.link.send(ClosePhone(number, "x" * 1000))
            if not box.link.is_connected:
                break
        assert isinstance(box.wait_for(2)[1], WebLinkLost)


def test_a_flood_is_read_slowly(make_box: Callable[..., Box]) -> None:
    """More than the allowed messages in a second wait in the socket, and not in our memory."""
    pauses: list[float] = []
    box = make_box(pause=pauses.append)
    with box.connect() as web:
        web.sendall(encode(PhoneGone(1)) * (module.MAX_MESSAGES_PER_SECOND * 2 + 1))
        box.wait_for(module.MAX_MESSAGES_PER_SECOND * 2 + 1)
    assert len(pauses) == 2
    assert all(0 <= pause <= 1 for pause in pauses)


def test_a_child_process_gets_the_link_as_an_open_file() -> None:
    """On a desktop no socket has a name, so no other program can connect; the child ends with the link."""
    awake = threading.Event()
    inbox = Inbox(wake=awake.set)
    link = WebLink(inbox)
    program = (
        "import socket, sys; from companion.web.link import PhoneGone, encode; "
        "link = socket.socket(fileno=int(sys.argv[2])); link.sendall(encode(PhoneGone(7))); link.recv(1)"
    )
    child = link.start_child_process([sys.executable, "-c", program])
    assert awake.wait(20)
    assert inbox.drain() == [PhoneSignal(PhoneGone(7))]
    link.disconnect()
    assert child.wait(20) == 0
