"""How long browsers may take. The same program runs with limits that are 20 times shorter."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.frames import Frame, Opcode

from companion.web import app, connections, relay, server
from companion.web.link import (
    PairingAborted,
    PairingPosted,
    PhoneConnected,
    PhoneGone,
    PublishTable,
    SendToPhone,
    TableWatched,
    WebListening,
)
from tests.support.web_process import COOKIE, HELLO, TIMEOUT_SECONDS, BoxEnd, WebProcess, read_to_end

SHORTER = 20
PROGRAM = f"""
import sys
from companion.cli import main
from companion.web import app, connections, relay, server
connections.REQUEST_SECONDS /= {SHORTER}
connections.RESPONSE_SECONDS /= {SHORTER}
app.BODY_SECONDS /= {SHORTER}
relay.PAIRING_REPLY_SECONDS /= {SHORTER * 5}
server.KEEP_ALIVE_SECONDS /= {SHORTER}
server.PING_SECONDS /= {SHORTER}
sys.exit(main())
"""
COOKIE_LINE = f"Cookie: seat={COOKIE}"


@pytest.fixture
def hurried_web(box: BoxEnd) -> Iterator[WebProcess]:
    """A web process that waits shorter."""
    with WebProcess(box.path, program=(sys.executable, "-c", PROGRAM)) as web:
        box.receive(WebListening)
        yield web
        assert web.stop() == (0, "")


def test_a_phone_that_sleeps_is_noticed(hurried_web: WebProcess, box: BoxEnd) -> None:
    """A phone that answers no ping is gone after 14 seconds, and one that answers stays."""
    hello = Frame(Opcode.BINARY, HELLO).serialize(mask=True)
    with hurried_web.connect_phone(box, seat=2) as (phone, number):
        with hurried_web.raw_socket("/seat/1/socket", [COOKIE_LINE], hello):
            asleep = box.receive(PhoneConnected).connection
            assert box.receive(PhoneGone).connection == asleep
        box.send(SendToPhone(number, b"still here"))
        assert phone.recv(TIMEOUT_SECONDS) == b"still here"
    assert server.PING_SECONDS * 2 <= 15


def test_a_viewer_that_sleeps_is_noticed(hurried_web: WebProcess, box: BoxEnd) -> None:
    """Its language isn't watched any more."""
    with hurried_web.raw_socket("/table/socket?languages=de"):
        while box.receive(TableWatched).languages != ("de",):
            pass
        box.send(PublishTable("de", b"{}"))
        assert box.receive(TableWatched).languages == ()


@pytest.mark.parametrize(
    "start",
    [
        "",
        "GET /table HT",
        "GET /table HTTP/1.1\r\nHost: {host}\r\nX: ",
        "GET /table HTTP/1.1\r\nHost: {host}\r\n\r\nGET /tab",
        "GET /table HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000\r\n\r\nx",
        "POST /seat/1/pair/1 HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: 9\r\n\r\nx",
    ],
)
def test_a_slow_request_ends(hurried_web: WebProcess, start: str) -> None:
    """Whichever part of it doesn't come."""
    read_to_end(hurried_web.raw(start.format(host=hurried_web.host).encode()))


def test_a_phone_that_says_nothing_first_is_closed(hurried_web: WebProcess, box: BoxEnd) -> None:
    """The box never hears of it."""
    read_to_end(hurried_web.raw_socket("/seat/1/socket", [COOKIE_LINE]))
    with hurried_web.connect_phone(box) as (_, number):
        assert number == 1


def test_a_pairing_ends_without_a_reply(hurried_web: WebProcess, box: BoxEnd) -> None:
    """The web process waits longer than people may take for the digits, and no request waits longer."""
    with ThreadPoolExecutor() as threads:
        response = threads.submit(hurried_web.post, "/seat/1/pair/2")
        request = box.receive(PairingPosted).request
        assert box.receive(PairingAborted).request == request
        assert response.result().status == 503
    assert 60 < relay.PAIRING_REPLY_SECONDS < connections.RESPONSE_SECONDS
    assert app.BODY_SECONDS + relay.PAIRING_REPLY_SECONDS <= connections.RESPONSE_SECONDS
