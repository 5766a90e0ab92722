"""What systemd would hear of the program."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

from tests.support.program import PATIENCE


class Listener:
    """What systemd would hear of the program."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder / "notify")
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.address)
        self._socket.settimeout(PATIENCE)

    def until(self, wanted: str) -> str:
        """The first that it hears with that in it."""
        return next(told for told in self._all() if wanted in told)

    def _all(self) -> Iterator[str]:
        while True:
            yield self._socket.recv(1000).decode()

    def close(self) -> None:
        """Nobody listens any more."""
        self._socket.close()
