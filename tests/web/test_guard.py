"""Who may ask what: addresses, origins, methods, and the headers of every response."""

from __future__ import annotations

import socket
import ssl
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from companion.web.link import PairingPosted, PairingReply
from tests.support.web_process import COOKIE, BoxEnd, WebProcess, make_certificate, read_to_end

HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.mark.parametrize(
    "path", ["/", "/seat/3", "/table", "/static/nacl.js", "/texts?languages=en", "/nothing"]
)
def test_every_response_tells_the_browser_its_limits(shared_web: WebProcess, path: str) -> None:
    """Nothing is stored, framed, guessed or told to other pages, and no code in a page runs."""
    headers = shared_web.get(path).headers
    assert HEADERS.items() <= headers.items()
    assert "camera=()" in headers["permissions-policy"]
    assert {"server", "cross-origin-opener-policy"}.isdisjoint(headers)
    assert "set-cookie" not in headers
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["connect-src"] == f"'self' ws://{shared_web.host}"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]


@pytest.mark.parametrize(
    "name", ["127.0.0.1", "localhost", "LOCALHOST", f"{socket.gethostname().partition('.')[0]}.local"]
)
def test_the_own_names_are_known(shared_web: WebProcess, name: str) -> None:
    """The address at which the request arrived, its .local name, and on this machine localhost."""
    assert shared_web.get("/table", {"Host": f"{name}:{shared_web.port}"}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "elsewhere.example",
        "elsewhere.example:{port}",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.2:{port}",
        "127.0.0.1:{port}.elsewhere.example",
        "127.0.0.1:{port}@elsewhere.example",
        "localhost.elsewhere.example:{port}",
        "[::1]:{port}",
        "",
        "127.1:{port}",
        "2130706433:{port}",
        "127.0.0.1.:{port}",
    ],
)
def test_foreign_names_get_nothing(shared_web: WebProcess, host: str) -> None:
    """A page elsewhere whose name suddenly points here (DNS rebinding) reads nothing and pairs nothing."""
    host = host.format(port=shared_web.port)
    for method in ("GET", "POST"):
        response = shared_web.request(
            method, "/seat/1/pair/1", b"", {"Host": host, "Origin": f"http://{host}"}
        )
        assert response.status == 421
        assert response.content == b"This isn't the address of this page"


def test_two_names_or_none_get_nothing(shared_web: WebProcess) -> None:
    """A request without Host is refused, also in HTTP 1.0, and so is one with two."""
    for lines in ("", f"Host: {shared_web.host}\r\nHost: elsewhere\r\n"):
        for version in ("1.0", "1.1"):
            head = f"GET /table HTTP/{version}\r\n{lines}\r\n".encode()
            connection = shared_web.raw(head)
            connection.shutdown(socket.SHUT_WR)
            assert int(read_to_end(connection).split()[1]) in {400, 421}


FOREIGN_ORIGINS = [
    None,
    "null",
    "",
    "http://elsewhere.example",
    "http://127.0.0.1",
    "http://127.0.0.1:{other_port}",
    "https://127.0.0.1:{port}",
    "http://localhost:{port}",
    "http://127.0.0.1:{port}/",
    "http://127.0.0.1:{port}.elsewhere.example",
]


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_foreign_pages_can_not_post(shared_web: WebProcess, origin: str | None) -> None:
    """A POST needs the origin of this very address; without any it is refused, too."""
    headers = [("Host", shared_web.host), ("Content-Length", "0"), ("Connection", "close")]
    if origin is not None:
        headers.append(("Origin", origin.format(port=shared_web.port, other_port=shared_web.port ^ 1)))
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    reply = read_to_end(shared_web.raw(f"POST /seat/1/pair/1 HTTP/1.1\r\n{lines}\r\n".encode()))
    assert reply.startswith(b"HTTP/1.1 403 ")
    assert reply.endswith(b"\r\n\r\nNot from this page")


@pytest.mark.parametrize("path", ["/seat/1/socket", "/table/socket"])
@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_foreign_pages_can_not_connect(shared_web: WebProcess, path: str, origin: str | None) -> None:
    """The public table is refused to them as well as a seat."""
    if origin is not None:
        origin = origin.format(port=shared_web.port, other_port=shared_web.port ^ 1)
    with pytest.raises(InvalidStatus) as refused, shared_web.open_socket(path, origin=origin):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW"])
def test_other_methods_are_refused(shared_web: WebProcess, method: str) -> None:
    """Pages need GET, HEAD and POST only."""
    assert shared_web.request(method, "/table").status == 405


def test_each_address_has_its_methods(shared_web: WebProcess) -> None:
    """Pages can't be posted to, and a pairing can't be got."""
    assert shared_web.post("/table").status == 405
    assert shared_web.get("/seat/1/pair/1").status == 405
    assert shared_web.get("/seat/1/socket").status == 404


def pair(web: WebProcess, box: BoxEnd, seat: int) -> str:
    """Returns the cookie that a browser gets."""
    with web.raw(
        f"POST /seat/{seat}/pair/2 HTTP/1.1\r\nHost: {web.host}\r\nOrigin: {web.origin}\r\n"
        "Content-Length: 0\r\n\r\n".encode()
    ) as connection:
        request = box.receive(PairingPosted).request
        box.send(PairingReply(request, 200, b"", seat, COOKIE))
        head = connection.recv(65536).decode()
    (cookie,) = [line for line in head.split("\r\n") if line.lower().startswith("set-cookie: ")]
    return cookie.partition(": ")[2]


def test_the_cookie_is_for_one_seat(web: WebProcess, box: BoxEnd) -> None:
    """No script reads it, no other seat's page gets it, no foreign page sends it, and it ends in time."""
    name, *attributes = pair(web, box, 11).split("; ")
    assert name == f"seat={COOKIE}"
    assert {each.lower() for each in attributes} == {
        "httponly",
        "max-age=43200",
        "path=/seat/11",
        "samesite=strict",
    }


def test_ipv6_addresses_are_known(box: BoxEnd) -> None:
    """In `Host` they stand in brackets."""
    with WebProcess(box.path, address="::1") as web:
        assert web.get("/table").status == 200
        assert web.get("/table", {"Host": f"localhost:{web.port}"}).status == 200
        assert web.get("/table", {"Host": f"127.0.0.1:{web.port}"}).status == 421


@pytest.mark.needs("openssl")
def test_an_owner_can_supply_a_certificate(box: BoxEnd, tmp_path: Path) -> None:
    """Then pages come over https, and browsers send the cookie over nothing else."""
    with WebProcess(box.path, *make_certificate(tmp_path)) as web:
        context = ssl.create_default_context(cafile=tmp_path / "certificate")
        context.check_hostname = False
        with context.wrap_socket(web.raw()) as connection:
            connection.sendall(
                f"POST /seat/2/pair/2 HTTP/1.1\r\nHost: {web.host}\r\nOrigin: https://{web.host}\r\n"
                "Content-Length: 0\r\n\r\n".encode()
            )
            box.send(PairingReply(box.receive(PairingPosted).request, 200, b"", 2, COOKIE))
            head = connection.recv(65536).decode()
        assert "; secure" in head.lower()
        assert "cross-origin-opener-policy: same-origin" in head
        assert f"wss://{web.host}" in head
        assert web.first_line.startswith("Listening on https://")
