"""A phone that reaches the box through the real web process: over HTTP and a WebSocket."""

from __future__ import annotations

import base64
import http.client
import select
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Self

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.support.phone_client import PhoneClient, PhoneTab

TIMEOUT_SECONDS = 30
CLOSE_SECONDS = 0.5
"""How long a page that is closed waits for the other end; a full queue of messages delays its reply."""
RECONNECT_SECONDS = 0.05
"""The pause between two tries to connect."""


class WebPhone:
    """A phone that has scanned a QR code: `address` is what the code says.

    `connect_to_host` opens the TCP connections of its page, if they take another way than the address says.
    """

    def __init__(self, address: str, connect_to_host: Callable[[], socket.socket] | None = None) -> None:
        page, _, secret = address.partition("#")
        self.host, _, path = page.removeprefix("http://").partition("/")
        self.path = f"/{path}"
        self._secret = base64.urlsafe_b64decode(secret + "==")
        self.client = PhoneClient(int(path.rpartition("/")[2]))
        self.tab: PhoneTab | None = None
        self.language = "en"
        self.sent_messages: list[bytes] = []
        """What the page has sent since it was opened, as somebody who records the Wi-Fi sees it."""
        self._connect_to_host = connect_to_host
        self._open = ExitStack()
        self._socket: ClientConnection | None = None

    def redeem(self) -> str:
        """Uses the code; returns the two digits that the page shows."""
        status, body, _ = self._post(1, self.client.offer(self._secret))
        assert status == 200, status
        return self.client.read_reply(self._secret, body)

    def await_confirmation(self) -> int:
        """Waits until somebody has compared the digits; returns the status, and keeps the cookie."""
        status, _, cookie = self._post(2, self.client.confirmation())
        self.client.cookie = cookie
        return status

    def _post(self, step: int, body: bytes) -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection(self.host, timeout=TIMEOUT_SECONDS)
        connection.request("POST", f"{self.path}/pair/{step}", body, {"Origin": f"http://{self.host}"})
        response = connection.getresponse()
        cookie = (response.getheader("Set-Cookie") or "").partition(";")[0].partition("=")[2]
        content = response.read()
        connection.close()
        return response.status, content, cookie

    def open_page(self, language: str = "en") -> Self:
        """Opens the page of a paired phone, and reads its first state."""
        self.language = language
        connecting = connect(
            f"ws://{self.host}{self.path}/socket",
            origin=Origin(f"http://{self.host}"),
            additional_headers={"Cookie": f"seat={self.client.cookie}"},
            compression=None,
            open_timeout=TIMEOUT_SECONDS,
            close_timeout=CLOSE_SECONDS,
            ping_interval=None,  # only the web process pings
            proxy=None,
            sock=None if self._connect_to_host is None else self._connect_to_host(),
        )
        self._socket = self._open.enter_context(connecting)
        self.tab = self.client.open_tab()
        self.sent_messages = []
        self._send(self.tab.hello)
        self.tab.connected(self._receive())
        self._send(self.tab.encrypt(language=language))
        self.read_state()
        return self

    def eavesdropper(self) -> WebPhone:
        """Returns the page of somebody who has recorded the cookie of this page, and nothing else."""
        other = WebPhone(f"http://{self.host}{self.path}#")
        other.client = self.client.eavesdropper()
        return other

    def watch_table(self, language: str) -> ClientConnection:
        """Returns a connection that watches the table, from another browser in the same network."""
        return connect(
            f"ws://{self.host}/table/socket?languages={language}",
            origin=Origin(f"http://{self.host}"),
            compression=None,
            proxy=None,
        )

    def reconnect(self) -> Self:
        """Opens the page again, with the keys and the cookie of the pairing, as often as it takes."""
        end = time.monotonic() + TIMEOUT_SECONDS
        while True:
            self.close()
            try:
                return self.open_page(self.language)
            except (OSError, InvalidHandshake, ConnectionClosed):
                assert time.monotonic() < end, "the phone never reconnects"
                select.select([], [], [], RECONNECT_SECONDS)

    def _send(self, message: bytes) -> None:
        assert self._socket is not None
        self.sent_messages.append(message)
        self._socket.send(message)

    def _receive(self) -> bytes:
        assert self._socket is not None
        message = self._socket.recv(TIMEOUT_SECONDS)
        assert isinstance(message, bytes)
        return message

    def has_more(self) -> bool:
        """Returns whether a message has come that nobody has read, and drops it."""
        assert self._socket is not None
        try:
            self._socket.recv(0)
        except TimeoutError:
            return False
        return True

    def read_state(self) -> PhoneTab:
        """Waits for the next state of the box, and returns the tab that has read it."""
        assert self.tab is not None
        self.tab.read(self._receive())
        return self.tab

    def read_until(self, condition: Callable[[PhoneTab], bool]) -> PhoneTab:
        """Reads states until one fulfils the condition; returns the tab that has read it."""
        assert self.tab is not None
        while not condition(self.tab):
            self.read_state()
        return self.tab

    def answer(self, answer: object) -> None:
        """Answers the question that the page shows; waits until the box says that the answer counts.

        What the player is asked to confirm first is confirmed.
        """
        feedback = self._submit(answer=answer)
        if "confirm" in feedback:
            feedback = self._submit(answer=answer, confirmed=True)
        assert feedback.get("taken"), feedback

    def roll(self) -> None:
        """Lets the box roll the dice that the page asks for; waits until the roll counts."""
        feedback = self._submit(roll=True)
        assert feedback.get("taken"), feedback

    def _submit(self, **message: object) -> dict[str, Any]:
        """Sends something about the question that the page shows; returns what the box says about it."""
        assert self.tab is not None
        number: int = self.tab.table["n"]
        self.tab.private = {**self.tab.private, "feedback": {}}
        self._send(self.tab.encrypt(n=number, **message))
        tab = self.read_until(lambda tab: bool(tab.private.get("feedback", {}).get("n") == number))
        feedback: dict[str, Any] = tab.private["feedback"]
        return feedback

    def wait_until_closed(self) -> int | None:
        """Waits until the page's connection is closed; returns the code that says why (docs/web.md)."""
        try:
            while True:
                self.read_state()
        except ConnectionClosed as closed:
            return None if closed.rcvd is None else closed.rcvd.code

    def close(self) -> None:
        """Closes the page."""
        self._open.close()
