"""A table with phones behind the real web process, and all bytes that cross the network.

    with PhoneWire(directory) as wire:
        wire.session = session
        recording = wire.record(lambda: wire.answer(7))

Twins are compared by what they record. Only two things are left out: the letters of seals, and pings, which
come by the clock.
"""

from __future__ import annotations

import base64
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import NamedTuple, Self

from websockets.frames import Frame, Opcode

from companion.phones.state import PublicTable
from companion.session.session import Session
from companion.session.view import make_view
from companion.store import Store
from companion.web.link import (
    AnyFromWeb,
    AnyToWeb,
    ClosePhone,
    PairingPosted,
    PairingReply,
    PhoneConnected,
    PhoneGone,
    PhoneSent,
    PublishTable,
    SendToPhone,
    TableWatched,
    encode,
)
from hardware.phones.phones import Phones
from tests.support.frames import OPCODE_BITS, receive_exactly, receive_frame
from tests.support.phone_client import PhoneClient, PhoneTab
from tests.support.program import COMPANION
from tests.support.web_process import HTTP_SWITCHING, BoxEnd, Message, WebProcess

SECRET_SEAT, OTHER_SEAT, NEW_SEAT = 1, 2, 1
"""The seat with a secret, the seat of a fellow player, and the seat for which a stranger posts a pairing."""
SEAL = re.compile(rb"[0-9A-Z]{4} [0-9A-Z]{4} [0-9A-Z]{4}")
COOKIE = re.compile(rb"seat=[\w-]{43}")
PATHS = ("/", "/table", "/seat/1", "/static/seat.js", "/texts?languages=en", "/seat/1/nothing")
LANGUAGES = ("de", "en")
PADDING = bytes(16)
"""Padding that isn't encrypted: who sees it can read a message."""
MARKER = b'"the end"'
"""What the box sends behind all messages of a step, so that the test knows that it has read them."""


class Traffic(NamedTuple):
    """What somebody who records the network sees of one connection.

    `sent` has the lengths of what the browser sent, and `received` what it got: messages that can be read as
    they are, and the lengths of encrypted ones.
    """

    name: str
    sent: tuple[int, ...]
    received: tuple[bytes | int, ...]


class Recording(NamedTuple):
    """What others know after a step.

    `sent_by_box` has the order of all messages of the box, with their connections and lengths, and
    `decrypted` what a fellow player's phone has shown.
    """

    traffic: tuple[Traffic, ...]
    sent_by_box: tuple[tuple[str, int, int], ...]
    decrypted: tuple[str, ...]


class _Connection:
    """A connection of a browser that keeps every byte."""

    def __init__(self, name: str, connected: socket.socket) -> None:
        self._name, self._socket = name, connected
        self._sent: list[int] = []
        self._received: list[bytes | int] = []

    def send(self, content: bytes) -> None:
        """Sends bytes."""
        self._socket.sendall(content)
        self._sent.append(len(content))

    def receive_response(self) -> bytes:
        """Returns a whole response, with its head; the web process closes the connection behind it."""
        content = b""
        while part := self._socket.recv(65536):
            content += part
        self._received.append(COOKIE.sub(b"seat=cookie", content))
        return content

    def traffic(self, host: str) -> Traffic:
        """Returns what was recorded, without the address and port of the web process."""
        received = (
            each if isinstance(each, int) else each.replace(host.encode(), b"host") for each in self._received
        )
        return Traffic(self._name, tuple(self._sent), tuple(received))

    def close(self) -> None:
        """Ends the connection."""
        self._socket.close()


class _WebSocket(_Connection):
    """A WebSocket; with a `tab`, it is that of a phone."""

    def __init__(self, name: str, connected: socket.socket, head: bytes, tab: PhoneTab | None = None) -> None:
        super().__init__(name, connected)
        self.tab, self.decrypted = tab, list[str]()
        self.send(head)
        response = b""
        while not response.endswith(b"\r\n\r\n"):
            response += receive_exactly(self._socket, 1)
        assert int(response.split()[1]) == HTTP_SWITCHING, response
        self._received.append(response)

    def send_message(self, content: bytes) -> None:
        """Sends a message of a phone."""
        self.send(Frame(Opcode.BINARY, content).serialize(mask=True))

    def receive(self) -> bytes:
        """Returns the next message, and records it: as it is if everybody can read it."""
        first, content = receive_frame(self._socket)
        while first & OPCODE_BITS == Opcode.PING:
            first, content = receive_frame(self._socket)
        if content != MARKER:
            is_readable = first & OPCODE_BITS != Opcode.BINARY or PADDING in content
            self._received += [bytes([first]), SEAL.sub(b"seal", content) if is_readable else len(content)]
        return content

    def receive_to_marker(self) -> None:
        """Reads everything that the box has sent in a step; a phone decrypts it."""
        while (content := self.receive()) != MARKER:
            if self.tab is not None:
                self.tab.read(content)
                state = self.tab.parts_read[-1], self.tab.question, self.tab.private
                self.decrypted.append(SEAL.sub(b"seal", repr(state).encode()).decode())


class PhoneWire:
    """Box and web process with a phone for a secret, one of a fellow player, and people who watch the table.

    `program` starts another web process than `companion`. Each recording has new connections, from an address
    of its own, because the web process limits how many there are.
    """

    def __init__(self, directory: Path, program: Sequence[str] = (COMPANION,)) -> None:
        self._directory, self._program = directory, program
        self._open = ExitStack()
        self._published: dict[str, PublishTable] = {}
        self._sent: list[tuple[str, int, int]] = []
        self._addresses = (f"127.0.{number // 250}.{1 + number % 250}" for number in count())
        self._address = next(self._addresses)
        self._connections: list[_Connection] = []
        self._number_by_phone: dict[_Connection, int] = {}
        self.session: Session | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            store = stack.enter_context(closing(Store.open(self._directory / "state", for_writing=True)))
            self._box = stack.enter_context(closing(BoxEnd(self._directory / "link")))
            self._web = stack.enter_context(WebProcess(self._box.path, program=self._program))
            stack.callback(self._close_connections)
            self._phones = Phones(store, self._send)
            self._phones.switch_on()
            self._handle_until(TableWatched)
            self._clients = {seat: self._pair(seat) for seat in (SECRET_SEAT, OTHER_SEAT)}
            self._close_all()
            self._open = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def stop(self) -> tuple[int, str]:
        """Stops the web process; returns its status, and what it has printed since it listens."""
        return self._web.stop()

    # The box

    def _send(self, message: AnyToWeb) -> None:
        number = 0
        match message:
            case PublishTable(language):
                self._published[language] = message
            case PairingReply(number) | SendToPhone(number) | ClosePhone(number):
                pass
        self._sent.append((type(message).__name__, number, len(encode(message))))
        self._box.send(message)

    def show(self) -> None:
        """Shows the table to phones and viewers, as the screen does after each change."""
        session = self.session
        assert session is not None
        self._phones.show(PublicTable(session, make_view(session), session.question_number))

    def _handle(self) -> AnyFromWeb:
        """Lets the box handle the next message; returns the message."""
        message = self._box.receive_any()
        if self._phones.handle(message, self.session).must_show and self.session is not None:
            self.show()
        return message

    def _handle_until(self, kind: type[Message]) -> Message:
        """Lets the box handle messages until it has handled one of a kind; returns that one."""
        while not isinstance(message := self._handle(), kind):
            pass
        return message

    def _read_all(self) -> None:
        """Lets every browser read all that the box has sent."""
        for number in self._number_by_phone.values():
            self._box.send(SendToPhone(number, MARKER))
        for language, published in self._published.items():
            # Whoever watches from now on begins with the real state again.
            self._box.send(PublishTable(language, MARKER), published)
        for connection in self._connections:
            if isinstance(connection, _WebSocket):
                connection.receive_to_marker()
                if connection.tab is None:
                    connection.receive()

    # Browsers

    def _connect(self) -> socket.socket:
        return self._web.raw(source=self._address)

    def _open_connection(self, name: str) -> _Connection:
        self._connections.append(connection := _Connection(name, self._connect()))
        return connection

    def _request(self, method: str, path: str, body: bytes = b"") -> _Connection:
        connection = self._open_connection(f"{method} {path}")
        connection.send(self._head(method, path, "Connection: close", f"Content-Length: {len(body)}") + body)
        return connection

    def _head(self, method: str, path: str, *lines: str) -> bytes:
        own = (f"{method} {path} HTTP/1.1", f"Host: {self._web.host}", f"Origin: {self._web.origin}")
        return "\r\n".join((*own, *lines, "", "")).encode()

    def _open_socket(self, path: str, tab: PhoneTab | None = None, *lines: str) -> _WebSocket:
        upgrade = "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"
        key = f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}"
        head = self._head("GET", path, *upgrade, key, *lines)
        self._connections.append(websocket := _WebSocket(path, self._connect(), head, tab))
        return websocket

    def _pair(self, seat_number: int) -> PhoneClient:
        """Pairs a phone by the two POSTs."""
        client, secret = PhoneClient(seat_number), self._phones.offer_code(seat_number).code.secret
        first = self._request("POST", f"/seat/{seat_number}/pair/1", client.offer(secret))
        self._handle_until(PairingPosted)
        client.read_reply(secret, first.receive_response().partition(b"\r\n\r\n")[2])
        second = self._request("POST", f"/seat/{seat_number}/pair/2", client.confirmation())
        self._handle_until(PairingPosted)
        self._phones.confirm_pairing()
        (cookie,) = re.findall(rb"seat=([\w-]{43})", second.receive_response())
        client.cookie = cookie.decode()
        return client

    def _open_phone(self, seat_number: int) -> _WebSocket:
        client = self._clients[seat_number]
        tab = client.open_tab()
        phone = self._open_socket(f"/seat/{seat_number}/socket", tab, f"Cookie: seat={client.cookie}")
        phone.send_message(tab.hello)
        self._number_by_phone[phone] = self._handle_until(PhoneConnected).connection
        tab.connected(phone.receive())
        phone.send_message(tab.encrypt(language="en"))
        self._handle_until(PhoneSent)
        return phone

    # Recording

    def answer(self, answer: object) -> None:
        """Answers on the phone of the seat with a secret; the answer must be taken."""
        tab = self._secret_phone.tab
        assert tab is not None
        self._secret_phone.send_message(tab.encrypt(n=tab.table["n"], answer=answer))
        self._handle_until(PhoneSent)
        self._read_all()
        assert tab.private["feedback"].get("taken"), tab.private["feedback"]

    def record(self, act: Callable[[], object]) -> Recording:
        """Records what others know when something secret happens in a game.

        Before it, pages are loaded, and two phones and two viewers connect. After it, the fellow player's
        phone answers too late and connects once more, another viewer comes, and a stranger tries to pair.
        """
        self._address = next(self._addresses)
        self._connections, self._sent = [], []
        for path in PATHS:
            self._request("GET", path).receive_response()
        self._secret_phone, other = self._open_phone(SECRET_SEAT), self._open_phone(OTHER_SEAT)
        for language in LANGUAGES:
            self._open_socket(f"/table/socket?languages={language}")
            self._handle_until(TableWatched)
        self._read_all()
        act()
        self.show()
        self._read_all()
        assert other.tab is not None
        other.send_message(other.tab.encrypt(n=1_000_000, answer=1))
        self._handle_until(PhoneSent)
        self._read_all()
        again = self._open_phone(OTHER_SEAT)
        self._open_socket("/table/socket?languages=en").receive()
        self._read_all()
        stranger = self._request("POST", f"/seat/{NEW_SEAT}/pair/1", bytes(104))
        self._handle_until(PairingPosted)
        stranger.receive_response()
        for path in PATHS:
            self._request("GET", path).receive_response()
        sent_by_box = tuple(self._sent)  # in which order the web process notices closed pages is up to chance
        self._close_all()
        traffic = tuple(connection.traffic(self._web.host) for connection in self._connections)
        return Recording(traffic, sent_by_box, (*other.decrypted, *again.decrypted))

    def _close_connections(self) -> None:
        for connection in self._connections:
            connection.close()

    def _close_all(self) -> None:
        """Closes all pages, and waits until the box knows it."""
        self._close_connections()
        phone_count, is_watched = len(self._number_by_phone), bool(self._published)
        while phone_count or is_watched:
            match self._handle():
                case PhoneGone():
                    phone_count -= 1
                case TableWatched(languages):
                    is_watched = bool(languages)
        self._number_by_phone.clear()
        self._published.clear()
