"""Receives the messages that the program sends to systemd."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

from tests.support.program import TIMEOUT_SECONDS


class NotifySocket:
    """A socket in the place of systemd's; `address` is the value for NOTIFY_SOCKET."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)
        self._socket.settimeout(TIMEOUT_SECONDS)

    def wait_for_message(self, wanted: str) -> str:
        """Waits for a message that contains `wanted`, and returns it."""
        return next(message for message in self._messages() if wanted in message)

    def _messages(self) -> Iterator[str]:
        while True:
            yield self._socket.recv(1000).decode()

    def close(self) -> None:
        """Closes the socket."""
        self._socket.close()
