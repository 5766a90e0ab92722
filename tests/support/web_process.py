"""The process that faces the network as a child process, the box's end of its link, and browsers."""

from __future__ import annotations

import http.client
import select
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self, TypeVar

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from companion.web.link import (
    AnyFromWeb,
    AnyToWeb,
    FromWeb,
    PhoneConnected,
    encode,
    receive_from_web,
)
from tests.support.program import COMPANION
from tests.support.required_programs import path_of_required_program

TIMEOUT_SECONDS = 30.0
"""A test fails if it waits longer for anything."""
COOKIE = "c" * 43
HELLO = b"h" * 32
HTTP_SWITCHING = 101
OWN_ORIGIN = "own"
"""Stands for the address of the page itself."""

Message = TypeVar("Message", bound=FromWeb)


def wait_until(condition: Callable[[], bool]) -> None:
    """Waits for what another process does."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < end, "it never happened"
        select.select([], [], [], 0.005)


class BoxEnd:
    """The box's end of the link: it waits for the web process, and reads and writes messages."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._listening = _listen_at(path)
        self._link: socket.socket | None = None

    def close(self) -> None:
        """Ends the link and listens no more, as when the box ends."""
        self._listening.close()
        if self._link is not None:
            self._link.close()
            self._link = None
        self.path.unlink(missing_ok=True)

    def restart(self) -> None:
        """Ends and starts again, as when the box restarts."""
        self.close()
        self._listening = _listen_at(self.path)

    def disconnect(self) -> None:
        """Ends the link, and waits for the web process to connect again."""
        self.link.close()
        self._link = None

    @property
    def link(self) -> socket.socket:
        """The link; the first use waits for the web process."""
        if self._link is None:
            self._link, _ = self._listening.accept()
            self._link.settimeout(TIMEOUT_SECONDS)
        return self._link

    def receive_any(self) -> AnyFromWeb:
        """Returns the next message of the web process."""
        return receive_from_web(self.link)

    def receive(self, kind: type[Message]) -> Message:
        """Returns the next message of a kind; other kinds before it are dropped."""
        while not isinstance(message := self.receive_any(), kind):
            pass
        return message

    def send(self, *messages: AnyToWeb) -> None:
        """Sends messages to the web process, all at once."""
        self.link.sendall(b"".join(map(encode, messages)))

    def has_more(self) -> bool:
        """Returns whether a message has come that nobody has received."""
        return bool(select.select([self.link], [], [], 0)[0])


def _listen_at(path: Path) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX)
    listening.settimeout(TIMEOUT_SECONDS)
    listening.bind(str(path))
    listening.listen()
    return listening


class WebAddress:
    """What browsers reach at an address and a port."""

    def __init__(self, address: str, port: int) -> None:
        self.address, self.port = address, port

    @property
    def host(self) -> str:
        """What `Host` has to be."""
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"

    @property
    def origin(self) -> str:
        """What `Origin` has to be."""
        return f"http://{self.host}"

    def request(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Sends a request and returns the response; a POST names this page as its origin."""
        connection = http.client.HTTPConnection(self.address, self.port, timeout=TIMEOUT_SECONDS)
        try:
            own = {"Origin": self.origin} if method == "POST" else {}
            connection.request(method, path, body, {**own, **(headers or {})})
            return Response(connection.getresponse())
        finally:
            connection.close()

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Response:
        """Returns the response to a GET."""
        return self.request("GET", path, None, headers)

    def post(self, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None) -> Response:
        """Returns the response to a POST."""
        return self.request("POST", path, body, headers)

    @contextmanager
    def open_socket(
        self, path: str, headers: Mapping[str, str] | None = None, origin: str | None = OWN_ORIGIN
    ) -> Iterator[ClientConnection]:
        """Connects a WebSocket as a browser on this page does, or as one on a page of another `origin`."""
        named = self.origin if origin == OWN_ORIGIN else origin
        with connect(
            f"ws://{self.host}{path}",
            additional_headers=headers,
            origin=None if named is None else Origin(named),
            compression=None,
            proxy=None,
            max_size=None,
            open_timeout=TIMEOUT_SECONDS,
            close_timeout=TIMEOUT_SECONDS,
        ) as websocket:
            yield websocket

    @contextmanager
    def connect_phone(self, box: BoxEnd, seat: int = 1) -> Iterator[tuple[ClientConnection, int]]:
        """Connects the phone of a seat; yields its WebSocket and the number that the box knows."""
        with self.open_socket(f"/seat/{seat}/socket", {"Cookie": f"seat={COOKIE}"}) as websocket:
            websocket.send(HELLO)
            while (connected := box.receive(PhoneConnected)).seat != seat:
                pass
            yield websocket, connected.connection

    def raw(self, content: bytes = b"", source: str = "") -> socket.socket:
        """Returns a connection over which these bytes were sent, from another address of the loopback."""
        connection = socket.create_connection((self.address, self.port), TIMEOUT_SECONDS, (source, 0))
        connection.sendall(content)
        return connection

    def raw_socket(
        self, path: str, headers: Sequence[str] = (), frames: bytes = b"", source: str = ""
    ) -> socket.socket:
        """Returns a WebSocket over which frames were sent as they are."""
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {self.host}",
            f"Origin: {self.origin}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13",
            *headers,
        ]
        connection = self.raw("\r\n".join([*lines, "", ""]).encode(), source)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += connection.recv(1)
        assert int(head.split()[1]) == HTTP_SWITCHING, head
        connection.sendall(frames)
        return connection


class WebProcess(WebAddress):
    """`companion web` on the loopback, on a free port if none is given."""

    def __init__(
        self,
        link_path: Path,
        *options: str,
        address: str = "127.0.0.1",
        port: int = 0,
        program: Sequence[str] = (COMPANION,),
        passed_files: Sequence[int] = (),
    ) -> None:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        with socket.create_server((address, port), family=family, backlog=256) as listening:
            super().__init__(address, int(listening.getsockname()[1]))
            self.process = subprocess.Popen(
                [*program, "web", "--link", str(link_path), "--fd", str(listening.fileno()), *options],
                pass_fds=[listening.fileno(), *passed_files],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            """The child itself."""
        assert self.process.stdout is not None
        assert select.select([self.process.stdout], [], [], TIMEOUT_SECONDS)[0], "it never listens"
        self.first_line = self.process.stdout.readline().decode()
        """What the process has printed when it listens."""
        assert self.first_line, "it has ended"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self.process.pid

    def stop(self) -> tuple[int, str]:
        """Stops the process as systemd does; returns its exit status and what it has printed since."""
        self.process.terminate()
        output, errors = self.process.communicate(timeout=TIMEOUT_SECONDS)
        return self.process.returncode, (output + errors).decode()

    def wait(self) -> int:
        """Waits until the process ends by itself; returns its exit status."""
        return self.process.wait(TIMEOUT_SECONDS)


class Response:
    """A response: its status, headers and content."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.content = response.status, response.read()
        self.headers = {name.lower(): value for name, value in response.getheaders()}


def read_to_end(connection: socket.socket) -> bytes:
    """Returns everything that comes until the other end closes the connection."""
    content = b""
    with connection, suppress(ConnectionResetError):
        while part := connection.recv(65536):
            content += part
    return content


def make_certificate(folder: Path) -> list[str]:
    """Makes a certificate; returns the options with which the web process uses it."""
    certificate, key = folder / "certificate", folder / "key"
    subprocess.run(
        [
            *(path_of_required_program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes"),
            *("-days", "1", "-subj", "/CN=box", "-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    return ["--certificate", str(certificate), "--key", str(key)]
