"""Connectivity probes of phones in the hotspot, at the socket that systemd passes to the web process."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.commands.web import PROBES_SOCKET_NAME
from tests.support.program import COMPANION
from tests.support.web_process import BoxEnd, WebAddress, WebProcess, make_certificate, read_to_end

AS_SYSTEMD = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); "
    f"os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDNAMES='{PROBES_SOCKET_NAME}'); "
    "os.execv(sys.argv[2], sys.argv[2:])"
)
"""Runs a program with a socket as systemd passes it on."""
PROBES = {
    "/hotspot-detect.html": (200, b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"),
    "/library/test/success.html": (
        200,
        b"<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>",
    ),
    "/generate_204": (204, b""),
    "/gen_204": (204, b""),
    "/connecttest.txt": (200, b"Microsoft Connect Test"),
    "/success.txt": (200, b"success\n"),
    "/canonical.html": (
        200,
        b'<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>',
    ),
}


@contextmanager
def serve(box: BoxEnd, *options: str) -> Iterator[tuple[WebProcess, WebAddress]]:
    """Yields the web process, and the address of its other socket."""
    with socket.create_server(("127.0.0.1", 0)) as probes:
        program = [sys.executable, "-c", AS_SYSTEMD, str(probes.fileno()), COMPANION]
        with WebProcess(box.path, *options, program=program, passed_files=[probes.fileno()]) as pages:
            yield pages, WebAddress(*probes.getsockname())


@pytest.fixture
def servers(box: BoxEnd) -> Iterator[tuple[WebProcess, WebAddress]]:
    """The two sockets of a web process; at its end it has printed nothing about what happened."""
    with serve(box) as both:
        yield both
        assert both[0].stop() == (0, "")


def test_probes_are_answered_for_every_host(servers: tuple[WebProcess, WebAddress]) -> None:
    """Phones that ask whether this Wi-Fi has the internet stay, and never see a login portal."""
    _, probes = servers
    for path, answer in PROBES.items():
        for host in ("captive.apple.com", "connectivitycheck.gstatic.com:80", probes.host):
            response = probes.get(path, {"Host": host})
            assert (response.status, response.content) == answer
            assert response.headers["cache-control"] == "no-store"
            assert not {"set-cookie", "location"} & {*response.headers}
    assert probes.request("HEAD", "/hotspot-detect.html").content == b""


def test_nothing_else_is_there(servers: tuple[WebProcess, WebAddress]) -> None:
    """No page, no pairing and no WebSocket, whatever host is named."""
    pages, probes = servers
    for host in (pages.host, probes.host, "captive.apple.com"):
        for path in ("/", "/table", "/seat/1", "/static/seat.js", "/seat/1/socket"):
            assert probes.get(path, {"Host": host}).status == 404
        assert probes.post("/seat/1/pair/1", b"x", {"Host": host}).status == 404
        assert probes.post("/generate_204", b"x", {"Host": host}).status == 404
    upgrade = (
        "GET /table/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n"
    )
    assert read_to_end(probes.raw(upgrade.encode())).startswith(b"HTTP/1.1 404 ")


def test_pages_answer_no_probes(servers: tuple[WebProcess, WebAddress]) -> None:
    """A request for pages must name their own address, without any exception."""
    pages, _ = servers
    assert pages.get("/generate_204", {"Host": "connectivitycheck.gstatic.com"}).status == 421
    assert pages.get("/generate_204").status == 404


@pytest.mark.needs("openssl")
def test_probes_are_never_encrypted(box: BoxEnd, tmp_path: Path) -> None:
    """Phones ask without encryption, also where the owner has a certificate for the pages."""
    with serve(box, *make_certificate(tmp_path)) as (_, probes):
        assert probes.get("/generate_204").status == 204
