"""Browsers that break the rules: whatever they send or don't read, the others are served."""

from __future__ import annotations

import os
import random
import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from companion.web.browser import MAX_WAITING_MESSAGES
from companion.web.link import (
    MAX_CONNECTIONS,
    PairingPosted,
    PairingReply,
    PhoneConnected,
    PhoneGone,
    PhoneSent,
    PublishTable,
    SendToPhone,
    TableWatched,
)
from tests.support.web_process import (
    COOKIE,
    HELLO,
    TIMEOUT_SECONDS,
    BoxEnd,
    WebProcess,
    read_to_end,
    wait_until,
)

COOKIE_LINE = f"Cookie: seat={COOKIE}"
MAX_RESIDENT_BYTES = 100 * 1024 * 1024
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def frame(opcode: Opcode, content: bytes = b"", *, fin: bool = True) -> bytes:
    """Returns the bytes of a frame as a browser sends it."""
    return Frame(opcode, content, fin).serialize(mask=True)


def resident_bytes(web: WebProcess) -> int:
    """Returns how much memory the process has."""
    return int(Path(f"/proc/{web.pid}/statm").read_text().split()[1]) * PAGE_BYTES


def check_serving(web: WebProcess, box: BoxEnd) -> None:
    """Checks that a page, a phone and the box still work together."""
    assert web.get("/table").status == 200
    with web.connect_phone(box, seat=12) as (phone, number):
        phone.send(b"still here")
        while box.receive(PhoneSent) != PhoneSent(number, b"still here"):
            pass
        box.send(SendToPhone(number, b"so am I"))
        assert phone.recv(TIMEOUT_SECONDS) == b"so am I"
    assert resident_bytes(web) < MAX_RESIDENT_BYTES


MALFORMED_REQUESTS = [
    b"\x00" * 1000,
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost : HOST\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nX: \x00\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: gzip\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",
    b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
    b"GET * HTTP/1.1\r\nHost: HOST\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /table/socket HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET /table/socket HTTP/1.0\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"POST /table/socket HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX: \xff\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    + b"X: y\r\n" * 200
    + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX: "
    + b"y" * 9000
    + b"\r\n\r\n",
    b"GET /\xc3\xa9 HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
]


def test_malformed_requests_are_refused_briefly(web: WebProcess, box: BoxEnd) -> None:
    """The connection ends with an error or without; nothing is logged and no detail is told."""
    for request in MALFORMED_REQUESTS:
        connection = web.raw()
        with suppress(OSError):
            connection.sendall(request.replace(b"HOST", web.host.encode()))
            connection.shutdown(socket.SHUT_WR)
        reply = read_to_end(connection)
        assert b"Traceback" not in reply
        assert not reply or reply.startswith(b"HTTP/1.1 4")
        assert len(reply.partition(b"\r\n\r\n")[2]) < 200
    check_serving(web, box)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_altered_requests_end_without_a_traceback(web: WebProcess, data: st.DataObject) -> None:
    """Any bytes of a good request may be changed, left out or repeated."""
    content = bytearray(
        f"POST /seat/1/pair/1 HTTP/1.1\r\nHost: {web.host}\r\nOrigin: elsewhere\r\nCookie: seat=x\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 5\r\n\r\nhello".encode()
    )
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    connection = web.raw()
    with suppress(OSError):
        connection.sendall(bytes(content))
        connection.shutdown(socket.SHUT_WR)
    assert b"500" not in read_to_end(connection).partition(b"\r\n")[0]


def test_megabytes_are_not_read_into_memory(web: WebProcess, box: BoxEnd) -> None:
    """Neither as a body, nor as a header, nor as a message of a phone, nor as its first message."""
    megabyte = bytes(1024 * 1024)
    with suppress(ConnectionError):
        assert web.post("/seat/1/pair/1", megabyte).status == 413
    with suppress(ConnectionError):
        assert web.get("/table", {"X": "x" * len(megabyte)}).status in {400, 431}
    for before in (b"", frame(Opcode.BINARY, HELLO)):
        connection = web.raw_socket("/seat/1/socket", [COOKIE_LINE], before)
        with suppress(OSError):
            connection.sendall(frame(Opcode.BINARY, megabyte))
        end = read_to_end(connection)
        assert end in {b"", end[:2] + (1009).to_bytes(2, "big") + end[4:]}
    check_serving(web, box)


MALFORMED_FRAMES = {
    "text": frame(Opcode.TEXT, b"{}"),
    "text that is no text": frame(Opcode.TEXT, b"\xff\xfe"),
    "without a mask": Frame(Opcode.BINARY, b"hello").serialize(mask=False),
    "an unknown opcode": b"\x83\x80\x00\x00\x00\x00",
    "reserved bits": b"\xf2\x80\x00\x00\x00\x00",
    "a fragmented ping": b"\x09\x80\x00\x00\x00\x00",
    "a long ping": b"\x89\xfe\x00\x7e" + bytes(4 + 126),
    "a continuation of nothing": frame(Opcode.CONT, b"x"),
    "a message inside a message": frame(Opcode.BINARY, b"x", fin=False) + frame(Opcode.BINARY, b"x"),
    "a thousand empty fragments": frame(Opcode.BINARY, b"x", fin=False)
    + frame(Opcode.CONT, fin=False) * 1000,
    "large fragments": frame(Opcode.BINARY, bytes(4000), fin=False) + frame(Opcode.CONT, bytes(4000)),
    "a huge length": b"\x82\xff" + (2**62).to_bytes(8, "big") + bytes(4),
    "a negative length": b"\x82\xff" + b"\xff" * 8 + bytes(4),
    "a close code that doesn't exist": frame(Opcode.CLOSE, b"\x00\x01"),
    "half a close code": frame(Opcode.CLOSE, b"\x03"),
    "a reason that is no text": frame(Opcode.CLOSE, b"\x03\xe8\xff"),
    "text behind a close": frame(Opcode.CLOSE, b"\x03\xe8") + frame(Opcode.TEXT, b"x") * 10,
    "closed twice": frame(Opcode.CLOSE) + frame(Opcode.CLOSE),
    "an HTTP request": b"GET / HTTP/1.1\r\n\r\n",
}


def test_malformed_frames_close_the_connection(web: WebProcess, box: BoxEnd) -> None:
    """A viewer's, and a phone's before and after its first message; the box hears that the phone is gone."""
    for name, content in MALFORMED_FRAMES.items():
        with suppress(ConnectionError):
            read_to_end(web.raw_socket("/table/socket", frames=content))
        read_to_end(web.raw_socket("/seat/1/socket", [COOKIE_LINE], content))
        with web.raw_socket("/seat/1/socket", [COOKIE_LINE], frame(Opcode.BINARY, HELLO)) as connection:
            number = box.receive(PhoneConnected).connection
            connection.sendall(content)
            read_to_end(connection)
        assert box.receive(PhoneGone).connection == number, name
    check_serving(web, box)


def test_random_frames_end_without_a_traceback(web: WebProcess, box: BoxEnd) -> None:
    """Whatever bytes come after the handshake."""
    rng = random.Random(7)
    for _ in range(40):
        connection = web.raw_socket("/seat/1/socket", [COOKIE_LINE], frame(Opcode.BINARY, HELLO))
        with suppress(OSError):
            connection.sendall(rng.randbytes(rng.randrange(1, 2000)))
            connection.shutdown(socket.SHUT_WR)
        read_to_end(connection)
    check_serving(web, box)


def test_a_flood_of_tiny_messages_is_bounded(web: WebProcess, box: BoxEnd) -> None:
    """Unread messages wait in the browser's connection, not in memory, or the connection is closed."""
    with ExitStack() as stack:
        for _ in range(20):
            connection = stack.enter_context(web.raw_socket("/seat/1/socket", [COOKIE_LINE]))
            connection.settimeout(0.2)
            with suppress(OSError):
                connection.sendall(frame(Opcode.BINARY) * 100_000)
        check_serving(web, box)


def test_pings_that_nobody_reads_the_answers_of_are_bounded(web: WebProcess, box: BoxEnd) -> None:
    """The connection ends as soon as the answers don't fit into it."""
    with web.raw_socket("/seat/1/socket", [COOKIE_LINE]) as connection:
        pings = frame(Opcode.PING, bytes(125)) * 1000
        with pytest.raises(ConnectionError):  # noqa: PT012 - one of them fails
            for _ in range(2000):
                connection.sendall(pings)
    check_serving(web, box)


@pytest.fixture
def slow_phone(web: WebProcess) -> Iterator[socket.socket]:
    """A phone that connects and reads nothing."""
    connection = web.raw_socket("/seat/1/socket", [COOKIE_LINE])
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sendall(frame(Opcode.BINARY, HELLO))
    with connection:
        yield connection


def test_a_phone_that_does_not_read_is_dropped(
    web: WebProcess, box: BoxEnd, slow_phone: socket.socket
) -> None:
    """Meanwhile a phone that reads gets every message."""
    slow = box.receive(PhoneConnected).connection
    with web.connect_phone(box, seat=2) as (phone, number):
        gone = False
        for index in range(5_000):
            box.send(SendToPhone(slow, bytes(16 * 1024)), SendToPhone(number, index.to_bytes(4, "big")))
            assert phone.recv(TIMEOUT_SECONDS) == index.to_bytes(4, "big")
            if gone := box.has_more():
                break
        assert gone
        assert box.receive(PhoneGone).connection == slow
    check_serving(web, box)


def test_a_viewer_that_does_not_read_is_dropped(web: WebProcess, box: BoxEnd) -> None:
    """Other viewers of the same language get every state."""
    with web.raw_socket("/table/socket?languages=de") as slow, web.open_socket("/table/socket") as viewer:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        while box.receive(TableWatched).languages != ("de", "en"):
            pass
        state = b'"' + b"x" * 500_000 + b'"'
        for index in range(1_000):
            box.send(PublishTable("de", state), PublishTable("en", str(index).encode()))
            assert viewer.recv(TIMEOUT_SECONDS) == str(index)
            if box.has_more():
                break
        assert box.receive(TableWatched).languages == ("en",)
    check_serving(web, box)


def test_a_burst_of_the_box_drops_nobody(web: WebProcess, box: BoxEnd) -> None:
    """Many more messages at once than may wait, for a phone that reads."""
    with web.connect_phone(box) as (phone, number):
        count = MAX_WAITING_MESSAGES * 4
        box.send(*(SendToPhone(number, index.to_bytes(4, "big")) for index in range(count)))
        for index in range(count):
            assert phone.recv(TIMEOUT_SECONDS) == index.to_bytes(4, "big")


def test_idle_connections_keep_nobody_out(web: WebProcess, box: BoxEnd) -> None:
    """Many more connections than allowed that never ask anything: the oldest make room."""
    with ExitStack() as stack:
        for index in range(MAX_CONNECTIONS + 50):
            stack.enter_context(web.raw(b"GET / HT" if index % 2 else b""))
        check_serving(web, box)


def test_two_hundred_connections_are_the_most(web: WebProcess, box: BoxEnd) -> None:
    """When all are in use, a further one is refused briefly; each that ends makes room."""
    request = (
        f"POST /seat/1/pair/2 HTTP/1.1\r\nHost: {web.host}\r\nOrigin: {web.origin}\r\n"
        "Content-Length: 0\r\n\r\n"
    ).encode()
    with ExitStack() as stack:
        for index in range(MAX_CONNECTIONS - 60):
            source, hello = f"127.0.0.{1 + index // 90}", frame(Opcode.BINARY, HELLO)
            stack.enter_context(web.raw_socket("/seat/1/socket", [COOKIE_LINE], hello, source))
        busy = [stack.enter_context(web.raw(request, f"127.0.0.{1 + index // 30}")) for index in range(60)]
        for _ in busy:
            box.receive(PairingPosted)
        assert _is_full(web)
        reply = read_to_end(web.raw(b"GET /table HTTP/1.1\r\n\r\n"))
        assert not reply or reply.endswith(b"\r\n\r\nToo many connections")
        busy.pop().close()
        wait_until(lambda: not _is_full(web))
        assert web.get("/table").status == 200
    wait_until(lambda: not _is_full(web))
    check_serving(web, box)


def _is_full(web: WebProcess) -> bool:
    try:
        return web.get("/success.txt").status == 503
    except OSError:
        return True


def test_a_flood_of_posts_is_refused(web: WebProcess, box: BoxEnd) -> None:
    """From one address and from many; the box sees few of them, and pages are served on."""
    head = (
        f"POST /seat/1/pair/1 HTTP/1.1\r\nHost: {web.host}\r\nOrigin: {web.origin}\r\nConnection: close\r\n"
    )
    request = f"{head}Content-Length: 1\r\n\r\nx".encode()
    statuses = []
    for index in range(400):
        with web.raw(request, f"127.0.0.{1 + index // 100}") as connection:
            if not is_reply(connection, box):
                box.send(PairingReply(box.receive(PairingPosted).request, 403))
            statuses.append(int(connection.recv(65536).split()[1]))
    assert {*statuses} == {403, 429}
    assert 30 <= statuses[:100].count(403) < 60
    assert statuses.count(403) < 120
    assert statuses[-1] == 429
    check_serving(web, box)


def is_reply(connection: socket.socket, box: BoxEnd) -> bool:
    """Waits for a reply, or for what the web process asks the box; returns whether it was the reply."""
    readable, _, _ = select.select([connection, box.link], [], [], TIMEOUT_SECONDS)
    assert readable
    return connection in readable


def test_a_flood_of_sockets_is_refused(web: WebProcess, box: BoxEnd) -> None:
    """A browser that connects again and again keeps neither the box busy nor others out."""
    statuses = []
    request = (
        f"GET /table/socket HTTP/1.1\r\nHost: {web.host}\r\nOrigin: {web.origin}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n"
    )
    for _ in range(300):
        with web.raw(request.encode(), "127.0.0.9") as connection:
            statuses.append(int(connection.recv(65536).split()[1]))
    assert {*statuses} == {101, 429}
    assert statuses.count(101) < 200
    check_serving(web, box)
