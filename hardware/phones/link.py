"""The games' end of the link to the process that faces the network.

    link = WebLink(inbox)
    child = link.start_child_process(["companion", "web"])  # on a desktop: a child of the same user
    link.listen(systemd_socket, allowed_user_id=uid)  # as a service: the socket of companion-web.socket
    link.send(message)

Threads only read and write; each message goes into the inbox, in the order in which it arrived, between the
signals of the other devices.
"""

from __future__ import annotations

import queue
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.web import link
from companion.web.link import AnyToWeb
from hardware.signals import Inbox, PhoneSignal, WebLinkLost

MAX_WAITING_MESSAGES = 2_000
"""The most messages that wait for the web process; a process that reads so slowly is cut off."""
MAX_MESSAGES_PER_SECOND = 300
"""How many messages of the web process are read in a second; twelve phones send a fifth of them at most."""
PEER_CREDENTIALS = struct.Struct("3i")
"""What the kernel knows of the process at the other end: its number, its user and its group."""


class WebLink:
    """The link to one web process at a time; a second one is refused while the first is connected.

    A thread that has read too much in a second waits with `pause`.
    """

    def __init__(self, inbox: Inbox, *, pause: Callable[[float], None] = time.sleep) -> None:
        self._inbox, self._pause = inbox, pause
        self._lock = threading.Lock()
        self._connected: socket.socket | None = None
        self._outbox: queue.Queue[bytes | None] = queue.Queue()

    def start_child_process(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Starts the web process as a child that ends with this process; returns the child.

        The child gets its end of the link as an open file, so nobody else can connect.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            child = subprocess.Popen(  # noqa: S603 - our own program
                [*command, "--link-fd", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        self._serve(ours)
        return child

    def listen(self, listening: socket.socket, allowed_user_ids: Sequence[int]) -> None:
        """Accepts the web process on a listening socket; processes of other users are refused."""
        threading.Thread(
            target=self._accept, args=(listening, tuple(allowed_user_ids)), name="web link", daemon=True
        ).start()

    @property
    def is_connected(self) -> bool:
        """True while a web process is connected."""
        return self._connected is not None

    def send(self, message: AnyToWeb) -> None:
        """Sends a message; without a web process, or to one that doesn't read, nothing is sent."""
        with self._lock:
            connected, outbox = self._connected, self._outbox
        if connected is None:
            return
        if outbox.qsize() >= MAX_WAITING_MESSAGES:
            _shut_down(connected)
            return
        outbox.put(link.encode(message))

    def disconnect(self) -> None:
        """Ends the connection with the web process; another one can connect later."""
        with self._lock:
            connected, self._connected = self._connected, None
        if connected is not None:
            _shut_down(connected)

    def _accept(self, listening: socket.socket, allowed_user_ids: tuple[int, ...]) -> None:
        while True:
            try:
                connected, _ = listening.accept()
            except OSError:
                return
            _, user_id, _ = PEER_CREDENTIALS.unpack(
                connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER_CREDENTIALS.size)
            )
            if user_id not in allowed_user_ids or self.is_connected:
                connected.close()
            else:
                self._serve(connected)

    def _serve(self, connected: socket.socket) -> None:
        with self._lock:
            self._connected, self._outbox = connected, queue.Queue()
        for name, work in (("reader", self._read), ("writer", self._write)):
            threading.Thread(
                target=work, args=(connected, self._outbox), name=f"web link {name}", daemon=True
            ).start()

    def _read(self, connected: socket.socket, outbox: queue.Queue[bytes | None]) -> None:
        """Puts each message into the inbox, until the link ends or something else than a message comes."""
        with suppress(OSError):
            while True:
                started_at = time.monotonic()
                for _ in range(MAX_MESSAGES_PER_SECOND):
                    self._inbox.put(PhoneSignal(link.receive_from_web(connected)))
                self._pause(max(0.0, started_at + 1 - time.monotonic()))
        with self._lock:
            was_lost = self._connected is connected
            if was_lost:
                self._connected = None
        _shut_down(connected)
        outbox.put(None)
        if was_lost:
            self._inbox.put(WebLinkLost())

    @staticmethod
    def _write(connected: socket.socket, outbox: queue.Queue[bytes | None]) -> None:
        with suppress(OSError), connected:
            while (content := outbox.get()) is not None:
                connected.sendall(content)
        _shut_down(connected)


def _shut_down(open_socket: socket.socket) -> None:
    """Ends a connection, so that threads that wait for it go on."""
    with suppress(OSError):
        open_socket.shutdown(socket.SHUT_RDWR)
